#pragma once
/// The order in which meshes are gone through wherever a pass makes one thing for each of several meshes.

#include <cstdint>
#include <string_view>

namespace mpmd {

/// Sorts by this what is to be sorted by mesh often: the order of a name, worked out once. O(length of the
/// name).
///
/// Names that end in a decimal number of at most 31 bits come behind all others, in the order of their
/// numbers; what the numbers do not decide, the bytes of the names do. So m2 stands before m10, alpha before
/// beta and a before m1, and different names are never equal: the order is total.
class mesh_order_key {
 public:
  mesh_order_key() = default;
  explicit mesh_order_key(std::string_view name) : name_(name), number_(number_of(name)) {}

  friend bool operator==(mesh_order_key const& a, mesh_order_key const& b) { return a.name_ == b.name_; }
  friend bool operator<(mesh_order_key const& a, mesh_order_key const& b) {
    return a.number_ != b.number_ ? a.number_ < b.number_ : a.name_ < b.name_;
  }

 private:
  static std::int64_t number_of(std::string_view name) {
    std::size_t from = name.size();
    while (from > 0 && name[from - 1] >= '0' && name[from - 1] <= '9') --from;
    if (from == name.size()) return -1;
    std::int64_t number = 0;
    for (; from < name.size(); ++from) {
      number = number * 10 + (name[from] - '0');
      if (number > 0x7FFFFFFF) return -1;
    }
    return number;
  }

  std::string_view name_ = {};
  std::int64_t number_ = -1;
};

/// Whether mesh `a` is gone through before mesh `b`.
struct mesh_order {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    return mesh_order_key(a) < mesh_order_key(b);
  }
};

}  // namespace mpmd

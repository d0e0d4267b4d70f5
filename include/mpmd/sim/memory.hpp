#pragma once
/// Where simulated values live, and what a simulation tells about its run.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/ir/mesh_queries.hpp>
#include <mpmd/sim/tensor.hpp>
#include <mpmd/support/name_table.hpp>

namespace mpmd::sim {

/// How many memories there are.
enum class memories {
  one,           ///< every op reads every value: what a program means
  one_per_mesh,  ///< a value can be read only where it lives, and only a transfer takes it elsewhere
};

struct simulation_limits {
  std::uint64_t elements = std::uint64_t{1} << 20;  ///< of one tensor
  std::uint64_t bytes = std::uint64_t{1} << 30;     ///< of all values at one time, in the simulator
  std::uint64_t steps = std::uint64_t{1} << 28;     ///< an element costs one, an op some dozens
};

/// What has crossed between two memories.
struct traffic {
  std::uint64_t transfers = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(traffic const&, traffic const&) = default;
};

/// Something that an op did besides computing its results.
struct effect {
  std::string what;          ///< the op, and the target of a custom call
  std::uint64_t digest = 0;  ///< of its inherent attributes and operands
  friend auto operator<=>(effect const&, effect const&) = default;
};

/// What came of a run. The memory of mesh m1 is called `m1`; another memory of it has the memory kind behind
/// a `#`.
struct simulation {
  std::vector<tensor> results;
  std::vector<std::string> result_memories;  ///< where each result lives; empty: nowhere in particular
  std::map<std::pair<std::string, std::string>, traffic> transfers;  ///< by the memories, from and to
  std::vector<effect> effects;                                       ///< in the order in which they happened
  std::uint64_t ops = 0;                                             ///< executed
};

/// A memory, by number.
using memory_id = std::uint32_t;
/// Where a value lives that no mesh has: any op outside fragments can read it.
inline constexpr memory_id unplaced = 0xFFFFFFFFu;

/// A tensor that is kept; it counts as long as anything refers to it.
struct stored {
  tensor value;
  std::uint64_t* in_use;
  stored(tensor v, std::uint64_t* count) : value(std::move(v)), in_use(count) { *in_use += size(); }
  ~stored() { *in_use -= size(); }
  stored(stored const&) = delete;
  stored& operator=(stored const&) = delete;
  std::uint64_t size() const { return value.elements.size() * sizeof(std::uint64_t) + sizeof(stored); }
};
struct held {
  std::shared_ptr<stored const> data;
  memory_id home = unplaced;
};

/// What a simulation needs to know of types, worked out once for each.
class type_table {
 public:
  explicit type_table(ir::context const& in) : in_(&in) {}

  struct facts {
    bool known = false;
    std::optional<tensor_form> form;
    memory_id home = unplaced;
    std::uint64_t elements = 0;  // saturating
  };
  facts const& operator[](ir::type t) {
    if (t.id >= facts_.size()) facts_.resize(t.id + 1);
    facts& f = facts_[t.id];
    if (f.known) return f;
    f.known = true;
    f.form = form_of(*in_, t);
    if (f.form) f.elements = element_count(f.form->shape, ~std::uint64_t{0} - 1);
    if (auto const* placed = in_->get_if<ir::mesh_tensor_type>(t)) {
      bool const elsewhere = placed->memory_kind && *placed->memory_kind != ir::memory_kind_device;
      f.home = names_.intern(elsewhere ? placed->mesh + "#" + *placed->memory_kind : placed->mesh);
      if (f.home == meshes_.size()) meshes_.push_back(placed->mesh);
    }
    return f;
  }
  /// The name of a memory; empty for none.
  std::string name(memory_id m) const { return m == unplaced ? std::string{} : std::string(names_[m]); }
  std::string_view mesh(memory_id m) const { return meshes_[m]; }

 private:
  ir::context const* in_;
  std::vector<facts> facts_;
  name_table names_;
  std::vector<std::string> meshes_;  // of each memory
};

}  // namespace mpmd::sim

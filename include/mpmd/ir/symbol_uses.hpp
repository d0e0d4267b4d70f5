#pragma once
/// Which symbols ops name.

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

/// Finds the symbols named in attributes and types, however deep inside. Each attribute and type is looked into once.
class symbol_uses {
 public:
  explicit symbol_uses(program const& in) : in_(in.context()) {}

  /// Calls `named(string_view)` for each part of each symbol that this op names itself and that no call before has met.
  template <class Named>
  void of(program const& p, op o, Named named) {
    add(p.properties(o));
    add(p.attributes(o));
    for (value const v : p.results(o)) add(p.type_of(v));
    for (region const r : p.regions(o))
      for (block b = p.first_block(r); b; b = p.next_block(b))
        for (value const v : p.arguments(b)) add(p.type_of(v));
    while (!attributes_.empty() || !types_.empty()) {
      if (!attributes_.empty()) {
        attribute const a = attributes_.back();
        attributes_.pop_back();
        if (auto const* s = in_.get_if<symbol_ref_attr>(a)) {
          named(std::string_view(s->root));
          for (auto const& step : s->nested) named(std::string_view(step));
        } else if (auto const* raw = in_.get_if<opaque_attr>(a)) {
          in_text(raw->text, named);
        } else {
          std::visit([this](auto const& data) { this->fields_of(data); }, in_[a]);
        }
      } else {
        type const t = types_.back();
        types_.pop_back();
        if (auto const* raw = in_.get_if<opaque_type>(t))
          in_text(raw->text, named);
        else
          std::visit([this](auto const& data) { this->fields_of(data); }, in_[t]);
      }
    }
  }

 private:
  void add(attribute a) {
    if (a && seen_attributes_.insert(a).second) attributes_.push_back(a);
  }
  void add(type t) {
    if (t && seen_types_.insert(t).second) types_.push_back(t);
  }
  template <class T>
  void add(std::vector<T> const& all) {
    if constexpr (!std::is_arithmetic_v<T>)
      for (auto const& one : all) add(one);
  }
  template <class A, class B>
  void add(std::pair<A, B> const& both) {
    add(both.first);
    add(both.second);
  }
  template <class T>
  void add(T const& other) {
    fields_of(other);
  }
  template <class T>
  void fields_of([[maybe_unused]] T const& data) {
    if constexpr (requires { T::fields; })
      std::apply([&](auto... member) { (add(data.*member), ...); }, T::fields);
  }
  /// `@name` and `@"name"` in text that is not understood.
  template <class Named>
  static void in_text(std::string_view text, Named& named) {
    for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
      std::string_view const rest = text.substr(at + 1);
      if (rest.starts_with('"'))
        named(rest.substr(1, rest.find('"', 1) - 1));
      else
        named(rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.-")));
    }
  }

  context const& in_;
  std::unordered_set<attribute> seen_attributes_;
  std::unordered_set<type> seen_types_;
  std::vector<attribute> attributes_;
  std::vector<type> types_;
};

}  // namespace mpmd::ir

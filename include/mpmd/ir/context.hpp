#pragma once
/// A context owns what programs share: names, types, attributes and the source text they were read from.

#include <algorithm>
#include <cassert>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include <mpmd/ir/attribute_keys.hpp>
#include <mpmd/ir/attributes.hpp>
#include <mpmd/ir/dialect_attributes.hpp>
#include <mpmd/ir/handles.hpp>
#include <mpmd/ir/location_attributes.hpp>
#include <mpmd/ir/opcodes.hpp>
#include <mpmd/ir/types.hpp>
#include <mpmd/support/interner.hpp>
#include <mpmd/support/source.hpp>

namespace mpmd::ir {

using attribute_data =
    std::variant<unit_attr, integer_attr, float_attr, string_attr, symbol_ref_attr, type_attr, array_attr,
                 dictionary_attr, dense_attr, dense_array_attr, dense_resource_attr, opaque_attr, mesh_attr,
                 sharding_attr, sharding_per_value_attr, named_mesh_attr, topology_attr, user_origin_attr, origin_attr,
                 mesh_with_origins_attr, meshes_with_origins_attr, reduction_attr, unknown_loc, file_loc, name_loc,
                 fused_loc, callsite_loc>;

/// Owns and uniques. Within one context equal data has equal handles; across contexts `hash_of` agrees on equal data.
/// Not copyable; programs hold it by shared_ptr. Not thread-safe.
class context {
 public:
  context() {
    for (auto const& known : known_ops) names_.intern(known.name);  // so that a name's id is its opcode
    for (auto const& key : attribute_keys) names_.intern(key);
    empty_dictionary_ = get(dictionary_attr{});
    boolean_type_ = integer(1);
  }
  context(context const&) = delete;
  context& operator=(context const&) = delete;

  // Names.
  name intern(std::string_view text) { return {names_.intern(text)}; }
  /// The name, or none when nothing of this context bears it.
  name find(std::string_view text) const {
    auto const id = names_.find(text);
    return id == string_interner::missing ? name{} : name{id};
  }
  std::string_view text(name n) const { return names_[n.id]; }

  // Types and attributes.
  template <class T>
    requires std::constructible_from<type_data, T>
  type get(T data) {
    return {intern_into(types_, type_data(std::move(data)))};
  }
  template <class T>
    requires std::constructible_from<attribute_data, T>
  attribute get(T data) {
    if constexpr (std::same_as<T, name_loc>)  // has one form only: see there
      if (get_if<unknown_loc>(data.child)) data.child = {};
    return {intern_into(attributes_, attribute_data(std::move(data)))};
  }
  type_data const& operator[](type t) const { return types_[t.id]; }
  attribute_data const& operator[](attribute a) const { return attributes_[a.id]; }

  /// The data of a type or attribute if it is of that kind, else null; null for the null handle.
  template <class T>
  T const* get_if(type t) const {
    return t ? std::get_if<T>(&types_[t.id]) : nullptr;
  }
  template <class T>
  T const* get_if(attribute a) const {
    return a ? std::get_if<T>(&attributes_[a.id]) : nullptr;
  }

  /// Equal for equal data of any two contexts.
  std::uint64_t hash_of(type t) const { return t ? types_.hash(t.id) : 0; }
  std::uint64_t hash_of(attribute a) const { return a ? attributes_.hash(a.id) : 0; }
  std::uint64_t hash_of(name n) const { return n ? names_.hash(n.id) : 0; }

  // Frequent ones.
  attribute empty_dictionary() const { return empty_dictionary_; }
  type boolean_type() const { return boolean_type_; }
  attribute unit() { return get(unit_attr{}); }
  attribute string(std::string_view text) { return get(string_attr{std::string(text)}); }
  attribute symbol(std::string_view text) { return get(symbol_ref_attr{std::string(text)}); }
  attribute boolean(bool b) { return get(integer_attr{b ? 1 : 0, integer(1)}); }
  attribute integer_value(std::int64_t v, std::uint32_t width = 64, signedness sign = signedness::signless) {
    return get(integer_attr{v, integer(width, sign)});
  }
  type integer(std::uint32_t width, signedness sign = signedness::signless) {
    return get(integer_type{width, sign});
  }
  type floating(std::string_view keyword) { return get(float_type{std::string(keyword)}); }
  type tensor(std::vector<std::int64_t> shape, type element) { return get(tensor_type{std::move(shape), element}); }
  /// The fully replicated type of `global` on `mesh`.
  type mesh_tensor(std::string_view mesh, type global) { return get(mesh_tensor_type{std::string(mesh), global}); }

  /// A dictionary from entries in any order; the last of several entries of one name wins.
  attribute dictionary(std::vector<std::pair<name, attribute>> entries) {
    std::vector<std::size_t> order(entries.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      auto const first = text(entries[a].first), second = text(entries[b].first);
      return first != second ? first < second : a < b;
    });
    dictionary_attr sorted;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (i + 1 == order.size() || entries[order[i + 1]].first != entries[order[i]].first)
        sorted.entries.push_back(entries[order[i]]);
    return get(std::move(sorted));
  }
  /// The entry of a dictionary attribute, or null. O(log n).
  attribute lookup(attribute dictionary, std::string_view key) const {
    auto const* d = get_if<dictionary_attr>(dictionary);
    if (d == nullptr) return {};
    auto at = std::lower_bound(d->entries.begin(), d->entries.end(), key,
                               [this](auto const& e, std::string_view k) { return text(e.first) < k; });
    return at != d->entries.end() && text(at->first) == key ? at->second : attribute{};
  }
  /// The same by id, for dictionaries of a few entries. O(n).
  attribute lookup(attribute dictionary, attribute_key key) const {
    auto const* d = get_if<dictionary_attr>(dictionary);
    if (d == nullptr) return {};
    for (auto const& e : d->entries)
      if (e.first.id == name_id(key)) return e.second;
    return {};
  }
  /// The dictionary with one entry set, or removed when `to` is null.
  attribute with(attribute dictionary, std::string_view key, attribute to) {
    auto const* d = get_if<dictionary_attr>(dictionary);
    std::vector<std::pair<name, attribute>> entries = d ? d->entries : std::vector<std::pair<name, attribute>>{};
    auto at = std::lower_bound(entries.begin(), entries.end(), key,
                               [this](auto const& e, std::string_view k) { return text(e.first) < k; });
    bool const present = at != entries.end() && text(at->first) == key;
    if (present && to)
      at->second = to;
    else if (present)
      entries.erase(at);
    else if (to)
      entries.insert(at, {intern(key), to});
    else
      return dictionary ? dictionary : empty_dictionary_;
    return get(dictionary_attr{std::move(entries)});
  }

  source_manager sources;

 private:
  struct hash_fields {
    context const& in;
    hasher h = {};

    void one(type t) { h.add(in.hash_of(t)); }
    void one(attribute a) { h.add(in.hash_of(a)); }
    void one(name n) { h.add(in.hash_of(n)); }
    void one(std::string const& s) { h.add(std::string_view(s)); }
    template <class T>
      requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void one(T v) {
      h.add(static_cast<std::uint64_t>(v));
    }
    template <class T>
    void one(std::optional<T> const& o) {
      h.add(o ? 1 : 0);
      if (o) one(*o);
    }
    void one(std::vector<bool> const& v) {
      h.add(v.size());
      for (bool b : v) h.add(b ? 1 : 0);
    }
    template <class T>
    void one(std::vector<T> const& v) {
      h.add(v.size());
      for (auto const& e : v) one(e);
    }
    template <class A, class B>
    void one(std::pair<A, B> const& p) {
      one(p.first);
      one(p.second);
    }
    template <class T>
      requires requires { T::fields; }
    void one(T const& data) {
      std::apply([&](auto... member) { (one(data.*member), ...); }, T::fields);
    }
  };

  template <class Data>
  std::uint32_t intern_into(interner<Data>& table, Data data) {
    hash_fields f{*this};
    f.h.add(data.index());
    std::visit([&f](auto const& d) { f.one(d); }, data);
    return table.intern(f.h.value(), std::move(data));
  }

  string_interner names_;
  interner<type_data> types_;
  interner<attribute_data> attributes_;
  attribute empty_dictionary_;
  type boolean_type_;
};

}  // namespace mpmd::ir

#pragma once
/// Attributes of MLIR's ops by name: inherent ones, which unregistered ops keep in a dictionary of properties, and
/// others; those of arguments and results; and notes.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Operation.h>

#include <mpmd/adapters/mlir/known_op.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

inline llvm::StringRef string_ref(std::string_view s) { return {s.data(), s.size()}; }

/// The dictionary with one entry set, or removed when `to` is null.
inline ::mlir::DictionaryAttr with_entry(::mlir::MLIRContext* in, ::mlir::Attribute dictionary, std::string_view key,
                                         ::mlir::Attribute to) {
  ::mlir::NamedAttrList entries(llvm::dyn_cast_if_present<::mlir::DictionaryAttr>(dictionary));
  if (to)
    entries.set(string_ref(key), to);
  else
    entries.erase(string_ref(key));
  return entries.getDictionary(in);
}
inline ::mlir::Attribute entry_of(::mlir::Attribute dictionary, std::string_view key) {
  auto const entries = llvm::dyn_cast_if_present<::mlir::DictionaryAttr>(dictionary);
  return entries ? entries.get(string_ref(key)) : ::mlir::Attribute{};
}

inline ::mlir::Attribute attribute_of(mlir_op o, std::string_view key) { return o->getAttr(string_ref(key)); }
template <class Kind>
Kind attribute_of(mlir_op o, std::string_view key) {
  return llvm::dyn_cast_if_present<Kind>(attribute_of(o, key));
}
/// The text of a string attribute, valid while the context is; empty where there is none.
inline std::string_view string_of(mlir_op o, std::string_view key) {
  auto const held = attribute_of<::mlir::StringAttr>(o, key);
  return held ? text_of(held.getValue()) : std::string_view{};
}

/// The inherent attributes of an op that is not registered.
inline ::mlir::Attribute& unregistered_properties(mlir_op o) {
  return *o->getPropertiesStorage().as<::mlir::Attribute*>();
}
/// Calls `f` for each attribute of an op, inherent ones included, as they are before the first call.
template <class F>
void for_each_attribute(mlir_op o, F f) {
  auto const all = o->getAttrDictionary();  // of an op that is not registered, not its properties
  auto const properties =
      llvm::dyn_cast_if_present<::mlir::DictionaryAttr>(o->isRegistered() ? nullptr : unregistered_properties(o));
  for (auto const entry : all) f(entry);
  if (properties)
    for (auto const entry : properties) f(entry);
}
/// Sets an attribute where it belongs: among the inherent ones if the kind of op has it there. Null removes it.
inline void set_attribute(mlir_op o, ir::op_info const* known, std::string_view key, ::mlir::Attribute to) {
  if (o->isRegistered()) {
    if (to)
      o->setAttr(string_ref(key), to);
    else
      o->removeAttr(string_ref(key));
    return;
  }
  auto& properties = unregistered_properties(o);
  bool const inherent = (known && known->is_inherent(key)) || entry_of(properties, key);
  ::mlir::MLIRContext* const in = o->getContext();
  auto const others = o->getRawDictionaryAttrs();
  if (inherent) {
    auto const now = with_entry(in, properties, key, to);
    properties = now.empty() ? ::mlir::Attribute{} : ::mlir::Attribute(now);
    if (entry_of(others, key)) o->setDiscardableAttrs(with_entry(in, others, key, {}));
  } else {
    o->setDiscardableAttrs(with_entry(in, others, key, to));
  }
}

/// Notes, which are never inherent: the discardable attributes.
inline ::mlir::DictionaryAttr notes_of(mlir_op o) { return o->getDiscardableAttrDictionary(); }

inline note to_note(::mlir::Attribute a) {
  if (!a) return std::monostate{};
  if (llvm::isa<::mlir::UnitAttr>(a)) return unit_note{};
  if (auto const s = llvm::dyn_cast<::mlir::StringAttr>(a)) return s.str();
  if (auto const n = llvm::dyn_cast<::mlir::IntegerAttr>(a)) {
    auto const t = llvm::dyn_cast<::mlir::IntegerType>(n.getType());
    if (t && t.getWidth() == 32 && t.isUnsigned()) return static_cast<std::uint32_t>(n.getValue().getZExtValue());
    if (t && t.getWidth() == 64) return static_cast<std::int64_t>(n.getValue().getZExtValue());
    return foreign_note{};
  }
  if (auto const list = llvm::dyn_cast<::mlir::DenseI64ArrayAttr>(a))
    return std::vector<std::int64_t>(list.asArrayRef().begin(), list.asArrayRef().end());
  if (auto const list = llvm::dyn_cast<::mlir::ArrayAttr>(a)) {
    std::vector<std::string> texts;
    for (::mlir::Attribute const e : list) {
      auto const s = llvm::dyn_cast<::mlir::StringAttr>(e);
      if (!s) return foreign_note{};
      texts.push_back(s.str());
    }
    return texts;
  }
  return foreign_note{};
}

/// A note as an attribute; null for none.
struct attribute_of_note {
  ::mlir::MLIRContext* in;
  using result = ::mlir::Attribute;
  result operator()(std::monostate) const { return {}; }
  result operator()(unit_note) const { return ::mlir::UnitAttr::get(in); }
  result operator()(std::uint32_t n) const {
    return ::mlir::IntegerAttr::get(::mlir::IntegerType::get(in, 32, ::mlir::IntegerType::Unsigned), n);
  }
  result operator()(std::int64_t n) const { return ::mlir::IntegerAttr::get(::mlir::IntegerType::get(in, 64), n); }
  result operator()(std::string const& s) const { return ::mlir::StringAttr::get(in, s); }
  result operator()(std::vector<std::string> const& texts) const {
    llvm::SmallVector<::mlir::Attribute> list;
    for (auto const& s : texts) list.push_back(::mlir::StringAttr::get(in, s));
    return ::mlir::ArrayAttr::get(in, list);
  }
  result operator()(std::vector<std::int64_t> const& values) const {
    return ::mlir::DenseI64ArrayAttr::get(in, values);
  }
  result operator()(foreign_note) const {
    assert(false && "a foreign note cannot be written");
    return {};
  }
};
inline ::mlir::Attribute to_attribute(::mlir::MLIRContext* in, note const& n) {
  return std::visit(attribute_of_note{in}, n);
}

/// What is kept for each argument, or for each result: a list of dictionaries, read once, changed in place and written
/// back, which is removed when nothing is left in it.
class entry_list {
 public:
  static constexpr std::string_view arguments = "arg_attrs";
  static constexpr std::string_view results = "res_attrs";

  /// `count`: how many entries the complete list has.
  entry_list(mlir_op o, std::string_view key, std::size_t count)
      : in_(o->getContext()), key_(key), entries_(count, ::mlir::DictionaryAttr::get(in_)) {
    auto const held = attribute_of<::mlir::ArrayAttr>(o, key);
    if (held && held.size() > count) entries_.resize(held.size(), ::mlir::DictionaryAttr::get(in_));
    for (std::size_t i = 0; held && i < held.size(); ++i)
      if (auto const entry = llvm::dyn_cast<::mlir::DictionaryAttr>(held[static_cast<unsigned>(i)])) entries_[i] = entry;
  }
  static ::mlir::Attribute get(mlir_op o, std::string_view list, std::size_t i, std::string_view key) {
    auto const held = attribute_of<::mlir::ArrayAttr>(o, list);
    return held && i < held.size() ? entry_of(held[static_cast<unsigned>(i)], key) : ::mlir::Attribute{};
  }

  std::size_t size() const { return entries_.size(); }
  void resize(std::size_t count) { entries_.resize(count, ::mlir::DictionaryAttr::get(in_)); }
  void set(std::size_t i, std::string_view key, ::mlir::Attribute to) {
    if (i >= entries_.size()) resize(i + 1);
    entries_[i] = with_entry(in_, entries_[i], key, to);
  }
  /// Positions in ascending order.
  template <class Positions>
  void erase(Positions const& positions) {
    std::size_t kept = 0;
    auto gone = positions.begin();
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (gone != positions.end() && *gone == i)
        ++gone;
      else
        entries_[kept++] = entries_[i];
    resize(kept);
  }
  void store(mlir_op o, ir::op_info const* known) const {
    bool any = false;
    for (auto const e : entries_) any = any || !e.empty();
    llvm::SmallVector<::mlir::Attribute> const all(entries_.begin(), entries_.end());
    set_attribute(o, known, key_, any ? ::mlir::ArrayAttr::get(in_, all) : ::mlir::Attribute{});
  }

 private:
  ::mlir::MLIRContext* in_;
  std::string_view key_;
  std::vector<::mlir::DictionaryAttr> entries_;
};

}  // namespace mpmd::adapters

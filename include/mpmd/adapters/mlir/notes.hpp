#pragma once
/// Notes of MLIR modules: discardable attributes of ops, and of arguments and results.

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/graph/mutable_program.hpp>

namespace mpmd::adapters {

template <class Policy>
struct mlir_notes {
  using module = ::mlir::ModuleOp;
  using op = mlir_op;

  static note note_of(module, op o, std::string_view key) { return to_note(notes_of(o).get(string_ref(key))); }
  static note argument_note(module, op o, std::size_t i, std::string_view key) {
    return to_note(entry_list::get(o, entry_list::arguments, i, key));
  }
  static note result_note(module, op o, std::size_t i, std::string_view key) {
    return to_note(entry_list::get(o, entry_list::results, i, key));
  }
  static void set_note(module, op o, std::string_view key, note const& n) {
    ::mlir::MLIRContext* const in = o->getContext();
    o->setDiscardableAttrs(with_entry(in, notes_of(o), key, to_attribute(in, n)));
  }
  static void set_argument_note(module, op o, std::size_t i, std::string_view key, note const& n) {
    set_one(o, entry_list::arguments, i, key, n);
  }
  static void set_result_note(module, op o, std::size_t i, std::string_view key, note const& n) {
    set_one(o, entry_list::results, i, key, n);
  }
  static void set_argument_notes(module, op o, std::string_view key, std::span<note const> notes) {
    set_all(o, entry_list::arguments, key, notes);
  }
  static void set_result_notes(module, op o, std::string_view key, std::span<note const> notes) {
    set_all(o, entry_list::results, key, notes);
  }
  static void copy_notes(module, op from, op to) {
    auto kept = entries(to, true);
    kept.append(entries(from, false));
    to->setDiscardableAttrs(kept.getDictionary(to->getContext()));
  }
  static void add_notes(module, op from, op to) {
    auto const* known = Policy::info(to);
    for (auto const entry : entries(from, false))
      set_attribute(to, known, text_of(entry.getName().getValue()), entry.getValue());
  }

 private:
  /// The discardable attributes of an op that are inherent all the same, as ops without properties keep them; or the
  /// others, which are notes.
  static ::mlir::NamedAttrList entries(op o, bool inherent) {
    auto const* known = Policy::info(o);
    ::mlir::NamedAttrList found;
    for (auto const entry : o->getRawDictionaryAttrs())
      if ((known && known->is_inherent(text_of(entry.getName().getValue()))) == inherent) found.push_back(entry);
    return found;
  }
  /// How many entries a complete list has: for a function one a parameter or result of its type, for a loop one a block
  /// argument, else one an operand or result.
  static std::size_t count(op o, std::string_view list) {
    bool const arguments = list == entry_list::arguments;
    auto const* known = Policy::info(o);
    if (known && known->code == ir::opcode::func_func) {
      auto const held = attribute_of<::mlir::TypeAttr>(o, "function_type");
      auto const type = held ? llvm::dyn_cast<::mlir::FunctionType>(held.getValue()) : ::mlir::FunctionType{};
      return !type ? 0 : arguments ? type.getNumInputs() : type.getNumResults();
    }
    if (!arguments) return o->getNumResults();
    bool const loop = known && known->code == ir::opcode::mpmd_for;
    if (loop && o->getNumRegions() != 0 && !o->getRegion(0).empty()) return o->getRegion(0).front().getNumArguments();
    return o->getNumOperands();
  }
  static void set_one(op o, std::string_view list, std::size_t i, std::string_view key, note const& n) {
    entry_list all(o, list, count(o, list));
    all.set(i, key, to_attribute(o->getContext(), n));
    all.store(o, Policy::info(o));
  }
  static void set_all(op o, std::string_view list, std::string_view key, std::span<note const> notes) {
    entry_list all(o, list, count(o, list));
    for (std::size_t i = 0; i < std::max(all.size(), notes.size()); ++i)
      all.set(i, key, i < notes.size() ? to_attribute(o->getContext(), notes[i]) : ::mlir::Attribute{});
    all.store(o, Policy::info(o));
  }
};

}  // namespace mpmd::adapters

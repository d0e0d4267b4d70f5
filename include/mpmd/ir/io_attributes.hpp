#pragma once
/// Attributes of the arguments and results of functions, fragments, loops and calls: the arrays of
/// dictionaries `arg_attrs` and `res_attrs`.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

enum class io_side { arguments, results };

constexpr std::string_view io_key(io_side side) {
  return side == io_side::arguments ? "arg_attrs" : "res_attrs";
}

/// How many dictionaries the array has when it is complete: for a function one a parameter or result of its
/// type, for a loop one a block argument (the index included), else one an operand or result.
inline std::size_t io_count(program const& in, op o, io_side side) {
  context const& cx = in.context();
  if (in.is(o, opcode::func_func)) {
    auto const* held = in.attr_if<type_attr>(o, "function_type");
    auto const* signature = held ? cx.get_if<function_type>(held->held) : nullptr;
    if (signature == nullptr) return 0;
    return side == io_side::arguments ? signature->inputs.size() : signature->results.size();
  }
  if (side == io_side::results) return in.result_count(o);
  if (in.is(o, opcode::mpmd_for) && !in.regions(o).empty())
    if (block const body = in.first_block(in.regions(o)[0])) return in.arguments(body).size();
  return in.operand_count(o);
}

/// The dictionary of one argument or result, or null. O(1).
inline attribute io_dictionary(program const& in, op o, io_side side, std::size_t i) {
  auto const* array = in.attr_if<array_attr>(o, io_key(side));
  return array && i < array->elements.size() ? array->elements[i] : attribute{};
}
/// One attribute of one argument or result, or null. O(log n) in the attributes of that argument.
inline attribute io_attribute(program const& in, op o, io_side side, std::size_t i, std::string_view key) {
  return in.context().lookup(io_dictionary(in, o, side, i), key);
}

/// All dictionaries of one side of an op, for editing: read once, changed in place, written back with
/// store(). Attributes are uniqued, so each change of a single entry in the program makes a whole new array;
/// whoever changes more than one entry does it here.
class io_attributes {
 public:
  /// Complete: missing dictionaries are empty ones.
  io_attributes(program const& in, op o, io_side side) : side_(side), entries_(io_count(in, o, side)) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      attribute const held = io_dictionary(in, o, side, i);
      bool const fits = in.context().get_if<dictionary_attr>(held) != nullptr;
      entries_[i] = fits ? held : in.context().empty_dictionary();
    }
  }

  std::size_t size() const { return entries_.size(); }
  attribute operator[](std::size_t i) const { return entries_[i]; }
  attribute get(context const& in, std::size_t i, std::string_view key) const {
    return in.lookup(entries_[i], key);
  }
  /// Grows to hold entry i if the op has since gained arguments. Null removes the key.
  void set(context& in, std::size_t i, std::string_view key, attribute to) {
    if (i >= entries_.size()) entries_.resize(i + 1, in.empty_dictionary());
    entries_[i] = in.with(entries_[i], key, to);
  }
  void set_dictionary(std::size_t i, attribute dictionary) { entries_[i] = dictionary; }
  void append(attribute dictionary) { entries_.push_back(dictionary); }
  void erase(std::size_t i) { entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i)); }
  /// Removes a key wherever it stands; whether it stood anywhere.
  bool remove_everywhere(context& in, std::string_view key) {
    bool any = false;
    for (auto& entry : entries_) {
      if (!in.lookup(entry, key)) continue;
      entry = in.with(entry, key, {});
      any = true;
    }
    return any;
  }

  /// Writes the array, or removes it when every dictionary is empty.
  void store(program& in, op o) const {
    bool any = false;
    for (attribute const entry : entries_) {
      auto const* dictionary = in.context().get_if<dictionary_attr>(entry);
      any = any || (dictionary && !dictionary->entries.empty());
    }
    in.set_attr(o, io_key(side_), any ? in.context().get(array_attr{entries_}) : attribute{});
  }

 private:
  io_side side_;
  std::vector<attribute> entries_;
};

/// Sets one attribute of one argument or result, and completes the array. O(n).
inline void set_io_attribute(program& in, op o, io_side side, std::size_t i, std::string_view key,
                             attribute to) {
  io_attributes all(in, o, side);
  all.set(in.context(), i, key, to);
  all.store(in, o);
}
/// Removes one attribute of one argument or result; whether it was there. O(n).
inline bool remove_io_attribute(program& in, op o, io_side side, std::size_t i, std::string_view key) {
  if (!io_attribute(in, o, side, i, key)) return false;
  set_io_attribute(in, o, side, i, key, {});
  return true;
}

}  // namespace mpmd::ir

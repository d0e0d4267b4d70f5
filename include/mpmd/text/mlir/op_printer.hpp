#pragma once
/// What a form sees while an op is printed.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/naming.hpp>

namespace mpmd::text::mlir {

/// Appends the pieces of ops to a string, with MLIR's spacing. Not for use outside of printing: see print_mlir.hpp.
class op_printer {
 public:
  op_printer(ir::program const& in, naming const& names) : in_(in), names_(names) {}

  ir::program const& program() const { return in_; }
  ir::context& context() const { return in_.context(); }
  std::string& out() { return out_; }

  op_printer& operator<<(std::string_view text) {
    out_ += text;
    return *this;
  }
  op_printer& operator<<(char c) {
    out_ += c;
    return *this;
  }

  void number(std::int64_t n) { out_ += std::to_string(n); }
  /// `%name`.
  void use(ir::value v) { names_.append_use(out_, v); }
  /// `%a, %b`.
  template <class Values>
  void uses(Values const& values) {
    separated(values, [this](ir::value v) { use(v); });
  }
  void type(ir::type t);
  /// The types of values: `T, U`.
  template <class Values>
  void types_of(Values const& values) {
    separated(values, [this](ir::value v) { type(in_.type_of(v)); });
  }
  /// `^bb1`.
  void successor(ir::block b);
  /// A line break and the blanks with which the op's own line starts.
  void newline();
  void attribute(ir::attribute a);
  /// `@name`, quoted where it has to be.
  void symbol(std::string_view name);
  /// `"text"` with escapes.
  void quoted(std::string_view text);

  /// `(T, U) -> V` of an op.
  void function_type(ir::op o);

  /// All attributes of the op but the hidden ones, inherent and discardable in one sorted dictionary:
  /// ` {a = 1 : i64, b}`; nothing when none are left.
  void attributes(ir::op o, std::initializer_list<std::string_view> hidden = {}) { dictionary(o, "", hidden); }
  /// The same behind a keyword: ` attributes {...}`.
  void attributes_with_keyword(ir::op o, std::initializer_list<std::string_view> hidden = {}) {
    dictionary(o, " attributes", hidden);
  }
  /// ` {...}` of the discardable attributes alone.
  void discardable_attributes(ir::op o);
  /// A dictionary as such, or nothing when it is empty: ` {...}`.
  void optional_dictionary(ir::attribute dictionary);

  /// `(%arg0: T, %arg1: U)`, the arguments of a region's entry block.
  void entry_arguments(ir::region r);

  /// ` loc(...)` of an argument; nothing unless locations are printed.
  void argument_location(ir::value v);

  /// How the next region of the op is printed; to be returned by the form.
  /// `labelled`: the label of the entry block is printed when it has arguments or no ops.
  step region(bool labelled = false) {
    labelled_ = labelled;
    return step::region;
  }

  template <class Range, class Each>
  void separated(Range const& range, Each each) {
    bool first = true;
    for (auto const& e : range) {
      if (!first) out_ += ", ";
      first = false;
      each(e);
    }
  }

 private:
  friend class program_printer;

  void dictionary(ir::op o, std::string_view before, std::initializer_list<std::string_view> hidden);

  ir::program const& in_;
  naming const& names_;
  std::string out_;
  std::vector<std::pair<std::size_t, std::size_t>> type_texts_;  // by type id: place and length in type_pool_
  std::string type_pool_;
  bool labelled_ = false;
  bool locations_ = false;
};

}  // namespace mpmd::text::mlir

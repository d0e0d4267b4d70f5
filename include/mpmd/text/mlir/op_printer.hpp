#pragma once
/// What a form sees while an op is printed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/location_aliases.hpp>
#include <mpmd/text/mlir/naming.hpp>

namespace mpmd::text::mlir {

/// Appends the pieces of ops to a string, with MLIR's spacing. Forms get one; it is driven by program_printer.
class op_printer {
 public:
  /// `locations` is null when no locations are printed.
  op_printer(ir::program const& in, naming const& names, location_aliases* locations)
      : in_(in), names_(names), locations_(locations) {}

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
  /// The op's name, without its dialect where that may be left out.
  void name(ir::op o);
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
  void successor(ir::block b) {
    out_ += "^bb";
    naming::append_number(out_, names_.block_number(b));
  }
  /// A line break and the blanks with which the op's own line starts.
  void newline() {
    out_ += '\n';
    indent();
  }
  void attribute(ir::attribute a) { print(out_, context(), a); }
  /// An attribute of the sdy or mpmd dialect without its `#dialect.name`, as it stands in ops: `"enc"(1)`.
  void stripped(ir::attribute a) { print_stripped(out_, context(), a); }
  /// `@name`, quoted where it has to be.
  void symbol(std::string_view name) { print_symbol(out_, name); }
  /// `"text"` with escapes.
  void quoted(std::string_view text) { print_string(out_, text); }

  /// `(T, U) -> V` of an op.
  void function_type(ir::op o);

  /// All attributes of the op but the hidden ones, inherent and discardable in one sorted dictionary:
  /// ` {a = 1 : i64, b}`; nothing when none are left.
  void attributes(ir::op o, std::initializer_list<std::string_view> hidden = {}) { dictionary(o, " {", hidden); }
  /// The same behind a keyword: ` attributes {...}`.
  void attributes_with_keyword(ir::op o, std::initializer_list<std::string_view> hidden = {}) {
    dictionary(o, " attributes {", hidden);
  }
  /// ` {...}` of the discardable attributes alone.
  void discardable_attributes(ir::op o) { optional_dictionary(in_.attributes(o)); }
  /// A dictionary as such, or nothing when it is empty: ` {...}`.
  void optional_dictionary(ir::attribute dictionary) { print_optional_dictionary(out_, context(), dictionary); }

  /// `(%arg0: T, %arg1: U)`, the arguments of a region's entry block.
  void entry_arguments(ir::region r) { arguments(in_.first_block(r)); }

  /// ` loc(...)` of an argument; nothing unless locations are printed.
  void argument_location(ir::value v) {
    if (locations_ != nullptr) locations_->append_argument(out_, in_.argument_where(v));
  }

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

  /// Deeper than this nothing is indented further, or the size of the text would be quadratic in the depth.
  static constexpr std::size_t most_indented = 64;

  void indent() { out_.append(2 * std::min(depth_, most_indented), ' '); }
  void arguments(ir::block of);
  void dictionary(ir::op o, std::string_view before, std::initializer_list<std::string_view> hidden);

  ir::program const& in_;
  naming const& names_;
  location_aliases* locations_;
  std::string out_;
  std::vector<std::pair<std::size_t, std::size_t>> type_texts_;  // by type id: place and length in type_pool_
  std::string type_pool_;
  std::string_view dialect_ = "builtin";  // may be left out of names
  std::size_t depth_ = 0;
  bool labelled_ = false;
};

inline void op_printer::name(ir::op o) {
  std::string_view name = in_.kind_text(o);
  std::size_t const dot = name.find('.');
  if (name.substr(0, dot) == dialect_ && name.find('.', dot + 1) == std::string_view::npos) name.remove_prefix(dot + 1);
  out_ += name;
}

inline void op_printer::type(ir::type t) {
  // Few types fill a program, and some are long.
  if (t.id >= type_texts_.size()) type_texts_.resize(t.id + 1);
  auto& [place, length] = type_texts_[t.id];
  if (length == 0) {
    place = type_pool_.size();
    print(type_pool_, context(), t);
    length = type_pool_.size() - place;
  }
  out_.append(type_pool_, place, length);
}

inline void op_printer::function_type(ir::op o) {
  out_ += '(';
  types_of(in_.operands(o));
  out_ += ") -> ";
  auto const results = in_.results(o);
  bool const bare = results.size() == 1 && !context().get_if<ir::function_type>(in_.type_of(results[0]));
  if (!bare) out_ += '(';
  types_of(results);
  if (!bare) out_ += ')';
}

inline void op_printer::arguments(ir::block of) {
  out_ += '(';
  separated(in_.arguments(of), [this](ir::value v) {
    use(v);
    out_ += ": ";
    type(in_.type_of(v));
    argument_location(v);
  });
  out_ += ')';
}

inline void op_printer::dictionary(ir::op o, std::string_view before, std::initializer_list<std::string_view> hidden) {
  using entries = std::vector<std::pair<ir::name, ir::attribute>>;
  entries const none;
  auto list = [&](ir::attribute a) -> entries const& {
    auto const* d = context().get_if<ir::dictionary_attr>(a);
    return d ? d->entries : none;
  };
  entries const& inherent = list(in_.properties(o));
  entries const& others = list(in_.attributes(o));
  bool any = false;
  for (std::size_t i = 0, k = 0; i < inherent.size() || k < others.size();) {
    bool const take_inherent = k == others.size() || (i < inherent.size() && context().text(inherent[i].first) <
                                                                                  context().text(others[k].first));
    auto const& [key, value] = take_inherent ? inherent[i++] : others[k++];
    if (std::find(hidden.begin(), hidden.end(), context().text(key)) != hidden.end()) continue;
    out_ += any ? std::string_view(", ") : before;
    any = true;
    print_entry(out_, context(), key, value);
  }
  if (any) out_ += '}';
}

}  // namespace mpmd::text::mlir

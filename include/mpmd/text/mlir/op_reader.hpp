#pragma once
/// What a form sees while an op is read.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/reader.hpp>
#include <mpmd/text/mlir/value_scopes.hpp>

namespace mpmd::text::mlir {

/// A value as an op names it: `%name`, or `%name#number`. Its type stands elsewhere, so it is looked up later.
struct written_use {
  std::string_view name;  ///< without the `%`
  std::uint32_t number = 0;
  std::uint32_t at = 0;  ///< offset in the buffer
};

/// An argument of a region as written: `%name: type {attributes} loc(...)`.
struct written_argument {
  std::string_view name = {};  ///< without the `%`; empty in a list of types
  std::uint32_t at = 0;
  ir::type type = {};
  ir::attribute attributes = {};  ///< a dictionary, or null
  ir::attribute location = {};    ///< null when none is given
};

/// Stands for a type that the text of a foreign op does not tell. The first use that asks for a type gives it to the
/// value.
inline ir::type unknown_type(ir::context& in) { return in.get(ir::opaque_type{"!foreign.unknown"}); }

using named_attribute = std::pair<ir::name, ir::attribute>;

/// The op that is being read. Survives from one call of the form to the next.
struct pending_op {
  ir::op_state state = {};                       ///< kind and place are set; the form adds operands, results, successors
  std::vector<named_attribute> properties = {};  ///< inherent attributes, in any order
  std::vector<named_attribute> attributes = {};  ///< those of the dictionary; the driver tells inherent ones apart
  std::vector<written_use> uses = {};            ///< free for the form: operands whose types are not known yet
  std::vector<written_argument> arguments = {};  ///< of the next region, or free for the form
  std::vector<ir::type> types = {};              ///< free for the form
  std::string text = {};                         ///< free for the form
  std::size_t number = 0;                        ///< free for the form

  void clear();
};

/// Reads the pieces of ops. Every function that returns false, a null handle or step::failed has reported an error.
class op_reader {
 public:
  op_reader(reader& syntax, ir::program& into) : syntax_(syntax), in_(syntax.in), program_(into) {}

  ir::program& program() { return program_; }
  ir::context& context() { return program_.context(); }
  pending_op& pending() { return *pending_; }
  /// How many regions of this op are done.
  std::uint32_t regions_read() const { return regions_read_; }
  /// How many results the text names before the '='; 0 when there is none.
  std::uint32_t results_named() const { return results_named_; }

  // --- Errors ---------------------------------------------------------------------------------------------------

  /// Reports an error of this op at an offset: `custom op 'name' message`.
  step fail(std::size_t at, std::string_view message);
  /// Reports that the next token is not what the syntax asks for: points behind the token before it.
  step fail_here(std::string_view message);
  /// Reports an error as it stands, with or without a note that explains it.
  step error(std::size_t at, std::string message);
  step error(std::size_t at, std::string message, std::size_t note_at, std::string note);

  // --- Tokens ---------------------------------------------------------------------------------------------------

  std::size_t offset() const { return in_.offset(); }
  /// The text itself, for a form that looks ahead or goes its own way in it.
  cursor& text() { return in_; }
  /// The reader of types and attributes, for the special syntax of a dialect.
  reader& syntax() { return syntax_; }
  /// The bare word that comes next, consumed; empty when there is none (no error).
  std::string_view read_word() { return in_.take_word(); }
  bool next_is(char c) const { return in_.next_is(c); }
  bool next_is_word(std::string_view word) const { return in_.next_is_word(word); }
  bool consume(char c) { return in_.consume(c); }
  bool consume(std::string_view punctuation) { return in_.consume(punctuation); }
  bool consume_word(std::string_view word) { return in_.consume_word(word); }
  /// Reports `expected 'c'` when another token comes.
  bool expect(char c);
  bool expect(std::string_view punctuation);
  bool expect_word(std::string_view word);
  /// `@name` as a symbol reference.
  bool read_symbol(std::string& name);
  /// `"text"`.
  bool read_string(std::string& text);
  /// `-12`.
  bool read_integer(std::int64_t& value);

  // --- Values ---------------------------------------------------------------------------------------------------

  /// `%a`, or `%a#1`.
  bool read_use(written_use& use);
  /// `%a, %b`, or nothing; appends.
  bool read_uses(std::vector<written_use>& uses);
  /// `(%a, %b)`; appends.
  bool read_uses_in_parentheses(std::vector<written_use>& uses);
  /// The type of the value that a use stands for; null when it is not defined yet (no error).
  ir::type type_of(written_use const& use) const;
  /// Looks a use up; appends the value to `into`. A use before the definition is settled later. A null type is that of
  /// the value, whatever it is.
  bool resolve(written_use const& use, ir::type type, std::vector<ir::value>& into);
  /// Makes the uses the operands of the op; their number has to be that of the types.
  bool resolve_operands(std::span<written_use const> uses, std::span<ir::type const> types, std::size_t at);
  /// Makes pending().uses, all of one type, the operands of the op.
  bool resolve_operands(ir::type type);

  // --- Types, attributes, locations --------------------------------------------------------------------------------

  ir::type read_type();
  /// `T, U`; appends at least one.
  bool read_types(std::vector<ir::type>& types);
  /// `(T, U) -> V`, or `(T) -> (U, V)`; appends.
  bool read_function_type(std::vector<ir::type>& inputs, std::vector<ir::type>& results);
  /// `: (T) -> U`: resolves pending().uses with the inputs and sets the results.
  bool read_signature(std::size_t uses_at);
  ir::attribute read_attribute() { return syntax_.parse_attribute(); }
  /// `{a = 1, b}` into pending().attributes, or nothing.
  bool read_optional_attributes() { return read_attributes_into(pending_->attributes); }
  /// `attributes {a = 1, b}` into pending().attributes, or nothing.
  bool read_optional_attributes_with_keyword();
  void add_property(std::string_view name, ir::attribute value) {
    pending_->properties.emplace_back(context().intern(name), value);
  }
  /// `loc(...)`; null in `given` when there is none.
  bool read_optional_location(ir::attribute& given);

  // --- Successors and regions -----------------------------------------------------------------------------------

  /// `^bb1`; appends the block to the successors of the op.
  bool read_successor();

  /// `(%a: T {...} loc(...), ...)` into pending().arguments, which is cleared before.
  bool read_arguments();
  /// `%a: T {...} loc(...)`.
  bool read_argument(written_argument& argument);
  /// `T {...} loc(...)`: an argument or result without a name.
  bool read_nameless_argument(written_argument& argument);
  /// To be returned by the form: reads `{...}` next. With arguments they become those of the entry block, which then
  /// may not have a label.
  step region(std::span<written_argument const> arguments = {}) {
    entry_arguments_.assign(arguments.begin(), arguments.end());
    return step::region;
  }

 private:
  friend class program_reader;
  friend step read_generic(op_reader&);

  struct written_block {
    ir::block block;
    std::uint32_t at = 0;  // of the definition, or of the first mention
    bool defined = false;
  };
  using block_names = std::unordered_map<std::string_view, written_block>;

  bool read_types_in_parentheses(std::vector<ir::type>& types);
  bool read_attributes_into(std::vector<named_attribute>& to);
  ir::value placeholder(ir::type type);

  reader& syntax_;
  cursor& in_;
  ir::program& program_;
  value_scopes names_;
  ir::value poison_;    // stands for values whose definition is in error
  ir::region nursery_;  // holds the blocks that are mentioned but not yet defined

  // The op that is being read.
  pending_op* pending_ = nullptr;
  std::uint32_t regions_read_ = 0;
  std::uint32_t results_named_ = 0;
  std::unique_ptr<block_names>* blocks_ = nullptr;  // of the region it stands in
  std::vector<written_argument> entry_arguments_;   // of the region it asked for
  std::vector<attribute_entry> entries_;            // scratch

  /// Types that have been read lately, by their text: neighbouring ops have the same few.
  struct known_type {
    std::string_view text = {};
    ir::type type = {};
  };
  std::array<known_type, 4> recent_types_ = {};
};

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/detail/op_pieces.hpp>

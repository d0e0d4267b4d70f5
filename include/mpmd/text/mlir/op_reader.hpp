#pragma once
/// What a form sees while an op is read.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/value_scopes.hpp>

namespace mpmd::text::mlir {

class cursor;

/// A value as an op names it: `%name`, or `%name#number`. Its type stands elsewhere, so it is looked up later.
struct written_use {
  std::string_view name;  ///< without the `%`
  std::uint32_t number = 0;
  std::uint32_t at = 0;  ///< offset in the buffer
};

/// An argument of a region as written: `%name: type {attributes} loc(...)`.
struct written_argument {
  std::string_view name;  ///< without the `%`; empty in a list of types
  std::uint32_t at = 0;
  ir::type type = {};
  ir::attribute attributes = {};  ///< a dictionary, or null
  ir::attribute location = {};    ///< null when none is given
};

using named_attribute = std::pair<ir::name, ir::attribute>;

/// The op that is being read. Survives from one call of the form to the next.
struct pending_op {
  ir::op_state state = {};                       ///< kind and place are set; the form adds operands, results, successors
  std::vector<named_attribute> properties = {};  ///< inherent attributes, in any order
  std::vector<named_attribute> attributes = {};  ///< those of the dictionary; the driver tells inherent ones apart
  std::vector<written_use> uses = {};            ///< free for the form: operands whose types are not known yet
  std::vector<written_argument> arguments = {};  ///< of the next region, or free for the form
  std::vector<ir::type> types = {};              ///< free for the form
};

/// Reads the pieces of ops. Every function that returns false, a null handle or step::failed has reported an error.
class op_reader {
 public:
  ir::program& program();
  ir::context& context();
  pending_op& pending();
  /// How many regions of this op are done.
  std::uint32_t regions_read() const;
  /// How many results the text names before the '='; 0 when there is none.
  std::uint32_t results_named() const;

  // --- Errors ---------------------------------------------------------------------------------------------------

  /// Reports an error of this op at an offset: `custom op 'name' message`.
  step fail(std::size_t at, std::string_view message);
  /// Reports that the next token is not what the syntax asks for. At a line start it points behind the line before.
  step fail_here(std::string_view message);

  // --- Tokens ---------------------------------------------------------------------------------------------------

  std::size_t offset() const;
  /// The text itself, for a form that looks ahead or goes its own way in it.
  cursor& text();
  /// The bare word that comes next, consumed; empty when there is none (no error).
  std::string_view read_word();
  bool next_is(char c) const;
  bool next_is_word(std::string_view word) const;
  bool consume(char c);
  bool consume(std::string_view punctuation);
  bool consume_word(std::string_view word);
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

  /// `%a`.
  bool read_use(written_use& use);
  /// `%a, %b`, or nothing; appends.
  bool read_uses(std::vector<written_use>& uses);
  /// `(%a, %b)`; appends.
  bool read_uses_in_parentheses(std::vector<written_use>& uses);
  /// The type of the value that a use stands for; null when it is not defined yet (no error).
  ir::type type_of(written_use const& use);
  /// Looks a use up; appends the value to `into`. A use before the definition is settled later. A null type is that of
  /// the value, whatever it is.
  bool resolve(written_use const& use, ir::type type, std::vector<ir::value>& into);
  /// Makes the uses the operands of the op; their number has to be that of the types.
  bool resolve_operands(std::span<written_use const> uses, std::span<ir::type const> types, std::size_t at);

  // --- Types, attributes, locations --------------------------------------------------------------------------------

  ir::type read_type();
  /// `T, U`; appends at least one.
  bool read_types(std::vector<ir::type>& types);
  /// `(T, U) -> V`, or `(T) -> (U, V)`; appends.
  bool read_function_type(std::vector<ir::type>& inputs, std::vector<ir::type>& results);
  /// `: (T) -> U`: resolves pending().uses with the inputs and sets the results.
  bool read_signature(std::size_t uses_at);
  ir::attribute read_attribute();
  /// `{a = 1, b}` into pending().attributes, or nothing.
  bool read_optional_attributes();
  /// `attributes {a = 1, b}` into pending().attributes, or nothing.
  bool read_optional_attributes_with_keyword();
  void add_property(std::string_view name, ir::attribute value);
  /// `loc(...)`; null in `given` when there is none.
  bool read_optional_location(ir::attribute& given);

  // --- Successors and regions -----------------------------------------------------------------------------------

  /// `^bb1`; appends the block to the successors of the op.
  bool read_successor();

  /// `(%a: T {...} loc(...), ...)` into pending().arguments, which is cleared before.
  bool read_arguments();
  /// To be returned by the form: reads `{...}` next. With arguments they become those of the entry block, which then
  /// may not have a label.
  step region(std::span<written_argument const> arguments = {});
};

}  // namespace mpmd::text::mlir

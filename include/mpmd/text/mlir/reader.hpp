#pragma once
/// Reads the types, attributes and locations of MLIR's textual syntax into a context. It is the part that a
/// reader of whole programs holds: the cursor, the alias tables, and the reporting of errors.
///
/// Sources: MLIR's language reference and the behaviour of mlir-opt 19 for the builtin dialect; Shardy's
/// documentation for the sdy and mpmd dialects. Attributes and types of any other dialect are kept as text.
///
/// Every parse function starts at the next token. After an error, which it reports exactly once per cause, it
/// returns a null handle, an empty optional or false, and leaves the cursor wherever the error was found.
/// Time is linear in the text; recursion is bounded by `nesting_limit`.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/detail/element.hpp>
#include <mpmd/text/mlir/lexer.hpp>
#include <mpmd/text/mlir/number.hpp>

namespace mpmd::text::mlir {

/// How deep types, attributes and locations may nest, the nesting inside aliases included.
inline constexpr std::uint32_t nesting_limit = 128;

/// An entry of an attribute dictionary, in the order of the text.
struct attribute_entry {
  ir::name key;
  ir::attribute value;
  std::size_t at = 0;  ///< offset of the name
};

class reader {
 public:
  /// Reads [begin, end) of a buffer of the context's source manager. Aliases live as long as the reader.
  reader(ir::context& in_context, diagnostics& to, source_manager::buffer_id buffer, std::size_t begin = 0,
         std::size_t end = std::string_view::npos)
      : in(in_context.sources.text(buffer).substr(0, end), in_context.sources.position(buffer, 0)),
        context_(&in_context),
        diags_(&to),
        begin_(begin) {
    in.seek(begin);
  }
  reader(reader const&) = delete;
  reader& operator=(reader const&) = delete;

  cursor in;  ///< where the reader stands

  ir::context& context() const { return *context_; }
  diagnostics& diags() const { return *diags_; }

  // --- Errors ----------------------------------------------------------------------------------------------------

  /// Reports an error of id "parse" at an offset of the text. Always false.
  bool error(std::size_t at, std::string message) {
    diags_->error(context_->sources.resolve(in.position(at)), "parse", std::move(message));
    return false;
  }
  /// Reports an error at the next token or, if that is not on the same line, behind the last one (if there is
  /// one).
  bool error(std::string message) {
    std::size_t const last = in.end_of_last(), next = in.offset();
    bool const far = in.text().substr(last, next - last).find('\n') != std::string_view::npos;
    return error(last > begin_ && (far || in.at_end()) ? last : next, std::move(message));
  }

  // --- Tokens ----------------------------------------------------------------------------------------------------

  /// Consumes the punctuation, or reports "expected 'c'".
  bool expect(char c) { return in.consume(c) || error(std::string("expected '") + c + "'"); }
  bool expect(std::string_view punctuation) {
    return in.consume(punctuation) || error("expected '" + std::string(punctuation) + "'");
  }
  bool expect(char c, std::string_view message) { return in.consume(c) || error(std::string(message)); }
  /// Consumes the keyword, or reports "expected 'word'".
  bool expect_word(std::string_view word) {
    return in.consume_word(word) || error("expected '" + std::string(word) + "'");
  }
  /// `"text"`, its escapes replaced.
  std::optional<std::string> parse_string(std::string_view otherwise = "expected string");
  /// `@name` or `@"name"`, without the '@'.
  std::optional<std::string> parse_symbol_name();
  /// `-?` decimal or hexadecimal digits that fit 64 bits signed.
  std::optional<std::int64_t> parse_integer();
  /// A list of integers between two brackets: `[1, 2]`.
  bool parse_integers(char open, char close, std::vector<std::int64_t>& to);
  /// A comma-separated list, possibly empty, between two brackets; `one()` parses an element.
  template <class F>
  bool parse_list(char open, char close, F&& one) {
    if (!expect(open)) return false;
    if (in.consume(close)) return true;
    do {
      if (!one()) return false;
    } while (in.consume(','));
    return expect(close);
  }

  // --- Types -----------------------------------------------------------------------------------------------------

  ir::type parse_type();
  /// Nothing when no type starts here; a null type after an error.
  std::optional<ir::type> parse_optional_type();
  /// `T, T, ...`: at least one.
  bool parse_types(std::vector<ir::type>& to);
  /// `(T, ...) -> T` or `(T, ...) -> (T, ...)`.
  bool parse_signature(std::vector<ir::type>& inputs, std::vector<ir::type>& results);
  /// `T` or `(T, ...)`.
  bool parse_result_types(std::vector<ir::type>& to);

  // --- Attributes ------------------------------------------------------------------------------------------------

  /// Any attribute. A number, string or list of elements whose type is `expected` may leave its `: type` out.
  ir::attribute parse_attribute(ir::type expected = {});
  /// `{name = value, name, ...}` in the order of the text; a name that occurs twice is an error.
  bool parse_entries(std::vector<attribute_entry>& to);
  /// The same if a '{' comes next; true when none does.
  bool parse_optional_entries(std::vector<attribute_entry>& to) {
    return !in.next_is('{') || parse_entries(to);
  }
  /// `{...}` as a dictionary attribute.
  ir::attribute parse_dictionary();

  // --- Parts of the sdy and mpmd dialects, as they stand inside ops and other attributes ---------------------------

  /// `<["x"=2]>`, `#sdy.mesh<...>` or an alias: a mesh_attr.
  ir::attribute parse_mesh();
  /// `<@mesh, [{"x"}]>`, `#sdy.sharding<...>` or an alias: a sharding_attr.
  ir::attribute parse_sharding();
  /// `[<...>, <...>]`: a sharding_per_value_attr.
  ir::attribute parse_sharding_list();
  /// `{"x", "y":(1)2}`.
  bool parse_axes(std::vector<ir::axis_ref>& to);
  /// `"enc"(1)`, `#mpmd.user_origin<"enc"(1)>` or an alias: a user_origin_attr.
  ir::attribute parse_user_origin();
  /// `["f"(1), "g"]`: an array_attr of user_origin_attr.
  ir::attribute parse_user_origins();
  /// `add`, `max`, ...
  std::optional<ir::reduction_kind> parse_reduction_kind();

  // --- Locations and aliases ---------------------------------------------------------------------------------------

  /// What stands between the parentheses of `loc(...)`. The result may wait for an alias that is defined
  /// later: then it is not to be printed before resolve_location() has replaced it.
  ir::attribute parse_location();
  /// `loc(...)` if it comes next: nothing, or null after an error.
  std::optional<ir::attribute> parse_optional_location();
  /// Whether any location read so far may wait for an alias.
  bool has_deferred_locations() const { return deferred_locations_; }
  /// At the end of the text: reports the location aliases that were used and never defined. Afterwards
  /// resolve_location() knows every alias (the undefined ones stand for `unknown`).
  bool finish_locations();
  /// The location with every alias in it replaced; itself if there was none. Amortised O(1).
  ir::attribute resolve_location(ir::attribute given);

  /// `#name =` or `!name =` comes next.
  bool at_alias_definition() const;
  /// Reads `#name = attribute` or `!name = type`.
  bool parse_alias_definition();

  // --- Text that is kept as it is ----------------------------------------------------------------------------------

  /// The body `<...>` that starts at the next token, brackets included, with normalised white space and
  /// aliases replaced by what they stand for. `dialect` decides between the spellings: some print `a = 1`,
  /// some `a=1`.
  std::optional<std::string> parse_foreign_body(std::string_view dialect);

 private:
  struct measure {
    std::uint32_t depth = 0;
    std::uint32_t nodes = 0;
  };
  struct attribute_alias {
    ir::attribute value;
    measure size;
    bool waits = false;  // it is a location that refers to an alias that was not defined yet
  };
  struct type_alias {
    ir::type value;
    measure size;
  };
  struct awaited_alias {
    std::string_view name;
    std::size_t at = 0;  // where it was used first
  };
  struct resolved_location {
    ir::attribute value = {};  // null while it is being resolved
    std::uint32_t depth = 0;
    bool sound = true;
  };

  /// One more level of nesting for as long as it lives; false when that is one too many (and reported).
  class nested {
   public:
    explicit nested(reader& in_reader) : reader_(in_reader) {
      if (reader_.now_.depth == 0) {
        reader_.now_.nodes = 0;
        reader_.deepest_ = 0;
      }
      ++reader_.now_.nodes;
      if (++reader_.now_.depth > reader_.deepest_) reader_.deepest_ = reader_.now_.depth;
    }
    ~nested() { --reader_.now_.depth; }
    nested(nested const&) = delete;
    nested& operator=(nested const&) = delete;
    explicit operator bool() const {
      return reader_.now_.depth <= nesting_limit || reader_.error("nested too deeply");
    }

   private:
    reader& reader_;
  };

  // detail/token_reader.hpp
  bool enter_alias(std::size_t at, measure size);
  bool check_balanced(std::size_t open);

  // detail/type_reader.hpp
  std::optional<ir::type> keyword_type(std::string_view word);
  bool parse_dimensions(std::vector<std::int64_t>& shape);
  ir::type parse_function_type();
  ir::type parse_tensor_type();
  ir::type parse_vector_type();
  ir::type parse_complex_type();
  ir::type parse_tuple_type();
  ir::type parse_memref_type();
  ir::type parse_sigil_type();
  ir::type parse_opaque_type(std::string_view name, bool has_body);
  ir::type parse_mesh_tensor_type();

  // detail/attribute_reader.hpp
  bool parse_trailing_type(ir::type& of);
  ir::attribute parse_number(ir::type of);
  ir::attribute parse_string_attribute(ir::type of);
  ir::attribute parse_symbol_reference();
  ir::attribute parse_array();
  ir::attribute parse_sigil_attribute(ir::type expected);
  ir::attribute parse_textual_attribute(std::string_view keyword, ir::type expected);
  bool check_unique(std::vector<attribute_entry> const& entries, std::size_t first);
  std::optional<bits128> parse_float_bits(number_token const& token, bool negative, std::string_view keyword,
                                          std::size_t at);
  ir::attribute float_attribute(ir::type of, bits128 bits);

  // detail/dense_reader.hpp
  bool check_elements_type(ir::type of, std::size_t at);
  bool skip_dense_body(std::size_t open);
  ir::attribute parse_dense(ir::type of);
  bool parse_dense_blob(detail::element const& e, ir::dense_attr& to);
  bool parse_dense_list(detail::element const& e, ir::dense_attr& to);
  bool parse_element(detail::element const& e, std::string& to);
  bool parse_scalar(detail::element const& e, std::string& to);
  ir::attribute parse_dense_array();
  ir::attribute parse_dense_resource(ir::type of);

  // detail/dialect_reader.hpp
  std::optional<ir::attribute> parse_known_attribute(std::string_view dialect, std::string_view mnemonic);
  template <class T>
  ir::attribute parse_full(std::string_view what);
  ir::attribute parse_mesh_body();
  ir::attribute parse_sharding_body();
  bool parse_dim_sharding(ir::dim_sharding& to);
  bool parse_axis_ref(ir::axis_ref& to);
  ir::attribute parse_named_mesh();
  ir::attribute parse_topology_body();
  ir::attribute parse_user_origin_body();
  bool parse_mesh_with_origins(ir::mesh_with_origins& to);

  // detail/location_reader.hpp
  ir::attribute parse_location_instance(bool may_wait);
  ir::attribute parse_name_or_file_location(bool may_wait);
  ir::attribute parse_alias_value(bool& waits);
  ir::attribute defer_location(std::string_view name, std::size_t at);
  bool is_awaited(std::string_view text) const;
  resolved_location resolve(ir::attribute given, std::uint32_t depth);

  // detail/foreign_reader.hpp
  bool print_alias(std::string_view token, bool after_parenthesis, std::string& to);

  ir::context* context_;
  diagnostics* diags_;
  std::size_t begin_;
  std::unordered_map<std::string_view, attribute_alias> attribute_aliases_;
  std::unordered_map<std::string_view, type_alias> type_aliases_;
  std::unordered_map<std::string_view, std::size_t> awaited_;  // indices of awaited_order_
  std::vector<awaited_alias> awaited_order_;
  std::unordered_map<ir::attribute, resolved_location> resolved_;
  std::size_t resolving_at_ = 0;
  bool deferred_locations_ = false;
  std::size_t balanced_from_ = 0, balanced_until_ = 0;  // between these, brackets are known to match up
  std::size_t expanded_ = 0;        // bytes of foreign text that came from aliases
  measure now_;                     // depth of what is being read, and its nodes since depth 0
  std::uint32_t deepest_ = 0;       // greatest depth since depth 0
};

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/detail/attribute_reader.hpp>
#include <mpmd/text/mlir/detail/dense_reader.hpp>
#include <mpmd/text/mlir/detail/dialect_reader.hpp>
#include <mpmd/text/mlir/detail/foreign_reader.hpp>
#include <mpmd/text/mlir/detail/location_reader.hpp>
#include <mpmd/text/mlir/detail/token_reader.hpp>
#include <mpmd/text/mlir/detail/type_reader.hpp>

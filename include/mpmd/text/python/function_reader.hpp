#pragma once
/// Reads one function of a host program from its syntax tree into the IR.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/ir/host_builder.hpp>
#include <mpmd/ir/host_deduce.hpp>
#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/text/python/module_scope.hpp>

namespace mpmd::text::python {

class function_reader {
 public:
  /// `function` is the op, whose one block is empty.
  function_reader(module_scope& module, ir::op function, statement definition);

  /// The parameters as they are written, without self.
  std::span<node const> parameters() const;
  /// Parameters and declared result.
  void read_signature();
  void read_body();
  /// What host.const holds for an expression of literals; null for others, or after a report.
  ir::attribute literal(node n) {
    lowered const made = lower(n);
    return made.v && made.literal ? p_.attr(p_.defining_op(made.v), "value") : ir::attribute{};
  }

 private:
  using value = ir::value;
  using full_type = ir::host::full_type;

  // --- Expressions: detail/expression_reader.hpp ---------------------------------------------------------------
  enum class form : std::uint8_t { plain, operation, function, submit, dump_call, cast, absolute, pair };
  /// A call that is understood, before its operands have been read.
  struct call_plan {
    form is = form::plain;
    ir::attribute callee = {};
    std::string name = {};  ///< of the operation or the operator
    std::string dtype = {};
    std::vector<node> arguments = {};
    std::vector<node> held = {};  ///< expressions inside kwargs and attrs
    ir::host::metadata kwargs = {}, attrs = {};
    node type = {};
    std::string submit = {};
  };
  struct lowered {
    value v = {};
    bool literal = false;  ///< made of literals alone: folds with others
  };
  struct frame {
    node of;
    std::vector<node> parts = {};
    std::vector<lowered> values = {};
    std::size_t next = 0;
    std::unique_ptr<call_plan> call = {};
  };
  /// The value of an expression, made at the place of the builder; none after a report.
  value expression(node n) { return lower(n).v; }
  lowered lower(node n);
  std::optional<lowered> leaf(node n);
  bool open(node n, frame& f);
  lowered finish(frame& f);
  value name_value(node n);
  value integer_constant(node at, std::int64_t v, std::string_view dtype);
  value real_constant(double v, std::string_view dtype);
  value boolean_constant(bool v);
  lowered finish_unary(node n, lowered a);
  lowered finish_binary(node n, lowered a, lowered b);
  std::optional<lowered> fold(node n, operation op, value a, value b);
  value make_binary(std::string_view kind, value a, value b);
  value cast_to(value v, ir::type to);
  value tuple_of(node n, std::vector<value> const& elements);
  value subscript(node n, std::vector<value> const& values);
  bool fits(node n, full_type const& t);

  // --- Calls: detail/call_reader.hpp ---------------------------------------------------------------------------
  bool open_call(node n, frame& f);
  bool open_dump(node n, std::string_view name, frame& f);
  bool open_dump_call(node n, frame& f);
  bool open_operation(node n, std::string_view name, frame& f);
  bool open_function(node n, std::string_view name, std::size_t first, frame& f);
  bool takes_arguments(node call, std::string_view name, std::span<node const> arguments);
  bool open_allocation(node n, frame& f);
  std::optional<lowered> leaf_call(node n);
  value finish_call(frame& f);
  bool check_operands(frame const& f, std::vector<value> const& values);
  value finish_allocation_shape(node shape, std::string_view dtype, std::vector<value> const& extents);
  bool host_only(node n, std::string_view what);

  // --- kwargs and attrs: detail/metadata_reader.hpp ------------------------------------------------------------
  /// The keywords of one call that have been read.
  using keyword_set = std::unordered_set<std::string_view>;
  bool read_keyword(ir::host::metadata& into, node keyword, keyword_set& seen, std::vector<node>& held);
  ir::attribute read_data(node n, std::vector<node>& held, bool in_list);
  ir::attribute constant_name(node n);
  bool read_dictionary(ir::host::metadata& into, node n, std::vector<node>& held, std::string_view not_a_dictionary,
                       std::string_view bad_key);
  ir::attribute operand_mark(std::size_t n) {
    return in_.get(ir::integer_attr{static_cast<std::int64_t>(n), in_.get(ir::index_type{})});
  }

  // --- Types: detail/type_reader.hpp ---------------------------------------------------------------------------
  /// The expressions in it are made at the place of the builder. Null after a report.
  full_type type(node n);
  full_type tensor_type(node n, ir::host::tensor_kind kind);
  bool tensor_view(node n, ir::host::tensor_data& into, full_type& holes);
  std::optional<std::vector<std::int64_t>> extents(node n, full_type& holes);
  bool window_element(node n) const;

  // --- Windows: detail/window_reader.hpp -----------------------------------------------------------------------
  struct window_entry {
    node descriptor = {};
    std::string base = {};
    node size = {};
    bool load = false, store = false;
    value built = {};
    bool sized = false;
  };
  void register_windows(node from, node to);
  std::optional<std::string> window_key(node n);
  static std::string shown_key(std::string const& key);
  bool parse_descriptor(node n, window_entry& into, std::string& key);
  /// The window of a reference or descriptor; none after a report.
  value window(node n);
  value build_window(std::string const& key);
  bool size_is_known(node size);
  void size_window(window_entry& w);
  void finish_windows();

  // --- Statements: detail/statement_reader.hpp, detail/block_reader.hpp ----------------------------------------
  enum class block_kind : std::uint8_t { function, branch, loop, while_loop, domain, scope, dead };
  struct open_block {
    block_kind kind;
    statement owner;
    std::size_t next = 0;
    ir::block into = {};
    std::vector<ir::region> regions = {};
    std::size_t siblings = 0;  ///< of a branch: the block whose list continues with elif or else
    bool in_else = false;
    ir::location where = {};
    value condition = {};
    std::vector<value> bounds = {}, carried = {}, initial = {}, results = {};
    std::vector<std::string_view> result_names = {};
    std::string word = {};  ///< kind of loop or scope
    ir::host::metadata kwargs = {}, attrs = {};
    std::vector<value> held = {};
    std::vector<node> domains = {};  ///< headers of the domains that end with this block, the outermost first
    std::size_t domain = 0;
    bool device = false;             ///< of a scope: what is in it runs on a device
    bool yielded = false;
  };
  void run_blocks();
  void read(statement s);
  void close_block();
  void open_branch(statement s, std::size_t siblings);
  void open_for(statement s);
  void open_while(statement s);
  void open_with(statement s);
  bool check_domain(node n, bool alias);
  void close_domain(open_block& b);
  void open_region(open_block b, std::size_t regions);
  void read_return(syntax_tree::statement_data const& s);
  void read_assignment(syntax_tree::statement_data const& s);
  void assign_tuple(syntax_tree::statement_data const& s);
  void read_yield(node call, std::vector<node> const& targets, node annotation);
  bool is_call_of(node n, std::string_view path) const;
  open_block* yielding_block();
  std::optional<std::vector<value>> values_of(node n);

  // --- Variables -----------------------------------------------------------------------------------------------
  /// A new variable of a type whose holes, if `borrowed`, are copied.
  value declare(std::string_view name, full_type const& t, bool borrowed, ir::location where, bool carried = false);
  /// The variable that an assignment to a name writes: the one of this name, if it has the type, or a new one.
  value variable_for(std::string_view name, full_type const& t, bool borrowed, ir::location where);
  void discard(full_type const& t);
  void order_declarations();

  struct at_declarations {
    explicit at_declarations(function_reader& r) : reader(r), before(r.make_.where()) {
      r.make_.set({r.declarations_, {}});
    }
    ~at_declarations() { reader.make_.set(before); }
    at_declarations(at_declarations const&) = delete;
    at_declarations& operator=(at_declarations const&) = delete;
    function_reader& reader;
    ir::host::insertion before;
  };

  module_scope& module_;
  ir::program& p_;
  ir::context& in_;
  syntax_tree const& tree_;
  ir::op function_;
  statement definition_;
  ir::block declarations_, statements_;
  ir::host::builder make_;
  bool is_host_ = false;
  unsigned device_depth_ = 0;
  unsigned type_depth_ = 0;
  std::unordered_map<std::string_view, value> names_;  ///< a null value: declared by something faulty
  std::unordered_map<std::string, value> pointers_;    ///< variables of type Ptr by name
  std::unordered_map<std::string, window_entry> windows_;
  std::vector<std::string> window_order_;
  std::unordered_set<std::uint32_t> faulty_descriptors_;
  std::unordered_set<std::string> domain_names_;
  std::vector<open_block> blocks_;
  std::string_view assigned_name_ = {};  ///< the target, while the call that is the whole right side is read
  node assigned_call_ = {};
  bool forward_ = false;  ///< something is declared in front of what it refers to
};

}  // namespace mpmd::text::python

#include <mpmd/text/python/detail/allocation_reader.hpp>
#include <mpmd/text/python/detail/block_reader.hpp>
#include <mpmd/text/python/detail/call_reader.hpp>
#include <mpmd/text/python/detail/dump_reader.hpp>
#include <mpmd/text/python/detail/expression_reader.hpp>
#include <mpmd/text/python/detail/metadata_reader.hpp>
#include <mpmd/text/python/detail/scope_reader.hpp>
#include <mpmd/text/python/detail/signature_reader.hpp>
#include <mpmd/text/python/detail/statement_reader.hpp>
#include <mpmd/text/python/detail/type_reader.hpp>
#include <mpmd/text/python/detail/window_reader.hpp>

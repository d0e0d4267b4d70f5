#pragma once
/// Simple statements: definitions of text/python/function_reader.hpp, which includes this.

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// The innermost branch or loop around: what pl.yield_ yields from.
inline function_reader::open_block* function_reader::yielding_block() {
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    auto const kind = blocks_[i].kind;
    if (kind == block_kind::branch || kind == block_kind::loop || kind == block_kind::while_loop) return &blocks_[i];
    if (kind == block_kind::dead) return nullptr;
  }
  return nullptr;
}

/// The values of `a, b` without brackets, or of one expression; nothing after a report.
inline std::optional<std::vector<function_reader::value>> function_reader::values_of(node n) {
  std::vector<node> parts{n};
  if (tree_[n].kind == node_kind::tuple) parts.assign(tree_.children(n).begin(), tree_.children(n).end());
  std::vector<value> values;
  bool good = true;
  for (node const part : parts) {
    values.push_back(expression(part));
    good &= static_cast<bool>(values.back());
  }
  if (!good) return std::nullopt;
  return values;
}

inline void function_reader::read_return(syntax_tree::statement_data const& s) {
  std::vector<value> values;
  if (s.value && tree_[s.value].kind != node_kind::nothing) {
    auto list = values_of(s.value);
    if (!list) return;
    values = std::move(*list);
  }
  make_.set_location(module_.place(tree_.tokens[s.token].offset));
  make_.returns(values);
}

/// `pl.yield_(...)`, alone or assigned to the names under which the results are known behind the loop or branch.
inline void function_reader::read_yield(node call, std::vector<node> const& targets, node annotation) {
  auto const where = module_.place(tree_.start_of(call));
  std::vector<value> values;
  bool good = true;
  for (node const a : tree_.children(call).subspan(1)) {
    if (tree_[a].kind == node_kind::keyword) {
      module_.error(a, "pl.yield_ takes values only");
      good = false;
      continue;
    }
    values.push_back(expression(a));
    good &= static_cast<bool>(values.back());
  }
  open_block* const around = yielding_block();
  if (around == nullptr) {
    if (blocks_.empty() || blocks_.back().kind != block_kind::dead)
      module_.error(call, "pl.yield_ stands at the end of a loop or a branch");
    return;
  }
  if (good && !targets.empty() && targets.size() != values.size()) {
    module_.error(call, "pl.yield_ yields " + std::to_string(values.size()) + " values to " +
                            std::to_string(targets.size()) + " names");
    good = false;
  }
  if (good && around->kind != block_kind::branch && values.size() != around->carried.size()) {
    module_.error(call, "pl.yield_ yields " + std::to_string(values.size()) + " values, but the loop carries " +
                            std::to_string(around->carried.size()));
    good = false;
  }
  auto const& block = blocks_.back();
  auto const& list = tree_[block.owner].body;
  for (std::size_t i = block.next; good && !targets.empty() && i < list.size(); ++i)
    if (tree_[list[i]].kind != statement_kind::pass) {
      module_.error(call, "what is yielded to names is yielded by the last statement of a block");
      good = false;
    }
  // The names of the second branch are those of the first, unless it had none.
  bool const first = around->results.empty();
  if (good && !first && !targets.empty() && targets.size() != around->results.size()) {
    module_.error(call, "the branches yield different numbers of values");
    good = false;
  }
  for (std::size_t i = 0; good && !first && i < targets.size(); ++i)
    if (around->kind == block_kind::branch && module_.text(targets[i]) != around->result_names[i]) {
      module_.error(targets[i], "the branches yield to different names",
                    "yield to '" + std::string(around->result_names[i]) + "' here too");
      good = false;
    }
  if (around->yielded && around->kind != block_kind::branch && good && !targets.empty() && !first) {
    module_.error(call, "a loop yields to names once");
    good = false;
  }
  full_type annotated;
  if (annotation) {
    at_declarations const here(*this);
    annotated = type(annotation);
    good &= static_cast<bool>(annotated);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto const name = module_.text(targets[i]);
    value made;
    if (good && first) {
      full_type const t = annotated ? annotated : ir::host::type_of(p_, values[i]);
      made = declare(name, t, !annotated, module_.place(tree_.start_of(targets[i])));
    }
    if (first) around->results.push_back(made);
    around->result_names.push_back(name);
  }
  if (annotated && !(good && first)) discard(annotated);
  around->yielded = true;
  if (!good) return;
  make_.set_location(where);
  make_.yields(values);
}

/// `a, b = value`: a variable for the whole, then its elements.
inline void function_reader::assign_tuple(syntax_tree::statement_data const& s) {
  auto const targets = tree_.children(s.target);
  std::vector<node> names;
  for (node const t : targets) {
    if (tree_[t].kind != node_kind::name) {
      module_.error(t, "only a name can be assigned to");
      return;
    }
    names.push_back(t);
  }
  if (s.annotation) {
    module_.error(s.annotation, "several variables cannot be declared at once");
    return;
  }
  if (is_call_of(s.value, "pl.yield_")) {
    read_yield(s.value, names, {});
    return;
  }
  auto poison = [&] {
    for (node const n : names) names_.insert_or_assign(module_.text(n), value{});
  };
  auto const where = module_.place(tree_.tokens[s.token].offset);
  bool const spread = tree_[s.value].kind == node_kind::tuple || tree_[s.value].kind == node_kind::list;
  value const whole = expression(s.value);
  if (!whole) return poison();
  auto const t = ir::host::type_of(p_, whole);
  auto const* tuple = in_.get_if<ir::tuple_type>(t.of);
  bool const known = tuple != nullptr;
  if (known ? tuple->elements.size() != names.size() : spread || !ir::host::is_unknown(in_, t.of)) {
    module_.error(s.value, known ? "the tuple has " + std::to_string(tuple->elements.size()) + " elements for " +
                                       std::to_string(names.size()) + " names"
                                 : std::string("this is no tuple"));
    return poison();
  }
  std::string hint;
  for (node const n : names) hint += std::string(module_.text(n)) + "_";
  value const variable = declare(hint + "tuple", t, true, where);
  make_.set_location(where);
  make_.assign(variable, whole);
  std::vector<ir::type> const elements = known ? tuple->elements : std::vector<ir::type>(names.size(), t.of);
  auto held = std::span(t.holes);
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto const n = ir::host::holes(in_, elements[i]);
    full_type one{elements[i], {held.begin(), held.begin() + static_cast<std::ptrdiff_t>(n)}};
    held = held.subspan(n);
    value const to = variable_for(module_.text(names[i]), one, true, module_.place(tree_.start_of(names[i])));
    make_.set_location(where);
    value element;
    if (known) {
      std::vector<value> operands{variable};
      auto const holes = make_.clone_expressions(one.holes);
      operands.insert(operands.end(), holes.begin(), holes.end());
      element = p_.result(make_.make(ir::opcode::host_get, std::move(operands), {one.of},
                                     {{"index", in_.integer_value(static_cast<std::int64_t>(i))}}),
                          0);
    } else {
      value const index = make_.constant(static_cast<std::int64_t>(i));
      element = p_.result(make_.make(ir::opcode::host_subscript, {variable, index}, {one.of},
                                     {{"form", in_.string("i")}}),
                          0);
    }
    make_.assign(to, element);
  }
}

inline void function_reader::read_assignment(syntax_tree::statement_data const& s) {
  if (!s.value) {
    names_.insert_or_assign(module_.text(s.target), value{});
    return;
  }
  if (tree_[s.target].kind == node_kind::tuple || tree_[s.target].kind == node_kind::list) {
    assign_tuple(s);
    return;
  }
  if (tree_[s.target].kind != node_kind::name) {
    module_.error(s.target, "only a name can be assigned to");
    return;
  }
  if (is_call_of(s.value, "pl.yield_") && s.op == operation::none) {
    read_yield(s.value, {s.target}, s.annotation);
    return;
  }
  auto const name = module_.text(s.target);
  auto const where = module_.place(tree_.tokens[s.token].offset);
  full_type annotated;
  bool good = true;
  if (s.annotation) {
    at_declarations const here(*this);
    annotated = type(s.annotation);
    good = static_cast<bool>(annotated);
  }
  assigned_name_ = name;
  assigned_call_ = s.value;
  value v = expression(s.value);
  assigned_name_ = {};
  assigned_call_ = {};
  if (v && s.op != operation::none) {
    value const before = name_value(s.target);
    make_.set_location(where);
    v = before ? make_binary(find_operator(s.op)->kind, before, v) : value{};
  }
  if (!v || !good) {
    names_.insert_or_assign(name, value{});
    return;
  }
  ir::op const call = ir::host::call_of(p_, v);
  full_type const of = ir::host::type_of(p_, v);
  // A type that is written down and says more than the call's only in that it names the window is the call's too, unless
  // the call says its own.
  if (call && annotated && !is_call_of(s.value, "pl._dump.call") && ir::host::is_windowed(in_, annotated.of) && ir::host::is_distributed(in_, of.of) &&
      !ir::host::is_windowed(in_, of.of) && ir::host::same_type(p_, ir::host::without_window(p_, annotated), of))
    ir::host::set_window(p_, v, annotated.holes.back());
  value to;
  full_type const wanted = annotated ? annotated : of;
  bool const allocation = call && ir::host::called_op(p_, call) == "pld.tensor.alloc_window_buffer";
  if (allocation && ir::host::is_ptr(in_, wanted.of)) {
    auto const at = pointers_.find(std::string(name));
    to = at != pointers_.end() ? at->second : variable_for(name, wanted, !annotated, where);
    pointers_.insert_or_assign(std::string(name), to);
    names_.insert_or_assign(name, to);
  } else {
    to = variable_for(name, wanted, !annotated, where);
  }
  make_.set_location(where);
  make_.assign(to, v);
}

inline void function_reader::read(statement id) {
  auto const& s = tree_[id];
  auto const where = module_.place(tree_.tokens[s.token].offset);
  switch (s.kind) {
    case statement_kind::pass: case statement_kind::import_: return;
    case statement_kind::break_: case statement_kind::continue_: {
      bool inside = false;
      for (auto const& b : blocks_)
        inside |= b.kind == block_kind::loop || b.kind == block_kind::while_loop || b.kind == block_kind::dead;
      make_.set_location(where);
      bool const breaks = s.kind == statement_kind::break_;
      if (inside)
        make_.make(breaks ? ir::opcode::host_break : ir::opcode::host_continue, {}, {});
      else
        module_.to.error(tree_.tokens[s.token].offset, std::string(breaks ? "'break'" : "'continue'") +
                                                           " stands outside of any loop");
      return;
    }
    case statement_kind::returns: read_return(s); return;
    case statement_kind::assign: case statement_kind::augmented: read_assignment(s); return;
    case statement_kind::expression: {
      if (module_.is_string(s.value) || tree_[s.value].kind == node_kind::ellipsis) return;  // says nothing to the machine
      if (is_call_of(s.value, "pl.yield_")) return read_yield(s.value, {}, {});
      if (is_call_of(s.value, "pl.func_attr")) {
        auto const arguments = tree_.children(s.value).subspan(1);
        ir::host::metadata attrs;
        std::vector<node> held;
        if (blocks_.size() != 1 || arguments.size() != 1) {
          module_.error(s.value, "pl.func_attr stands at the start of a function and takes one dictionary");
          return;
        }
        if (!read_dictionary(attrs, arguments[0], held, "pl.func_attr takes a dictionary literal",
                             "pl.func_attr names must be unique string literals"))
          return;
        if (!held.empty()) return module_.error(held[0], "the attributes of a function are constants");
        if (attrs.empty()) return;
        std::vector<value> none;
        p_.set_attr(function_, "attrs", ir::host::detail::number_operands(in_, attrs, none));
        if (auto const order = ir::host::detail::written_order(in_, {}, attrs)) p_.set_attr(function_, "order", order);
        return;
      }
      value const v = expression(s.value);
      if (!v) return;
      make_.set_location(where);
      make_.eval(v);
      return;
    }
    case statement_kind::if_: open_branch(id, blocks_.size() - 1); return;
    case statement_kind::for_: open_for(id); return;
    case statement_kind::while_: open_while(id); return;
    case statement_kind::with_: open_with(id); return;
    case statement_kind::elif_: case statement_kind::else_:
      module_.to.error(tree_.tokens[s.token].offset, "this belongs to no 'if'");
      break;
    case statement_kind::function: case statement_kind::class_:
      module_.to.error(tree_.tokens[s.token].offset, "functions and classes cannot stand inside a function");
      return;
  }
  open_region({.kind = block_kind::dead, .owner = id}, 1);
}

}  // namespace mpmd::text::python

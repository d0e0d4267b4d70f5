#pragma once
/// Calls, keyword arguments and attributes: definitions of text/python/expression_printer.hpp, which includes this.

#include <algorithm>

#include <mpmd/text/python/expression_printer.hpp>

namespace mpmd::text::python {

/// Whether the call is written with its type: where a reader that works the type out again could come to another one, and
/// for distributed results inside domains, where types name windows.
inline bool expression_printer::needs_recorded_type(ir::op o, ir::value v) {
  if (v == recorded_) return true;
  ir::type const of = p_.type_of(v);
  if (ir::host::is_distributed(in_, of) && (around_.domain || ir::host::is_windowed(in_, of))) return true;
  auto const callee = ir::host::called_op(p_, o);
  auto const arguments = ir::host::arguments(p_, o);
  // One that has no name would be given one.
  if (!keywords_are_names(o) || callee == "pld.tensor.alloc_window_buffer") return true;
  if (callee.empty() && p_.attr(o, "kwargs") && !p_.attr(o, "submit")) return true;
  if (callee == "pld.system.world_size" && (!around_.host || !arguments.empty())) return true;
  if (callee == "pld.tensor.window") {
    ir::op const shape = arguments.size() == 2 ? p_.defining_op(arguments[1]) : ir::op{};
    auto const first = arguments.empty() ? ir::type{} : p_.type_of(arguments[0]);
    auto const* dtype = in_.get_if<ir::symbol_ref_attr>(in_.lookup(p_.attr(o, "kwargs"), "dtype"));
    if (!shape || !p_.is(shape, ir::opcode::host_tuple) || dtype == nullptr || !dtype->nested.empty() ||
        (!ir::host::is_ptr(in_, first) && !ir::host::is_unknown(in_, first)))
      return true;
  }
  ir::attribute const kwargs = p_.attr(o, "kwargs");
  if (ir::host::find_call_fault(p_, callee, arguments, [&](std::string_view key) { return in_.lookup(kwargs, key); }))
    return true;
  return !ir::host::same_type(p_, ir::host::type_of(p_, v), ir::host::deduced_type(p_, functions_, o));
}

/// Whether each keyword argument can be written as one.
inline bool expression_printer::keywords_are_names(ir::op o) const {
  auto const* kwargs = p_.attr_if<ir::dictionary_attr>(o, "kwargs");
  if (kwargs == nullptr) return true;
  auto const* const known = ir::host::find_operation(ir::host::called_op(p_, o));
  bool const allocates = known != nullptr && known->name == "pld.tensor.alloc_window_buffer";  // has a form of its own
  return std::all_of(kwargs->entries.begin(), kwargs->entries.end(), [&](auto const& e) {
    auto const key = in_.text(e.first);
    return is_identifier(key) && !is_keyword(key) && key != "attrs" &&
           (known == nullptr || allocates || ir::host::is_listed(known->keywords, key));
  });
}

/// Whether the device is written as `device=`: it is an expression, and the function takes it.
inline bool expression_printer::is_dispatch_keyword(ir::op o) const {
  ir::op const callee = functions_.find(ir::host::called_function(p_, o));
  return callee && ir::host::role(p_, callee) == "Orchestrator" &&
         ir::host::find_entry(p_, o, "attrs", "device").expression;
}

inline void expression_printer::print_call(ir::op o, ir::value v) {
  auto const callee = ir::host::called_op(p_, o);
  auto const function = ir::host::called_function(p_, o);
  auto const arguments = ir::host::arguments(p_, o);
  std::vector<item> list;
  bool const allocation = callee == "pld.tensor.alloc_window_buffer" && arguments.size() == 1 &&
                          ir::host::is_ptr(in_, p_.type_of(v)) && keywords_are_names(o) &&
                          in_.get_if<ir::string_attr>(in_.lookup(p_.attr(o, "kwargs"), "name"));
  if (!allocation && needs_recorded_type(o, v) && !p_.attr(o, "submit")) {
    out_ += "pl._dump.call(";
    if (function.empty())
      append_quoted(out_, callee);
    else
      out_.append("self.").append(function);
    list.push_back({.s = ", ["});
    add_list(list, arguments);
    list.push_back({.s = "], "});
    list.push_back({.what = item::form::type, .t = p_.type_of(v), .cursor = new_cursor(ir::host::type_operands(p_, v))});
    for (auto const which : {"kwargs", "attrs"}) {
      if (!p_.attr(o, which)) continue;
      list.push_back({.s = which == std::string_view("kwargs") ? ", kwargs=" : ", attrs="});
      add_dictionary(list, o, which, {});
    }
    list.push_back({.s = ")"});
    push(list);
    return;
  }
  std::string_view without;
  bool comma = !arguments.empty();
  if (allocation) {
    out_ += "pl._dump.alloc_window_buffer(";
  } else if (auto const submit = ir::host::text_of(p_, o, "submit"); !submit.empty()) {
    out_.append("pl.").append(submit).append("(self.").append(function);
    if (comma) out_ += ", ";
    comma = true;
  } else if (!function.empty()) {
    out_.append("self.").append(function).append("(");
  } else {
    if (!callee.starts_with("pld.")) out_ += "pl.";
    out_.append(callee).append("(");
  }
  add_list(list, arguments);
  std::size_t const before = list.size();
  if (!function.empty() && is_dispatch_keyword(o)) {
    without = "device";
    list.push_back({.s = ", device="});
    list.push_back({.what = item::form::expression, .v = ir::host::find_entry(p_, o, "attrs", "device").expression});
  }
  add_keywords(list, o, without);
  if (!comma && list.size() > before) list[before].s.remove_prefix(2);
  list.push_back({.s = ")"});
  push(list);
}

inline void expression_printer::add_keywords(std::vector<item>& list, ir::op o, std::string_view without) {
  auto const callee = p_.is(o, ir::opcode::host_call) ? ir::host::called_op(p_, o) : std::string_view{};
  for (auto const& key : ir::host::entry_order(p_, o, "kwargs")) {
    list.push_back({.s = keep(", " + key + "=")});
    ir::attribute const data = in_.lookup(p_.attr(o, "kwargs"), key);
    auto const* code = in_.get_if<ir::integer_attr>(data);
    bool const reduces = callee == "pld.tensor.allreduce" || callee == "pld.tensor.reduce_scatter";
    if (reduces && key == "op" && code && code->of == in_.integer(64) && code->value >= 0 &&
        code->value < static_cast<std::int64_t>(reduce_ops.size()))
      list.push_back({.s = keep("pld.ReduceOp." + std::string(reduce_ops[static_cast<std::size_t>(code->value)]))});
    else
      add_data(list, o, data, '\'');
  }
  auto const* attrs = in_.get_if<ir::dictionary_attr>(p_.attr(o, "attrs"));
  if (attrs == nullptr || attrs->entries.size() <= (without.empty() ? 0u : 1u)) return;
  list.push_back({.s = ", attrs="});
  add_dictionary(list, o, "attrs", without);
}

inline void expression_printer::add_dictionary(std::vector<item>& list, ir::op o, std::string_view which,
                                               std::string_view without) {
  list.push_back({.s = "{"});
  bool first = true;
  for (auto const& key : ir::host::entry_order(p_, o, which)) {
    if (key == without) continue;
    std::string text = first ? "" : ", ";
    append_quoted(text, key);
    list.push_back({.s = keep(text + ": ")});
    add_data(list, o, in_.lookup(p_.attr(o, which), key), '"');
    first = false;
  }
  list.push_back({.s = "}"});
}

/// An expression where data could stand: constants say that they are expressions.
inline void expression_printer::add_value(std::vector<item>& list, ir::value v) {
  ir::op const o = p_.defining_op(v);
  if (o && p_.is(o, ir::opcode::host_tuple)) {
    // In brackets it would be a list, which is data.
    auto const all = p_.operands(o);
    auto const elements = all.first(all.size() - ir::host::type_operands(p_, v).size());
    list.push_back({.s = "("});
    add_list(list, elements);
    list.push_back({.s = elements.size() == 1 ? ",)" : ")"});
    return;
  }
  // Numbers would be data; what is written pl._dump.float64 is none.
  auto const* real = o && p_.is(o, ir::opcode::host_const) ? p_.attr_if<ir::float_attr>(o, "value") : nullptr;
  bool const finite = real == nullptr || std::isfinite(std::bit_cast<double>(real->bits));
  list.push_back({.what = item::form::expression, .typed = finite && o && p_.is(o, ir::opcode::host_const), .v = v});
}

inline void expression_printer::add_data(std::vector<item>& list, ir::op o, ir::attribute data, char quote) {
  if (auto const n = ir::host::operand_number(in_, data)) {
    auto const held = ir::host::metadata_operands(p_, o);
    if (*n < held.size()) add_value(list, held[*n]);
  } else if (auto const* i = in_.get_if<ir::integer_attr>(data)) {
    bool const boolean = i->of == in_.integer(1);
    list.push_back({.s = boolean ? std::string_view(i->value != 0 ? "True" : "False") : keep(std::to_string(i->value))});
  } else if (auto const* f = in_.get_if<ir::float_attr>(data)) {
    list.push_back({.s = keep(real_text(std::bit_cast<double>(f->bits)))});
  } else if (auto const* s = in_.get_if<ir::string_attr>(data)) {
    std::string text;
    append_quoted(text, s->text, quote);
    list.push_back({.s = keep(std::move(text))});
  } else if (auto const* name = in_.get_if<ir::symbol_ref_attr>(data)) {
    list.push_back({.s = keep("pl." + name->root + (name->nested.empty() ? "" : "." + name->nested[0]))});
  } else if (auto const* all = in_.get_if<ir::array_attr>(data)) {
    list.push_back({.s = "["});
    for (std::size_t k = 0; k < all->elements.size(); ++k) {
      if (k != 0) list.push_back({.s = ", "});
      auto const* pair = in_.get_if<ir::array_attr>(all->elements[k]);
      if (pair == nullptr || pair->elements.size() != 2) {
        add_data(list, o, pair ? ir::attribute{} : all->elements[k], quote);
        continue;
      }
      list.push_back({.s = "("});
      add_data(list, o, pair->elements[0], quote);
      list.push_back({.s = ", "});
      add_data(list, o, pair->elements[1], quote);
      list.push_back({.s = ")"});
    }
    list.push_back({.s = "]"});
  }
}

}  // namespace mpmd::text::python

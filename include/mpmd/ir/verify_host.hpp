#pragma once
/// The rules of host programs (docs/host_programs.md): what passes and printers may rely on.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/host_deduce.hpp>
#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/verify_context.hpp>

namespace mpmd::ir {

namespace detail {

/// How many groups of operands an op has, and how many operands the first of them has (any: `any_count`).
struct host_segments {
  static constexpr std::size_t any_count = 0xFFFF;
  opcode code;
  std::size_t groups;
  std::size_t first;
};
inline constexpr auto host_segment_table = std::to_array<host_segments>({
    {opcode::host_call, 3, host_segments::any_count},
    {opcode::host_for, 5, 4},
    {opcode::host_while, 3, host_segments::any_count},
    {opcode::host_scope, 2, host_segments::any_count},
    {opcode::host_comm_domain, 2, host_segments::any_count},
});

inline bool check_host_segments(verify_context& c, op o) {
  for (auto const& rule : host_segment_table) {
    if (!c.in.is(o, rule.code)) continue;
    auto const* counts = required_attribute<dense_array_attr>(c, o, "segments", "the sizes of the groups of operands");
    if (counts == nullptr) return false;
    std::int64_t sum = 0;
    bool good = counts->values.size() == rule.groups;
    for (auto const n : counts->values) {
      good = good && n >= 0 && n <= std::int64_t{0x7FFFFFFF};
      if (good) sum += n;
    }
    good = good && sum == static_cast<std::int64_t>(c.in.operand_count(o));
    good = good && (rule.first == host_segments::any_count || counts->values[0] == static_cast<std::int64_t>(rule.first));
    if (!good) return c.fail_op(o, "segments", "has groups of operands that do not fit its operands");
    return true;
  }
  return true;
}

/// kwargs and attrs: data of the known kinds, whose marks number the operands of the group one after the other.
inline bool check_host_metadata(verify_context& c, op o) {
  context const& in = c.cx();
  std::size_t next = 0;
  auto plain = [&](attribute a) {
    if (auto const n = host::operand_number(in, a)) return *n == next++;
    if (auto const* i = in.get_if<integer_attr>(a)) {
      auto const* t = in.get_if<integer_type>(i->of);
      return t != nullptr && t->sign == signedness::signless && (t->width == 64 || t->width == 1);
    }
    if (auto const* f = in.get_if<float_attr>(a)) {
      auto const* t = in.get_if<float_type>(f->of);
      return t != nullptr && t->keyword == "f64" && !std::isnan(std::bit_cast<double>(f->bits));
    }
    if (auto const* s = in.get_if<string_attr>(a)) return !s->of;
    auto const* name = in.get_if<symbol_ref_attr>(a);
    return name != nullptr && name->nested.size() <= 1;
  };
  auto each = [&](attribute a, auto const& element) {
    auto const* list = in.get_if<array_attr>(a);
    return list != nullptr && std::all_of(list->elements.begin(), list->elements.end(), element);
  };
  auto pair_or_plain = [&](attribute a) {
    if (plain(a)) return true;
    auto const* list = in.get_if<array_attr>(a);
    return list != nullptr && list->elements.size() == 2 && each(a, plain);
  };
  for (auto const list : {"kwargs", "attrs"}) {
    attribute const held = c.in.attr(o, list);
    if (!held) continue;
    auto const* entries = in.get_if<dictionary_attr>(held);
    if (entries == nullptr) return c.fail_op(o, "metadata", "'" + std::string(list) + "' is no dictionary");
    for (auto const& [key, data] : entries->entries)
      if (!plain(data) && !each(data, pair_or_plain))
        return c.fail_op(o, "metadata",
                         "entry '" + std::string(in.text(key)) + "' of '" + list + "' is of no known kind, or misnumbered");
  }
  auto const held = host::metadata_operands(c.in, o);
  if (next != held.size()) return c.fail_op(o, "metadata", "has operands that no entry of kwargs and attrs stands for");
  return true;
}

/// What fills the holes of types: windows where types name windows, and elsewhere what is no constant.
inline bool check_host_holes(verify_context& c, op o, type of, std::span<value const> held) {
  context const& in = c.cx();
  constexpr std::size_t deepest = 64, most = 8192;
  std::size_t next = 0, parts = 0;
  std::vector<std::pair<type, std::size_t>> open{{of, 0}};
  while (!open.empty()) {
    auto const [t, depth] = open.back();
    open.pop_back();
    if (depth > deepest || ++parts > most) return c.fail_op(o, "type", "has a type that is too large");
    if (auto const* tuple = in.get_if<tuple_type>(t)) {
      for (std::size_t i = tuple->elements.size(); i-- > 0;) open.emplace_back(tuple->elements[i], depth + 1);
      continue;
    }
    auto const data = host::tensor_of(in, t);
    if (!data) {
      bool marker = host::is_scalar(in, t);
      for (auto const& m : host::markers) marker = marker || host::is_marker(in, t, m.text);
      if (!marker) return c.fail_op(o, "type", "has a type that host programs do not know: " + c.quoted(t));
      continue;
    }
    if (data->windowed && data->kind != host::tensor_kind::distributed)
      return c.fail_op(o, "type", "only distributed tensors refer to windows");
    bool known = host::tensor(c.in.context(), *data) == t;
    if (data->view)
      known = known && host::is_listed(host::layouts, data->view->layout) && host::is_listed(host::paddings, data->view->pad);
    std::size_t const count = host::holes(in, t);
    if (data->view && data->view->valid_shape && count > 0 && next + count <= held.size())
      known = host::settled(c.in, {t, {held.begin() + static_cast<std::ptrdiff_t>(next),
                                       held.begin() + static_cast<std::ptrdiff_t>(next + count)}}).of == t && known;
    if (!known) return c.fail_op(o, "type", "has a type that is not written as host programs write it: " + c.quoted(t));
    for (std::size_t i = 0; i < count; ++i, ++next) {
      if (next >= held.size()) return c.fail_op(o, "type", "has too few operands for the extents of its type");
      bool const wants_window = data->windowed && i + 1 == count;
      if (wants_window != host::is_window(c.in, held[next]))
        return c.fail_op(o, "type", "has a window and an extent of its type in each other's place");
      if (auto const n = host::constant_int(c.in, held[next]); n && *n >= 0)
        return c.fail_op(o, "type", "has an extent among its operands that belongs into its type");
    }
  }
  return next == held.size() || c.fail_op(o, "type", "has operands for extents that its type does not have");
}

inline bool check_host_expression(verify_context& c, op o) {
  program const& p = c.in;
  context& in = p.context();
  value const v = p.result(o, 0);
  type const of = p.type_of(v);
  std::size_t uses = 0;
  for (use const u : p.uses(v)) {
    if (++uses > 1) return c.fail_op(o, "expression", "is used more than once: an expression belongs to one op");
    if (p.parent_block(u.user) != p.parent_block(o))
      return c.fail_op(o, "expression", "stands in another block than the op that uses it");
  }
  auto operand_type = [&](std::uint32_t i) { return p.type_of(p.operand(o, i)); };
  auto const expect_type = [&](type wanted) {
    return of == wanted || c.fail_op(o, "type", "has result type " + c.quoted(of) + ", expected " + c.quoted(wanted));
  };
  switch (static_cast<opcode>(p.kind(o).id)) {
    case opcode::host_const: {
      auto const* d = host::find_dtype(host::dtype_name(in, of));
      attribute const held = p.attr(o, "value");
      auto const* i = in.get_if<integer_attr>(held);
      auto const* f = in.get_if<float_attr>(held);
      bool const fits = d != nullptr && (d->is_float ? f != nullptr && f->of == in.floating("f64")
                                                     : i != nullptr && i->of == host::literal_type(in, of) && host::fits(i->value, *d));
      return fits || c.fail_op(o, "attribute", "has a value that is not of its type");
    }
    case opcode::host_binary: {
      static constexpr std::string_view kinds[] = {"add", "sub", "mul", "floordiv", "floormod", "floatdiv", "min", "max",
                                                   "pow", "eq",  "ne",  "lt",       "le",       "gt",       "ge",  "and",
                                                   "or",  "xor", "bitand", "bitor", "bitxor",   "shl",      "shr"};
      auto const kind = host::text_of(p, o, "kind");
      if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds))
        return c.fail_op(o, "attribute", "has an unknown kind");
      if (kind == "xor" && (operand_type(0) != in.integer(1) || operand_type(1) != in.integer(1)))
        return c.fail_op(o, "type", "is logical and has an operand that is not BOOL");
      type const both = host::promoted(in, kind, operand_type(0), operand_type(1));
      auto const* l = host::find_dtype(host::dtype_name(in, operand_type(0)));
      auto const* r = host::find_dtype(host::dtype_name(in, operand_type(1)));
      if (l && r && (l->bits != r->bits || l->is_float != r->is_float))
        return c.fail_op(o, "type", "has operands of different widths: one of them needs a cast");
      return expect_type(both ? both : host::unknown(in));
    }
    case opcode::host_unary: {
      auto const kind = host::text_of(p, o, "kind");
      if (kind == "cast")
        return host::is_scalar(in, of) || c.fail_op(o, "type", "casts to something else than a scalar");
      bool const scalar = host::is_scalar(in, operand_type(0));
      if (kind == "not") return expect_type(scalar ? in.integer(1) : host::unknown(in));
      if (kind != "neg" && kind != "abs" && kind != "bitnot") return c.fail_op(o, "attribute", "has an unknown kind");
      return expect_type(scalar ? operand_type(0) : host::unknown(in));
    }
    case opcode::host_tuple: {
      auto const* tuple = in.get_if<tuple_type>(of);
      auto const count = p.operand_count(o) - std::min<std::size_t>(p.operand_count(o), host::type_operands(p, v).size());
      bool same = tuple != nullptr && tuple->elements.size() == count;
      for (std::uint32_t i = 0; same && i < count; ++i) same = tuple->elements[i] == operand_type(i);
      return same || c.fail_op(o, "type", "has a result type that is not the tuple of its operands' types");
    }
    case opcode::host_get: {
      auto const* tuple = p.operand_count(o) ? in.get_if<tuple_type>(operand_type(0)) : nullptr;
      auto const* i = p.attr_if<integer_attr>(o, "index");
      bool const fits = tuple != nullptr && i != nullptr && i->value >= 0 &&
                        static_cast<std::size_t>(i->value) < tuple->elements.size();
      return fits ? expect_type(tuple->elements[static_cast<std::size_t>(i->value)])
                  : c.fail_op(o, "attribute", "chooses an element that the tuple does not have");
    }
    case opcode::host_subscript: {
      std::size_t bounds = 1;
      bool good = p.attr_if<string_attr>(o, "form") != nullptr;
      for (char const k : host::text_of(p, o, "form")) {
        good = good && std::string_view("iabc:,").find(k) != std::string_view::npos;
        if (k != ':' && k != ',') ++bounds;
      }
      return (good && bounds == p.operand_count(o) && host::holes(in, of) == 0) ||
             c.fail_op(o, "attribute", "has a form that does not fit its operands");
    }
    default: break;
  }
  // A call.
  auto const* callee = p.attr_if<string_attr>(o, "callee");
  auto const* function = p.attr_if<symbol_ref_attr>(o, "callee");
  if (callee == nullptr && (function == nullptr || !function->nested.empty()))
    return c.fail_op(o, "attribute", "needs a callee: a string for an operation, a symbol for a function");
  if (p.attr(o, "submit") && function == nullptr) return c.fail_op(o, "attribute", "submits what is no function");
  return true;
}

}  // namespace detail

inline bool check_host(verify_context& c, op o) {
  program const& p = c.in;
  for (region const r : p.regions(o)) {
    block const body = p.first_block(r);
    if (!body || p.next_block(body) || !p.arguments(body).empty())
      return c.fail_op(o, "region", "expects each region to have one block without arguments");
  }
  if (!detail::check_host_segments(c, o) || !detail::check_host_metadata(c, o)) return false;
  auto is_var = [&p](value v) { return p.defining_op(v) && p.is(p.defining_op(v), opcode::host_var); };
  auto all_vars = [&](std::span<value const> list) {
    return std::all_of(list.begin(), list.end(), is_var) || c.fail_op(o, "variable", "expects variables");
  };
  auto regions = [&](std::size_t least, std::size_t most) {
    return (p.regions(o).size() >= least && p.regions(o).size() <= most) ||
           c.fail_op(o, "region-count", "has a wrong number of regions");
  };
  auto const code = static_cast<opcode>(p.kind(o).id);
  // What has a value.
  if (p.result_count(o) == 1) {
    value const v = p.result(o, 0);
    auto const held = host::type_operands(p, v);
    bool const only_holes = code == opcode::host_var || code == opcode::host_param;
    if (only_holes && held.size() != p.operand_count(o))
      return c.fail_op(o, "type", "has operands that its type has no place for");
    if (code == opcode::host_call && host::segment(p, o, 2).size() != host::holes(c.cx(), p.type_of(v)))
      return c.fail_op(o, "type", "has a wrong number of operands for the extents of its type");
    if (!detail::check_host_holes(c, o, p.type_of(v), held)) return false;
    if (p.has_trait(o, op_trait::expression)) return detail::check_host_expression(c, o);
  }
  switch (code) {
    case opcode::host_func: return regions(1, 1);
    case opcode::host_dim: return p.type_of(p.result(o, 0)) == p.context().get(index_type{}) ||
                                  c.fail_op(o, "type", "is of type index");
    case opcode::host_window: {
      value const base = p.operand(o, 0);
      if (!host::is_variable(p, base) || !host::is_ptr(c.cx(), p.type_of(base)))
        return c.fail_op(o, "variable", "needs a base: a variable of type !host.ptr");
      return host::is_marker(c.cx(), p.type_of(p.result(o, 0)), "!host.window_buffer") ||
             c.fail_op(o, "type", "is of type !host.window_buffer");
    }
    case opcode::host_returns: {
      auto const* types = required_attribute<array_attr>(c, o, "types", "the declared types");
      if (types == nullptr) return false;
      auto held = p.operands(o);
      for (attribute const a : types->elements) {
        auto const* t = c.cx().get_if<type_attr>(a);
        if (t == nullptr) return c.fail_op(o, "attribute", "declares something else than types");
        auto const n = std::min(held.size(), host::holes(c.cx(), t->held));
        if (!detail::check_host_holes(c, o, t->held, held.first(n))) return false;
        held = held.subspan(n);
      }
      return held.empty() || c.fail_op(o, "type", "has operands that its types have no place for");
    }
    case opcode::host_assign:
      return host::is_variable(p, p.operand(o, 0)) || c.fail_op(o, "variable", "assigns to something else than a variable");
    case opcode::host_if:
      return regions(1, 2) && (p.operand_count(o) > 0 || c.fail_op(o, "operand-count", "needs a condition")) &&
             all_vars(p.operands(o).subspan(1));
    case opcode::host_for: {
      auto const parts = host::parts_of_for(p, o);
      if (parts.carried.size() != parts.initial.size())
        return c.fail_op(o, "segments", "carries variables without initial values");
      if (auto const* kwargs = p.attr_if<dictionary_attr>(o, "kwargs"))
        for (auto const& [key, data] : kwargs->entries)
          if (c.cx().text(key) != "stage" || host::loop_kind(p, o) != "pipeline")
            return c.fail_op(o, "metadata", "has a keyword that loops do not know: '" + std::string(c.cx().text(key)) + "'");
      return regions(1, 1) && all_vars(std::span(&parts.variable, 1)) && all_vars(parts.carried) && all_vars(parts.results);
    }
    case opcode::host_while: {
      auto const parts = host::parts_of_while(p, o);
      if (parts.carried.size() != parts.initial.size())
        return c.fail_op(o, "segments", "carries variables without initial values");
      if (!regions(2, 2)) return false;
      op const last = p.last_op(host::body_of(p, o, 0));
      if (!last || !p.is(last, opcode::host_condition) || p.operand_count(last) != 1)
        return c.fail_op(o, "terminator", "expects its first region to end with a condition");
      return all_vars(parts.carried) && all_vars(parts.results);
    }
    case opcode::host_scope: return regions(1, 1);
    case opcode::host_comm_domain: {
      for (value const w : host::slots(p, o))
        if (!host::is_window(p, w)) return c.fail_op(o, "window", "has a slot that is no window");
      auto const* runs = required_attribute<dense_array_attr>(c, o, "device_runs", "array of integers");
      if (runs == nullptr) return false;
      // The text lists devices one by one.
      constexpr std::uint64_t most = std::uint64_t{1} << 24;
      std::uint64_t count = 0;
      bool good = runs->values.size() % 2 == 0;
      for (std::size_t i = 0; good && count <= most && i < runs->values.size(); i += 2) {
        good = runs->values[i] <= runs->values[i + 1];
        count += std::min(most, static_cast<std::uint64_t>(runs->values[i + 1]) - static_cast<std::uint64_t>(runs->values[i])) + 1;
      }
      if (!good) return c.fail_op(o, "device_runs", "must list the first and the last device of each run of devices");
      if (count > most) return c.fail_op(o, "device_runs", "has more devices than the 16777216 a domain can list");
      return regions(1, 1) && required_attribute<string_attr>(c, o, "name", "string attribute") != nullptr;
    }
    default: return regions(0, 0);
  }
}

/// Symbol use of `host.call`: a function of the program, which is given one argument for each of its parameters.
inline bool check_host_call_use(verify_context& c, op o) {
  program const& p = c.in;
  auto const* callee = p.attr_if<symbol_ref_attr>(o, "callee");
  if (callee == nullptr) return true;
  op const function = c.symbols.resolve_in(c.module, *callee);
  if (!function || !p.is(function, opcode::host_func))
    return c.fail_op(o, "call", "has a callee that the program has no function for: " + to_text(*callee));
  auto const [known, is_new] = c.parameter_counts.try_emplace(function.id, 0);
  if (is_new) known->second = host::parameters(p, function).size();
  std::size_t const given = host::arguments(p, o).size();
  if (given == known->second) return true;
  return c.fail_op(o, "call",
                   "has " + std::to_string(given) + (given == 1 ? " argument" : " arguments") + ", but its callee " +
                       to_text(*callee) + " has " + std::to_string(known->second) +
                       (known->second == 1 ? " parameter" : " parameters"),
                   {{locate(p, function), "the callee is here"}});
}

}  // namespace mpmd::ir

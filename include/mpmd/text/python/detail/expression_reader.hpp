#pragma once
/// Expressions: definitions of text/python/function_reader.hpp, which includes this.

#include <cmath>
#include <bit>

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// Without recursion: what is open is on a list. A node whose operand was faulty is faulty itself, silently.
inline function_reader::lowered function_reader::lower(node root) {
  if (auto const simple = leaf(root)) return *simple;
  std::vector<frame> frames;
  frames.push_back({root});
  if (!open(root, frames.back())) return {};
  while (true) {
    frame& f = frames.back();
    if (f.next < f.parts.size()) {
      node const part = f.parts[f.next++];
      if (auto const simple = leaf(part)) {
        f.values.push_back(*simple);
        continue;
      }
      frame inner{part};
      if (open(part, inner))
        frames.push_back(std::move(inner));
      else
        f.values.push_back({});
      continue;
    }
    bool good = true;
    for (lowered const& v : f.values) good &= static_cast<bool>(v.v);
    lowered const made = good ? finish(f) : lowered{};
    frames.pop_back();
    if (frames.empty()) return made;
    frames.back().values.push_back(made);
  }
}

inline function_reader::value function_reader::integer_constant(node at, std::int64_t v, std::string_view dtype) {
  make_.set_location(module_.place(tree_.start_of(at)));
  return make_.constant(v, dtype);
}
/// Floats of any type are held as binary64.
inline function_reader::value function_reader::real_constant(double v, std::string_view dtype) {
  ir::attribute const bits = in_.get(ir::float_attr{std::bit_cast<std::uint64_t>(v), in_.floating("f64")});
  return p_.result(make_.make(ir::opcode::host_const, {}, {ir::host::scalar(in_, dtype)}, {{"value", bits}}), 0);
}
inline function_reader::value function_reader::boolean_constant(bool v) {
  return p_.result(make_.make(ir::opcode::host_const, {}, {in_.integer(1)}, {{"value", in_.boolean(v)}}), 0);
}

/// What needs no operands; a lowered null after a report, nothing for what has operands.
inline std::optional<function_reader::lowered> function_reader::leaf(node n) {
  make_.set_location(module_.place(tree_.start_of(n)));
  switch (tree_[n].kind) {
    case node_kind::name: {
      auto const constant = module_.constants.find(module_.text(n));
      if (names_.contains(module_.text(n)) || constant == module_.constants.end()) return lowered{name_value(n), false};
      auto const* i = in_.get_if<ir::integer_attr>(constant->second);
      ir::type const of = i ? i->of : in_.floating("f32");
      return lowered{p_.result(make_.make(ir::opcode::host_const, {}, {of}, {{"value", constant->second}}), 0), true};
    }
    case node_kind::integer: {
      auto const v = decode_integer(module_.text(n));
      if (v && *v <= std::uint64_t{0x7FFFFFFFFFFFFFFF})
        return lowered{make_.constant(static_cast<std::int64_t>(*v), "INDEX"), true};
      module_.error(n, "this integer does not fit into 64 bits");
      return lowered{};
    }
    case node_kind::real: return lowered{real_constant(decode_real(module_.text(n)), "FP32"), true};
    case node_kind::boolean: return lowered{boolean_constant(module_.text(n) == "True"), true};
    case node_kind::unary:
      // A minus sign belongs to the literal: the smallest integer has no positive counterpart.
      if (tree_[tree_.child(n, 0)].kind == node_kind::integer)
        if (auto const v = module_.signed_integer(n)) return lowered{make_.constant(*v, "INDEX"), true};
      return std::nullopt;
    case node_kind::call: return leaf_call(n);
    case node_kind::string:
      // One without an end has been reported.
      if (tree_.token_of(n).length != 0) module_.error(n, "a string is no value here");
      return lowered{};
    case node_kind::nothing: module_.error(n, "None is no value"); return lowered{};
    case node_kind::ellipsis: module_.error(n, "'...' is no value"); return lowered{};
    case node_kind::dict: module_.error(n, "a dictionary can stand behind attrs= and kwargs= only"); return lowered{};
    case node_kind::slice: case node_kind::absent: module_.error(n, "a slice is no value"); return lowered{};
    case node_kind::keyword: module_.error(n, "a keyword argument is no value"); return lowered{};
    case node_kind::attribute: {
      auto const whole = module_.path(n);
      module_.error(n, whole ? "'" + *whole + "' is no value" : std::string("a part of a value cannot be named"));
      return lowered{};
    }
    default: return std::nullopt;
  }
}

inline function_reader::value function_reader::name_value(node n) {
  auto const text = module_.text(n);
  if (auto const at = names_.find(text); at != names_.end()) return at->second;
  if (auto const at = module_.dims.find(text); at != module_.dims.end()) return at->second;
  module_.error(n, "unknown name '" + std::string(text) + "'");
  return {};
}

inline bool function_reader::open(node n, frame& f) {
  auto const parts = tree_.children(n);
  switch (tree_[n].kind) {
    case node_kind::unary: case node_kind::binary: case node_kind::list: case node_kind::tuple:
      f.parts.assign(parts.begin(), parts.end());
      return true;
    case node_kind::subscript:
      for (node const part : parts) {
        if (tree_[part].kind != node_kind::slice) {
          f.parts.push_back(part);
          continue;
        }
        for (node const bound : tree_.children(part))
          if (tree_[bound].kind != node_kind::absent) f.parts.push_back(bound);
      }
      return true;
    case node_kind::call: return open_call(n, f);
    default: module_.error(n, "this is no value"); return false;
  }
}

inline function_reader::lowered function_reader::finish(frame& f) {
  make_.set_location(module_.place(tree_.start_of(f.of)));
  std::vector<value> values;
  switch (tree_[f.of].kind) {
    case node_kind::unary: return finish_unary(f.of, f.values[0]);
    case node_kind::binary: return finish_binary(f.of, f.values[0], f.values[1]);
    case node_kind::call: return {finish_call(f), false};
    default: break;
  }
  for (lowered const& v : f.values) values.push_back(v.v);
  if (tree_[f.of].kind == node_kind::subscript) return {subscript(f.of, values), false};
  return {tuple_of(f.of, values), false};
}

inline function_reader::lowered function_reader::finish_unary(node n, lowered a) {
  operation const op = tree_[n].op;
  if (a.literal)
    if (auto const folded = fold(n, op, a.v, {})) return *folded;
  if (op == operation::plus) return {a.v, a.literal};
  auto const kind = find_operator(op)->kind;
  ir::type const of = p_.type_of(a.v);
  bool const scalar = ir::host::is_scalar(in_, of);
  if (kind == "not") return {make_.unary(kind, a.v, scalar ? in_.integer(1) : ir::host::unknown(in_)), false};
  return {make_.unary(kind, a.v, scalar ? of : ir::host::unknown(in_)), false};
}

inline function_reader::lowered function_reader::finish_binary(node n, lowered a, lowered b) {
  operation const op = tree_[n].op;
  if (a.literal && b.literal)
    if (auto const folded = fold(n, op, a.v, b.v)) return *folded;
  return {make_binary(find_operator(op)->kind, a.v, b.v), false};
}

/// Literals alone make one literal, as they do in Python. Nothing when they do not, or the result is out of range: then
/// the operation stays one.
inline std::optional<function_reader::lowered> function_reader::fold(node n, operation op, value a, value b) {
  struct literal {
    bool real = false, boolean = false;
    std::int64_t i = 0;
    double d = 0;
  };
  auto literal_of = [&](value v) {
    literal l;
    ir::attribute const held = p_.attr(p_.defining_op(v), "value");
    if (auto const* f = in_.get_if<ir::float_attr>(held)) {
      l.real = true;
      l.d = std::bit_cast<double>(f->bits);
    } else {
      l.i = in_.get_if<ir::integer_attr>(held)->value;
      l.boolean = in_.get_if<ir::integer_attr>(held)->of == in_.integer(1);
      if (l.boolean) l.i = l.i != 0;
      l.d = static_cast<double>(l.i);
    }
    return l;
  };
  literal const x = literal_of(a), y = b ? literal_of(b) : literal{};
  enum class outcome { none, integer, real, boolean } is = outcome::none;
  std::int64_t i = 0;
  double d = 0;
  bool c = false;
  auto integer = [&](bool overflow) { is = overflow ? outcome::none : outcome::integer; };
  bool const real = x.real || y.real;
  auto compare = [&](auto holds) {
    is = outcome::boolean;
    c = real ? holds(x.d, y.d) : holds(x.i, y.i);
  };
  auto floor_div = [](std::int64_t l, std::int64_t r) { return l / r - ((l % r != 0) && ((l < 0) != (r < 0)) ? 1 : 0); };
  bool const divides = !real && y.i != 0 && !(x.i == INT64_MIN && y.i == -1);
  switch (op) {
    case operation::negate:
      if (x.real) is = outcome::real, d = -x.d;
      else integer(__builtin_sub_overflow(std::int64_t{0}, x.i, &i));
      break;
    case operation::plus:
      if (x.real) is = outcome::real, d = x.d;
      else is = outcome::integer, i = x.i;
      break;
    case operation::invert:
      if (!x.real) is = outcome::integer, i = ~x.i;
      break;
    case operation::logical_not: is = outcome::boolean, c = x.real ? x.d == 0 : x.i == 0; break;
    case operation::add:
      if (real) is = outcome::real, d = x.d + y.d;
      else integer(__builtin_add_overflow(x.i, y.i, &i));
      break;
    case operation::subtract:
      if (real) is = outcome::real, d = x.d - y.d;
      else integer(__builtin_sub_overflow(x.i, y.i, &i));
      break;
    case operation::multiply:
      if (real) is = outcome::real, d = x.d * y.d;
      else integer(__builtin_mul_overflow(x.i, y.i, &i));
      break;
    case operation::divide:
      if (y.d != 0) is = outcome::real, d = x.d / y.d;
      break;
    case operation::floor_divide:
      if (divides) is = outcome::integer, i = floor_div(x.i, y.i);
      break;
    case operation::modulo:
      if (divides) is = outcome::integer, i = x.i - floor_div(x.i, y.i) * y.i;
      break;
    case operation::power:
      if (!real && y.i >= 0) {
        bool overflow = false;
        i = 1;
        // A base of magnitude above one leaves 64 bits within 64 steps; others repeat after two.
        std::int64_t const steps = x.i > 1 || x.i < -1 ? y.i : y.i == 0 ? 0 : 2 - y.i % 2;
        for (std::int64_t k = 0; k < steps && !overflow; ++k) overflow = __builtin_mul_overflow(i, x.i, &i);
        integer(overflow);
      }
      break;
    case operation::shift_left:
      if (!real && y.i >= 0 && y.i < 63) integer(__builtin_mul_overflow(x.i, std::int64_t{1} << y.i, &i));
      break;
    case operation::shift_right:
      if (!real && y.i >= 0) is = outcome::integer, i = x.i >> (y.i > 63 ? 63 : y.i);
      break;
    case operation::bit_and: if (!real) is = outcome::integer, i = x.i & y.i; break;
    case operation::bit_or: if (!real) is = outcome::integer, i = x.i | y.i; break;
    case operation::bit_xor: if (!real) is = outcome::integer, i = x.i ^ y.i; break;
    case operation::equal: compare([](auto l, auto r) { return l == r; }); break;
    case operation::different: compare([](auto l, auto r) { return l != r; }); break;
    case operation::less: compare([](auto l, auto r) { return l < r; }); break;
    case operation::at_most: compare([](auto l, auto r) { return l <= r; }); break;
    case operation::greater: compare([](auto l, auto r) { return l > r; }); break;
    case operation::at_least: compare([](auto l, auto r) { return l >= r; }); break;
    case operation::logical_and: if (x.boolean && y.boolean) is = outcome::boolean, c = x.i != 0 && y.i != 0; break;
    case operation::logical_or: if (x.boolean && y.boolean) is = outcome::boolean, c = x.i != 0 || y.i != 0; break;
    default: break;
  }
  if (is == outcome::none || (is == outcome::real && !std::isfinite(d))) return std::nullopt;
  make_.set_location(module_.place(tree_.start_of(n)));
  ir::host::erase_expression(p_, a);
  if (b) ir::host::erase_expression(p_, b);
  if (is == outcome::integer) return lowered{make_.constant(i, "INDEX"), true};
  if (is == outcome::real) return lowered{real_constant(d, "FP32"), true};
  return lowered{boolean_constant(c), true};
}

inline function_reader::value function_reader::cast_to(value v, ir::type to) { return make_.unary("cast", v, to); }

/// Brings the operands to one width, in the wider one's type, and to floats if one of them is a float.
inline function_reader::value function_reader::make_binary(std::string_view kind, value a, value b) {
  auto const* left = ir::host::find_dtype(ir::host::dtype_name(in_, p_.type_of(a)));
  auto const* right = ir::host::find_dtype(ir::host::dtype_name(in_, p_.type_of(b)));
  if (left == nullptr || right == nullptr) return make_.binary(kind, a, b, ir::host::unknown(in_));
  bool const to_right = left->is_float != right->is_float ? right->is_float : right->bits > left->bits;
  if (left->bits != right->bits || left->is_float != right->is_float) {
    if (to_right)
      a = cast_to(a, p_.type_of(b));
    else
      b = cast_to(b, p_.type_of(a));
  }
  return make_.binary(kind, a, b, ir::host::promoted(in_, kind, p_.type_of(a), p_.type_of(b)));
}

/// Types are limited in size, so that a few lines cannot make one which no memory holds.
inline bool function_reader::fits(node n, full_type const& t) {
  constexpr std::size_t most_parts = 4096, most_depth = 64;
  std::size_t parts = 0;
  std::vector<std::pair<ir::type, std::size_t>> open{{t.of, 1}};
  while (!open.empty()) {
    auto const [next, depth] = open.back();
    open.pop_back();
    if (++parts > most_parts || depth > most_depth) {
      module_.error(n, "this type is too large");
      return false;
    }
    if (auto const* tuple = in_.get_if<ir::tuple_type>(next))
      for (ir::type const e : tuple->elements) open.emplace_back(e, depth + 1);
  }
  return true;
}

inline function_reader::value function_reader::tuple_of(node n, std::vector<value> const& elements) {
  full_type made;
  ir::tuple_type list;
  for (value const v : elements) {
    auto const one = ir::host::type_of(p_, v);
    list.elements.push_back(one.of);
    made.holes.insert(made.holes.end(), one.holes.begin(), one.holes.end());
  }
  made.of = in_.get(std::move(list));
  if (!fits(n, made)) return {};
  std::vector<value> operands = elements;
  auto const holes = make_.clone_expressions(made.holes);
  operands.insert(operands.end(), holes.begin(), holes.end());
  return p_.result(make_.make(ir::opcode::host_tuple, std::move(operands), {made.of}), 0);
}

inline function_reader::value function_reader::subscript(node n, std::vector<value> const& values) {
  auto const base = ir::host::type_of(p_, values[0]);
  auto const indices = tree_.children(n).subspan(1);
  if (auto const* tuple = in_.get_if<ir::tuple_type>(base.of)) {
    auto const index = indices.size() == 1 && values.size() == 2 ? ir::host::constant_int(p_, values[1]) : std::nullopt;
    auto const size = static_cast<std::int64_t>(tuple->elements.size());
    if (!index || tree_[indices[0]].kind == node_kind::slice) {
      module_.error(n, "the elements of a tuple are chosen by a constant");
      return {};
    }
    std::int64_t const which = *index < 0 ? *index + size : *index;
    if (which < 0 || which >= size) {
      module_.error(n, "the tuple has " + std::to_string(size) + " elements, there is no element " + std::to_string(*index));
      return {};
    }
    std::size_t from = 0;
    for (std::int64_t i = 0; i < which; ++i) from += ir::host::holes(in_, tuple->elements[static_cast<std::size_t>(i)]);
    ir::type const element = tuple->elements[static_cast<std::size_t>(which)];
    auto const held = std::span(base.holes).subspan(from, ir::host::holes(in_, element));
    ir::host::erase_expression(p_, values[1]);
    std::vector<value> operands{values[0]};
    auto const holes = make_.clone_expressions(held);
    operands.insert(operands.end(), holes.begin(), holes.end());
    return p_.result(make_.make(ir::opcode::host_get, std::move(operands), {element},
                                {{"index", in_.integer_value(which)}}),
                     0);
  }
  // Each index takes the first extent away; a slice leaves one that is known only when the whole of it is taken.
  std::string written;
  for (node const i : indices) {
    if (!written.empty()) written += ',';
    if (tree_[i].kind != node_kind::slice) {
      written += 'i';
      continue;
    }
    auto const bounds = tree_.children(i);
    for (std::size_t k = 0; k < 3; ++k)
      if (tree_[bounds[k]].kind != node_kind::absent) written += static_cast<char>('a' + k);
    written += ':';
  }
  ir::type of = ir::host::unknown(in_);
  if (auto data = ir::host::tensor_of(in_, base.of);
      data && base.holes.empty() && !data->view && indices.size() <= data->shape.size() &&
      written.find(':') == std::string::npos) {
    data->shape.erase(data->shape.begin(), data->shape.begin() + static_cast<std::ptrdiff_t>(indices.size()));
    of = data->shape.empty() ? ir::host::scalar(in_, data->dtype) : ir::host::tensor(in_, *data);
  }
  return p_.result(make_.make(ir::opcode::host_subscript, values, {of}, {{"form", in_.string(written)}}), 0);
}

}  // namespace mpmd::text::python

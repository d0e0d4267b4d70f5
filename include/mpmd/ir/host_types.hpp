#pragma once
/// The types of host programs, as types of the one IR. An extent that is an expression is dynamic in the type, and
/// the op which defines a value of such a type has the expressions as its last operands (see docs/host_programs.md):
/// `holes` says how many a type has.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>

namespace mpmd::ir::host {

/// An element type: as host programs call it, as MLIR does, how many bits it has, and whether those are a float.
struct dtype_info {
  std::string_view name;
  std::string_view mlir;
  unsigned bits;
  bool is_float;
};

inline constexpr auto dtypes = std::to_array<dtype_info>({
    {"FP4", "!host.FP4", 4, true},
    {"FP4E2M1X2", "!host.FP4E2M1X2", 8, true},
    {"FP8E4M3FN", "f8E4M3FN", 8, true},
    {"FP8E5M2", "f8E5M2", 8, true},
    {"FP8E8M0", "!host.FP8E8M0", 8, true},
    {"FP16", "f16", 16, true},
    {"FP32", "f32", 32, true},
    {"BF16", "bf16", 16, true},
    {"HF4", "!host.HF4", 4, true},
    {"HF8", "!host.HF8", 8, true},
    {"INT4", "i4", 4, false},
    {"INT8", "i8", 8, false},
    {"INT16", "i16", 16, false},
    {"INT32", "i32", 32, false},
    {"INT64", "i64", 64, false},
    {"UINT4", "ui4", 4, false},
    {"UINT8", "ui8", 8, false},
    {"UINT16", "ui16", 16, false},
    {"UINT32", "ui32", 32, false},
    {"UINT64", "ui64", 64, false},
    {"BOOL", "i1", 1, false},
    {"INDEX", "index", 64, false},
    {"TASK_ID", "!host.TASK_ID", 64, false},
});

constexpr dtype_info const* find_dtype(std::string_view name) {
  for (auto const& d : dtypes)
    if (d.name == name) return &d;
  return nullptr;
}

/// Whether a number is a value of an integer type of fewer than 64 bits, or the type is another one.
constexpr bool fits(std::int64_t v, dtype_info const& d) {
  if (d.is_float || d.bits == 1 || d.bits >= 64) return true;
  if (d.mlir.starts_with('u')) return v >= 0 && v < std::int64_t{1} << d.bits;
  return v >= -(std::int64_t{1} << (d.bits - 1)) && v < std::int64_t{1} << (d.bits - 1);
}

/// The type of a scalar of an element type; null for an unknown name.
inline type scalar(context& in, std::string_view dtype) {
  auto const* d = find_dtype(dtype);
  if (d == nullptr) return {};
  std::string_view const spelled = d->mlir;
  if (spelled == "index") return in.get(index_type{});
  if (spelled.starts_with('!')) return in.get(opaque_type{std::string(spelled)});
  if (d->is_float) return in.floating(spelled);
  return in.integer(d->bits, spelled.starts_with('u') ? signedness::is_unsigned : signedness::signless);
}

/// The type of the number that a constant of an integer type holds: i64 for those that MLIR's syntax has no literals of.
inline type literal_type(context& in, type of) { return in.get_if<opaque_type>(of) ? in.integer(64) : of; }

/// What an element type is called, or nothing for a type that is none.
inline std::string_view dtype_name(context const& in, type t) {
  if (in.get_if<index_type>(t)) return "INDEX";
  auto named = [](std::string_view mlir) -> std::string_view {
    for (auto const& d : dtypes)
      if (d.mlir == mlir) return d.name;
    return {};
  };
  if (auto const* o = in.get_if<opaque_type>(t)) return named(o->text);
  if (auto const* f = in.get_if<float_type>(t)) return named(f->keyword);
  if (auto const* i = in.get_if<integer_type>(t)) {
    if (i->sign == signedness::is_signed) return {};
    for (auto const& d : dtypes)
      if (!d.is_float && d.bits == i->width && d.mlir != "index" && !d.mlir.starts_with('!') &&
          d.mlir.starts_with('u') == (i->sign == signedness::is_unsigned))
        return d.name;
  }
  return {};
}
inline bool is_scalar(context const& in, type t) { return !dtype_name(in, t).empty(); }

/// The types without content: `pl.Ptr` and so on.
struct marker_info {
  std::string_view text;  ///< how MLIR's syntax spells it
  std::string_view host;  ///< how the Python syntax does
};
inline constexpr auto markers = std::to_array<marker_info>({
    {"!host.ptr", "pl.Ptr"},
    {"!host.window_buffer", "pl._dump.WindowBuffer"},
    {"!host.unknown", "pl._dump.Unknown"},
    {"!host.void", "pl._dump.Void"},
    {"!host.memref", "pl._dump.MemRef"},
    {"!host.comm_ctx", "pld.CommCtx"},
    {"!host.async_session", "pld.AsyncSession"},
    {"!host.async_event", "pld.AsyncEvent"},
});
inline type marker(context& in, std::string_view text) { return in.get(opaque_type{std::string(text)}); }
inline type ptr(context& in) { return marker(in, "!host.ptr"); }
inline type window_buffer(context& in) { return marker(in, "!host.window_buffer"); }
inline type unknown(context& in) { return marker(in, "!host.unknown"); }
inline bool is_marker(context const& in, type t, std::string_view text) {
  auto const* o = in.get_if<opaque_type>(t);
  return o != nullptr && o->text == text;
}
inline bool is_ptr(context const& in, type t) { return is_marker(in, t, "!host.ptr"); }
inline bool is_unknown(context const& in, type t) { return is_marker(in, t, "!host.unknown"); }

enum class tensor_kind : std::uint8_t { plain, distributed, tile, array };

/// Lists of words, with blanks between them.
constexpr bool is_listed(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    auto const stop = words.find(' ');
    if (words.substr(0, stop) == word) return true;
    words = stop == std::string_view::npos ? std::string_view{} : words.substr(stop + 1);
  }
  return false;
}
inline constexpr std::string_view layouts = "ND DN NZ MX_A_ZZ MX_B_NN";
inline constexpr std::string_view paddings = "null zero max min";

/// How a tensor lies in memory. Lists may hold `dynamic_extent` where an expression stands.
struct tensor_view {
  std::optional<std::vector<std::int64_t>> valid_shape = {};  ///< absent where it is the shape
  std::vector<std::int64_t> stride = {};
  std::string layout = "ND";
  std::string pad = "null";
  friend bool operator==(tensor_view const&, tensor_view const&) = default;
};

/// A tensor of any kind. It is held as a builtin tensor type whose encoding, a dictionary, has the rest:
/// `kind`, `view` and, where the type refers to a window buffer, `window`.
struct tensor_data {
  tensor_kind kind = tensor_kind::plain;
  std::string dtype = {};
  std::vector<std::int64_t> shape = {};
  std::optional<tensor_view> view = {};  ///< one with nothing but defaults differs from none
  bool windowed = false;
  friend bool operator==(tensor_data const&, tensor_data const&) = default;
};

namespace detail {

inline constexpr std::array<std::string_view, 4> tensor_kinds = {"", "distributed", "tile", "array"};

inline attribute extents(context& in, std::vector<std::int64_t> const& list) {
  return in.get(dense_array_attr{in.integer(64), list});
}
inline std::vector<std::int64_t> extents_of(context const& in, attribute a) {
  auto const* d = in.get_if<dense_array_attr>(a);
  return d ? d->values : std::vector<std::int64_t>{};
}

}  // namespace detail

/// The type made of this data; null when the element type is unknown. Data that says the same makes the same type.
inline type tensor(context& in, tensor_data const& of) {
  type const element = scalar(in, of.dtype);
  if (!element) return {};
  std::vector<std::pair<name, attribute>> encoding;
  auto add = [&in](auto& list, std::string_view key, attribute a) { list.emplace_back(in.intern(key), a); };
  if (of.kind != tensor_kind::plain)
    add(encoding, "kind", in.string(detail::tensor_kinds[static_cast<std::size_t>(of.kind)]));
  if (of.view) {
    std::vector<std::pair<name, attribute>> view;
    bool const dynamic = std::find(of.shape.begin(), of.shape.end(), dynamic_extent) != of.shape.end();
    if (of.view->valid_shape && (dynamic || *of.view->valid_shape != of.shape))
      add(view, "valid_shape", detail::extents(in, *of.view->valid_shape));
    if (!of.view->stride.empty()) add(view, "stride", detail::extents(in, of.view->stride));
    if (of.view->layout != "ND") add(view, "layout", in.string(of.view->layout));
    if (of.view->pad != "null") add(view, "pad", in.string(of.view->pad));
    add(encoding, "view", in.dictionary(std::move(view)));
  }
  if (of.windowed) add(encoding, "window", in.unit());
  return in.get(tensor_type{of.shape, element, encoding.empty() ? attribute{} : in.dictionary(std::move(encoding))});
}

/// What a tensor type of any kind says; nothing for other types.
inline std::optional<tensor_data> tensor_of(context const& in, type t) {
  auto const* held = in.get_if<tensor_type>(t);
  if (held == nullptr) return std::nullopt;
  tensor_data d;
  d.dtype = dtype_name(in, held->element);
  if (d.dtype.empty()) return std::nullopt;
  d.shape = held->shape;
  if (!held->encoding) return d;
  if (auto const* kind = in.get_if<string_attr>(in.lookup(held->encoding, "kind")))
    for (std::size_t i = 1; i < detail::tensor_kinds.size(); ++i)
      if (detail::tensor_kinds[i] == kind->text) d.kind = static_cast<tensor_kind>(i);
  if (attribute const view = in.lookup(held->encoding, "view")) {
    d.view.emplace();
    if (attribute const a = in.lookup(view, "valid_shape")) d.view->valid_shape = detail::extents_of(in, a);
    d.view->stride = detail::extents_of(in, in.lookup(view, "stride"));
    if (auto const* s = in.get_if<string_attr>(in.lookup(view, "layout"))) d.view->layout = s->text;
    if (auto const* s = in.get_if<string_attr>(in.lookup(view, "pad"))) d.view->pad = s->text;
  }
  d.windowed = static_cast<bool>(in.lookup(held->encoding, "window"));
  return d;
}

inline bool is_distributed(context const& in, type t) {
  auto const* held = in.get_if<tensor_type>(t);
  if (held == nullptr) return false;
  auto const* kind = in.get_if<string_attr>(in.lookup(held->encoding, "kind"));
  return kind != nullptr && kind->text == "distributed";
}
/// Whether the type refers to a window buffer, which is then the last of its holes.
inline bool is_windowed(context const& in, type t) {
  auto const* held = in.get_if<tensor_type>(t);
  return held != nullptr && in.lookup(held->encoding, "window");
}
/// The distributed type with or without the reference to a window; other types stay what they are.
inline type with_window(context& in, type t, bool windowed) {
  auto const* held = in.get_if<tensor_type>(t);
  if (held == nullptr || !is_distributed(in, t)) return t;
  tensor_type changed = *held;
  changed.encoding = in.with(held->encoding, "window", windowed ? in.unit() : attribute{});
  return in.get(std::move(changed));
}

/// How many expressions and windows a type refers to: the dynamic extents of shape, valid shape and stride, in this
/// order, then the window; those of a tuple's elements one after the other. O(size of the type).
inline std::size_t holes(context const& in, type t) {
  auto dynamic = [](std::vector<std::int64_t> const& list) {
    std::size_t n = 0;
    for (auto const e : list) n += e == dynamic_extent ? 1u : 0u;
    return n;
  };
  std::size_t count = 0;
  std::vector<type> open{t};
  while (!open.empty()) {
    type const next = open.back();
    open.pop_back();
    if (auto const* tuple = in.get_if<tuple_type>(next)) {
      open.insert(open.end(), tuple->elements.begin(), tuple->elements.end());
    } else if (auto const* held = in.get_if<tensor_type>(next)) {
      count += dynamic(held->shape);
      if (!held->encoding) continue;
      if (attribute const view = in.lookup(held->encoding, "view"))
        for (auto const key : {"valid_shape", "stride"})
          if (auto const* d = in.get_if<dense_array_attr>(in.lookup(view, key))) count += dynamic(d->values);
      if (in.lookup(held->encoding, "window")) ++count;
    }
  }
  return count;
}

}  // namespace mpmd::ir::host

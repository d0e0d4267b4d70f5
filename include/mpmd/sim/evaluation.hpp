#pragma once
/// What evaluates one op: its operands, its results to be filled, and the attributes it reads.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/sim/tensor.hpp>

namespace mpmd::sim {

/// A budget that is shared by all that a simulation does, so that it always ends.
struct work_budget {
  std::uint64_t left;
  bool charge(std::uint64_t steps) {
    if (steps > left) return false;
    left -= steps;
    return true;
  }
};

using extents = std::vector<std::int64_t>;

/// The evaluation of one op that runs no regions, or only regions of scalar code. The results have the shapes
/// and formats of the op's result types and hold zeros; an evaluator fills them, or says in `error` why not.
struct evaluation {
  ir::program const& program;
  ir::op op;
  std::vector<tensor const*> inputs;
  std::vector<tensor> outputs;
  work_budget& budget;
  std::string error = {};
  bool out_of_steps = false;

  bool fail(std::string why) {
    error = std::move(why);
    return false;
  }
  bool malformed() { return fail("its attributes, operands and results do not fit each other"); }
  /// Steps beyond the one for each element of operands and results.
  bool charge(std::uint64_t steps) {
    out_of_steps = out_of_steps || !budget.charge(steps);
    return !out_of_steps || fail("it takes more steps than are left of the simulation's budget");
  }
  bool has(std::size_t operands, std::size_t results = 1) const {
    return inputs.size() == operands && outputs.size() == results;
  }

  ir::context const& context() const { return program.context(); }
  ir::attribute attr(std::string_view key) const { return program.attr(op, key); }

  /// A list of integers, in either spelling; `absent` when there is no such attribute.
  std::optional<extents> integers(std::string_view key, std::optional<extents> absent = std::nullopt) const {
    ir::attribute const a = attr(key);
    if (!a) return absent;
    if (auto const* list = context().get_if<ir::dense_array_attr>(a)) return list->values;
    auto const* dense = context().get_if<ir::dense_attr>(a);
    auto const form = dense ? form_of(context(), dense->of) : std::nullopt;
    if (!form || form->format.is_float() || element_count(form->shape, 1 << 16) > 1 << 16)
      return std::nullopt;
    auto const list = tensor_of(context(), *dense);
    if (!list) return std::nullopt;
    extents values;
    for (std::uint64_t const e : list->elements) values.push_back(static_cast<std::int64_t>(e));
    return values;
  }
  std::optional<std::int64_t> integer(std::string_view key) const {
    auto const* held = program.attr_if<ir::integer_attr>(op, key);
    return held ? std::optional(held->value) : std::nullopt;
  }
  /// `LT` of `#stablehlo<comparison_direction LT>`; empty if it is another attribute.
  std::string_view enumerator(std::string_view key) const {
    auto const* held = program.attr_if<ir::opaque_attr>(op, key);
    if (held == nullptr) return {};
    std::string_view text = held->text;
    while (!text.empty() && (text.back() == '>' || text.back() == ' ')) text.remove_suffix(1);
    auto const blank = text.find_last_of(" <");
    return blank == std::string_view::npos ? std::string_view{} : text.substr(blank + 1);
  }
  /// `[1, 2]` or `1` of the field `name = [1, 2]` of a structure such as `#stablehlo.dot<...>`; empty if the
  /// structure has no such field.
  std::optional<extents> field(std::string_view key, std::string_view name) const {
    auto const* held = program.attr_if<ir::opaque_attr>(op, key);
    if (held == nullptr) return std::nullopt;
    std::string_view text = held->text;
    std::size_t at = 0;
    while ((at = text.find(name, at)) != std::string_view::npos) {
      bool const starts = at > 0 && (text[at - 1] == ' ' || text[at - 1] == '<' || text[at - 1] == ',');
      std::size_t const behind = text.find_first_not_of(' ', at + name.size());
      if (starts && behind != std::string_view::npos && text[behind] == '=') {
        std::string_view rest = text.substr(behind + 1);
        extents values;
        bool const list =
            rest.find('[') != std::string_view::npos && rest.find_first_not_of(' ') == rest.find('[');
        std::size_t const end = rest.find_first_of(list ? "]" : ",>");
        rest = rest.substr(0, end);
        while (!rest.empty()) {
          std::size_t const digit = rest.find_first_of("-0123456789");
          if (digit == std::string_view::npos) break;
          rest.remove_prefix(digit);
          std::int64_t v = 0;
          auto const [stop, bad] = std::from_chars(rest.data(), rest.data() + rest.size(), v);
          if (bad != std::errc{}) return std::nullopt;
          values.push_back(v);
          rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
        }
        return values;
      }
      at += name.size();
    }
    return extents{};
  }
};

/// Row-major strides of a shape.
inline extents strides_of(extents const& shape) {
  extents strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t d = shape.size(); d-- > 0; step *= shape[d]) strides[d] = step;
  return strides;
}

/// Moves an index to the next element of a shape in row-major order.
inline void next_index(extents const& shape, extents& index) {
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d]) return;
    index[d] = 0;
  }
}

/// Whether the list has `rank` entries which are different dimensions below `bound`.
inline bool are_dimensions(extents const& list, std::size_t bound) {
  std::vector<bool> seen(bound, false);
  for (std::int64_t const d : list) {
    if (d < 0 || static_cast<std::size_t>(d) >= bound || seen[static_cast<std::size_t>(d)]) return false;
    seen[static_cast<std::size_t>(d)] = true;
  }
  return true;
}
inline bool same_form(tensor const& a, tensor const& b) { return a.shape == b.shape && a.format == b.format; }

}  // namespace mpmd::sim

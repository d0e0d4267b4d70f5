#pragma once
/// What the parts of the verifier share: the program, where they are in it, and how they report.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/sharding_check.hpp>
#include <mpmd/ir/symbols.hpp>
#include <mpmd/ir/type_text.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::ir {

/// Checks return whether all is well; the first fault they find they report and return false.
struct verify_context {
  program const& in;
  diagnostics& out;
  symbol_tables symbols;
  op module = {};                            ///< the module around the op being checked, or none
  op function = {};                          ///< the function around it, or none
  std::vector<op> manual_computations = {};  ///< the sdy.manual_computations around it, outermost first
  std::size_t vhlo_functions = 0;            ///< how many functions of the vhlo dialect are around it
  std::unordered_map<std::uint32_t, std::size_t> parameter_counts = {};  ///< of called host functions, by their op
  std::unordered_set<std::uint32_t> sound_topologies = {};  ///< that have been checked: functions share them

  verify_context(program const& p, diagnostics& d) : in(p), out(d), symbols(p) {}

  context const& cx() const { return in.context(); }

  /// Reports an error of an op; always false. `subject` becomes the id `verify.<subject>`.
  bool fail(op at, std::string_view subject, std::string message, std::vector<diagnostic::note> notes = {}) {
    out.emit({severity::error, "verify." + std::string(subject), locate(in, at), std::move(message),
              std::move(notes)});
    return false;
  }
  /// The same, with `'name' op ` before the message.
  bool fail_op(op at, std::string_view subject, std::string const& message,
               std::vector<diagnostic::note> notes = {}) {
    return fail(at, subject, op_prefix(at) + message, std::move(notes));
  }
  std::string op_prefix(op at) const { return "'" + std::string(in.kind_text(at)) + "' op "; }
  std::string quoted(type t) const { return ir::quoted(cx(), t); }
  std::string quoted(value v) const { return quoted(in.type_of(v)); }

  /// The op that a symbol held by an attribute of `o` means, or none.
  op resolve(op o, std::string_view key) {
    auto const* reference = in.attr_if<symbol_ref_attr>(o, key);
    return reference ? symbols.resolve_in(module, *reference) : op{};
  }

  /// The first mesh of that name in a topology, a mesh_attr, or null. O(1) beside one walk for each topology.
  attribute find_mesh(attribute topology, std::string_view label) {
    auto const [known, is_new] = meshes_.try_emplace(topology.id);
    if (is_new)
      if (auto const* held = cx().get_if<topology_attr>(topology))
        for (attribute const entry : held->meshes)
          if (auto const* named = cx().get_if<named_mesh_attr>(entry)) known->second.emplace(named->label, named->mesh);
    auto const at = known->second.find(label);
    return at == known->second.end() ? attribute{} : at->second;
  }

  /// find_fault of a sharding, a type and a mesh, each found well once only.
  fault find_sharding_fault(attribute sharding, type of, attribute mesh, divisibility divides) {
    auto& known = fitting_[divides == divisibility::required ? 1 : 0];
    attribute& fits = known[std::uint64_t{sharding.id} << 32 | of.id];
    if (fits == mesh) return {};
    auto const& data = *cx().get_if<mesh_attr>(mesh);
    if (auto bad = find_fault(data)) return bad;
    if (auto bad = find_fault(cx(), *cx().get_if<sharding_attr>(sharding), of, data, divides)) return bad;
    fits = mesh;
    return {};
  }

 private:
  std::unordered_map<std::uint32_t, std::unordered_map<std::string_view, attribute>> meshes_ = {};  ///< by topology
  /// By sharding and type: the mesh on which they were found to fit last.
  std::array<std::unordered_map<std::uint64_t, attribute>, 2> fitting_ = {};
};

// --- Checks that several dialects need ---------------------------------------------------------------------------

/// An attribute of kind T that must be there.
template <class T>
T const* required_attribute(verify_context& c, op o, std::string_view key, std::string_view kind) {
  attribute const held = c.in.attr(o, key);
  if (auto const* found = c.cx().get_if<T>(held)) return found;
  if (held)
    c.fail_op(o, "attribute",
              "attribute '" + std::string(key) + "' failed to satisfy constraint: " + std::string(kind));
  else
    c.fail_op(o, "attribute", "requires attribute '" + std::string(key) + "'");
  return nullptr;
}
/// An attribute that is of kind T if it is there.
template <class T>
bool optional_attribute(verify_context& c, op o, std::string_view key, std::string_view kind) {
  attribute const held = c.in.attr(o, key);
  if (!held || c.cx().get_if<T>(held) != nullptr) return true;
  return c.fail_op(o, "attribute",
                   "attribute '" + std::string(key) + "' failed to satisfy constraint: " + std::string(kind));
}

/// An integer attribute of exactly this type that must be there.
inline integer_attr const* required_integer(verify_context& c, op o, std::string_view key,
                                            std::uint32_t width, signedness sign) {
  std::string const kind = std::to_string(width) + "-bit " +
                           (sign == signedness::signless    ? "signless"
                            : sign == signedness::is_signed ? "signed"
                                                            : "unsigned") +
                           " integer attribute";
  auto const* found = required_attribute<integer_attr>(c, o, key, kind);
  if (found == nullptr) return nullptr;
  auto const* of = c.cx().get_if<integer_type>(found->of);
  if (of != nullptr && of->width == width && of->sign == sign) return found;
  c.fail_op(o, "attribute", "attribute '" + std::string(key) + "' failed to satisfy constraint: " + kind);
  return nullptr;
}

inline bool is_tensor(context const& cx, type t) {
  return cx.get_if<tensor_type>(t) != nullptr || cx.get_if<unranked_tensor_type>(t) != nullptr;
}
inline bool is_mesh_tensor(context const& cx, type t) { return cx.get_if<mesh_tensor_type>(t) != nullptr; }
inline bool is_token(context const& cx, type t) { return cx.get_if<token_type>(t) != nullptr; }

/// Every operand and every result satisfies a predicate on types.
template <class Predicate>
bool check_operand_types(verify_context& c, op o, std::string_view description, Predicate holds) {
  for (std::uint32_t i = 0; i < c.in.operand_count(o); ++i)
    if (type const t = c.in.type_of(c.in.operand(o, i)); !holds(t))
      return c.fail_op(o, "type",
                       "operand #" + std::to_string(i) + " must be " + std::string(description) +
                           ", but got " + c.quoted(t));
  return true;
}
template <class Predicate>
bool check_result_types(verify_context& c, op o, std::string_view description, Predicate holds) {
  for (std::uint32_t i = 0; i < c.in.result_count(o); ++i)
    if (type const t = c.in.type_of(c.in.result(o, i)); !holds(t))
      return c.fail_op(o, "type",
                       "result #" + std::to_string(i) + " must be " + std::string(description) +
                           ", but got " + c.quoted(t));
  return true;
}

inline std::vector<type> types_of(program const& in, std::span<value const> values) {
  std::vector<type> types;
  for (value const v : values) types.push_back(in.type_of(v));
  return types;
}
inline std::vector<type> result_types(program const& in, op o) {
  std::vector<type> types;
  for (value const v : in.results(o)) types.push_back(in.type_of(v));
  return types;
}

/// All operands and results have the type of the first operand.
inline bool check_all_types_equal(verify_context& c, op o) {
  type const first = c.in.type_of(c.in.operand(o, 0));
  bool same = true;
  for (value const v : c.in.operands(o)) same = same && c.in.type_of(v) == first;
  for (value const v : c.in.results(o)) same = same && c.in.type_of(v) == first;
  return same || c.fail_op(o, "type", "requires the same type for all operands and results");
}

}  // namespace mpmd::ir

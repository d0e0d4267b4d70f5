#include "explain.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/analysis/placement_names.hpp>
#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/why.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/transform/fragments.hpp>

namespace tool {
namespace {

namespace ir = mpmd::ir;
using step = mpmd::program_step<ir::program>;
using traits = mpmd::ir_traits<ir::program>;

class explanation {
 public:
  explanation(ir::program const& p, mpmd::text::mlir::written_names const& names, std::ostream& out)
      : program_(p), names_(names), out_(out) {}

  // `m1["enc"], m2`
  static std::string text(mpmd::mesh_origins const& set, mpmd::mesh_names const& names) {
    std::string all;
    for (auto const& e : set.entries()) {
      all.append(all.empty() ? "" : ", ").append(names.meshes[e.mesh]);
      std::string labels;
      for (auto const l : e.origins) labels.append(labels.empty() ? "" : ", ").append(names.labels[l]);
      if (!labels.empty()) all.append(" (").append(labels).append(")");
    }
    return all;
  }

  void chain(std::vector<step> const& steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) line(i == 0 ? "      " : "      <- ", steps[i]);
  }

 private:
  void line(std::string_view lead, step const& s) {
    out_ << lead << describe(s);
    if (auto const at = program_.context().sources.resolve(place(s)); at.line != 0)
      out_ << "  [" << at.file << ':' << at.line << ':' << at.column << ']';
    out_ << '\n';
  }
  mpmd::source_position place(step const& s) const {
    if (s.v && program_.is_argument(s.v)) return program_.argument_where(s.v).text;
    return s.o ? program_.where(s.o).text : mpmd::source_position{};
  }
  std::string describe(step const& s) const {
    using mpmd::step_kind;
    std::string const name = s.v ? name_of(s.v) : std::string{};
    switch (s.kind) {
      case step_kind::argument: return "argument " + name + " of @" + function_of(s.v);
      case step_kind::loop_argument: return "loop argument " + name;
      case step_kind::function_result:
        return "result " + std::to_string(s.index) + " of @" + std::string(symbol(program_.parent_op(s.o)));
      case step_kind::loop_result: return "loop result " + name;
      default: break;
    }
    std::string all = name.empty() ? "" : name + " = ";
    all += program_.kind_text(s.o);
    if (s.kind == step_kind::assign)
      all += " to mesh " + quoted(mpmd::ir_traits<ir::program>::mesh_of(program_, s.v));
    else if (program_.is(s.o, ir::opcode::mpmd_unassign))
      all += " from mesh " + quoted(mpmd::ir_traits<ir::program>::mesh_of(program_, program_.operand(s.o, 0)));
    else if (program_.is(s.o, ir::opcode::mpmd_call))
      all += " @" + std::string(mpmd::ir_traits<ir::program>::callee_name(program_, s.o));
    if (auto const label = mpmd::ir_traits<ir::program>::label_of(program_, s.o); !label.empty())
      all += " (" + std::string(label) + ")";
    return all;
  }
  static std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }
  std::string_view symbol(ir::op o) const { return mpmd::ir_traits<ir::program>::function_name(program_, o); }
  std::string function_of(ir::value v) const {
    ir::op const f = program_.parent_op(program_.argument_block(v));
    return f ? std::string(symbol(f)) : std::string{};
  }
  std::string name_of(ir::value v) const { return std::string(names_.of(v)); }

  ir::program const& program_;
  mpmd::text::mlir::written_names const& names_;
  std::ostream& out_;
};

ir::op function_around(ir::program const& p, ir::op o) {
  while (o && !p.is(o, ir::opcode::func_func)) o = p.parent_op(o);
  return o;
}
ir::op fragment_around(ir::program const& p, ir::op o) {
  while (o && !p.is(o, ir::opcode::mpmd_fragment)) o = p.parent_op(o);
  return o;
}

// What makes a value that a call, a loop or a body hands on: what is in the function that is called or what stands before
// the call, what the loop carries, what goes into the body.
struct value_maker {
  ir::value made;
  ir::op call = {};
  std::optional<std::uint32_t> microbatch = {};
};
// What becomes argument `index` of the body of an op: in a loop what the turn before leaves, if that is another value.
ir::value behind_body(ir::program const& p, ir::op holder, std::uint32_t index, ir::value argument) {
  bool const loops = p.is(holder, ir::opcode::mpmd_for);
  if (!loops && !p.is(holder, ir::opcode::mpmd_named_computation) && !p.is(holder, ir::opcode::mpmd_fragment)) return {};
  if (index >= p.operand_count(holder)) return {};  // the number of the turn
  ir::op const end = loops ? ir::terminator(p, holder) : ir::op{};
  bool const carried = end && index < p.operand_count(end) && p.operand(end, index) != argument;
  return carried ? p.operand(end, index) : p.operand(holder, index);
}

value_maker maker_of(ir::program const& p, ir::value v) {
  value_maker found{v};
  std::vector<ir::op> calls;  // that have been entered, the last one innermost
  // Functions that call themselves, and loops that swap what they carry, would lead on for ever.
  for (int steps = 0; steps < 1000; ++steps) {
    if (p.is_argument(found.made)) {
      ir::block const b = p.argument_block(found.made);
      ir::op const holder = p.parent_op(b);
      std::uint32_t const index = p.index_of(found.made);
      if (auto const inner = behind_body(p, holder, index, found.made)) {
        found.made = inner;
        continue;
      }
      if (calls.empty() || !p.is(holder, ir::opcode::func_func) || index >= p.operand_count(calls.back())) break;
      found.made = p.operand(calls.back(), index);
      calls.pop_back();
      continue;
    }
    ir::op const call = p.defining_op(found.made);
    if (p.is(call, ir::opcode::mpmd_for)) {
      ir::op const end = ir::terminator(p, call);
      if (!end || p.index_of(found.made) >= p.operand_count(end)) break;
      found.made = p.operand(end, p.index_of(found.made));
      continue;
    }
    if (!p.is(call, ir::opcode::mpmd_call)) break;
    ir::op end = {};
    for (ir::op const f : traits::functions(p))
      if (traits::function_name(p, f) == traits::callee_name(p, call)) end = ir::terminator(p, f);
    std::uint32_t const index = p.index_of(found.made);
    if (!end || index >= p.operand_count(end)) break;
    if (!found.call) found.call = call;
    if (!found.microbatch) found.microbatch = mpmd::call_counter_of(p, call);
    calls.push_back(call);
    found.made = p.operand(end, index);
  }
  return found;
}

// Where the ops from some places stand now, those in fragments of one kind on one line; of a stated microbatch only those
// that are of no other.
void print_whereabouts(std::ostream& out, ir::program const& p, std::unordered_set<op_place> const& places,
                       std::optional<std::uint32_t> microbatch) {
  struct row {
    std::uint64_t ops = 0;
    std::set<std::uint32_t> microbatches = {};
  };
  std::map<std::string, row> rows;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (!places.contains(place_of(p, o)) || p.is(o, ir::opcode::mpmd_fragment)) return;
    if (traits::role_of(p, o) == mpmd::role::terminator) return;  // of a fragment that was made for the op
    ir::op const holder = fragment_around(p, o);
    if (auto const n = holder && microbatch ? mpmd::call_counter_of(p, holder) : std::nullopt; n && *n != *microbatch) return;
    if (!holder) {
      ++rows["in no fragment"].ops;
      return;
    }
    auto const info = traits::fragment_of(p, holder);
    std::string text = "on " + info.mesh;
    if (info.stage) text += ", stage " + std::to_string(*info.stage);
    text += info.is_inferred() ? ", in a fragment that inference made" : ", in " + mpmd::names_in_short(info.origins);
    auto const noted = traits::note_of(p, holder, "mpmd.inferred_by");
    if (auto const* reasons = std::get_if<std::vector<std::string>>(&noted))
      for (std::size_t i = 0; i < reasons->size(); ++i) text.append(i == 0 ? ": " : ", ").append((*reasons)[i]);
    auto& r = rows[text];
    ++r.ops;
    if (auto const n = mpmd::call_counter_of(p, holder)) r.microbatches.insert(*n);
  });
  if (rows.empty()) out << "    nowhere: nothing needs it, or it was folded away\n";
  for (auto const& [text, r] : rows) {
    out << "    " << text;
    if (!r.microbatches.empty())
      out << ", microbatch" << (r.microbatches.size() > 1 ? "es " : " ")
          << mpmd::numbers_in_short({r.microbatches.begin(), r.microbatches.end()});
    out << " (" << r.ops << (r.ops == 1 ? " op)\n" : " ops)\n");
  }
}

// What must and can be on which mesh, and why.
class set_explainer {
 public:
  set_explainer(ir::program const& p, mpmd::text::mlir::written_names const& names)
      : program_(p),
        names_(names),
        uses_(mpmd::use_sets<mpmd::sets_with_origins>(p)),
        srcs_(mpmd::src_sets(uses_)),
        use_chains_(uses_),
        src_chains_(srcs_) {}

  void print(ir::value v, std::ostream& out) {
    explanation e(program_, names_, out);
    auto const& used = uses_.policy.use_value(uses_[v]);
    out << "  must be on: " << (used.empty() ? "no mesh in particular" : e.text(used, *uses_.names)) << '\n';
    for (auto const& m : used.entries()) {
      out << "    " << uses_.names->meshes[m.mesh] << ", needed by\n";
      e.chain(use_chains_.why(v, uses_.names->meshes[m.mesh]));
    }
    auto const& possible = srcs_.policy.src_value(srcs_[v]);
    out << "  can be on: "
        << (!possible.specified() ? "any mesh" : possible.empty() ? "no mesh" : e.text(possible, *srcs_.names)) << '\n';
    for (auto const& m : possible.entries()) {
      out << "    " << srcs_.names->meshes[m.mesh] << ", offered by\n";
      e.chain(src_chains_.why(v, srcs_.names->meshes[m.mesh]));
    }
    if (!possible.specified()) return;
    for (auto const& m : used.entries())
      if (!possible.contains(m.mesh)) {
        out << "    not " << srcs_.names->meshes[m.mesh] << ", because of\n";
        e.chain(src_chains_.why_not(v, srcs_.names->meshes[m.mesh]));
      }
  }

 private:
  ir::program const& program_;
  mpmd::text::mlir::written_names const& names_;
  decltype(mpmd::use_sets<mpmd::sets_with_origins>(std::declval<ir::program const&>())) uses_;
  decltype(mpmd::src_sets(std::declval<decltype(uses_)&>())) srcs_;
  decltype(mpmd::explainer(std::declval<decltype(uses_)&>())) use_chains_;
  mpmd::explainer<ir::program, mpmd::sets_with_origins, false> src_chains_;
};

}  // namespace

op_place place_of(ir::program const& p, ir::op o) {
  ir::location const at = p.where(o);
  return op_place{at.text.offset} << 32 | at.given.id;
}

bool explainer::ask(ir::program const& p, std::string_view asked, mpmd::diagnostics& diags) {
  std::string_view function, name = asked;
  if (auto const colon = asked.find(':'); asked.starts_with('@') && colon != std::string_view::npos) {
    function = asked.substr(1, colon - 1);
    name = asked.substr(colon + 1);
  }
  std::vector<ir::value> meant;
  for (ir::value const v : names_.find(name)) {
    ir::op const f = function_around(p, p.parent_op(p.block_of(v)));
    if (function.empty() || (f && traits::function_name(p, f) == function)) meant.push_back(v);
  }
  if (meant.empty()) {
    diags.error({}, "why", "no value is called '" + std::string(asked) + "' (name it %name or @function:%name)");
    return false;
  }
  constexpr std::size_t most_explained = 10;
  for (std::size_t i = 0; i < std::min(meant.size(), most_explained); ++i) {
    question q{.title = std::string(asked), .asked = trace(p, meant[i]), .made = {}};
    if (meant.size() > 1) {
      ir::op const f = function_around(p, p.parent_op(p.block_of(meant[i])));
      q.title += " (" + std::to_string(i + 1) + " of " + std::to_string(meant.size()) + " values of that name";
      if (f) q.title.append(", in @").append(traits::function_name(p, f));
      if (auto const at = traits::source_of(p, traits::location_of_value(p, meant[i])); at.line != 0)
        q.title.append(", ").append(at.file).append(":" + std::to_string(at.line) + ":" + std::to_string(at.column));
      q.title += ")";
    }
    auto const origin = maker_of(p, meant[i]);
    q.made = origin.made != meant[i] ? trace(p, origin.made) : q.asked;
    if (origin.call) q.call = place_of(p, origin.call);
    q.microbatch = origin.microbatch;
    if (ir::op const o = p.is_argument(meant[i]) ? ir::op{} : p.defining_op(meant[i]);
        o && p.is(o, ir::opcode::mpmd_named_computation))
      q.sets = "  in the computation that the user named " + traits::origin_of(p, o).name + "\n";
    questions_.push_back(std::move(q));
  }
  if (meant.size() > most_explained)
    untold_ += std::to_string(meant.size() - most_explained) + " more values are called " + std::string(name) +
               "; @function:%name asks for those of one function\n";
  return true;
}

explainer::traced explainer::trace(ir::program const& p, ir::value v) {
  traced found{.value = v};
  if (p.is_argument(v)) {
    ir::op const holder = p.parent_op(p.block_of(v));
    auto const all = p.arguments(p.argument_block(v));
    found.index = static_cast<std::uint32_t>(std::find(all.begin(), all.end(), v) - all.begin());
    if (p.is(holder, ir::opcode::func_func)) found.function = traits::function_name(p, holder);
    return found;
  }
  ir::op const o = p.defining_op(v);
  found.index = v.id - p.result(o, 0).id;
  if (!p.is(o, ir::opcode::mpmd_named_computation)) {
    found.places.insert(place_of(p, o));
    return found;
  }
  for (ir::op const inner : traits::body(p, o))
    if (traits::role_of(p, inner) != mpmd::role::terminator) found.places.insert(place_of(p, inner));
  return found;
}

std::vector<ir::value> explainer::find(ir::program const& p, traced const& q) const {
  if (passes_.empty()) return {q.value};
  std::vector<ir::value> found;
  if (!q.function.empty()) {
    for (ir::op const f : traits::functions(p))
      if (traits::function_name(p, f) == q.function && q.index < traits::arguments(p, f).size())
        found.push_back(traits::arguments(p, f)[q.index]);
    return found;
  }
  ir::walk(p, p.root(), [&](ir::op o) {
    if (q.places.contains(place_of(p, o)) && q.index < p.results(o).size() && !fragment_around(p, o))
      found.push_back(p.result(o, q.index));
  });
  return found;
}

void explainer::before_pass(std::size_t number, ir::program const& p) {
  bool const inference = number < passes_.size() && passes_[number].name == "mpmd-infer-mesh-populate-use-set";
  if (explained_ || questions_.empty() || !(inference || number == passes_.size())) return;
  explained_ = true;
  set_explainer explain(p, names_);
  for (question& q : questions_) {
    if (!q.sets.empty()) continue;
    std::ostringstream text;
    auto values = find(p, q.asked);
    if (values.empty()) values = find(p, q.made);
    if (values.size() > 1) text << "  " << values.size() << " copies, of which the first\n";
    if (!values.empty()) explain.print(values.front(), text);
    q.sets = text.str();
  }
}

void explainer::print(ir::program const& p, std::ostream& out) const {
  for (question const& q : questions_) {
    out << q.title << '\n' << q.sets;
    if (passes_.empty()) continue;
    bool is_called = false;  // still
    if (q.call)
      ir::walk(p, p.root(), [&](ir::op o) {
        is_called = is_called || (p.is(o, ir::opcode::mpmd_call) && place_of(p, o) == *q.call);
      });
    std::string_view const title = is_called ? "  behind the passes, where the call has it from\n" : "  behind the passes\n";
    if (!q.made.places.empty()) {
      out << title;
      print_whereabouts(out, p, q.made.places, is_called ? std::nullopt : q.microbatch);
    } else if (auto const values = find(p, q.made); !values.empty()) {
      std::string_view const mesh = traits::mesh_of(p, values.front());
      out << title << "    " << (mesh.empty() ? "an argument on no mesh" : "an argument on " + std::string(mesh)) << '\n';
    } else if (q.made.function.empty()) {
      out << title << "    the number of a loop's turn, a constant in each\n";
    } else {
      out << title << "    an argument of @" << q.made.function << ", which is gone: ask for what its calls are given\n";
    }
  }
  out << untold_;
}

}  // namespace tool

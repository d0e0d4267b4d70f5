#include "explain.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/why.hpp>

namespace tool {
namespace {

namespace ir = mpmd::ir;
using step = mpmd::program_step<ir::program>;

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

}  // namespace

bool explain(ir::program const& p, mpmd::text::mlir::written_names const& names, std::string_view asked,
             mpmd::diagnostics& diags, std::ostream& out) {
  std::string_view function, name = asked;
  if (auto const colon = asked.find(':'); asked.starts_with('@') && colon != std::string_view::npos) {
    function = asked.substr(1, colon - 1);
    name = asked.substr(colon + 1);
  }
  auto const candidates = names.find(name);
  auto const found = std::find_if(candidates.begin(), candidates.end(), [&](ir::value const& c) {
    ir::op f = p.parent_op(p.block_of(c));
    while (f && !p.is(f, ir::opcode::func_func)) f = p.parent_op(f);
    return function.empty() || (f && mpmd::ir_traits<ir::program>::function_name(p, f) == function);
  });
  if (found == candidates.end()) {
    diags.error({}, "why", "no value is called '" + std::string(asked) + "' (name it %name or @function:%name)");
    return false;
  }
  ir::value const v = *found;
  auto const uses = mpmd::use_sets<mpmd::sets_with_origins>(p);
  auto const srcs = mpmd::src_sets(uses);
  explanation e(p, names, out);

  auto const& used = uses.policy.use_value(uses[v]);
  out << asked << '\n';
  out << "  must be on: " << (used.empty() ? "no mesh in particular" : e.text(used, *uses.names)) << '\n';
  mpmd::explainer use_chains(uses);
  for (auto const& m : used.entries()) {
    out << "    " << uses.names->meshes[m.mesh] << ", needed by\n";
    e.chain(use_chains.why(v, uses.names->meshes[m.mesh]));
  }

  auto const& possible = srcs.policy.src_value(srcs[v]);
  out << "  can be on: "
      << (!possible.specified() ? "any mesh" : possible.empty() ? "no mesh" : e.text(possible, *srcs.names)) << '\n';
  mpmd::explainer<ir::program, mpmd::sets_with_origins, false> src_chains(srcs);
  for (auto const& m : possible.entries()) {
    out << "    " << srcs.names->meshes[m.mesh] << ", offered by\n";
    e.chain(src_chains.why(v, srcs.names->meshes[m.mesh]));
  }
  if (possible.specified())
    for (auto const& m : used.entries())
      if (!possible.contains(m.mesh)) {
        out << "    not " << srcs.names->meshes[m.mesh] << ", because of\n";
        e.chain(src_chains.why_not(v, srcs.names->meshes[m.mesh]));
      }
  return true;
}

}  // namespace tool

#pragma once
/// Prints whole host programs: the module and its functions.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/text/python/function_order.hpp>
#include <mpmd/text/python/literals.hpp>
#include <mpmd/text/python/statement_printer.hpp>

namespace mpmd::text::python {

class program_printer : statement_printer {
 public:
  explicit program_printer(ir::program const& p) : statement_printer(p) {}

  /// The whole text, without a line break at the end.
  std::string whole() {
    std::string name(ir::host::text_of(p_, p_.root(), "sym_name"));
    if (name.empty()) name = "Program";
    auto const order = callees_first(p_);
    for (ir::op const f : order) function(f);
    if (order.empty()) line(1, "pass");
    std::string text = "# pypto.program: " + name + "\nimport pypto.language as pl\n";
    if (out_.find("pld.") != std::string::npos) text += "import pypto.language.distributed as pld\n";
    text += '\n';
    std::vector<std::string> dims(print_.names().dims().begin(), print_.names().dims().end());
    std::sort(dims.begin(), dims.end());
    for (auto const& d : dims) text.append(d).append(" = pl.dynamic(\"").append(d).append("\")\n");
    if (!dims.empty()) text += '\n';
    text.append("@pl.program\nclass ").append(name).append(":\n");
    if (!out_.empty()) out_.pop_back();
    text += out_;
    return text;
  }

 private:
  void function(ir::op f) {
    print_.enter(f);
    auto const kind = ir::host::function_type_of(p_, f), level = ir::host::level(p_, f), role = ir::host::role(p_, f);
    std::string marks;
    auto mark = [&marks](std::string_view text) { marks.append(marks.empty() ? "" : ", ").append(text); };
    if (kind != "Opaque") mark("type=pl.FunctionType." + std::string(kind));
    if (!level.empty()) mark("level=pl.Level." + std::string(level));
    if (!role.empty()) mark("role=pl.Role." + std::string(role));
    if (auto const* scope = p_.attr_if<ir::integer_attr>(f, "auto_scope"); scope && scope->value == 0)
      mark("auto_scope=False");
    if (auto const* source = p_.attr_if<ir::string_attr>(f, "external_source")) {
      std::string text = "external_source=";
      append_quoted(text, source->text);
      mark(text);
    }
    line(1, "@pl.function" + (marks.empty() ? marks : "(" + marks + ")"));
    print_.set({.host = level == "HOST"});
    indent(1);
    out_.append("def ").append(ir::host::function_name(p_, f)).append("(");
    bool first = role == "SubWorker";
    if (!first) out_ += "self";
    for (ir::value const v : ir::host::parameters(p_, f)) {
      if (!first) out_ += ", ";
      first = false;
      print_.name(v);
      out_ += ": ";
      auto const direction = ir::host::text_of(p_, p_.defining_op(v), "direction");
      if (!direction.empty()) out_ += direction == "out" ? "pl.Out[" : "pl.InOut[";
      print_.type_of(v);
      if (!direction.empty()) out_ += ']';
    }
    out_ += ')';
    results(f);
    out_ += ":\n";
    if (p_.attr(f, "bodiless")) {
      line(2, "...");
      return;
    }
    bool empty = true;
    if (auto const* attrs = p_.attr_if<ir::dictionary_attr>(f, "attrs"); attrs && !attrs->entries.empty()) {
      indent(2);
      out_ += "pl.func_attr(";
      print_.dictionary(f, "attrs");
      out_ += ")\n";
      empty = false;
    }
    body(f, empty);
  }

  void results(ir::op f) {
    for (ir::op const o : ir::ops(p_, ir::host::body_of(p_, f))) {
      if (!p_.is(o, ir::opcode::host_returns)) continue;
      auto const* types = p_.attr_if<ir::array_attr>(o, "types");
      if (types == nullptr || types->elements.empty()) return;
      bool const several = types->elements.size() > 1;
      out_ += several ? " -> tuple[" : " -> ";
      auto held = p_.operands(o);
      for (std::size_t i = 0; i < types->elements.size(); ++i) {
        auto const* t = in_.get_if<ir::type_attr>(types->elements[i]);
        if (t == nullptr) continue;
        if (i != 0) out_ += ", ";
        auto const n = std::min(held.size(), ir::host::holes(in_, t->held));
        print_.type(t->held, held.first(n));
        held = held.subspan(n);
      }
      if (several) out_ += ']';
      return;
    }
  }
};

}  // namespace mpmd::text::python

#include "explain_windows.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_messages.hpp>
#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/analysis/window_why.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/walk.hpp>

#include "window_uses.hpp"

namespace tool {
namespace {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;

std::string place(ir::program const& p, ir::op o) {
  auto const at = mpmd::window_place(p, o);
  return at.line == 0 ? std::string{} : "  [" + mpmd::detail::place_text(at) + "]";
}

// An integer expression as a user would write it; what has no short form is `...`.
std::string expression_text(ir::program const& p, ir::value root) {
  struct part {
    ir::value v;
    std::string_view text;  // of a part that is only text
  };
  std::string text;
  std::vector<part> open{{root, {}}};
  while (!open.empty()) {
    part const next = open.back();
    open.pop_back();
    ir::op const o = next.v ? p.defining_op(next.v) : ir::op{};
    if (!o) {
      text += next.text;
    } else if (host::is_variable(p, next.v)) {
      text += host::hint(p, next.v);
    } else if (auto const n = host::constant_int(p, next.v)) {
      text += std::to_string(*n);
    } else if (p.is(o, ir::opcode::host_call) && host::called_op(p, o) == "pld.system.world_size") {
      text += "world_size()";
    } else if (p.is(o, ir::opcode::host_binary)) {
      static constexpr std::pair<std::string_view, std::string_view> signs[] = {
          {"add", " + "}, {"sub", " - "}, {"mul", " * "}, {"floordiv", " // "}, {"floormod", " % "}};
      auto const kind = host::text_of(p, o, "kind");
      auto const sign = std::find_if(std::begin(signs), std::end(signs), [&](auto const& s) { return s.first == kind; });
      bool const outer = next.v == root;
      if (!outer) open.push_back({{}, ")"});
      open.push_back({p.operand(o, 1), {}});
      open.push_back({{}, sign == std::end(signs) ? std::string_view(" ? ") : sign->second});
      open.push_back({p.operand(o, 0), {}});
      if (!outer) open.push_back({{}, "("});
    } else {
      text += "...";
    }
  }
  return text;
}

std::string shape_text(ir::program const& p, ir::value v) {
  std::string text = "[";
  for (auto const& e : mpmd::ir_traits<ir::program>::extents_of(p, v)) {
    if (text.size() > 1) text += ", ";
    text += e ? std::to_string(*e) : "?";
  }
  return text + "] " + std::string(mpmd::ir_traits<ir::program>::element_type(p, v));
}

class windows_report {
 public:
  windows_report(ir::program const& p, std::ostream& out)
      : p_(p),
        trace_(mpmd::trace_windows(p)),
        why_(trace_),
        uses_(uses_of_windows(trace_)),
        standing_(p, trace_),
        out_(out) {}

  /// The allocations of a name, or those that a view of that name looks at; in one function or in all.
  std::vector<std::uint32_t> called(std::string_view name, std::string_view function) const {
    std::vector<std::uint32_t> found;
    for (auto const& f : trace_.functions) {
      if (!function.empty() && host::function_name(p_, f.o) != function) continue;
      for (auto a = f.first_allocation; a < f.end_of_allocations; ++a) {
        auto const& allocation = trace_.graph.allocations[a];
        bool named = allocation.name == name || (allocation.v && host::hint(p_, allocation.v) == name);
        for (auto const i : uses_[a].views) named |= host::hint(p_, trace_.graph.views[i].v) == name;
        if (named) found.push_back(a);
      }
    }
    return found;
  }

  void summary() {
    for (auto const& f : trace_.functions) {
      if (f.first_allocation == f.end_of_allocations) continue;
      out_ << "host function " << host::function_name(p_, f.o) << '\n';
      if (f.wrong && !f.materialised) out_ << "  at fault: " << mpmd::describe(trace_, f).message << place(p_, f.wrong.o) << '\n';
      if (f.materialised) {
        scopes_of(f);
        continue;
      }
      for (std::size_t d = 0; d < f.domains.size(); ++d) {
        out_ << "  domain comm_d" << d << ": " << mpmd::to_text(f.domains[d].devices) << '\n';
        for (auto const a : f.domains[d].allocations) window(a);
      }
    }
  }

  void chains(std::uint32_t a) {
    auto const& allocation = trace_.graph.allocations[a];
    out_ << allocation.name << " is on " << (trace_.devices(a).empty() ? "no device" : mpmd::to_text(trace_.devices(a)));
    if (ir::op const domain = standing_.domain_of(a))
      out_ << ", in domain " << host::domain_name(p_, domain);
    else if (trace_.domain(a) != host_trace::none)
      out_ << ", in domain comm_d" << trace_.domain(a);
    out_ << place(p_, allocation.o) << '\n';
    for (auto const& c : why_.why_all(a)) {
      if (c.dispatch == host_trace::none) continue;
      auto const& d = trace_.graph.dispatches[c.dispatch];
      out_ << "  on " << mpmd::to_text(d.on.devices) << " because of\n";
      dispatch_line("    ", d);
      ir::value last = {};
      for (auto n = c.nodes.rbegin(); n != c.nodes.rend(); ++n) {
        if (n != c.nodes.rbegin()) collective_line(*(n - 1), *n);
        if (ir::value const v = trace_.graph.nodes[*n].v; v != last && host::is_variable(p_, v)) {
          node_line(*n);
          last = v;
        }
      }
    }
  }

 private:
  /// The domains that stand in a function, and where they are not what tracing finds.
  void scopes_of(host_trace::function const& f) {
    ir::walk(p_, f.o, [&](ir::op o) {
      if (!p_.is(o, ir::opcode::host_comm_domain)) return;
      mpmd::device_set const on = standing_.devices_of(o);
      out_ << "  domain " << host::domain_name(p_, o) << ": " << mpmd::to_text(on) << place(p_, o) << '\n';
      for (ir::value const w : host::slots(p_, o)) {
        std::uint32_t const a = standing_.allocation_of(w);
        if (a < f.first_allocation || a >= f.end_of_allocations) {
          out_ << "    window " << host::hint(p_, w) << ": no allocation\n";
          continue;
        }
        window(a);
        // Launches that collectives have become are not traced.
        if (!trace_.devices(a).empty() && trace_.devices(a) != on)
          out_ << "      is needed on " << mpmd::to_text(trace_.devices(a)) << '\n';
      }
    });
  }
  void window(std::uint32_t a) {
    auto const& allocation = trace_.graph.allocations[a];
    auto const sizes = host::arguments(p_, allocation.o);
    out_ << "    window " << allocation.name << ": "
         << (sizes.empty() ? std::string("?") : expression_text(p_, sizes[0])) << " bytes" << place(p_, allocation.o)
         << '\n';
    for (auto const i : uses_[a].views) {
      auto const& v = trace_.graph.views[i];
      out_ << "      view " << host::hint(p_, v.v) << ": " << shape_text(p_, v.v) << place(p_, v.o) << '\n';
    }
    for (auto const i : uses_[a].dispatches) dispatch_line("      ", trace_.graph.dispatches[i]);
    for (auto const& [i, operand] : uses_[a].operands) {
      auto const& c = trace_.graph.collectives[i];
      auto const& facts = mpmd::facts_of(c.kind);
      out_ << "      " << (operand < facts.operands ? facts.operand_names[operand] : std::string_view("operand")) << " of "
           << facts.name << place(p_, c.o) << '\n';
    }
  }
  void dispatch_line(std::string_view lead, mpmd::window_graph<ir::program>::dispatch const& d) {
    out_ << lead << "dispatch of " << host::called_function(p_, d.o) << " on "
         << (!d.says_devices ? "no device in particular" : d.on.devices.empty() ? "no device: it never runs"
                                                                                 : mpmd::to_text(d.on.devices))
         << (d.on.devices.is_all() && d.on.number > 0
                 ? ", though the loop starts at " + std::to_string(d.on.number)
                 : std::string{})
         << place(p_, d.o) << '\n';
  }
  // Calls show as the variables that are set to them.
  void node_line(mpmd::window_node n) {
    using kind = mpmd::window_node_kind;
    auto const& graph = trace_.graph;
    auto const& node = graph.nodes[n];
    kind what = node.kind;
    if (what == kind::copy && graph.offsets[n] < graph.offsets[n + 1])
      if (auto const& from = graph.nodes[graph.sources[graph.offsets[n]]]; !host::is_variable(p_, from.v)) what = from.kind;
    out_ << "      <- ";
    switch (what) {
      case kind::allocation: out_ << "allocation "; break;
      case kind::view: out_ << "view "; break;
      case kind::collective: out_ << "result of a collective, "; break;
      case kind::merge: out_ << "what loops or branches leave in "; break;
      default: break;
    }
    out_ << host::hint(p_, node.v) << place(p_, node.o) << '\n';
  }

  // Devices go on from the data of a collective to the operands that share them.
  void collective_line(mpmd::window_node data, mpmd::window_node receiver) {
    if (from_data_.empty()) list_by_data();
    for (auto const i : from_data_[data]) {
      auto const& c = trace_.graph.collectives[i];
      auto const& facts = mpmd::facts_of(c.kind);
      for (auto const& r : facts.receivers)
        if (r.operand < c.operand_count && r.operand < c.operands.size() && c.operands[r.operand] == receiver) {
          out_ << "      <- " << r.called << " of " << facts.name << place(p_, c.o) << '\n';
          return;
        }
    }
  }

  void list_by_data() {
    auto const& all = trace_.graph.collectives;
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (auto const data = mpmd::facts_of(all[i].kind).data; data < all[i].operand_count && data < all[i].operands.size())
        from_data_[all[i].operands[data]].push_back(i);
  }

  ir::program const& p_;
  host_trace trace_;
  mpmd::window_explainer<ir::program> why_;
  std::vector<window_uses> uses_;
  standing_domains standing_;
  std::unordered_map<mpmd::window_node, std::vector<std::uint32_t>> from_data_;  // collectives; made when asked for
  std::ostream& out_;
};

}  // namespace

bool is_host_program(ir::program const& p) { return !host::functions(p).empty(); }

bool summarize_windows(ir::program const& p, mpmd::diagnostics&, std::ostream& out) {
  windows_report(p, out).summary();
  return true;
}

bool explain_window(ir::program const& p, std::string_view asked, mpmd::diagnostics& diags, std::ostream& out) {
  std::string_view function, name = asked;
  if (auto const colon = asked.find(':'); asked.starts_with('@') && colon != std::string_view::npos) {
    function = asked.substr(1, colon - 1);
    name = asked.substr(colon + 1);
  }
  windows_report report(p, out);
  auto const found = report.called(name, function);
  if (found.empty()) {
    diags.error({}, "why", "no allocation or view is called '" + std::string(asked) + "' (name it buf or @function:buf)");
    return false;
  }
  for (auto const a : found) report.chains(a);
  return true;
}

}  // namespace tool

#pragma once
/// What is wrong with the windows of a program, in words: what, where, and what to write instead.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// Where messages about an op point.
template <window_program P>
source_location window_place(P const& p, op_t<P> o) {
  if constexpr (requires { ir_traits<P>::source_of(p, ir_traits<P>::location_of(p, o)); })
    return o ? ir_traits<P>::source_of(p, ir_traits<P>::location_of(p, o)) : source_location{};
  else
    return {};
}

/// Where messages about one of its operands point: where that stands, for hosts that know, or at the op.
template <window_program P>
source_location window_place(P const& p, op_t<P> o, std::size_t operand) {
  if constexpr (requires { ir_traits<P>::source_of(p, ir_traits<P>::location_of_operand(p, o, operand)); })
    return ir_traits<P>::source_of(p, ir_traits<P>::location_of_operand(p, o, operand));
  else
    return window_place(p, o);
}

/// `all devices`, `{0, 1, 7}`; a long list ends in dots.
inline std::string to_text(device_set const& devices) {
  if (devices.is_all()) return "all devices";
  constexpr std::uint64_t most = 12;
  std::string text;
  std::uint64_t count = 0;
  for (auto const& i : devices.intervals()) {
    if (!text.empty()) text += ", ";
    if (++count > most) return "{" + text + "...}";
    text += std::to_string(i.first);
    if (i.last == i.first) continue;
    text.append(i.last == i.first + 1 ? ", " : ", ..., ").append(std::to_string(i.last));
  }
  return "{" + text + "}";
}

namespace detail {

struct window_text {
  std::string_view id;
  std::string_view message;  ///< with %n the number, %a the allocation, %o the operation, %r its operand, %p the place
  std::string_view advice;   ///< what to write instead
};

inline constexpr std::string_view window_prefix = "MaterializeCommDomainScopes: ";

constexpr window_text text_of(window_fault f) {
  switch (f) {
    case window_fault::none: return {};
    case window_fault::allocation_arity:
      return {"allocation-arity", "pld.tensor.alloc_window_buffer expects exactly one arg (size)",
              "write 'buf = pld.alloc_window_buffer(size)', the size in bytes"};
    case window_fault::allocation_unnamed:
      return {"allocation-name", "pld.tensor.alloc_window_buffer missing 'name' kwarg",
              "assign the allocation to a variable, which gives it its name"};
    case window_fault::allocation_unassigned:
      return {"allocation-unassigned",
              "pld.tensor.alloc_window_buffer '%a' must appear as the RHS of a simple assignment: nothing else can name "
              "its buffer",
              "write 'buf = pld.alloc_window_buffer(size)', and use buf"};
    case window_fault::collective_arity:
      return {"collective-arity", "%o expects exactly %n",
              "a host collective names every operand; an allreduce without a signal gets one from "
              "-synthesize-allreduce-signals, which runs before"};
    case window_fault::negative_device:
      return {"negative-device", "device= ConstInt must be non-negative, got %n",
              "devices are numbered from 0"};
    case window_fault::loop_start:
      return {"loop-start", "device=r loop start must unwrap to ConstInt",
              "start the loop over devices at a literal, or at a name for one"};
    case window_fault::loop_step:
      return {"loop-step", "device=r loop step must unwrap to ConstInt", "leave the step out: it is 1"};
    case window_fault::loop_stride:
      return {"loop-stride", "device=r over a non-unit-step loop is not supported (step=%n)",
              "loop over a contiguous range of devices, or write one dispatch for each device"};
    case window_fault::loop_range:
      return {"loop-range", "device=r loop range must be [0, N) with N>=0",
              "devices are numbered from 0, and a loop over them counts upwards"};
    case window_fault::loop_bound:
      return {"loop-bound", "device=r loop bound must be ConstInt or pld.system.world_size()",
              "end the loop over devices at a literal or at pld.world_size(), or at a name for one of them"};
    case window_fault::no_induction_variable:
      return {"device-variable", "device= Var is not the induction variable of any enclosing pl.range loop",
              "write the literal, or the variable of the pl.range loop around the dispatch, itself"};
    case window_fault::unsupported_device:
      return {"device-expression",
              "device= expression must be ConstInt or the induction var of pl.range; got an unsupported expression "
              "at %p",
              "write the literal, or loop over the devices themselves: for d in pl.range(first, last)"};
    case window_fault::operand_is_no_variable:
      return {"operand-variable", "%o %r must be a window view Var",
              "assign the view to a variable first, and pass that"};
    case window_fault::operand_is_no_window:
      return {"operand-window", "%o %r must be produced by pld.tensor.window",
              "pass a view that pld.window made of a buffer allocated in this function"};
    case window_fault::collective_in_loop:
      return {"collective-loop",
              "%o is not supported inside a for/while loop in a HOST orchestrator: how long its windows live when a "
              "loop carries them is not modelled, although the signal, which counts credits, can be used again by "
              "calls one after the other",
              "write the calls one after the other outside of loops"};
    case window_fault::data_without_devices:
      return {"data-devices",
              "collective data/target buffer has no inferred comm-domain coverage to share with its signal buffer",
              "dispatch a task that takes a view of the data, with device="};
    case window_fault::signal_without_devices:
      return {"signal-devices",
              "pld.tensor.barrier signal buffer has no inferred comm-domain coverage",
              "add a device= to a dispatch that takes the signal's window, or let a collective with data use the signal"};
    case window_fault::dead_allocation:
      return {"dead-allocation",
              "pld.tensor.alloc_window_buffer '%a' has no pld.tensor.window materialisation (dead allocation)",
              "make a view of it with 'v = pld.window(buf, shape, dtype=...)', or remove the allocation"};
    case window_fault::unused_allocation:
      return {"unused-allocation", "pld.tensor.alloc_window_buffer '%a' is not consumed by any chip_orch dispatch",
              "pass a view of it to a chip orchestrator with device=, or remove the allocation"};
    case window_fault::view_unassigned:
      return {"view-unassigned", "pld.tensor.window of '%a' must be assigned to a variable: nothing else can name its window",
              "write 'v = pld.window(buf, shape, dtype=...)', and use v"};
    case window_fault::duplicate_name:
      return {"duplicate-name", "duplicate allocation name '%a' within the same comm domain",
              "give one of the two another name"};
    case window_fault::no_window_type:
      return {"window-type", "pld.tensor.window result Var should have DistributedTensorType",
              "declare the variable as pld.DistributedTensor"};
    case window_fault::several_allocations:
      return {"several-allocations", "variable %v holds windows of several allocations where its uses meet",
              "use a variable of its own for the view of each allocation, and dispatch in each branch"};
  }
  return {};
}

inline std::string arity_text(collective_facts const& facts) {
  if (facts.operands == 1) return "one arg";
  return facts.operands == 2 ? "two args" : std::to_string(facts.operands) + " args";
}
inline std::string place_text(source_location const& at) {
  return at.line == 0 ? std::string("an unknown place")
                      : at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace detail

/// The problem of a function as an error at the op in question, with notes. Of allocations that nothing uses it names all
/// others of the function too.
template <window_program P>
diagnostic describe(window_trace<P> const& trace, typename window_trace<P>::function const& f) {
  P const& p = trace.program();
  auto const& graph = trace.graph;
  auto const& wrong = f.wrong;
  auto const text = detail::text_of(wrong.fault);
  bool const operand = wrong.fault == window_fault::operand_is_no_variable || wrong.fault == window_fault::operand_is_no_window;
  source_location const at = operand ? window_place(p, wrong.o, wrong.operand) : window_place(p, wrong.o);
  auto allocation_text = [&](window_fault fault, std::uint32_t allocation) {
    std::string made;
    std::string_view const pattern = detail::text_of(fault).message;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] != '%') {
        made += pattern[i];
        continue;
      }
      switch (pattern[++i]) {
        case 'a': made += graph.allocations[allocation].name; break;
        case 'n':
          made += fault == window_fault::collective_arity
                      ? detail::arity_text(facts_of(graph.collectives[wrong.index].kind))
                      : std::to_string(wrong.number);
          break;
        case 'o': made.append("pld.tensor.").append(facts_of(graph.collectives[wrong.index].kind).name); break;
        case 'r': {
          collective_facts const& facts = facts_of(graph.collectives[wrong.index].kind);
          std::string_view called = wrong.operand == facts.data ? facts.data_called : std::string_view{};
          for (auto const& r : facts.receivers)
            if (called.empty() && r.operand == wrong.operand) called = r.called;
          made += called;
          break;
        }
        case 'p': made += detail::place_text(at); break;
        default: break;
      }
    }
    return made;
  };
  diagnostic d{severity::error, "window." + std::string(text.id), at, {}, {}};
  d.message = (wrong.fault == window_fault::collective_in_loop ? std::string{} : std::string(detail::window_prefix)) +
              allocation_text(wrong.fault, wrong.index);
  if (wrong.fault == window_fault::dead_allocation || wrong.fault == window_fault::unused_allocation) {
    std::uint32_t notes = 0;
    constexpr std::uint32_t most_notes = 20;
    for (auto const& v : graph.views)
      if (trace.origin(v.n) == wrong.index && notes++ < most_notes)
        d.notes.push_back({window_place(p, v.o), v.bound ? "this is a view of it" : "this view of it is assigned to no variable, so nothing can use it"});
    for (auto const& each : graph.dispatches)
      for (auto i = each.first_argument; i < each.end_of_arguments; ++i) {
        if (trace.origin(graph.arguments[i]) != wrong.index || notes++ >= most_notes) continue;
        d.notes.push_back({window_place(p, each.o),
                           !trace.is_window(graph.arguments[i]) ? "this dispatch is given the pointer, not a window"
                           : !each.says_devices ? "this dispatch takes it, but has no device= and so counts for nothing"
                                                : "this dispatch takes it, but never runs: a loop around it makes no round"});
      }
    for (auto i = wrong.index + 1; i < f.end_of_allocations; ++i) {
      bool const unused = trace.devices(i).empty();
      if (!unused || notes++ >= most_notes) continue;
      bool viewed = false;
      for (auto const& v : graph.views) viewed |= v.bound && trace.origin(v.n) == i;
      d.notes.push_back({window_place(p, graph.allocations[i].o),
                         allocation_text(viewed ? window_fault::unused_allocation : window_fault::dead_allocation, i)});
    }
  }
  if (wrong.fault == window_fault::duplicate_name)
    for (auto i = f.first_allocation; i < wrong.index; ++i)
      if (graph.allocations[i].name == graph.allocations[wrong.index].name && trace.devices(i) == trace.devices(wrong.index)) {
        d.notes.push_back({window_place(p, graph.allocations[i].o), "the other one"});
        break;
      }
  d.notes.push_back({at, std::string(text.advice)});
  return d;
}

/// Warns of buffers that a literal gives no bytes: no device can allocate them.
template <window_program P>
void warn_of_empty_buffers(window_trace<P> const& trace, typename window_trace<P>::function const& f,
                           diagnostics& diags) {
  for (auto i = f.first_allocation; i < f.end_of_allocations; ++i) {
    auto const& a = trace.graph.allocations[i];
    if (a.bytes && *a.bytes <= 0)
      diags.emit({severity::warning, "window.size", window_place(trace.program(), a.o),
                  "'" + std::string(a.name) + "' is allocated with " + std::to_string(*a.bytes) +
                      " bytes, which no device can do",
                  {{window_place(trace.program(), a.o), "the size is in bytes, and at least 1"}}});
  }
}

/// Warns of dispatches that count for all devices though the loop over them leaves the first ones out.
template <window_program P>
void warn_of_late_loops(window_trace<P> const& trace, std::uint32_t function, diagnostics& diags) {
  auto const& graph = trace.graph;
  for (auto i = function == 0 ? 0u : graph.functions[function - 1].dispatches; i < graph.functions[function].dispatches; ++i) {
    auto const& d = graph.dispatches[i];
    if (!d.on.devices.is_all() || d.on.number <= 0) continue;
    diags.emit({severity::warning, "window.late-loop", window_place(trace.program(), d.o),
                "the loop over devices starts at " + std::to_string(d.on.number) +
                    ", and its windows are on all devices: how many there are is not known before the program runs",
                {}});
  }
}

/// Warns of dispatches that are given a window which no variable holds, the result of a collective or an element of a
/// tuple: they count for nothing.
template <window_program P>
void warn_of_nested_windows(window_trace<P> const& trace, typename window_trace<P>::function const& f,
                            diagnostics& diags) {
  P const& p = trace.program();
  for (auto const& each : trace.graph.nested) {
    auto const a = trace.is_window(each.n) ? trace.origin(each.n) : window_trace<P>::none;
    if (a < f.first_allocation || a >= f.end_of_allocations) continue;
    diags.emit({severity::warning, "window.nested", window_place(p, each.o),
                "this dispatch is given a window over '" + std::string(trace.graph.allocations[a].name) +
                    "' that no variable holds, so it counts for nothing",
                {{window_place(p, trace.graph.nodes[each.n].o), "assign this to a variable first, and pass that"}}});
  }
}

/// Warns of collectives whose windows are in different domains: no scope holds all of them, so they cannot be lowered.
template <window_program P>
void warn_of_split_collectives(window_trace<P> const& trace, typename window_trace<P>::function const& f,
                               diagnostics& diags) {
  P const& p = trace.program();
  for (auto const& c : trace.graph.collectives) {
    std::uint32_t first = window_trace<P>::none;
    for (std::uint32_t i = 0; i < c.operand_count && i < c.operands.size(); ++i) {
      auto const a = trace.is_window(c.operands[i]) ? trace.origin(c.operands[i]) : window_trace<P>::none;
      if (a < f.first_allocation || a >= f.end_of_allocations) continue;
      if (first == window_trace<P>::none) first = a;
      if (trace.domain(a) == trace.domain(first)) continue;
      auto side = [&](std::uint32_t allocation) {
        return "'" + std::string(trace.graph.allocations[allocation].name) + "' is on " + to_text(trace.devices(allocation)) +
               ", in domain comm_d" + std::to_string(trace.domain(allocation));
      };
      diags.emit({severity::warning, "window.split-collective", window_place(p, c.o),
                  "the windows of pld.tensor." + std::string(facts_of(c.kind).name) +
                      " are in different communication domains, so it cannot be lowered",
                  {{window_place(p, trace.graph.allocations[first].o), side(first)},
                   {window_place(p, trace.graph.allocations[a].o), side(a)}}});
      break;
    }
  }
}

}  // namespace mpmd

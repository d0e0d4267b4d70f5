#include "summary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/analysis/placement_cost.hpp>
#include <mpmd/analysis/placement_dot.hpp>
#include <mpmd/analysis/placement_graph.hpp>
#include <mpmd/analysis/placement_json.hpp>
#include <mpmd/analysis/placement_names.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/walk.hpp>

namespace tool {
namespace {

using mpmd::placement_cost;
using mpmd::placement_graph;
using mpmd::placement_summary;

// Rows of cells in columns as wide as they need to be; numbers stand at the right of theirs.
class table {
 public:
  explicit table(std::vector<std::string> titles) { rows_.push_back(std::move(titles)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  void print(std::ostream& out, std::size_t left_columns) const {
    std::vector<std::size_t> widths(rows_[0].size());
    for (auto const& row : rows_)
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    for (auto const& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        std::string const room(widths[i] - row[i].size(), ' ');
        line += ' ' + (i < left_columns ? row[i] + room : room + row[i]) + ' ';
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out << line << '\n';
    }
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string number(std::uint64_t n) { return mpmd::in_groups(n); }
// `3` or, with a word, `1 op`, `3 ops`.
std::string count(std::uint64_t n, std::string const& what) {
  return number(n) + ' ' + what + (n == 1 ? "" : "s");
}

// `m0: 0-3, 8; m1: 4-7`, the meshes in order of appearance.
std::string homes(std::vector<std::string> const& meshes) {
  std::vector<std::pair<std::string, std::string>> lists;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < meshes.size();) {
    std::size_t stop = i + 1;
    while (stop < meshes.size() && meshes[stop] == meshes[i]) ++stop;
    auto const [at, is_new] = known.try_emplace(meshes[i], lists.size());
    if (is_new) lists.emplace_back(meshes[i].empty() ? "no mesh" : meshes[i], "");
    std::string& list = lists[at->second].second;
    list += (list.empty() ? "" : ", ") + std::to_string(i);
    if (stop - i > 1) list += '-' + std::to_string(stop - 1);
    i = stop;
  }
  std::string text;
  for (auto const& [mesh, list] : lists) text += (text.empty() ? "" : "; ") + mesh + ": " + list;
  return text.empty() ? "none" : text;
}

std::uint64_t newly_placed(std::vector<std::string> const& before, std::vector<std::string> const& after) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < after.size(); ++i)
    n += !after[i].empty() && (i >= before.size() || before[i].empty());
  return n;
}

// What nobody had said in the input.
void print_decisions(std::ostream& out, placement_summary::function const* before,
                     placement_summary::function const& after) {
  placement_summary::work inferred;
  std::string where;
  for (auto const& m : after.meshes) {
    if (m.inferred.fragments == 0) continue;
    inferred.fragments += m.inferred.fragments;
    inferred.ops += m.inferred.ops;
    where += (where.empty() ? "" : ", ") + m.name + ": " + number(m.inferred.ops);
  }
  std::vector<std::string> lines;
  if (inferred.fragments != 0)
    lines.push_back(count(inferred.ops, "op") + " in " + count(inferred.fragments, "fragment") +
                    " of no user (" + where + ")");
  if (before != nullptr) {
    std::uint64_t const outside = before->unplaced;
    if (outside > after.unplaced)
      lines.push_back("the meshes of " + count(outside - after.unplaced, "op") +
                      " of the input that stood outside named computations");
    std::uint64_t const arguments = newly_placed(before->arguments, after.arguments);
    std::uint64_t const results = newly_placed(before->results, after.results);
    if (arguments != 0) lines.push_back("the meshes of " + count(arguments, "argument"));
    if (results != 0) lines.push_back("the meshes of " + count(results, "result"));
  }
  for (auto const& [reason, work] : after.reasons)
    lines.push_back(reason + ": " + count(work.fragments, "fragment") + ", " + count(work.ops, "op"));
  if (lines.empty()) return;
  out << "\n  decided by the passes\n";
  for (auto const& line : lines) out << "    " << line << '\n';
}

std::string bytes(placement_cost::traffic const& t) { return (t.unsized != 0 ? ">= " : "") + number(t.bytes); }
placement_cost::traffic sum(placement_cost::traffic a, placement_cost::traffic const& b) {
  return {a.transfers + b.transfers, a.bytes + b.bytes, a.unsized + b.unsized};
}

void print_meshes(std::ostream& out, placement_graph::function const& f, placement_cost const& cost) {
  table rows({"mesh", "fragments", "inferred", "ops", "added ops", "argument bytes", "made bytes", "sent bytes",
              "received bytes"});
  auto add = [&](std::string const& name, placement_cost::mesh const& m) {
    rows.add({name, number(m.fragments), number(m.inferred_fragments), number(m.ops), number(m.added_ops),
              number(m.argument_bytes), number(m.made_bytes), bytes(m.sent), bytes(m.received)});
  };
  placement_cost::mesh all;
  for (std::size_t i = 0; i < cost.meshes.size(); ++i) {
    auto const& m = cost.meshes[i];
    add(f.meshes[i], m);
    all.fragments += m.fragments;
    all.inferred_fragments += m.inferred_fragments;
    all.ops += m.ops;
    all.added_ops += m.added_ops;
    all.argument_bytes += m.argument_bytes;
    all.made_bytes += m.made_bytes;
    all.sent = sum(all.sent, m.sent);
    all.received = sum(all.received, m.received);
  }
  if (cost.meshes.size() > 1) add("all", all);
  rows.print(out, 1);
  if (cost.meshes.size() < 2 || (!cost.ops_balance && !cost.argument_balance)) return;
  auto ratio = [](double r) {
    auto const hundredths = static_cast<std::uint64_t>(r * 100 + 0.5);
    std::string const digits = std::to_string(hundredths % 100);
    return std::to_string(hundredths / 100) + (digits.size() < 2 ? ".0" : ".") + digits;
  };
  out << "  balance  ";
  if (cost.ops_balance) out << "ops " << ratio(*cost.ops_balance);
  if (cost.argument_balance) out << (cost.ops_balance ? ", " : "") << "argument bytes " << ratio(*cost.argument_balance);
  out << " (1: even, " << cost.meshes.size() << ": all on one mesh)\n";
}

void print_computations(std::ostream& out, placement_graph::function const& f, placement_cost const& cost) {
  if (cost.computations.empty()) return;
  table rows({"computations", "mesh", "stage", "microbatches", "fragments", "ops", "added ops"});
  for (auto const& c : cost.computations) {
    std::string what = mpmd::names_in_short(c.origins);
    if (c.origins.empty()) {
      for (auto const& reason : c.reasons) what += (what.empty() ? "" : ", ") + reason;
      what = what.empty() ? "inferred" : "inferred: " + what;
    }
    rows.add({what, f.meshes[c.mesh], c.stage ? std::to_string(*c.stage) : "-",
              c.microbatches.empty() ? "-" : mpmd::numbers_in_short(c.microbatches), number(c.fragments), number(c.ops),
              number(c.added_ops)});
  }
  out << '\n';
  rows.print(out, 4);
}

void print_traffic(std::ostream& out, placement_graph::function const& f, placement_cost const& cost) {
  table between({"from", "to", "transfers", "bytes"}), within({"mesh", "from memory", "to memory", "transfers", "bytes"});
  placement_cost::traffic all;
  std::size_t ways = 0;
  auto const at = [&](std::uint32_t mesh, std::string const& memory) {
    return f.meshes[mesh] + (memory.empty() ? "" : '#' + memory);
  };
  auto const kind = [](std::string const& memory) { return memory.empty() ? "-" : memory; };
  for (auto const& r : cost.routes) {
    if (r.from == r.to) {
      within.add({f.meshes[r.from], kind(r.from_memory), kind(r.to_memory), number(r.sent.transfers), bytes(r.sent)});
      continue;
    }
    between.add({at(r.from, r.from_memory), at(r.to, r.to_memory), number(r.sent.transfers), bytes(r.sent)});
    all = sum(all, r.sent);
    ++ways;
  }
  if (ways > 1) between.add({"all", "", number(all.transfers), bytes(all)});
  if (ways != 0) out << '\n', between.print(out, 2);
  if (cost.routes.size() != ways) out << '\n', within.print(out, 3);
  if (cost.routes.empty()) return;
  if (cost.microbatches.empty() || !cost.microbatches.front().number) return;
  table batches({"microbatch", "fragments", "ops", "transfers", "bytes"});
  for (auto const& m : cost.microbatches)
    batches.add({m.number ? std::to_string(*m.number) : "none", number(m.fragments), number(m.ops),
                 number(m.sent.transfers), bytes(m.sent)});
  out << '\n';
  batches.print(out, 1);
}

void print_function(std::ostream& out, placement_summary::function const* before, placement_summary::function const& sums,
                    placement_graph::function const& f) {
  placement_cost const cost = mpmd::cost_of(f);
  out << '@' << f.name << (f.entry ? "" : " (called)") << "\n\n";
  print_meshes(out, f, cost);
  print_computations(out, f, cost);
  print_traffic(out, f, cost);
  out << "\n  arguments  " << homes(sums.arguments) << "\n  results    " << homes(sums.results) << '\n';
  if (sums.named != 0 || sums.unplaced != 0)
    out << "  not placed " << count(sums.named, "named computation") << ", " << count(sums.unplaced, "op") << '\n';
  if (sums.calls != 0) out << "  calls      " << number(sums.calls) << '\n';
  print_decisions(out, before, sums);
}

void print_table(std::ostream& out, placement_summary const& before, placement_summary const& after,
                 placement_graph const& graph) {
  std::map<std::string, placement_summary::function const*> known;
  for (auto const& f : before.functions) known.emplace(f.name, &f);
  for (std::size_t i = 0; i < after.functions.size(); ++i) {
    if (i > 0) out << '\n';
    auto const at = known.find(after.functions[i].name);
    print_function(out, at == known.end() ? nullptr : at->second, after.functions[i], graph.functions[i]);
  }
  if (after.functions.empty()) out << "no function has a topology\n";
}

}  // namespace

void placement_shower::note_placed(mpmd::ir::program const& p) {
  mpmd::ir::walk(p, p.root(), [&](mpmd::ir::op o) {
    using traits = mpmd::ir_traits<mpmd::ir::program>;
    bool const users = p.is(o, mpmd::ir::opcode::mpmd_named_computation) ||
                       (p.is(o, mpmd::ir::opcode::mpmd_fragment) && !traits::fragment_of(p, o).is_inferred());
    if (users)
      for (mpmd::ir::op const inner : traits::body(p, o)) placed_.insert(place_of(p, inner));
  });
}

void placement_shower::before_all(mpmd::ir::program const& p) {
  if (as_ == shown::program) return;
  before_ = mpmd::summarize_placement(p);
  note_placed(p);
}

// What users called in their computations is in them by then, and nothing else is yet.
void placement_shower::behind(std::string_view pass, mpmd::ir::program const& p) {
  if (as_ != shown::program && pass == "mpmd-map-named-ops-to-mpmd-ops") note_placed(p);
}

void placement_shower::print(mpmd::ir::program const& p, std::ostream& out) const {
  auto const graph = mpmd::graph_of_placement(p, [&](mpmd::ir::op o) { return !placed_.contains(place_of(p, o)); });
  if (as_ == shown::json)
    out << mpmd::to_json(graph);
  else if (as_ == shown::dot)
    out << mpmd::to_dot(graph);
  else
    print_table(out, before_, mpmd::summarize_placement(p), graph);
}

}  // namespace tool

#include "summary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/ir/traits.hpp>

namespace tool {
namespace {

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

std::string number(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}
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

void print_function(std::ostream& out, placement_summary::function const* before,
                    placement_summary::function const& f) {
  out << '@' << f.name << (f.entry ? "" : " (called)") << "\n\n";
  table meshes({"mesh", "fragments", "ops", "inferred fragments", "inferred ops"});
  placement_summary::mesh total{"all"};
  for (auto const& m : f.meshes) {
    meshes.add({m.name, number(m.asked_for.fragments + m.inferred.fragments),
                number(m.asked_for.ops + m.inferred.ops), number(m.inferred.fragments),
                number(m.inferred.ops)});
    total.asked_for.fragments += m.asked_for.fragments;
    total.asked_for.ops += m.asked_for.ops;
    total.inferred.fragments += m.inferred.fragments;
    total.inferred.ops += m.inferred.ops;
  }
  if (f.meshes.size() > 1)
    meshes.add({total.name, number(total.asked_for.fragments + total.inferred.fragments),
                number(total.asked_for.ops + total.inferred.ops), number(total.inferred.fragments),
                number(total.inferred.ops)});
  meshes.print(out, 1);
  if (!f.routes.empty()) {
    out << '\n';
    table routes({"from", "to", "transfers", "bytes"});
    placement_summary::route sum;
    for (auto const& r : f.routes) {
      routes.add({r.from, r.to, number(r.transfers), (r.unsized != 0 ? ">= " : "") + number(r.bytes)});
      sum.transfers += r.transfers;
      sum.bytes += r.bytes;
      sum.unsized += r.unsized;
    }
    if (f.routes.size() > 1)
      routes.add({"all", "", number(sum.transfers), (sum.unsized != 0 ? ">= " : "") + number(sum.bytes)});
    routes.print(out, 2);
  }
  out << "\n  arguments  " << homes(f.arguments) << "\n  results    " << homes(f.results) << '\n';
  if (f.named != 0 || f.unplaced != 0)
    out << "  not placed " << count(f.named, "named computation") << ", " << count(f.unplaced, "op") << '\n';
  if (f.calls != 0) out << "  calls      " << number(f.calls) << '\n';
  print_decisions(out, before, f);
}

}  // namespace

mpmd::placement_summary summarize(mpmd::ir::program const& p) { return mpmd::summarize_placement(p); }

void print_summary(std::ostream& out, mpmd::placement_summary const& before,
                   mpmd::placement_summary const& after) {
  std::map<std::string, placement_summary::function const*> known;
  for (auto const& f : before.functions) known.emplace(f.name, &f);
  bool first = true;
  for (auto const& f : after.functions) {
    if (!std::exchange(first, false)) out << '\n';
    auto const at = known.find(f.name);
    print_function(out, at == known.end() ? nullptr : at->second, f);
  }
  if (after.functions.empty()) out << "no function has a topology\n";
}

}  // namespace tool

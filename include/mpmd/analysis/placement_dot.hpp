#pragma once
/// A placement as a drawing in the language of Graphviz: one colour a mesh, fragments as clusters, transfers as edges
/// labelled with their bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/analysis/placement_graph.hpp>
#include <mpmd/analysis/placement_names.hpp>
#include <mpmd/support/utf8.hpp>

namespace mpmd {

namespace detail {

class placement_drawing {
  using end = placement_graph::end;
  using end_kind = placement_graph::end_kind;

 public:
  std::string draw(placement_graph const& all) {
    text_ =
        "digraph placement {\n"
        "  rankdir=LR; compound=true; newrank=true; nodesep=0.25; ranksep=0.9; fontname=\"Helvetica\";\n"
        "  node [shape=box, style=\"filled,rounded\", fillcolor=white, fontname=\"Helvetica\", fontsize=11];\n"
        "  edge [fontname=\"Helvetica\", fontsize=10];\n";
    for (std::size_t i = 0; i < all.functions.size(); ++i) draw(all.functions[i], "f" + std::to_string(i));
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  // Bytes that are no UTF-8 become U+FFFD each.
  static std::string quoted(std::string_view s) {
    std::string out = "\"";
    while (!s.empty()) {
      char const c = s[0];
      std::size_t const length = utf8_length(s);
      if (length == 0)
        out += "\xEF\xBF\xBD";
      else if (c == '\n')
        out += "\\n";
      else if (c == '"' || c == '\\')
        out.append(1, '\\').append(1, c);
      else if (static_cast<unsigned char>(c) < 0x20u)
        out += ' ';
      else
        out += s.substr(0, length);
      s.remove_prefix(length == 0 ? 1 : length);
    }
    return out + '"';
  }
  // Hues a golden angle apart keep neighbours different, however many meshes there are.
  static std::string colour(std::uint32_t mesh, std::string_view saturation_and_value) {
    std::uint32_t const hue = (mesh * 618u + 580u) % 1000u;
    std::string digits = std::to_string(hue);
    digits.insert(0, 3 - digits.size(), '0');
    return "\"0." + digits + ' ' + std::string(saturation_and_value) + '"';
  }
  std::string fill(std::uint32_t mesh) const { return colour(mesh, "0.22 0.98"); }
  std::string line(std::uint32_t mesh) const { return colour(mesh, "0.80 0.62"); }

  void draw(placement_graph::function const& f, std::string const& prefix) {
    legend(f, prefix);
    for (std::size_t i = 0; i < f.fragments.size(); ++i) cluster(f, f.fragments[i], prefix, i);
    edges(f, prefix);
  }
  // One row of coloured cells, so that the colours can be read.
  void legend(placement_graph::function const& f, std::string const& prefix) {
    text_ += "  subgraph cluster_" + prefix + "_legend {\n    label=" + quoted("@" + f.name) +
             "; fontsize=16; style=rounded; color=gray;\n";
    for (std::uint32_t m = 0; m < f.meshes.size(); ++m)
      text_ += "    " + prefix + "_mesh" + std::to_string(m) + " [label=" + quoted("mesh " + f.meshes[m]) +
               ", fillcolor=" + fill(m) + ", color=" + line(m) + "];\n";
    text_ += "  }\n";
  }
  void cluster(placement_graph::function const& f, placement_graph::fragment const& one, std::string const& prefix,
               std::size_t index) {
    std::string title = f.meshes[one.mesh];
    if (one.stage) title += " · stage " + std::to_string(*one.stage);
    if (one.microbatch) title += " · microbatch " + std::to_string(*one.microbatch);
    std::string inside = names_in_short(one.origins);
    if (one.origins.empty()) {
      inside = "inferred";
      for (auto const& r : one.reasons) inside += '\n' + r;
    }
    inside += '\n' + in_groups(one.ops) + (one.ops == 1 ? " op" : " ops");
    if (one.added_ops != 0) inside += ", " + in_groups(one.added_ops) + " added";
    std::string const node = prefix + '_' + std::to_string(index);
    text_ += "  subgraph cluster_" + node + " {\n    label=" + quoted(title) +
             "; fontsize=11; style=\"filled,rounded" + (one.origins.empty() ? ",dashed" : "") +
             "\"; fillcolor=" + fill(one.mesh) + "; color=" + line(one.mesh) + ";\n    " + node +
             " [label=" + quoted(inside) + "];\n  }\n";
  }
  // The node of what a value comes from or goes to; arguments and results of one mesh share one.
  std::string node(placement_graph::function const& f, std::string const& prefix, end e, std::uint32_t mesh) {
    if (e.kind == end_kind::fragment) return prefix + '_' + std::to_string(e.index);
    if (e.kind == end_kind::transfer) return node_of_transfer(f, prefix, e.index);
    bool const out = e.kind == end_kind::result;
    std::string const name = prefix + (out ? "_results" : "_arguments") + std::to_string(mesh);
    if (outer_.insert(name).second)
      text_ += "  " + name + " [shape=ellipse, style=filled, label=" +
               quoted((out ? "results on " : "arguments on ") + f.meshes[mesh]) + ", fillcolor=" + fill(mesh) +
               ", color=" + line(mesh) + "];\n";
    return name;
  }
  // Where a value arrives that goes to several places, or is sent on.
  std::string node_of_transfer(placement_graph::function const& f, std::string const& prefix, std::uint32_t index) {
    std::uint32_t const mesh = f.transfers[index].to;
    std::string const name = prefix + "_transfer" + std::to_string(index);
    if (outer_.insert(name).second)
      text_ += "  " + name + " [shape=point, width=0.12, color=" + line(mesh) + "];\n";
    return name;
  }
  void edges(placement_graph::function const& f, std::string const& prefix) {
    // What goes the same way shares an edge.
    struct load {
      std::uint64_t transfers = 0, bytes = 0, unsized = 0;
      std::uint32_t from = 0;
      std::string memory = {};  // the kinds, if types say them
    };
    std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
    std::vector<std::tuple<std::string, std::string, load>> sent;
    for (std::uint32_t i = 0; i < f.transfers.size(); ++i) {
      auto const& t = f.transfers[i];
      std::string const from = node(f, prefix, t.source, t.from);
      std::string memory;
      if (!t.from_memory.empty() || !t.to_memory.empty())
        memory = t.from_memory + (t.from_memory.empty() ? "→ " : t.to_memory.empty() ? " →" : " → ") + t.to_memory;
      auto add = [&](std::string const& to) {
        auto const [at, is_new] = known.try_emplace({from, to, memory}, sent.size());
        if (is_new) sent.emplace_back(from, to, load{.from = t.from, .memory = memory});
        auto& l = std::get<2>(sent[at->second]);
        ++l.transfers;
        if (t.bytes)
          l.bytes += *t.bytes;
        else
          ++l.unsized;
      };
      // Sent once, however many use it.
      bool const passes_on =
          t.targets.size() > 1 || (t.targets.size() == 1 && t.targets[0].kind == end_kind::transfer);
      if (passes_on) add(node_of_transfer(f, prefix, i));
      for (end const e : t.targets) {
        if (e.kind == end_kind::transfer) continue;
        std::string const to = node(f, prefix, e, t.to);
        if (passes_on)
          local(node_of_transfer(f, prefix, i), to, t.to);
        else
          add(to);
      }
    }
    for (auto const& [from, to, l] : sent) {
      std::string label = l.unsized != 0 ? "≥ " : "";
      if (l.transfers > 1 && l.unsized == 0 && l.bytes % l.transfers == 0)
        label += std::to_string(l.transfers) + " × " + in_groups(l.bytes / l.transfers) + " B";
      else if (l.transfers > 1)
        label = std::to_string(l.transfers) + " transfers, " + label + in_groups(l.bytes) + " B";
      else
        label += in_groups(l.bytes) + " B";
      if (!l.memory.empty()) label += '\n' + l.memory;
      text_ += "  " + from + " -> " + to + " [label=" + quoted(label) + ", penwidth=1.6, color=" + line(l.from) +
               ", fontcolor=" + line(l.from) + "];\n";
    }
    for (std::uint32_t i = 0; i < f.fragments.size(); ++i)
      for (end const e : f.fragments[i].operands)
        if (e.kind == end_kind::fragment)
          local(prefix + '_' + std::to_string(e.index), prefix + '_' + std::to_string(i), f.fragments[i].mesh);
  }
  void local(std::string const& from, std::string const& to, std::uint32_t mesh) {
    text_ += "  " + from + " -> " + to + " [style=dotted, arrowsize=0.6, color=" + line(mesh) + "];\n";
  }

  std::string text_;
  std::set<std::string> outer_;
};

}  // namespace detail

/// The drawing. Solid edges are transfers, dotted ones values that stay on their mesh; ops that no user had placed are
/// told in each fragment, and a fragment of no user has a dashed frame. O(size of the text * log(fragments)).
inline std::string to_dot(placement_graph const& all) { return detail::placement_drawing().draw(all); }

}  // namespace mpmd

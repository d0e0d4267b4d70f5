#pragma once
/// A placement and its cost as JSON, for other programs to read. docs/summary.md describes every key.

#include <optional>
#include <string>
#include <vector>

#include <mpmd/analysis/placement_cost.hpp>
#include <mpmd/analysis/placement_graph.hpp>
#include <mpmd/support/json.hpp>

namespace mpmd {

namespace detail {

class placement_json {
 public:
  std::string write(placement_graph const& all) {
    out_.begin_object();
    out_.key("version").value(1);
    list("functions", all.functions, [this](auto const& f) { write(f, cost_of(f)); });
    out_.new_line().end_object();
    return out_.text() + '\n';
  }

 private:
  template <class Items, class Write>
  void list(std::string_view key, Items const& items, Write write) {
    out_.key(key).begin_list();
    for (auto const& one : items) {
      out_.new_line();
      write(one);
    }
    out_.end_list();
  }
  void write(placement_graph::function const& f, placement_cost const& cost) {
    out_.begin_object();
    out_.key("name").value(f.name);
    out_.key("entry").value(f.entry);
    std::size_t next = 0;
    list("meshes", cost.meshes, [&](placement_cost::mesh const& m) {
      out_.begin_object();
      out_.key("name").value(f.meshes[next++]);
      out_.key("fragments").value(m.fragments).key("inferred_fragments").value(m.inferred_fragments);
      out_.key("ops").value(m.ops).key("added_ops").value(m.added_ops);
      out_.key("argument_bytes").value(m.argument_bytes).key("made_bytes").value(m.made_bytes);
      traffic("sent", m.sent);
      traffic("received", m.received);
      traffic("moved", m.moved);
      out_.end_object();
    });
    out_.key("balance").begin_object();
    out_.key("ops").value_or_null(cost.ops_balance).key("argument_bytes").value_or_null(cost.argument_balance);
    out_.end_object();
    list("routes", cost.routes, [&](placement_cost::route const& r) {
      out_.begin_object();
      way(f, r);
      traffic("sent", r.sent);
      out_.end_object();
    });
    list("microbatches", cost.microbatches, [&](placement_cost::microbatch const& m) {
      out_.begin_object();
      out_.key("microbatch").value_or_null(m.number).key("fragments").value(m.fragments).key("ops").value(m.ops);
      traffic("sent", m.sent);
      out_.end_object();
    });
    list("computations", cost.computations, [&](placement_cost::computation const& c) {
      out_.begin_object();
      origins(c.origins, c.reasons);
      out_.key("mesh").value(f.meshes[c.mesh]).key("stage").value_or_null(c.stage);
      out_.key("fragments").value(c.fragments).key("ops").value(c.ops).key("added_ops").value(c.added_ops);
      out_.key("microbatches").begin_list();
      for (auto const n : c.microbatches) out_.value(n);
      out_.end_list().end_object();
    });
    list("fragments", f.fragments, [&](placement_graph::fragment const& one) {
      out_.begin_object();
      origins(one.origins, one.reasons);
      out_.key("mesh").value(f.meshes[one.mesh]).key("stage").value_or_null(one.stage);
      out_.key("microbatch").value_or_null(one.microbatch);
      out_.key("ops").value(one.ops).key("added_ops").value(one.added_ops).key("bytes").value(one.bytes);
      ends("operands", one.operands);
      out_.end_object();
    });
    list("transfers", f.transfers, [&](placement_graph::transfer const& t) {
      out_.begin_object();
      way(f, t);
      out_.key("bytes").value_or_null(t.bytes).key("microbatch").value_or_null(t.microbatch);
      out_.key("source");
      end(t.source);
      ends("targets", t.targets);
      out_.end_object();
    });
    places("arguments", f, f.arguments, false);
    places("results", f, f.results, true);
    out_.new_line().end_object();
  }
  template <class Way>
  void way(placement_graph::function const& f, Way const& w) {
    out_.key("from").value(f.meshes[w.from]).key("to").value(f.meshes[w.to]);
    out_.key("from_memory").value_or_null(w.from_memory.empty() ? nullptr : &w.from_memory);
    out_.key("to_memory").value_or_null(w.to_memory.empty() ? nullptr : &w.to_memory);
  }
  void traffic(std::string_view key, placement_cost::traffic const& t) {
    out_.key(key).begin_object();
    out_.key("transfers").value(t.transfers).key("bytes").value(t.bytes).key("unsized").value(t.unsized);
    out_.end_object();
  }
  void origins(std::vector<user_origin> const& names, std::vector<std::string> const& reasons) {
    out_.key("origins").begin_list();
    for (auto const& o : names) {
      out_.begin_object();
      out_.key("name").value(o.name).key("transpose_count").value(o.transpose_count);
      out_.end_object();
    }
    out_.end_list().key("inferred_by").begin_list();
    for (auto const& r : reasons) out_.value(r);
    out_.end_list();
  }
  void end(placement_graph::end e) {
    using kind = placement_graph::end_kind;
    if (e.kind == kind::none) {
      out_.null();
      return;
    }
    out_.begin_object();
    out_.key(e.kind == kind::argument   ? "argument"
             : e.kind == kind::result   ? "result"
             : e.kind == kind::fragment ? "fragment"
                                        : "transfer");
    out_.value(e.index).end_object();
  }
  void ends(std::string_view key, std::vector<placement_graph::end> const& all) {
    out_.key(key).begin_list();
    for (auto const e : all) end(e);
    out_.end_list();
  }
  void places(std::string_view key, placement_graph::function const& f,
              std::vector<placement_graph::function::place> const& all, bool with_source) {
    list(key, all, [&](placement_graph::function::place const& at) {
      out_.begin_object();
      out_.key("mesh").value_or_null(at.mesh ? &f.meshes[*at.mesh] : nullptr).key("bytes").value_or_null(at.bytes);
      if (with_source) {
        out_.key("source");
        end(at.source);
      }
      out_.end_object();
    });
  }

  json_writer out_;
};

}  // namespace detail

/// The graph, and what cost_of() says of each of its functions, as one JSON object that ends with a line break. Keys
/// always stand in the same order; an item of a list is a line. O(size of the text) beside cost_of().
inline std::string to_json(placement_graph const& all) { return detail::placement_json().write(all); }

}  // namespace mpmd

#pragma once
/// Topologies, meshes and shardings, as the library's own IR models topology_mpmd_program and
/// sharded_mpmd_program. They are members of ir_traits<ir::program> (ir/traits.hpp).

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/sharded_program.hpp>
#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/symbols.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

namespace detail {

inline device_mesh device_mesh_of(std::string label, mesh_attr const& mesh) {
  device_mesh found{std::move(label), {}, mesh.device_ids};
  for (auto const& axis : mesh.axes) found.axes.emplace_back(axis.label, axis.size);
  return found;
}
inline attribute mesh_attribute(context& in, device_mesh const& mesh) {
  mesh_attr made{{}, mesh.devices};
  for (auto const& [label, size] : mesh.axes) made.axes.push_back({label, size});
  return in.get(std::move(made));
}

/// Gives shardings other meshes, wherever they stand among the attributes of ops.
class sharding_retargeter {
 public:
  using decision = std::function<std::string(sharding_use const&)>;

  sharding_retargeter(program& in, std::vector<device_mesh> const& declared, decision to)
      : in_(in), to_(std::move(to)) {
    for (auto const& m : declared) by_name_.emplace(m.name, &m);
  }

  void run() {
    std::vector<op> all;
    walk(in_, in_.root(), [&](op o) { all.push_back(o); });
    for (op const o : all) {
      where_known_ = false;
      at_ = o;
      attribute const properties = in_.properties(o), attributes = in_.attributes(o);
      if (attribute const now = in_dictionary(properties, true); now != properties)
        in_.set_properties(o, now);
      if (attribute const now = in_dictionary(attributes, true); now != attributes)
        in_.set_attributes(o, now);
    }
  }

 private:
  context& cx() const { return in_.context(); }

  // `lists`: arrays are looked into, which hold shardings or dictionaries of arguments.
  attribute in_dictionary(attribute held, bool lists) {
    auto const* dictionary = cx().get_if<dictionary_attr>(held);
    if (dictionary == nullptr) return held;
    auto const entries = dictionary->entries;
    attribute now = held;
    for (auto const& [key, value] : entries) {
      attribute const changed = lists && cx().get_if<array_attr>(value) ? in_array(value) : in_value(value);
      if (changed != value) now = cx().with(now, cx().text(key), changed);
    }
    return now;
  }
  attribute in_array(attribute held) {
    array_attr list = *cx().get_if<array_attr>(held);
    bool changed = false;
    for (attribute& e : list.elements) {
      attribute const now = cx().get_if<dictionary_attr>(e) ? in_dictionary(e, false) : in_value(e);
      changed = changed || now != e;
      e = now;
    }
    return changed ? cx().get(std::move(list)) : held;
  }
  attribute in_value(attribute held) {
    if (cx().get_if<sharding_attr>(held)) return retargeted(held);
    auto const* each = cx().get_if<sharding_per_value_attr>(held);
    if (each == nullptr) return held;
    sharding_per_value_attr list = *each;
    bool changed = false;
    for (attribute& e : list.shardings) {
      attribute const now = cx().get_if<sharding_attr>(e) ? retargeted(e) : e;
      changed = changed || now != e;
      e = now;
    }
    return changed ? cx().get(std::move(list)) : held;
  }
  attribute retargeted(attribute held) {
    sharding_attr sharding = *cx().get_if<sharding_attr>(held);
    std::vector<std::string> axes;
    auto mention = [&](std::vector<axis_ref> const& more) {
      for (auto const& a : more) axes.push_back(a.axis);
    };
    for (auto const& d : sharding.dims) mention(d.axes);
    mention(sharding.replicated);
    mention(sharding.unreduced);
    device_mesh mesh;
    if (auto const* inlined = cx().get_if<mesh_attr>(sharding.mesh)) {
      mesh = device_mesh_of({}, *inlined);
    } else if (auto const* named = cx().get_if<symbol_ref_attr>(sharding.mesh)) {
      auto const known = by_name_.find(named->root);
      if (known != by_name_.end())
        mesh = *known->second;
      else
        mesh.name = named->root;
    }
    if (!where_known_) where_ = locate(in_, at_);
    where_known_ = true;
    std::string const name = to_(sharding_use{mesh, axes, where_});
    if (name.empty()) return held;
    sharding.mesh = cx().symbol(name);
    return cx().get(std::move(sharding));
  }

  program& in_;
  decision to_;
  std::unordered_map<std::string_view, device_mesh const*> by_name_;
  op at_;
  source_location where_;
  bool where_known_ = false;
};

}  // namespace detail

struct topology_editing {
  static void copy_topology(program& p, op from, op to) {
    p.set_attr(to, "topology", p.attr(from, "topology"));
  }
  static bool has_same_topology(program const& p, op f, op g) {
    return p.attr(f, "topology") == p.attr(g, "topology");
  }
  static void close_entry(program& p, op f) { set_visibility(p, f, symbol_visibility::is_private); }

  static std::vector<device_mesh> topology_of(program const& p, op f) {
    std::vector<device_mesh> found;
    if (auto const* topology = ir::topology_of(p, f))
      for (attribute const m : topology->meshes)
        if (auto const* named = p.context().get_if<named_mesh_attr>(m))
          if (auto const* mesh = p.context().get_if<mesh_attr>(named->mesh))
            found.push_back(detail::device_mesh_of(named->label, *mesh));
    return found;
  }
  static void add_to_topology(program& p, op f, device_mesh const& mesh) {
    context& c = p.context();
    topology_attr now;
    if (auto const* topology = ir::topology_of(p, f)) now = *topology;
    now.meshes.push_back(c.get(named_mesh_attr{mesh.name, detail::mesh_attribute(c, mesh)}));
    p.set_attr(f, "topology", c.get(std::move(now)));
  }
  static std::vector<device_mesh> declared_meshes(program const& p) {
    std::vector<device_mesh> found;
    for (op o = p.first_op(p.body()); o; o = p.next_op(o))
      if (auto const* mesh = p.is(o, opcode::sdy_mesh) ? p.attr_if<mesh_attr>(o, "mesh") : nullptr)
        found.push_back(detail::device_mesh_of(std::string(symbol_name(p, o)), *mesh));
    return found;
  }
  static void declare_meshes(program& p, std::span<device_mesh const> meshes) {
    context& c = p.context();
    op const first = p.first_op(p.body());
    for (auto const& m : meshes) {
      op const made = p.create({.kind = {static_cast<std::uint32_t>(opcode::sdy_mesh)},
                                .properties = make_dictionary(c, {{"mesh", detail::mesh_attribute(c, m)},
                                                                  {"sym_name", c.string(m.name)}}),
                                .where = p.where(p.root())});
      if (first)
        p.insert_before(first, made);
      else
        p.append(p.body(), made);
    }
  }
  static void undeclare_meshes(program& p, std::span<std::string const> labels) {
    std::unordered_set<std::string_view> const gone(labels.begin(), labels.end());
    for (op o = p.first_op(p.body()), next; o; o = next) {
      next = p.next_op(o);
      if (p.is(o, opcode::sdy_mesh) && gone.contains(symbol_name(p, o))) p.erase(o);
    }
  }
  template <class To>
  static void retarget_shardings(program& p, To to) {
    auto const declared = declared_meshes(p);
    detail::sharding_retargeter(p, declared, std::move(to)).run();
  }
};

}  // namespace mpmd::ir

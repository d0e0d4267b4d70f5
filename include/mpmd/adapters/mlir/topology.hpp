#pragma once
/// Topologies, meshes and shardings of MLIR modules, as sharded_mpmd_program asks for them.

#include <string>
#include <string_view>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mlir/IR/BuiltinOps.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/locations.hpp>
#include <mpmd/graph/sharded_program.hpp>

namespace mpmd::adapters {

namespace detail {

inline device_mesh device_mesh_of(std::string label, ir::mesh_attr const& mesh) {
  device_mesh found{std::move(label), {}, mesh.device_ids};
  for (auto const& axis : mesh.axes) found.axes.emplace_back(axis.label, axis.size);
  return found;
}
inline ir::mesh_attr to_mesh(device_mesh const& mesh) {
  ir::mesh_attr made{{}, mesh.devices};
  for (auto const& [label, size] : mesh.axes) made.axes.push_back({label, size});
  return made;
}

/// Gives shardings other meshes, wherever they stand among the attributes of ops.
template <class Policy, class To>
class mlir_sharding_retargeter {
 public:
  mlir_sharding_retargeter(::mlir::ModuleOp in, std::vector<device_mesh> const& declared, To to)
      : in_(in), to_(std::move(to)) {
    for (auto const& m : declared) by_name_.emplace(m.name, &m);
  }
  void run() {
    in_->template walk<::mlir::WalkOrder::PreOrder>([this](mlir_op o) {
      where_ = mlir_locations::source_of(in_, o->getLoc());
      auto const* known = Policy::info(o);
      for_each_attribute(o, [&](::mlir::NamedAttribute entry) {
        auto const now = replaced(entry.getValue(), 2);
        if (now != entry.getValue()) set_attribute(o, known, text_of(entry.getName().getValue()), now);
      });
    });
  }

 private:
  using attribute = ::mlir::Attribute;

  // Arrays are looked into, and the dictionaries of arguments in them.
  attribute replaced(attribute held, unsigned depth) {
    if (auto const list = llvm::dyn_cast<::mlir::ArrayAttr>(held); list && depth == 2) {
      llvm::SmallVector<attribute> now;
      for (attribute const e : list) now.push_back(replaced(e, 1));
      return ::mlir::ArrayAttr::get(in_.getContext(), now);
    }
    if (auto const entries = llvm::dyn_cast<::mlir::DictionaryAttr>(held); entries && depth == 1) {
      ::mlir::NamedAttrList now;
      for (auto const e : entries) now.set(e.getName(), replaced(e.getValue(), 0));
      return now.getDictionary(in_.getContext());
    }
    if (dialect_attribute<ir::sharding_attr, Policy>(held)) {
      ir::attribute const found = read(held), now = retargeted(found);
      return now == found ? held : written(now);
    }
    if (dialect_attribute<ir::sharding_per_value_attr, Policy>(held)) {
      ir::context& c = dialect_memory::of_thread().context();
      ir::sharding_per_value_attr list = *c.get_if<ir::sharding_per_value_attr>(read(held));
      bool changed = false;
      for (ir::attribute& e : list.shardings) {
        ir::attribute const now = c.get_if<ir::sharding_attr>(e) ? retargeted(e) : e;
        changed = changed || now != e;
        e = now;
      }
      return changed ? to_mlir<Policy>(in_.getContext(), std::move(list)) : held;
    }
    return held;
  }
  static ir::attribute read(attribute held) { return dialect_memory::of_thread().attribute(Policy::text(held)); }
  attribute written(ir::attribute made) {
    return Policy::attribute(in_.getContext(), text::mlir::to_string(dialect_memory::of_thread().context(), made));
  }
  ir::attribute retargeted(ir::attribute held) {
    ir::context& c = dialect_memory::of_thread().context();
    ir::sharding_attr sharding = *c.get_if<ir::sharding_attr>(held);
    std::vector<std::string> axes;
    auto mention = [&](std::vector<ir::axis_ref> const& more) {
      for (auto const& a : more) axes.push_back(a.axis);
    };
    for (auto const& d : sharding.dims) mention(d.axes);
    mention(sharding.replicated);
    mention(sharding.unreduced);
    device_mesh mesh;
    if (auto const* inlined = c.get_if<ir::mesh_attr>(sharding.mesh)) {
      mesh = device_mesh_of({}, *inlined);
    } else if (auto const* named = c.get_if<ir::symbol_ref_attr>(sharding.mesh)) {
      auto const known = by_name_.find(named->root);
      if (known != by_name_.end())
        mesh = *known->second;
      else
        mesh.name = named->root;
    }
    std::string const name = to_(sharding_use{mesh, axes, where_});
    if (name.empty()) return held;
    sharding.mesh = c.symbol(name);
    return c.get(std::move(sharding));
  }

  ::mlir::ModuleOp in_;
  To to_;
  std::unordered_map<std::string_view, device_mesh const*> by_name_;
  source_location where_;
};

}  // namespace detail

template <class Policy>
struct mlir_topology {
  using module = ::mlir::ModuleOp;
  using op = mlir_op;

  static std::vector<std::string> meshes_of(module, op f) {
    std::vector<std::string> names;
    for (auto const& m : topology(f)) names.push_back(m.name);
    return names;
  }
  static void copy_topology(module, op from, op to) {
    set_attribute(to, Policy::info(to), "topology", attribute_of(from, "topology"));
  }
  /// However they are spelled.
  static bool has_same_topology(module, op f, op g) {
    auto const a = attribute_of(f, "topology"), b = attribute_of(g, "topology");
    return a == b || (a && b && topology(f) == topology(g));
  }
  static void close_entry(module, op f) {
    set_attribute(f, Policy::info(f), "sym_visibility", ::mlir::StringAttr::get(f->getContext(), "private"));
  }

  static std::vector<device_mesh> topology_of(module, op f) { return topology(f); }
  static void add_to_topology(module, op f, device_mesh const& mesh) {
    auto now = topology(f);
    now.push_back(mesh);
    ir::context& c = dialect_memory::of_thread().context();
    ir::topology_attr made;
    for (auto const& m : now) made.meshes.push_back(c.get(ir::named_mesh_attr{m.name, c.get(detail::to_mesh(m))}));
    set_attribute(f, Policy::info(f), "topology", to_mlir<Policy>(f->getContext(), std::move(made)));
  }
  static std::vector<device_mesh> declared_meshes(module p) {
    std::vector<device_mesh> found;
    for (op const o : mlir_body(p.getOperation()))
      if (is_mesh(o))
        if (auto const* mesh = dialect_attribute<ir::mesh_attr, Policy>(attribute_of(o, "mesh")))
          found.push_back(detail::device_mesh_of(std::string(string_of(o, "sym_name")), *mesh));
    return found;
  }
  static void declare_meshes(module p, std::span<device_mesh const> meshes) {
    ::mlir::MLIRContext* const in = p.getContext();
    ::mlir::Block& body = p.getBodyRegion().front();
    auto const first = body.begin();
    for (auto const& m : meshes) {
      ::mlir::OperationState state(p.getLoc(), string_ref(Policy::name_of(ir::opcode::sdy_mesh)));
      op const made = ::mlir::Operation::create(state);
      auto const* known = Policy::info(made);
      set_attribute(made, known, "mesh", to_mlir<Policy>(in, detail::to_mesh(m)));
      set_attribute(made, known, "sym_name", ::mlir::StringAttr::get(in, m.name));
      body.getOperations().insert(first, made);
    }
  }
  static void undeclare_meshes(module p, std::span<std::string const> labels) {
    std::unordered_set<std::string_view> const gone(labels.begin(), labels.end());
    for (::mlir::Operation& o : llvm::make_early_inc_range(p.getBodyRegion().front()))
      if (is_mesh(&o) && gone.contains(string_of(&o, "sym_name"))) o.erase();
  }
  template <class To>
  static void retarget_shardings(module p, To to) {
    auto const declared = declared_meshes(p);
    detail::mlir_sharding_retargeter<Policy, To>(p, declared, std::move(to)).run();
  }

 private:
  static bool is_mesh(op o) { return adapters::name_of(o) == Policy::name_of(ir::opcode::sdy_mesh); }
  static std::vector<device_mesh> topology(op f) {
    std::vector<device_mesh> found;
    auto const* held = dialect_attribute<ir::topology_attr, Policy>(attribute_of(f, "topology"));
    if (held == nullptr) return found;
    ir::context const& c = dialect_memory::of_thread().context();
    for (ir::attribute const m : held->meshes)
      if (auto const* named = c.get_if<ir::named_mesh_attr>(m))
        if (auto const* mesh = c.get_if<ir::mesh_attr>(named->mesh))
          found.push_back(detail::device_mesh_of(named->label, *mesh));
    return found;
  }
};

}  // namespace mpmd::adapters

#pragma once
/// Random MPMD programs, valid by construction: what users write (named computations and tensors), or the
/// same with fragments, assignments and transfers. Equal options give equal programs on every platform.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/program.hpp>

#include "testing/random_code.hpp"

namespace mpmd::testing {

struct random_program {
  ir::program program;
  std::vector<std::pair<std::string, std::string>>
      names;  ///< of computations and tensors, and the mesh of each

  /// `f0@m1,t0@m2`: as the passes take it.
  std::string assignment() const {
    std::string text;
    for (auto const& [label, mesh] : names) text += (text.empty() ? "" : ",") + label + "@" + mesh;
    return text;
  }
};

namespace detail {

class program_generator : code_generator {
 public:
  explicit program_generator(random_options const& options) : code_generator(options), top_(p_, p_.body()) {
    std::vector<std::pair<std::string, ir::attribute>> meshes;
    for (std::uint32_t m = 0; m < mesh_count_; ++m)
      meshes.emplace_back(mesh_name(m), ir::make_mesh(c_, {{"x", 2}}));
    topology_ = properties({{"topology", ir::make_topology(c_, meshes)}});
  }

  random_program run() && {
    // Callees are made first, so that their signatures are known, and moved behind the entry function.
    for (std::uint32_t i = 0; i < o_.callees; ++i)
      callees_.push_back(make_callee("step" + std::to_string(i)));
    make_main();
    for (auto const& f : callees_) {
      p_.unlink(f.function);
      p_.append(p_.body(), f.function);
    }
    return {std::move(p_), std::move(names_)};
  }

 private:
  struct callee {
    ir::op function;
    std::string name;
    std::vector<ir::type> parameters;
    std::vector<std::uint64_t> parameter_where;
    std::vector<ir::type> results;
    std::vector<std::uint64_t> result_where;
    bool called = false;
    std::uint32_t carried = 0;  ///< so many results can be passed on to the parameters of the same number
  };

  // --- Stages ------------------------------------------------------------------------------------------------------

  std::string name_on(std::uint32_t mesh, std::string_view stem) {
    std::vector<std::string> known;
    for (auto const& [label, at] : names_)
      if (at == mesh_name(mesh) && label.starts_with(stem)) known.push_back(label);
    if (!known.empty() && chance(40)) return one_of(known);
    names_.emplace_back(std::string(stem) + std::to_string(names_.size()), mesh_name(mesh));
    return names_.back().first;
  }
  /// An item as a mesh tensor, for the assigned form.
  ir::value on_mesh(scope& s, item& it, std::uint32_t mesh, std::string_view label) {
    for (auto const& [m, v] : it.placed)
      if (m == mesh && chance(70)) return v;
    ir::type const to = c_.mesh_tensor(mesh_name(mesh), p_.type_of(it.v));
    bool const sent = !it.placed.empty() && !s.in_loop && it.placed.front().first != mesh;
    ir::value const v = sent ? s.b.transfer(it.placed.front().second, to) : s.b.assign(it.v, to, label);
    it.placed.emplace_back(mesh, v);
    return v;
  }

  void stage(scope& s) {
    std::uint32_t const mesh = below(mesh_count_);
    std::string const label = name_on(mesh, "f");
    std::vector<std::size_t> operands;
    for (std::uint32_t i = chance(95) ? 1 + below(4) : 0; i-- > 0;) {
      item const& chosen = choose(s, any_type(s), std::uint64_t{1} << mesh, true);
      auto const at = static_cast<std::size_t>(&chosen - s.items.data());
      if (std::find(operands.begin(), operands.end(), at) == operands.end() || chance(30))
        operands.push_back(at);
    }
    std::vector<ir::value> values;
    for (std::size_t const i : operands)
      values.push_back(o_.assigned ? on_mesh(s, s.items[i], mesh, label) : s.items[i].v);
    std::vector<ir::type> arguments;
    for (std::size_t const i : operands) arguments.push_back(p_.type_of(s.items[i].v));
    ir::region const body = s.b.make_body(arguments);
    ir::block const block = p_.first_block(body);
    scope in{ir::builder(p_, block)};
    in.plain = true;
    for (ir::value const v : p_.arguments(block)) in.items.push_back({v});
    if (!o_.assigned && o_.nested_names && chance(25)) nested(in, mesh);
    for (std::uint32_t i = 1 + below(5); i-- > 0;) compute(in);
    std::vector<ir::value> returned;
    std::vector<ir::type> results;
    use_up(in, arguments.size());
    // An operand that is passed through would not be computed on this mesh.
    in.items.erase(in.items.begin(), in.items.begin() + static_cast<std::ptrdiff_t>(arguments.size()));
    for (std::size_t const i : results_of(in, 6)) {
      returned.push_back(in.items[i].v);
      results.push_back(p_.type_of(returned.back()));
    }
    in.b.mpmd_return(returned);
    ir::user_origin_attr const origin{label, chance(25) ? 1 : 0};
    if (!o_.assigned) {
      ir::op const made = s.b.create(ir::opcode::mpmd_named_computation, values, results,
                                     properties({{"origin", c_.get(origin)}}), {}, {body});
      for (ir::value const v : p_.results(made))
        s.items.push_back({v, std::uint64_t{1} << mesh, false, true});
      return;
    }
    for (auto& t : results) t = c_.mesh_tensor(mesh_name(mesh), t);
    ir::op const made = s.b.create(
        ir::opcode::mpmd_fragment, values, results,
        properties({{"mesh_name", c_.string(mesh_name(mesh))}, {"origin", ir::make_origins(c_, {origin})}}),
        {}, {body});
    for (ir::value const v : p_.results(made))
      s.items.push_back({s.b.unassign(v, label), std::uint64_t{1} << mesh, false, true, {{mesh, v}}});
  }
  void nested(scope& s, std::uint32_t mesh) {
    ir::type const t = any_type(s);
    ir::value const v = choose(s, t, anywhere).v;
    ir::op const made = s.b.named_computation({name_on(mesh, "f"), 0}, {v}, {t});
    ir::block const block = p_.first_block(p_.regions(made)[0]);
    scope in{ir::builder(p_, block)};
    in.items.push_back({p_.argument(block, 0)});
    compute(in);
    in.b.mpmd_return({choose(in, t, anywhere).v});
    s.items.push_back({p_.result(made, 0)});
  }

  void name_tensor(scope& s) {
    std::uint32_t const mesh = below(mesh_count_);
    std::string const label = name_on(mesh, "t");
    item const& chosen = choose(s, any_type(s), std::uint64_t{1} << mesh, true);
    auto const at = static_cast<std::size_t>(&chosen - s.items.data());
    if (!o_.assigned) {
      s.items.push_back({s.b.named_tensor(s.items[at].v, label), std::uint64_t{1} << mesh, false, true});
      return;
    }
    ir::value const v = on_mesh(s, s.items[at], mesh, label);
    s.items.push_back({s.b.unassign(v, label), std::uint64_t{1} << mesh, false, true, {{mesh, v}}});
  }

  // --- Across meshes -----------------------------------------------------------------------------------------------

  void across(scope& s) {
    ir::type const t = any_type(s);
    std::vector<ir::value> values;
    for (std::uint32_t i = 1 + below(3); i-- > 0;) values.push_back(choose(s, t, anywhere).v);
    if (chance(40)) {
      s.items.push_back({s.b.broadcast(values[0])});
      return;
    }
    static constexpr std::array kinds{reduction_kind::add, reduction_kind::max, reduction_kind::min,
                                      reduction_kind::mul};
    s.items.push_back({s.b.reduce(kinds[below(4)], values)});
  }
  /// A sum of values from any meshes, as a chain or a tree of binary ops or as a concatenation that is
  /// reduced.
  void add_across(scope& s, bool permitted) {
    ir::type const t = any_type(s);
    std::vector<ir::value> values;
    std::uint64_t all = anywhere;
    for (std::uint32_t i = 2 + below(3); i-- > 0;) {
      item const& chosen = choose(s, t, anywhere);
      values.push_back(chosen.v);
      all &= chosen.where;
    }
    ir::value made;
    if (chance(30)) {
      // Each gains a dimension of extent one, in front.
      std::vector<std::int64_t> one = shape(t), many = shape(t);
      one.insert(one.begin(), 1);
      many.insert(many.begin(), static_cast<std::int64_t>(values.size()));
      for (auto& v : values) v = make(s, "stablehlo.reshape", {v}, tensor(one, element(t)));
      ir::value const joined = make(s, "stablehlo.concatenate", values, tensor(many, element(t)),
                                    properties({{"dimension", c_.integer_value(0)}}));
      made = reduced(s, joined, t, {0});
    } else {
      std::string_view const kind = std::array<std::string_view, 3>{"stablehlo.add", "stablehlo.maximum",
                                                                    "stablehlo.multiply"}[below(3)];
      while (values.size() > 1) {
        std::uint32_t const at = below(static_cast<std::uint32_t>(values.size()) - 1);
        values[at] = make(s, kind, {values[at], values[at + 1]}, t);
        values.erase(values.begin() + at + 1);
      }
      made = values[0];
    }
    if (permitted) made = s.b.reduce(reduction_kind::none, {made});
    // Without the reduction it stands where all of its operands do.
    s.items.push_back({made, permitted || all == 0 ? anywhere : all});
  }
  void effect(scope& s) {
    ir::value const v = choose(s, any_type(s), anywhere).v;
    s.b.create(ir::opcode::stablehlo_custom_call, {v}, {},
               ir::make_dictionary(
                   c_, {{"call_target_name", c_.string("log")}, {"has_side_effect", c_.boolean(true)}}));
  }

  // --- Functions ---------------------------------------------------------------------------------------------------

  callee make_callee(std::string label) {
    callee f{{}, std::move(label), {}, {}, {}, {}};
    for (std::uint32_t i = 1 + below(4); i-- > 0;) {
      f.parameters.push_back(one_of(types_));
      f.parameter_where.push_back(std::uint64_t{1} << below(mesh_count_));
    }
    f.carried = below(static_cast<std::uint32_t>(f.parameters.size()) + 1);
    f.function = top_.func(f.name, f.parameters, {}, topology_, "private");
    scope s{ir::builder(p_, ir::entry_block(p_, f.function))};
    auto const parameters = ir::parameters(p_, f.function);
    for (std::size_t i = 0; i < parameters.size(); ++i)
      s.items.push_back({parameters[i], f.parameter_where[i]});
    for (std::uint32_t i = o_.statements / 3 + 1; i-- > 0;) statement(s);
    use_up(s, parameters.size());
    std::vector<ir::value> returned;
    for (std::uint32_t i = 0; i < f.carried; ++i) {
      // An accumulation: it is to be had where the parameter is.
      std::uint64_t where = f.parameter_where[i];
      ir::value const more = operand(s, f.parameters[i], where);
      returned.push_back(
          make(s, "stablehlo.add", {ir::parameters(p_, f.function)[i], more}, f.parameters[i]));
      f.result_where.push_back(f.parameter_where[i]);
    }
    for (std::size_t const i : results_of(s, 6)) {
      returned.push_back(s.items[i].v);
      f.result_where.push_back(s.items[i].where);
    }
    for (ir::value const v : returned) f.results.push_back(p_.type_of(v));
    s.b.func_return(returned);
    ir::update_function_type(p_, f.function);
    return f;
  }

  /// A call, or a chain of calls each of which takes on what the one before has accumulated.
  void call(scope& s) {
    if (callees_.empty()) return compute(s);
    call(s, one_of(callees_), 1 + below(3));
  }
  void call(scope& s, callee& f, std::uint32_t times) {
    f.called = true;
    std::vector<ir::value> carried;
    for (std::uint32_t n = times; n-- > 0;) {
      std::vector<ir::value> operands;
      for (std::uint32_t i = 0; i < f.parameters.size(); ++i)
        operands.push_back(i < carried.size() ? carried[i] : unrelated(s, f, i));
      ir::attribute const counter = c_.integer_value(calls_++, 32, ir::signedness::is_unsigned);
      ir::op const made = s.b.call(f.name, operands, f.results, properties({{"call_counter", counter}}));
      made_calls_.push_back(made);
      carried.clear();
      for (std::uint32_t i = 0; i < f.carried; ++i) carried.push_back(p_.result(made, i));
      bool const last = n == 0;
      for (std::uint32_t i = last ? 0 : f.carried; i < f.results.size(); ++i)
        s.items.push_back({p_.result(made, i), f.result_where[i]});
    }
  }
  /// An operand that is not a result of a call of the same function.
  ir::value unrelated(scope& s, callee const& f, std::uint32_t i) {
    for (int attempts = 0; attempts < 4; ++attempts) {
      ir::value const v = choose(s, f.parameters[i], f.parameter_where[i]).v;
      ir::op const made_by = p_.defining_op(v);
      bool const same = made_by && p_.is(made_by, ir::opcode::mpmd_call) &&
                        p_.attr_if<ir::symbol_ref_attr>(made_by, "callee")->root == f.name;
      if (!same || o_.conflicts) return v;
    }
    return constant(s, f.parameters[i], 1);
  }

  void for_loop(scope& s) {
    std::vector<ir::value> start;
    std::vector<std::uint64_t> where;
    for (std::uint32_t i = 1 + below(3); i-- > 0;) {
      std::uint64_t at = std::uint64_t{1} << below(mesh_count_);
      start.push_back(operand(s, any_type(s), at));
      where.push_back(at);
    }
    std::uint32_t const iterations = 2 + below(3);
    ir::op const made = s.b.for_loop(iterations, iterations, start);
    ir::block const block = p_.first_block(p_.regions(made)[0]);
    scope in{ir::builder(p_, block), s.items, true, s.plain, s.entry};
    for (item& it : in.items) it.placed.clear();
    for (std::size_t i = 0; i < start.size(); ++i)
      in.items.push_back({p_.argument(block, static_cast<std::uint32_t>(i)), where[i]});
    ir::value const index = p_.arguments(block).back();
    ir::value const number = make(in, "stablehlo.convert", {index}, types_[0]);
    in.items.push_back({number});
    for (std::uint32_t i = o_.statements / 4 + 1; i-- > 0;) statement(in);
    std::vector<ir::value> returned;
    for (std::size_t i = 0; i < start.size(); ++i)
      returned.push_back(combined(in, p_.type_of(start[i]), where[i]));
    in.b.mpmd_return(returned);
    for (std::uint32_t i = 0; i < start.size(); ++i) s.items.push_back({p_.result(made, i), where[i]});
  }

  void statement(scope& s) {
    std::uint32_t const kind = below(100);
    if (kind < 40) return stage(s);
    if (kind < 60) return compute(s);
    if (kind < 66) return name_tensor(s);
    if (kind < 76 && s.entry) return call(s);
    if (kind < 82 && o_.broadcasts) return across(s);
    if (kind < 88 && o_.none_reductions) return add_across(s, true);
    if (kind < 92 && o_.inferred_reductions) return add_across(s, false);
    if (kind < 95 && o_.loops && s.entry && !s.in_loop) return for_loop(s);
    if (kind < 98 && o_.effects && !s.in_loop) return effect(s);
    compute(s);
  }

  void make_main() {
    std::vector<ir::type> arguments;
    for (std::uint32_t i = 0; i < o_.arguments; ++i) {
      ir::type t = types_[i % types_.size()];
      if (o_.assigned && chance(30)) t = c_.mesh_tensor(mesh_name(below(mesh_count_)), t);
      arguments.push_back(t);
    }
    ir::op const main = top_.func("main", arguments, {}, topology_);
    scope s{ir::builder(p_, ir::entry_block(p_, main))};
    s.entry = true;
    for (ir::value const v : ir::parameters(p_, main)) {
      auto const* placed = c_.get_if<ir::mesh_tensor_type>(p_.type_of(v));
      if (placed == nullptr) {
        // Where an argument can be follows from its uses: they are all on one mesh, or stages alone.
        s.items.push_back({v, std::uint64_t{1} << below(mesh_count_), chance(40)});
        continue;
      }
      auto const mesh = static_cast<std::uint32_t>(placed->mesh[1] - '1');
      s.items.push_back({s.b.unassign(v, "user_in"), std::uint64_t{1} << mesh, false, true, {{mesh, v}}});
    }
    for (std::uint32_t i = o_.statements; i-- > 0;) statement(s);
    // Functions that nobody calls, and calls of which nothing is used, are not looked at by inference.
    for (callee& f : callees_)
      if (!f.called) call(s, f, 1);
    std::vector<ir::value> returned;
    for (ir::op const made : made_calls_) {
      auto const results = p_.results(made);
      bool const unused = std::all_of(results.begin(), results.end(), [this](ir::value v) { return p_.is_unused(v); });
      if (p_.parent_op(made) == main && unused) returned.push_back(p_.result(made, 0));
    }
    for (std::size_t const i : results_of(s, 24)) {
      item const& chosen = s.items[i];
      bool const placed = o_.assigned && !chosen.placed.empty() && chance(30);
      returned.push_back(placed ? chosen.placed.front().second : chosen.v);
    }
    s.b.func_return(returned);
    ir::update_function_type(p_, main);
  }

  std::uint32_t calls_ = 0;
  std::vector<ir::op> made_calls_;
  ir::builder top_;
  ir::attribute topology_;
  std::vector<callee> callees_;
  std::vector<std::pair<std::string, std::string>> names_;
};

}  // namespace detail

inline random_program make_random_program(random_options const& options) {
  return detail::program_generator(options).run();
}

}  // namespace mpmd::testing

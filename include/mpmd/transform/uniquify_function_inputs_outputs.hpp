#pragma once
/// -mpmd-uniquify-function-inputs-outputs: a function returns no value twice, and no argument.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// Values that are returned more than once, or are arguments, go through one more fragment a mesh, which stands in front
/// of the return and returns each as often as it is needed, in the order in which they are first returned; or, if asked
/// for, through a transfer from their mesh to itself, a transfer for each time but the first (for arguments: for each
/// time). Values on no mesh are left alone. Linear.
struct uniquify_function_inputs_outputs {
  bool use_transfer_instead_of_fragment = false;

  static constexpr std::string_view name = "mpmd-uniquify-function-inputs-outputs";
  static constexpr std::string_view summary = "Make the results of functions distinct from each other and from arguments";
  static constexpr auto options = std::tuple{option{"use-transfer-instead-of-fragment",
                                                    &uniquify_function_inputs_outputs::use_transfer_instead_of_fragment,
                                                    "Put transfers in front of the return, and no fragments"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    for (op_t<P> const f : distributed_functions(p)) {
      op_t<P> const end = terminator_of(p, f);
      if (!end) continue;
      if (use_transfer_instead_of_fragment)
        add_transfers(p, end);
      else
        add_fragments(p, end);
    }
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static void add_transfers(P& p, op_t<P> end) {
    using traits = ir_traits<P>;
    std::unordered_map<value_t<P>, bool> seen;
    std::size_t i = 0;
    for (value_t<P> const v : operands_of(p, end)) {
      std::size_t const at = i++;
      bool const first = seen.emplace(v, true).second;
      if ((first && mpmd::defining_op(p, v)) || traits::mesh_of(p, v).empty()) continue;
      op_t<P> const made = traits::create(p,
                                          op_recipe<P>{.what = role::transfer,
                                                       .operands = {v},
                                                       .results = {traits::type_of(p, v)},
                                                       .where = traits::location_of(p, end)},
                                          insertion_point<P>::before(end));
      traits::set_operand(p, end, at, result_of(p, made));
    }
  }

  template <mutable_mpmd_program P>
  static void add_fragments(P& p, op_t<P> end) {
    using traits = ir_traits<P>;
    struct on_mesh {
      std::string mesh;
      std::vector<value_t<P>> values;
      std::vector<std::vector<std::size_t>> positions;  // where each is returned
    };
    std::unordered_map<value_t<P>, std::vector<std::size_t>> positions;
    auto const returned = operands_of(p, end);
    for (std::size_t i = 0; i < returned.size(); ++i) positions[returned[i]].push_back(i);
    std::vector<on_mesh> meshes;
    std::unordered_map<std::string, std::size_t> number;
    for (std::size_t i = 0; i < returned.size(); ++i) {
      auto& all = positions.at(returned[i]);
      std::string mesh(traits::mesh_of(p, returned[i]));
      if (mesh.empty() || all.front() != i || (all.size() == 1 && mpmd::defining_op(p, returned[i]))) continue;
      auto const [at, fresh] = number.emplace(mesh, meshes.size());
      if (fresh) meshes.push_back({mesh, {}, {}});
      meshes[at->second].values.push_back(returned[i]);
      meshes[at->second].positions.push_back(all);
    }
    for (on_mesh const& m : meshes) {
      std::vector<type_t<P>> arguments, results;
      for (std::size_t k = 0; k < m.values.size(); ++k) {
        type_t<P> const type = traits::type_of(p, m.values[k]);
        arguments.push_back(traits::tensor_type_of(p, type));
        results.insert(results.end(), m.positions[k].size(), type);
      }
      op_t<P> const made = traits::create(p,
                                          op_recipe<P>{.what = role::fragment,
                                                       .operands = m.values,
                                                       .results = std::move(results),
                                                       .where = traits::location_of(p, end),
                                                       .fragment = {.mesh = m.mesh},
                                                       .arguments = std::move(arguments)},
                                          insertion_point<P>::before(end));
      traits::set_note(p, made, inferred_by_note, std::vector<std::string>{"uniquify"});
      auto const now = results_of(p, made);
      std::vector<value_t<P>> inside, outputs;
      for (auto&& a : mpmd::arguments(p, made)) inside.push_back(a);
      std::size_t next = 0;
      for (std::size_t k = 0; k < m.values.size(); ++k)
        for (std::size_t const at : m.positions[k]) {
          outputs.push_back(inside[k]);
          traits::set_operand(p, end, at, now[next++]);
        }
      traits::create(p,
                     op_recipe<P>{.what = role::terminator,
                                  .operands = std::move(outputs),
                                  .where = traits::location_of(p, end)},
                     insertion_point<P>::end(made));
    }
  }
};

}  // namespace mpmd

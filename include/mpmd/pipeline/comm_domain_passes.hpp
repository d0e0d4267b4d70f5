#pragma once
/// The passes over communication windows of host programs, by name, and their pipeline.

#include <optional>
#include <string_view>
#include <vector>

#include <mpmd/pipeline/pass.hpp>
#include <mpmd/transform/lower_host_tensor_collectives.hpp>
#include <mpmd/transform/materialize_comm_domain_scopes.hpp>
#include <mpmd/transform/synthesize_allreduce_signals.hpp>
#include <mpmd/transform/verify_comm_domain_scopes.hpp>

namespace mpmd {

/// From authoring text to launches: signals, scopes, their verification, lowering.
template <class P>
pipeline<P> comm_domain_pipeline(materialize_comm_domain_scopes materialize = {}) {
  return {synthesize_allreduce_signals{}, materialize, verify_comm_domain_scopes{}, lower_host_tensor_collectives{}};
}

template <class P>
std::vector<registered_pass<P>> comm_domain_passes() {
  return {register_pass<P, synthesize_allreduce_signals>(),
          register_pass<P, materialize_comm_domain_scopes>(),
          register_pass<P, verify_comm_domain_scopes>(),
          register_pass<P, lower_host_tensor_collectives>(),
          {"comm-domain-pipeline", "Synthesize signals, materialize the scopes of domains, verify them, and lower "
                                   "collectives; options as those of -materialize-comm-domain-scopes",
           describe_options<materialize_comm_domain_scopes>(),
           [](std::string_view options, diagnostics& diags) -> std::optional<pipeline<P>> {
             materialize_comm_domain_scopes made{};
             if (!parse_options(made, options, diags)) return std::nullopt;
             return comm_domain_pipeline<P>(made);
           }}};
}

}  // namespace mpmd

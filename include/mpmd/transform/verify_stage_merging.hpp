#pragma once
/// -mpmd-verify-stage-merging: what belongs to one stage, direction and microbatch is one fragment.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// An error for each fragment with a stage which says the same as an earlier one about mesh, stage, transpose count (the
/// largest among its computations), kind of split and rematerialisation, and whose call counter is the same or missing
/// on either. O(fragments).
struct verify_stage_merging {
  static constexpr std::string_view name = "mpmd-verify-stage-merging";
  static constexpr std::string_view summary = "Check that no two fragments make up the same part of a stage";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    // Fragments alike but for the counter, by the text of what they say.
    struct seen {
      op_t<P> any{};        // the first of them
      op_t<P> uncounted{};  // the first without a counter
      std::unordered_map<std::uint32_t, op_t<P>> counted{};
    };
    bool good = true;
    for (op_t<P> const f : distributed_functions(p)) {
      std::unordered_map<std::string, seen> known;
      for (op_t<P> const o : body_of(p, f)) {
        if (!is_fragment(p, o)) continue;
        auto const info = traits::fragment_of(p, o);
        if (!info.stage || info.is_inferred()) continue;
        auto has = [&](std::string_view key) { return !std::holds_alternative<std::monostate>(traits::note_of(p, o, key)); };
        std::int64_t transposed = 0;
        for (auto const& origin : info.origins) transposed = std::max(transposed, origin.transpose_count);
        std::string const split = has("split_keep_transferred")   ? "kKeepTransferred"
                                  : has("split_drop_transferred") ? "kDropTransferred"
                                                                  : "nullopt";
        auto const counter = call_counter_of(p, o);
        std::string const before = "mesh=" + info.mesh + ", stage_id=" + std::to_string(*info.stage) +
                                   ", transpose_count=" + std::to_string(transposed);
        std::string const behind = ", split_type=" + split + ", is_remat=" + (has("remat") ? "1" : "0");
        seen& alike = known[before + behind];
        op_t<P> clash = counter ? alike.uncounted : alike.any;
        if (counter && !clash)
          if (auto const at = alike.counted.find(*counter); at != alike.counted.end()) clash = at->second;
        if (!alike.any) alike.any = o;
        if (!counter && !alike.uncounted) alike.uncounted = o;
        if (counter) alike.counted.emplace(*counter, o);
        if (!clash) continue;
        std::string origins;
        for (auto const& origin : info.origins) {
          origins.append(origins.empty() ? "" : ", ").append("#mpmd.user_origin<\"" + origin.name + "\"");
          if (origin.transpose_count != 0) origins.append("(" + std::to_string(origin.transpose_count) + ")");
          origins += '>';
        }
        diags.emit({severity::error, "stage-merging", source_of(p, o),
                    "A valid program cannot have more than one fragment with the same mesh, stage, transpose, call "
                    "counts, split type, and remat flag but found multiple fragments with the same attributes: [" +
                        before + ", call_count=" + (counter ? std::to_string(*counter) : "-1") + behind +
                        "] for current fragment with origin: [" + origins + "]",
                    {{source_of(p, clash), "the other fragment is here; merge the two, or give them different stages "
                                           "or call counters"}}});
        good = false;
      }
    }
    return good;
  }
};

}  // namespace mpmd

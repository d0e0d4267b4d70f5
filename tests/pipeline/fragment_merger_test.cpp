// Merging groups of fragments at once against merging two at a time: the same programs, byte for byte.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <mpmd/transform/fragment_merger.hpp>

#include "pipeline/generated.hpp"

namespace fragment_merger_test {
namespace {

using namespace mpmd;
using namespace mpmd::testing;
using program = ir::program;
using traits = ir_traits<program>;
using facts = fragment_facts<program>;

// The same rules, each merge made before the next is looked for.
class two_at_a_time {
 public:
  two_at_a_time(program& p, ir::op f, merge_candidate candidate, bool (*allowed)(facts const&, facts const&))
      : p_(p), function_(f), candidate_(candidate), allowed_(allowed) {}

  void run() {
    std::vector<ir::op> fragments;
    for (ir::op const o : body_of(p_, function_)) {
      place_.emplace(o, place_.size());
      if (is_fragment(p_, o)) fragments.push_back(o);
    }
    for (std::size_t i = fragments.size(); i-- > 0;) {
      ir::op at = fragments[i];
      if (has_unused_results(p_, at) && traits::is_pure(p_, at)) {
        place_.erase(at);
        traits::erase(p_, at);
        continue;
      }
      while (auto const merged = merge_once(at)) at = *merged;
    }
  }

 private:
  facts facts_of(ir::op o) const {
    auto const info = traits::fragment_of(p_, o);
    return {.mesh = 0,
            .stage = info.stage,
            .inferred = info.is_inferred(),
            .transposes = single_transpose_count(info),
            .call_counter = call_counter_of(p_, o)};
  }
  bool may_merge(ir::op a, ir::op b) const {
    auto const first = traits::fragment_of(p_, a), second = traits::fragment_of(p_, b);
    return first.mesh == second.mesh && stages_agree(first, second) && allowed_(facts_of(a), facts_of(b));
  }
  std::optional<ir::op> merge_once(ir::op producer) {
    std::vector<ir::op> users;
    for (ir::value const v : traits::results(p_, producer))
      for (auto const& u : traits::uses(p_, v))
        if (ir::op const user = ancestor_in(p_, function_, u.user)) users.push_back(user);
    ir::op best{};
    if (candidate_ == merge_candidate::next_on_mesh) {
      for (auto const& [o, place] : place_)
        if (place > place_.at(producer) && is_fragment(p_, o) &&
            traits::fragment_of(p_, o).mesh == traits::fragment_of(p_, producer).mesh && (!best || place < place_.at(best)))
          best = o;
    } else {
      for (ir::op const user : users) {
        if (!is_fragment(p_, user) || (best && place_.at(user) >= place_.at(best))) continue;
        if (candidate_ == merge_candidate::any_consumer && !may_merge(producer, user)) continue;
        best = user;
      }
    }
    if (!best || !may_merge(producer, best)) return std::nullopt;
    bool at_consumer = true;
    for (ir::op const user : users) at_consumer = at_consumer && place_.at(user) >= place_.at(best);
    if (!at_consumer) {
      for (ir::value const v : traits::operands(p_, best)) {
        ir::op const made_by = defining_op(p_, v);
        if (made_by && !(made_by == producer) && place_.at(producer) < place_.at(made_by)) return std::nullopt;
      }
      traits::move(p_, best, insertion_point<program>::after(producer));
    }
    merged_notes const notes = merge_notes(p_, producer, best);
    std::size_t const place = place_.at(at_consumer ? best : producer);
    place_.erase(producer);
    place_.erase(best);
    ir::op const made = merge_fragments(p_, producer, best);
    set_notes(p_, made, notes);
    place_[made] = place;
    return made;
  }

  program& p_;
  ir::op function_;
  merge_candidate candidate_;
  bool (*allowed_)(facts const&, facts const&);
  std::unordered_map<ir::op, std::size_t> place_;
};

bool anything(facts const&, facts const&) { return true; }
bool one_inferred(facts const& a, facts const& b) { return a.inferred || b.inferred; }
bool both_named(facts const& a, facts const& b) {
  return !a.inferred && !b.inferred && (!a.call_counter || !b.call_counter || *a.call_counter == *b.call_counter);
}

// A generated program on its meshes, its calls inlined.
std::optional<random_program> placed(std::uint64_t seed) {
  auto const o = options_of(seed);
  auto made = make_random_program(o);
  auto passes = placing<program>(o, made);
  passes.push_back(call_inline{});
  diagnostics quiet;
  if (!run(passes, made.program, quiet)) return std::nullopt;
  return made;
}

}  // namespace

TEST_CASE("groups of fragments merged at once are what merging two at a time makes of them") {
  std::size_t compared = 0, merged = 0;
  std::uint64_t const programs = generated_programs(150);
  for (std::uint64_t seed = 0; seed < programs; ++seed)
    for (auto const candidate : {merge_candidate::closest_consumer, merge_candidate::any_consumer, merge_candidate::next_on_mesh})
      for (auto const allowed : {anything, one_inferred, both_named}) {
        auto one = placed(seed), other = placed(seed);
        if (!one || !other) continue;
        std::string const before = text::to_mlir(one->program);
        for (ir::op const f : distributed_functions(one->program)) fragment_merger(one->program, f, candidate, allowed).run();
        for (ir::op const f : distributed_functions(other->program))
          two_at_a_time(other->program, f, candidate, allowed).run();
        std::string const after = text::to_mlir(one->program);
        REQUIRE_MESSAGE(after == text::to_mlir(other->program),
                        "seed " << seed << ", candidate " << static_cast<int>(candidate) << "\n" << before << "\nat once\n" << after << "\ntwo at a time\n" << text::to_mlir(other->program));
        std::string said;
        diagnostics diags([&said](diagnostic const& d) { said += d.message; });
        REQUIRE_MESSAGE(ir::verify(one->program, diags), "seed " << seed << ": " << said);
        ++compared;
        merged += after != before;
      }
  CHECK(merged * 4 > compared);
}

}  // namespace fragment_merger_test

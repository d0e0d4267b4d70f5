#pragma once
/// How rewrite_using_analysis.hpp goes through one function.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/transform/detail/call_rewriter.hpp>
#include <mpmd/transform/detail/loop_rewriter.hpp>
#include <mpmd/transform/detail/op_placer.hpp>
#include <mpmd/transform/detail/rewrite_context.hpp>

namespace mpmd {
namespace detail {

template <mutable_mpmd_program P>
class function_rewriter {
  using traits = ir_traits<P>;
  using op = op_t<P>;

 public:
  function_rewriter(P& p, diagnostics& diags, std::int64_t max_clones)
      : with_(p, diags), ops_(with_, max_clones), calls_(with_), loops_(with_) {}

  bool failed() const { return with_.failed; }

  void rewrite_callee(op f) {
    with_.start(f);
    calls_.assign_results();
    rewrite_body();
    calls_.type_arguments();
    traits::update_signature(with_.program, f);
  }
  void rewrite_entry(op f) {
    with_.start(f);
    rewrite_body();
    traits::update_signature(with_.program, f);
  }

 private:
  // Ops of a body, the last of which is looked at next; of a loop's body if `loop`.
  struct frame {
    std::vector<op> ops;
    op loop = {};
    std::vector<std::string> meshes =
        {};  // of what the loop carries, empty where it stands on a mesh already
  };

  // Last op first, so that whatever uses an op has become an assign by the time it is looked at.
  void rewrite_body() {
    std::vector<frame> open;
    auto enter = [&](op holder) {
      open.emplace_back();
      for (auto&& o : mpmd::body(with_.program, holder)) open.back().ops.push_back(o);
    };
    enter(with_.function);
    while (!open.empty()) {
      frame& in = open.back();
      if (in.ops.empty()) {
        if (in.loop) loops_.finish(in.loop, in.meshes);
        open.pop_back();
        continue;
      }
      op const o = in.ops.back();
      in.ops.pop_back();
      switch (traits::role_of(with_.program, o)) {
        case role::call: calls_.rewrite(o); break;
        case role::compute: ops_.place(o); break;
        case role::loop: {
          auto meshes = loops_.assign_yields(o);
          enter(o);
          open.back().loop = o;
          open.back().meshes = std::move(meshes);
          break;
        }
        default: break;
      }
    }
    ops_.finish();
  }

  rewrite_context<P> with_;
  op_placer<P> ops_;
  call_rewriter<P> calls_;
  loop_rewriter<P> loops_;
};

}  // namespace detail
}  // namespace mpmd

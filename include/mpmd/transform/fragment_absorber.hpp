#pragma once
/// Taking ops into the fragments that use their results.

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>

namespace mpmd {

/// Where a fragment takes a result of some op: at operand `index`, result number `result`.
template <mutable_mpmd_program P>
struct consumed_result {
  std::size_t index = 0;
  std::size_t result = 0;
};

/// Takes ops into fragments, one after another. Operands and arguments that fall away as it goes stay until
/// there are many of them, or until finish(): taking n ops into one fragment costs O(n) and not O(n *
/// arguments).
template <mutable_mpmd_program P>
class fragment_absorber {
  using traits = ir_traits<P>;
  using point = insertion_point<P>;

 public:
  explicit fragment_absorber(P& p) : program_(p) {}

  /// Puts `o` first into the body of `fragment`, where the arguments that stand for its results give way to
  /// it, and appends an operand and an argument for each value that its regions capture, then for each of its
  /// operands, each value once: tensors by an assign before the fragment, others as they are. `o` itself
  /// goes, or a copy of it.
  void take_in(op_t<P> o, op_t<P> fragment, std::vector<consumed_result<P>> const& consumed, bool copy) {
    state& s = state_of(fragment);
    std::vector<value_t<P>> const captured = captured_values(program_, o);
    value_map<P> inside;
    auto bring_in = [&](value_t<P> v) {
      if (inside.contains(v)) return;
      type_t<P> const t = traits::type_of(program_, v);
      auto const where = traits::location_of_value(program_, v);
      value_t<P> outside = v;
      if (traits::is_tensor(program_, t))
        outside = result_of(program_, traits::create(program_,
                                                     {.what = role::assign,
                                                      .operands = {v},
                                                      .results = {traits::mesh_type(program_, t, s.mesh, {})},
                                                      .where = where},
                                                     point::before(fragment)));
      value_t<P> const argument = traits::add_argument(program_, fragment, t, where);
      traits::append_operand(program_, fragment, outside);
      s.arguments.push_back(argument);
      inside.emplace(v, argument);
    };
    for (auto const& v : captured) bring_in(v);
    std::vector<value_t<P>> const operands = operands_of(program_, o);
    for (auto const& v : operands) bring_in(v);

    op_t<P> taken = o;
    if (copy) {
      taken = traits::clone(program_, o, inside, point::start(fragment));
    } else if (!captured.empty()) {
      // What is captured is used deep inside, so that redirecting it costs no more by a copy.
      taken = traits::clone(program_, o, inside, point::start(fragment));
      std::size_t i = 0;
      std::vector<value_t<P>> const results = results_of(program_, taken);
      for (auto const& r : results_of(program_, o)) replace_uses(program_, r, results[i++]);
      traits::erase(program_, o);
    } else {
      traits::move(program_, o, point::start(fragment));
      for (std::size_t i = 0; i < operands.size(); ++i)
        traits::set_operand(program_, o, i, inside.at(operands[i]));
    }
    std::vector<value_t<P>> const results = results_of(program_, taken);
    for (auto const& c : consumed) {
      replace_uses(program_, s.arguments[c.index], results[c.result]);
      s.gone.push_back(c.index);
    }
    if (s.gone.size() > 32 && s.gone.size() > s.arguments.size() / 2) clean_up(fragment, s);
  }

  /// Erases an op without results that matter, once the operands for which it was made are gone: at the next
  /// clean-up of the one fragment that used it.
  void erase_with(op_t<P> assign, op_t<P> fragment) { state_of(fragment).dead.push_back(assign); }
  /// The same for one that several fragments used: at the end.
  void erase_at_the_end(op_t<P> assign) { dead_.push_back(assign); }

  /// Brings everything into order.
  void finish() {
    for (op_t<P> const f : touched_) clean_up(f, states_.at(f));
    for (op_t<P> const a : dead_) traits::erase(program_, a);
    dead_.clear();
    touched_.clear();
    states_.clear();
  }

 private:
  struct state {
    std::string mesh;
    std::vector<value_t<P>> arguments;  // with those that are gone
    std::vector<std::size_t> gone;
    std::vector<op_t<P>> dead;
  };

  state& state_of(op_t<P> fragment) {
    auto const [at, is_new] = states_.try_emplace(fragment);
    if (is_new) {
      touched_.push_back(fragment);
      at->second.mesh = traits::fragment_of(program_, fragment).mesh;
      for (auto&& a : mpmd::arguments(program_, fragment)) at->second.arguments.push_back(a);
    }
    return at->second;
  }
  void clean_up(op_t<P> fragment, state& s) {
    std::sort(s.gone.begin(), s.gone.end());
    traits::erase_operands(program_, fragment, s.gone);
    traits::erase_arguments(program_, fragment, s.gone);
    auto gone = s.gone.begin();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < s.arguments.size(); ++i)
      if (gone != s.gone.end() && *gone == i)
        ++gone;
      else
        s.arguments[kept++] = s.arguments[i];
    s.arguments.resize(kept);
    s.gone.clear();
    for (op_t<P> const a : s.dead) traits::erase(program_, a);
    s.dead.clear();
  }

  P& program_;
  std::unordered_map<op_t<P>, state> states_;
  std::vector<op_t<P>> touched_;
  std::vector<op_t<P>> dead_;
};

}  // namespace mpmd

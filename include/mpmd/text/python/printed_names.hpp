#pragma once
/// What variables and windows are called in print.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/text/python/literals.hpp>

namespace mpmd::text::python {

class printed_names {
 public:
  explicit printed_names(ir::program const& p) : p_(p), reserved_{"pl", "pld", "self", "abs", "tuple"} {
    for (auto const k : keywords) reserved_.emplace(k);
    for (ir::op const f : ir::host::functions(p)) reserved_.emplace(ir::host::function_name(p, f));
    std::vector<ir::value> dims;
    for (ir::op const o : ir::ops(p, p.body()))
      if (p.is(o, ir::opcode::host_dim) && !p.is_unused(p.result(o, 0))) dims.push_back(p.result(o, 0));
    give(dims);
    for (ir::value const d : dims) dims_.insert(names_.at(d));
  }

  std::string const& of(ir::value v) const {
    auto const at = names_.find(v);
    return at == names_.end() ? unnamed_ : at->second;
  }
  /// The dynamic dimensions that are in use, as they are called.
  std::unordered_set<std::string> const& dims() const { return dims_; }

  /// Names the variables of a function: the parameters, then what its statements define in their order, then the rest.
  /// A hint that one variable has is its name; of several that share one, the first keeps it where it is free, and
  /// the others get numbers. O(ops of the function).
  void enter(ir::op function) {
    for (ir::value const v : local_) names_.erase(v);
    local_.clear();
    std::unordered_set<std::uint32_t> seen;
    auto add = [&](ir::value v) {
      if (ir::host::is_variable(p_, v) && !p_.is(p_.defining_op(v), ir::opcode::host_dim) && seen.insert(v.id).second)
        local_.push_back(v);
    };
    for (ir::value const v : ir::host::parameters(p_, function)) add(v);
    ir::walk(p_, function, [&](ir::op o) {
      if (p_.is(o, ir::opcode::host_assign)) {
        add(p_.operand(o, 0));
      } else if (p_.is(o, ir::opcode::host_if)) {
        for (ir::value const v : p_.operands(o).subspan(1)) add(v);
      } else if (p_.is(o, ir::opcode::host_for)) {
        auto const parts = ir::host::parts_of_for(p_, o);
        add(parts.variable);
        for (ir::value const v : parts.results) add(v);
        for (ir::value const v : parts.carried) add(v);
      } else if (p_.is(o, ir::opcode::host_while)) {
        auto const parts = ir::host::parts_of_while(p_, o);
        for (ir::value const v : parts.results) add(v);
        for (ir::value const v : parts.carried) add(v);
      }
    });
    for (ir::op const o : ir::ops(p_, ir::host::body_of(p_, function)))
      if (p_.is(o, ir::opcode::host_var) && !p_.is_unused(p_.result(o, 0))) add(p_.result(o, 0));
    give(local_);
  }

  /// The label of a window: made from the name of its base at the first mention and never used for another one.
  std::string const& label(ir::value window) {
    auto const [at, is_new] = labels_.try_emplace(window);
    if (is_new)
      at->second = free_name(of(p_.operand(p_.defining_op(window), 0)) + "_window", label_numbers_,
                             [this](std::string const& name) { return taken_labels_.insert(name).second; });
    return at->second;
  }

 private:
  /// `stem`, or the first of `stem_1`, `stem_2`, ... that is free. The numbers only grow, so this is O(1) on average.
  template <class Take>
  static std::string free_name(std::string const& stem, std::unordered_map<std::string, std::uint32_t>& numbers, Take take) {
    std::uint32_t& next = numbers[stem];
    while (true) {
      std::string name = next == 0 ? stem : stem + "_" + std::to_string(next);
      ++next;
      if (take(name)) return name;
    }
  }

  /// The hint as a name: what no name can hold becomes an underscore.
  static std::string sanitised(std::string_view hint) {
    if (is_identifier(hint)) return std::string(hint);
    std::string name;
    if (hint.empty()) return "v";
    if (hint[0] >= '0' && hint[0] <= '9') name += '_';
    while (!hint.empty()) {
      std::size_t const n = utf8_length(hint);
      std::string_view const piece = hint.substr(0, n == 0 ? 1 : n);
      bool const digit = piece[0] >= '0' && piece[0] <= '9';
      name += digit || is_identifier(piece) ? piece : std::string_view("_");
      hint.remove_prefix(piece.size());
    }
    return name;
  }

  void give(std::vector<ir::value> const& list) {
    std::unordered_set<std::string> taken;
    auto take = [&](std::string const& name) {
      return !reserved_.contains(name) && !dims_.contains(name) && taken.insert(name).second;
    };
    std::vector<std::string> hints;
    std::unordered_map<std::string, std::uint32_t> count, numbers;
    for (ir::value const v : list) {
      hints.push_back(sanitised(ir::host::hint(p_, v)));
      ++count[hints.back()];
    }
    std::vector<bool> done(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      if (count[hints[i]] == 1 && take(hints[i])) {
        done[i] = true;
        names_.insert_or_assign(list[i], hints[i]);
      }
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!done[i]) names_.insert_or_assign(list[i], free_name(hints[i], numbers, take));
  }

  ir::program const& p_;
  std::string unnamed_ = "__undefined";
  std::unordered_set<std::string> reserved_;  // names that mean something else where a variable stands
  std::unordered_map<ir::value, std::string> names_;
  std::vector<ir::value> local_;
  std::unordered_set<std::string> dims_;
  std::unordered_map<ir::value, std::string> labels_;
  std::unordered_map<std::string, std::uint32_t> label_numbers_;
  std::unordered_set<std::string> taken_labels_;
};

}  // namespace mpmd::text::python

#pragma once
/// A hash of whole programs that agrees with structural equality (ir/equality.hpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <mpmd/ir/detail/compared_parts.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/hash.hpp>

namespace mpmd::ir {

namespace detail {

/// Hashes the ops in order. An expression is hashed once and counts wherever it is used; a declaration is hashed at its
/// first use and is a number from then on.
class program_hash {
 public:
  explicit program_hash(program const& of) : of_(of), in_(of.context()), numbers_(of, of.root()) {}

  std::uint64_t run() {
    walk(of_, of_.root(), [&](op o) {
      if (is_placeless(of_, o)) return;
      h_.add(hash(o));
      while (next_declared_ < new_declared_.size()) h_.add(hash(new_declared_[next_declared_++]));
    });
    h_.add(of_.file_metadata());
    return h_.value();
  }

 private:
  std::uint64_t dictionary(attribute a) const { return in_.hash_of(a ? a : in_.empty_dictionary()); }

  /// Of an op that stands in a block, or is declared, with the expressions it uses.
  std::uint64_t hash(op o) {
    std::vector<op> open;
    open_expressions(o, open);
    while (!open.empty()) {
      op const top = open.back();
      expression_hash& e = hashes_[top];
      if (e.stage == expression_hash::done) {
        open.pop_back();
      } else if (e.stage == expression_hash::unseen) {
        e.stage = expression_hash::open;
        open_expressions(top, open);
      } else {
        std::uint64_t const found = own_hash(top);
        hashes_[top] = {expression_hash::done, found};
        open.pop_back();
      }
    }
    return own_hash(o);
  }
  /// One that is open already uses itself, in a malformed program; it counts as nothing there.
  void open_expressions(op o, std::vector<op>& open) {
    auto const operands = of_.operands(o);
    for (std::size_t i = operands.size(); i-- > 0;)
      if (op const used = expression(operands[i]); used && hashes_[used].stage == expression_hash::unseen)
        open.push_back(used);
  }

  std::uint64_t own_hash(op o) {
    hasher h;
    h.add(in_.hash_of(of_.kind(o)));
    h.add(of_.operand_count(o));
    for (value const v : of_.operands(o)) h.add(number(v));
    h.add(of_.result_count(o));
    for (value const v : of_.results(o)) h.add(in_.hash_of(compared_type(of_, o, v)));
    bool const known = of_.info(o) != nullptr;
    h.add(dictionary(known ? compared_properties(of_, o) : attribute{}));
    h.add(dictionary(known ? of_.attributes(o) : joint_attributes(of_, o)));
    h.add(of_.successors(o).size());
    for (block const b : of_.successors(o)) h.add(numbers_.blocks[b.id]);
    h.add(of_.regions(o).size());
    for (region const r : of_.regions(o)) {
      std::uint64_t count = 0;
      for (block const b : blocks(of_, r)) {
        ++count;
        h.add(of_.arguments(b).size());
        for (value const v : of_.arguments(b)) h.add(in_.hash_of(of_.type_of(v)));
        std::uint64_t length = 0;
        for (op const inner : ops(of_, b)) length += is_placeless(of_, inner) ? 0 : 1;
        h.add(length);
      }
      h.add(count);
    }
    return h.value();
  }

  bool is_placeless_value(value v) const { return numbers_.values[v.id] == definition_numbers::placeless; }
  /// The expression that a value is, or none.
  op expression(value v) const {
    op const o = is_placeless_value(v) ? of_.defining_op(v) : op{};
    return o && !of_.has_trait(o, op_trait::declaration) ? o : op{};
  }
  std::uint64_t number(value v) {
    if (!is_placeless_value(v)) return numbers_.values[v.id];
    if (op const used = expression(v)) {
      hasher h;
      h.add(hashes_[used].hash);
      h.add(of_.index_of(v));
      return h.value();
    }
    auto const [at, is_new] = declared_.emplace(v, static_cast<std::uint32_t>(declared_.size()));
    if (is_new) new_declared_.push_back(of_.defining_op(v));
    return at->second;
  }

  struct expression_hash {
    enum { unseen, open, done } stage = unseen;
    std::uint64_t hash = 0;
  };

  program const& of_;
  context& in_;
  definition_numbers numbers_;
  std::unordered_map<op, expression_hash> hashes_;
  std::unordered_map<value, std::uint32_t> declared_;
  std::vector<op> new_declared_;
  std::size_t next_declared_ = 0;
  hasher h_;
};

}  // namespace detail

/// Equal for structurally equal programs, in whichever contexts they live. O(size of the program).
inline std::uint64_t structural_hash(program const& of) { return detail::program_hash(of).run(); }

}  // namespace mpmd::ir

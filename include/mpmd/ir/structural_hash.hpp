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

/// Hashes the ops in order, and what an op uses behind it.
class program_hash {
 public:
  explicit program_hash(program const& of) : of_(of), in_(of.context()), numbers_(of, of.root()) {}

  std::uint64_t run() {
    walk(of_, of_.root(), [&](op o) {
      if (is_placeless(of_, o)) return;
      add(o);
      while (!pending_.empty()) {
        op const used = pending_.back();
        pending_.pop_back();
        add(used);
      }
    });
    h_.add(of_.file_metadata());
    return h_.value();
  }

 private:
  std::uint64_t dictionary(attribute a) const { return in_.hash_of(a ? a : in_.empty_dictionary()); }

  void add(op o) {
    h_.add(in_.hash_of(of_.kind(o)));
    h_.add(of_.operand_count(o));
    std::size_t const from = pending_.size();
    for (value const v : of_.operands(o)) h_.add(number(v));
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(from), pending_.end());
    h_.add(of_.result_count(o));
    for (value const v : of_.results(o)) h_.add(in_.hash_of(compared_type(of_, o, v)));
    bool const known = of_.info(o) != nullptr;
    h_.add(dictionary(known ? compared_properties(of_, o) : attribute{}));
    h_.add(dictionary(known ? of_.attributes(o) : joint_attributes(of_, o)));
    h_.add(of_.successors(o).size());
    for (block const b : of_.successors(o)) h_.add(numbers_.blocks[b.id]);
    h_.add(of_.regions(o).size());
    for (region const r : of_.regions(o)) {
      std::uint64_t count = 0;
      for (block const b : blocks(of_, r)) {
        ++count;
        h_.add(of_.arguments(b).size());
        for (value const v : of_.arguments(b)) h_.add(in_.hash_of(of_.type_of(v)));
        std::uint64_t length = 0;
        for (op const inner : ops(of_, b)) length += is_placeless(of_, inner) ? 0 : 1;
        h_.add(length);
      }
      h_.add(count);
    }
  }

  /// Queues placeless ops to be hashed: an expression wherever it is used, a declaration at its first use.
  std::uint64_t number(value v) {
    std::uint32_t const known = numbers_.values[v.id];
    if (known != definition_numbers::placeless) return known;
    op const o = of_.defining_op(v);
    if (of_.has_trait(o, op_trait::declaration)) {
      auto const [at, is_new] = declared_.emplace(v, static_cast<std::uint32_t>(declared_.size()));
      if (!is_new) return at->second;
    }
    pending_.push_back(o);
    return known;
  }

  program const& of_;
  context& in_;
  definition_numbers numbers_;
  std::unordered_map<value, std::uint32_t> declared_;
  std::vector<op> pending_;
  hasher h_;
};

}  // namespace detail

/// Equal for structurally equal programs, in whichever contexts they live. O(size of the program).
inline std::uint64_t structural_hash(program const& of) { return detail::program_hash(of).run(); }

}  // namespace mpmd::ir

#pragma once
/// Whether the links of a program agree with each other. No edit through the interface can break them; tests
/// of that claim, and of code that edits much, ask here.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

/// The first broken link found in words, or nothing. Looks at everything in the root and in the ops of
/// `detached`, which must be all ops alive. O(size of the program).
inline std::string find_broken_link(program const& in, std::vector<op> const& detached = {}) {
  std::string broken;
  std::vector<op> alive;
  auto name_of = [&](op o) {
    return "op " + std::to_string(o.id) + " '" + std::string(in.kind_text(o)) + "'";
  };
  auto say = [&](bool holds, op o, std::string_view what) {
    if (!holds && broken.empty()) broken = name_of(o) + ": " + std::string(what);
  };
  auto check_lists = [&](op o) {
    for (region const r : in.regions(o)) {
      say(in.parent_op(r) == o, o, "a region belongs to another op");
      block previous;
      for (block b = in.first_block(r); b; previous = b, b = in.next_block(b)) {
        say(in.parent_region(b) == r, o, "a block belongs to another region");
        say(in.previous_block(b) == previous, o, "a block has a wrong predecessor");
        auto const arguments = in.arguments(b);
        for (std::uint32_t i = 0; i < arguments.size(); ++i)
          say(in.is_argument(arguments[i]) && in.argument_block(arguments[i]) == b &&
                  in.index_of(arguments[i]) == i,
              o, "a block argument does not know its place");
        op before;
        for (op inner = in.first_op(b); inner; before = inner, inner = in.next_op(inner)) {
          say(in.parent_block(inner) == b, inner, "is listed in a block that is not its own");
          say(in.previous_op(inner) == before, inner, "has a wrong predecessor");
          if (before)
            say(in.is_before(before, inner) && !in.is_before(inner, before), inner, "has a wrong order");
        }
        say(in.last_op(b) == before, o, "a block has a wrong last op");
      }
      say(in.last_block(r) == previous, o, "a region has a wrong last block");
    }
  };
  auto visit = [&](op o) {
    alive.push_back(o);
    say(bool(in.kind(o)), o, "is erased");
    for (std::uint32_t i = 0; i < in.result_count(o); ++i) {
      value const v = in.result(o, i);
      say(!in.is_argument(v) && in.defining_op(v) == o && in.index_of(v) == i, o,
          "a result does not know its place");
    }
    check_lists(o);
  };
  walk(in, in.root(), visit);
  for (op const o : detached) {
    say(!in.parent_block(o), o, "stands in a block");
    walk(in, o, visit);
  }
  if (!broken.empty()) return broken;

  // Uses: each operand once in the chain of its value, and nothing else.
  std::vector<std::uint32_t> operands_of(in.value_capacity(), 0);
  for (op const o : alive)
    for (value const v : in.operands(o)) ++operands_of[v.id];
  for (op const o : alive) {
    auto check = [&](value v) {
      std::uint32_t chained = 0;
      for (use const u : in.uses(v)) {
        if (chained++ > operands_of[v.id]) break;
        say(u.index < in.operand_count(u.user) && in.operand(u.user, u.index) == v, o,
            "a use is of another value");
      }
      say(chained == operands_of[v.id], o, "a value has uses without operands, or operands without uses");
      say(in.is_unused(v) == (chained == 0) && in.has_one_use(v) == (chained == 1), o,
          "uses are counted wrongly");
    };
    for (value const v : in.results(o)) check(v);
    for (region const r : in.regions(o))
      for (block const b : blocks(in, r))
        for (value const v : in.arguments(b)) check(v);
  }
  return broken;
}

}  // namespace mpmd::ir

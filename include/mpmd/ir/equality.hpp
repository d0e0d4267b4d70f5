#pragma once
/// Structural equality of programs, and a hash that agrees with it.
///
/// Two programs are equal when one can be laid over the other: the same ops in the same order, with the same
/// regions, blocks, attributes and types, whose operands and successors correspond. Where they were read
/// from, the locations they state and the order of the uses of a value do not count. The programs may live in
/// different contexts: names, types and attributes are compared by what they say. Of an op that is not known
/// (info_of) nobody can tell which attributes are inherent, so it does not count among which of the two kinds
/// they stand.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/hash.hpp>

namespace mpmd::ir {

/// Compares types and attributes of two contexts. Each pair of handles is compared once, so that a comparison
/// of whole programs is linear in their size. After the first "different" the object must not be asked again.
class cross_context_equality {
 public:
  cross_context_equality(context const& a, context const& b) : a_(a), b_(b), same_(&a == &b) {}

  bool operator()(type a, type b) { return same_ ? a == b : differ_nowhere(a, b); }
  bool operator()(attribute a, attribute b) { return same_ ? a == b : differ_nowhere(a, b); }
  bool operator()(name a, name b) { return same_ ? a == b : one(a, b); }

 private:
  // Nested handles are put on a list; plain fields are compared at once.
  bool one(type a, type b) { return postpone(types_, pending_types_, a, b); }
  bool one(attribute a, attribute b) { return postpone(attributes_, pending_attributes_, a, b); }
  bool one(name a, name b) { return bool(a) == bool(b) && (!a || a_.text(a) == b_.text(b)); }
  template <class A, class B>
  bool one(std::pair<A, B> const& a, std::pair<A, B> const& b) {
    return one(a.first, b.first) && one(a.second, b.second);
  }
  template <class T>
    requires requires { T::fields; }
  bool one(T const& a, T const& b) {
    return std::apply([&](auto... member) { return (one(a.*member, b.*member) && ...); }, T::fields);
  }
  template <class T>
  bool one(std::vector<T> const& a, std::vector<T> const& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!one(a[i], b[i])) return false;
    return true;
  }
  template <class T>
    requires std::equality_comparable<T> && (!requires { T::fields; })
  bool one(T const& a, T const& b) {
    return a == b;
  }

  template <class Handle>
  using partners = std::unordered_map<std::uint32_t, Handle>;
  template <class Handle>
  using pairs = std::vector<std::pair<Handle, Handle>>;

  /// Both sides are uniqued, so each handle has at most one partner. A pair is entered as equal before it has
  /// been compared; when that turns out wrong the whole comparison has failed anyway.
  template <class Handle>
  static bool postpone(partners<Handle>& known, pairs<Handle>& pending, Handle a, Handle b) {
    if (!a || !b) return !a && !b;
    auto const [at, is_new] = known.emplace(a.id, b);
    if (is_new) pending.emplace_back(a, b);
    return at->second == b;
  }
  template <class Handle>
  bool same_data(Handle a, Handle b) {
    if (a_.hash_of(a) != b_.hash_of(b)) return false;
    auto const& left = a_[a];
    auto const& right = b_[b];
    return left.index() == right.index() &&
           std::visit([&](auto const& l) { return one(l, *std::get_if<std::decay_t<decltype(l)>>(&right)); },
                      left);
  }
  template <class Handle>
  bool differ_nowhere(Handle a, Handle b) {
    if (!one(a, b)) return false;
    while (!pending_types_.empty() || !pending_attributes_.empty()) {
      if (!pending_types_.empty()) {
        auto const [x, y] = pending_types_.back();
        pending_types_.pop_back();
        if (!same_data(x, y)) return false;
      } else {
        auto const [x, y] = pending_attributes_.back();
        pending_attributes_.pop_back();
        if (!same_data(x, y)) return false;
      }
    }
    return true;
  }

  context const& a_;
  context const& b_;
  bool same_;
  partners<type> types_;
  partners<attribute> attributes_;
  pairs<type> pending_types_;
  pairs<attribute> pending_attributes_;
};

/// Where two programs part: an op on each side (none where one side has no such op) and what about them
/// differs.
struct difference {
  op first;
  op second;
  std::string what;
};

namespace detail {

/// Numbers of values and blocks in order of definition; `unknown` for those defined elsewhere.
struct definition_numbers {
  static constexpr std::uint32_t unknown = 0xFFFFFFFFu;
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> blocks;

  definition_numbers(program const& in, op root)
      : values(in.value_capacity(), unknown), blocks(in.block_capacity(), unknown) {
    std::uint32_t next_value = 0, next_block = 0;
    // Results of an op, then the blocks of its regions with their arguments, then the ops in them.
    walk(in, root, [&](op o) {
      for (value const v : in.results(o)) values[v.id] = next_value++;
      for (region const r : in.regions(o))
        for (block const b : ir::blocks(in, r)) {
          blocks[b.id] = next_block++;
          for (value const v : in.arguments(b)) values[v.id] = next_value++;
        }
    });
  }
};

/// The attributes of an op that is not known, all in one dictionary.
inline attribute joint_attributes(program const& in, op o) {
  auto const* inherent = in.context().get_if<dictionary_attr>(in.properties(o));
  auto const* other = in.context().get_if<dictionary_attr>(in.attributes(o));
  if (inherent == nullptr || inherent->entries.empty()) return in.attributes(o);
  if (other == nullptr || other->entries.empty()) return in.properties(o);
  auto entries = other->entries;
  entries.insert(entries.end(), inherent->entries.begin(),
                 inherent->entries.end());  // found first by program::attr
  return in.context().dictionary(std::move(entries));
}

class op_comparison {
 public:
  op_comparison(program const& a, op x, program const& b, op y)
      : a_(a), b_(b), left_(a, x), right_(b, y), same_(a.context(), b.context()), pending_{{x, y}} {}

  std::optional<difference> run() {
    while (!pending_.empty()) {
      auto const [x, y] = pending_.back();
      pending_.pop_back();
      if (!x || !y) return difference{x, y, x ? "only the first has this op" : "only the second has this op"};
      if (auto what = compare(x, y); !what.empty()) return difference{x, y, std::move(what)};
      push_nested(x, y);
    }
    return {};
  }

 private:
  static std::string number(std::size_t n) { return std::to_string(n); }

  std::string compare(op x, op y) {
    if (!same_(a_.kind(x), b_.kind(y)))
      return "'" + std::string(a_.kind_text(x)) + "' against '" + std::string(b_.kind_text(y)) + "'";
    if (a_.operand_count(x) != b_.operand_count(y)) return "the number of operands";
    for (std::uint32_t i = 0; i < a_.operand_count(x); ++i)
      if (!same_value(a_.operand(x, i), b_.operand(y, i))) return "operand " + number(i);
    if (a_.result_count(x) != b_.result_count(y)) return "the number of results";
    for (std::uint32_t i = 0; i < a_.result_count(x); ++i)
      if (!same_(a_.type_of(a_.result(x, i)), b_.type_of(b_.result(y, i))))
        return "the type of result " + number(i);
    bool const known = a_.info(x) != nullptr;
    if (known)
      if (auto const key = differing_key(a_.properties(x), b_.properties(y)); !key.empty())
        return "the inherent attribute '" + key + "'";
    if (auto const key = differing_key(known ? a_.attributes(x) : joint_attributes(a_, x),
                                       known ? b_.attributes(y) : joint_attributes(b_, y));
        !key.empty())
      return "the attribute '" + key + "'";
    auto const from = a_.successors(x), to = b_.successors(y);
    if (from.size() != to.size()) return "the number of successors";
    for (std::size_t i = 0; i < from.size(); ++i)
      if (left_.blocks[from[i].id] != right_.blocks[to[i].id]) return "successor " + number(i);
    if (a_.regions(x).size() != b_.regions(y).size()) return "the number of regions";
    for (std::size_t r = 0; r < a_.regions(x).size(); ++r) {
      block p = a_.first_block(a_.regions(x)[r]), q = b_.first_block(b_.regions(y)[r]);
      for (std::size_t i = 0; p && q; ++i, p = a_.next_block(p), q = b_.next_block(q)) {
        auto const left = a_.arguments(p), right = b_.arguments(q);
        std::string const at = " of block " + number(i) + " of region " + number(r);
        if (left.size() != right.size()) return "the number of arguments" + at;
        for (std::size_t k = 0; k < left.size(); ++k)
          if (!same_(a_.type_of(left[k]), b_.type_of(right[k])))
            return "the type of argument " + number(k) + at;
      }
      if (p || q) return "the number of blocks of region " + number(r);
    }
    return {};
  }

  bool same_value(value v, value w) {
    std::uint32_t const l = left_.values[v.id], r = right_.values[w.id];
    if (l != definition_numbers::unknown || r != definition_numbers::unknown) return l == r;
    // Defined outside the compared ops. In one program it must be the same value, in two a bijection is
    // enough.
    if (&a_ == &b_) return v == w;
    bool const forth = outer_.emplace(v, w).first->second == w;
    return forth && outer_back_.emplace(w, v).first->second == v;
  }

  /// The first key on which two dictionaries differ, or nothing. No dictionary is an empty one.
  std::string differing_key(attribute x, attribute y) {
    if (&a_.context() == &b_.context() && x == y) return {};
    static std::vector<std::pair<name, attribute>> const no_entries;
    auto const* left = a_.context().get_if<dictionary_attr>(x);
    auto const* right = b_.context().get_if<dictionary_attr>(y);
    auto const& l = left ? left->entries : no_entries;
    auto const& r = right ? right->entries : no_entries;
    for (std::size_t i = 0; i < l.size() || i < r.size(); ++i) {
      if (i == r.size()) return std::string(a_.context().text(l[i].first));
      if (i == l.size()) return std::string(b_.context().text(r[i].first));
      auto const p = a_.context().text(l[i].first), q = b_.context().text(r[i].first);
      if (p != q) return std::string(p < q ? p : q);  // sorted: the smaller one is missing on the other side
      if (!same_(l[i].second, r[i].second)) return std::string(p);
    }
    return {};
  }

  /// Queues the ops of all regions so that they come off the list in order; a surplus op comes paired with
  /// none.
  void push_nested(op x, op y) {
    std::size_t const from = pending_.size();
    for (std::size_t r = 0; r < a_.regions(x).size(); ++r) {
      block p = a_.first_block(a_.regions(x)[r]), q = b_.first_block(b_.regions(y)[r]);
      for (; p; p = a_.next_block(p), q = b_.next_block(q)) {
        op m = a_.first_op(p), n = b_.first_op(q);
        for (; m && n; m = a_.next_op(m), n = b_.next_op(n)) pending_.emplace_back(m, n);
        if (m || n) pending_.emplace_back(m, n);
      }
    }
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(from), pending_.end());
  }

  program const& a_;
  program const& b_;
  definition_numbers left_, right_;
  cross_context_equality same_;
  std::unordered_map<value, value> outer_, outer_back_;
  std::vector<std::pair<op, op>> pending_;
};

}  // namespace detail

/// The first place, in program order, where two ops with all they contain differ, or nothing if they are
/// equal. Values defined outside must be the same when both ops are of one program, and must correspond one
/// to one when they are of two. O(values of both programs + size of the ops).
inline std::optional<difference> first_difference(program const& a, op x, program const& b, op y) {
  return detail::op_comparison(a, x, b, y).run();
}
/// The same for whole programs, and the metadata of their files.
inline std::optional<difference> first_difference(program const& a, program const& b) {
  if (auto found = first_difference(a, a.root(), b, b.root())) return found;
  if (a.file_metadata() != b.file_metadata())
    return difference{a.root(), b.root(), "the metadata of the file"};
  return {};
}

inline bool structural_equal(program const& a, program const& b) { return !first_difference(a, b); }
inline bool structural_equal(program const& a, op x, program const& b, op y) {
  return !first_difference(a, x, b, y);
}

/// Equal for structurally equal programs, in whichever contexts they live. O(size of the program).
inline std::uint64_t structural_hash(program const& of) {
  detail::definition_numbers const numbers(of, of.root());
  context const& in = of.context();
  auto dictionary = [&in](attribute a) { return in.hash_of(a ? a : in.empty_dictionary()); };
  hasher h;
  walk(of, of.root(), [&](op o) {
    h.add(in.hash_of(of.kind(o)));
    h.add(of.operand_count(o));
    for (value const v : of.operands(o)) h.add(numbers.values[v.id]);
    h.add(of.result_count(o));
    for (value const v : of.results(o)) h.add(in.hash_of(of.type_of(v)));
    bool const known = of.info(o) != nullptr;
    h.add(dictionary(known ? of.properties(o) : attribute{}));
    h.add(dictionary(known ? of.attributes(o) : detail::joint_attributes(of, o)));
    h.add(of.successors(o).size());
    for (block const b : of.successors(o)) h.add(numbers.blocks[b.id]);
    h.add(of.regions(o).size());
    for (region const r : of.regions(o)) {
      std::uint64_t count = 0;
      for (block const b : blocks(of, r)) {
        ++count;
        h.add(of.arguments(b).size());
        for (value const v : of.arguments(b)) h.add(in.hash_of(of.type_of(v)));
        std::uint64_t length = 0;
        for ([[maybe_unused]] op const inner : ops(of, b)) ++length;
        h.add(length);
      }
      h.add(count);
    }
  });
  h.add(of.file_metadata());
  return h.value();
}

/// How to show a difference to a person: where in each file, and what.
inline std::string describe(difference const& d, program const& a, program const& b) {
  auto place = [](program const& in, op o) {
    if (!o) return std::string("(nothing)");
    std::string out = "'" + std::string(in.kind_text(o)) + "'";
    if (auto const at = in.context().sources.resolve(in.where(o).text); at.line != 0)
      out += " at " + at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    return out;
  };
  return place(a, d.first) + " and " + place(b, d.second) + " differ: " + d.what;
}

}  // namespace mpmd::ir

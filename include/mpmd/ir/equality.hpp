#pragma once
/// Structural equality of programs, and a hash that agrees with it.
///
/// Two programs are equal when one can be laid over the other: the same ops in the same order, with the same
/// regions, blocks, attributes and types, whose operands and successors correspond. Where they were read
/// from, the locations they state and the order of the uses of a value do not count. The programs may live in
/// different contexts: names, types and attributes are compared by what they say. Of an op that is not known
/// (info_of) nobody can tell which attributes are inherent, so it does not count among which of the two kinds
/// they stand. Expressions and declarations of host programs are compared where they are used, wherever they stand.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/ir/detail/compared_parts.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/structural_hash.hpp>
#include <mpmd/ir/walk.hpp>

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
      if (!same_(compared_type(a_, x, a_.result(x, i)), compared_type(b_, y, b_.result(y, i))))
        return "the type of result " + number(i);
    bool const known = a_.info(x) != nullptr;
    if (known)
      if (auto const key = differing_key(compared_properties(a_, x), compared_properties(b_, y)); !key.empty())
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
    if (l != r) return false;
    if (l == definition_numbers::placeless) return same_placeless(v, w);
    if (l != definition_numbers::unknown) return true;
    // An expression belongs to the op that uses it.
    op const x = a_.defining_op(v), y = b_.defining_op(w);
    if (x && y && a_.has_trait(x, op_trait::expression) && b_.has_trait(y, op_trait::expression))
      return same_placeless(v, w);
    // Defined outside the compared ops. In one program it must be the same value, in two a bijection is
    // enough.
    if (&a_ == &b_) return v == w;
    bool const forth = outer_.emplace(v, w).first->second == w;
    return forth && outer_back_.emplace(w, v).first->second == v;
  }

  /// What an expression is, is compared; things that are declared correspond one to one, and each pair of them is
  /// compared once.
  bool same_placeless(value v, value w) {
    op const x = a_.defining_op(v), y = b_.defining_op(w);
    if (a_.has_trait(x, op_trait::declaration)) {
      auto const [forth, is_new] = declared_.emplace(v, w);
      if (forth->second != w || declared_back_.emplace(w, v).first->second != v) return false;
      if (!is_new) return true;
    } else if (!compared_.insert(std::uint64_t{v.id} << 32 | w.id).second) {
      return true;  // expressions are shared, and those of a malformed program may use themselves
    }
    pending_.emplace_back(x, y);
    return true;
  }

  /// The next op from `o` on that is compared where it stands.
  static op placed(program const& in, op o) {
    while (o && is_placeless(in, o)) o = in.next_op(o);
    return o;
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
        op m = placed(a_, a_.first_op(p)), n = placed(b_, b_.first_op(q));
        for (; m && n; m = placed(a_, a_.next_op(m)), n = placed(b_, b_.next_op(n))) pending_.emplace_back(m, n);
        if (m || n) pending_.emplace_back(m, n);
      }
    }
    std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(from), pending_.end());
  }

  program const& a_;
  program const& b_;
  definition_numbers left_, right_;
  cross_context_equality same_;
  std::unordered_map<value, value> outer_, outer_back_, declared_, declared_back_;
  std::unordered_set<std::uint64_t> compared_;  // pairs of expressions
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

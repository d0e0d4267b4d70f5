#pragma once

#include <mpmd/lattice/internable.hpp>
#include <mpmd/lattice/lattice.hpp>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace mpmd {

/// What an `interned<L>` hands out for an element of `L`: 8 bytes, of which `kind` is the same for equal
/// elements and `form` for identical ones. Bottom is all zeros.
struct interned_element {
  std::uint32_t form = 0;
  std::uint32_t kind = 0;

  friend constexpr bool operator==(interned_element a, interned_element b) noexcept {
    return a.kind == b.kind;
  }
};

/// `L` with its elements kept once each in a pool, and named by handles that are cheap to copy and compare. A
/// join looks up what it has computed before, so a propagation over a million nodes with a thousand different
/// facts runs the join of `L` some thousands of times, and allocates no more often.
///
/// The copies of an interned lattice share its pool, which lives as long as any of them; elements mean
/// something only together with that pool. The pool is filled by `const` members and not synchronised: keep
/// one to one thread. Which handle an element gets depends on nothing but the calls made, in their order.
template <internable L>
class interned {
 public:
  using element = interned_element;
  static constexpr bool finite_height = has_finite_height<L>;

  constexpr interned()
    requires std::default_initializable<L>
      : interned(L{}) {}
  constexpr explicit interned(L inner) : pool_(new pool(std::move(inner))) {}
  constexpr interned(const interned& other) noexcept : pool_(other.pool_) { ++pool_->owners; }
  constexpr interned& operator=(const interned& other) noexcept {
    auto copy = other;
    std::swap(pool_, copy.pool_);
    return *this;
  }
  constexpr ~interned() { release(pool_); }

  constexpr const L& inner() const noexcept { return pool_->inner; }

  /// The handle of an element of `L`. Expected O(1) beside hashing and comparing it.
  constexpr element make(const element_t<L>& value) const { return pool_->intern(value); }

  /// The element of `L` that a handle names. The reference holds as long as the pool.
  constexpr const element_t<L>& value(element e) const { return pool_->form(e.form).value; }

  /// How many elements that are not identical have been seen.
  constexpr std::size_t forms() const noexcept { return pool_->forms.size(); }

  constexpr element bottom() const noexcept { return {}; }

  /// Expected O(1) for a pair that was joined not long ago, otherwise a join of `L`.
  constexpr change join(element& into, const element& from) const {
    // Most joins meet equal elements or bottom, in no order that a processor could predict. So these cases
    // share one branch, and which of them it is becomes a mask.
    if ((into.kind == from.kind) | (from.kind == 0) | (into.kind == 0)) [[likely]] {
      const auto taken = static_cast<std::uint32_t>((into.kind == 0) & (from.kind != 0));
      into.form ^= (into.form ^ from.form) & (0 - taken);
      into.kind ^= (into.kind ^ from.kind) & (0 - taken);
      return changed_if(taken != 0);
    }
    const auto above = pool_->join(into, from);
    if (above.kind == into.kind) return change::no;
    into = above;
    return change::yes;
  }

 private:
  struct entry {
    element_t<L> value;
    std::uint64_t digest;
    std::uint32_t kind;
  };

  struct memo {
    std::uint32_t into = 0, from = 0;  // forms; zero where there is none yet, as bottom is joined without
    element above = {};
  };

  struct kind_slot {
    std::uint64_t digest = 0;
    std::uint32_t first = 0;  // form + 1, or 0 where free
  };

  static constexpr bool has_other_forms = requires(const L& l, const element_t<L>& e) { l.identical(e, e); };

  struct pool {
    L inner;
    std::size_t owners = 1;
    std::vector<entry*> forms;          // apart from each other, so that references stay good
    std::vector<std::uint32_t> slots;   // open addressing by digest; form + 1, or 0 where free
    std::vector<kind_slot> kind_slots;  // the same by unordered digest, where elements have several forms
    std::size_t kinds = 0;
    std::vector<memo> memos;  // the last join in each place
    std::size_t missed = 0;   // joins since the memos last grew

    constexpr explicit pool(L l)
        : inner(std::move(l)), slots(16, 0), kind_slots(16, kind_slot{}), memos(64, memo{}) {
      [[maybe_unused]] const auto bottom = intern(inner.bottom());
      assert(bottom.form == 0 && bottom.kind == 0);
    }
    pool(const pool&) = delete;
    constexpr ~pool() {
      for (auto* e : forms) delete e;
    }

    constexpr const entry& form(std::uint32_t index) const {
      assert(index < forms.size());
      return *forms[index];
    }

    constexpr element intern(element_t<L> value) {
      const auto digest = inner.digest(value);
      if (const auto known = slots[find(value, digest)]; known != 0) return handle(known - 1);
      const auto kind = kind_of(value);
      return add(std::move(value), digest, kind);
    }

    constexpr element join(element into, element from) {
      const auto& last = memos[place(into.form, from.form)];
      if (last.into == into.form && last.from == from.form) [[likely]]
        return last.above;
      auto above = form(into.form).value;
      const bool grew = inner.join(above, form(from.form).value) == change::yes;
      const auto result = grew ? intern(std::move(above)) : into;
      if (++missed > memos.size() && memos.size() < most_memos) enlarge_memos();
      memos[place(into.form, from.form)] = {into.form, from.form, result};
      return result;
    }

   private:
    static constexpr std::size_t most_memos = std::size_t{1} << 18;

    constexpr std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(forms.size()); }
    constexpr element handle(std::uint32_t index) const { return {index, form(index).kind}; }

    constexpr std::size_t place(std::uint32_t into, std::uint32_t from) const noexcept {
      const auto mixed = (std::uint64_t{into} << 32 | from) * 0x9E3779B97F4A7C15u;
      return static_cast<std::size_t>(mixed >> 32) & (memos.size() - 1);
    }

    // The slot of `value`, or the free one where it belongs.
    constexpr std::size_t find(const element_t<L>& value, std::uint64_t digest) const {
      auto slot = static_cast<std::size_t>(digest) & (slots.size() - 1);
      while (slots[slot] != 0) {
        const auto& there = form(slots[slot] - 1);
        if (there.digest == digest && detail::identical_in(inner, there.value, value)) break;
        slot = (slot + 1) & (slots.size() - 1);
      }
      return slot;
    }

    // The first form of the elements equal to `value`, which is not a form yet.
    constexpr std::uint32_t kind_of(const element_t<L>& value) {
      if constexpr (!has_other_forms) return size();
      if ((kinds + 1) * 2 > kind_slots.size()) enlarge_kinds();
      const auto digest = detail::unordered_digest_in(inner, value);
      auto slot = static_cast<std::size_t>(digest) & (kind_slots.size() - 1);
      for (; kind_slots[slot].first != 0; slot = (slot + 1) & (kind_slots.size() - 1))
        if (kind_slots[slot].digest == digest && form(kind_slots[slot].first - 1).value == value)
          return kind_slots[slot].first - 1;
      kind_slots[slot] = {digest, size() + 1};
      ++kinds;
      return size();
    }

    constexpr element add(element_t<L> value, std::uint64_t digest, std::uint32_t kind) {
      assert(forms.size() < std::numeric_limits<std::uint32_t>::max());
      if ((forms.size() + 1) * 2 > slots.size()) enlarge_slots();
      const auto index = size();
      slots[find(value, digest)] = index + 1;
      forms.push_back(new entry{std::move(value), digest, kind});
      return {index, kind};
    }

    constexpr void enlarge_kinds() {
      const auto old = std::exchange(kind_slots, std::vector<kind_slot>(kind_slots.size() * 2, kind_slot{}));
      for (const auto& k : old) {
        auto slot = static_cast<std::size_t>(k.digest) & (kind_slots.size() - 1);
        while (kind_slots[slot].first != 0) slot = (slot + 1) & (kind_slots.size() - 1);
        if (k.first != 0) kind_slots[slot] = k;
      }
    }

    constexpr void enlarge_slots() {
      slots.assign(slots.size() * 2, 0);
      for (std::uint32_t i = 0; i < size(); ++i) {
        auto slot = static_cast<std::size_t>(forms[i]->digest) & (slots.size() - 1);
        while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
        slots[slot] = i + 1;
      }
    }

    constexpr void enlarge_memos() {
      const auto old = std::exchange(memos, std::vector<memo>(memos.size() * 4, memo{}));
      for (const auto& m : old)
        if (m.into != 0) memos[place(m.into, m.from)] = m;
      missed = 0;
    }
  };

  // Not inlined, because GCC 12 would warn of a use after the release by what is only the next owner.
  [[gnu::noinline]] static constexpr void release(pool* shared) {
    if (--shared->owners == 0) delete shared;
  }

  pool* pool_;
};

}  // namespace mpmd

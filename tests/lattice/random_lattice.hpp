#pragma once

#include <mpmd/lattice/flat.hpp>
#include <mpmd/lattice/interned.hpp>
#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/lift.hpp>
#include <mpmd/lattice/map_of.hpp>
#include <mpmd/lattice/mesh_origins.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/lattice/powerset.hpp>
#include <mpmd/lattice/product.hpp>
#include <mpmd/lattice/with_origins.hpp>

#include <memory>
#include <random>
#include <string>
#include <utility>

namespace mpmd::testing {

using generator = std::mt19937;

inline unsigned below(generator& random, unsigned bound) { return static_cast<unsigned>(random() % bound); }

/// An element of a lattice whose type is forgotten. Compares equal only to elements of the same type.
class any_element {
 public:
  any_element() : any_element(0) {}
  template <class T>
    requires(!std::same_as<T, any_element>)
  any_element(T value) : held_(std::make_shared<holder<T>>(std::move(value))) {}

  template <class T>
  const T& as() const {
    if constexpr (std::same_as<T, any_element>)
      return *this;  // the lattice is made of another whose type is forgotten, and has its elements
    else
      return dynamic_cast<const holder<T>&>(*held_).value;
  }

  friend bool operator==(const any_element& a, const any_element& b) { return a.held_->equals(*b.held_); }

 private:
  struct base {
    virtual ~base() = default;
    virtual bool equals(const base& other) const = 0;
  };
  template <class T>
  struct holder final : base {
    explicit holder(T v) : value(std::move(v)) {}
    bool equals(const base& other) const override {
      const auto* same = dynamic_cast<const holder*>(&other);
      return same && value == same->value;
    }
    T value;
  };

  std::shared_ptr<const base> held_;
};

// Elements of each kind of lattice, from universes so small that drawn elements are often related.
template <std::size_t Capacity>
mesh_set<Capacity> draw(const mesh_sets<Capacity>& l, generator& random) {
  mesh_set<Capacity> set;
  for (unsigned m = 0; m < l.universe(); ++m)
    if (below(random, 2) == 0) set.insert(m);
  return set;
}

inline flat<int>::element draw(const flat<int>& l, generator& random) {
  const auto choice = below(random, 4);
  if (choice < 2) return static_cast<int>(choice);
  return choice == 2 ? l.bottom() : l.top();
}

inline powerset<int>::element draw(const powerset<int>& l, generator& random) {
  if (below(random, 5) == 0) return l.top();
  powerset<int>::element set;
  for (int v = 0; v < 3; ++v)
    if (below(random, 2) == 0) set.insert(v);
  return set;
}

inline arrival_set<std::uint32_t> draw_labels(generator& random) {
  arrival_set<std::uint32_t> labels;
  for (auto count = below(random, 3); count > 0; --count) labels.insert(below(random, 3));
  return labels;
}

inline mesh_origins draw(const use_origins&, generator& random) {
  auto value = mesh_origins::none();
  for (auto count = below(random, 3); count > 0; --count) value.insert(below(random, 3), draw_labels(random));
  if (below(random, 4) == 0) value.insert_wildcard({below(random, 3)});
  return value;
}

inline mesh_origins draw(const src_origins&, generator& random) {
  return below(random, 4) == 0 ? mesh_origins() : draw(use_origins(), random);
}

template <class L>
typename inverted<L>::element draw(const inverted<L>& l, generator& random) {
  return draw(l.upright(), random);
}

template <class L>
typename lift<L>::element draw(const lift<L>& l, generator& random) {
  if (below(random, 4) == 0) return l.bottom();
  return draw(l.inner(), random);
}

template <class A, class B>
typename product<A, B>::element draw(const product<A, B>& l, generator& random) {
  auto first = draw(l.template factor<0>(), random);
  return {std::move(first), draw(l.template factor<1>(), random)};
}

template <class L>
typename map_of<int, L>::element draw(const map_of<int, L>& l, generator& random) {
  typename map_of<int, L>::element map;
  for (auto count = below(random, 3); count > 0; --count) {
    const int key = static_cast<int>(below(random, 3));
    l.set(map, key, draw(l.inner(), random));
  }
  return map;
}

template <class L>
typename with_origins<L>::element draw(const with_origins<L>& l, generator& random) {
  auto fact = draw(l.inner(), random);
  return {std::move(fact), draw_labels(random)};
}

template <class L>
interned_element draw(const interned<L>& l, generator& random) {
  return l.make(draw(l.inner(), random));
}

/// A join semilattice whose type is forgotten, so that combinators can be nested at random.
class any_semilattice {
 public:
  using element = any_element;

  template <join_semilattice L>
    requires(!std::same_as<L, any_semilattice>)
  any_semilattice(L l, std::string name)
      : held_(std::make_shared<model<L>>(std::move(l))), name_(std::move(name)) {}

  element bottom() const { return held_->bottom(); }
  change join(element& into, const element& from) const { return held_->join(into, from); }
  const std::string& name() const { return name_; }

  friend element draw(const any_semilattice& l, generator& random) { return l.held_->draw_one(random); }

 private:
  struct base {
    virtual ~base() = default;
    virtual element bottom() const = 0;
    virtual change join(element& into, const element& from) const = 0;
    virtual element draw_one(generator& random) const = 0;
  };
  template <class L>
  struct model final : base {
    explicit model(L l) : lattice(std::move(l)) {}
    element bottom() const override { return lattice.bottom(); }
    change join(element& into, const element& from) const override {
      auto value = into.template as<element_t<L>>();
      const auto grew = lattice.join(value, from.template as<element_t<L>>());
      into = element(std::move(value));
      return grew;
    }
    element draw_one(generator& random) const override { return draw(lattice, random); }
    L lattice;
  };

  std::shared_ptr<const base> held_;
  std::string name_;
};

/// The same for lattices with both operations.
class any_lattice {
 public:
  using element = any_element;

  template <lattice L>
    requires(!std::same_as<L, any_lattice>)
  any_lattice(L l, const std::string& name) : upright_(l, name), inverted_(inverted<L>(l), name) {}

  element bottom() const { return upright_.bottom(); }
  element top() const { return inverted_.bottom(); }
  change join(element& into, const element& from) const { return upright_.join(into, from); }
  change meet(element& into, const element& from) const { return inverted_.join(into, from); }
  const std::string& name() const { return upright_.name(); }

  friend element draw(const any_lattice& l, generator& random) { return draw(l.upright_, random); }

 private:
  any_semilattice upright_, inverted_;
};

inline any_lattice random_small_lattice(generator& random) {
  switch (below(random, 4)) {
    case 0: return {mesh_sets<>(3), "mesh_sets<>"};
    case 1: return {mesh_sets<3>(), "mesh_sets<3>"};
    case 2: return {flat<int>(), "flat"};
    default: return {powerset<int>(), "powerset"};
  }
}

inline any_lattice random_lattice(generator& random, unsigned depth) {
  if (depth == 0) return random_small_lattice(random);
  const auto inner = random_lattice(random, below(random, depth));
  switch (below(random, 3)) {
    case 0: return {lift(inner), "lift<" + inner.name() + ">"};
    case 1: return {inverted(inner), "inverted<" + inner.name() + ">"};
    default: {
      const auto second = random_lattice(random, below(random, depth));
      return {product(inner, second), "product<" + inner.name() + ", " + second.name() + ">"};
    }
  }
}

inline any_semilattice random_small_semilattice(generator& random) {
  switch (below(random, 5)) {
    case 0: return {use_origins(), "use_origins"};
    case 1: return {src_origins(), "src_origins"};
    case 2: return {interned<use_origins>(), "interned<use_origins>"};
    case 3: return {interned(with_origins(mesh_sets<>(3))), "interned<with_origins<mesh_sets<>>>"};
    default: {
      const auto whole = random_lattice(random, 1);
      return {whole, whole.name()};
    }
  }
}

inline any_semilattice random_semilattice(generator& random, unsigned depth) {
  if (depth == 0) return random_small_semilattice(random);
  const auto inner = random_semilattice(random, below(random, depth));
  switch (below(random, 4)) {
    case 0: return {lift(inner), "lift<" + inner.name() + ">"};
    case 1: return {map_of<int, any_semilattice>(inner), "map_of<" + inner.name() + ">"};
    case 2: return {with_origins<any_semilattice>(inner), "with_origins<" + inner.name() + ">"};
    default: {
      const auto second = random_lattice(random, below(random, depth));
      return {product(inner, second), "product<" + inner.name() + ", " + second.name() + ">"};
    }
  }
}

}  // namespace mpmd::testing

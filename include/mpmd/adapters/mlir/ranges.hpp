#pragma once
/// MLIR's ops, operands, results and uses as C++20 ranges of cheap iterators, and hashes of its handles.
///
/// MLIR's own iterators lack what the standard's concepts ask (a default constructor, mostly), so these take their
/// place. They hold pointers into the op; editing the op ends them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

#include <mlir/IR/Block.h>
#include <mlir/IR/Operation.h>
#include <mlir/IR/Region.h>
#include <mlir/IR/Value.h>

#include <mpmd/graph/ssa_program.hpp>

/// Hashes to the address, which is what tables of the library spread.
template <>
struct std::hash<mlir::Value> {
  std::size_t operator()(mlir::Value v) const noexcept {
    return reinterpret_cast<std::size_t>(v.getAsOpaquePointer());  // NOLINT
  }
};

namespace mpmd::adapters {

using mlir_op = ::mlir::Operation*;

/// Values 0 to n - 1 that `At` finds from a pointer; random access.
template <class At, class Pointer>
class mlir_values {
 public:
  class iterator {
   public:
    using value_type = ::mlir::Value;
    using difference_type = std::ptrdiff_t;
    using reference = ::mlir::Value;
    using iterator_category = std::input_iterator_tag;  // of C++17, for want of references
    using iterator_concept = std::random_access_iterator_tag;

    iterator() = default;
    iterator(Pointer from, std::ptrdiff_t at) : from_(from), at_(at) {}
    reference operator*() const { return At{}(from_, at_); }
    reference operator[](difference_type n) const { return At{}(from_, at_ + n); }
    iterator& operator++() { return ++at_, *this; }
    iterator& operator--() { return --at_, *this; }
    iterator operator++(int) { return {from_, at_++}; }
    iterator operator--(int) { return {from_, at_--}; }
    iterator& operator+=(difference_type n) { return at_ += n, *this; }
    iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    friend iterator operator+(iterator i, difference_type n) { return i += n; }
    friend iterator operator+(difference_type n, iterator i) { return i += n; }
    friend iterator operator-(iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(iterator a, iterator b) { return a.at_ - b.at_; }
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    friend auto operator<=>(iterator a, iterator b) { return a.at_ <=> b.at_; }

   private:
    Pointer from_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };

  mlir_values(Pointer from, std::size_t size) : from_(from), size_(static_cast<std::ptrdiff_t>(size)) {}
  iterator begin() const { return {from_, 0}; }
  iterator end() const { return {from_, size_}; }
  std::size_t size() const { return static_cast<std::size_t>(size_); }

 private:
  Pointer from_;
  std::ptrdiff_t size_;
};

struct operand_at_pointer {
  ::mlir::Value operator()(::mlir::OpOperand const* from, std::ptrdiff_t i) const { return from[i].get(); }
};
struct result_at_index {
  ::mlir::Value operator()(mlir_op o, std::ptrdiff_t i) const { return o->getOpResult(static_cast<unsigned>(i)); }
};
using mlir_operands = mlir_values<operand_at_pointer, ::mlir::OpOperand const*>;
using mlir_results = mlir_values<result_at_index, mlir_op>;

inline mlir_operands operands_of(mlir_op o) {
  auto const all = o->getOpOperands();
  return {all.data(), all.size()};
}
inline mlir_results results_of(mlir_op o) { return {o, o->getNumResults()}; }

/// The uses of a value, the most recently added first.
class mlir_uses {
 public:
  class iterator {
   public:
    using value_type = operand_use<mlir_op>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;

    iterator() = default;
    explicit iterator(::mlir::OpOperand* at) : at_(at) {}
    reference operator*() const { return {at_->getOwner(), at_->getOperandNumber()}; }
    iterator& operator++() {
      at_ = static_cast<::mlir::OpOperand*>(at_->getNextOperandUsingThisValue());
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    ::mlir::OpOperand* at_ = nullptr;
  };

  explicit mlir_uses(::mlir::Value v) : first_(v.use_empty() ? nullptr : &*v.use_begin()) {}
  iterator begin() const { return iterator(first_); }
  iterator end() const { return {}; }

 private:
  ::mlir::OpOperand* first_;
};

/// The ops of a block.
class mlir_block_ops {
 public:
  class iterator {
   public:
    using value_type = mlir_op;
    using difference_type = std::ptrdiff_t;
    using reference = mlir_op;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;

    iterator() = default;
    explicit iterator(mlir_op at) : at_(at) {}
    mlir_op operator*() const { return at_; }
    iterator& operator++() {
      at_ = at_->getNextNode();
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    mlir_op at_ = nullptr;
  };

  explicit mlir_block_ops(::mlir::Block* of) : first_(of->empty() ? nullptr : &of->front()) {}
  iterator begin() const { return iterator(first_); }
  iterator end() const { return {}; }

 private:
  mlir_op first_;
};

/// The ops directly inside the regions of an op: of all regions and blocks, in order.
class mlir_body {
 public:
  class iterator {
   public:
    using value_type = mlir_op;
    using difference_type = std::ptrdiff_t;
    using reference = mlir_op;
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::bidirectional_iterator_tag;

    iterator() = default;
    /// The first op, or the end if there is none.
    explicit iterator(mlir_op of) : of_(of), at_(first_from(of, 0, nullptr)) {}
    static iterator past(mlir_op of) {
      iterator end;
      end.of_ = of;
      return end;
    }
    mlir_op operator*() const { return at_; }
    iterator& operator++() {
      mlir_op const next = at_->getNextNode();
      at_ = next ? next : first_from(of_, at_->getParentRegion()->getRegionNumber(), at_->getBlock());
      return *this;
    }
    iterator& operator--() {
      mlir_op const before = at_ ? at_->getPrevNode() : nullptr;
      at_ = before ? before : last_before();
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    iterator operator--(int) {
      iterator old = *this;
      --*this;
      return old;
    }
    friend bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }

   private:
    // The first op behind a block of a region, or in the region and those behind it when no block is given.
    static mlir_op first_from(mlir_op of, unsigned region, ::mlir::Block* behind) {
      for (; region < of->getNumRegions(); ++region, behind = nullptr) {
        auto& r = of->getRegion(region);
        for (auto b = behind ? std::next(behind->getIterator()) : r.begin(); b != r.end(); ++b)
          if (!b->empty()) return &b->front();
      }
      return nullptr;
    }
    mlir_op last_before() const {
      unsigned region = at_ ? at_->getParentRegion()->getRegionNumber() : of_->getNumRegions() - 1;
      auto b = at_ ? at_->getBlock()->getIterator() : of_->getRegion(region).end();
      while (true) {
        for (auto& r = of_->getRegion(region); b != r.begin();)
          if (--b; !b->empty()) return &b->back();
        b = of_->getRegion(--region).end();  // there is no op before the first: a caller's mistake
      }
    }
    mlir_op of_ = nullptr;
    mlir_op at_ = nullptr;
  };

  mlir_body() = default;
  explicit mlir_body(mlir_op of) : of_(of) {}
  iterator begin() const { return of_ ? iterator(of_) : iterator{}; }
  iterator end() const { return iterator::past(of_); }

 private:
  mlir_op of_ = nullptr;
};

}  // namespace mpmd::adapters

#pragma once
/// The names under which values and blocks are printed.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/form.hpp>

namespace mpmd::text::mlir {

/// Names every value below an op as MLIR's printer does: arguments of entry blocks are `%arg0`, `%arg1`, ..., results
/// and other arguments `%0`, `%1`, ..., unless the form of the op suggests a name, which gets a suffix `_0`, `_1`, ...
/// where it is taken. A region first names what it defines itself; the regions within then go on from the counters
/// it ended with, so siblings use the same numbers. In generic form nothing is suggested and numbers are unique.
///
/// Expected O(values), on the heap.
class naming {
 public:
  naming(ir::program const& in, form_table const& forms, ir::op top, bool generic)
      : in_(in), forms_(forms), generic_(generic) {
    labels_.resize(in.value_capacity());
    block_numbers_.resize(in.block_capacity());
    name_all(top);
  }

  /// Appends `%name`, and `#i` for a result of an op that has several.
  void append_use(std::string& out, ir::value v) const {
    if (!in_.is_argument(v)) {
      ir::op const by = in_.defining_op(v);
      if (in_.result_count(by) > 1) {
        append_name(out, in_.result(by, 0));
        out += '#';
        append_number(out, in_.index_of(v));
        return;
      }
    }
    append_name(out, v);
  }

  /// Appends `%name`; of the results of an op only the first has one.
  void append_name(std::string& out, ir::value v) const {
    label const l = labels_[v.id];
    switch (l.is()) {
      case kind::number:
        out += '%';
        append_number(out, l.index());
        break;
      case kind::argument:
        out += "%arg";
        append_number(out, l.index());
        break;
      case kind::word:
        out += '%';
        out += words_[l.index()];
        break;
      case kind::none: out += "<<UNKNOWN SSA VALUE>>"; break;
    }
  }

  /// The position of a block in its region, which is its name: `^bb0`, `^bb1`, ...
  std::uint32_t block_number(ir::block b) const { return block_numbers_[b.id]; }

  static void append_number(std::string& out, std::uint32_t n) {
    char digits[10];
    std::size_t from = sizeof digits;
    do {
      digits[--from] = static_cast<char>('0' + n % 10);
      n /= 10;
    } while (n != 0);
    out.append(digits + from, sizeof digits - from);
  }

 private:
  enum class kind : std::uint8_t { none, number, argument, word };
  struct label {
    std::uint32_t bits = 0;
    label() = default;
    label(kind is, std::uint32_t index) : bits(static_cast<std::uint32_t>(is) << 30 | index) {}
    kind is() const { return static_cast<kind>(bits >> 30); }
    std::uint32_t index() const { return bits & 0x3FFFFFFFu; }
  };
  struct counters {
    std::uint32_t numbers = 0;
    std::uint32_t arguments = 0;
    std::uint32_t conflicts = 0;
  };
  struct pending_region {
    ir::region region;
    counters from;
    std::size_t depth;  // how many scopes enclose it
  };

  void name_all(ir::op top) {
    std::vector<std::size_t> scopes{0};  // for each open region how many of used_ are of the regions around it
    name_results(top);
    std::vector<pending_region> todo;
    for (ir::region const r : in_.regions(top)) todo.push_back({r, at_, 1});
    while (!todo.empty()) {
      auto const [region, from, depth] = todo.back();
      todo.pop_back();
      if (!generic_) at_ = from;
      while (scopes.size() > depth) {
        while (used_.size() > scopes.back()) {
          taken_.erase(words_[used_.back()]);
          used_.pop_back();
        }
        scopes.pop_back();
      }
      scopes.push_back(used_.size());
      name_region(region);
      for (ir::block b = in_.first_block(region); b; b = in_.next_block(b))
        for (ir::op o = in_.first_op(b); o; o = in_.next_op(o))
          for (ir::region const inner : in_.regions(o)) todo.push_back({inner, at_, depth + 1});
    }
  }

  void name_region(ir::region r) {
    ir::op const owner = in_.parent_op(r);
    form const* const f = generic_ ? nullptr : forms_.find(in_.kind(owner));
    std::uint32_t number = 0;
    for (ir::block b = in_.first_block(r); b; b = in_.next_block(b), ++number) {
      block_numbers_[b.id] = number;
      if (number == 0 && f != nullptr && f->argument_name != nullptr) {
        std::uint32_t which = 0;
        while (in_.regions(owner)[which] != r) ++which;
        for (std::uint32_t i = 0; i < in_.arguments(b).size(); ++i)
          if (auto const word = f->argument_name(in_, owner, which, i); !word.empty())
            name_with_word(in_.argument(b, i), word);
      }
      for (ir::value const v : in_.arguments(b)) {
        if (labels_[v.id].is() != kind::none) continue;
        if (number == 0)
          labels_[v.id] = {kind::argument, at_.arguments++};
        else
          labels_[v.id] = {kind::number, at_.numbers++};
      }
      for (ir::op o = in_.first_op(b); o; o = in_.next_op(o)) name_results(o);
    }
  }

  void name_results(ir::op o) {
    if (in_.result_count(o) == 0) return;
    ir::value const first = in_.result(o, 0);
    if (form const* const f = forms_.find(in_.kind(o)); !generic_ && f != nullptr && f->result_name != nullptr) {
      if (auto const word = f->result_name(in_, o); !word.empty()) {
        name_with_word(first, word);
        return;
      }
    }
    labels_[first.id] = {kind::number, at_.numbers++};
  }

  void name_with_word(ir::value v, std::string_view wanted) {
    std::string word(wanted);
    while (taken_.contains(std::string_view(word))) {
      word.resize(wanted.size());
      word += '_';
      append_number(word, at_.conflicts++);
    }
    auto const index = static_cast<std::uint32_t>(words_.size());
    labels_[v.id] = {kind::word, index};
    words_.push_back(std::move(word));
    used_.push_back(index);
    taken_.insert(words_.back());
  }

  ir::program const& in_;
  form_table const& forms_;
  bool generic_;
  counters at_;
  std::vector<label> labels_;
  std::vector<std::uint32_t> block_numbers_;
  std::deque<std::string> words_;    // suggested names as printed; they never move
  std::vector<std::uint32_t> used_;  // those of the open regions, innermost last
  std::unordered_set<std::string_view> taken_;
};

}  // namespace mpmd::text::mlir

#pragma once
/// Prints whole programs: the driver of the forms.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/generic_form.hpp>
#include <mpmd/text/mlir/location_aliases.hpp>
#include <mpmd/text/mlir/naming.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/print_options.hpp>

namespace mpmd::text::mlir {

/// Prints ops, all with the names that they have in `top` (the program, unless the op stands outside it). The regions
/// that are open stand on a stack of its own. Linear in the text and `top`.
class program_printer {
 public:
  /// O(top); with locations it is printed once in vain.
  program_printer(ir::program const& in, ir::op top, form_table const& forms, print_options options)
      : in_(in),
        forms_(forms),
        options_(options),
        top_(top),
        names_(in, forms, top, options.generic),
        locations_(in.context()),
        out_(in, names_, options.debug_info ? &locations_ : nullptr) {
    if (!options.debug_info) return;
    // Aliases are named in the order in which the printer meets the locations, and some ops are not spelt out.
    print_tree(top);
    out_.out_.clear();
    locations_.number();
  }
  program_printer(program_printer const&) = delete;
  program_printer& operator=(program_printer const&) = delete;

  /// All of `top`, from the first alias to the file's metadata; ends with a line break.
  std::string_view whole();
  /// One op with its regions; does not end with a line break.
  std::string_view one(ir::op o);

 private:
  /// An op of which a region is being printed.
  struct frame {
    ir::op op;
    form const* pretty;
    std::uint32_t regions_printed;
    std::string_view dialect;  // may be left out of names outside
    ir::block block;
    ir::op next;  // in the block
  };

  form const& form_of(ir::op o) const;
  void print_tree(ir::op top);
  void begin(ir::op o);
  void end(ir::op o);
  void open_region(frame& f);
  void open_block(frame& f, ir::block b, bool labelled);
  void note_predecessors(ir::region r);

  ir::program const& in_;
  form_table const& forms_;
  print_options options_;
  ir::op top_;
  naming names_;
  location_aliases locations_;
  op_printer out_;
  std::vector<frame> open_;
  std::unordered_map<ir::block, std::vector<std::uint32_t>> predecessors_;  // by number, in regions of several blocks
};

/// Whether each attribute of an op stands where its name is looked for when it is read: a pretty form has but one
/// dictionary for both kinds.
inline bool attributes_in_place(ir::program const& in, ir::op o) {
  ir::op_info const* const info = in.info(o);
  if (info == nullptr) return true;
  for (bool const inherent : {true, false})
    if (auto const* held = in.context().get_if<ir::dictionary_attr>(inherent ? in.properties(o) : in.attributes(o)))
      for (auto const& [name, value] : held->entries)
        if (info->is_inherent(in.context().text(name)) != inherent) return false;
  return true;
}

inline form const& program_printer::form_of(ir::op o) const {
  if (options_.generic || !attributes_in_place(in_, o)) return generic_form;
  form const* f = forms_.find(in_.kind(o));
  if (f == nullptr || f->print == nullptr)
    f = forms_.foreign();
  else if (!in_.successors(o).empty())
    return generic_form;  // only the forms of foreign ops name blocks
  if (f == nullptr || f->print == nullptr || (f->fits != nullptr && !f->fits(in_, o))) return generic_form;
  return *f;
}

inline void program_printer::print_tree(ir::op top) {
  begin(top);
  while (!open_.empty()) {
    frame& f = open_.back();
    if (ir::op const o = f.next) {
      f.next = in_.next_op(o);
      out_.indent();
      begin(o);
    } else if (ir::block const b = f.block ? in_.next_block(f.block) : ir::block{}) {
      open_block(f, b, true);
    } else {
      --out_.depth_;
      out_.indent();
      out_ << '}';
      out_.dialect_ = f.dialect;
      ++f.regions_printed;
      if (f.pretty->print(out_, f.op, f.regions_printed) == step::region) {
        open_region(f);
      } else {
        ir::op const done = f.op;
        open_.pop_back();
        end(done);
      }
    }
  }
}

inline void program_printer::begin(ir::op o) {
  if (options_.debug_info) locations_.meet(in_.where(o), false);
  if (std::uint32_t const count = in_.result_count(o)) {
    names_.append_name(out_.out_, in_.result(o, 0));
    if (count > 1) {
      out_ << ':';
      naming::append_number(out_.out_, count);
    }
    out_ << " = ";
  }
  form const& f = form_of(o);
  if (f.print(out_, o, 0) == step::region) {
    open_.push_back({o, &f, 0, out_.dialect_, {}, {}});
    open_region(open_.back());
  } else {
    end(o);
  }
}

inline void program_printer::end(ir::op o) {
  if (options_.debug_info) locations_.append(out_.out_, in_.where(o));
  if (!open_.empty()) out_ << '\n';
}

inline void program_printer::open_region(frame& f) {
  out_ << "{\n";
  out_.dialect_ = f.pretty->default_dialect;
  f.block = {};
  f.next = {};
  ir::region const r = in_.regions(f.op)[f.regions_printed];
  if (ir::block const first = in_.first_block(r)) {
    if (in_.next_block(first)) note_predecessors(r);
    bool const needs_label = !in_.first_op(first) || !in_.arguments(first).empty() || predecessors_.contains(first);
    open_block(f, first, out_.labelled_ && needs_label);
  }
  ++out_.depth_;
}

inline void program_printer::open_block(frame& f, ir::block b, bool labelled) {
  f.block = b;
  f.next = in_.first_op(b);
  if (!labelled) return;
  bool const is_entry = !in_.previous_block(b);
  if (!is_entry) --out_.depth_;
  out_.indent();
  if (!is_entry) ++out_.depth_;
  out_.successor(b);
  if (!in_.arguments(b).empty()) out_.arguments(b);
  out_ << ':';
  if (auto const found = predecessors_.find(b); found != predecessors_.end()) {
    auto const& numbers = found->second;
    out_ << "  // ";
    if (numbers.size() > 1) {
      out_.number(static_cast<std::int64_t>(numbers.size()));
      out_ << ' ';
    }
    out_ << (numbers.size() == 1 ? "pred: " : "preds: ");
    out_.separated(numbers, [this](std::uint32_t n) {
      out_ << "^bb";
      naming::append_number(out_.out_, n);
    });
  } else if (!is_entry) {
    out_ << "  // no predecessors";
  }
  out_ << '\n';
}

inline void program_printer::note_predecessors(ir::region r) {
  for (ir::block const b : ir::blocks(in_, r)) predecessors_.erase(b);  // a region may be printed twice
  for (ir::block const b : ir::blocks(in_, r))
    for (ir::op const o : ir::ops(in_, b))
      for (ir::block const to : in_.successors(o)) predecessors_[to].push_back(names_.block_number(b));
}

inline std::string_view program_printer::whole() {
  if (options_.debug_info) locations_.append_definitions(out_.out_, true);
  print_tree(top_);
  out_ << '\n';
  if (options_.debug_info) locations_.append_definitions(out_.out_, false);
  if (!in_.file_metadata().empty()) out_ << '\n' << in_.file_metadata() << '\n';
  return out_.out_;
}

inline std::string_view program_printer::one(ir::op o) {
  out_.out_.clear();
  print_tree(o);
  return out_.out_;
}

}  // namespace mpmd::text::mlir

#pragma once
/// How regions and blocks are read: definitions of text/mlir/program_reader.hpp, which includes this.

#include <algorithm>
#include <string>
#include <utility>

#include <mpmd/text/mlir/program_reader.hpp>

namespace mpmd::text::mlir {

inline program_reader::opened program_reader::open_region(frame& f) {
  f.brace = in_.offset();
  if (!in_.consume('{')) {
    ops_.fail_here("expected '{' to begin a region");
    return opened::failed;
  }
  if (depth_ + 1 == region_limit) {
    syntax_.error(f.brace, "regions nest too deeply");
    return opened::failed;
  }
  f.region = program_.create_region();
  f.op.state.regions.push_back(f.region);
  f.block = {};
  f.blocks.reset();
  bool const has_arguments = !ops_.entry_arguments_.empty();
  if (!has_arguments && in_.next_is('}')) {
    in_.consume('}');
    f.balanced = in_.offset();
    ++f.regions_read;
    return opened::empty;
  }
  ops_.names_.open();
  if (has_arguments && in_.next_is('^')) {
    syntax_.error(in_.offset(), "invalid block name in region with named arguments");
    ops_.names_.close();
    return opened::failed;
  }
  if (!in_.next_is('^')) f.block = program_.append_block(f.region);
  if (has_arguments && !define_entry_arguments(f.block)) {
    ops_.names_.close();
    return opened::failed;
  }
  // An op in the generic form leaves the default dialect as it is outside.
  frame& inside = frames_[++depth_];
  inside.dialect = f.reads_as == &generic_form ? frames_[depth_ - 1].dialect : f.reads_as->default_dialect;
  return opened::open;
}

inline bool program_reader::define_entry_arguments(ir::block of) {
  for (written_argument const& a : ops_.entry_arguments_) {
    ir::value const v = program_.add_argument(of, a.type, {in_.position(a.at), a.location});
    if (auto const* known = ops_.names_.find(a.name); known != nullptr && !known->poisoned) {
      ops_.error(a.at, "region entry argument '%" + std::string(a.name) + "' is already in use", known->at,
                 "previously referenced here");
      return false;
    }
    define(a.name, {v, 1, a.at, false});
  }
  return true;
}

/// `^name(%a: T, %b: U):`.
inline bool program_reader::read_block_label(frame& f) {
  std::size_t const at = in_.offset();
  std::string_view const name = in_.take_sigil_id('^');
  if (name.empty()) return ops_.fail_here("expected block name"), false;
  if (f.blocks == nullptr) f.blocks = std::make_unique<op_reader::block_names>();
  auto const [entry, is_new] = f.blocks->try_emplace(name);
  op_reader::written_block& named = entry->second;
  bool const again = named.defined;
  if (again) {
    ops_.error(at, "redefinition of block '^" + std::string(name) + "'", named.at, "previously defined here");
    f.block = program_.append_block(f.region);
  } else {
    if (is_new)
      named.block = program_.append_block(f.region);
    else
      program_.move_block(named.block, f.region);
    named.at = static_cast<std::uint32_t>(at);
    named.defined = true;
    f.block = named.block;
  }
  if (in_.consume('(') && !in_.consume(')')) {
    do {
      written_argument a;
      bool const good = ops_.read_argument(a);
      if (!good) {
        if (!a.name.empty()) poison(a.name, a.at);
        return false;
      }
      define(a.name, {program_.add_argument(f.block, a.type, {in_.position(a.at), a.location}), 1, a.at, false});
    } while (in_.consume(','));
    if (!in_.consume(')')) return ops_.fail_here("expected ')' to end argument list"), false;
  }
  return in_.consume(':') || (ops_.fail_here("expected ':' after block name"), false);
}

inline void program_reader::close_region() {
  frame& f = frames_[depth_];
  in_.consume('}');
  if (f.blocks != nullptr) {
    std::vector<std::uint32_t> missing;
    for (auto const& [name, block] : *f.blocks)
      if (!block.defined) missing.push_back(block.at);
    std::sort(missing.begin(), missing.end());
    for (std::uint32_t const at : missing) syntax_.error(at, "reference to an undefined block");
    f.blocks.reset();
  }
  ops_.names_.close();
  --depth_;
  f.balanced = in_.offset();
  ++f.regions_read;
  advance(f);
}

}  // namespace mpmd::text::mlir

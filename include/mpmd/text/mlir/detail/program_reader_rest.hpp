#pragma once
/// What surrounds the ops of a text, and how reading goes on after an error: definitions of
/// text/mlir/program_reader.hpp, which includes this.

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <mpmd/text/mlir/program_reader.hpp>

namespace mpmd::text::mlir {

/// `{-# ... #-}`, which is kept as it stands.
inline void program_reader::read_file_metadata() {
  std::size_t const begin = in_.offset();
  std::string_view const text = in_.text();
  for (std::size_t i = begin + 3; i < text.size(); ++i) {
    if (text[i] == '"') {
      string_token const s = in_.string_at(i);
      if (s.defect.empty()) i = s.end - 1;
    } else if (text.substr(i, 3) == "#-}") {
      std::string& metadata = program_.file_metadata();
      if (!metadata.empty()) metadata += '\n';
      metadata += text.substr(begin, i + 3 - begin);
      in_.seek(i + 3);
      return;
    }
  }
  syntax_.error(begin, "expected '#-}' to end the file metadata");
  in_.seek(text.size());
}

inline void program_reader::poison(std::string_view name, std::size_t at) {
  if (!ops_.poison_) ops_.poison_ = ops_.placeholder({});
  ops_.names_.define(name, {ops_.poison_, 1, static_cast<std::uint32_t>(at), true});
  ops_.names_.take_waiting(name);
}

/// Goes to the end of the open region, or to the next line that begins an op at this level; from `balanced` on every
/// brace before the error has been counted. The text between is looked at once more, and only once: `balanced` stands
/// behind the regions that have been read.
inline void program_reader::recover(std::size_t balanced) {
  std::string_view const text = in_.text();
  std::size_t open = 0;
  for (std::size_t i = balanced; i < text.size(); ++i) {
    switch (text[i]) {
      case '"': {
        string_token const s = in_.string_at(i);
        if (s.defect.empty()) i = s.end - 1;
        break;
      }
      case '/':
        if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size()) - 1;
        break;
      case '{': ++open; break;
      case '}':
        if (open > 0) {
          --open;
        } else if (depth_ > 0) {
          in_.seek(i);
          return;
        }
        break;
      case '\n':
        if (std::size_t const at = open == 0 ? op_on_line(i + 1) : 0; at != 0) {
          in_.seek(at);
          return;
        }
        break;
      default: break;
    }
  }
  in_.seek(text.size());
  lost_ = true;
}

/// Where an op, a block label or an alias begins that can be nothing else, if the line does so; else 0. Looks at few
/// tokens, since it is asked at every line.
inline std::size_t program_reader::op_on_line(std::size_t at) const {
  cursor ahead = in_;
  while (chars::is(ahead.char_at(at), chars::blank) && ahead.char_at(at) != '\n') ++at;
  char const c = ahead.char_at(at);
  if (c == '\n' || c == '/') return 0;
  ahead.seek(at);
  auto if_so = [at](bool is_op) { return is_op ? at : 0; };
  if (c == '%') {
    for (int names = 0; names < 16; ++names) {
      if (ahead.take_sigil_id('%').empty()) return 0;
      if (ahead.consume(':')) ahead.seek(ahead.offset() + ahead.digits().size());
      if (!ahead.consume(',')) return if_so(ahead.next_is('='));
    }
    return 0;
  }
  if (c == '"') {
    string_token const s = ahead.string();
    if (!s.defect.empty()) return 0;
    ahead.seek(s.end);
    return if_so(ahead.next_is('('));
  }
  if (c == '^') return if_so(depth_ > 0);
  if (c == '#' || c == '!') {
    if (depth_ > 0 || ahead.take_sigil_id(c).empty()) return 0;
    return if_so(ahead.next_is('='));
  }
  std::string_view const word = ahead.take_word();
  if (word.empty() || ahead.next_is('=') || ahead.next_is(':')) return 0;
  std::size_t const dot = word.find('.');
  if (dot != std::string_view::npos) return if_so(dot + 1 < word.size());
  return if_so(word == "module" || word == "return" || word == "call");
}

inline void program_reader::finish_program() {
  if (!lost_ && in_.at_end()) {  // else the definition may be in what was not read
    report_undeclared();
    syntax_.finish_locations();
  }
  if (is_failed()) return;
  resolve_locations();
  adopt_module();
}

inline void program_reader::report_undeclared() {
  std::vector<std::uint32_t> undeclared;
  ops_.names_.each_waiting([&](value_scopes::waiting_use const& use) { undeclared.push_back(use.at); });
  std::sort(undeclared.begin(), undeclared.end());
  for (std::uint32_t const at : undeclared) syntax_.error(at, "use of undeclared SSA value name");
}

/// Puts what they stand for in the place of location aliases that were used before their definition.
inline void program_reader::resolve_locations() {
  if (!syntax_.has_deferred_locations()) return;
  for (ir::op o{0}; o.id < program_.op_capacity(); ++o.id)
    if (auto const at = program_.where(o); at.given) program_.set_where(o, {at.text, syntax_.resolve_location(at.given)});
  for (ir::block b{0}; b.id < program_.block_capacity(); ++b.id)
    for (ir::value const v : program_.arguments(b))
      if (auto const at = program_.argument_where(v); at.given)
        program_.set_argument_where(v, {at.text, syntax_.resolve_location(at.given)});
}

/// A module that is alone at the top is the program; anything else is in an implicit module.
inline void program_reader::adopt_module() {
  ir::op const only = program_.first_op(program_.body());
  if (!only || program_.next_op(only) || !program_.is(only, ir::opcode::builtin_module)) return;
  if (program_.regions(only).size() != 1 || program_.result_count(only) != 0 || program_.operand_count(only) != 0)
    return;
  ir::region const inner = program_.regions(only)[0];
  if (!program_.first_block(inner)) return;
  ir::op const root = program_.root();
  ir::block const outer = program_.body();
  program_.unlink(only);
  while (ir::block const b = program_.first_block(inner)) program_.move_block(b, program_.parent_region(outer));
  program_.erase_block(outer);
  program_.set_properties(root, program_.properties(only));
  program_.set_attributes(root, program_.attributes(only));
  program_.set_where(root, program_.where(only));
  program_.erase(only);
}

}  // namespace mpmd::text::mlir

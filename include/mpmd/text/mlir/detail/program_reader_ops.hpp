#pragma once
/// How ops are read: definitions of text/mlir/program_reader.hpp, which includes this.

#include <charconv>
#include <string>
#include <utility>

#include <mpmd/text/mlir/generic_form.hpp>
#include <mpmd/text/mlir/program_reader.hpp>

namespace mpmd::text::mlir {

inline void program_reader::read(std::size_t error_limit) {
  frame& top = frames_.emplace_back();
  top.dialect = "builtin";
  top.block = program_.body();
  top.region = program_.parent_region(top.block);
  program_.set_where(program_.root(), {in_.position(), {}});
  in_.seek(in_.offset());  // an error at the first token does not point before it
  while (syntax_.diags().errors() < error_limit) {
    if (depth_ != 0 && !in_.at_end()) {
      read_in_region();
    } else if (depth_ == 0 && !in_.at_end()) {
      read_at_top();
    } else {
      if (depth_ != 0 && !lost_)
        ops_.error(in_.end_of_last(), "expected '}' at the end of a region", frames_[depth_].brace,
                   "the region begins here");
      break;
    }
  }
  finish_program();
}

inline void program_reader::read_at_top() {
  std::size_t const begin = in_.offset();
  if (syntax_.at_alias_definition()) {
    if (!syntax_.parse_alias_definition()) recover(begin);
  } else if (in_.next_is("{-#")) {
    read_file_metadata();
  } else {
    read_op();
  }
}

inline void program_reader::read_in_region() {
  frame& f = frames_[depth_];
  std::size_t const begin = in_.offset();
  if (in_.next_is('}')) {
    close_region();
  } else if (in_.next_is('^')) {
    if (!read_block_label(f)) recover(begin);
  } else {
    if (!f.block) f.block = program_.append_block(f.region);  // the label that begins the region is in error
    read_op();
  }
}

inline void program_reader::read_op() {
  if (frames_.size() == depth_ + 1) frames_.emplace_back();
  frame& f = frames_[depth_ + 1];
  f.op.clear();
  f.results.clear();
  f.begin = f.balanced = in_.offset();
  f.result_count = f.regions_read = 0;
  if (read_results(f) && read_name(f)) {
    advance(f);
  } else {
    for (result_group const& g : f.results) poison(g.name, g.at);
    recover(f.balanced);
  }
}

/// `%a:2, %b =`, or nothing.
inline bool program_reader::read_results(frame& f) {
  if (!in_.next_is('%')) return true;
  do {
    auto const at = static_cast<std::uint32_t>(in_.offset());
    std::string_view const name = in_.take_sigil_id('%');
    if (name.empty()) return ops_.fail_here("expected valid ssa identifier"), false;
    std::uint32_t count = 1;
    f.results.push_back({name, count, at});
    if (in_.consume(':')) {
      std::string_view const digits = in_.digits();
      if (digits.empty()) return ops_.fail_here("expected integer number of results"), false;
      std::size_t const count_at = in_.offset();
      in_.seek(count_at + digits.size());
      auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
      if (read.ec != std::errc{} || count == 0 || count > 0x7FFFFFFFu - f.result_count)
        return ops_.error(count_at, "expected named operation to have at least 1 result"), false;
      f.results.back().count = count;
    }
    f.result_count += count;
  } while (in_.consume(','));
  return in_.consume('=') || (ops_.fail_here("expected '=' after SSA name"), false);
}

inline bool program_reader::read_name(frame& f) {
  std::size_t const at = f.name = in_.offset();
  f.op.state.where = {in_.position(at), {}};
  if (in_.next_is('"')) {
    auto const name = syntax_.parse_string();
    if (!name) return false;
    if (name->empty()) return syntax_.error(at, "empty operation name is invalid");
    if (name->find('\0') != std::string::npos) return syntax_.error(at, "null character not allowed in operation name");
    f.op.state.kind = program_.context().intern(*name);
    f.reads_as = &generic_form;
    return true;
  }
  std::string_view const word = in_.word();
  if (word.empty()) return ops_.fail_here("expected operation name in quotes"), false;
  in_.take_word();
  std::string tried;
  bool const has_dialect = word.find('.') != std::string_view::npos;
  if (!has_dialect) tried.append(frames_[depth_].dialect).append(".").append(word);
  f.op.state.kind = program_.context().intern(has_dialect ? word : std::string_view(tried));
  f.reads_as = forms_.find(f.op.state.kind);
  if (f.reads_as != nullptr && f.reads_as->read == nullptr) f.reads_as = nullptr;
  if (f.reads_as == nullptr && has_dialect) f.reads_as = forms_.foreign();
  if (f.reads_as != nullptr) return true;
  std::string message = "custom op '" + std::string(word) + "' is unknown";
  if (!has_dialect) message += " (tried '" + tried + "' as well)";
  return syntax_.error(at, std::move(message));
}

/// Lets the form of an op go on until the op is complete, a region of it is open, or an error has been dealt with.
inline void program_reader::advance(frame& f) {
  for (;;) {
    ops_.pending_ = &f.op;
    ops_.regions_read_ = f.regions_read;
    ops_.results_named_ = f.result_count;
    ops_.blocks_ = &frames_[depth_].blocks;
    step const wanted = f.reads_as->read(ops_);
    bool good = wanted != step::failed;
    if (wanted == step::region) {
      opened const is = open_region(f);
      if (is == opened::open) return;
      if (is == opened::empty) continue;
      good = false;
    }
    if (good && finish(f)) return;
    for (result_group const& g : f.results) poison(g.name, g.at);
    recover(f.balanced);
    return;
  }
}

inline bool program_reader::finish(frame& f) {
  ir::op_state& state = f.op.state;
  if (!ops_.read_optional_location(state.where.given)) return false;
  if (!sort_attributes(f)) return false;
  if (form const* own = forms_.find(state.kind); own != nullptr && own->normalise != nullptr)
    own->normalise(program_.context(), f.op.properties);
  state.properties = dictionary(f.op.properties);
  state.attributes = dictionary(f.op.attributes);
  if (state.regions.size() > 0xFFFF) return syntax_.error(f.begin, "an operation has at most 65535 regions");
  ir::op const made = program_.create(state);
  program_.append(frames_[depth_].block, made);
  bind_results(f, made);
  return true;
}

/// Tells the inherent attributes of a known op from the others, whichever of the two dictionaries they stand in.
inline bool program_reader::sort_attributes(frame& f) {
  pending_op& op = f.op;
  ir::op_info const* const info = ir::info_of(op.state.kind.id);
  if (info == nullptr) return true;
  auto is_inherent = [&](named_attribute const& a) { return info->is_inherent(program_.context().text(a.first)); };
  std::size_t const given = op.properties.size();
  if (!op.attributes.empty()) {
    std::size_t kept = 0;
    for (named_attribute const& entry : op.attributes) {
      if (!is_inherent(entry)) {
        op.attributes[kept++] = entry;
        continue;
      }
      for (std::size_t i = 0; i < given; ++i)
        if (op.properties[i].first == entry.first) return report_repeated(f, entry.first);
      op.properties.push_back(entry);
    }
    op.attributes.resize(kept);
  }
  if (f.reads_as != &generic_form) return true;
  std::size_t const others = op.attributes.size();
  std::size_t kept = 0;
  for (named_attribute const& entry : op.properties) {
    if (is_inherent(entry)) {
      op.properties[kept++] = entry;
      continue;
    }
    for (std::size_t i = 0; i < others; ++i)
      if (op.attributes[i].first == entry.first) return report_repeated(f, entry.first);
    op.attributes.push_back(entry);
  }
  op.properties.resize(kept);
  return true;
}

inline bool program_reader::report_repeated(frame const& f, ir::name name) {
  ops_.fail(f.name, "attribute '" + std::string(program_.context().text(name)) +
                        "' occurs more than once in the attribute list");
  return false;
}

inline ir::attribute program_reader::dictionary(std::vector<named_attribute>& entries) {
  ir::context& context = program_.context();
  if (entries.empty()) return context.empty_dictionary();
  if (entries.size() == 1) return context.get(ir::dictionary_attr{entries});
  return context.dictionary(entries);
}

inline void program_reader::bind_results(frame const& f, ir::op made) {
  if (f.results.empty()) return;
  std::uint32_t const count = program_.result_count(made);
  if (count != f.result_count) {
    syntax_.error(f.begin, count == 0 ? "cannot name an operation with no results"
                                      : "operation defines " + std::to_string(count) + " results but was provided " +
                                            std::to_string(f.result_count) + " to bind");
    for (result_group const& g : f.results) poison(g.name, g.at);
    return;
  }
  ir::value first = program_.result(made, 0);
  for (result_group const& g : f.results) {
    define(g.name, {first, g.count, g.at, false});
    first.id += g.count;
  }
}

/// Defines a name and gives the uses that have been waiting for it what they wait for.
inline void program_reader::define(std::string_view name, value_scopes::meaning const& means) {
  auto quoted = [name](std::string number = {}) { return "SSA value '%" + std::string(name) + number + "'"; };
  if (auto const* known = ops_.names_.define(name, means)) {
    if (!known->poisoned) ops_.error(means.at, "redefinition of " + quoted(), known->at, "previously defined here");
    return;
  }
  if (names_ != nullptr) names_->add(name, means.first, means.count);
  for (auto const& [number, use] : ops_.names_.take_waiting(name)) {
    if (number >= means.count) {
      syntax_.error(use.at, "reference to invalid result number");
      continue;
    }
    ir::value const v{means.first.id + number};
    ir::type const is = program_.type_of(v), wanted = program_.type_of(use.placeholder);
    if (wanted && is == unknown_type(program_.context())) {
      program_.set_type(v, wanted);
    } else if (wanted && wanted != is) {
      ops_.error(means.at, "definition of " + quoted('#' + std::to_string(number)) + " has type '" +
                               to_string(program_.context(), is) + "'",
                 use.at, "previously used here with type '" + to_string(program_.context(), wanted) + "'");
      continue;
    }
    ir::op const placeholder = program_.defining_op(use.placeholder);
    program_.replace_all_uses(use.placeholder, v);
    program_.erase(placeholder);
  }
}

}  // namespace mpmd::text::mlir

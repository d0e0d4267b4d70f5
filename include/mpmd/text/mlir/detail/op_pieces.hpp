#pragma once
/// How the pieces of ops are read: the definitions of text/mlir/op_reader.hpp, which includes this.

#include <algorithm>
#include <charconv>
#include <utility>

#include <mpmd/text/mlir/op_reader.hpp>
#include <mpmd/text/mlir/printer.hpp>

namespace mpmd::text::mlir {

inline void pending_op::clear() {
  state.operands.clear();
  state.results.clear();
  state.regions.clear();
  state.successors.clear();
  properties.clear();
  attributes.clear();
  uses.clear();
  arguments.clear();
  types.clear();
  text.clear();
  number = 0;
}

// --- Errors and tokens -------------------------------------------------------------------------------------------

inline step op_reader::fail(std::size_t at, std::string_view message) {
  std::string text = "custom op '";
  text += context().text(pending_->state.kind);
  text += "' ";
  text += message;
  return error(at, std::move(text));
}

inline step op_reader::fail_here(std::string_view message) { return error(in_.end_of_last(), std::string(message)); }

inline step op_reader::error(std::size_t at, std::string message) {
  syntax_.error(at, std::move(message));
  return step::failed;
}

inline step op_reader::error(std::size_t at, std::string message, std::size_t note_at, std::string note) {
  auto place = [this](std::size_t offset) { return context().sources.resolve(in_.position(offset)); };
  syntax_.diags().emit({severity::error, "parse", place(at), std::move(message), {{place(note_at), std::move(note)}}});
  return step::failed;
}

inline bool op_reader::expect(char c) {
  if (in_.consume(c)) return true;
  fail_here(std::string("expected '") + c + '\'');
  return false;
}

inline bool op_reader::expect(std::string_view punctuation) {
  if (in_.consume(punctuation)) return true;
  fail_here("expected '" + std::string(punctuation) + "'");
  return false;
}

inline bool op_reader::expect_word(std::string_view word) {
  if (in_.consume_word(word)) return true;
  fail_here("expected '" + std::string(word) + "'");
  return false;
}

inline bool op_reader::read_symbol(std::string& name) {
  if (!in_.next_is('@')) {
    fail(in_.offset(), "expected valid '@'-identifier for symbol name");
    return false;
  }
  auto symbol = syntax_.parse_symbol_name();
  if (symbol) name = std::move(*symbol);
  return symbol.has_value();
}

inline bool op_reader::read_string(std::string& text) {
  if (!in_.next_is('"')) {
    fail(in_.offset(), "expected string");
    return false;
  }
  auto string = syntax_.parse_string();
  if (string) text = std::move(*string);
  return string.has_value();
}

inline bool op_reader::read_integer(std::int64_t& value) {
  auto const integer = syntax_.parse_integer();
  if (integer) value = *integer;
  return integer.has_value();
}

// --- Values ------------------------------------------------------------------------------------------------------

inline bool op_reader::read_use(written_use& use) {
  use.at = static_cast<std::uint32_t>(in_.offset());
  use.name = in_.take_sigil_id('%');
  use.number = 0;
  if (use.name.empty()) {
    fail_here("expected SSA operand");
    return false;
  }
  if (in_.next_is('#') && chars::is(in_.char_at(in_.offset() + 1), chars::digit)) {
    std::string_view const digits = in_.take_sigil_id('#');
    if (std::from_chars(digits.data(), digits.data() + digits.size(), use.number).ec != std::errc{}) {
      error(use.at, "invalid SSA value result number");
      return false;
    }
  }
  return true;
}

inline bool op_reader::read_uses(std::vector<written_use>& uses) {
  if (!in_.next_is('%')) return true;
  do {
    if (!read_use(uses.emplace_back())) return false;
  } while (in_.consume(','));
  return true;
}

inline bool op_reader::read_uses_in_parentheses(std::vector<written_use>& uses) {
  return expect('(') && read_uses(uses) && expect(')');
}

inline ir::value op_reader::placeholder(ir::type type) {
  auto const kind = context().intern("builtin.unrealized_conversion_cast");
  return program_.result(program_.create({.kind = kind, .results = {type}}), 0);
}

inline ir::type op_reader::type_of(written_use const& use) const {
  auto const* known = names_.find(use.name);
  if (known == nullptr || known->poisoned || use.number >= known->count) return {};
  return program_.type_of({known->first.id + use.number});
}

inline bool op_reader::resolve(written_use const& use, ir::type type, std::vector<ir::value>& into) {
  auto differs = [&](ir::type before, std::size_t at) {
    std::string message = "use of value '%" + std::string(use.name) + "' expects different type than prior uses: '";
    message += to_string(context(), type) + "' vs '" + to_string(context(), before) + "'";
    error(use.at, std::move(message), at, "prior use here");
    return false;
  };
  if (auto const* known = names_.find(use.name)) {
    if (known->poisoned) {
      into.push_back(poison_);
      return true;
    }
    if (use.number >= known->count) {
      error(use.at, "reference to invalid result number");
      return false;
    }
    ir::value const v{known->first.id + use.number};
    if (ir::type const is = program_.type_of(v); type && is != type) {
      if (is != unknown_type(context())) return differs(is, known->at);
      program_.set_type(v, type);
    }
    into.push_back(v);
    return true;
  }
  auto const [entry, is_new] = names_.waiting(use.name).try_emplace(use.number);
  value_scopes::waiting_use& waiting = entry->second;
  if (is_new) {
    waiting = {placeholder(type), use.at};
  } else if (ir::type const before = program_.type_of(waiting.placeholder); type && before != type) {
    if (before) return differs(before, waiting.at);
    program_.set_type(waiting.placeholder, type);
  }
  into.push_back(waiting.placeholder);
  return true;
}

inline bool op_reader::resolve_operands(std::span<written_use const> uses, std::span<ir::type const> types,
                                        std::size_t at) {
  if (uses.size() != types.size()) {
    fail(at, std::to_string(uses.size()) + " operands present, but expected " + std::to_string(types.size()));
    return false;
  }
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (!resolve(uses[i], types[i], pending_->state.operands)) return false;
  return true;
}

inline bool op_reader::resolve_operands(ir::type type) {
  for (written_use const& use : pending_->uses)
    if (!resolve(use, type, pending_->state.operands)) return false;
  return true;
}

// --- Types, attributes, locations ----------------------------------------------------------------------------------

inline ir::type op_reader::read_type() {
  std::size_t const at = in_.offset();
  std::string_view const ahead = in_.text().substr(at);
  for (known_type& known : recent_types_) {
    if (known.text.empty() || !ahead.starts_with(known.text)) continue;
    std::swap(known, recent_types_.front());
    in_.seek(at + recent_types_.front().text.size());
    return recent_types_.front().type;
  }
  ir::type const type = syntax_.parse_type();
  // Nothing that follows can be part of a type that ends in its bracket.
  std::string_view const text = ahead.substr(0, in_.end_of_last() - at);
  if (type && text.ends_with('>') && text.size() <= 512 && (text[0] == 't' || text[0] == '!')) {
    std::rotate(recent_types_.begin(), recent_types_.end() - 1, recent_types_.end());
    recent_types_.front() = {text, type};
  }
  return type;
}

inline bool op_reader::read_types(std::vector<ir::type>& types) {
  do {
    ir::type const type = read_type();
    if (!type) return false;
    types.push_back(type);
  } while (in_.consume(','));
  return true;
}

inline bool op_reader::read_types_in_parentheses(std::vector<ir::type>& types) {
  if (!expect('(')) return false;
  return in_.consume(')') || (read_types(types) && expect(')'));
}

inline bool op_reader::read_function_type(std::vector<ir::type>& inputs, std::vector<ir::type>& results) {
  if (!read_types_in_parentheses(inputs) || !expect("->")) return false;
  if (in_.next_is('(')) return read_types_in_parentheses(results);
  ir::type const type = read_type();
  if (type) results.push_back(type);
  return bool(type);
}

inline bool op_reader::read_attributes_into(std::vector<named_attribute>& to) {
  if (!in_.next_is('{')) return true;
  entries_.clear();
  if (!syntax_.parse_entries(entries_)) return false;
  for (attribute_entry const& e : entries_) to.emplace_back(e.key, e.value);
  return true;
}

inline bool op_reader::read_optional_attributes_with_keyword() {
  if (!in_.consume_word("attributes")) return true;
  if (in_.next_is('{')) return read_attributes_into(pending_->attributes);
  fail_here("expected '{' in attribute dictionary");
  return false;
}

inline bool op_reader::read_signature(std::size_t uses_at) {
  pending_->types.clear();
  return expect(':') && read_function_type(pending_->types, pending_->state.results) &&
         resolve_operands(pending_->uses, pending_->types, uses_at);
}

inline bool op_reader::read_optional_location(ir::attribute& given) {
  auto const location = syntax_.parse_optional_location();
  given = location.value_or(ir::attribute{});
  return !location || *location;
}

// --- Successors and regions ----------------------------------------------------------------------------------------

inline bool op_reader::read_successor() {
  std::size_t const at = in_.offset();
  std::string_view const name = in_.take_sigil_id('^');
  if (name.empty()) {
    fail_here("expected block name");
    return false;
  }
  if (*blocks_ == nullptr) *blocks_ = std::make_unique<block_names>();
  auto const [entry, is_new] = (*blocks_)->try_emplace(name);
  if (is_new) {
    if (!nursery_) nursery_ = program_.create_region();
    entry->second = {program_.append_block(nursery_), static_cast<std::uint32_t>(at), false};
  }
  pending_->state.successors.push_back(entry->second.block);
  return true;
}

inline bool op_reader::read_argument(written_argument& argument) {
  argument.at = static_cast<std::uint32_t>(in_.offset());
  argument.name = in_.take_sigil_id('%');
  if (argument.name.empty()) {
    fail_here("expected SSA operand");
    return false;
  }
  std::uint32_t const at = argument.at;
  if (!expect(':') || !read_nameless_argument(argument)) return false;
  argument.at = at;
  return true;
}

inline bool op_reader::read_nameless_argument(written_argument& argument) {
  argument.at = static_cast<std::uint32_t>(in_.offset());
  if (!(argument.type = read_type())) return false;
  if (in_.next_is('{') && !(argument.attributes = syntax_.parse_dictionary())) return false;
  return read_optional_location(argument.location);
}

inline bool op_reader::read_arguments() {
  pending_->arguments.clear();
  if (!expect('(')) return false;
  if (in_.consume(')')) return true;
  do {
    if (!read_argument(pending_->arguments.emplace_back())) return false;
  } while (in_.consume(','));
  return expect(')');
}

}  // namespace mpmd::text::mlir

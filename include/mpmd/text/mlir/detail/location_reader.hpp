#pragma once
/// Members of reader for locations and the aliases among them that are used before they are defined.

#include <algorithm>
#include <charconv>

#include <mpmd/ir/fuse_locations.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

inline ir::attribute reader::parse_location() { return parse_location_instance(true); }

inline std::optional<ir::attribute> reader::parse_optional_location() {
  if (!in.consume_word("loc")) return std::nullopt;
  if (!expect('(')) return ir::attribute{};
  ir::attribute const where = parse_location();
  return where && expect(')', "expected ')' in location") ? where : ir::attribute{};
}

/// What stands for an alias that is not defined yet: the text `#name`, which no other attribute has.
inline ir::attribute reader::defer_location(std::string_view name, std::size_t at) {
  deferred_locations_ = true;
  if (awaited_.emplace(name, awaited_order_.size()).second) awaited_order_.push_back({name, at});
  return context_->get(ir::opaque_attr{"#" + std::string(name)});
}

inline ir::attribute reader::parse_location_instance(bool may_wait) {
  nested const level(*this);
  if (!level) return {};
  std::size_t const at = in.offset();
  if (in.next_is('#')) {
    std::string_view const name = in.take_sigil_id('#');
    auto const found = attribute_aliases_.find(name);
    if (found == attribute_aliases_.end()) {
      if (may_wait && !name.empty() && name.find('.') == std::string_view::npos)
        return defer_location(name, at);
      return error(at, "undefined symbol alias id '" + std::string(name) + "'"), ir::attribute{};
    }
    if (!is_location(*context_, found->second.value))
      if (auto const* o = context_->get_if<ir::opaque_attr>(found->second.value); !o || !is_awaited(o->text))
        return error(at, "expected location attribute"), ir::attribute{};
    if (found->second.waits && !may_wait)
      return error(at, "a location used here must not refer to one that is defined later"), ir::attribute{};
    return enter_alias(at, found->second.size) ? found->second.value : ir::attribute{};
  }
  if (in.next_is('"')) return parse_name_or_file_location(may_wait);
  if (in.consume_word("unknown")) return context_->get(ir::unknown_loc{});
  if (in.consume_word("callsite")) {
    if (!expect('(')) return {};
    ir::callsite_loc made;
    made.callee = parse_location_instance(may_wait);
    if (!made.callee) return {};
    if (!in.consume_word("at")) return error("expected 'at' in callsite location"), ir::attribute{};
    made.caller = parse_location_instance(may_wait);
    if (!made.caller || !expect(')')) return {};
    return context_->get(made);
  }
  if (in.consume_word("fused")) {
    ir::attribute metadata;
    if (in.consume('<')) {
      metadata = parse_attribute();
      if (!metadata || !expect('>', "expected '>' after fused location metadata")) return {};
    }
    std::vector<ir::attribute> parts;
    if (!parse_list('[', ']', [&] {
          parts.push_back(parse_location_instance(may_wait));
          return static_cast<bool>(parts.back());
        }))
      return {};
    return ir::fuse_locations(*context_, parts, metadata);
  }
  return error("expected location instance"), ir::attribute{};
}

inline ir::attribute reader::parse_name_or_file_location(bool may_wait) {
  auto text = parse_string();
  if (!text) return {};
  if (!in.consume(':')) {
    ir::name_loc made{std::move(*text), {}};
    if (in.consume('(')) {
      made.child = parse_location_instance(may_wait);
      if (!made.child || !expect(')', "expected ')' after child location of NameLoc")) return {};
    }
    return context_->get(std::move(made));
  }
  ir::file_loc made{std::move(*text)};
  auto number = [&](std::uint32_t& to, std::string_view what) {
    auto const token = in.number();
    auto const* end = token.text.data() + token.text.size();
    if (token.kind != number_token::form::decimal ||
        std::from_chars(token.text.data(), end, to).ec != std::errc{})
      return error("expected integer " + std::string(what) + " number in FileLineColLoc");
    in.seek(in.offset() + token.text.size());
    return true;
  };
  if (!number(made.line, "line") || !expect(':', "expected ':' in FileLineColLoc") ||
      !number(made.column, "column"))
    return {};
  if (in.consume_word("to")) {
    made.end_line = made.line;
    if (!in.next_is(':') && !number(made.end_line, "end line")) return {};
    if (!expect(':', "expected ':' in FileLineColLoc") || !number(made.end_column, "end column")) return {};
  }
  return context_->get(std::move(made));
}

/// The value of an attribute alias, which unlike any other attribute may wait for a location.
inline ir::attribute reader::parse_alias_value(bool& waits) {
  bool const before = deferred_locations_;
  deferred_locations_ = false;
  auto const where = parse_optional_location();
  ir::attribute const value = where ? *where : parse_attribute();
  waits = deferred_locations_;
  deferred_locations_ = deferred_locations_ || before;
  return value;
}

inline bool reader::is_awaited(std::string_view text) const {
  return !text.empty() && text[0] == '#' && awaited_.count(text.substr(1)) != 0;
}

inline bool reader::finish_locations() {
  bool defined = true;
  for (auto const& [name, at] : awaited_order_)
    if (attribute_aliases_.count(name) == 0)
      defined = error(at, "operation location alias was never defined");
  for (auto const& [name, at] : awaited_order_) {
    resolving_at_ = at;
    defined = resolve(context_->get(ir::opaque_attr{"#" + std::string(name)}), 0).sound && defined;
  }
  return defined;
}

inline ir::attribute reader::resolve_location(ir::attribute given) {
  return deferred_locations_ && given ? resolve(given, 0).value : given;
}

/// Recursion ends at the nesting limit, where the location becomes unknown, as it does where it contains
/// itself.
inline reader::resolved_location reader::resolve(ir::attribute given, std::uint32_t depth) {
  ir::attribute const unknown = context_->get(ir::unknown_loc{});
  auto const known = resolved_.find(given);
  if (known != resolved_.end()) {
    if (!known->second.value) {
      error(resolving_at_, "location alias refers to itself");
      return {unknown, 0, false};
    }
    if (depth + known->second.depth <= nesting_limit) return known->second;
  }
  if (known != resolved_.end() || depth > nesting_limit) {
    error(resolving_at_, "nested too deeply");
    return {unknown, 0, false};
  }
  resolved_[given] = {};
  resolved_location made{given, 0, true};
  auto part = [&](ir::attribute of) {
    auto const one = resolve(of, depth + 1);
    made.depth = std::max(made.depth, one.depth + 1);
    made.sound = made.sound && one.sound;
    return one.value;
  };
  if (auto const* o = context_->get_if<ir::opaque_attr>(given); o != nullptr && is_awaited(o->text)) {
    auto const target = attribute_aliases_.find(std::string_view(o->text).substr(1));
    made.value = target == attribute_aliases_.end() ? unknown : part(target->second.value);
  } else if (auto const* n = context_->get_if<ir::name_loc>(given); n != nullptr && n->child) {
    ir::name_loc copy = *n;
    copy.child = part(copy.child);
    made.value = context_->get(std::move(copy));
  } else if (auto const* f = context_->get_if<ir::fused_loc>(given)) {
    ir::fused_loc copy = *f;
    for (auto& p : copy.parts) p = part(p);
    made.value = ir::fuse_locations(*context_, copy.parts, copy.metadata);
  } else if (auto const* c = context_->get_if<ir::callsite_loc>(given)) {
    ir::callsite_loc copy = *c;
    copy.callee = part(copy.callee);
    copy.caller = part(copy.caller);
    made.value = context_->get(copy);
  }
  return resolved_[given] = made;
}

}  // namespace mpmd::text::mlir

#pragma once
/// Members of reader for what is kept as text.

#include <mpmd/text/mlir/detail/foreign_text.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

/// An alias inside foreign text, written out. False if `name` is none.
inline bool reader::print_alias(std::string_view token, bool after_parenthesis, std::string& to) {
  std::string_view const name = token.substr(1);
  if (token[0] == '!') {
    auto const found = type_aliases_.find(name);
    if (found == type_aliases_.end()) return false;
    print(to, *context_, found->second.value);
    return true;
  }
  auto const found = attribute_aliases_.find(name);
  if (token[0] != '#' || found == attribute_aliases_.end()) return false;
  if (after_parenthesis && is_location(*context_, found->second.value))
    print_location(to, *context_, found->second.value);
  else
    print(to, *context_, found->second.value);
  return true;
}

inline std::optional<std::string> reader::parse_foreign_body(std::string_view dialect) {
  using kind = detail::foreign_token::kind;
  // Aliases of aliases can double with every line: in all, they may add so much text and no more.
  std::size_t const expansion_limit = (std::size_t{1} << 26) + 64 * in.text().size();
  auto const style = detail::style_of(dialect);
  if (!in.next_is('<')) return error("expected '<'"), std::nullopt;
  if (!style.affine && !check_balanced(in.offset())) return std::nullopt;
  std::string made;
  std::vector<std::size_t> opened;
  detail::foreign_token last;
  do {
    if (in.at_end())
      return error(opened.back(), "expected the bracket opened here to be closed"), std::nullopt;
    if (in.next_is('"'))
      if (auto const s = in.string(); !s.defect.empty())
        return error(s.defect_at, std::string(s.defect)), std::nullopt;
    auto token = detail::scan_foreign(in, style.affine);
    bool const touching = in.offset() == in.end_of_last();
    token.prefix = token.what == kind::mark && token.text == "-" && last.what != kind::word &&
                   last.what != kind::close && last.what != kind::sigil;
    // `#name <` is an alias and a bracket, where `#name<` is a dialect's attribute: here the blank has a
    // meaning.
    bool const apart = last.what == kind::sigil && token.text == "<" && !touching;
    if (detail::blank_between(last, token, style) || apart) made += ' ';
    if (token.what == kind::open) opened.push_back(in.offset());
    if (token.what == kind::close) {
      char const o = in.text()[opened.back()], c = token.text[0];
      if (c != (o == '<' ? '>' : o == '[' ? ']' : o == '(' ? ')' : '}'))
        return error(std::string("unexpected '") + c + "'"), std::nullopt;
      opened.pop_back();
    }
    std::size_t const size = made.size();
    bool const may_be_alias = token.what == kind::sigil && token.text.find('.') == std::string_view::npos &&
                              in.char_at(in.offset() + token.text.size()) != '<';
    if (!may_be_alias || !print_alias(token.text, last.text == "(", made))
      made += token.text;
    else if (expanded_ += made.size() - size; expanded_ > expansion_limit)
      return error("too large with its aliases written out"), std::nullopt;
    in.seek(in.offset() + token.text.size());
    last = token;
  } while (!opened.empty());
  return made;
}

}  // namespace mpmd::text::mlir

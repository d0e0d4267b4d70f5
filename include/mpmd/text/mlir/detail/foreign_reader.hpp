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
  std::size_t const begin = in.offset();
  std::string written;         // the text from `begin` on with its aliases written out, if it has any
  std::size_t copied = begin;  // how much of the text is in `written`
  std::vector<std::size_t> opened;
  bool after_parenthesis = false;
  do {
    std::size_t const at = in.offset();
    if (in.at_end())
      return error(opened.back(), "expected the bracket opened here to be closed"), std::nullopt;
    std::size_t const quote = in.next_is('@') ? at + 1 : at;
    if (in.char_at(quote) == '"')
      if (auto const s = in.string_at(quote); !s.defect.empty())
        return error(s.defect_at, std::string(s.defect)), std::nullopt;
    auto const token = detail::scan_foreign(in, style.affine);
    if (token.what == kind::open) opened.push_back(at);
    if (token.what == kind::close) {
      char const o = in.text()[opened.back()], c = token.text[0];
      if (c != (o == '<' ? '>' : o == '[' ? ']' : o == '(' ? ')' : '}'))
        return error(std::string("unexpected '") + c + "'"), std::nullopt;
      opened.pop_back();
    }
    std::size_t const stop = at + token.text.size();
    std::string alias;
    if (token.what == kind::sigil && token.text.find('.') == std::string_view::npos &&
        in.char_at(stop) != '<' && print_alias(token.text, after_parenthesis, alias)) {
      expanded_ += alias.size();
      if (expanded_ > expansion_limit) return error("too large with its aliases written out"), std::nullopt;
      written.append(in.text().substr(copied, at - copied)).append(" ").append(alias).append(" ");
      copied = stop;
    }
    after_parenthesis = token.text == "(";
    in.seek(stop);
  } while (!opened.empty());
  std::string_view const rest = in.text().substr(copied, in.end_of_last() - copied);
  return detail::normalise_foreign(copied == begin ? rest : std::string_view(written.append(rest)), style);
}

}  // namespace mpmd::text::mlir

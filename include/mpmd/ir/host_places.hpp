#pragma once
/// Where the arguments of a call stand in the text. The IR has no place for the mention of a variable, so it is looked for
/// in the text of the call when somebody asks.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir::host {

namespace detail {

/// Looks for arguments in text that begins with a call in the Python syntax.
class argument_finder {
 public:
  explicit argument_finder(std::string_view text) : text_(text) {}

  /// The offset of the argument of this number, if there is one. Of what is recorded below `_dump` the arguments are in a list.
  std::optional<std::size_t> find(std::size_t number) {
    std::size_t const start = at_;
    while (at_ < text_.size() && text_[at_] != '(') {
      char const c = text_[at_];
      bool const word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                        static_cast<unsigned char>(c) >= 0x80;
      if (!word && c != '.' && c != ' ' && c != '\t') return std::nullopt;
      ++at_;
    }
    bool const recorded = text_.substr(start, at_ - start).ends_with("._dump.call");
    ++at_;
    if (!recorded) return skip_to(number);
    if (!skip_to(1) || at_ >= text_.size() || text_[at_] != '[') return std::nullopt;
    ++at_;
    return skip_to(number);
  }

 private:
  std::optional<std::size_t> skip_to(std::size_t number) {
    for (std::size_t depth = 0;;) {
      skip_blanks();
      if (at_ >= text_.size()) return std::nullopt;
      if (number == 0) return at_;
      char const c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string();
        continue;
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') {
        if (depth == 0) return std::nullopt;
        --depth;
      }
      if (c == ',' && depth == 0) --number;
      ++at_;
    }
  }
  void skip_blanks() {
    while (at_ < text_.size()) {
      char const c = text_[at_];
      if (c == '#')
        at_ = text_.find('\n', at_);
      else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\')
        ++at_;
      else
        return;
    }
  }
  void skip_string() {
    char const quote = text_[at_];
    char const three[] = {quote, quote, quote};
    std::string_view const ends(three, text_.substr(at_).starts_with(std::string_view(three, 3)) ? 3 : 1);
    at_ += ends.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(ends)) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ += ends.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail

/// Where an argument of a call stands; where that is not known, the place of the call. O(text of the call).
inline location place_of_argument(program const& p, op call, std::size_t number) {
  auto const list = arguments(p, call);
  location const whole = p.where(call);
  if (number >= list.size()) return whole;
  if (op const made = p.defining_op(list[number]); made && !is_variable(p, list[number])) return p.where(made);
  std::string_view const text = p.context().sources.rest(whole.text);
  auto const at = detail::argument_finder(text).find(number);
  // The text may be that of another call, which became this one.
  if (!at || !text.substr(*at).starts_with(hint(p, list[number]))) return whole;
  return {{whole.text.offset + static_cast<std::uint32_t>(*at)}, {}};
}

}  // namespace mpmd::ir::host

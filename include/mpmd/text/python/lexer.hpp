#pragma once
/// Tokens of the Python syntax, with the structure of lines and indentation.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/source.hpp>
#include <mpmd/text/python/literals.hpp>

namespace mpmd::text::python {

enum class token_kind : std::uint8_t { name, keyword, integer, real, string, symbol, newline, indent, dedent, end };

struct token {
  token_kind kind = token_kind::end;
  std::uint32_t offset = 0;  ///< in the buffer
  std::uint32_t length = 0;
};

/// What readers of this syntax report with: places are offsets into the buffer.
class reporter {
 public:
  reporter(diagnostics& to, source_manager const& sources, source_manager::buffer_id buffer)
      : to_(to), sources_(sources), buffer_(buffer) {}

  std::string_view text() const { return sources_.text(buffer_); }
  std::string_view text(token t) const { return text().substr(t.offset, t.length); }
  /// What stands where something else was expected, in words.
  std::string found(token t) const {
    switch (t.kind) {
      case token_kind::newline: return "the end of the line";
      case token_kind::end: return "the end of the file";
      case token_kind::indent:
      case token_kind::dedent: return "another indentation";
      default: return "'" + std::string(text(t)) + "'";
    }
  }
  source_position position(std::size_t offset) const { return sources_.position(buffer_, offset); }

  /// Reports; `hint`, if any, says what to write instead.
  void error(std::size_t offset, std::string message, std::string hint = {}) {
    if (++count_ > limit) return;
    offsets_.push_back(offset);
    diagnostic d{severity::error, "parse", sources_.resolve(position(offset)), std::move(message), {}};
    if (!hint.empty()) d.notes.push_back({{}, std::move(hint)});
    to_.emit(d);
  }
  void warning(std::size_t offset, std::string message) {
    to_.warning(sources_.resolve(position(offset)), "parse", std::move(message));
  }
  std::size_t count() const { return count_; }
  bool full() const { return count_ >= limit; }
  /// Whether something in [from, to) has been reported.
  bool any_between(std::size_t from, std::size_t to) const {
    for (auto const o : offsets_)
      if (o >= from && o < to) return true;
    return false;
  }

  static constexpr std::size_t limit = 1000;

 private:
  diagnostics& to_;
  source_manager const& sources_;
  source_manager::buffer_id buffer_;
  std::size_t count_ = 0;
  std::vector<std::size_t> offsets_;
};

/// Cuts [begin, end) of the buffer into tokens; ends with `end`, after a `newline` and all `dedent`s. Faulty characters
/// are reported and left out. Linear.
class lexer {
 public:
  lexer(reporter& to, std::size_t begin, std::size_t end)
      : to_(to), all_(to.text().substr(0, end)), at_(begin) {
    if (all_.substr(at_).starts_with("\xEF\xBB\xBF")) at_ += 3;
  }

  std::vector<token> run() {
    while (at_ < all_.size()) {
      if (line_start_ && !start_line()) continue;
      one();
    }
    if (!open_.empty()) to_.error(open_.front(), unclosed(open_.front()));
    if (!tokens_.empty() && tokens_.back().kind != token_kind::newline) add(token_kind::newline, all_.size(), 0);
    for (; indents_.size() > 1; indents_.pop_back()) add(token_kind::dedent, all_.size(), 0);
    add(token_kind::end, all_.size(), 0);
    return std::move(tokens_);
  }

 private:
  /// How far a line is indented with tabs going to multiples of 8, and with tabs as single blanks: where the two disagree,
  /// the order of tabs and blanks decides the meaning.
  struct indentation {
    std::uint32_t wide = 0, narrow = 0;
    friend bool operator==(indentation, indentation) = default;
  };

  void add(token_kind kind, std::size_t offset, std::size_t length) {
    tokens_.push_back({kind, static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)});
  }
  std::string unclosed(std::size_t bracket) const { return std::string("'") + all_[bracket] + "' was never closed"; }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < all_.size() ? all_[at_ + ahead] : '\0'; }
  bool line_break() const { return peek() == '\n' || (peek() == '\r' && peek(1) == '\n'); }

  /// Measures the indentation of a line; false when nothing is on it.
  bool start_line() {
    indentation here;
    std::size_t const from = at_;
    for (; at_ < all_.size(); ++at_) {
      if (all_[at_] == ' ') {
        ++here.wide;
        ++here.narrow;
      } else if (all_[at_] == '\t') {
        here.wide = (here.wide / 8 + 1) * 8;
        ++here.narrow;
      } else if (all_[at_] == '\f') {
        here = {};
      } else {
        break;
      }
    }
    if (at_ == all_.size()) return false;
    if (line_break()) {
      at_ += peek() == '\r' ? 2 : 1;
      return false;
    }
    if (peek() == '#') {
      skip_comment();
      return false;
    }
    line_start_ = false;
    if (here == indents_.back()) return true;
    auto inconsistent = [](indentation a, indentation b) { return (a.wide < b.wide) != (a.narrow < b.narrow); };
    if (here.wide > indents_.back().wide) {
      if (inconsistent(indents_.back(), here)) to_.error(from, "tabs and blanks are mixed in the indentation");
      indents_.push_back(here);
      add(token_kind::indent, from, at_ - from);
      return true;
    }
    while (indents_.size() > 1 && indents_.back().wide > here.wide) {
      indents_.pop_back();
      add(token_kind::dedent, at_, 0);
    }
    if (indents_.back().wide != here.wide)
      to_.error(at_, "the indentation matches no outer block");
    else if (indents_.back().narrow != here.narrow)
      to_.error(from, "tabs and blanks are mixed in the indentation");
    return true;
  }
  void skip_comment() {
    while (at_ < all_.size() && all_[at_] != '\n') ++at_;
  }

  void one() {
    char const c = peek();
    if (line_break()) {
      std::size_t const here = at_;
      at_ += c == '\r' ? 2 : 1;
      if (open_.empty()) {
        add(token_kind::newline, here, 0);
        line_start_ = true;
      } else {
        abandon_brackets();
      }
      return;
    }
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at_;
    } else if (c == '#') {
      skip_comment();
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
    } else if ((c >= '0' && c <= '9') || (c == '.' && peek(1) >= '0' && peek(1) <= '9')) {
      number();
    } else if (c == '"' || c == '\'') {
      string(at_);
    } else if (utf8_length(all_.substr(at_)) > 1 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') {
      word();
    } else {
      symbol();
    }
  }

  /// A line inside brackets that starts with what can only start a statement: the brackets were never closed. Saying so
  /// here, and not at the end of the file, lets the rest be read.
  void abandon_brackets() {
    std::size_t start = at_;
    while (start < all_.size() && (all_[start] == ' ' || all_[start] == '\t')) ++start;
    std::string_view const line = all_.substr(start, 10);
    static constexpr std::string_view starters[] = {"@",     "def ",  "class ", "return ", "return\n", "while ",
                                                    "with ", "pass\n", "break\n", "continue\n", "import ", "from "};
    bool starts = false;
    for (auto const s : starters) starts |= line.starts_with(s);
    if (!starts) return;
    to_.error(open_.back(), unclosed(open_.back()));
    open_.clear();
    add(token_kind::newline, at_ - 1, 0);
    line_start_ = true;
  }

  static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  void number() {
    std::size_t const from = at_;
    auto digits = [this](auto is_digit) {
      std::size_t n = 0;
      while (is_digit(peek()) || (peek() == '_' && is_digit(peek(1)))) {
        ++at_;
        ++n;
      }
      return n;
    };
    auto decimal = [](char c) { return c >= '0' && c <= '9'; };
    bool real = false, good = true;
    char const prefix = static_cast<char>(peek(1) | 0x20);
    if (peek() == '0' && (prefix == 'x' || prefix == 'o' || prefix == 'b')) {
      at_ += 2;
      if (peek() == '_') ++at_;
      good = digits([prefix](char c) {
               if (prefix == 'b') return c == '0' || c == '1';
               if (prefix == 'o') return c >= '0' && c <= '7';
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
             }) != 0;
    } else {
      std::size_t const whole = digits(decimal);
      bool const leading_zero = whole > 1 && all_[from] == '0';
      if (peek() == '.') {
        ++at_;
        real = true;
        digits(decimal);
      }
      if ((peek() == 'e' || peek() == 'E') &&
          (decimal(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && decimal(peek(2))))) {
        at_ += 2;
        real = true;
        digits(decimal);
      }
      if (leading_zero && !real)
        good = all_.substr(from, at_ - from).find_first_not_of("0_") == std::string_view::npos;
    }
    while (is_word(peek())) {
      good = false;
      ++at_;
    }
    if (!good) to_.error(from, "this is no number");
    add(real ? token_kind::real : token_kind::integer, from, at_ - from);
  }

  void string(std::size_t from) {
    char const quote = peek();
    bool const triple = peek(1) == quote && peek(2) == quote;
    at_ += triple ? 3 : 1;
    for (; at_ < all_.size(); ++at_) {
      char const c = all_[at_];
      if (c == '\\' && at_ + 1 < all_.size()) {
        if (peek(1) == '\r' && peek(2) == '\n') ++at_;
        ++at_;
      } else if (c == '\n' && !triple) {
        break;
      } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
        at_ += triple ? 3 : 1;
        add(token_kind::string, from, at_ - from);
        return;
      }
    }
    to_.error(from, triple ? "this string ends nowhere in the file" : "this string does not end on its line");
    // An empty string stands for it: what follows on the line is read as if it had been closed at its end.
    add(token_kind::string, from, 0);
  }

  void word() {
    std::size_t const from = at_;
    while (at_ < all_.size()) {
      if (is_word(all_[at_])) {
        ++at_;
        continue;
      }
      std::size_t const n = utf8_length(all_.substr(at_));
      if (n < 2) break;
      at_ += n;
    }
    std::string_view const text = all_.substr(from, at_ - from);
    if ((peek() == '"' || peek() == '\'') && text.size() <= 2 && text.find_first_not_of("rRuUbBfF") == text.npos) {
      string(from);
      return;
    }
    add(is_keyword(text) ? token_kind::keyword : token_kind::name, from, text.size());
  }

  void symbol() {
    static constexpr auto symbols = std::to_array<std::string_view>(
        {"...", "**=", "//=", "<<=", ">>=", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", ":=", "+=", "-=", "*=",
         "/=",  "%=",  "&=",  "|=",  "^=",  "@=", "(",  ")",  "[",  "]",  "{",  "}",  ",",  ":",  ".",  ";",  "=",  "<",
         ">",   "+",   "-",   "*",   "/",   "%",  "&",  "|",  "^",  "~",  "@"});
    std::string_view const rest = all_.substr(at_);
    for (auto const s : symbols) {
      if (!rest.starts_with(s)) continue;
      if (s == "(" || s == "[" || s == "{") {
        open_.push_back(static_cast<std::uint32_t>(at_));
      } else if (s == ")" || s == "]" || s == "}") {
        char const opens = s == ")" ? '(' : s == "]" ? '[' : '{';
        if (open_.empty() || all_[open_.back()] != opens) {
          to_.error(at_, std::string("'").append(s).append("' closes nothing"));
          // The bracket it was meant for, if it is open, is closed; others inside it are given up.
          std::size_t i = open_.size();
          while (i > 0 && all_[open_[i - 1]] != opens) --i;
          if (i > 0) open_.resize(i - 1);
        } else {
          open_.pop_back();
        }
      }
      add(token_kind::symbol, at_, s.size());
      at_ += s.size();
      return;
    }
    auto const byte = static_cast<unsigned char>(rest[0]);
    if (byte >= 0x80)
      to_.error(at_, "these bytes are no UTF-8");
    else if (byte < 0x20 || byte == 0x7F)
      to_.error(at_, "a control character stands here");
    else
      to_.error(at_, std::string("unexpected character '") + rest[0] + "'");
    // One report for a run of them.
    while (at_ < all_.size() && static_cast<unsigned char>(all_[at_]) >= 0x80 && utf8_length(all_.substr(at_)) == 0)
      ++at_;
    if (byte < 0x80) ++at_;
  }

  reporter& to_;
  std::string_view all_;
  std::size_t at_;
  bool line_start_ = true;
  std::vector<indentation> indents_{{}};
  std::vector<std::uint32_t> open_;  // brackets
  std::vector<token> tokens_;
};

}  // namespace mpmd::text::python

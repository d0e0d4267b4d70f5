#pragma once
/// String and number literals of the Python syntax: what they mean, and how values are written.

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <mpmd/support/utf8.hpp>

namespace mpmd::text::python {

inline void append_utf8(std::string& out, std::uint32_t code) {
  auto put = [&out](std::uint32_t b) { out += static_cast<char>(static_cast<unsigned char>(b)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

/// The bytes as a string literal. What is no UTF-8 is written the way Python smuggles bytes through strings, as lone
/// surrogates `\udcNN`, so that every string survives.
inline void append_quoted(std::string& out, std::string_view bytes, char quote = '"') {
  static constexpr char digits[] = "0123456789abcdef";
  auto hex = [&out](unsigned byte) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  };
  out += quote;
  while (!bytes.empty()) {
    char const c = bytes[0];
    auto const byte = static_cast<unsigned char>(c);
    std::size_t const length = utf8_length(bytes);
    if (c == quote || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\x";
      hex(byte);
    } else if (length == 0) {
      out += "\\udc";
      hex(byte);
    } else {
      out += bytes.substr(0, length);
    }
    bytes.remove_prefix(length == 0 ? 1 : length);
  }
  out += quote;
}

/// What a string literal says; `token` is the whole of it, with prefix and quotes. On an error, `error` says what is
/// wrong and `at` where in the token.
struct decoded_string {
  std::string bytes = {};
  std::string_view error = {};
  std::size_t at = 0;
};

inline decoded_string decode_string(std::string_view token) {
  decoded_string d;
  std::size_t from = 0;
  bool raw = false;
  for (; from < token.size() && token[from] != '"' && token[from] != '\''; ++from) {
    char const c = token[from];
    if (c == 'r' || c == 'R')
      raw = true;
    else if (c != 'u' && c != 'U')
      return {{}, "only plain and raw strings can be read here, no bytes and no formatted strings", from};
  }
  std::string_view const rest = token.substr(from);
  std::size_t const quotes = rest.size() >= 6 && rest[0] == rest[1] && rest[1] == rest[2] ? 3 : 1;
  std::string_view const body = rest.substr(quotes, rest.size() - 2 * quotes);
  std::size_t const start = from + quotes;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\r' && i + 1 < body.size() && body[i + 1] == '\n') continue;  // lines end in \n, whatever the file has
    if (body[i] != '\\' || raw || i + 1 == body.size()) {
      d.bytes += body[i];
      continue;
    }
    std::size_t const escape = i;
    char const c = body[++i];
    auto hex = [&](std::size_t count) -> std::optional<std::uint32_t> {
      std::uint32_t code = 0;
      if (body.size() - i - 1 < count) return std::nullopt;
      auto const first = body.data() + i + 1;
      auto const end = std::from_chars(first, first + count, code, 16).ptr;
      if (end != first + count) return std::nullopt;
      i += count;
      return code;
    };
    switch (c) {
      case '\n': continue;
      case '\r':
        if (i + 1 < body.size() && body[i + 1] == '\n') ++i;
        continue;
      case '\\': case '\'': case '"': d.bytes += c; continue;
      case 'n': d.bytes += '\n'; continue;
      case 't': d.bytes += '\t'; continue;
      case 'r': d.bytes += '\r'; continue;
      case 'a': d.bytes += '\a'; continue;
      case 'b': d.bytes += '\b'; continue;
      case 'f': d.bytes += '\f'; continue;
      case 'v': d.bytes += '\v'; continue;
      case 'x': case 'u': case 'U': {
        auto const code = hex(c == 'x' ? 2 : c == 'u' ? 4 : 8);
        if (!code) return {{}, "an escape needs 2 (\\x), 4 (\\u) or 8 (\\U) hexadecimal digits", start + escape};
        if (*code >= 0xDC80 && *code <= 0xDCFF)
          d.bytes += static_cast<char>(static_cast<unsigned char>(*code & 0xFF));
        else if (*code > 0x10FFFF || (*code >= 0xD800 && *code < 0xE000))
          return {{}, "no such character", start + escape};
        else
          append_utf8(d.bytes, *code);
        continue;
      }
      case 'N': return {{}, "characters by name (\\N) cannot be read", start + escape};
      default:
        if (c >= '0' && c <= '7') {
          std::uint32_t code = 0;
          std::size_t n = 0;
          for (; n < 3 && i + n < body.size() && body[i + n] >= '0' && body[i + n] <= '7'; ++n)
            code = code * 8 + static_cast<std::uint32_t>(body[i + n] - '0');
          i += n - 1;
          append_utf8(d.bytes, code);
          continue;
        }
        d.bytes += '\\';
        d.bytes += c;
    }
  }
  return d;
}

/// An integer literal: its value, which may be one too large for a signed number, so that a minus sign can stand in front
/// of the largest magnitude. Nothing when it is larger.
inline std::optional<std::uint64_t> decode_integer(std::string_view token) {
  std::string digits;
  for (char const c : token)
    if (c != '_') digits += c;
  int base = 10;
  std::size_t from = 0;
  if (digits.size() > 2 && digits[0] == '0' && (digits[1] < '0' || digits[1] > '9')) {
    base = digits[1] == 'x' || digits[1] == 'X' ? 16 : digits[1] == 'o' || digits[1] == 'O' ? 8 : 2;
    from = 2;
  }
  std::uint64_t value = 0;
  auto const end = digits.data() + digits.size();
  auto const [stop, fault] = std::from_chars(digits.data() + from, end, value, base);
  if (fault != std::errc{} || stop != end || value > std::uint64_t{1} << 63) return std::nullopt;
  return value;
}

inline double decode_real(std::string_view token) {
  std::string digits;
  for (char const c : token)
    if (c != '_') digits += c;
  // Not from_chars: Python reads 1e999 as infinity and 1e-999 as zero, as strtod does.
  return std::strtod(digits.c_str(), nullptr);
}

/// The shortest decimal that reads back as exactly this number, which is not NaN, always with a point or an exponent.
inline std::string real_text(double v) {
  if (std::isinf(v)) return v < 0 ? "-1e999" : "1e999";
  std::array<char, 40> room{};
  auto const end = std::to_chars(room.data(), room.data() + room.size(), v).ptr;
  std::string text(room.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

/// Whether text can stand as a name: of ASCII letters, digits, `_` and whatever lies beyond ASCII in valid UTF-8.
constexpr bool is_identifier(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  while (!text.empty()) {
    std::size_t const n = utf8_length(text);
    char const c = text[0];
    bool const fine = n > 1 || (n == 1 && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                           c == '_'));
    if (!fine) return false;
    text.remove_prefix(n);
  }
  return true;
}

inline constexpr auto keywords = std::to_array<std::string_view>(
    {"False", "None",   "True",    "and",    "as",   "assert", "async",  "await",    "break",  "class", "continue", "def",
     "del",   "elif",   "else",    "except", "for",  "from",   "global", "finally",  "if",     "import", "in",      "is",
     "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return", "try",      "while",  "with",  "yield"});

constexpr bool is_keyword(std::string_view text) {
  for (auto const k : keywords)
    if (k == text) return true;
  return false;
}

}  // namespace mpmd::text::python

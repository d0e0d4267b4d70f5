#pragma once
/// Writes JSON (RFC 8259): keys in the order in which they are written.

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/support/utf8.hpp>

namespace mpmd {

/// A text that grows by values and keys. It is JSON once every object and list that was begun is ended; whoever writes
/// sees to it that a key stands before each value in an object, and that no other does.
class json_writer {
 public:
  std::string const& text() const { return text_; }

  json_writer& begin_object() { return begin('{'); }
  json_writer& end_object() { return end('}'); }
  json_writer& begin_list() { return begin('['); }
  json_writer& end_list() { return end(']'); }
  json_writer& key(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    behind_key_ = true;
    return *this;
  }
  json_writer& value(std::string_view text) {
    separate();
    quote(text);
    return *this;
  }
  json_writer& value(char const* text) { return value(std::string_view(text)); }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  json_writer& value(T number) {
    separate();
    text_ += std::to_string(number);
    return *this;
  }
  json_writer& value(bool b) {
    separate();
    text_ += b ? "true" : "false";
    return *this;
  }
  /// The shortest text that reads back as the same number; null for what JSON has no number for.
  json_writer& value(double number) {
    if (!std::isfinite(number)) return null();
    separate();
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    return *this;
  }
  json_writer& null() {
    separate();
    text_ += "null";
    return *this;
  }
  /// The value, or null: anything that is tested and dereferenced as a pointer is.
  template <class Optional>
  json_writer& value_or_null(Optional const& held) {
    return held ? value(*held) : null();
  }
  /// A line break before the next value: what stands behind it is a line of its own.
  json_writer& new_line() {
    break_ = true;
    return *this;
  }

 private:
  json_writer& begin(char c) {
    separate();
    text_ += c;
    first_.push_back(true);
    return *this;
  }
  json_writer& end(char c) {
    first_.pop_back();
    if (break_) text_ += '\n';
    break_ = false;
    text_ += c;
    return *this;
  }
  void separate() {
    if (behind_key_) {
      behind_key_ = false;
      return;
    }
    if (!first_.empty()) {
      if (!first_.back()) text_ += ',';
      first_.back() = false;
    }
    if (break_) text_ += '\n';
    break_ = false;
  }
  // Bytes that are no UTF-8 become U+FFFD each.
  void quote(std::string_view s) {
    text_ += '"';
    while (!s.empty()) {
      char const c = s[0];
      std::size_t const length = utf8_length(s);
      if (length == 0)
        text_ += "\xEF\xBF\xBD";
      else if (c == '"' || c == '\\')
        text_.append(1, '\\').append(1, c);
      else if (static_cast<unsigned char>(c) < 0x20u)
        text_.append("\\u00").append(1, "0123456789abcdef"[c >> 4]).append(1, "0123456789abcdef"[c & 15]);
      else
        text_ += s.substr(0, length);
      s.remove_prefix(length == 0 ? 1 : length);
    }
    text_ += '"';
  }

  std::string text_;
  std::vector<bool> first_;
  bool behind_key_ = false;
  bool break_ = false;
};

}  // namespace mpmd

#pragma once
/// Source buffers and positions in them.
///
/// A position is 32 bits: an offset into the concatenation of all buffers of a source_manager, in the manner of
/// clang's SourceLocation. It costs an op four bytes, and a line number is worked out only when somebody asks.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpmd {

/// A place in the text of a source_manager; default constructed: no place known.
struct source_position {
  std::uint32_t offset = 0;  ///< 1 + offset into all buffers laid end to end; 0 = unknown

  constexpr explicit operator bool() const { return offset != 0; }
  friend constexpr bool operator==(source_position, source_position) = default;
};

/// A position as a person reads it. Lines and columns count from 1, columns in bytes; line 0 = unknown.
/// `host` is free for an adapter: the location object of the compiler that owns the program.
struct source_location {
  std::string file = {};
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string line_text = {};  ///< the line without its line break; of a very long one, what is around the column
  std::uintptr_t host = 0;
  std::uint32_t text_column = 1;  ///< the column at which line_text begins

  friend bool operator==(source_location const&, source_location const&) = default;
};

/// Owns the text of every file read. Buffers stay where they are; views of them stay valid.
class source_manager {
 public:
  using buffer_id = std::uint32_t;

  /// Adds a buffer; `first_line` is the number of its first line, where it is part of a file. All buffers together hold at most 4 GiB - 2; returns false in `second` when that is exceeded.
  std::pair<buffer_id, bool> add(std::string name, std::string text, std::uint32_t first_line = 1) {
    if (text.size() >= 0xFFFFFFFEu - end_) return {0, false};
    buffers_.push_back({std::move(name), std::move(text), end_, first_line, {}});
    end_ += static_cast<std::uint32_t>(buffers_.back().text.size()) + 1;
    return {static_cast<buffer_id>(buffers_.size() - 1), true};
  }

  std::string_view text(buffer_id id) const { return buffers_[id].text; }
  std::string_view name(buffer_id id) const { return buffers_[id].name; }
  std::size_t size() const { return buffers_.size(); }

  source_position position(buffer_id id, std::size_t offset) const {
    return {buffers_[id].begin + static_cast<std::uint32_t>(offset)};
  }

  /// A position as numbers: line and column count from 1; line 0 = unknown.
  struct numbered_position {
    buffer_id buffer = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };

  /// O(log lines); the first call for a buffer indexes its lines.
  numbered_position place(source_position where) const {
    if (!where) return {};
    auto after = std::upper_bound(buffers_.begin(), buffers_.end(), where.offset,
                                  [](std::uint32_t at, buffer const& b) { return at < b.begin; });
    if (after == buffers_.begin()) return {};
    buffer const& in = *std::prev(after);
    std::uint32_t const at = where.offset - in.begin;
    if (in.lines.empty()) {
      in.lines.push_back(0);
      for (std::uint32_t i = 0; i < in.text.size(); ++i)
        if (in.text[i] == '\n') in.lines.push_back(i + 1);
    }
    auto const line = static_cast<std::uint32_t>(std::upper_bound(in.lines.begin(), in.lines.end(), at) -
                                                 in.lines.begin());
    return {static_cast<buffer_id>(after - buffers_.begin() - 1), in.first_line + line - 1, at - in.lines[line - 1] + 1};
  }

  /// The same with the file's name and the text of the line. O(log lines).
  source_location resolve(source_position where) const {
    auto const [id, line, column] = place(where);
    if (line == 0) return {};
    buffer const& in = buffers_[id];
    std::uint32_t const start = in.lines[line - in.first_line];
    std::size_t stop = in.text.find('\n', start);
    if (stop == std::string::npos) stop = in.text.size();
    if (stop > start && in.text[stop - 1] == '\r') --stop;
    // Otherwise a thousand errors in one line of 100 MB would hold it a thousand times.
    constexpr std::uint32_t most = 4096;
    std::uint32_t const from = stop - start <= most || column <= most / 2 ? start : start + column - most / 2;
    return {in.name, line, column, in.text.substr(from, std::min<std::size_t>(stop - from, most)), 0, from - start + 1};
  }

  /// The text from a position to the end of its buffer; empty if it is unknown. O(log buffers).
  std::string_view rest(source_position where) const {
    auto const after = std::upper_bound(buffers_.begin(), buffers_.end(), where.offset,
                                        [](std::uint32_t at, buffer const& b) { return at < b.begin; });
    if (!where || after == buffers_.begin()) return {};
    std::string_view const text = std::prev(after)->text;
    return text.substr(std::min<std::size_t>(where.offset - std::prev(after)->begin, text.size()));
  }

 private:
  struct buffer {
    std::string name;
    std::string text;
    std::uint32_t begin;
    std::uint32_t first_line;
    mutable std::vector<std::uint32_t> lines;  // start of each line, filled on first use
  };
  std::deque<buffer> buffers_;
  std::uint32_t end_ = 1;
};

}  // namespace mpmd

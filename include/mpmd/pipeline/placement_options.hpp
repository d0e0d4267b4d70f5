#pragma once
/// How the values of transform/placement.hpp are written in options:
///
///     names        encoder@m1,decoder@m2/1      a name, its mesh, and the stage
///     indices      0@m1,3@m2#pinned_host
///     constraints  0:0,2:1                      input:output
///
/// A stage stands behind the last '/', and only what begins like a number is one, so that a mesh may be
/// called m1/cpu. A name or mesh may stand in single or double quotes, with a backslash before a quote or
/// backslash in it; then every other character stands for itself. Items are separated by commas; one more at
/// the end does no harm. Spaces around an item do not count. An item that repeats a name or an index replaces
/// the earlier one. The forms are those of the mpmd passes of Shardy, which have neither quotes nor meshes
/// with a '/'.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <mpmd/pipeline/options.hpp>
#include <mpmd/transform/placement.hpp>

namespace mpmd {

namespace detail {

/// Walks through a list of items.
class item_reader {
 public:
  explicit item_reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::size_t at() const { return at_; }
  bool failed() const { return !error_.message.empty(); }
  option_error const& error() const { return error_; }
  bool fail(std::size_t at, std::string message) {
    error_ = {std::move(message), at};
    return false;
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// Behind an item: past its comma, or to the end.
  bool end_item() {
    skip_spaces();
    if (at_end() || take(',')) return true;
    return fail(at_, "expected ',' before '" + std::string(text_.substr(at_)) + "'");
  }
  /// The rest of the item that is being read, for messages, cut at the next comma.
  std::string_view item_from(std::size_t start) const {
    return text_.substr(start, text_.find(',', start) - start);
  }

  /// A quoted text, or everything up to one of `stops`, the comma or the end; trailing spaces are left if a
  /// comma or the end follows. nullopt when a quote is not closed.
  std::optional<std::string> word(std::string_view stops) {
    std::string found;
    if (!at_end() && (text_[at_] == '\'' || text_[at_] == '"')) {
      std::size_t const start = at_;
      char const quote = text_[at_++];
      for (; !at_end() && text_[at_] != quote; ++at_) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        found += text_[at_];
      }
      if (take(quote)) return found;
      fail(start, "the quote is not closed");
      return std::nullopt;
    }
    std::size_t const start = at_;
    while (!at_end() && text_[at_] != ',' && stops.find(text_[at_]) == std::string_view::npos) ++at_;
    if (at_end() || text_[at_] == ',')
      while (at_ > start && text_[at_ - 1] == ' ') --at_;
    return std::string(text_.substr(start, at_ - start));
  }
  bool quoted() const { return !at_end() && (text_[at_] == '\'' || text_[at_] == '"'); }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  option_error error_;
};

inline bool read_number(std::string_view text, std::int64_t& to) {
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc{} && end == text.data() + text.size();
}
constexpr bool begins_like_number(std::string_view text) {
  return text.empty() || (text[0] >= '0' && text[0] <= '9') || text[0] == '-' || text[0] == '+' ||
         text[0] == ' ';
}

/// A mesh is also quoted when its end would be read as a stage.
inline std::string mesh_text(std::string_view mesh) {
  auto const slash = mesh.rfind('/');
  return quoted_if_needed(mesh, slash != mesh.npos && begins_like_number(mesh.substr(slash + 1)) ? "/" : "");
}

/// Reads items with `item(reader)` until the end or the first error.
template <class Item>
option_error read_items(std::string_view text, Item item) {
  item_reader in(text);
  while (!in.at_end()) {
    in.skip_spaces();
    if (!item(in) || !in.end_item()) return in.error();
  }
  return {};
}

inline bool missing_at(item_reader& in, std::size_t start, std::string_view what) {
  return in.fail(start, "Assignment must contain '@' denoting a name assigned to a mesh" + std::string(what) +
                            ", got: " + std::string(in.item_from(start)));
}

}  // namespace detail

template <>
struct option_value<name_to_mesh_map> {
  static std::string_view type() { return "name@mesh[/stage],..."; }

  static std::string print(name_to_mesh_map const& names) {
    std::string out;
    for (auto const& [name, to] : names) {
      if (!out.empty()) out += ',';
      out += detail::quoted_if_needed(name, "@") + '@' + detail::mesh_text(to.mesh);
      if (to.stage) out += '/' + std::to_string(*to.stage);
    }
    return out;
  }

  /// The last value counts, not the union of several.
  static option_error parse(std::string_view text, name_to_mesh_map& to) {
    to.clear();
    return detail::read_items(text, [&](detail::item_reader& in) {
      std::size_t const start = in.at();
      auto const name = in.word("@");
      if (!name) return false;
      if (!in.take('@')) return detail::missing_at(in, start, " (and stage)");
      mesh_assignment found;
      bool const quoted = in.quoted();
      std::size_t const mesh_at = in.at();
      auto mesh = in.word("");
      if (!mesh) return false;
      std::optional<std::string> stage;
      std::size_t stage_at = in.at() + 1;
      if (quoted) {
        if (in.take('/')) stage = in.word("");
      } else if (auto const slash = mesh->rfind('/');
                 slash != std::string::npos &&
                 detail::begins_like_number(std::string_view(*mesh).substr(slash + 1))) {
        stage = mesh->substr(slash + 1);
        stage_at = mesh_at + slash + 1;
        mesh->resize(slash);
      }
      if (stage) {
        std::int64_t number = 0;
        if (!detail::read_number(*stage, number))
          return in.fail(stage_at, "Failed to parse stage number: " + *stage);
        found.stage = number;
      }
      found.mesh = std::move(*mesh);
      to.insert_or_assign(*name, std::move(found));
      return true;
    });
  }
};

template <>
struct option_value<index_to_mesh_map> {
  static std::string_view type() { return "index@mesh,..."; }

  static std::string print(index_to_mesh_map const& meshes) {
    std::string out;
    for (auto const& [index, mesh] : meshes) {
      if (!out.empty()) out += ',';
      out += std::to_string(index) + '@' + detail::quoted_if_needed(mesh, "");
    }
    return out;
  }

  static option_error parse(std::string_view text, index_to_mesh_map& to) {
    to.clear();
    return detail::read_items(text, [&](detail::item_reader& in) {
      std::size_t const start = in.at();
      auto const number = in.word("@");
      if (!number) return false;
      std::int64_t index = 0;
      if (!in.take('@')) return detail::missing_at(in, start, "");
      if (!detail::read_number(*number, index)) return in.fail(start, "Failed to parse index: " + *number);
      auto mesh = in.word("");
      if (!mesh) return false;
      to.insert_or_assign(index, std::move(*mesh));
      return true;
    });
  }
};

template <>
struct option_value<std::vector<io_constraint>> {
  static std::string_view type() { return "input:output,..."; }

  static std::string print(std::vector<io_constraint> const& constraints) {
    std::string out;
    for (auto const& c : constraints) {
      if (!out.empty()) out += ',';
      out += std::to_string(c.input) + ':' + std::to_string(c.output);
    }
    return out;
  }

  /// A list: what is given again is appended.
  static option_error parse(std::string_view text, std::vector<io_constraint>& to) {
    return detail::read_items(text, [&](detail::item_reader& in) {
      char const open = in.take('{') ? '}' : in.take('"') ? '"' : in.take('\'') ? '\'' : '\0';
      std::size_t const start = in.at();
      std::string const stops = open != '\0' ? std::string{':', open} : std::string(":");
      std::string const input = in.word(stops).value_or("");
      io_constraint found;
      if (!detail::read_number(input, found.input))
        return in.fail(start, "Failed to parse input index: " + input);
      in.take(':');
      std::size_t const output_at = in.at();
      std::string const output =
          in.word(open != '\0' ? std::string_view(&open, 1) : std::string_view{}).value_or("");
      if (!detail::read_number(output, found.output))
        return in.fail(output_at, "Failed to parse output index: " + output);
      if (open != '\0' && !in.take(open)) return in.fail(start - 1, "the bracket or quote is not closed");
      to.push_back(found);
      return true;
    });
  }
};

}  // namespace mpmd

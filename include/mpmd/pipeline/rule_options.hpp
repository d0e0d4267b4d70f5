#pragma once
/// How the rules of transform/fragment_rules.hpp are written in options: a list of
/// `FragmentMergeRule(sources=[FragmentInfo(...),...],target=FragmentInfo(...))`, as in Shardy; see to_text() for
/// FragmentInfo. Spaces may stand between any two tokens.

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <mpmd/pipeline/options.hpp>
#include <mpmd/transform/fragment_rules.hpp>

namespace mpmd {

namespace detail {

class rule_reader {
 public:
  explicit rule_reader(std::string_view text) : text_(text) {}

  option_error read(std::vector<fragment_merge_rule>& to) {
    while (good() && !at_end()) {
      fragment_merge_rule rule;
      word("FragmentMergeRule");
      word("(");
      word("sources");
      word("=");
      word("[");
      if (!take("]")) {
        do rule.sources.push_back(fragment());
        while (good() && take(","));
        word("]");
      }
      word(",");
      word("target");
      word("=");
      rule.target = fragment();
      word(")");
      if (good() && rule.sources.size() < 2) fail(at_, "a rule needs two sources at least");
      if (good()) to.push_back(std::move(rule));
      if (good() && !take(",") && !at_end()) fail(at_, "expected ',' between rules");
    }
    return error_;
  }

 private:
  bool good() const { return error_.message.empty(); }
  void fail(std::size_t at, std::string message) {
    if (good()) error_ = {std::move(message), at};
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void word(std::string_view token) {
    if (good() && !take(token)) fail(at_, "expected '" + std::string(token) + "'");
  }
  std::string quoted() {
    word("\"");
    std::string found;
    std::size_t end = at_;
    for (; end < text_.size() && text_[end] != '"'; ++end) {
      if (text_[end] == '\\' && end + 1 < text_.size()) ++end;
      found += text_[end];
    }
    if (end == text_.size()) fail(at_, "the quote is not closed");
    if (!good()) return {};
    at_ = end + 1;
    return found;
  }
  template <class N>
  N number() {
    skip();
    N found{};
    auto const [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), found);
    if (error != std::errc{}) fail(at_, "expected a number");
    if (good()) at_ = static_cast<std::size_t>(end - text_.data());
    return found;
  }
  fragment_description fragment() {
    fragment_description found;
    word("FragmentInfo");
    word("(");
    if (take(")")) return found;
    do {
      if (take("origins")) {
        word("=");
        word("[");
        if (take("]")) continue;
        do {
          user_origin origin{quoted(), 0};
          if (take("(")) {
            origin.transpose_count = number<std::int64_t>();
            word(")");
          }
          found.origins.push_back(std::move(origin));
        } while (good() && take(","));
        word("]");
      } else if (take("stage_id") || take("stage")) {
        word("=");
        found.stage = number<std::int64_t>();
      } else if (take("call_counter")) {
        word("=");
        found.call_counter = number<std::uint32_t>();
      } else if (take("split_type")) {
        word("=");
        if (take("kKeepTransferred"))
          found.split = split_part::first;
        else if (take("kDropTransferred"))
          found.split = split_part::second;
        else
          fail(at_, "expected kKeepTransferred or kDropTransferred");
      } else if (take("mesh_name")) {
        word("=");
        found.mesh = quoted();
      } else {
        fail(at_, "expected origins, stage, call_counter, split_type or mesh_name");
      }
    } while (good() && take(","));
    word(")");
    return found;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  option_error error_;
};

}  // namespace detail

template <>
struct option_value<std::vector<fragment_merge_rule>> {
  static std::string_view type() { return "FragmentMergeRule,..."; }

  static std::string print(std::vector<fragment_merge_rule> const& rules) {
    std::string out;
    for (auto const& r : rules) {
      out += out.empty() ? "FragmentMergeRule(sources=[" : ",FragmentMergeRule(sources=[";
      for (std::size_t i = 0; i < r.sources.size(); ++i) out.append(i ? "," : "").append(to_text(r.sources[i]));
      out += "],target=" + to_text(r.target) + ")";
    }
    return out;
  }

  /// A list: what is given again is appended.
  static option_error parse(std::string_view text, std::vector<fragment_merge_rule>& to) {
    return detail::rule_reader(text).read(to);
  }
};

}  // namespace mpmd

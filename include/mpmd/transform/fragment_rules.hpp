#pragma once
/// How users single out fragments: by what these say of themselves.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/split_fragment.hpp>

namespace mpmd {

/// Which part of a fragment that was cut in two.
enum class split_part : std::uint8_t { whole, first, second };

/// All that tells fragments apart. Two are the same when all of it is.
struct fragment_description {
  std::vector<user_origin> origins = {};
  std::optional<std::int64_t> stage = {};
  std::optional<std::uint32_t> call_counter = {};
  split_part split = split_part::whole;
  std::string mesh = {};
  friend bool operator==(fragment_description const&, fragment_description const&) = default;
};

/// The sources become one fragment, which then is the target.
struct fragment_merge_rule {
  std::vector<fragment_description> sources = {};
  fragment_description target = {};
  friend bool operator==(fragment_merge_rule const&, fragment_merge_rule const&) = default;
};

/// `FragmentInfo(origins=["f","g"(1)],stage=0,call_counter=2,split_type=kKeepTransferred,mesh_name="m1")`, without what
/// is not set. A backslash stands before quotes and backslashes in names.
inline std::string to_text(fragment_description const& d) {
  std::string text = "FragmentInfo(origins=[";
  auto add = [&text](std::string_view name) {
    text += '"';
    for (char const c : name) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  };
  for (std::size_t i = 0; i < d.origins.size(); ++i) {
    if (i > 0) text += ',';
    add(d.origins[i].name);
    if (d.origins[i].transpose_count != 0) text += '(' + std::to_string(d.origins[i].transpose_count) + ')';
  }
  text += ']';
  if (d.stage) text += ",stage=" + std::to_string(*d.stage);
  if (d.call_counter) text += ",call_counter=" + std::to_string(*d.call_counter);
  if (d.split != split_part::whole)
    text += d.split == split_part::first ? ",split_type=kKeepTransferred" : ",split_type=kDropTransferred";
  text += ",mesh_name=";
  add(d.mesh);
  return text + ')';
}

template <mutable_mpmd_program P>
fragment_description describe_fragment(P const& p, op_t<P> fragment) {
  using traits = ir_traits<P>;
  fragment_info info = traits::fragment_of(p, fragment);
  auto has = [&](std::string_view key) {
    return !std::holds_alternative<std::monostate>(traits::note_of(p, fragment, key));
  };
  return {std::move(info.origins), info.stage, call_counter_of(p, fragment),
          has(split_first_note)    ? split_part::first
          : has(split_second_note) ? split_part::second
                                   : split_part::whole,
          std::move(info.mesh)};
}

/// Makes a fragment say what a description says, its mesh excepted.
template <mutable_mpmd_program P>
void relabel_fragment(P& p, op_t<P> fragment, fragment_description const& to) {
  using traits = ir_traits<P>;
  fragment_info info = traits::fragment_of(p, fragment);
  info.origins = to.origins;
  info.stage = to.stage;
  traits::set_fragment(p, fragment, info);
  traits::set_note(p, fragment, "call_counter", to.call_counter ? note(*to.call_counter) : note());
  traits::set_note(p, fragment, split_first_note, to.split == split_part::first ? note(unit_note{}) : note());
  traits::set_note(p, fragment, split_second_note, to.split == split_part::second ? note(unit_note{}) : note());
  traits::set_note(p, fragment, inferred_by_note, std::monostate{});
}

}  // namespace mpmd

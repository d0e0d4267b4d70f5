// Any bytes as the options of a pass that has one of each kind. What is read without an error prints as text
// that reads back as the same options; an error stands in the text.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include <mpmd/pipeline/placement_options.hpp>
#include <mpmd/pipeline/rule_options.hpp>

namespace {

struct any_pass {
  mpmd::name_to_mesh_map names;
  mpmd::index_to_mesh_map inputs;
  std::vector<mpmd::io_constraint> constraints;
  std::vector<mpmd::fragment_merge_rule> rules;
  std::int64_t limit = 3;
  bool flag = false;
  static constexpr std::string_view name = "any";
  static constexpr auto options =
      std::tuple{mpmd::option{"n", &any_pass::names, ""},       mpmd::option{"i", &any_pass::inputs, ""},
                 mpmd::option{"c", &any_pass::constraints, ""}, mpmd::option{"r", &any_pass::rules, ""},
                 mpmd::option{"l", &any_pass::limit, ""},       mpmd::option{"f", &any_pass::flag, ""}};
  friend bool operator==(any_pass const&, any_pass const&) = default;
};

void require(bool held) {
  if (!held) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string const text(reinterpret_cast<char const*>(data), size);
  mpmd::diagnostics diags(
      [&](mpmd::diagnostic const& d) { require(d.where.column >= 1 && d.where.column <= size + 1); });
  any_pass pass, again;
  bool const good = mpmd::parse_options(pass, text, diags);
  require(good == (diags.errors() == 0));
  if (!good) return 0;
  mpmd::diagnostics none;
  require(mpmd::parse_options(again, mpmd::print_options(pass), none));
  require(again == pass);
  return 0;
}

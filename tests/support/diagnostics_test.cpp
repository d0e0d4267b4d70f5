// How diagnostics are shown: the line and the caret.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include <mpmd/support/diagnostics.hpp>

namespace diagnostics_test {
namespace {

// What is shown of an error at this offset of the text, without the line that says which.
std::string shown(std::string const& text, std::size_t offset, std::uint32_t first_line = 1) {
  mpmd::source_manager sources;
  auto const id = sources.add("f", text, first_line).first;
  std::ostringstream out;
  print(out, mpmd::diagnostic{mpmd::severity::error, "x", sources.resolve(sources.position(id, offset)), "m", {}});
  return out.str();
}

}  // namespace

TEST_CASE("the caret stands below the character, whatever bytes and tabs are before it") {
  CHECK(shown("a b", 2) == "f:1:3: error: m\na b\n  ^\n");
  CHECK(shown("\ta b", 3) == "f:1:4: error: m\n\ta b\n\t  ^\n");
  // Two bytes and three: columns count bytes, the caret characters.
  CHECK(shown("\xC3\xA9\xE2\x82\xAC b", 6) == "f:1:7: error: m\n\xC3\xA9\xE2\x82\xAC b\n   ^\n");
}

TEST_CASE("of a long line a part is shown that cuts no character") {
  std::string line;
  for (int i = 0; i < 10'000; ++i) line += "\xE2\x82\xAC";
  std::string const said = shown(line + "!" + line, line.size());
  std::istringstream lines(said);
  std::string head, text, caret;
  std::getline(lines, head), std::getline(lines, text), std::getline(lines, caret);
  CHECK(head == "f:1:30001: error: m");
  CHECK(text.size() <= 160);
  CHECK(text.starts_with("\xE2"));
  CHECK(text.find("\xAC!\xE2") != std::string::npos);
  CHECK(text.find('!') == 3 * (caret.size() - 1));
}

TEST_CASE("a part of a file has the lines of the file") {
  CHECK(shown("a\nb c", 4, 41) == "f:42:3: error: m\nb c\n  ^\n");
}

}  // namespace diagnostics_test

// Text that nobody writes: as deep, as long and as broken as it gets. A result or an error with a place, on a small stack.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "testing/sanitized.hpp"
#include "testing/small_stack.hpp"
#include "text/python_programs.hpp"

namespace python_hostile_test {

namespace {

using namespace mpmd::text::python_testing;
namespace ir = mpmd::ir;

std::string repeated(std::string_view what, std::size_t times) {
  std::string text;
  text.reserve(what.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += what;
  return text;
}
constexpr std::size_t many = mpmd::testing::sanitized ? 10'000 : 100'000;
constexpr auto parameters = "a: pl.Scalar[pl.INT64], c: pl.Scalar[pl.BOOL], t: pl.Tuple[pl.Ptr]";

// Whether it is read. If not, there is an error that points into the text.
bool is_read(std::string const& text) {
  auto const r = read(text);
  if (r.program) {
    mpmd::diagnostics diags;
    CHECK(ir::verify(*r.program, diags));
    return true;
  }
  REQUIRE(!r.found.empty());
  CHECK(r.found[0].level == mpmd::severity::error);
  CHECK(r.found[0].where.line > 0);
  CHECK(r.found[0].where.column > 0);
  CHECK(r.found.size() <= 1001);
  return false;
}
bool statement_is_read(std::string_view statement) { return is_read(host_program(statement, parameters)); }

}  // namespace

TEST_CASE("a hundred thousand brackets, operators and calls deep") {
  mpmd::testing::with_small_stack([] {
    CHECK(statement_is_read("x = " + repeated("(", many) + "a" + repeated(")", many)));
    CHECK(statement_is_read("x = " + repeated("(a + ", many) + "a" + repeated(")", many)));
    CHECK(statement_is_read("x = " + repeated("-", many) + "a"));
    CHECK(statement_is_read("x = " + repeated("not ", many) + "c"));
    CHECK(statement_is_read("x = a" + repeated(" ** a", many)));
    CHECK(statement_is_read("x = " + repeated("pl.load(", many) + "a" + repeated(")", many)));
    for (std::string_view const open : {"(", "[", "{", "a[", "pl.load(", "{'k': ", "self.step(", "-", "a if c else ", "lambda: "}) {
      CAPTURE(open);
      CHECK_FALSE(statement_is_read("x = " + repeated(open, many)));
    }
    for (std::string_view const close : {")", "]", "}"}) CHECK_FALSE(statement_is_read("x = " + repeated(close, many)));
    CHECK_FALSE(statement_is_read("x: " + repeated("pl.Tuple[", many) + "pl.Ptr" + repeated("]", many) + " = a"));
    CHECK_FALSE(statement_is_read(repeated("with pl.incore(", many)));
  });
}

TEST_CASE("blocks in blocks, and branches in the else of branches") {
  mpmd::testing::with_small_stack([] {
    std::string chain = "if c:\n    pass\n";
    chain += repeated("elif c:\n    pass\n", 20'000);
    auto const p = valid(host_program(chain, parameters));
    CHECK(ir::structural_equal(p, valid(mpmd::text::to_python(p))));
    std::string nested;
    constexpr std::size_t depth = 2'000;
    for (std::size_t i = 0; i < depth; ++i) nested += std::string(i, ' ') + (i % 2 == 0 ? "for i in pl.range(2):\n" : "while c:\n");
    CHECK(statement_is_read(nested + std::string(depth, ' ') + "pass"));
    CHECK_FALSE(statement_is_read(nested));
    CHECK_FALSE(statement_is_read(nested + "else:\n    pass"));
  });
}

TEST_CASE("long lines, names, strings and comments") {
  CHECK(statement_is_read("x = a" + repeated(" + a", many)));
  CHECK(statement_is_read(repeated("x", many) + " = a"));
  CHECK(statement_is_read("x = pl.load(a, attrs={'k': '" + repeated("s", many) + "'})"));
  CHECK(statement_is_read("x = a  # " + repeated("long ", many)));
  CHECK(statement_is_read("x = (a +" + repeated("\n", many) + "a)"));
  CHECK_FALSE(statement_is_read("x = " + repeated("9", many)));
  CHECK_FALSE(statement_is_read("x = a" + repeated(" + ?", many)));
  CHECK_FALSE(statement_is_read(repeated("x = ?\n", many)));
  CHECK(statement_is_read(repeated("x = a\n", many)));
  static_cast<void>(statement_is_read("self.step(" + repeated("a, ", many) + "device=0)"));
}

TEST_CASE("strings that do not end, and line ends inside of them") {
  for (std::string_view const s : {"'abc", "\"abc", "'''abc", "\"\"\"abc\n\n", "'abc\\", "r'abc", "f'{x", "b'abc", "'a\nb'",
                                   "'\\x4'", "'\\u12'", "'\\N{nothing}'", "'''a''", "''''"}) {
    CAPTURE(s);
    CHECK_FALSE(is_read(host_program("x = pl.load(a, attrs={'k': " + std::string(s), parameters)));
    static_cast<void>(is_read(std::string(s)));  // text before the program is not looked into
  }
}

TEST_CASE("tabs, line ends, marks and foreign bytes") {
  std::string const good = host_program("x = a\nif c:\n    y = a", parameters);
  std::string crlf, cr, tabs;
  for (char const c : good) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
  }
  for (std::size_t i = 0; i < good.size(); ++i)
    if (good.compare(i, 4, "    ") == 0)
      tabs += '\t', i += 3;
    else
      tabs += good[i];
  CHECK(is_read(crlf));
  CHECK(is_read(tabs));
  static_cast<void>(is_read(cr));
  CHECK(is_read("\xEF\xBB\xBF" + good));
  CHECK(statement_is_read("x = pl.load(a, attrs={'\xC3\xA9': '\xF0\x9F\x8C\x8A'})  # \xE2\x82\xAC"));
  for (std::string_view const bytes : {"\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x8C", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80",
                                       "\x01", "\x7F", "\xC2\xA0", "\xE2\x80\xA8", "\xEF\xBB\xBF", "\x0C\x0B"}) {
    CAPTURE(bytes);
    static_cast<void>(statement_is_read("x = a" + std::string(bytes)));
    static_cast<void>(statement_is_read("x" + std::string(bytes) + "y = a"));
    static_cast<void>(statement_is_read("x = pl.load(a, attrs={'k': '" + std::string(bytes) + "'})"));
  }
  std::string zero = good;
  zero[zero.size() / 2] = '\0';
  CHECK_FALSE(is_read(zero));
  CHECK_FALSE(is_read(std::string(1000, '\0')));
}

TEST_CASE("every prefix of a program, and every program with one byte less") {
  std::string const good = host_program("b = pld.alloc_window_buffer(64)\nv = pld.window(b, [16], dtype=pl.FP32)\n"
                                        "for r, (q,) in pl.range(2, init_values=(v,)):\n    self.step(q, device=r)\n"
                                        "    o = pl.yield_(q)\nreturn [o, -1]",
                                        parameters);
  for (std::size_t n = 0; n < good.size(); ++n) {
    static_cast<void>(is_read(good.substr(0, n)));
    static_cast<void>(is_read(good.substr(0, n) + good.substr(n + 1)));
  }
}

}  // namespace python_hostile_test

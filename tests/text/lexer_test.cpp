#include <mpmd/text/mlir/lexer.hpp>

#include <doctest/doctest.h>

#include <string>

namespace lexer_test {

namespace {

using namespace mpmd::text::mlir;
using form = number_token::form;

TEST_CASE("a cursor stands at the start of a token: blanks and comments are passed") {
  cursor in(" \t\r\n// one, two\n  a//b\n// to the end");
  CHECK(in.take_word() == "a");
  CHECK(in.at_end());
  CHECK(in.end_of_last() == 19);
  CHECK(cursor("").at_end());
  CHECK(cursor("//").at_end());
  CHECK(cursor("/").peek() == '/');
}

TEST_CASE("a bare identifier starts with a letter or '_' and goes on with digits, '_', '$' and '.'") {
  CHECK(cursor("func.func@f").word() == "func.func");
  CHECK(cursor("_a$1.b-c").word() == "_a$1.b");
  CHECK(cursor("1a").word() == "");
  CHECK(cursor("$a").word() == "");
  CHECK(cursor(".a").word() == "");
  CHECK(is_bare_id("_"));
  CHECK(is_bare_id("mhlo.layout_mode"));
  CHECK_FALSE(is_bare_id(""));
  CHECK_FALSE(is_bare_id("a-b"));
  CHECK_FALSE(is_bare_id("0a"));
  CHECK_FALSE(is_bare_id("\xC3\xA9"));
}

TEST_CASE("an identifier behind a sigil is digits, or anything of letters, digits and marks") {
  CHECK(cursor("%0:2").sigil_id('%') == "0");
  CHECK(cursor("%12ab").sigil_id('%') == "12");
  CHECK(cursor("%arg0_modified#1").sigil_id('%') == "arg0_modified");
  CHECK(cursor("%$a-b.c").sigil_id('%') == "$a-b.c");
  CHECK(cursor("^bb0(").sigil_id('^') == "bb0");
  CHECK(cursor("% a").sigil_id('%') == "");
  CHECK(cursor("#a").sigil_id('%') == "");
  cursor in("%x#1");
  CHECK(in.take_sigil_id('%') == "x");
  CHECK(in.take_sigil_id('#') == "1");
  CHECK(in.at_end());
}

TEST_CASE("a minus that begins an arrow is no minus") {
  cursor in("->-");
  CHECK_FALSE(in.consume('-'));
  CHECK(in.consume("->"));
  CHECK(in.consume('-'));
  CHECK(in.at_end());
}

TEST_CASE("closing brackets are single tokens") {
  cursor in(">> >");
  CHECK(in.consume('>'));
  CHECK(in.consume('>'));
  CHECK(in.consume('>'));
  CHECK(in.at_end());
}

TEST_CASE("numbers end where their form ends") {
  auto number = [](std::string_view text) { return cursor(text).number(); };
  CHECK(number("12a").text == "12");
  CHECK(number("12a").kind == form::decimal);
  CHECK(number("0x1fG").text == "0x1f");
  CHECK(number("0x1fG").kind == form::hex);
  CHECK(number("0xg").text == "0");
  CHECK(number("0xg").kind == form::decimal);
  CHECK(number("1.").text == "1.");
  CHECK(number("1.").kind == form::real);
  CHECK(number("1.5e-3,").text == "1.5e-3");
  CHECK(number("1.5E+3").text == "1.5E+3");
  CHECK(number("1.5e").text == "1.5");
  CHECK(number("1.5e+").text == "1.5");
  CHECK(number("1e5").text == "1");
  CHECK(number(".5").kind == form::none);
  CHECK(number("x").kind == form::none);
  CHECK(cursor("4x8xf32").digits() == "4");
}

TEST_CASE("string literals: escapes are replaced, and what is no string says why and where") {
  auto const good = cursor(R"("a\"\\\n\t\41\7f" rest)").string();
  CHECK(good.defect.empty());
  CHECK(good.escaped);
  CHECK(unescape(good.inside) == "a\"\\\n\tA\x7f");
  CHECK(good.end == 17);
  CHECK_FALSE(cursor("\"plain\"").string().escaped);

  auto defect = [](std::string_view text) {
    auto const s = cursor(text).string();
    return std::to_string(s.defect_at) + ": " + std::string(s.defect);
  };
  CHECK(defect("\"ab") == "0: expected '\"' in string literal");
  CHECK(defect("\"ab\n\"") == "0: expected '\"' in string literal");
  CHECK(defect("\"ab\\") == "3: unknown escape in string literal");
  CHECK(defect("\"a\\q\"") == "2: unknown escape in string literal");
  CHECK(defect("\"a\\4\"") == "2: unknown escape in string literal");
  CHECK(defect("\"a\\4g\"") == "2: unknown escape in string literal");
}

TEST_CASE("NUL and bytes beyond ASCII are ordinary characters, in strings and elsewhere") {
  std::string const text("\0\xff\"\0\xff\"", 6);
  cursor in(text);
  CHECK_FALSE(in.at_end());
  CHECK(in.peek() == '\0');
  CHECK(in.word().empty());
  CHECK(in.number().kind == form::none);
  CHECK(in.string_at(2).inside == std::string_view("\0\xff", 2));
}

TEST_CASE("positions count from the origin of the text") {
  cursor in("ab cd", mpmd::source_position{10});
  in.take_word();
  CHECK(in.position().offset == 13);
  CHECK(in.position(0).offset == 10);
  CHECK_FALSE(cursor("ab").position());
}

}  // namespace

}  // namespace lexer_test

#pragma once
// -verify-diagnostics: what is reported against what comments in the input announce.

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/support/diagnostics.hpp>

namespace tool {

// Comments `expected-error@+1 {{text}}`, as MLIR has them: error, warning, remark or note; `-re` with regular
// expressions in inner braces; `@+N`, `@-N`, `@above`, `@below`, `@unknown`. Everything reported has to be announced, but for notes:
// these explain, and a test which is not about them need not name them. Of host programs warnings need not be announced
// either.
class expected_diagnostics {
 public:
  // `first_line` is the number of the first line of `text` in the file.
  void read(std::string_view text, std::uint32_t first_line, std::ostream& complaints);
  void check(mpmd::diagnostic const& d, std::ostream& complaints);
  void let_warnings_pass() { warnings_pass_ = true; }
  // True when all went as announced.
  bool finish(std::ostream& complaints);

 private:
  struct expectation {
    mpmd::severity level;
    std::uint32_t line;
    std::uint32_t written_at;
    std::string text;
    bool is_pattern;  // then the text is a POSIX extended regular expression
    bool met = false;
    bool below = false;  // the line is not known yet
  };
  bool meets(mpmd::severity level, std::uint32_t line, std::string const& message);

  std::vector<expectation> expected_;
  bool good_ = true;
  bool warnings_pass_ = false;
};

}  // namespace tool

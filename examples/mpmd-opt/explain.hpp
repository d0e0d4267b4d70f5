#pragma once
// --why: the sets of a value, and for each mesh in them the chain of ops that put it there; with passes, also where they
// put what computes it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/pass.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/written_names.hpp>

namespace tool {

// Where an op stands in the text it was read from. Passes copy, move and merge ops, which keep that.
using op_place = std::uint64_t;
op_place place_of(mpmd::ir::program const& p, mpmd::ir::op o);

// Explains values of the input: the sets as they are without passes or, with passes, as they are when mesh inference
// begins, and then where the passes put what computes the value.
class explainer {
 public:
  explainer(mpmd::text::mlir::written_names const& names, mpmd::pipeline<mpmd::ir::program> const& passes)
      : names_(names), passes_(passes) {}

  // `asked` is `%name`, as the value is called in the input, or `@function:%name`; of several values of that name each is
  // explained. False after reporting that there is no such value.
  bool ask(mpmd::ir::program const& p, std::string_view asked, mpmd::diagnostics& diags);
  // Before the pass with this number.
  void before_pass(std::size_t number, mpmd::ir::program const& p);
  // Behind all passes.
  void print(mpmd::ir::program const& p, std::ostream& out) const;

 private:
  // A value of the input, found again behind passes.
  struct traced {
    mpmd::ir::value value;       // in the input
    std::string function = {};   // of an argument of a function
    std::uint32_t index = 0;     // of the argument or result
    std::unordered_set<op_place> places = {};  // of the op whose result it is, or of the ops in it if a user named it
  };
  struct question {
    std::string title;
    traced asked;
    traced made;  // the same, or for what a call, a loop or a body hands on the value that it has it from
    std::optional<op_place> call = {};             // the first call on the way
    std::optional<std::uint32_t> microbatch = {};  // and what it says of the microbatch
    std::string sets = {};
  };
  static traced trace(mpmd::ir::program const& p, mpmd::ir::value v);
  // What has become of the value; passes may have copied it.
  std::vector<mpmd::ir::value> find(mpmd::ir::program const& p, traced const& q) const;

  mpmd::text::mlir::written_names const& names_;
  mpmd::pipeline<mpmd::ir::program> const& passes_;
  std::vector<question> questions_;
  std::string untold_ = {};  // of values that share their names with too many
  bool explained_ = false;
};

}  // namespace tool

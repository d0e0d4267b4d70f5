#pragma once
/// What a pass is, and lists of passes.
///
/// A pass is a struct with a `name` (as on a command line), a `summary`, its options as data members listed in
/// `options`, and a call operator `bool (P&, diagnostics&)` which is false when the program could not be processed: it
/// then has reported why.

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/pipeline/options.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

template <class Pass, class P>
concept pass_over = requires(Pass const& pass, P& p, diagnostics& diags) {
  { Pass::name } -> std::convertible_to<std::string_view>;
  { Pass::summary } -> std::convertible_to<std::string_view>;
  Pass::options;
  { pass(p, diags) } -> std::same_as<bool>;
};

/// A pass with its options set, its type forgotten.
template <class P>
struct pass {
  std::string name;
  std::string options;  ///< as print_options() writes them
  std::function<bool(P&, diagnostics&)> run;

  pass() = default;
  template <pass_over<P> Pass>
  pass(Pass what) : name(Pass::name), options(print_options(what)), run(std::move(what)) {}
};

/// Passes in the order in which they run: a value, to be inspected, extended and cut.
template <class P>
using pipeline = std::vector<pass<P>>;

/// Runs the passes in order; stops behind the first that fails. `after` is called behind each pass that succeeded, and
/// stops the run by returning false.
template <class P, std::predicate<pass<P> const&> After>
bool run(pipeline<P> const& passes, P& p, diagnostics& diags, After after) {
  for (auto const& one : passes)
    if (!one.run(p, diags) || !after(one)) return false;
  return true;
}
template <class P>
bool run(pipeline<P> const& passes, P& p, diagnostics& diags) {
  return run(passes, p, diags, [](pass<P> const&) { return true; });
}

/// A kind of pass or pipeline that can be asked for by name.
template <class P>
struct registered_pass {
  std::string_view name;
  std::string_view summary;
  std::vector<option_info> options;
  /// The passes with these options, in MLIR's syntax; nullopt after reporting what is wrong with them.
  std::function<std::optional<pipeline<P>>(std::string_view options, diagnostics&)> make;
};

template <class P, pass_over<P> Pass>
registered_pass<P> register_pass() {
  return {Pass::name, Pass::summary, describe_options<Pass>(),
          [](std::string_view options, diagnostics& diags) -> std::optional<pipeline<P>> {
            Pass made{};
            if (!parse_options(made, options, diags)) return std::nullopt;
            return pipeline<P>{pass<P>(std::move(made))};
          }};
}

}  // namespace mpmd

#pragma once
/// How a pass declares its options; pipeline/options.hpp reads and prints them.

#include <string>
#include <string_view>

#include <mpmd/support/diagnostics.hpp>

namespace mpmd {

/// One option of a pass: where it is kept, how it is called, what it does.
template <class Pass, class T>
struct option {
  std::string_view name;
  T Pass::*member;
  std::string_view help;
};
template <class Pass, class T>
option(std::string_view, T Pass::*, std::string_view) -> option<Pass, T>;

/// An option whose value can be read and yet is none, alone or beside the others, and why; no message: nothing is wrong. A
/// pass that has such options says so in a member `option_fault find_fault() const`.
struct option_fault {
  std::string_view option = {};
  std::string message = {};
};

/// Reports what is wrong with the options of a pass that was not made from text; false if anything is.
template <class Pass>
bool options_are_sound(Pass const& pass, diagnostics& diags) {
  option_fault const fault = pass.find_fault();
  if (fault.message.empty()) return true;
  diags.error({}, "option",
              "option '" + std::string(fault.option) + "' of " + std::string(Pass::name) + ": " + fault.message);
  return false;
}

}  // namespace mpmd

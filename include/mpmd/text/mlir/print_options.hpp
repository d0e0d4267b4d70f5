#pragma once
/// How a program is printed in MLIR's syntax.

namespace mpmd::text::mlir {

/// How a program is printed; the names are those of MLIR's options.
struct print_options {
  bool generic = false;     ///< every op in the generic form
  bool debug_info = false;  ///< with locations
};

}  // namespace mpmd::text::mlir

// The definitions of <mpmd/text/mlir.hpp>, for programs whose files are compiled with MPMD_SEPARATE_TEXT.
#include <mpmd/text/mlir/definitions.hpp>

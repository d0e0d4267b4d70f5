// The definitions of <mpmd/text/python.hpp>, for programs whose files are compiled with MPMD_SEPARATE_TEXT.
#include <mpmd/text/python/definitions.hpp>

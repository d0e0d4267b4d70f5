// expect: an inline_vector holds plain data
#include <mpmd/support/inline_vector.hpp>

#include <string>

#ifdef MPMD_CONTROL
mpmd::inline_vector<int, 2> numbers;
#else
mpmd::inline_vector<std::string, 2> texts;
#endif

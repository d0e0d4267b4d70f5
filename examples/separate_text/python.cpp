// The one file of a project in which the reader and the printer of the Python syntax are compiled.
#include <mpmd/text/python/definitions.hpp>

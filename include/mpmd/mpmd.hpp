#pragma once

/// \file
/// Everything that needs no host compiler. The adapters to other IRs and graph libraries are included
/// one by one, since each needs a library that only its users have.

#include <mpmd/version.hpp>

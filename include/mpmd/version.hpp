#pragma once

/// \file
/// The version of the library: the one place where it is written. The build reads it from here.
///
/// Versions follow semantic versioning. Before 1.0 a minor version may change the interface.

#define MPMD_VERSION_MAJOR 0
#define MPMD_VERSION_MINOR 1
#define MPMD_VERSION_PATCH 0

/// One number for `#if`: 10000 * major + 100 * minor + patch.
#define MPMD_VERSION (MPMD_VERSION_MAJOR * 10000 + MPMD_VERSION_MINOR * 100 + MPMD_VERSION_PATCH)

namespace mpmd {

inline constexpr int version_major = MPMD_VERSION_MAJOR;
inline constexpr int version_minor = MPMD_VERSION_MINOR;
inline constexpr int version_patch = MPMD_VERSION_PATCH;

}  // namespace mpmd

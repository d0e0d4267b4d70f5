#pragma once
/// Reads programs from files.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/text/python.hpp>

namespace mpmd::text {

/// The bytes of a file; `-` is the standard input. Nothing when they cannot be read: an error of id "file" says why.
inline std::optional<std::string> file_contents(std::string const& path, diagnostics& to) {
  auto failed = [&](std::string_view what) {
    to.error({.file = path}, "file", std::string(what) + ": " + std::strerror(errno));
    return std::nullopt;
  };
  std::FILE* const file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) return failed("cannot open the file");
  std::string contents;
  char block[1 << 16];
  std::size_t got = 0;
  while ((got = std::fread(block, 1, sizeof block, file)) != 0) contents.append(block, got);
  bool const broken = std::ferror(file) != 0;
  int const why = errno;
  if (file != stdin) std::fclose(file);
  errno = why;
  if (broken) return failed("cannot read the file");
  return contents;
}

/// Reads a program in the language that the file's name ends in: `.py` in the Python syntax of host programs,
/// anything else in MLIR's. All
/// errors have been reported when there is none.
inline std::optional<ir::program> read_file(std::string const& path, diagnostics& to,
                                            std::shared_ptr<ir::context> context = std::make_shared<ir::context>()) {
  auto contents = file_contents(path, to);
  if (!contents) return std::nullopt;
  if (std::string_view(path).ends_with(".py")) return read_python(std::move(context), path, std::move(*contents), to);
  return read_mlir(std::move(context), path, std::move(*contents), to);
}

}  // namespace mpmd::text

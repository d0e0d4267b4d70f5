// Any bytes read as a program or as errors; a program prints as text that reads back as the same program.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <mpmd/ir/equality.hpp>
#include <mpmd/text/mlir.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mpmd::diagnostics quiet;
  auto read = [&quiet](std::string text) {
    return mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "fuzz.mlir", std::move(text), quiet);
  };
  auto const program = read(std::string(reinterpret_cast<const char*>(data), size));
  if (program.has_value() != (quiet.errors() == 0)) std::abort();
  if (!program) return 0;
  for (bool const generic : {false, true}) {
    for (bool const debug_info : {false, true}) {
      std::string const text = mpmd::text::to_mlir(*program, {generic, debug_info});
      auto const again = read(text);
      if (!again || !mpmd::ir::structural_equal(*program, *again)) std::abort();
      if (mpmd::text::to_mlir(*again, {generic, debug_info}) != text) std::abort();
    }
  }
  return 0;
}

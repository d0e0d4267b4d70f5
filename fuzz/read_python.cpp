// The Python reader on any bytes: it reports errors or reads a program. What it reads survives printing, in its own
// syntax and in MLIR's, and prints as the same text again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/text/python.hpp>

namespace {

void require(bool held) {
  if (!held) std::abort();
}

void require_equal(mpmd::ir::program const& p, std::optional<mpmd::ir::program> const& again) {
  require(again.has_value());
  require(mpmd::ir::structural_equal(p, *again));
  require(mpmd::ir::structural_hash(p) == mpmd::ir::structural_hash(*again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  mpmd::diagnostics diags;
  std::string text(reinterpret_cast<char const*>(data), size);
  auto p = mpmd::text::read_python(std::make_shared<mpmd::ir::context>(), "input", std::move(text), diags);
  require(p.has_value() == (diags.errors() == 0));
  if (!p) return 0;
  require(mpmd::ir::verify(*p, diags));
  std::string const printed = mpmd::text::to_python(*p);
  auto const again = mpmd::text::read_python(p->shared_context(), "printed", printed, diags);
  require_equal(*p, again);
  require(mpmd::text::to_python(*again) == printed);
  require_equal(*p, mpmd::text::read_mlir(p->shared_context(), "printed", mpmd::text::to_mlir(*p, {.generic = true}), diags));
  return 0;
}

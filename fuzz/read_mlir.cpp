// The MLIR reader on any bytes: it reports errors or reads a program. What it reads and the verifier accepts must
// survive printing, pretty and generic, and the passes must leave it valid.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/transform/canonicalize.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>

namespace {

void require(bool held) {
  if (!held) std::abort();
}

void round_trip(mpmd::ir::program const& p, bool generic) {
  mpmd::diagnostics diags;
  auto const again =
      mpmd::text::read_mlir(p.shared_context(), "printed", mpmd::text::to_mlir(p, {.generic = generic}), diags);
  require(again.has_value());
  require(mpmd::ir::structural_equal(p, *again));
  require(mpmd::ir::structural_hash(p) == mpmd::ir::structural_hash(*again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  mpmd::diagnostics diags;
  std::string text(reinterpret_cast<char const*>(data), size);
  auto p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "input", std::move(text), diags);
  require(p.has_value() == (diags.errors() == 0));
  if (!p || !mpmd::ir::verify(*p, diags)) return 0;
  round_trip(*p, false);
  round_trip(*p, true);
  require(mpmd::populate_use_set{}(*p, diags));
  require(mpmd::populate_src_set{}(*p, diags));
  require(mpmd::ir::verify(*p, diags));
  require(mpmd::canonicalize{}(*p, diags));
  require(mpmd::ir::verify(*p, diags));
  round_trip(*p, true);
  return 0;
}

#pragma once
// Short programs for tests, in MLIR's syntax.

#include <doctest/doctest.h>

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/text/mlir.hpp>

namespace testing {

// The text with $T for tensor<2xf32>, $A, $B and $C for it on meshes a, b and c, $M for a topology of the three.
inline std::string expand(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 'T': out += "tensor<2xf32>"; break;
      case 'A': out += "!mpmd.mesh_tensor<\"a\", tensor<2xf32>>"; break;
      case 'B': out += "!mpmd.mesh_tensor<\"b\", tensor<2xf32>>"; break;
      case 'C': out += "!mpmd.mesh_tensor<\"c\", tensor<2xf32>>"; break;
      case 'M':
        out += "{topology = #mpmd.topology<<\"a\" : <[\"x\"=2]>>, <\"b\" : <[\"x\"=2]>>, <\"c\" : <[\"x\"=2]>>>}";
        break;
      default: out.append({'$', text[i]});
    }
  }
  return out;
}

inline mpmd::ir::program read(std::string_view text) {
  std::ostringstream said;
  mpmd::diagnostics diags(said);
  auto p = mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "test.mlir", expand(text), diags);
  REQUIRE_MESSAGE(p.has_value(), said.str());
  REQUIRE_MESSAGE(mpmd::ir::verify(*p, diags), said.str());
  return std::move(*p);
}

}  // namespace testing

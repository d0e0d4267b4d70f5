// -mpmd-transfer-dedup.
#include <doctest/doctest.h>

#include <string_view>

#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/transform/transfer_dedup.hpp>

#include "transform/transform_program.hpp"

namespace transfer_dedup_test {

void check(std::string_view text, std::string_view body) {
  auto p = testing::read(text);
  mpmd::diagnostics diags([](mpmd::diagnostic const& d) { FAIL_CHECK(d.message); });
  CHECK(mpmd::transfer_dedup{}(p, diags));
  testing::expect(p, body, 0);
}

TEST_CASE("a transfer of the same value to the same type gives way to the first one") {
  check(R"(
    func.func @main(%x: $A, %y: $A) -> ($B, $B, $B, $C) attributes $M {
      %0 = mpmd.transfer %x : ($A) -> $B
      %1 = mpmd.transfer %y : ($A) -> $B
      %2 = mpmd.transfer {kept = 1 : i32} %x : ($A) -> $B
      %3 = mpmd.transfer %x : ($A) -> $C
      return %0, %1, %2, %3 : $B, $B, $B, $C
    })",
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      %1 = mpmd.transfer %arg1 : ($A) -> $B
      %2 = mpmd.transfer %arg0 : ($A) -> $C
      return %0, %1, %0, %2 : $B, $B, $B, $C)");
}

TEST_CASE("transfers to other kinds of memory are others") {
  check(R"(
    func.func @main(%x: $A) -> ($B, !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">) attributes $M {
      %0 = mpmd.transfer %x : ($A) -> $B
      %1 = mpmd.transfer %x : ($A) -> !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">
      return %0, %1 : $B, !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">
    })",
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      %1 = mpmd.transfer %arg0 : ($A) -> !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">
      return %0, %1 : $B, !mpmd.mesh_tensor<"b", tensor<2xf32>, memory_kind="pinned_host">)");
}

TEST_CASE("a chain of transfers that stands there twice goes whole") {
  check(R"(
    func.func @main(%x: $A) -> ($C, $C) attributes $M {
      %0 = mpmd.transfer %x : ($A) -> $B
      %1 = mpmd.transfer %0 : ($B) -> $C
      %2 = mpmd.transfer %x : ($A) -> $B
      %3 = mpmd.transfer %2 : ($B) -> $C
      return %1, %3 : $C, $C
    })",
        R"(
      %0 = mpmd.transfer %arg0 : ($A) -> $B
      %1 = mpmd.transfer %0 : ($B) -> $C
      return %1, %1 : $C, $C)");
}

// Compiled against what the concept says and no more.
[[maybe_unused]] bool with_archetype(mpmd::archetypes::mutable_program& p, mpmd::diagnostics& diags) {
  return mpmd::transfer_dedup{}(p, diags);
}

}  // namespace transfer_dedup_test

// Any bytes as alias definitions and an attribute. What is read without an error must print as text that
// reads back as the same attribute.

#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mpmd::ir::context in;
  mpmd::diagnostics diags;
  auto const buffer = in.sources.add("input", std::string(reinterpret_cast<char const*>(data), size)).first;
  mpmd::text::mlir::reader r(in, diags, buffer);
  while (r.at_alias_definition())
    if (!r.parse_alias_definition()) break;
  if (diags.errors() != 0) return 0;
  auto const found = r.parse_attribute();
  if (static_cast<bool>(found) != (diags.errors() == 0)) __builtin_trap();
  if (!found) return 0;
  auto const printed = in.sources.add("printed", mpmd::text::mlir::to_string(in, found)).first;
  mpmd::text::mlir::reader again(in, diags, printed);
  if (again.parse_attribute() != found || !again.in.at_end()) __builtin_trap();
  return 0;
}

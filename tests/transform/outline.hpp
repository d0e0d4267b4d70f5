#pragma once
// Programs of fragments in few words, for the tests of passes: what the tests write, and what they compare.

#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "transform/transform_program.hpp"

namespace testing {

// `%r = fragment`, on mesh a, b or c, of operands separated by commas. `body` is a list of elementwise ops of p0, p1, ...
// (the operands) and of each other by number, `return` last: `add(p0,p1) negate(0) return(1)`.
inline std::string fragment(std::string_view result, char mesh, std::string_view origins, std::string_view operands,
                            std::string_view body, std::string_view notes = {}, int results = 1) {
  std::string const placed = std::string("$") + static_cast<char>(mesh - 'a' + 'A');
  std::string text(result);
  text += " = mpmd.fragment<mesh=\"" + std::string(1, mesh) + "\", origin=" + std::string(origins) + "> (" +
          std::string(operands) + ") " + (notes.empty() ? "" : "{" + std::string(notes) + "} ") + "(";
  int count = operands.empty() ? 0 : 1;
  for (char const c : operands) count += c == ',' ? 1 : 0;
  std::string types, inner;
  for (int i = 0; i < count; ++i) {
    inner += (i ? ", %p" : "%p") + std::to_string(i) + ": $T";
    types += (i ? ", " : "") + placed;
  }
  text += inner + ") {\n";
  auto value = [](std::string const& name) { return name[0] == 'p' ? "%" + name : "%i" + name; };
  int number = 0;
  std::string_view rest = body;
  while (!rest.empty()) {
    auto const open = rest.find('('), close = rest.find(')');
    std::string const kind(rest.substr(0, open));
    std::string values, kinds, one;
    for (char const c : std::string(rest.substr(open + 1, close - open - 1)) + ",") {
      if (c != ',') {
        one += c;
        continue;
      }
      if (one.empty()) continue;
      values += (values.empty() ? "" : ", ") + value(one);
      kinds += kinds.empty() ? "$T" : ", $T";
      one.clear();
    }
    if (kind == "return")
      text += "mpmd.return " + values + " : " + kinds + "\n";
    else if (kind == "constant")
      text += "%i" + std::to_string(number++) + " = stablehlo.constant dense<1.0> : $T\n";
    else
      text += "%i" + std::to_string(number++) + " = \"stablehlo." + kind + "\"(" + values + ") : (" + kinds + ") -> $T\n";
    rest = close + 1 < rest.size() ? rest.substr(close + 2) : std::string_view{};
  }
  std::string made = placed;
  for (int i = 1; i < results; ++i) made += ", " + placed;
  text += "} : (" + types + ") -> " + (results > 1 ? "(" + made + ")" : made) + "\n";
  return text;
}

// A line for each op directly in function `f`, and behind a fragment what is in it. Values are x0, x1, ... (arguments of
// the function), p0, p1, ... (of the fragment) and the number of the op that makes them, with #1 for its second result.
inline std::string outline(mpmd::ir::program const& p, std::size_t f = 0) {
  using traits = mpmd::ir_traits<mpmd::ir::program>;
  using namespace mpmd::ir;
  std::unordered_map<value, std::string> names;
  auto list = [&](op o) {
    std::string text;
    for (value const v : p.operands(o)) text += (text.empty() ? "" : ",") + names[v];
    return "(" + text + ")";
  };
  auto define = [&](op o, int number) {
    for (std::uint32_t i = 0; i < p.result_count(o); ++i)
      names[p.result(o, i)] = std::to_string(number) + (i ? "#" + std::to_string(i) : "");
  };
  auto bare = [&](op o) {
    auto const kind = p.kind_text(o);
    return std::string(kind.substr(kind.find('.') + 1));
  };
  auto notes = [&](op o) {
    std::string text;
    for (char const* key : {"call_counter", "unroll_counter", "mpmd.inferred_by", "split_keep_transferred",
                            "split_drop_transferred", "concat_transfer", "mpmd.control_operand_start_idx", "mark"}) {
      mpmd::note const held = traits::note_of(p, o, key);
      std::string_view short_key = key;
      if (short_key.starts_with("mpmd.")) short_key.remove_prefix(5);
      if (std::holds_alternative<std::monostate>(held)) continue;
      text += (text.empty() ? " {" : " ") + std::string(short_key);
      if (auto const n = std::get_if<std::uint32_t>(&held)) text += "=" + std::to_string(*n);
      if (auto const n = std::get_if<std::int64_t>(&held)) text += "=" + std::to_string(*n);
      if (auto const s = std::get_if<std::vector<std::string>>(&held))
        for (std::size_t i = 0; i < s->size(); ++i) text += (i ? "," : "=") + (*s)[i];
    }
    return text.empty() ? text : text + "}";
  };
  op const in = function(p, f);
  int count = 0;
  for (value const v : traits::arguments(p, in)) names[v] = "x" + std::to_string(count++);
  std::string out;
  int number = 0;
  for (op const o : traits::body(p, in)) {
    bool const results = p.result_count(o) != 0;
    std::string line = results ? std::to_string(number) + " = " : "";
    if (p.is(o, opcode::mpmd_fragment)) {
      auto const info = traits::fragment_of(p, o);
      std::string who;
      for (auto const& u : info.origins)
        who += (who.empty() ? "" : "+") + u.name + (u.transpose_count ? "'" : "");
      line += (who.empty() ? "-" : who) + "@" + info.mesh + (info.stage ? "/" + std::to_string(*info.stage) : "") +
              list(o) + notes(o) + ":";
      int argument = 0, inner = 0;
      for (value const v : traits::arguments(p, o)) names[v] = "p" + std::to_string(argument++);
      for (op const i : traits::body(p, o)) {
        line += " " + bare(i) + list(i);
        if (p.result_count(i) != 0) define(i, inner++);
      }
    } else if (p.is(o, opcode::mpmd_call)) {
      line += "call " + std::string(traits::callee_name(p, o)) + list(o) + notes(o);
    } else if (p.is(o, opcode::mpmd_transfer)) {
      line += "transfer" + list(o) + " " + std::string(traits::mesh_of(p, p.result(o, 0))) + notes(o);
    } else {
      line += bare(o) + list(o) + notes(o);
    }
    if (results) define(o, number++);
    out += line + "\n";
  }
  return out;
}

struct pass_outcome {
  mpmd::ir::program program;
  bool good;
  std::vector<mpmd::diagnostic> said;
};
template <class Pass>
pass_outcome run_pass(std::string const& text, Pass const& pass) {
  pass_outcome result{read(text), false, {}};
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { result.said.push_back(d); });
  result.good = pass(result.program, diags);
  return result;
}

// Runs the pass over `@main` with these arguments and results, and compares the outline.
template <class Pass>
void check_pass(std::string_view signature, std::string_view body, std::string_view expected, Pass const& pass,
                std::string_view others = {}) {
  auto const result = run_pass("func.func @main(" + std::string(signature) + " attributes $M {\n" + std::string(body) +
                                   "}\n" + std::string(others),
                               pass);
  CHECK(result.good);
  for (auto const& d : result.said)
    if (d.level == mpmd::severity::error) FAIL_CHECK(d.message);
  std::ostringstream said;
  mpmd::diagnostics diags(said);
  CHECK_MESSAGE(mpmd::ir::verify(result.program, diags), said.str());
  CHECK_EQ(outline(result.program), lines(expected));
}

}  // namespace testing

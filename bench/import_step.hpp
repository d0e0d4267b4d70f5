#pragma once

#include <cstdint>
#include <string>

namespace mpmd::bench {

/// A training step as users write it, as MLIR text: stages are named computations, forward and backward, one weight each;
/// what lies between them (loss, accumulation, update) is on no mesh yet.
struct import_step {
  std::int64_t stages = 4;
  std::int64_t microbatches = 4;
  std::int64_t meshes = 4;
  /// Whether the microbatches are calls of one function, or written out one behind the other.
  bool calls = false;
  /// Whether the sums of all stages start from one constant, which is then needed on every mesh, or each from an argument.
  bool one_zero = false;
  /// Layers in each stage: a dot and a maximum each, forward.
  std::int64_t layers = 1;
  /// Parameters of each stage beside its weight: their gradients are made by the backward computation and accumulated.
  std::int64_t parameters = 0;

  /// About how many ops the imported step has: per stage, microbatch and layer 2 forward and 3 backward; an accumulation;
  /// per microbatch a loss.
  std::int64_t ops() const { return microbatches * (stages * (5 * layers + 1 + 2 * parameters) + 4) + 2 * stages; }

  std::string assignment() const {
    std::string map = "name-to-mesh-assignment=";
    for (std::int64_t s = 0; s < stages; ++s)
      map += (s > 0 ? ",s" : "s") + std::to_string(s) + "@m" + std::to_string(mesh_of(s));
    return map;
  }

  std::string text() const {
    std::string const topology = " attributes {topology = #mpmd.topology<" + meshes_text() + ">} {\n";
    std::string out = "func.func public @main(";
    for (std::int64_t s = 0; s < stages; ++s) out += "%w" + number(s) + ": T, ";
    for (std::int64_t s = 0; s < sums() && !one_zero; ++s) out += "%v" + number(s) + ": T, ";
    for (std::int64_t b = 0; b < microbatches; ++b)
      out += "%x" + number(b) + ": T, %t" + number(b) + (b + 1 < microbatches ? ": T, " : ": T)");
    out += " -> (" + list("T", sums()) + ")" + topology;
    std::string so_far = numbered("%v", sums());
    if (one_zero) {
      out += "  %zero = stablehlo.constant dense<0.0> : T\n";
      so_far = list("%zero", sums());
    }
    for (std::int64_t b = 0; b < microbatches; ++b) {
      if (calls) {
        out += "  %c" + number(b) + ":" + number(sums()) + " = mpmd.call @microbatch(" + so_far + ", " + numbered("%w", stages) +
               ", %x" + number(b) + ", %t" + number(b) + ") {call_counter = " + number(b) + " : ui32} : (" +
               list("T", sums() + stages + 2) + ") -> (" + list("T", sums()) + ")\n";
        so_far = numbered("%c" + number(b) + "#", sums());
      } else {
        out += microbatch("b" + number(b) + "_", "%x" + number(b), "%t" + number(b), b == 0 ? "" : "b" + number(b - 1) + "_");
      }
    }
    std::string results;
    for (std::int64_t s = 0; s < sums(); ++s) {
      std::string const sum = calls ? "%c" + number(microbatches - 1) + "#" + number(s)
                                    : "%b" + number(microbatches - 1) + "_n" + number(s);
      if (s < stages) out += "  %u" + number(s) + " = stablehlo.subtract %w" + number(s) + ", " + sum + " : T\n";
      results += (s > 0 ? ", " : "") + (s < stages ? "%u" + number(s) : sum);
    }
    out += "  return " + results + " : " + list("T", sums()) + "\n}\n";
    if (calls) {
      out += "func.func private @microbatch(";
      for (std::int64_t s = 0; s < sums(); ++s) out += "%e" + number(s) + ": T, ";
      for (std::int64_t s = 0; s < stages; ++s) out += "%w" + number(s) + ": T, ";
      out += "%x: T, %t: T) -> (" + list("T", sums()) + ")" + topology + microbatch("", "%x", "%t", "%e");
      out += "  return " + numbered("%n", sums()) + " : " + list("T", sums()) + "\n}\n";
    }
    return "!T = tensor<4x4xf32>\n" + with_alias(out);
  }

 private:
  static std::string number(std::int64_t n) { return std::to_string(n); }
  // Accumulated: of each weight, of the loss, of the other parameters of each stage.
  std::int64_t sums() const { return stages * (1 + parameters) + 1; }
  std::int64_t mesh_of(std::int64_t stage) const { return stage * meshes / stages; }
  std::string meshes_text() const {
    std::string all;
    for (std::int64_t m = 0; m < meshes; ++m) all += (m > 0 ? ", <\"m" : "<\"m") + number(m) + "\" : <[\"x\"=2]>>";
    return all;
  }
  static std::string list(std::string const& what, std::int64_t count) {
    std::string all;
    for (std::int64_t i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + what;
    return all;
  }
  static std::string numbered(std::string const& what, std::int64_t count) {
    std::string all;
    for (std::int64_t i = 0; i < count; ++i) all += (i > 0 ? ", " : "") + what + number(i);
    return all;
  }
  // `T` where a type stands is `!T`.
  static std::string with_alias(std::string const& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      bool const alone = text[i] == 'T' && (text[i - 1] == ' ' || text[i - 1] == '(') &&
                         (text[i + 1] == ',' || text[i + 1] == ')' || text[i + 1] == '\n');
      if (alone) out += '!';
      out += text[i];
    }
    return out;
  }
  // Names begin with `own`; the sums so far are called `%<before>n0`, ..., those of a callee `%e0`, ....
  std::string microbatch(std::string const& own, std::string x, std::string const& target, std::string const& before) const {
    std::string out;
    auto line = [&out](std::string const& text) { out += "  " + text + '\n'; };
    auto body = [&](std::int64_t from, std::int64_t count, bool forward) {
      for (std::int64_t i = from; i < from + count; ++i) {
        std::string const in = i == 0 ? "%b" : "%k" + number(i - 1);
        line("  %d" + number(i) + " = stablehlo.dot_general " + in + ", %a, contracting_dims = [1] x [0] : (T, T) -> T");
        line("  %k" + number(i) + " = stablehlo." + (forward ? "maximum" : "multiply") + " %d" + number(i) + ", %b : T");
      }
    };
    std::string const p = "%" + own;
    std::string in = x;
    for (std::int64_t s = 0; s < stages; ++s) {
      line(p + "f" + number(s) + " = mpmd.named_computation<\"s" + number(s) + "\"> (%w" + number(s) + ", " + in +
           ") (%a: T, %b: T) {");
      body(0, layers, true);
      line("  mpmd.return %k" + number(layers - 1) + " : T");
      line("} : (T, T) -> T");
      in = p + "f" + number(s);
    }
    line(p + "d = stablehlo.subtract " + in + ", " + target + " : T");
    line(p + "l = stablehlo.multiply " + p + "d, " + p + "d : T");
    auto const sum_before = [&](std::int64_t i) {
      return before == "%e" ? "%e" + number(i) : !before.empty() ? "%" + before + "n" + number(i)
             : one_zero        ? std::string("%zero")
                               : "%v" + number(i);
    };
    std::string back = p + "d";
    for (std::int64_t s = stages; s-- > 0;) {
      std::string const saved = s == 0 ? x : p + "f" + number(s - 1);
      line(p + "g" + number(s) + ":" + number(2 + parameters) + " = mpmd.named_computation<\"s" + number(s) + "\"(1)> (%w" + number(s) + ", " + saved + ", " +
           back + ") (%a: T, %c: T, %b: T) {");
      body(0, layers, false);
      line("  %gw = stablehlo.dot_general %c, %k" + number(layers - 1) + ", contracting_dims = [0] x [0] : (T, T) -> T");
      std::string made = "%gw, %k" + number(layers - 1);
      for (std::int64_t i = 0; i < parameters; ++i) {
        line("  %h" + number(i) + " = stablehlo.multiply %gw, " + (i == 0 ? "%gw" : "%h" + number(i - 1)) + " : T");
        made += ", %h" + number(i);
      }
      line("  mpmd.return " + made + " : " + list("T", 2 + parameters));
      line("} : (T, T, T) -> (" + list("T", 2 + parameters) + ")");
      auto const accumulate = [&](std::int64_t sum, std::int64_t result) {
        line(p + "n" + number(sum) + " = stablehlo.add " + sum_before(sum) + ", " + p + "g" + number(s) + "#" + number(result) +
             " : T");
      };
      accumulate(s, 0);
      for (std::int64_t i = 0; i < parameters; ++i) accumulate(stages + 1 + s * parameters + i, 2 + i);
      back = p + "g" + number(s) + "#1";
    }
    line(p + "n" + number(stages) + " = stablehlo.add " + sum_before(stages) + ", " + p + "l : T");
    return out;
  }
};

}  // namespace mpmd::bench

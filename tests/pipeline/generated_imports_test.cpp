// Generated programs through the import pipeline with every option set: valid behind each pass, the same results, what
// was asked for, and the same bytes whatever the order of functions and the numbers that types and attributes bear.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>

#include "pipeline/generated.hpp"

namespace generated_imports_test {
namespace {

using namespace mpmd;
using namespace mpmd::testing;
using program = ir::program;

// The draws of a seed, by what they are for.
enum class draw : std::uint64_t {
  merge_later,
  absorb_on_entry,
  more_transfers,
  more_reductions,
  clones,
  error_limit,
  own_axes,
  split,
  verify_units,
  stages,
  inputs,
  outputs,
  constraints,
  number,
};
std::uint64_t drawn(std::uint64_t seed, draw what, std::uint64_t which = 0) {
  return sim::exact::mix(sim::exact::mix(seed, static_cast<std::uint64_t>(what)), which);
}
bool one_in(std::uint64_t n, std::uint64_t seed, draw what, std::uint64_t which = 0) {
  return drawn(seed, what, which) % n == 0;
}

random_options program_of(std::uint64_t seed) {
  random_options o = options_of(seed);
  o.nested_names = !o.assigned && seed % 4 != 0;
  o.loops = !o.assigned;
  return o;
}

std::optional<program> read(std::string_view text, std::shared_ptr<ir::context> context, diagnostics& diags) {
  return text::read_mlir(std::move(context), "generated", std::string(text), diags);
}
program read(std::string_view text) {
  diagnostics quiet;
  auto p = read(text, std::make_shared<ir::context>(), quiet);
  REQUIRE(p.has_value());
  return std::move(*p);
}

ir::op main_of(program const& p) {
  for (ir::op const f : ir::functions(p))
    if (ir::symbol_name(p, f) == "main") return f;
  return {};
}
// Types of the inputs of main, or of its outputs.
std::vector<ir::type> inputs_of(program const& p) {
  std::vector<ir::type> found;
  for (ir::value const v : ir::parameters(p, main_of(p))) found.push_back(p.type_of(v));
  return found;
}
std::vector<ir::type> outputs_of(program const& p) {
  std::vector<ir::type> found;
  for (ir::value const v : p.operands(ir::terminator(p, main_of(p)))) found.push_back(p.type_of(v));
  return found;
}
ir::mesh_tensor_type const* placed(program const& p, ir::type t) {
  return p.context().get_if<ir::mesh_tensor_type>(t);
}
ir::type tensor_of(program const& p, ir::type t) {
  auto const* on = placed(p, t);
  return on != nullptr ? on->global : t;
}
std::string where(program const& p, ir::type t) {
  auto const* on = placed(p, t);
  return on == nullptr ? "" : on->mesh + (on->memory_kind ? "#" + *on->memory_kind : "");
}

// `text` with `with` for `what`, wherever it stands.
std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

// One import: a program, and what is asked for.
struct request {
  std::string source;
  import_options asked;
};

// Gives each mesh axes of its own, and each input of main a sharding over those of the mesh where it goes, or none.
std::string with_own_axes(std::string source, program const& p, program const& imported, std::uint64_t seed) {
  std::string all;
  for (auto const& mesh : ir_traits<program>::meshes_of(p, main_of(p))) {
    all += (all.empty() ? "" : ", ") + ("\"" + mesh) + "_x\"=2";
    source = replaced(std::move(source), "<\"" + mesh + "\" : <[\"x\"=2]>>", "<\"" + mesh + "\" : <[\"" + mesh + "_x\"=2]>>");
  }
  source = replaced(std::move(source), "module {\n", "module {\n  sdy.mesh @all = <[" + all + "]>\n");
  auto const types = inputs_of(p), ends = inputs_of(imported);
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto const* tensor = p.context().get_if<ir::tensor_type>(types[i]);
    if (tensor == nullptr || one_in(3, seed, draw::own_axes, 2 * i + 1)) continue;
    std::string const axis = '"' + placed(imported, ends[i])->mesh + "_x\"";
    std::string dimensions;
    bool const split = one_in(2, seed, draw::own_axes, 2 * i + 2);
    for (std::size_t d = 0; d < tensor->shape.size(); ++d)
      dimensions += (d == 0 ? "{" : ", {") + (split && tensor->shape[d] % 2 == 0 ? axis : "") + '}';
    // The first function is main.
    std::string const input = "%arg" + std::to_string(i) + ": " + ir_traits<program>::type_text(p, types[i]);
    std::size_t const at = source.find(input);
    REQUIRE(at != std::string::npos);
    source.insert(at + input.size(), " {sdy.sharding = #sdy.sharding<@all, [" + dimensions + "]>}");
  }
  return source;
}

// Meshes and memories for some of the values that stand nowhere yet: of their own choice if what is missing can be
// transferred, else those where they come to stand anyway.
index_to_mesh_map meshes_for(program const& p, program const& imported, std::vector<ir::type> const& types,
                             std::vector<ir::type> const& ends, bool anywhere, std::uint64_t seed, draw what) {
  auto const meshes = ir_traits<program>::meshes_of(p, main_of(p));
  index_to_mesh_map asked;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (placed(p, types[i]) != nullptr || one_in(2, seed, what, 4 * i + 1)) continue;
    std::string mesh = anywhere ? meshes[drawn(seed, what, 4 * i + 2) % meshes.size()] : placed(imported, ends[i])->mesh;
    if (one_in(4, seed, what, 4 * i + 3)) mesh += one_in(2, seed, what, 4 * i + 4) ? "#pinned_host" : "#device";
    asked.emplace(static_cast<std::int64_t>(i), std::move(mesh));
  }
  return asked;
}

// Every option is met by some seed, and any two of them together.
request request_of(std::uint64_t seed) {
  random_options const o = program_of(seed);
  random_program made = make_random_program(o);
  std::string const source = text::to_mlir(made.program);
  import_options asked;
  REQUIRE(option_value<name_to_mesh_map>::parse(made.assignment(), asked.name_to_mesh).message.empty());
  asked.infer_transfers = o.conflicts || one_in(3, seed, draw::more_transfers);
  asked.infer_cross_mesh_reductions = o.inferred_reductions || one_in(3, seed, draw::more_reductions);
  asked.merge_after_scheduling = one_in(3, seed, draw::merge_later);
  asked.absorb_on_entry_points = one_in(2, seed, draw::absorb_on_entry);
  asked.max_clones = 1 + static_cast<std::int64_t>(drawn(seed, draw::clones) % 3);
  asked.error_limit = std::array<std::int64_t, 4>{5, -1, 1, 3}[drawn(seed, draw::error_limit) % 4];
  asked.split_bwd = one_in(3, seed, draw::split);
  asked.verify_schedule_units = one_in(3, seed, draw::verify_units);
  request made_request{source, asked};

  // Where inputs and outputs come to stand when nothing more is asked for.
  program imported = read(source);
  diagnostics quiet;
  if (!run(import_pipeline<program>(asked), imported, quiet)) return made_request;
  program const& p = made.program;
  auto& more = made_request.asked;
  if (one_in(2, seed, draw::stages)) {
    auto const meshes = ir_traits<program>::meshes_of(p, main_of(p));
    for (auto& [label, to] : more.name_to_mesh)
      to.stage = std::find(meshes.begin(), meshes.end(), to.mesh) - meshes.begin();
  }
  if (one_in(2, seed, draw::inputs))
    more.input_to_mesh = meshes_for(p, imported, inputs_of(p), inputs_of(imported), more.infer_transfers, seed, draw::inputs);
  if (one_in(2, seed, draw::outputs))
    more.output_to_mesh =
        meshes_for(p, imported, outputs_of(p), outputs_of(imported), more.infer_transfers, seed, draw::outputs);
  if (one_in(2, seed, draw::constraints)) {
    auto const inputs = inputs_of(p), outputs = outputs_of(p);
    for (std::size_t out = 0; out < outputs.size(); ++out)
      for (std::size_t in = 0; in < inputs.size(); ++in) {
        if (tensor_of(p, inputs[in]) != tensor_of(p, outputs[out])) continue;
        if (!one_in(3, seed, draw::constraints, 64 * out + in + 1)) continue;
        more.constraints.push_back({static_cast<std::int64_t>(in), static_cast<std::int64_t>(out)});
        break;  // an output can be constrained to one input
      }
  }
  more.heterogeneous_meshes = one_in(3, seed, draw::own_axes);
  if (more.heterogeneous_meshes) made_request.source = with_own_axes(source, p, imported, seed);
  return made_request;
}

// Conflicts between placements, and what they lead to, are reported and are no fault if no transfers were allowed. Nor is
// it one that an input which goes straight to an output in host memory is wanted on the device, too.
bool is_refused(request const& r, std::string const& wrong) {
  if (wrong.find("has different memory kinds assigned to it") != std::string::npos) return true;
  return !r.asked.infer_transfers && wrong.find("Mesh assignment is not possible") != std::string::npos;
}

// What of the request is not so in the result; nothing if all is.
std::string missing(request const& r, program const& p) {
  auto const inputs = inputs_of(p), outputs = outputs_of(p);
  std::string found;
  auto as_asked = [&](std::vector<ir::type> const& types, index_to_mesh_map const& asked, char const* what) {
    for (auto const& [i, to] : asked)
      if (auto const type = types[static_cast<std::size_t>(i)]; where(p, type) != to)
        found += what + std::to_string(i) + " is not on " + to + " but on " + where(p, type) + '\n';
  };
  as_asked(inputs, r.asked.input_to_mesh, "input ");
  index_to_mesh_map free = r.asked.output_to_mesh;
  for (auto const& c : r.asked.constraints) {
    free.erase(c.output);
    if (inputs[static_cast<std::size_t>(c.input)] != outputs[static_cast<std::size_t>(c.output)])
      found += "output " + std::to_string(c.output) + " is not of the type of input " + std::to_string(c.input) + '\n';
  }
  as_asked(outputs, free, "output ");
  std::string const text = text::to_mlir(p);
  for (std::string_view const left : {"mpmd.use_set", "mpmd.src_set", "mpmd.copies", "mpmd.visited_failure", "mpmd.assign ",
                                      "mpmd.unassign ", "mpmd.can_convert_to_reduce", "mpmd.call ",
                                      "mpmd.for ", "mpmd.named", "@all",
                                      "mesh_tensor<\"empty_mesh\""})
    if (text.find(left) != std::string::npos) found += std::string(left) + " is left\n";
  return found;
}

// The import as text, in a context that is given.
std::string imported_text(request const& r, std::string_view source, std::shared_ptr<ir::context> context) {
  diagnostics quiet;
  auto p = read(source, std::move(context), quiet);
  REQUIRE(p.has_value());
  return run(import_pipeline<program>(r.asked), *p, quiet) ? text::to_mlir(*p) : "failed";
}

// Whether a named computation begins with another.
bool has_nested(std::string const& text) {
  constexpr std::string_view what = "mpmd.named_computation<";
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    std::size_t const next = text.find('\n', at) + 1, end = text.find('\n', next);
    auto depth = [&](std::size_t line) { return text.find_first_not_of(' ', line) - line; };
    if (depth(next) > depth(text.rfind('\n', at) + 1) && text.substr(next, end - next).find(what) != std::string::npos)
      return true;
  }
  return false;
}

// How many seeds set each option to something else than it is when not given.
struct option_counts {
  std::array<std::uint64_t, std::tuple_size_v<decltype(import_options::options)>> alone = {};
  std::array<std::array<std::uint64_t, std::tuple_size_v<decltype(import_options::options)>>,
             std::tuple_size_v<decltype(import_options::options)>>
      together = {};

  void add(import_options const& asked) {
    import_options const fresh;
    std::array<bool, std::tuple_size_v<decltype(import_options::options)>> set{};
    std::size_t at = 0;
    std::apply([&](auto const&... o) { ((set[at++] = asked.*(o.member) != fresh.*(o.member)), ...); },
               import_options::options);
    for (std::size_t i = 0; i < set.size(); ++i) {
      alone[i] += set[i] ? 1 : 0;
      for (std::size_t j = 0; j < set.size(); ++j) together[i][j] += set[i] && set[j] ? 1 : 0;
    }
  }
};

}  // namespace

TEST_CASE("generated programs are imported with every option: valid behind each pass, with the same results, as asked") {
  std::uint64_t const programs = generated_programs(2000);
  std::uint64_t refused = 0;
  option_counts counts;
  std::array<std::string, 5> const features{"mpmd.for ", "mpmd.call ", "stablehlo.while", "mpmd.fragment", "sdy.sharding"};
  std::array<std::uint64_t, features.size()> seeds_with{};
  std::uint64_t nested = 0;
  for (std::uint64_t seed = 0; seed < programs; ++seed) {
    CAPTURE(seed);
    request const r = request_of(seed);
    program p = read(r.source);
    std::string wrong = what_goes_wrong(p, import_pipeline<program>(r.asked));
    if (is_refused(r, wrong)) {
      ++refused;
      continue;
    }
    if (wrong.empty()) wrong = missing(r, p);
    REQUIRE_MESSAGE(wrong.empty(), wrong << print_options(r.asked) << '\n' << r.source);
    counts.add(r.asked);
    for (std::size_t i = 0; i < features.size(); ++i)
      seeds_with[i] += r.source.find(features[i]) != std::string::npos ? 1 : 0;
    nested += has_nested(r.source) ? 1 : 0;
  }
  CHECK(refused * 10 < programs);
  if (programs < 100) return;
  auto const about = describe_options<import_options>();
  for (std::size_t i = 0; i < about.size(); ++i) {
    CHECK_MESSAGE(counts.alone[i] * 8 > programs, about[i].name << " is set by " << counts.alone[i]);
    for (std::size_t j = 0; j < i; ++j)
      CHECK_MESSAGE(counts.together[i][j] * 50 > programs,
                    about[i].name << " and " << about[j].name << " are set by " << counts.together[i][j]);
  }
  for (std::size_t i = 0; i < features.size(); ++i)
    CHECK_MESSAGE(seeds_with[i] * 10 > programs, features[i] << "is in " << seeds_with[i]);
  CHECK_MESSAGE(nested * 10 > programs, "named computations are nested in " << nested);
}

TEST_CASE("an import has the same bytes whatever the order of functions, and of what its context has known before") {
  for (std::uint64_t seed = 0; seed < generated_programs(200); ++seed) {
    CAPTURE(seed);
    request const r = request_of(seed);
    std::string const usual = imported_text(r, r.source, std::make_shared<ir::context>());
    CHECK(imported_text(r, r.source, std::make_shared<ir::context>()) == usual);

    // Handles of types and attributes, by which they are hashed, follow what was made before.
    auto worn = std::make_shared<ir::context>();
    diagnostics quiet;
    for (std::uint64_t other = seed + 7; other-- > seed + 4;) REQUIRE(read(request_of(other).source, worn, quiet));
    for (std::uint64_t n = seed; n-- > 0;) worn->string("m" + std::to_string(n % 7));
    CHECK(imported_text(r, r.source, worn) == usual);

    // The last function comes first: callees before the function that calls them.
    program turned = read(r.source);
    ir::op const last = turned.last_op(turned.body()), first = turned.first_op(turned.body());
    if (last != first) turned.move_before(first, last);
    CHECK(imported_text(r, text::to_mlir(turned), std::make_shared<ir::context>()) == usual);
  }
}

TEST_CASE("an import that is refused says as much as the error limit allows, and the beginning of what there is to say") {
  std::uint64_t limited = 0;
  for (std::uint64_t seed = 0; seed < generated_programs(400); ++seed) {
    CAPTURE(seed);
    random_options o = program_of(seed);
    o.conflicts = true;
    auto const made = make_random_program(o);
    std::string const source = text::to_mlir(made.program);
    import_options asked;
    static_cast<void>(option_value<name_to_mesh_map>::parse(made.assignment(), asked.name_to_mesh));
    auto said = [&](std::int64_t limit) {
      asked.error_limit = limit;
      std::vector<std::string> all;
      diagnostics diags([&](diagnostic const& d) {
        if (d.level == severity::error) all.push_back(d.message);
      });
      program p = read(source);
      bool const good = run(import_pipeline<program>(asked), p, diags);
      CHECK(good == all.empty());
      return all;
    };
    auto const all = said(-1);
    for (std::int64_t const limit : {1, 3}) {
      auto const some = said(limit);
      REQUIRE(some.size() == std::min(all.size(), static_cast<std::size_t>(limit)));
      CHECK(std::equal(some.begin(), some.end(), all.begin()));
      limited += some.size() < all.size() ? 1 : 0;
    }
  }
  CHECK(limited > 0);
}

}  // namespace generated_imports_test

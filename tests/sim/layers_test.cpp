// Convolutions and batch norms on small tensors, worked out by hand.

#include "support.hpp"

namespace layers_test {

using namespace mpmd;
using namespace mpmd::sim;
using namespace mpmd::sim::testing;

namespace {

/// What a convolution of constants makes; `window` and `attributes` as the op is written.
std::string convolved(std::string const& input, std::string const& input_type, std::string const& kernel,
                      std::string const& kernel_type, std::string const& dims, std::string const& window,
                      std::string const& attributes, std::string const& result) {
  return run("func.func @main() -> " + result + " {\n%a = stablehlo.constant dense<" + input +
             "> : " + input_type + "\n%b = stablehlo.constant dense<" + kernel + "> : " + kernel_type +
             "\n%r = stablehlo.convolution(%a, %b) dim_numbers = " + dims + ", window = {" + window + "} {" +
             attributes + "} : (" + input_type + ", " + kernel_type + ") -> " + result +
             "\nreturn %r : " + result + "\n}")
      .text();
}
std::string along_one_dimension(std::string const& window, int extent, std::string const& attributes = {}) {
  return convolved("[[[1], [2], [3], [4]]]", "tensor<1x4x1xi32>", "[[[1]], [[10]]]", "tensor<2x1x1xi32>",
                   "[b, 0, f]x[0, i, o]->[b, 0, f]", window, attributes,
                   "tensor<1x" + std::to_string(extent) + "x1xi32>");
}

}  // namespace

TEST_CASE("a convolution moves its kernel over the input") {
  CHECK(along_one_dimension("", 3) == "21 32 43");
  CHECK(along_one_dimension("stride = [2]", 2) == "21 43");
  CHECK(along_one_dimension("pad = [[1, 1]]", 5) == "10 21 32 43 4");
  CHECK(along_one_dimension("pad = [[-1, 0]]", 2) == "32 43");
  CHECK(along_one_dimension("rhs_dilate = [2]", 2) == "31 42");
  // 1 0 2 0 3 0 4
  CHECK(along_one_dimension("lhs_dilate = [2]", 6) == "1 20 2 30 3 40");
  CHECK(along_one_dimension("reverse = [true]", 3) == "12 23 34");
}

TEST_CASE("a convolution finds its dimensions by their names, and sums over input features") {
  CHECK(convolved("[[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]]", "tensor<1x2x2x2xf32>",
                  "[[[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]]]", "tensor<1x2x2x2xf32>",
                  "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", "", "", "tensor<1x1x1x1xf32>") == "9");
  // The spatial dimensions of the input are the other way round.
  CHECK(convolved("[[[[1], [2], [3]], [[4], [5], [6]]]]", "tensor<1x2x3x1xi32>", "[[[[1]]], [[[10]]]]",
                  "tensor<2x1x1x1xi32>", "[b, 1, 0, f]x[0, 1, i, o]->[b, 0, 1, f]", "", "",
                  "tensor<1x2x2x1xi32>") == "21 54 32 65");
}

TEST_CASE("groups of a convolution see their part of the features or of the batch") {
  CHECK(convolved("[[[1, 2], [3, 4]]]", "tensor<1x2x2xi32>", "[[[10, 100]]]", "tensor<1x1x2xi32>",
                  "[b, 0, f]x[0, i, o]->[b, 0, f]", "", "feature_group_count = 2 : i64",
                  "tensor<1x2x2xi32>") == "10 200 30 400");
  CHECK(convolved("[[[1], [2]], [[3], [4]]]", "tensor<2x2x1xi32>", "[[[10, 100]]]", "tensor<1x1x2xi32>",
                  "[b, 0, f]x[0, i, o]->[b, 0, f]", "", "batch_group_count = 2 : i64",
                  "tensor<1x2x2xi32>") == "10 300 20 400");
}

TEST_CASE("a convolution that does not fit itself is not run") {
  for (auto const& text : {along_one_dimension("", 4), along_one_dimension("stride = [0]", 3),
                           along_one_dimension("stride = [1, 1]", 3),
                           along_one_dimension("", 3, "feature_group_count = 2 : i64"),
                           along_one_dimension("", 3, "batch_group_count = 0 : i64"),
                           along_one_dimension("pad = [[9223372036854775807, 0]]", 3)})
    CHECK_MESSAGE(text.starts_with("sim.malformed: 'stablehlo.convolution' cannot be simulated"), text);
}

TEST_CASE("batch norms: known statistics, those of the batch, and gradients") {
  // Deviations: the roots of 3 + 1 and of 0 + 1.
  CHECK(run(R"(func.func @main() -> tensor<2x2xf32> {
    %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %scale = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
    %offset = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
    %mean = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %variance = stablehlo.constant dense<[3.0, 0.0]> : tensor<2xf32>
    %r = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  })")
            .text() == "1 0 3 2");
  // The first feature has variance 1, and 1 + 3 is 4; the second is its own mean.
  CHECK(run(R"(func.func @main() -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 2.0]]> : tensor<2x2xf32>
    %scale = stablehlo.constant dense<[4.0, 5.0]> : tensor<2xf32>
    %offset = stablehlo.constant dense<[1.0, 7.0]> : tensor<2xf32>
    %r:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 3.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
    return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
  })")
            .text() == "-1 7 3 7 | 2 2 | 1 0");
  // Deviation 2. The sum of the gradient is 6, of the gradient times -1 and 1 it is 4: 2/2/2 * (2*1 - 6 + 1)
  // and 2/2/2 * (2*5 - 6 - 1).
  CHECK(run(R"(func.func @main() -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>) {
    %x = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xf32>
    %scale = stablehlo.constant dense<2.0> : tensor<1xf32>
    %mean = stablehlo.constant dense<2.0> : tensor<1xf32>
    %variance = stablehlo.constant dense<3.0> : tensor<1xf32>
    %g = stablehlo.constant dense<[[1.0], [5.0]]> : tensor<2x1xf32>
    %r:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
    return %r#0, %r#1, %r#2 : tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>
  })")
            .text() == "-1.5 1.5 | 2 | 6");
  auto const misfit = run(R"(func.func @main(%x: tensor<2x2xf32>, %s: tensor<3xf32>) -> tensor<2x2xf32> {
    %r = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) {epsilon = 1.0 : f32, feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  })",
                          {numbers({2, 2}, {1, 2, 3, 4}), numbers({3}, {1, 2, 3})})
                          .text();
  CHECK_MESSAGE(misfit.starts_with("sim.malformed: 'stablehlo.batch_norm_inference' cannot be simulated"),
                misfit);
}

TEST_CASE("a variance is not negative for a small number that is added to it") {
  std::uint64_t const small = exact::from_dyadic(false, 10996211, -40),
                      some = exact::from_dyadic(false, 3, -2);
  CHECK(exact::square_root(exact::from_integer(-4)) == exact::nan);
  for (std::int64_t n = 0; n < 1000; ++n)
    CHECK(exact::is_finite(
        exact::square_root(exact::add(exact::multiply(exact::from_integer(n), some), small))));
}

TEST_CASE("what devices combine depends on the operand and on how it is combined") {
  auto const reduced = [](std::string const& with) {
    return "\"stablehlo.all_reduce\"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({\n^bb0(%x: "
           "tensor<f32>, %y: tensor<f32>):\n"
           "%s = stablehlo." +
           with +
           " %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) : (tensor<2xf32>) -> "
           "tensor<2xf32>\n";
  };
  auto const r =
      run("func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {\n%0 = " +
              reduced("add") + "%1 = " + reduced("add") + "%2 = " + reduced("maximum") +
              "return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>\n}",
          {numbers({2}, {1, 2})});
  REQUIRE_MESSAGE(r.made, r.text());
  CHECK(r.made->results[0] == r.made->results[1]);
  CHECK(r.made->results[0] != r.made->results[2]);
}

}  // namespace layers_test

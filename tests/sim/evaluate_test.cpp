// The ops of StableHLO on small tensors, and the numbers that floats are.

#include "support.hpp"

namespace evaluate_test {

using namespace mpmd;
using namespace mpmd::sim;
using namespace mpmd::sim::testing;

namespace {

/// The results of a function without parameters: its body, and the types of what `%r` or `%r#0, %r#1` return.
std::string evaluated(std::string body, std::string_view returned) {
  std::string const types(returned.substr(returned.find(':') + 1));
  return run("func.func @main() -> (" + types + ") {\n" + body + "\nreturn " + std::string(returned) + "\n}")
      .text();
}

/// What an op makes of constants `%a`, `%b`, `%c`; the op is written without its result.
struct sample {
  std::string_view constants;  // the values, with types, separated by ';'
  std::string_view op;
  std::string_view type;  // of the result
  std::string_view expected;
};
std::string evaluated(sample const& s) {
  std::string body;
  char name = 'a';
  for (std::string_view rest = s.constants; !rest.empty(); ++name) {
    auto const stop = rest.find(';');
    body += "%" + std::string(1, name) + " = stablehlo.constant dense<" +
            std::string(rest.substr(0, rest.find(':'))) + "> : " +
            std::string(rest.substr(rest.find(':') + 1,
                                    stop == std::string_view::npos ? stop : stop - rest.find(':') - 1)) +
            "\n";
    rest = stop == std::string_view::npos ? std::string_view{} : rest.substr(stop + 1);
  }
  body += "%r = " + std::string(s.op);
  return evaluated(body, "%r : " + std::string(s.type));
}

void check(std::vector<sample> const& samples) {
  for (auto const& s : samples) {
    CAPTURE(s.op);
    CAPTURE(s.constants);
    CHECK(evaluated(s) == s.expected);
  }
}

}  // namespace

TEST_CASE("floats are exact: sums and products do not depend on how they are associated") {
  std::uint64_t const tenth = exact::divide(1, exact::from_integer(10)),
                      third = exact::divide(1, exact::from_integer(3));
  CHECK(exact::multiply(third, exact::from_integer(3)) == 1);
  CHECK(exact::add(exact::add(tenth, third), exact::negate(third)) == tenth);
  std::uint64_t const huge = exact::power(exact::from_integer(2), 1000);
  CHECK(exact::subtract(exact::add(huge, 1), huge) == 1);
  CHECK(exact::divide(exact::multiply(huge, third), huge) == third);
}

TEST_CASE("short dyadic numbers are ordered and printed as the numbers they are") {
  element_format const f32{element_format::kind::floating, 32};
  // 1.5, -0.75, 2^-24 * 3 and 2^30
  std::uint64_t const a = exact::from_dyadic(false, 3, -1), b = exact::from_dyadic(true, 3, -2);
  std::uint64_t const c = exact::from_dyadic(false, 3, -24), d = exact::from_dyadic(false, 1, 30);
  CHECK(to_text(f32, a) == "1.5");
  CHECK(to_text(f32, b) == "-0.75");
  CHECK(to_text(f32, d) == "1073741824");
  CHECK(exact::compare(b, 0) < 0);
  CHECK(exact::compare(0, c) < 0);
  CHECK(exact::compare(c, a) < 0);
  CHECK(exact::compare(a, d) < 0);
  CHECK(exact::compare(d, exact::infinity) < 0);
  CHECK(exact::compare(exact::minus_infinity, exact::from_integer(-5)) < 0);
  CHECK(exact::truncated(exact::from_dyadic(true, 7, -1)) == -3);
}

TEST_CASE("the order is total, on numbers without a short form too") {
  std::vector<std::uint64_t> some{exact::infinity, exact::minus_infinity};
  for (std::uint64_t i = 0; i < 30; ++i) {
    some.push_back(exact::from_hash(exact::mix(7, i)));
    some.push_back(exact::from_dyadic(i % 2 != 0, i * 37, static_cast<int>(i) - 20));
  }
  for (auto const x : some)
    for (auto const y : some) {
      CHECK(exact::compare(x, y) == -exact::compare(y, x));
      CHECK((exact::compare(x, y) == 0) == (x == y));
      for (auto const z : some)
        if (exact::compare(x, y) <= 0 && exact::compare(y, z) <= 0) REQUIRE(exact::compare(x, z) <= 0);
    }
}

TEST_CASE("elementwise ops compute what StableHLO says") {
  check({
      {"[1, 2147483647]:tensor<2xi32>;[2, 1]:tensor<2xi32>", "stablehlo.add %a, %b : tensor<2xi32>",
       "tensor<2xi32>", "3 -2147483648"},
      {"[200, 3]:tensor<2xui8>;[100, 4]:tensor<2xui8>", "stablehlo.add %a, %b : tensor<2xui8>",
       "tensor<2xui8>", "44 7"},
      {"[3, 200]:tensor<2xui8>;[5, 1]:tensor<2xui8>", "stablehlo.subtract %a, %b : tensor<2xui8>",
       "tensor<2xui8>", "254 199"},
      {"[1.5, -2.0]:tensor<2xf32>;[0.25, 3.0]:tensor<2xf32>", "stablehlo.multiply %a, %b : tensor<2xf32>",
       "tensor<2xf32>", "0.375 -6"},
      {"[7, -7, 5]:tensor<3xi32>;[2, 2, 0]:tensor<3xi32>", "stablehlo.divide %a, %b : tensor<3xi32>",
       "tensor<3xi32>", "3 -3 -1"},
      {"[7, -7, 5]:tensor<3xi32>;[4, 4, 0]:tensor<3xi32>", "stablehlo.remainder %a, %b : tensor<3xi32>",
       "tensor<3xi32>", "3 -3 5"},
      {"[7.5, -7.5]:tensor<2xf32>;[2.0, 2.0]:tensor<2xf32>", "stablehlo.remainder %a, %b : tensor<2xf32>",
       "tensor<2xf32>", "1.5 -1.5"},
      {"[1.0, -3.0]:tensor<2xf32>;[4.0, 8.0]:tensor<2xf32>", "stablehlo.divide %a, %b : tensor<2xf32>",
       "tensor<2xf32>", "0.25 -0.375"},
      {"[1.0, -1.0]:tensor<2xf32>;[0.0, 0.0]:tensor<2xf32>", "stablehlo.divide %a, %b : tensor<2xf32>",
       "tensor<2xf32>", "inf -inf"},
      {"[-1, 4]:tensor<2xi32>;[2, 3]:tensor<2xi32>", "stablehlo.maximum %a, %b : tensor<2xi32>",
       "tensor<2xi32>", "2 4"},
      {"[255, 4]:tensor<2xui8>;[2, 3]:tensor<2xui8>", "stablehlo.minimum %a, %b : tensor<2xui8>",
       "tensor<2xui8>", "2 3"},
      {"[-1.5, 4.0]:tensor<2xf32>;[0xFF800000, 4.5]:tensor<2xf32>",
       "stablehlo.maximum %a, %b : tensor<2xf32>", "tensor<2xf32>", "-1.5 4.5"},
      {"[true, false]:tensor<2xi1>;[true, true]:tensor<2xi1>", "stablehlo.and %a, %b : tensor<2xi1>",
       "tensor<2xi1>", "true false"},
      {"[12, 5]:tensor<2xi8>;[10, 3]:tensor<2xi8>", "stablehlo.xor %a, %b : tensor<2xi8>", "tensor<2xi8>",
       "6 6"},
      {"[2.0, 3.0, 4.0]:tensor<3xf32>;[3.0, -1.0, 0.5]:tensor<3xf32>",
       "stablehlo.power %a, %b : tensor<3xf32>", "tensor<3xf32>",
       "8 residue 1537228672809129301 2"},  // 1/3: 3 * 1537228672809129301 = 2 * (2^61 - 1) + 1
      {"[3, 2]:tensor<2xi32>;[4, 31]:tensor<2xi32>", "stablehlo.power %a, %b : tensor<2xi32>",
       "tensor<2xi32>", "81 -2147483648"},
      {"[1, -8, 1]:tensor<3xi8>;[3, 1, 9]:tensor<3xi8>", "stablehlo.shift_left %a, %b : tensor<3xi8>",
       "tensor<3xi8>", "8 -16 0"},
      {"[-8, -8]:tensor<2xi8>;[1, 9]:tensor<2xi8>", "stablehlo.shift_right_arithmetic %a, %b : tensor<2xi8>",
       "tensor<2xi8>", "-4 -1"},
      {"[-8, -8]:tensor<2xi8>;[1, 9]:tensor<2xi8>", "stablehlo.shift_right_logical %a, %b : tensor<2xi8>",
       "tensor<2xi8>", "124 0"},
      {"[-3, 5]:tensor<2xi32>", "stablehlo.abs %a : tensor<2xi32>", "tensor<2xi32>", "3 5"},
      {"[-2.5, 0.0, 3.0]:tensor<3xf32>", "stablehlo.sign %a : tensor<3xf32>", "tensor<3xf32>", "-1 0 1"},
      {"[-2.5, 2.25]:tensor<2xf32>", "stablehlo.floor %a : tensor<2xf32>", "tensor<2xf32>", "-3 2"},
      {"[-2.5, 2.25]:tensor<2xf32>", "stablehlo.ceil %a : tensor<2xf32>", "tensor<2xf32>", "-2 3"},
      {"[-2.5, 2.5, 3.5]:tensor<3xf32>", "stablehlo.round_nearest_even %a : tensor<3xf32>", "tensor<3xf32>",
       "-2 2 4"},
      {"[-2.5, 2.5, 0.25]:tensor<3xf32>", "stablehlo.round_nearest_afz %a : tensor<3xf32>", "tensor<3xf32>",
       "-3 3 0"},
      {"[4.0, 0.0625, 2.25]:tensor<3xf32>", "stablehlo.sqrt %a : tensor<3xf32>", "tensor<3xf32>",
       "2 0.25 1.5"},
      {"[4.0, 0.0625]:tensor<2xf32>", "stablehlo.rsqrt %a : tensor<2xf32>", "tensor<2xf32>", "0.5 4"},
      {"[0.0, 0xFF800000]:tensor<2xf32>", "stablehlo.exponential %a : tensor<2xf32>", "tensor<2xf32>", "1 0"},
      {"[true, false]:tensor<2xi1>", "stablehlo.not %a : tensor<2xi1>", "tensor<2xi1>", "false true"},
      {"[7, 0]:tensor<2xui8>", "stablehlo.popcnt %a : tensor<2xui8>", "tensor<2xui8>", "3 0"},
      {"[1, 0]:tensor<2xui8>", "stablehlo.count_leading_zeros %a : tensor<2xui8>", "tensor<2xui8>", "7 8"},
      {"[1, 5]:tensor<2xi32>;[2, 5]:tensor<2xi32>",
       "stablehlo.compare LE, %a, %b, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>",
       "tensor<2xi1>", "true true"},
      {"[0x7FC00000, 1.0]:tensor<2xf32>;[1.0, 1.0]:tensor<2xf32>",
       "stablehlo.compare NE, %a, %b, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "tensor<2xi1>",
       "true false"},
      {"[0x7FC00000, 1.0]:tensor<2xf32>;[1.0, 0.5]:tensor<2xf32>",
       "stablehlo.compare GE, %a, %b, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "tensor<2xi1>",
       "false true"},
      {"[true, false]:tensor<2xi1>;[1, 2]:tensor<2xi32>;[3, 4]:tensor<2xi32>",
       "stablehlo.select %a, %b, %c : tensor<2xi1>, tensor<2xi32>", "tensor<2xi32>", "1 4"},
      {"1:tensor<i32>;[0, 2, 9]:tensor<3xi32>;5:tensor<i32>",
       "stablehlo.clamp %a, %b, %c : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>",
       "tensor<3xi32>", "1 2 5"},
      {"[-2.75, 3.5, 300.0]:tensor<3xf32>", "stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xi8>",
       "tensor<3xi8>", "-2 3 44"},
      {"[2, 0]:tensor<2xi32>", "stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xi1>", "tensor<2xi1>",
       "true false"},
      {"[255, 1]:tensor<2xui8>", "stablehlo.convert %a : (tensor<2xui8>) -> tensor<2xbf16>", "tensor<2xbf16>",
       "255 1"},
      {"[1.5, -2.0]:tensor<2xf32>", "stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xui32>",
       "tensor<2xui32>", "1069547520 3221225472"},  // 0x3FC00000, 0xC0000000
      {"[1069547520, 2139095040]:tensor<2xui32>",
       "stablehlo.bitcast_convert %a : (tensor<2xui32>) -> tensor<2xf32>", "tensor<2xf32>", "1.5 inf"},
      {"[-1, 1]:tensor<2xi32>", "stablehlo.bitcast_convert %a : (tensor<2xi32>) -> tensor<2xui32>",
       "tensor<2xui32>", "4294967295 1"},
  });
}

TEST_CASE("ops that move elements") {
  check({
      {"", "stablehlo.iota dim = 1 : tensor<2x3xi32>", "tensor<2x3xi32>", "0 1 2 0 1 2"},
      {"[1, 2]:tensor<2xi32>",
       "stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xi32>) -> tensor<2x3xi32>", "tensor<2x3xi32>",
       "1 1 1 2 2 2"},
      {"[[1], [2]]:tensor<2x1xi32>",
       "stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<2x1xi32>) -> tensor<3x2xi32>",
       "tensor<3x2xi32>", "1 2 1 2 1 2"},
      {"[1, 2]:tensor<2xi32>", "stablehlo.broadcast %a, sizes = [2] : (tensor<2xi32>) -> tensor<2x2xi32>",
       "tensor<2x2xi32>", "1 2 1 2"},
      {"[[1, 2, 3], [4, 5, 6]]:tensor<2x3xi32>",
       "stablehlo.reshape %a : (tensor<2x3xi32>) -> tensor<3x2xi32>", "tensor<3x2xi32>", "1 2 3 4 5 6"},
      {"[[1, 2, 3], [4, 5, 6]]:tensor<2x3xi32>",
       "stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>", "tensor<3x2xi32>",
       "1 4 2 5 3 6"},
      {"[[1, 2, 3], [4, 5, 6]]:tensor<2x3xi32>", "stablehlo.reverse %a, dims = [1] : tensor<2x3xi32>",
       "tensor<2x3xi32>", "3 2 1 6 5 4"},
      {"[[1, 2], [3, 4]]:tensor<2x2xi32>;[[5], [6]]:tensor<2x1xi32>",
       "stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>",
       "tensor<2x3xi32>", "1 2 5 3 4 6"},
      {"[0, 1, 2, 3, 4, 5, 6]:tensor<7xi32>", "stablehlo.slice %a [1:7:2] : (tensor<7xi32>) -> tensor<3xi32>",
       "tensor<3xi32>", "1 3 5"},
      {"[[1, 2, 3], [4, 5, 6]]:tensor<2x3xi32>",
       "stablehlo.slice %a [1:2, 0:2] : (tensor<2x3xi32>) -> tensor<1x2xi32>", "tensor<1x2xi32>", "4 5"},
      {"[0, 1, 2, 3]:tensor<4xi32>;3:tensor<i32>",
       "stablehlo.dynamic_slice %a, %b, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>",
       "tensor<2xi32>", "2 3"},
      {"[0, 1, 2, 3]:tensor<4xi32>;-5:tensor<i32>",
       "stablehlo.dynamic_slice %a, %b, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>",
       "tensor<2xi32>", "0 1"},
      {"[0, 1, 2, 3]:tensor<4xi32>;[8, 9]:tensor<2xi32>;1:tensor<i32>",
       "stablehlo.dynamic_update_slice %a, %b, %c : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> "
       "tensor<4xi32>",
       "tensor<4xi32>", "0 8 9 3"},
      {"[1, 2, 3]:tensor<3xi32>;0:tensor<i32>",
       "stablehlo.pad %a, %b, low = [1], high = [-1], interior = [1] : (tensor<3xi32>, tensor<i32>) -> "
       "tensor<5xi32>",
       "tensor<5xi32>", "0 1 0 2 0"},
      {"[[1, 2], [3, 4], [5, 6]]:tensor<3x2xi32>;[2, 0]:tensor<2xi32>",
       "\"stablehlo.torch_index_select\"(%a, %b) {batch_dims = 0 : i64, dim = 0 : i64} : (tensor<3x2xi32>, "
       "tensor<2xi32>) -> tensor<2x2xi32>",
       "tensor<2x2xi32>", "5 6 1 2"},
      {"[[1, 2], [3, 4], [5, 6]]:tensor<3x2xi32>;[[2], [0], [7]]:tensor<3x1xi32>",
       "\"stablehlo.gather\"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
       "collapsed_slice_dims = "
       "[0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : "
       "(tensor<3x2xi32>, "
       "tensor<3x1xi32>) -> tensor<3x2xi32>",
       "tensor<3x2xi32>", "5 6 1 2 5 6"},
  });
}

TEST_CASE("dot products, reductions and scatters") {
  check({
      {"[[1, 2], [3, 4]]:tensor<2x2xi32>;[[5, 6], [7, 8]]:tensor<2x2xi32>",
       "stablehlo.dot %a, %b : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>", "tensor<2x2xi32>",
       "19 22 43 50"},
      // The transposed right operand: rows times rows.
      {"[[1.0, 2.0], [3.0, 4.0]]:tensor<2x2xf32>;[[5.0, 6.0], [7.0, 8.0]]:tensor<2x2xf32>",
       "stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
       "tensor<2x2xf32>",
       "tensor<2x2xf32>", "17 23 39 53"},
      {"[[1, 2], [3, 4]]:tensor<2x2xi32>;[[5, 6], [7, 8]]:tensor<2x2xi32>",
       "stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : "
       "(tensor<2x2xi32>, "
       "tensor<2x2xi32>) -> tensor<2xi32>",
       "tensor<2xi32>", "17 53"},
      {"[[1, 2, 3], [4, 5, 6]]:tensor<2x3xi32>;10:tensor<i32>",
       "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0] : (tensor<2x3xi32>, "
       "tensor<i32>) "
       "-> tensor<3xi32>",
       "tensor<3xi32>", "15 17 19"},
      {"[[1.0, 5.0], [4.0, -5.0]]:tensor<2x2xf32>;0xFF800000:tensor<f32>",
       "stablehlo.reduce(%a init: %b) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, "
       "tensor<f32>) -> tensor<2xf32>",
       "tensor<2xf32>", "5 4"},
      // A body of two ops: acc * 2 + x.
      {"[1, 0, 1]:tensor<3xi32>;0:tensor<i32>",
       "\"stablehlo.reduce\"(%a, %b) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<i32>, %y: "
       "tensor<i32>):\n"
       "%d = stablehlo.add %x, %x : tensor<i32>\n%s = stablehlo.add %d, %y : tensor<i32>\n"
       "stablehlo.return %s : tensor<i32>\n}) : (tensor<3xi32>, tensor<i32>) -> tensor<i32>",
       "tensor<i32>", "5"},
      // acc - x, and x - acc.
      {"[1, 2, 4]:tensor<3xi32>;0:tensor<i32>",
       "\"stablehlo.reduce\"(%a, %b) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<i32>, %y: "
       "tensor<i32>):\n"
       "%s = stablehlo.subtract %x, %y : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) : "
       "(tensor<3xi32>, "
       "tensor<i32>) -> tensor<i32>",
       "tensor<i32>", "-7"},
      {"[1, 2, 4]:tensor<3xi32>;0:tensor<i32>",
       "\"stablehlo.reduce\"(%a, %b) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<i32>, %y: "
       "tensor<i32>):\n"
       "%s = stablehlo.subtract %y, %x : tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) : "
       "(tensor<3xi32>, "
       "tensor<i32>) -> tensor<i32>",
       "tensor<i32>", "3"},
      // Windows of 2 with stride 2 over 1 2 3 4 5 and one place of padding on the right: 3, 7, 5.
      {"[1, 2, 3, 4, 5]:tensor<5xi32>;0:tensor<i32>",
       "\"stablehlo.reduce_window\"(%a, %b) <{window_dimensions = array<i64: 2>, window_strides = array<i64: "
       "2>, padding "
       "= dense<[[0, 1]]> : tensor<1x2xi64>}> ({\n^bb0(%x: tensor<i32>, %y: tensor<i32>):\n%s = "
       "stablehlo.add %x, %y : "
       "tensor<i32>\nstablehlo.return %s : tensor<i32>\n}) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>",
       "tensor<3xi32>", "3 7 5"},
      // Rows 2 and 0 gain what is scattered; the row that does not exist is dropped.
      {"[[1, 2], [3, 4], [5, 6]]:tensor<3x2xi32>;[[2], [0], [7]]:tensor<3x1xi32>;[[10, 20], [30, 40], [50, "
       "60]]:"
       "tensor<3x2xi32>",
       "\"stablehlo.scatter\"(%a, %b, %c) <{scatter_dimension_numbers = "
       "#stablehlo.scatter<update_window_dims = [1], "
       "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n^bb0(%x: "
       "tensor<i32>, %y: tensor<i32>):\n%s = stablehlo.add %x, %y : tensor<i32>\nstablehlo.return %s : "
       "tensor<i32>\n}) : "
       "(tensor<3x2xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>",
       "tensor<3x2xi32>", "31 42 3 4 15 26"},
  });
}

TEST_CASE("a reduce of several operands combines them together, with values from around it") {
  // The largest element and where it stands; %one is added to each place.
  CHECK(evaluated(R"(
    %x = stablehlo.constant dense<[3, 9, 4]> : tensor<3xi32>
    %i = stablehlo.iota dim = 0 : tensor<3xi32>
    %least = stablehlo.constant dense<-1> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %hundred = stablehlo.constant dense<100> : tensor<i32>
    %r:2 = "stablehlo.reduce"(%x, %i, %least, %zero) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<i32>, %j: tensor<i32>, %b: tensor<i32>, %k: tensor<i32>):
      %g = stablehlo.compare GT, %b, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %v = stablehlo.select %g, %b, %a : tensor<i1>, tensor<i32>
      %kk = stablehlo.add %k, %hundred : tensor<i32>
      %w = stablehlo.select %g, %kk, %j : tensor<i1>, tensor<i32>
      stablehlo.return %v, %w : tensor<i32>, tensor<i32>
    }) : (tensor<3xi32>, tensor<3xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>))",
                  "%r#0, %r#1 : tensor<i32>, tensor<i32>") == "9 | 101");
}

TEST_CASE("what is not computed exactly is the same function of the same operands, and another of others") {
  auto const twice = run(R"(func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
    %x = stablehlo.exponential %a : tensor<2xf32>
    %y = stablehlo.exponential %b : tensor<2xf32>
    %z = stablehlo.tanh %a : tensor<2xf32>
    return %x, %y, %z : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  })");
  REQUIRE(twice.made);
  auto const& r = twice.made->results;
  CHECK(r[0].elements[0] == r[1].elements[1]);
  CHECK(r[0].elements[1] == r[1].elements[0]);
  CHECK(r[0].elements[0] != r[0].elements[1]);
  CHECK(r[0].elements[0] != r[2].elements[0]);
  auto const calls = run(
      R"(func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
    %x = stablehlo.custom_call @f(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<3xi32>
    %y = stablehlo.custom_call @f(%a, %b) : (tensor<2xi32>, tensor<2xi32>) -> tensor<3xi32>
    %z = stablehlo.custom_call @f(%b, %a) : (tensor<2xi32>, tensor<2xi32>) -> tensor<3xi32>
    return %x, %y, %z : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
  })",
      {numbers({2}, {1, 2}, i32), numbers({2}, {1, 3}, i32)});
  REQUIRE(calls.made);
  CHECK(calls.made->results[0] == calls.made->results[1]);
  CHECK(calls.made->results[0] != calls.made->results[2]);
}

TEST_CASE("an op that is unknown, or does not fit itself, is named and not run") {
  CHECK(run(R"(func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
    %x = "my.op"(%a) : (tensor<2xi32>) -> tensor<2xi32>
    return %x : tensor<2xi32>
  })",
            {numbers({2}, {1, 2}, i32)})
            .text() == "sim.unknown-op: the simulation does not know the op 'my.op'");
  std::vector<std::pair<std::string, std::string>> const misfits{
      {"\"stablehlo.slice\"(%a) {start_indices = array<i64: 1>, limit_indices = array<i64: 5>, strides = "
       "array<i64: 1>}",
       "slice"},
      {"\"stablehlo.transpose\"(%a) {permutation = array<i64: 4>}", "transpose"},
      {"\"stablehlo.concatenate\"(%a) {dimension = 7 : i64}", "concatenate"},
      {"\"stablehlo.reverse\"(%a) {dimensions = array<i64: 0, 0>}", "reverse"},
      {"\"stablehlo.sqrt\"(%a)", "sqrt"},
      {"\"stablehlo.iota\"(%a)", "iota"},
      {"\"stablehlo.add\"(%a)", "add"},
      {"\"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = array<i64: 3>}", "broadcast_in_dim"},
      {"\"stablehlo.dynamic_slice\"(%a) {slice_sizes = array<i64: 2>}", "dynamic_slice"},
  };
  for (auto const& [op, name] : misfits) {
    // Read only: whether the verifier would let it pass is another matter.
    diagnostics none;
    auto const p = text::read_mlir(std::make_shared<ir::context>(), "test.mlir",
                                   "func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {\n%x = " + op +
                                       " : (tensor<2xi32>) -> tensor<2xi32>\nreturn %x : tensor<2xi32>\n}",
                                   none);
    REQUIRE_MESSAGE(p, op);
    auto const said = run(*p, {numbers({2}, {1, 2}, i32)}).text();
    CHECK_MESSAGE(said.starts_with("sim.malformed: 'stablehlo." + name + "' cannot be simulated"), said);
  }
}

}  // namespace evaluate_test

//===- OrderTest.cpp - Values of order, indices, integers and powers ------===//
#include "Program.h"

#include <cmath>
#include <limits>

using namespace tt::test;
using namespace tt::reference;

constexpr double kInf = std::numeric_limits<double>::infinity();

static void expectInts(const AnyTensor<double> &got, std::vector<int64_t> wanted) {
  EXPECT_EQ(got.ints().data, wanted);
}

// Ties keep their order in both directions; NaN is above all numbers.
TEST(OrderTest, sortIsStable) {
  Program program(R"(func.func @f(%x: tensor<7xf64>) -> (tensor<7xf64>, tensor<7xi32>, tensor<7xf64>, tensor<7xi32>) {
    %a, %i = tt.sort %x dim = 0 : (tensor<7xf64>) -> (tensor<7xf64>, tensor<7xi32>)
    %d, %j = tt.sort descending %x dim = 0 : (tensor<7xf64>) -> (tensor<7xf64>, tensor<7xi32>)
    return %a, %i, %d, %j : tensor<7xf64>, tensor<7xi32>, tensor<7xf64>, tensor<7xi32> })");
  auto results = program.run({floats({7}, {2, NAN, 0, 2, -0.0, NAN, -kInf})});
  expectNear(results[0], {-kInf, 0, 0, 2, 2, NAN, NAN}, 0);
  expectInts(results[1], {6, 2, 4, 0, 3, 1, 5});
  expectNear(results[2], {NAN, NAN, 2, 2, 0, 0, -kInf}, 0);
  expectInts(results[3], {1, 5, 0, 3, 2, 4, 6});
}

TEST(OrderTest, topkAndItsCotangents) {
  Program program(R"(func.func @f(%x: tensor<3x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xi32>) {
    %v, %i = tt.topk %x dim = 0 k = 2 : (tensor<3x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xi32>)
    return %v, %i : tensor<2x2xf64>, tensor<2x2xi32> })");
  Values x = {floats({3, 2}, {1, 5, 4, 5, 2, -1})};
  auto results = program.run(x);
  expectNear(results[0], {4, 5, 2, 5}, 0);
  expectInts(results[1], {1, 0, 2, 1});
  expectNear(program.gradient(x, {floats({2, 2}, {10, 20, 30, 40})})[0],
             {0, 20, 10, 40, 30, 0}, 0);
}

// The first of equal minima gets the cotangent; NaN is the minimum.
TEST(OrderTest, minimumTakesTheFirst) {
  Program program(R"(func.func @f(%x: tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
    %m, %i = tt.min %x dim = 1 : (tensor<3x4xf64>) -> (tensor<3xf64>, tensor<3xi32>)
    %j = tt.argmin %x dim = 1 : (tensor<3x4xf64>) -> tensor<3xi32>
    %k = tt.argmax %x dim = 1 : (tensor<3x4xf64>) -> tensor<3xi32>
    return %m, %i, %j, %k : tensor<3xf64>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32> })");
  Values x = {floats({3, 4}, {2, 1, 1, 2, 3, NAN, 0, NAN, -1, -1, -1, -1})};
  auto results = program.run(x);
  expectNear(results[0], {1, NAN, -1}, 0);
  expectInts(results[1], {1, 1, 0});
  expectInts(results[2], {1, 1, 0});
  expectInts(results[3], {0, 1, 0});
  expectNear(program.gradient(x, {full(1, {3})})[0], {0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, 0);
}

TEST(OrderTest, runningSums) {
  auto run = [](const std::string &flags) {
    Program program("func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> { %y = tt.cumsum " +
                    flags + " %x dim = 0 : (tensor<4xf64>) -> tensor<4xf64> "
                    "return %y : tensor<4xf64> }");
    return program.run({floats({4}, {1, 2, 3, 4})})[0];
  };
  expectNear(run(""), {1, 3, 6, 10}, 0);
  expectNear(run("exclusive"), {0, 1, 3, 6}, 0);
  expectNear(run("reverse"), {10, 9, 7, 4}, 0);
  expectNear(run("exclusive reverse"), {9, 7, 4, 0}, 0);
  Program counts("func.func @f(%x: tensor<3xi32>) -> tensor<3xi32> { %y = tt.cumsum %x "
                 "dim = 0 : (tensor<3xi32>) -> tensor<3xi32> return %y : tensor<3xi32> }");
  expectInts(counts.run({ints({3}, {2147483647, 1, 5})})[0],
             {2147483647, -2147483648, -2147483643});
}

TEST(OrderTest, indicesOutside) {
  Program program(R"(func.func @f(%x: tensor<3x2xf64>, %i: tensor<4xi64>) -> (tensor<4x2xf64>, tensor<4x3xf64>) {
    %y = tt.gather_rows %x, %i : (tensor<3x2xf64>, tensor<4xi64>) -> tensor<4x2xf64>
    %h = tt.one_hot %i : tensor<4xi64> -> tensor<4x3xf64>
    return %y, %h : tensor<4x2xf64>, tensor<4x3xf64> })");
  Values x = {floats({3, 2}, {1, 2, 3, 4, 5, 6}), ints({4}, {2, -1, 3, 0})};
  auto results = program.run(x);
  expectNear(results[0], {5, 6, 0, 0, 0, 0, 1, 2}, 0);
  expectNear(results[1], {0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0}, 0);
  Options strict;
  strict.strictIndices = true;
  EXPECT_NE(program.errorOf(x, strict).find("expected indices in [0, 3), but got -1 at "
                                            "position 1"), std::string::npos);
}

// RF-22: 1000 ids of one row and 24 of another, in mixed order; unhit rows are 0.
TEST(OrderTest, scatterCountsEveryUpdate) {
  Program program(R"(func.func @f(%u: tensor<1024x4xf64>, %i: tensor<1024xi32>) -> tensor<3x4xf64> {
    %y = tt.scatter_add_rows %i, %u rows = 3 : (tensor<1024xi32>, tensor<1024x4xf64>) -> tensor<3x4xf64>
    return %y : tensor<3x4xf64> })");
  std::vector<int64_t> ids;
  for (int64_t i = 0; i < 1024; ++i)
    ids.push_back(i % 42 == 7 && i < 1000 ? 0 : 1);
  ASSERT_EQ(std::count(ids.begin(), ids.end(), 0), 24);
  expectNear(program.run({full(1, {1024, 4}), ints({1024}, ids)})[0],
             {24, 24, 24, 24, 1000, 1000, 1000, 1000, 0, 0, 0, 0}, 0);
}

TEST(OrderTest, integers) {
  Program program(R"(func.func @f(%a: tensor<6xi32>, %b: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32>) {
    %q = tt.floor_div %a, %b : tensor<6xi32>
    %r = tt.rem %a, %b : tensor<6xi32>
    %s = tt.mul %a, %b : tensor<6xi32>
    %n = tt.not %a : tensor<6xi32>
    return %q, %r, %s, %n : tensor<6xi32>, tensor<6xi32>, tensor<6xi32>, tensor<6xi32> })");
  int64_t least = -2147483648;
  auto results = program.run({ints({6}, {7, -7, 7, -7, 7, least}),
                              ints({6}, {3, 3, -3, -3, 0, -1})});
  expectInts(results[0], {2, -3, -3, 2, 0, least});
  expectInts(results[1], {1, 2, -2, -1, 7, 0});
  expectInts(results[2], {21, -21, -21, 21, 0, least});
  expectInts(results[3], {-8, 6, -8, 6, -8, 2147483647});
}

// RF-16: softplus at both ends.
TEST(OrderTest, softplusRange) {
  Program program("func.func @f(%x: tensor<8xf64>) -> tensor<8xf64> { %y = tt.softplus %x "
                  ": tensor<8xf64> return %y : tensor<8xf64> }");
  Values x = {floats({8}, {-1000, -100, -20, 0, 20, 88, 100, 1000})};
  expectNear(program.run(x)[0],
             {0, 3.7200759760208361e-44, 2.0611536181902037e-09, M_LN2, 20.000000002061153,
              88, 100, 1000}, 1e-15);
  expectNear(program.gradient(x, {full(1, {8})})[0],
             {0, 3.7200759760208361e-44, 2.0611536181902037e-09, 0.5, 0.99999999793884631,
              1, 1, 1}, 1e-15);
}

TEST(OrderTest, powers) {
  auto run = [](const std::string &exponent, std::vector<double> x) {
    std::string t = "tensor<" + std::to_string(x.size()) + "xf64>";
    Program program("func.func @f(%x: " + t + ") -> " + t + " { %y = tt.pow %x exponent = " +
                    exponent + " : " + t + " return %y : " + t + " }");
    int64_t n = int64_t(x.size());
    return program.run({floats({n}, std::move(x))})[0];
  };
  expectNear(run("3.0", {-2, 0, 1.5}), {-8, 0, 3.375});
  expectNear(run("-0.5", {4, 0, kInf}), {0.5, kInf, 0});
  expectNear(run("1.3", {0, -1, 2}), {0, NAN, std::pow(2, 1.3)});
  expectNear(run("0.0", {0, NAN, -3}), {1, 1, 1});
}

TEST(OrderTest, rounding) {
  auto run = [](const std::string &op) {
    Program program("func.func @f(%x: tensor<7xf64>) -> tensor<7xf64> { %y = tt." + op +
                    " : tensor<7xf64> return %y : tensor<7xf64> }");
    return program.run({floats({7}, {-2.5, -0.5, 0.5, 1.5, 2.5, 2.7, NAN})})[0];
  };
  expectNear(run("round %x"), {-2, 0, 0, 2, 2, 3, NAN}, 0);
  expectNear(run("floor %x"), {-3, -1, 0, 1, 2, 2, NAN}, 0);
  expectNear(run("ceil %x"), {-2, 0, 1, 2, 3, 3, NAN}, 0);
  expectNear(run("sign %x"), {-1, -1, 1, 1, 1, 1, NAN}, 0);
  expectNear(run("clamp %x low = -0.5 high = 1.5"), {-0.5, -0.5, 0.5, 1.5, 1.5, 1.5, NAN}, 0);
}

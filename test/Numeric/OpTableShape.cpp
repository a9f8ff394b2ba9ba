//===- OpTableShape.cpp - Rows of shape ops and reductions --------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

/// Ops whose module text is written out: name, then the whole text.
void tt::test::addShapeRows(std::vector<OpCase> &table) {
  auto add = [&](std::string name, std::string text, std::string wrt = "all",
                 Values inputs = {}) {
    table.push_back({std::move(name), std::move(text), std::move(wrt),
                     std::move(inputs)});
  };
  add("broadcast_scalar", R"(func.func @f(%x: tensor<f64>) -> tensor<2x3xf64> {
    %y = tt.broadcast %x dims = [] : tensor<f64> -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })");
  add("broadcast_middle", R"(func.func @f(%x: tensor<3xf64>) -> tensor<2x3x1x5xf64> {
    %y = tt.broadcast %x dims = [1] : tensor<3xf64> -> tensor<2x3x1x5xf64>
    %z = tt.square %y : tensor<2x3x1x5xf64>
    return %z : tensor<2x3x1x5xf64> })");
  add("reshape", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<3x1x2xf64> {
    %y = tt.reshape %x : tensor<2x3xf64> -> tensor<3x1x2xf64>
    %z = tt.square %y : tensor<3x1x2xf64>
    return %z : tensor<3x1x2xf64> })");
  add("transpose", R"(func.func @f(%x: tensor<2x3x5xf64>) -> tensor<5x2x3xf64> {
    %y = tt.transpose %x permutation = [2, 0, 1] : (tensor<2x3x5xf64>) -> tensor<5x2x3xf64>
    %z = tt.square %y : tensor<5x2x3xf64>
    return %z : tensor<5x2x3xf64> })");
  add("slice", R"(func.func @f(%x: tensor<2x7xf64>) -> tensor<2x3xf64> {
    %y = tt.slice %x dim = 1 start = 2 size = 3 : (tensor<2x7xf64>) -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })");
  add("slice_whole", R"(func.func @f(%x: tensor<2x7xf64>) -> tensor<2x7xf64> {
    %y = tt.slice %x dim = 0 start = 0 size = 2 : (tensor<2x7xf64>) -> tensor<2x7xf64>
    %z = tt.square %y : tensor<2x7xf64>
    return %z : tensor<2x7xf64> })");
  add("pad", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<2x6xf64> {
    %y = tt.pad %x dim = 1 low = 1 high = 2 : (tensor<2x3xf64>) -> tensor<2x6xf64>
    %z = tt.sin %y : tensor<2x6xf64>
    return %z : tensor<2x6xf64> })");
  const char *concat = R"(func.func @f(%a: tensor<2x1xf64>, %b: tensor<2x3xf64>, %c: tensor<2x2xf64>) -> tensor<2x6xf64> {
    %y = tt.concat %a, %b, %c dim = 1 : (tensor<2x1xf64>, tensor<2x3xf64>, tensor<2x2xf64>) -> tensor<2x6xf64>
    %z = tt.square %y : tensor<2x6xf64>
    return %z : tensor<2x6xf64> })";
  add("concat", concat);
  add("concat_wrt_one", concat, "1");
  add("take", R"(func.func @f(%x: tensor<2x5x3xf64>, %i: tensor<i32>) -> tensor<2x3xf64> {
    %y = tt.take %x, %i dim = 1 : (tensor<2x5x3xf64>, tensor<i32>) -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })");
  add("take_outside", R"(func.func @f(%x: tensor<2x3xf64>, %w: tensor<3xf64>, %i: tensor<i64>) -> tensor<3xf64> {
    %y = tt.take %x, %i dim = 0 : (tensor<2x3xf64>, tensor<i64>) -> tensor<3xf64>
    %z = tt.add %y, %w : tensor<3xf64>
    return %z : tensor<3xf64> })", "all",
      {full(1, {2, 3}), full(2, {3}), ints({}, {int64_t(1) << 32})});

  add("sum_first", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<3xf64> {
    %y = tt.sum %x dims = [0] : (tensor<2x3xf64>) -> tensor<3xf64>
    %z = tt.square %y : tensor<3xf64>
    return %z : tensor<3xf64> })");
  add("sum_all", R"(func.func @f(%x: tensor<2x3x5xf64>) -> tensor<f64> {
    %y = tt.sum %x dims = [0, 1, 2] : (tensor<2x3x5xf64>) -> tensor<f64>
    %z = tt.square %y : tensor<f64>
    return %z : tensor<f64> })");
  add("mean_outer", R"(func.func @f(%x: tensor<2x3x5xf64>) -> tensor<3xf64> {
    %y = tt.mean %x dims = [0, 2] : (tensor<2x3x5xf64>) -> tensor<3xf64>
    %z = tt.square %y : tensor<3xf64>
    return %z : tensor<3xf64> })");
  add("max", R"(func.func @f(%x: tensor<2x3x2xf64>) -> tensor<2x2xf64> {
    %y, %i = tt.max %x dim = 1 : (tensor<2x3x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xi32>)
    %z = tt.square %y : tensor<2x2xf64>
    return %z : tensor<2x2xf64> })", "all",
      {floats({2, 3, 2}, {1, 2, 3, 1.5, 2, 1, -1, -2, -3, -1, -2, -0.5})});
  for (const char *shape : {"1", "5", "3x7", "2x1x3"}) {
    std::string t = f64Type(shape);
    add(tidyName(std::string("softmax_") + shape),
        "func.func @f(%x: " + t + ") -> " + t + " { %y = tt.softmax %x : " + t +
            " return %y : " + t + " }");
  }
}

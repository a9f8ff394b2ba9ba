//===- OpTableOrder.cpp - Rows of powers, rounding, indices and order ---===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

static std::string unary(const std::string &op, const std::string &shape,
                         const std::string &after = "") {
  std::string t = f64Type(shape);
  return "func.func @f(%x: " + t + ") -> " + t + " { %y = tt." + op + " : " + t +
         (after.empty() ? " return %y : " + t + " }"
                        : " %z = tt." + after + " : " + t + " return %z : " + t + " }");
}

static void addPowers(std::vector<OpCase> &table) {
  for (const char *op :
       {"pow %x exponent = 2.5", "pow %x exponent = -1.5", "pow %x exponent = 3.0",
        "pow %x exponent = -2.0", "pow %x exponent = 0.3", "relu2 %x", "softplus %x",
        "log1p %x", "expm1 %x"})
    for (const char *shape : {"", "1", "7", "2x3"})
      table.push_back({tidyName(std::string(op) + "_" + shape), unary(op, shape)});
  table.push_back({"pow_0", unary("pow %x exponent = 0.0", "3", "mul %x, %y")});
}

/// Inputs keep a distance of more than the largest step from every kink.
static void addRounding(std::vector<OpCase> &table) {
  Values inputs = {floats({5}, {0.3, -0.7, 1.2, -2.25, 2.7})};
  for (const char *op : {"round", "floor", "ceil", "sign"})
    table.push_back({std::string(op) + "_times_x",
                     unary(std::string(op) + " %x", "5", "mul %x, %y"), "all", inputs});
  table.push_back({"clamp", unary("clamp %x low = -1.0 high = 1.0", "5"), "all", inputs});
  // Straight-through: against the declared derivative, so kinks are nothing.
  table.push_back({"round_ste", unary("round_ste %x", "2x3", "mul %x, %y")});
  table.push_back({"fake_quant",
                   unary("fake_quant %x scale = 0.125 zero_point = 1 low = -4 high = 7",
                         "7", "mul %x, %y"),
                   "all", // 0.8125 is the last number that rounds into the range
                   {floats({7}, {-1, -0.6, -0.0625, 0.1, 0.8125, 0.9, 0.3})}});
  for (const char *kind : {"scale 0.5", "reverse"})
    table.push_back({tidyName(std::string("grad_transform_") + kind),
                     unary(std::string("grad_transform ") + kind + " %x", "3", "sin %y")});
}

static void addIndexing(std::vector<OpCase> &table) {
  table.push_back({"gather_rows", R"(func.func @f(%x: tensor<5x2x3xf64>, %i: tensor<2x7xi32>) -> tensor<2x7x2x3xf64> {
    %y = tt.gather_rows %x, %i : (tensor<5x2x3xf64>, tensor<2x7xi32>) -> tensor<2x7x2x3xf64>
    %z = tt.square %y : tensor<2x7x2x3xf64>
    return %z : tensor<2x7x2x3xf64> })"});
  table.push_back({"gather_rows_of_scalars", R"(func.func @f(%x: tensor<5xf64>, %i: tensor<i64>) -> tensor<f64> {
    %y = tt.gather_rows %x, %i : (tensor<5xf64>, tensor<i64>) -> tensor<f64>
    %z = tt.square %y : tensor<f64>
    return %z : tensor<f64> })"});
  table.push_back({"gather_rows_outside", R"(func.func @f(%x: tensor<2x3xf64>, %i: tensor<3xi64>) -> tensor<3x3xf64> {
    %y = tt.gather_rows %x, %i : (tensor<2x3xf64>, tensor<3xi64>) -> tensor<3x3xf64>
    %z = tt.sin %y : tensor<3x3xf64>
    return %z : tensor<3x3xf64> })", "all",
                   {full(1, {2, 3}), ints({3}, {-1, 1, int64_t(1) << 32})}});
  table.push_back({"scatter_add_rows", R"(func.func @f(%u: tensor<2x7x3xf64>, %i: tensor<2x7xi32>) -> tensor<5x3xf64> {
    %y = tt.scatter_add_rows %i, %u rows = 5 : (tensor<2x7xi32>, tensor<2x7x3xf64>) -> tensor<5x3xf64>
    %z = tt.square %y : tensor<5x3xf64>
    return %z : tensor<5x3xf64> })"});
  table.push_back({"gather_along", R"(func.func @f(%x: tensor<2x5x3xf64>, %i: tensor<2x2x3xi32>) -> tensor<2x2x3xf64> {
    %y = tt.gather_along %x, %i dim = 1 : (tensor<2x5x3xf64>, tensor<2x2x3xi32>) -> tensor<2x2x3xf64>
    %z = tt.square %y : tensor<2x2x3xf64>
    return %z : tensor<2x2x3xf64> })"});
  table.push_back({"scatter_along", R"(func.func @f(%u: tensor<2x7xf64>, %i: tensor<2x7xi64>) -> tensor<2x3xf64> {
    %y = tt.scatter_along %u, %i dim = 1 size = 3 : (tensor<2x7xf64>, tensor<2x7xi64>) -> tensor<2x3xf64>
    %z = tt.square %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })"});
  table.push_back({"one_hot", R"(func.func @f(%x: tensor<2x5xf64>, %i: tensor<2xi32>) -> tensor<2x5xf64> {
    %h = tt.one_hot %i : tensor<2xi32> -> tensor<2x5xf64>
    %y = tt.mul %x, %h : tensor<2x5xf64>
    %z = tt.sin %y : tensor<2x5xf64>
    return %z : tensor<2x5xf64> })"});
}

static void addOrder(std::vector<OpCase> &table) {
  Values apart = {floats({2, 3, 2}, {1, 2, 3, 1.5, 2, 1, -1, -2, -3, -1, -2, -0.5})};
  table.push_back({"min", R"(func.func @f(%x: tensor<2x3x2xf64>) -> tensor<2x2xf64> {
    %y, %i = tt.min %x dim = 1 : (tensor<2x3x2xf64>) -> (tensor<2x2xf64>, tensor<2x2xi32>)
    %z = tt.square %y : tensor<2x2xf64>
    return %z : tensor<2x2xf64> })", "all", apart});
  for (const char *order : {"", "descending "})
    table.push_back({tidyName(std::string("sort_") + order),
                     std::string("func.func @f(%x: tensor<2x3x2xf64>) -> tensor<2x3x2xf64> { "
                                 "%y, %i = tt.sort ") + order +
                         "%x dim = 1 : (tensor<2x3x2xf64>) -> (tensor<2x3x2xf64>, "
                         "tensor<2x3x2xi32>) %w = tt.iota dim = 1 : tensor<2x3x2xi32> "
                         "%v = tt.cast %w : tensor<2x3x2xi32> to tensor<2x3x2xf64> "
                         "%s = tt.sin %y : tensor<2x3x2xf64> "
                         "%z = tt.mul %s, %v : tensor<2x3x2xf64> "
                         "return %z : tensor<2x3x2xf64> }",
                     "all", apart});
  table.push_back({"topk", R"(func.func @f(%x: tensor<2x3x2xf64>) -> tensor<2x2x2xf64> {
    %y, %i = tt.topk %x dim = 1 k = 2 : (tensor<2x3x2xf64>) -> (tensor<2x2x2xf64>, tensor<2x2x2xi32>)
    %z = tt.square %y : tensor<2x2x2xf64>
    return %z : tensor<2x2x2xf64> })", "all", apart});
  for (const char *flags : {"", "exclusive ", "reverse ", "exclusive reverse "})
    for (int dim : {0, 1, 2})
      table.push_back({tidyName(std::string("cumsum_") + flags + std::to_string(dim)),
                       std::string("func.func @f(%x: tensor<2x5x3xf64>) -> "
                                   "tensor<2x5x3xf64> { %y = tt.cumsum ") + flags +
                           "%x dim = " + std::to_string(dim) +
                           " : (tensor<2x5x3xf64>) -> tensor<2x5x3xf64> %z = tt.square %y "
                           ": tensor<2x5x3xf64> return %z : tensor<2x5x3xf64> }"});
}

/// Ops of integers, beside something to differentiate.
static void addIntegers(std::vector<OpCase> &table) {
  table.push_back({"integers", R"(func.func @f(%x: tensor<7xf64>, %p: tensor<7xi32>, %q: tensor<7xi32>) -> tensor<7xf64> {
    %0 = tt.floor_div %p, %q : tensor<7xi32>
    %1 = tt.rem %p, %0 : tensor<7xi32>
    %2 = tt.and %1, %q : tensor<7xi32>
    %3 = tt.or %2, %p : tensor<7xi32>
    %4 = tt.xor %3, %q : tensor<7xi32>
    %5 = tt.sub %4, %p : tensor<7xi32>
    %6 = tt.mul %5, %0 : tensor<7xi32>
    %7 = tt.add %6, %q : tensor<7xi32>
    %8 = tt.maximum %7, %p : tensor<7xi32>
    %9 = tt.minimum %8, %q : tensor<7xi32>
    %c = tt.compare eq %9, %q : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
    %n = tt.not %c : tensor<7xi1>
    %s = tt.sin %x : tensor<7xf64>
    %y = tt.select %n, %s, %x : tensor<7xi1>, tensor<7xf64>
    %z = tt.mul %y, %x : tensor<7xf64>
    %v = tt.cast %7 : tensor<7xi32> to tensor<7xf64>
    %w = tt.add %z, %v : tensor<7xf64>
    return %w : tensor<7xf64> })",
                   "all", // the select takes both sides
                   {pattern(37, 11, {7}), ints({7}, {-6, 11, 15, -5, -8, -6, 15}),
                    ints({7}, {7, -2, 3, -3, 7, 7, 2})}});
  table.push_back({"argmax_argmin", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
    %i = tt.argmax %x dim = 0 : (tensor<2x3xf64>) -> tensor<3xi32>
    %j = tt.argmin %x dim = 1 : (tensor<2x3xf64>) -> tensor<2xi32>
    %a = tt.cast %i : tensor<3xi32> to tensor<3xf64>
    %b = tt.cast %j : tensor<2xi32> to tensor<2xf64>
    %c = tt.broadcast %a dims = [1] : tensor<3xf64> -> tensor<2x3xf64>
    %d = tt.broadcast %b dims = [0] : tensor<2xf64> -> tensor<2x3xf64>
    %e = tt.add %c, %d : tensor<2x3xf64>
    %s = tt.sin %x : tensor<2x3xf64>
    %z = tt.mul %s, %e : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })", "all", {floats({2, 3}, {1, -2, 0.5, 0.2, 1.5, -1})}});
  table.push_back({"dequantise", R"(func.func @f(%x: tensor<2x3xf64>, %q: tensor<2x3xi8>) -> tensor<2x3xf64> {
    %w = tt.dequantise %q scale = 0.02 zero_point = 3 : tensor<2x3xi8> -> tensor<2x3xf64>
    %y = tt.mul %x, %w : tensor<2x3xf64>
    %z = tt.sin %y : tensor<2x3xf64>
    return %z : tensor<2x3xf64> })"});
  for (const char *op : {"random_uniform", "random_normal"})
    table.push_back({op, std::string("func.func @f(%x: tensor<2x7xf64>, %k: tensor<2xi32>) -> "
                                     "tensor<2x7xf64> { %u = tt.") + op +
                             " %k site = 3 samples = 2 : tensor<2xi32> -> tensor<2x7xf64> "
                             "%y = tt.mul %x, %u : tensor<2x7xf64> "
                             "%z = tt.sin %y : tensor<2x7xf64> "
                             "return %z : tensor<2x7xf64> }"});
}

static void addRopeScaling(std::vector<OpCase> &table) {
  for (const char *scaling : {"linear(4.0)", "ntk(2.5)", "llama3(8.0, 1.0, 4.0, 64)"})
    table.push_back({tidyName(std::string("rope_") + scaling),
                     std::string("func.func @f(%x: tensor<2x3x8xf64>, %p: tensor<2x3xi32>) -> "
                                 "tensor<2x3x8xf64> { %y = tt.rope half_split %x "
                                 "positions(%p) theta = 100.0 scaling ") + scaling +
                         " : (tensor<2x3x8xf64>, tensor<2x3xi32>) -> tensor<2x3x8xf64> "
                         "%z = tt.square %y : tensor<2x3x8xf64> "
                         "return %z : tensor<2x3x8xf64> }"});
}

static void addControl(std::vector<OpCase> &table) {
  // A rule of its own that is the true one, with a mask that has no derivative.
  table.push_back({"custom_vjp", R"(
    func.func private @forward(%x: tensor<3xf64>, %n: tensor<3xi1>, %w: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xi1>) {
      %p = tt.mul %x, %w : tensor<3xf64>
      %z = tt.select %n, %p, %w : tensor<3xi1>, tensor<3xf64>
      return %z, %n : tensor<3xf64>, tensor<3xi1>
    }
    func.func private @reverse(%x: tensor<3xf64>, %n: tensor<3xi1>, %w: tensor<3xf64>, %z: tensor<3xf64>, %m: tensor<3xi1>, %dz: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
      %0 = tt.constant dense<0.0> : tensor<3xf64>
      %a = tt.mul %dz, %w : tensor<3xf64>
      %b = tt.mul %dz, %x : tensor<3xf64>
      %dx = tt.select %n, %a, %0 : tensor<3xi1>, tensor<3xf64>
      %dw = tt.select %n, %b, %dz : tensor<3xi1>, tensor<3xf64>
      return %dx, %dw : tensor<3xf64>, tensor<3xf64>
    }
    func.func private @tangent(%x: tensor<3xf64>, %n: tensor<3xi1>, %w: tensor<3xf64>, %tx: tensor<3xf64>, %tw: tensor<3xf64>) -> tensor<3xf64> {
      %a = tt.mul %tx, %w : tensor<3xf64>
      %b = tt.mul %tw, %x : tensor<3xf64>
      %s = tt.add %a, %b : tensor<3xf64>
      %t = tt.select %n, %s, %tw : tensor<3xi1>, tensor<3xf64>
      return %t : tensor<3xf64>
    }
    func.func @f(%x: tensor<3xf64>, %n: tensor<3xi1>, %w: tensor<3xf64>) -> tensor<3xf64> {
      %y:2 = tt.custom_vjp @forward(%x, %n, %w) vjp = @reverse jvp = @tangent : (tensor<3xf64>, tensor<3xi1>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xi1>)
      %z = tt.sin %y#0 : tensor<3xf64>
      return %z : tensor<3xf64>
    })"});
  table.push_back({"repeat", R"(
    func.func private @layer(%x: tensor<2x3xf64>, %w: tensor<3x3xf64>, %b: tensor<f64>, %s: tensor<2x3xf64>) -> tensor<2x3xf64> {
      %y = tt.linear in_out %x, %w : (tensor<2x3xf64>, tensor<3x3xf64>) -> tensor<2x3xf64>
      %c = tt.broadcast %b dims = [] : tensor<f64> -> tensor<2x3xf64>
      %t = tt.add %y, %c : tensor<2x3xf64>
      %u = tt.tanh %t : tensor<2x3xf64>
      %v = tt.mul %u, %s : tensor<2x3xf64>
      %r = tt.add %x, %v : tensor<2x3xf64>
      return %r : tensor<2x3xf64>
    }
    func.func @f(%x: tensor<2x3xf64>, %w: tensor<4x3x3xf64>, %b: tensor<4xf64>, %s: tensor<2x3xf64>) -> tensor<2x3xf64> {
      %y = tt.repeat @layer count = 4 carried(%x) stacked(%w, %b) shared(%s) : (tensor<2x3xf64>, tensor<4x3x3xf64>, tensor<4xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
      return %y : tensor<2x3xf64>
    })"});
}

void tt::test::addOrderRows(std::vector<OpCase> &table) {
  addPowers(table);
  addRounding(table);
  addIndexing(table);
  addOrder(table);
  addIntegers(table);
  addRopeScaling(table);
  addControl(table);
}

//===- OpTableElementwise.cpp - Rows of elementwise ops -----------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

static const std::vector<std::string> kShapes = {"", "1", "7", "2x3", "1x5x1"};

static void addUnary(std::vector<OpCase> &table) {
  for (const char *op :
       {"neg", "abs", "exp", "log", "sqrt", "rsqrt", "square", "reciprocal",
        "tanh", "sigmoid", "sin", "cos", "erf", "relu", "silu", "gelu erf",
        "gelu tanh"})
    for (const std::string &shape : kShapes) {
      std::string t = f64Type(shape);
      table.push_back({tidyName(std::string(op) + "_" + shape),
                       "func.func @f(%x: " + t + ") -> " + t + " { %y = tt." +
                           op + " %x : " + t + " return %y : " + t + " }"});
    }
}

static void addBinary(std::vector<OpCase> &table) {
  for (const char *op : {"add", "sub", "mul", "div", "swiglu", "silu_bwd",
                         "gelu_bwd erf", "gelu_bwd tanh"})
    for (const std::string &shape : kShapes) {
      std::string t = f64Type(shape);
      std::string text = "func.func @f(%x: " + t + ", %y: " + t + ") -> " + t +
                         " { %z = tt." + op + " %x, %y : " + t +
                         " return %z : " + t + " }";
      std::string name = tidyName(std::string(op) + "_" + shape);
      for (const char *wrt : {"all", "0", "1"})
        table.push_back({name + "_wrt_" + wrt, text, wrt});
    }
  // Away from ties by more than the largest step.
  for (const char *op : {"maximum", "minimum"})
    table.push_back({op,
                     std::string("func.func @f(%x: tensor<5xf64>, %y: "
                                 "tensor<5xf64>) -> tensor<5xf64> { %z = tt.") +
                         op + " %x, %y : tensor<5xf64> return %z : tensor<5xf64> }",
                     "all",
                     {floats({5}, {0.5, -1, 2, 0.25, -0.75}),
                      floats({5}, {1, -0.5, 1, -0.25, -1.25})}});
}

/// Ops whose module text is written out: name, then the whole text.
static void addWritten(std::vector<OpCase> &table) {
  auto add = [&](std::string name, std::string text, std::string wrt = "all",
                 Values inputs = {}) {
    table.push_back({std::move(name), std::move(text), std::move(wrt),
                     std::move(inputs)});
  };
  // The same value twice, and a value that is not used.
  add("mul_of_itself", R"(func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
    %y = tt.mul %x, %x : tensor<3xf64>
    return %y : tensor<3xf64> })");
  add("select", R"(func.func @f(%c: tensor<7xi1>, %x: tensor<7xf64>, %y: tensor<7xf64>) -> tensor<7xf64> {
    %z = tt.select %c, %x, %y : tensor<7xi1>, tensor<7xf64>
    return %z : tensor<7xf64> })");
  add("select_by_compare", R"(func.func @f(%x: tensor<7xf64>, %y: tensor<7xf64>) -> tensor<7xf64> {
    %zero = tt.constant dense<0.0> : tensor<7xf64>
    %c = tt.compare gt %x, %zero : (tensor<7xf64>, tensor<7xf64>) -> tensor<7xi1>
    %e = tt.exp %x : tensor<7xf64>
    %z = tt.select %c, %e, %y : tensor<7xi1>, tensor<7xf64>
    return %z : tensor<7xf64> })");
  add("cast", R"(func.func @f(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
    %a = tt.cast %x : tensor<2x3xf64> to tensor<2x3xbf16>
    %b = tt.square %a : tensor<2x3xbf16>
    %c = tt.cast %b : tensor<2x3xbf16> to tensor<2x3xf64>
    return %c : tensor<2x3xf64> })");
  add("stop_gradient", R"(func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
    %s = tt.stop_gradient %x : tensor<3xf64>
    %y = tt.mul %x, %s : tensor<3xf64>
    return %y : tensor<3xf64> })");
}

void tt::test::addElementwiseRows(std::vector<OpCase> &table) {
  addUnary(table);
  addBinary(table);
  addWritten(table);
}

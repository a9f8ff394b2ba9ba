//===- OpTable.cpp - The op table ---------------------------------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

std::string tt::test::f64Type(const std::string &shape) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + "f64>";
}

std::string tt::test::tidyName(std::string name) {
  for (char &c : name)
    if (!isalnum((unsigned char)c))
      c = '_';
  return name;
}

/// Composites: a call twice, a value with several readers, a small block.
void tt::test::addProgramRows(std::vector<OpCase> &table) {
  table.push_back({"calls", R"(
    func.func private @layer(%x: tensor<3x5xf64>, %w: tensor<5x5xf64>) -> tensor<3x5xf64> {
      %y = tt.linear in_out %x, %w : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %z = tt.tanh %y : tensor<3x5xf64>
      %r = tt.add %x, %z : tensor<3x5xf64>
      return %r : tensor<3x5xf64>
    }
    func.func @f(%x: tensor<3x5xf64>, %a: tensor<5x5xf64>, %b: tensor<5x5xf64>) -> tensor<3x5xf64> {
      %1 = call @layer(%x, %a) : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %2 = call @layer(%1, %b) : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      %3 = call @layer(%2, %a) : (tensor<3x5xf64>, tensor<5x5xf64>) -> tensor<3x5xf64>
      return %3 : tensor<3x5xf64>
    })"});
  table.push_back({"tied_head", R"(
    func.func @f(%e: tensor<5x3xf64>, %i: tensor<2xi32>, %t: tensor<2xi32>) -> tensor<f64> {
      %h = tt.embedding %e, %i : (tensor<5x3xf64>, tensor<2xi32>) -> tensor<2x3xf64>
      %z = tt.linear out_in %h, %e : (tensor<2x3xf64>, tensor<5x3xf64>) -> tensor<2x5xf64>
      %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x5xf64>, tensor<2xi32>) -> (tensor<f64>, tensor<2xf64>)
      return %l : tensor<f64>
    })"});
  table.push_back({"two_results", R"(
    func.func @f(%x: tensor<3xf64>, %y: tensor<3xf64>) -> (tensor<3xf64>, tensor<f64>) {
      %a = tt.mul %x, %y : tensor<3xf64>
      %b = tt.exp %a : tensor<3xf64>
      %s = tt.sum %a dims = [0] : (tensor<3xf64>) -> tensor<f64>
      return %b, %s : tensor<3xf64>, tensor<f64>
    })"});
}

std::vector<OpCase> tt::test::opTable() {
  std::vector<OpCase> table;
  addElementwiseRows(table);
  addShapeRows(table);
  addLinearRows(table);
  addNormRows(table);
  addStatisticsRows(table);
  addLossRows(table);
  addElementLossRows(table);
  addLinearLossRows(table);
  addAttentionRows(table);
  addOrderRows(table);
  addProgramRows(table);
  return table;
}

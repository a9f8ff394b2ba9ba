//===- OpTableLoss.cpp - Rows of losses and embedding -------------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

void tt::test::addLossRows(std::vector<OpCase> &table) {
  for (const char *reduction : {"mean", "sum", "none"})
    for (bool isFlat : {false, true}) {
      std::string rows = isFlat ? "" : "2x3";
      std::string z = isFlat ? "tensor<5xf64>" : "tensor<2x3x5xf64>";
      std::string t = isFlat ? "tensor<i32>" : "tensor<2x3xi32>";
      std::string s = f64Type(rows);
      std::string loss = reduction == std::string("none") ? s : "tensor<f64>";
      Values inputs;
      if (!isFlat) // two rows that do not count
        inputs = {pattern(37, 11, {2, 3, 5}), ints({2, 3}, {4, -100, 0, 2, 9, 1})};
      table.push_back({tidyName(std::string("cross_entropy_") + reduction + "_" + rows),
                       "func.func @f(%z: " + z + ", %t: " + t + ") -> " + loss +
                           " { %l, %lse = tt.cross_entropy " + reduction +
                           " %z, %t : (" + z + ", " + t + ") -> (" + loss + ", " +
                           s + ") return %l : " + loss + " }",
                       "all", inputs});
    }
  std::string logits = "func.func @f(%z: tensor<3x5xf64>, %t: tensor<3xi64>) -> ";
  std::string loss = " { %l, %lse = tt.cross_entropy mean %z, %t : (tensor<3x5xf64>, "
                     "tensor<3xi64>) -> (tensor<f64>, tensor<3xf64>) return ";
  table.push_back({"cross_entropy_lse",
                   logits + "tensor<3xf64>" + loss + "%lse : tensor<3xf64> }"});
  table.push_back({"cross_entropy_all_results",
                   logits + "(tensor<f64>, tensor<3xf64>)" + loss +
                       "%l, %lse : tensor<f64>, tensor<3xf64> }"});
  // Smoothing, z-loss and class weights, alone and together, two rows uncounted.
  for (const char *reduction : {"mean", "sum", "none"})
    for (int flags = 1; flags < 8; ++flags) {
      std::string attributes, name = std::string("cross_entropy_") + reduction;
      auto add = [&](int flag, const std::string &attribute, const char *part) {
        if (!(flags & flag))
          return;
        attributes += (attributes.empty() ? "" : ", ") + attribute;
        name += part;
      };
      add(1, "label_smoothing = 0.2 : f64", "_smoothed");
      add(2, "z_loss = 0.3 : f64", "_z_loss");
      bool isWeighted = flags & 4;
      std::string l = reduction == std::string("none") ? "tensor<4xf64>" : "tensor<f64>";
      std::string operands = "tensor<4x5xf64>, tensor<4xi32>";
      std::string weights = isWeighted ? ", %w: tensor<5xf64>" : "";
      Values inputs = {pattern(37, 11, {4, 5}), ints({4}, {4, -100, 0, 9})};
      if (isWeighted)
        inputs.push_back(floats({5}, {0.5, 1, 2, 0.25, 1.5}));
      for (const char *wrt : {"0", "2", "all"}) {
        if (!isWeighted && wrt != std::string("all"))
          continue;
        table.push_back(
            {name + (isWeighted ? "_weighted" : "") + "_wrt_" + wrt,
             "func.func @f(%z: tensor<4x5xf64>, %t: tensor<4xi32>" + weights + ") -> (" + l +
                 ", tensor<4xf64>) { %l, %lse = tt.cross_entropy " + reduction + " %z, %t" +
                 (isWeighted ? " weights(%w)" : "") + " {" + attributes + "} : (" + operands +
                 (isWeighted ? ", tensor<5xf64>" : "") + ") -> (" + l +
                 ", tensor<4xf64>) return %l, %lse : " + l + ", tensor<4xf64> }",
             wrt, inputs});
      }
    }
  std::string head = "func.func @f(%t: tensor<5x3xf64>, %i: tensor<2x7xi32>) -> "
                     "tensor<2x7x3xf64> { %y = tt.embedding %t, %i";
  std::string tail = " : (tensor<5x3xf64>, tensor<2x7xi32>) -> tensor<2x7x3xf64> "
                     "%z = tt.square %y : tensor<2x7x3xf64> "
                     "return %z : tensor<2x7x3xf64> }";
  table.push_back({"embedding", head + tail});
  // The padding row is read, passes nothing, and is not the only one.
  for (int padding : {0, 4})
    table.push_back({"embedding_padding_" + std::to_string(padding),
                     head + " {padding_index = " + std::to_string(padding) + " : i64}" +
                         tail,
                     "all",
                     {pattern(37, 15, {5, 3}),
                      ints({2, 7}, {0, 4, 1, 4, 0, 2, 3, 4, 3, 0, 1, 0, 2, 2})}});
}

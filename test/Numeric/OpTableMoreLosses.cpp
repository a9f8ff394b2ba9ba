//===- OpTableMoreLosses.cpp - Rows of losses over elements and of heads ===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

void tt::test::addElementLossRows(std::vector<OpCase> &table) {
  for (const char *reduction : {"mean", "sum", "none", "batchmean"})
    for (const char *shape : {"3x4", "5", ""}) {
      std::string r(reduction), t = f64Type(shape);
      std::string loss = r == "none" ? t : "tensor<f64>";
      auto add = [&](const std::string &name, const std::string &op, const char *flag) {
        for (const char *wrt : {"all", "0", "1"})
          table.push_back({tidyName(name + "_" + r + "_" + shape + "_wrt_" + wrt),
                           "func.func @f(%x: " + t + ", %y: " + t + ") -> " + loss +
                               " { %l = tt." + op + " " + r + " %x, %y" + flag + " : (" +
                               t + ", " + t + ") -> " + loss + " return %l : " + loss + " }",
                           wrt});
      };
      if (r != "batchmean") {
        add("mse", "mse", "");
        add("bce_with_logits", "bce_with_logits", "");
      }
      if (r == "batchmean" && !*shape)
        continue; // it needs a dimension
      add("kl_div", "kl_div", "");
      add("kl_div_log_target", "kl_div", " log_target");
    }
  for (const char *wrt : {"0", "1", "2", "all"})
    table.push_back({std::string("bce_with_logits_pos_weight_wrt_") + wrt,
                     R"(func.func @f(%x: tensor<3x4xf64>, %y: tensor<3x4xf64>, %w: tensor<4xf64>) -> tensor<f64> {
    %l = tt.bce_with_logits mean %x, %y pos_weight(%w) : (tensor<3x4xf64>, tensor<3x4xf64>, tensor<4xf64>) -> tensor<f64>
    return %l : tensor<f64> })",
                     wrt});
}

/// One row of linear_cross_entropy with weights and attributes.
static OpCase extendedLinearLoss(const std::string &reduction, bool isWeighted,
                                 const std::string &attributes, const std::string &wrt) {
  std::string loss = reduction == "none" ? "tensor<2x3xf64>" : "tensor<f64>";
  std::string name = "linear_cross_entropy_" + reduction + "_" + attributes +
                     (isWeighted ? "_weights" : "") + "_wrt_" + wrt;
  OpCase row{tidyName(name),
             "func.func @f(%h: tensor<2x3x3xf64>, %w: tensor<5x3xf64>, %t: tensor<2x3xi32>" +
                 std::string(isWeighted ? ", %c: tensor<5xf64>" : "") + ") -> (" + loss +
                 ", tensor<2x3xf64>) { %l, %lse = tt.linear_cross_entropy " + reduction +
                 " out_in %h, %w, %t" + (isWeighted ? " weights(%c)" : "") + " chunks = 4 {" +
                 attributes + "} : (tensor<2x3x3xf64>, tensor<5x3xf64>, tensor<2x3xi32>" +
                 (isWeighted ? ", tensor<5xf64>" : "") + ") -> (" + loss +
                 ", tensor<2x3xf64>) return %l, %lse : " + loss + ", tensor<2x3xf64> }",
             wrt,
             {pattern(37, 11, {2, 3, 3}), pattern(53, 29, {5, 3}),
              ints({2, 3}, {4, -100, 0, 2, 9, 1})}};
  if (isWeighted)
    row.inputs.push_back(floats({5}, {0.5, 2, 1.5, 0.25, 1.25}));
  return row;
}

static void addExtendedLinearLosses(std::vector<OpCase> &table) {
  const std::string smoothing = "label_smoothing = 0.2 : f64", zLoss = "z_loss = 0.1 : f64";
  for (const char *reduction : {"mean", "sum", "none"}) {
    table.push_back(extendedLinearLoss(reduction, false, smoothing, "all"));
    table.push_back(extendedLinearLoss(reduction, false, zLoss, "all"));
    table.push_back(extendedLinearLoss(reduction, true, "", "all"));
    table.push_back(extendedLinearLoss(reduction, true, smoothing + ", " + zLoss, "all"));
  }
  for (const char *wrt : {"0", "1", "3"})
    table.push_back(extendedLinearLoss("mean", true, smoothing + ", " + zLoss, wrt));
}

void tt::test::addLinearLossRows(std::vector<OpCase> &table) {
  for (const char *layout : {"in_out", "out_in"})
    for (const char *reduction : {"mean", "sum", "none"})
      for (const char *chunks : {"1", "4", "6"})
        for (const char *wrt : {"all", "0", "1"}) {
          std::string r(reduction), w = layout == std::string("in_out") ? "3x5" : "5x3";
          if (r != "mean" && wrt != std::string("all"))
            continue;
          std::string loss = r == "none" ? "tensor<2x3xf64>" : "tensor<f64>";
          std::string types = "(tensor<2x3x3xf64>, tensor<" + w + "xf64>, tensor<2x3xi32>) -> (" +
                              loss + ", tensor<2x3xf64>)";
          table.push_back(
              {tidyName("linear_cross_entropy_" + r + "_" + layout + "_" + chunks + "_wrt_" + wrt),
               "func.func @f(%h: tensor<2x3x3xf64>, %w: tensor<" + w +
                   "xf64>, %t: tensor<2x3xi32>) -> (" + loss +
                   ", tensor<2x3xf64>) { %l, %lse = tt.linear_cross_entropy " + r + " " +
                   layout + " %h, %w, %t chunks = " + chunks + " : " + types +
                   " return %l, %lse : " + loss + ", tensor<2x3xf64> }",
               wrt,
               {pattern(37, 11, {2, 3, 3}),
                pattern(53, 29, layout == std::string("in_out") ? reference::Shape{3, 5}
                                                                : reference::Shape{5, 3}),
                ints({2, 3}, {4, -100, 0, 2, 9, 1})}});
        }
  addExtendedLinearLosses(table);
}

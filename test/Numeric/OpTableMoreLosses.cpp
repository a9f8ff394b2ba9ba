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

namespace {
/// What a row of linear_cross_entropy has besides its three operands.
struct LinearLossOptions {
  bool isWeighted = false, hasBias = false;
  std::string attributes;
};
} // namespace

static OpCase extendedLinearLoss(const std::string &reduction, const std::string &layout,
                                 const LinearLossOptions &options, const std::string &wrt) {
  std::string loss = reduction == "none" ? "tensor<2x3xf64>" : "tensor<f64>";
  std::string weight = layout == "in_out" ? "tensor<3x5xf64>" : "tensor<5x3xf64>";
  std::string arguments, groups, types;
  auto addGroup = [&](const std::string &value, const std::string &name) {
    arguments += ", " + value + ": tensor<5xf64>";
    groups += " " + name + "(" + value + ")";
    types += ", tensor<5xf64>";
  };
  if (options.isWeighted)
    addGroup("%c", "weights");
  if (options.hasBias)
    addGroup("%b", "bias");
  std::string name = "linear_cross_entropy_" + reduction + "_" + layout + "_" +
                     options.attributes + (options.isWeighted ? "_weights" : "") +
                     (options.hasBias ? "_bias" : "") + "_wrt_" + wrt;
  OpCase row{tidyName(name),
             "func.func @f(%h: tensor<2x3x3xf64>, %w: " + weight + ", %t: tensor<2x3xi32>" +
                 arguments + ") -> (" + loss +
                 ", tensor<2x3xf64>) { %l, %lse = tt.linear_cross_entropy " + reduction +
                 " " + layout + " %h, %w, %t" + groups + " chunks = 4 {" +
                 options.attributes + "} : (tensor<2x3x3xf64>, " + weight +
                 ", tensor<2x3xi32>" + types + ") -> (" + loss +
                 ", tensor<2x3xf64>) return %l, %lse : " + loss + ", tensor<2x3xf64> }",
             wrt,
             {pattern(37, 11, {2, 3, 3}),
              pattern(53, 29, layout == "in_out" ? tt::reference::Shape{3, 5}
                                                 : tt::reference::Shape{5, 3}),
              ints({2, 3}, {4, -100, 0, 2, 9, 1})}};
  if (options.isWeighted)
    row.inputs.push_back(floats({5}, {0.5, 2, 1.5, 0.25, 1.25}));
  if (options.hasBias)
    row.inputs.push_back(floats({5}, {-0.5, 0.75, 0, 0.25, -1}));
  return row;
}

static void addExtendedLinearLosses(std::vector<OpCase> &table) {
  const std::string smoothing = "label_smoothing = 0.2 : f64", zLoss = "z_loss = 0.1 : f64";
  const std::string both = smoothing + ", " + zLoss;
  for (const char *reduction : {"mean", "sum", "none"}) {
    auto add = [&](const char *layout, LinearLossOptions options) {
      table.push_back(extendedLinearLoss(reduction, layout, options, "all"));
    };
    add("out_in", {false, false, smoothing});
    add("out_in", {false, false, zLoss});
    add("out_in", {true, false, ""});
    add("out_in", {true, false, both});
    add("in_out", {false, true, ""});
    add("out_in", {true, true, both});
  }
  for (const char *wrt : {"0", "1", "3"}) {
    table.push_back(extendedLinearLoss("mean", "out_in", {true, false, both}, wrt));
    table.push_back(extendedLinearLoss("mean", "out_in", {false, true, ""}, wrt));
  }
  table.push_back(extendedLinearLoss("mean", "out_in", {true, true, both}, "4"));
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
                pattern(53, 29, layout == std::string("in_out") ? tt::reference::Shape{3, 5}
                                                                : tt::reference::Shape{5, 3}),
                ints({2, 3}, {4, -100, 0, 2, 9, 1})}});
        }
  addExtendedLinearLosses(table);
}

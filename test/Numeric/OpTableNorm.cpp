//===- OpTableNorm.cpp - Rows of norms ----------------------------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

/// Groups of one channel, of several, of all; with and without inner dimensions.
static void addGroupNormRows(std::vector<OpCase> &table) {
  for (const char *inner : {"", "x3", "x2x1x3"})
    for (const char *groups : {"1", "2", "6"})
      for (bool beta : {false, true}) {
        std::string in(inner), g(groups);
        if (in.empty() && g == "6")
          continue; // a group of one element has no slope
        std::string x = "tensor<2x6" + in + "xf64>", c = "tensor<6xf64>";
        std::string s = "tensor<2x" + g + "xf64>";
        std::string results = "(" + x + ", " + s + ", " + s + ")";
        table.push_back({tidyName("group_norm_" + g + in + (beta ? "_beta" : "")),
                         "func.func @f(%x: " + x + ", %g: " + c +
                             (beta ? ", %b: " + c : "") + ") -> " + results +
                             " { %y, %m, %r = tt.group_norm %x, %g" +
                             (beta ? ", %b" : "") + " groups = " + g +
                             " eps = 1.0e-5 : (" + x + ", " + c + (beta ? ", " + c : "") +
                             ") -> " + results + " return %y, %m, %r : " + x + ", " + s +
                             ", " + s + " }"});
      }
  std::string x = "tensor<2x6x3xf64>", s = "tensor<2x2xf64>";
  for (const char *wrt : {"0", "1", "2"})
    table.push_back({std::string("group_norm_wrt_") + wrt,
                     "func.func @f(%x: " + x + ", %g: tensor<6xf64>, %b: tensor<6xf64>) -> " +
                         x + " { %y, %m, %r = tt.group_norm %x, %g, %b groups = 2 eps = "
                             "1.0e-5 : (" + x + ", tensor<6xf64>, tensor<6xf64>) -> (" + x +
                         ", " + s + ", " + s + ") return %y : " + x + " }",
                     wrt});
  table.push_back({"group_norm_mean",
                   "func.func @f(%x: " + x + ", %g: tensor<6xf64>) -> " + s +
                       " { %y, %m, %r = tt.group_norm %x, %g groups = 2 eps = 1.0e-5 : (" +
                       x + ", tensor<6xf64>) -> (" + x + ", " + s + ", " + s +
                       ") return %m : " + s + " }"});
}

void tt::test::addNormRows(std::vector<OpCase> &table) {
  for (const char *rows : {"", "1x", "3x", "2x3x"})
    for (const char *width : {"5", "7"}) {
      std::string r(rows), w(width);
      std::string x = "tensor<" + r + w + "xf64>", c = "tensor<" + w + "xf64>";
      std::string s = r.empty() ? "tensor<f64>" : "tensor<" + r + "f64>";
      std::string three = ") -> (" + x + ", " + s + ", " + s + ")";
      std::string name = tidyName(r + w);
      for (const char *wrt : {"all", "0", "1"}) {
        table.push_back(
            {"layer_norm_" + name + "_wrt_" + wrt,
             "func.func @f(%x: " + x + ", %g: " + c + ", %b: " + c + ") -> " + x +
                 " { %y, %m, %r = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (" + x +
                 ", " + c + ", " + c + three + " return %y : " + x + " }",
             wrt});
        table.push_back({"rms_norm_" + name + "_wrt_" + wrt,
                         "func.func @f(%x: " + x + ", %g: " + c + ") -> " + x +
                             " { %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (" +
                             x + ", " + c + ") -> (" + x + ", " + s +
                             ") return %y : " + x + " }",
                         wrt});
      }
      table.push_back({"layer_norm_no_beta_" + name,
                       "func.func @f(%x: " + x + ", %g: " + c + ") -> " + x +
                           " { %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (" +
                           x + ", " + c + three + " return %y : " + x + " }"});
    }
  // Statistics with cotangents of their own.
  std::string norm = " = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<3x5xf64>, "
                     "tensor<5xf64>) -> (tensor<3x5xf64>, tensor<3xf64>, tensor<3xf64>) ";
  std::string head = "func.func @f(%x: tensor<3x5xf64>, %g: tensor<5xf64>) -> ";
  table.push_back({"layer_norm_mean", head + "tensor<3xf64> { %y, %m, %r" + norm +
                                          "return %m : tensor<3xf64> }"});
  table.push_back({"layer_norm_rstd", head + "tensor<3xf64> { %y, %m, %r" + norm +
                                          "return %r : tensor<3xf64> }"});
  table.push_back({"layer_norm_all_results",
                   head + "(tensor<3x5xf64>, tensor<3xf64>, tensor<3xf64>) { %y, %m, %r" +
                       norm + "return %y, %m, %r : tensor<3x5xf64>, tensor<3xf64>, "
                              "tensor<3xf64> }"});
  table.push_back({"rms_norm_all_results",
                   head + "(tensor<3x5xf64>, tensor<3xf64>) { %y, %r = tt.rms_norm %x, "
                          "%g eps = 1.0e-5 : (tensor<3x5xf64>, tensor<5xf64>) -> "
                          "(tensor<3x5xf64>, tensor<3xf64>) return %y, %r : "
                          "tensor<3x5xf64>, tensor<3xf64> }"});
  for (const char *wrt : {"all", "0", "1"})
    table.push_back({std::string("rms_norm_unit_offset_wrt_") + wrt,
                     head + "(tensor<3x5xf64>, tensor<3xf64>) { %y, %r = tt.rms_norm %x, "
                            "%g eps = 1.0e-5 unit_offset : (tensor<3x5xf64>, "
                            "tensor<5xf64>) -> (tensor<3x5xf64>, tensor<3xf64>) return "
                            "%y, %r : tensor<3x5xf64>, tensor<3xf64> }",
                     wrt});
  addGroupNormRows(table);
}

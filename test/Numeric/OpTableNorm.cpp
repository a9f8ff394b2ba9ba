//===- OpTableNorm.cpp - Rows of norms ----------------------------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

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
}

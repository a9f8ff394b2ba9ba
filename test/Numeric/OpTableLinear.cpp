//===- OpTableLinear.cpp - Rows of matrix products ----------------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

void tt::test::addLinearRows(std::vector<OpCase> &table) {
  for (int flags = 0; flags < 4; ++flags)
    for (const char *batch : {"", "2x", "2x1x"}) {
      bool ta = flags & 1, tb = flags & 2;
      std::string a = "tensor<" + std::string(batch) + (ta ? "5x3" : "3x5") + "xf64>";
      std::string b = "tensor<" + std::string(batch) + (tb ? "7x5" : "5x7") + "xf64>";
      std::string c = "tensor<" + std::string(batch) + "3x7xf64>";
      std::string text = "func.func @f(%a: " + a + ", %b: " + b + ") -> " + c +
                         " { %c = tt.matmul %a, %b" + (ta ? " transpose_lhs" : "") +
                         (tb ? " transpose_rhs" : "") + " : (" + a + ", " + b +
                         ") -> " + c + " return %c : " + c + " }";
      for (const char *wrt : {"all", "0", "1"})
        table.push_back({tidyName("matmul_" + std::to_string(flags) + "_" + batch +
                              "wrt_" + wrt),
                         text, wrt});
    }
  for (const char *layout : {"in_out", "out_in"})
    for (const char *rows : {"", "3x", "2x3x"})
      for (bool bias : {false, true}) {
        std::string x = "tensor<" + std::string(rows) + "5xf64>";
        std::string w = layout == std::string("in_out") ? "tensor<5x7xf64>"
                                                        : "tensor<7x5xf64>";
        std::string y = "tensor<" + std::string(rows) + "7xf64>";
        std::string text =
            "func.func @f(%x: " + x + ", %w: " + w +
            (bias ? ", %b: tensor<7xf64>" : "") + ") -> " + y +
            " { %y = tt.linear " + layout + " %x, %w" + (bias ? ", %b" : "") +
            " : (" + x + ", " + w + (bias ? ", tensor<7xf64>" : "") + ") -> " +
            y + " %z = tt.square %y : " + y + " return %z : " + y + " }";
        for (const char *wrt : {"all", "0", "1"})
          table.push_back({tidyName(std::string("linear_") + layout + "_" + rows +
                                (bias ? "bias_" : "") + "wrt_" + wrt),
                           text, wrt});
      }
}

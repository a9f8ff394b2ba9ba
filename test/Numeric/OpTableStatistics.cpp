//===- OpTableStatistics.cpp - Rows of statistics and gated units -------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

void tt::test::addStatisticsRows(std::vector<OpCase> &table) {
  struct Case {
    const char *dims, *result;
  };
  for (Case c : {Case{"[2]", "2x3"}, Case{"[1]", "2x5"}, Case{"[0]", "3x5"},
                 Case{"[0, 2]", "3"}, Case{"[0, 1, 2]", ""}}) {
    std::string x = f64Type("2x3x5"), y = f64Type(c.result);
    auto add = [&](const std::string &op, const std::string &attributes) {
      table.push_back({tidyName(op + "_" + c.dims + attributes),
                       "func.func @f(%x: " + x + ") -> " + y + " { %y = tt." + op +
                           " %x dims = " + c.dims + attributes + " : (" + x + ") -> " + y +
                           " return %y : " + y + " }"});
    };
    add("logsumexp", "");
    add("variance", "");
    add("variance", " {correction = 1 : i64}");
  }
  for (const char *shape : {"1", "5", "3x7", "2x1x3"}) {
    std::string t = f64Type(shape);
    table.push_back({tidyName(std::string("log_softmax_") + shape),
                     "func.func @f(%x: " + t + ") -> " + t +
                         " { %y = tt.log_softmax %x : " + t + " return %y : " + t + " }"});
  }
  for (const char *op : {"geglu erf", "geglu tanh", "reglu"})
    for (const char *shape : {"", "7", "2x3"})
      for (const char *wrt : {"all", "0", "1"}) {
        std::string t = f64Type(shape);
        table.push_back({tidyName(std::string(op) + "_" + shape + "_wrt_" + wrt),
                         "func.func @f(%x: " + t + ", %y: " + t + ") -> " + t +
                             " { %z = tt." + op + " %x, %y : " + t + " return %z : " + t +
                             " }",
                         wrt});
      }
}

//===- OpTableAttention.cpp - Rows of attention, rope and dropout -------===//
#include "../Common/AttentionCase.h"
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

/// Every feature of attention alone, for q, k, v and what the feature adds. Where
/// every row sees a key lse is a result, too.
static void addFeatures(std::vector<OpCase> &table) {
  for (size_t i = 0; i < AttentionCase::features().size(); ++i)
    for (auto [queries, keys] : {std::pair<int64_t, int64_t>{3, 5}, {5, 3}, {1, 1}}) {
      AttentionCase c;
      c.queries = queries, c.keys = keys, c.headSize = 2;
      AttentionCase::features()[i](c);
      // One key of another document: lse is -inf, and nothing is left to check.
      if (c.segments && queries == 1)
        continue;
      tt::reference::Random random(i);
      bool dies = queries > keys || c.biasHides;
      table.push_back({"attention_" + c.name(), c.forward(/*returnLse=*/!dies), "all",
                       c.inputs(random)});
    }
}

void tt::test::addAttentionRows(std::vector<OpCase> &table) {
  struct Sizes {
    const char *name, *q, *k, *lse;
  };
  for (Sizes n : {Sizes{"square", "2x2x5x3", "2x2x5x3", "2x2x5"},
                  Sizes{"grouped", "1x4x3x2", "1x2x3x2", "1x4x3"},
                  Sizes{"multi_query", "1x3x5x2", "1x1x5x2", "1x3x5"},
                  Sizes{"more_keys", "1x2x2x3", "1x2x5x3", "1x2x2"},
                  Sizes{"more_queries", "1x2x5x3", "1x1x2x3", "1x2x5"},
                  Sizes{"single", "1x1x1x1", "1x1x1x1", "1x1x1"}})
    for (bool causal : {false, true}) {
      std::string q = f64Type(n.q), k = f64Type(n.k);
      std::string text = "func.func @f(%q: " + q + ", %k: " + k + ", %v: " + k +
                         ") -> " + q + " { %o, %lse = tt.attention %q, %k, %v " +
                         (causal ? "causal " : "") + "scale = 0.6 : (" + q + ", " +
                         k + ", " + k + ") -> (" + q + ", " + f64Type(n.lse) +
                         ") return %o : " + q + " }";
      for (const char *wrt : {"all", "0", "1", "2"})
        table.push_back({std::string("attention_") + n.name +
                             (causal ? "_causal_wrt_" : "_wrt_") + wrt,
                         text, wrt});
    }
  addFeatures(table);
  for (const char *layout : {"half_split", "interleaved"})
    for (bool inverse : {false, true}) {
      std::string flags = std::string(layout) + (inverse ? " inverse" : "");
      table.push_back({tidyName("rope_" + flags),
                       "func.func @f(%x: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> { "
                       "%y = tt.rope " + flags +
                           " %x theta = 100.0 : (tensor<2x3x4xf64>) -> "
                           "tensor<2x3x4xf64> %z = tt.square %y : tensor<2x3x4xf64> "
                           "return %z : tensor<2x3x4xf64> }"});
      table.push_back({tidyName("rope_positions_" + flags),
                       "func.func @f(%x: tensor<3x2xf64>, %p: tensor<3xi32>) -> "
                       "tensor<3x2xf64> { %y = tt.rope " + flags +
                           " %x positions(%p) theta = 100.0 : (tensor<3x2xf64>, "
                           "tensor<3xi32>) -> tensor<3x2xf64> "
                           "%z = tt.square %y : tensor<3x2xf64> "
                           "return %z : tensor<3x2xf64> }"});
      table.push_back({tidyName("rope_positions_of_samples_" + flags),
                       "func.func @f(%x: tensor<2x5x3x4xf64>, %p: tensor<2x3xi64>) -> "
                       "tensor<2x5x3x4xf64> { %y = tt.rope " + flags +
                           " %x positions(%p) theta = 100.0 : (tensor<2x5x3x4xf64>, "
                           "tensor<2x3xi64>) -> tensor<2x5x3x4xf64> "
                           "%z = tt.square %y : tensor<2x5x3x4xf64> "
                           "return %z : tensor<2x5x3x4xf64> }"});
    }
  table.push_back({"dropout",
                   R"(func.func @f(%x: tensor<2x7xf64>, %k: tensor<2xi32>) -> tensor<2x7xf64> {
    %y = tt.dropout %x, %k p = 0.5 site = 3 samples = 2 : (tensor<2x7xf64>, tensor<2xi32>) -> tensor<2x7xf64>
    %z = tt.square %y : tensor<2x7xf64>
    return %z : tensor<2x7xf64> })"});
}

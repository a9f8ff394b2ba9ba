//===- AttentionPaddingTest.cpp - Keys that are hidden change nothing -----===//
//
// The ways to hide keys from queries: segment ids, a bias of -inf, packed documents.
// Compiled results agree with those of a graph that does not have the keys at all.
//
//===----------------------------------------------------------------------===//
#include "CompiledGraph.h"

#include "tt/Reference/RandomInputs.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tt;
using namespace tt::check;
using namespace tt::test;

namespace {

constexpr int64_t kWords = 23, kIgnored = -100;

struct Form {
  int64_t batch, length;
  bool causal = false, segments = false, bias = false;
};

/// Embedding, one attention of two heads of 8, a skip connection, a head. What hides
/// keys are inputs.
std::string graphOf(const Form &form) {
  std::string b = std::to_string(form.batch), t = std::to_string(form.length);
  std::string ids = "tensor<" + b + "x" + t + "xi32>";
  std::string flat = "tensor<" + b + "x" + t + "x16xf32>";
  std::string split = "tensor<" + b + "x" + t + "x2x8xf32>";
  std::string heads = "tensor<" + b + "x2x" + t + "x8xf32>";
  std::string bias = "tensor<" + b + "x1x" + t + "x" + t + "xf32>";
  std::string logits = "tensor<" + b + "x" + t + "x23xf32>";
  std::string lse = "tensor<" + b + "x2x" + t + "xf32>";
  std::string rows = "tensor<" + b + "x" + t + "xf32>";
  std::string text =
      "func.func @loss(%e: tensor<23x16xf32> {tt.param = \"e\", tt.init = \"normal:0.5\"}, "
      "%w: tensor<16x48xf32> {tt.param = \"w\", tt.init = \"normal:0.5\"}, "
      "%h: tensor<16x23xf32> {tt.param = \"h\", tt.init = \"normal:0.5\"}, "
      "%i: " + ids + " {tt.input = \"tokens\"}, %t: " + ids + " {tt.input = \"targets\"}";
  if (form.segments)
    text += ", %s: " + ids + " {tt.input = \"segments\", tt.index_limit = 4}";
  if (form.bias)
    text += ", %b: " + bias + " {tt.input = \"bias\"}";
  text += ") -> (tensor<f32> {tt.output = \"loss\"}) {\n";
  text += "%x = tt.embedding %e, %i : (tensor<23x16xf32>, " + ids + ") -> " + flat + "\n";
  text += "%a = tt.linear in_out %x, %w : (" + flat + ", tensor<16x48xf32>) -> tensor<" + b +
          "x" + t + "x48xf32>\n";
  for (auto [name, start] : {std::pair("q", 0), {"k", 16}, {"v", 32}})
    text += llvm::formatv(
        "%{0}0 = tt.slice %a dim = 2 start = {1} size = 16 : (tensor<{2}x{3}x48xf32>) -> {4}\n"
        "%{0}1 = tt.reshape %{0}0 : {4} -> {5}\n"
        "%{0} = tt.transpose %{0}1 permutation = [0, 2, 1, 3] : ({5}) -> {6}\n",
        name, start, b, t, flat, split, heads);
  text += "%o, %l = tt.attention %q, %k, %v";
  text += std::string(form.segments ? " segments(%s, %s)" : "") +
          (form.bias ? " bias(%b)" : "") + (form.causal ? " causal" : "");
  text += " scale = 0.4 : (" + heads + ", " + heads + ", " + heads +
          (form.segments ? ", " + ids + ", " + ids : "") + (form.bias ? ", " + bias : "") +
          ") -> (" + heads + ", " + lse + ")\n";
  text += llvm::formatv("%o1 = tt.transpose %o permutation = [0, 2, 1, 3] : ({0}) -> {1}\n"
                        "%o2 = tt.reshape %o1 : {1} -> {2}\n"
                        "%y = tt.add %x, %o2 : {2}\n"
                        "%z = tt.linear in_out %y, %h : ({2}, tensor<16x23xf32>) -> {3}\n"
                        "%loss, %r = tt.cross_entropy mean %z, %t : ({3}, {4}) -> "
                        "(tensor<f32>, {5})\nreturn %loss : tensor<f32>\n}\n",
                        heads, split, flat, logits, ids, rows);
  return text;
}

/// Tokens and targets of documents of lengths `lengths`, each a row that is filled up to
/// `length` with tokens whose targets do not count.
struct Rows {
  std::vector<int64_t> tokens, targets, segments; // 0 inside, 1 behind the end
  int64_t batch, length;

  Rows(const std::vector<int64_t> &lengths, int64_t length)
      : batch(lengths.size()), length(length) {
    for (int64_t row = 0; row < batch; ++row) {
      reference::Random random(row + 3);
      for (int64_t t = 0; t < length; ++t) {
        bool isIn = t < lengths[row];
        int64_t token = random.integer(0, kWords), target = random.integer(0, kWords);
        tokens.push_back(isIn ? token : (5 * t + row) % kWords);
        targets.push_back(isIn ? target : kIgnored);
        segments.push_back(isIn ? 0 : 1);
      }
    }
  }
  NamedValues with(NamedValues values) const {
    values["tokens"] = integers({batch, length}, tokens);
    values["targets"] = integers({batch, length}, targets);
    values["segments"] = integers({batch, length}, segments);
    return values;
  }
  /// 0 on keys inside, -inf on those behind the end.
  HostTensor bias() const {
    reference::Tensor<double> value({batch, 1, length, length});
    for (int64_t i = 0; i < value.size(); ++i)
      if (segments[i / (length * length) * length + i % length])
        value[i] = -std::numeric_limits<double>::infinity();
    return value;
  }
};

/// Values for the parameters, and step and seed.
NamedValues parameters() {
  reference::Random random(1);
  NamedValues values;
  values["step"] = integers({}, {1});
  values["seed"] = integers({}, {0});
  for (auto [name, rows, columns] :
       {std::tuple("e", 23, 16), std::tuple("w", 16, 48), std::tuple("h", 16, 23)}) {
    reference::Tensor<double> value({rows, columns});
    for (double &x : value.data)
      x = float(random.between(-0.5, 0.5));
    values[name] = std::move(value);
  }
  return values;
}

class AttentionPadding : public testing::Test {
protected:
  /// Loss and gradients of `form` on `values` are those of `exact` without hidden keys.
  void expectEqual(const Form &form, const NamedValues &values, const Form &exact,
                   const NamedValues &exactValues);

  mlir::MLIRContext context;
};

void AttentionPadding::expectEqual(const Form &form, const NamedValues &values,
                                   const Form &exact, const NamedValues &exactValues) {
  CompiledGraph graph(context, graphOf(form)), other(context, graphOf(exact));
  ASSERT_FALSE(HasFailure());
  NamedValues wanted = other.gradients(exactValues);
  auto expected = other.expected(exactValues);
  expectNear(graph.gradients(values), wanted, expected);
  // Hidden keys that are not hidden are seen.
  NamedValues seen = values;
  for (int64_t &id : seen["segments"].ints().data)
    id = 0;
  if (form.bias)
    for (double &x : seen["bias"].floats().data)
      x = 0;
  std::string text;
  EXPECT_GT(countApart(graph.gradients(seen), wanted, expected, text), 0u);
}

TEST_F(AttentionPadding, segmentsHidePaddedKeys) {
  NamedValues weights = parameters();
  expectEqual({2, 37, false, /*segments=*/true}, Rows({19, 19}, 37).with(weights), {2, 19},
              Rows({19, 19}, 19).with(weights));
}

TEST_F(AttentionPadding, biasHidesPaddedKeys) {
  NamedValues weights = parameters();
  Rows padded({19, 19}, 37);
  NamedValues values = padded.with(weights);
  values["bias"] = padded.bias();
  expectEqual({2, 37, false, false, /*bias=*/true}, values, {2, 19},
              Rows({19, 19}, 19).with(weights));
}

/// Two ways to hide the same keys.
TEST_F(AttentionPadding, biasEqualsSegments) {
  NamedValues weights = parameters();
  Rows padded({11, 30}, 37);
  NamedValues values = padded.with(weights);
  values["bias"] = padded.bias();
  expectEqual({2, 37, false, false, /*bias=*/true}, values,
              {2, 37, false, /*segments=*/true}, values);
}

/// Documents behind each other in one row, told apart by segment ids, and each in a row
/// of its own.
TEST_F(AttentionPadding, packedEqualsApart) {
  NamedValues weights = parameters();
  Rows apart({11, 23}, 23);
  NamedValues packed = weights;
  std::vector<int64_t> tokens, targets, segments;
  for (auto [row, length] : {std::pair(0, 11), {1, 23}})
    for (int64_t t = 0; t < length; ++t) {
      tokens.push_back(apart.tokens[row * 23 + t]);
      targets.push_back(apart.targets[row * 23 + t]);
      segments.push_back(row);
    }
  packed["tokens"] = integers({1, 34}, tokens);
  packed["targets"] = integers({1, 34}, targets);
  packed["segments"] = integers({1, 34}, segments);
  for (bool causal : {false, true})
    expectEqual({1, 34, causal, true}, packed, {2, 23, causal, true}, apart.with(weights));
}

} // namespace

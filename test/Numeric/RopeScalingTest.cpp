//===- RopeScalingTest.cpp - Frequencies of scaled rotary embeddings ------===//
//
// The wanted values are transformers' own in f64: test/Frontend/Inputs/
// rope_frequencies.py prints them.
//
//===----------------------------------------------------------------------===//
#include "Program.h"

#include <cmath>

using namespace tt::test;
using namespace tt::reference;

/// The angle of every pair at position 1: the pairs (1, 0) are turned by it.
static std::vector<double> anglesOf(int64_t size, const std::string &attributes) {
  std::string t = "tensor<1x" + std::to_string(size) + "xf64>";
  Program program("func.func @f(%x: " + t + ", %p: tensor<1xi32>) -> " + t +
                  " { %y = tt.rope half_split %x positions(%p) " + attributes + " : (" + t +
                  ", tensor<1xi32>) -> " + t + " return %y : " + t + " }");
  Tensor<double> pairs({1, size});
  for (int64_t i = 0; i < size / 2; ++i)
    pairs[i] = 1;
  auto turned = program.run({pairs, ints({1}, {1})})[0];
  std::vector<double> angles;
  for (int64_t i = 0; i < size / 2; ++i)
    angles.push_back(std::atan2(turned.floats()[i + size / 2], turned.floats()[i]));
  return angles;
}

static void expectAngles(const std::vector<double> &found,
                         const std::vector<double> &wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i] / wanted[i], 1, 1e-14) << "pair " << i;
}

TEST(RopeScalingTest, linear) {
  expectAngles(anglesOf(16, "theta = 1.0e4 scaling linear(4.0)"), {
    0.25, 0.07905694150420949, 0.025,
    0.007905694150420948, 0.0025, 0.0007905694150420947,
    0.00025, 7.905694150420948e-05,
  });
}

TEST(RopeScalingTest, llama3) {
  expectAngles(anglesOf(64, "theta = 5.0e5 scaling llama3(8.0, 1.0, 4.0, 8192)"), {
    1.0, 0.6636012376960885, 0.44036660267178046,
    0.2922278225730151, 0.19392274474868576, 0.12868737343265052,
    0.08539710028576561, 0.056669621445291044, 0.03760603093086393,
    0.024955408670558694, 0.016560440080994446, 0.010989528534539826,
    0.0072926647372171085, 0.004839421345719893, 0.0032114459947525913,
    0.001371893567761138, 0.0005248461609929547, 0.00017850781276799638,
    7.78465527393245e-05, 5.165906874818956e-05, 3.428102195952591e-05,
    2.2748928601828183e-05, 1.509621717643313e-05, 1.0017868402809974e-05,
    6.647869871181236e-06, 4.411534674558404e-06, 2.9274998701761677e-06,
    1.942692537204043e-06, 1.2891731721515574e-06, 8.55496912644366e-07,
    5.677088100759837e-07, 3.7673226901739635e-07,
  });
  expectAngles(anglesOf(32, "theta = 1.0e4 scaling llama3(32.0, 1.0, 4.0, 512)"), {
    1.0, 0.5623413251903491, 0.31622776601683794,
    0.17782794100389226, 0.1, 0.056234132519034905,
    0.017090307415702256, 0.0031344481219950002, 0.0003125,
    0.0001757316641219841, 9.882117688026184e-05, 5.557123156371634e-05,
    3.125e-05, 1.757316641219841e-05, 9.882117688026186e-06,
    5.5571231563716334e-06,
  });
}

// The base grows so that the slowest pair turns s times slower, the fastest the same.
TEST(RopeScalingTest, ntk) {
  std::vector<double> plain = anglesOf(16, "theta = 1.0e4");
  std::vector<double> scaled = anglesOf(16, "theta = 1.0e4 scaling ntk(4.0)");
  EXPECT_NEAR(scaled.front() / plain.front(), 1, 1e-14);
  EXPECT_NEAR(scaled.back() / plain.back(), 0.25, 1e-14);
  EXPECT_EQ(anglesOf(2, "theta = 1.0e4 scaling ntk(4.0)"), anglesOf(2, "theta = 1.0e4"));
}

// Positions per sample: each row of the batch turns by its own.
TEST(RopeScalingTest, positionsPerSample) {
  Program both(R"(func.func @f(%x: tensor<2x3x2x4xf64>, %p: tensor<2x2xi32>) -> tensor<2x3x2x4xf64> {
    %y = tt.rope interleaved %x positions(%p) theta = 100.0 : (tensor<2x3x2x4xf64>, tensor<2x2xi32>) -> tensor<2x3x2x4xf64>
    return %y : tensor<2x3x2x4xf64> })");
  Program one(R"(func.func @f(%x: tensor<3x2x4xf64>, %p: tensor<2xi32>) -> tensor<3x2x4xf64> {
    %y = tt.rope interleaved %x positions(%p) theta = 100.0 : (tensor<3x2x4xf64>, tensor<2xi32>) -> tensor<3x2x4xf64>
    return %y : tensor<3x2x4xf64> })");
  Tensor<double> x = pattern(37, 11, {2, 3, 2, 4});
  std::vector<double> wanted;
  for (int64_t b = 0; b < 2; ++b) {
    Tensor<double> part({3, 2, 4});
    std::copy_n(x.data.begin() + b * 24, 24, part.data.begin());
    auto turned = one.run({part, ints({2}, b ? std::vector<int64_t>{7, 131071}
                                             : std::vector<int64_t>{0, 5})})[0];
    wanted.insert(wanted.end(), turned.floats().data.begin(), turned.floats().data.end());
  }
  expectNear(both.run({x, ints({2, 2}, {0, 5, 7, 131071})})[0], wanted, 0);
}

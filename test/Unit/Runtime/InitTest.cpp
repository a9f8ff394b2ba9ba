#include "Bound.h"

#include "Normal.h"

#include <cmath>
#include <xmmintrin.h>

using namespace tt::runtime;
using namespace tt::runtime::test;

namespace {

/// A model of parameters only; regions are laid out here.
struct ParameterModel {
  void add(const char *name, tt_dtype dtype, uint64_t elementBytes,
           int64_t elements, uint32_t init, double scale = 0) {
    tt_tensor_row row = {};
    row.name = name;
    row.dtype = dtype;
    row.rank = 1;
    row.shape[0] = elements;
    row.region = TT_REGION_PARAMETERS;
    row.init = init;
    row.offset = model.parameter_bytes;
    row.bytes = elements * elementBytes;
    row.init_scale = scale;
    rows.push_back(row);
    model.parameter_bytes += (row.bytes + 63) / 64 * 64;
  }

  /// The parameter region after tt_init.
  std::vector<char> init(uint32_t threads, uint64_t seed) {
    model.magic = TT_MODEL_MAGIC;
    model.abi_version = TT_ABI_VERSION;
    model.struct_size = sizeof(model);
    model.name = "parameters";
    model.hash = "0";
    model.parameters = rows.data();
    model.num_parameters = rows.size();
    model.max_threads = 64;
    model.isa_mask = 1u << TT_ISA_V3;
    Memory regions(&model, threads);
    tt_memory memory = regions.get();
    tt_instance *instance;
    EXPECT_EQ(tt_model_bind(&model, &memory, &regions.options, &instance),
              TT_OK)
        << tt_last_error();
    EXPECT_EQ(tt_init(instance, seed), TT_OK);
    tt_release(instance);
    EXPECT_TRUE(regions.areCanariesIntact());
    char *data = regions.parameters->data();
    return std::vector<char>(data, data + model.parameter_bytes);
  }

  template <typename T> const T *at(const std::vector<char> &bytes, int i) {
    return reinterpret_cast<const T *>(bytes.data() + rows[i].offset);
  }

  tt_model_desc model = {};
  std::vector<tt_tensor_row> rows;
};

} // namespace

TEST(Init, ValuesByKind) {
  Bound bound(2);
  ASSERT_EQ(tt_init(bound.handle, 1), TT_OK);
  uint16_t b[5];
  ASSERT_EQ(tt_param_get(bound.handle, TINY_B, b, 10), TT_OK);
  for (uint16_t one : b)
    EXPECT_EQ(one, 0x3f80);
  float scale;
  int64_t step;
  float m[TINY_VOCABULARY * TINY_WIDTH];
  ASSERT_EQ(tt_state_get(bound.handle, TINY_SCALE, &scale, 4), TT_OK);
  ASSERT_EQ(tt_state_get(bound.handle, TINY_STEP, &step, 8), TT_OK);
  ASSERT_EQ(tt_state_get(bound.handle, TINY_M, m, sizeof(m)), TT_OK);
  EXPECT_EQ(scale, 65536.0f);
  EXPECT_EQ(step, 0);
  for (float value : m)
    EXPECT_EQ(value, 0.0f);
}

TEST(Init, OneInEveryType) {
  ParameterModel model;
  model.add("f64", TT_F64, 8, 3, TT_INIT_ONE);
  model.add("f32", TT_F32, 4, 3, TT_INIT_ONE);
  model.add("f16", TT_F16, 2, 3, TT_INIT_ONE);
  model.add("i64", TT_I64, 8, 3, TT_INIT_ONE);
  model.add("i32", TT_I32, 4, 3, TT_INIT_ONE);
  model.add("i8", TT_I8, 1, 3, TT_INIT_ONE);
  model.add("i1", TT_I1, 1, 3, TT_INIT_ONE);
  std::vector<char> bytes = model.init(1, 0);
  EXPECT_EQ(model.at<double>(bytes, 0)[2], 1.0);
  EXPECT_EQ(model.at<float>(bytes, 1)[2], 1.0f);
  EXPECT_EQ(model.at<uint16_t>(bytes, 2)[2], 0x3c00);
  EXPECT_EQ(model.at<int64_t>(bytes, 3)[2], 1);
  EXPECT_EQ(model.at<int32_t>(bytes, 4)[2], 1);
  EXPECT_EQ(model.at<int8_t>(bytes, 5)[2], 1);
  EXPECT_EQ(model.at<int8_t>(bytes, 6)[2], 1);
}

TEST(Init, SameBitsForAnyThreadsAndModeOfTheCaller) {
  ParameterModel model;
  model.add("a", TT_F32, 4, 100001, TT_INIT_NORMAL, 0.02);
  model.add("b", TT_F64, 8, 70000, TT_INIT_UNIFORM, 0.5);
  model.add("c", TT_BF16, 2, 33333, TT_INIT_NORMAL, 1);
  std::vector<char> one = model.init(1, 99);
  for (uint32_t threads : {2u, 3u, 16u})
    EXPECT_EQ(model.init(threads, 99), one) << threads;
  unsigned kept = _mm_getcsr();
  _mm_setcsr(kept | 0x6000); // round to zero
  std::vector<char> odd = model.init(2, 99);
  _mm_setcsr(kept);
  EXPECT_EQ(odd, one);
  EXPECT_NE(model.init(1, 98), one);
}

TEST(Init, NormalHasItsMoments) {
  ParameterModel model;
  const int n = 1000000;
  model.add("a", TT_F32, 4, n, TT_INIT_NORMAL, 2.0);
  model.add("b", TT_F32, 4, n, TT_INIT_NORMAL, 2.0);
  std::vector<char> bytes = model.init(2, 5);
  const float *a = model.at<float>(bytes, 0), *b = model.at<float>(bytes, 1);
  double sum = 0, square = 0, fourth = 0, product = 0, neighbour = 0;
  int beyond3 = 0;
  for (int i = 0; i < n; ++i) {
    double x = a[i] / 2;
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    product += x * b[i] / 2;
    neighbour += i % 2 ? x * a[i - 1] / 2 : 0;
    beyond3 += std::fabs(x) > 3;
  }
  // Five standard errors each.
  EXPECT_NEAR(sum / n, 0, 5e-3);
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96.0 / n));
  EXPECT_NEAR(product / n, 0, 5e-3) << "tensors are independent";
  EXPECT_NEAR(neighbour / (n / 2), 0, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(beyond3, 0.0026998 * n, 5 * std::sqrt(0.0027 * n));
}

TEST(Init, UniformStaysInRange) {
  ParameterModel model;
  model.add("a", TT_F64, 8, 200000, TT_INIT_UNIFORM, 0.25);
  std::vector<char> bytes = model.init(2, 5);
  const double *a = model.at<double>(bytes, 0);
  double sum = 0, square = 0, low = 1, high = -1;
  for (int i = 0; i < 200000; ++i) {
    sum += a[i];
    square += a[i] * a[i];
    low = std::min(low, a[i]);
    high = std::max(high, a[i]);
  }
  EXPECT_GE(low, -0.25);
  EXPECT_LT(high, 0.25);
  EXPECT_LT(low, -0.2499);
  EXPECT_GT(high, 0.2499);
  EXPECT_NEAR(sum / 200000, 0, 2e-3);
  EXPECT_NEAR(square / 200000, 0.0625 / 3, 3e-4);
}

/// By comparing distances to the neighbours; ties go to the even one.
static uint16_t nearestBf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  uint32_t below = bits & 0xffff0000, above = below + 0x10000;
  float low, high;
  memcpy(&low, &below, 4);
  memcpy(&high, &above, 4);
  double toLow = std::fabs(double(value) - low);
  double toHigh = std::fabs(double(high) - value);
  bool takeLow = toLow < toHigh || (toLow == toHigh && (below >> 16) % 2 == 0);
  return (takeLow ? below : above) >> 16;
}

// f16 and bf16 are roundings of the f32 values, so the same tensor in several
// types tests the conversions: a tensor's values depend on its index.
TEST(Init, HalfPrecisionIsTheRoundedF32) {
  const int n = 50000;
  for (double scale : {1.0, 1e-5, 3e-8, 30000.0}) {
    ParameterModel f32, f16, bf16;
    f32.add("a", TT_F32, 4, n, TT_INIT_NORMAL, scale);
    f16.add("a", TT_F16, 2, n, TT_INIT_NORMAL, scale);
    bf16.add("a", TT_BF16, 2, n, TT_INIT_NORMAL, scale);
    std::vector<char> a = f32.init(1, 3), b = f16.init(1, 3),
                      c = bf16.init(1, 3);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      float value = f32.at<float>(a, 0)[i];
      _Float16 half = static_cast<_Float16>(value);
      wrong += memcmp(&half, f16.at<char>(b, 0) + 2 * i, 2) != 0;
      wrong += nearestBf16(value) != bf16.at<uint16_t>(c, 0)[i];
    }
    EXPECT_EQ(wrong, 0) << scale;
  }
}

TEST(Normal, AgreesWithLibm) {
  double worst = 0;
  for (uint32_t i = 0; i < 200000; ++i) {
    PhiloxBlock bits = philox4x32({{i, 0, 0, 0}}, 1, 2);
    if (i < 64) // small u: the tail
      bits.word[0] = i < 32 ? 0 : 1u << (i - 32);
    if (i < 40) // multiples of an eighth turn
      bits.word[2] = (i & 7) << 29, bits.word[3] = 0;
    double first, second;
    normalPair(bits, first, second);
    double u = uniform53(bits.word[0], bits.word[1]) + 0x1p-53;
    long double r = sqrtl(-2 * logl((long double)u));
    long double turn = 6.283185307179586476925286766559L *
                       uniform53(bits.word[2], bits.word[3]);
    worst = std::max<double>(worst, fabsl(first - r * cosl(turn)));
    worst = std::max<double>(worst, fabsl(second - r * sinl(turn)));
  }
  EXPECT_LT(worst, 4e-15);
}

TEST(Normal, EndsOfTheRange) {
  double first, second;
  normalPair({{~0u, ~0u, 0, 0}}, first, second); // u = 1: radius 0
  EXPECT_EQ(first, 0.0);
  EXPECT_EQ(second, 0.0);
  normalPair({{0, 0, 0, 0}}, first, second); // u = 2^-53: the longest
  EXPECT_NEAR(first, std::sqrt(2 * 53 * std::log(2.0)), 1e-14);
  EXPECT_EQ(second, 0.0);
}

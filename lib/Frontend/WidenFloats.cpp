// Reading a checkpoint's float types as f32 or f64.
#include "WidenFloats.h"

#include <cmath>
#include <cstring>

using namespace tt::frontend;
using tt::runtime::SafetensorsDtype;

bool tt::frontend::widensTo(SafetensorsDtype from, bool toF64) {
  return from == SafetensorsDtype::F32 || from == SafetensorsDtype::BF16 ||
         from == SafetensorsDtype::F16 ||
         (toF64 && from == SafetensorsDtype::F64);
}

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static float fromHalf(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t exponent = (bits >> 10) & 31, fraction = bits & 0x3ff;
  if (exponent == 31) // infinity, or NaN with its payload
    return fromBits(sign | 0x7f800000 | fraction << 13);
  if (exponent != 0)
    return fromBits(sign | (exponent + 112) << 23 | fraction << 13);
  float tiny = float(fraction) * 0x1p-24f; // exact: at most 10 bits
  return sign ? -tiny : tiny;
}

template <typename From, typename To, typename Convert>
static uint64_t convertAll(std::vector<char> &raw, Convert convert) {
  size_t count = raw.size() / sizeof(From);
  std::vector<char> out(count * sizeof(To));
  uint64_t bad = 0;
  for (size_t i = 0; i < count; ++i) {
    From from;
    std::memcpy(&from, raw.data() + i * sizeof from, sizeof from);
    To to = To(convert(from));
    bad += !std::isfinite(to);
    std::memcpy(out.data() + i * sizeof to, &to, sizeof to);
  }
  raw = std::move(out);
  return bad;
}

template <typename To>
static uint64_t widenTo(std::vector<char> &raw, SafetensorsDtype from) {
  switch (from) {
  case SafetensorsDtype::BF16:
    return convertAll<uint16_t, To>(
        raw, [](uint16_t bits) { return fromBits(uint32_t(bits) << 16); });
  case SafetensorsDtype::F16:
    return convertAll<uint16_t, To>(raw, fromHalf);
  case SafetensorsDtype::F32:
    return convertAll<float, To>(raw, [](float value) { return value; });
  default:
    return convertAll<double, To>(raw, [](double value) { return value; });
  }
}

uint64_t tt::frontend::widenFloats(std::vector<char> &raw,
                                   SafetensorsDtype from, bool toF64) {
  return toF64 ? widenTo<double>(raw, from) : widenTo<float>(raw, from);
}

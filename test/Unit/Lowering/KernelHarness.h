//===- KernelHarness.h - Runs tt.kernel text in tests -----------*- C++ -*-===//
#ifndef TT_TEST_UNIT_LOWERING_KERNELHARNESS_H
#define TT_TEST_UNIT_LOWERING_KERNELHARNESS_H

#include "tt/IR/TTOps.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace tt::cpu {

class LoadedKernel;
struct Target;

/// The bytes of one operand between two canaries, 64-byte aligned.
class OperandBuffer {
public:
  explicit OperandBuffer(size_t bytes = 0, uint8_t fill = 0xff);
  template <typename T>
  static OperandBuffer of(const std::vector<T> &values) {
    OperandBuffer buffer(values.size() * sizeof(T));
    std::memcpy(buffer.data(), values.data(), buffer.bytes());
    return buffer;
  }
  OperandBuffer(const OperandBuffer &other) : OperandBuffer(other.size) {
    std::memcpy(data(), other.data(), size);
  }
  OperandBuffer &operator=(const OperandBuffer &other);

  void *data() const;
  size_t bytes() const { return size; }
  template <typename T> const T *as() const {
    return static_cast<const T *>(data());
  }
  float operator[](int64_t i) const { return as<float>()[i]; }
  bool isIntact() const;
  bool operator==(const OperandBuffer &other) const {
    return size == other.size && std::memcmp(data(), other.data(), size) == 0;
  }

private:
  size_t size;
  std::vector<uint8_t> storage;
};

class KernelTest : public ::testing::Test {
protected:
  KernelTest();

  /// Emits the kernel for all levels and runs it: in order, in two random
  /// orders, and once for each legal in-place pair. Fails unless all runs
  /// give the same bits. Returns the results' storage.
  std::vector<OperandBuffer> run(const std::string &text,
                                 std::vector<OperandBuffer> arguments);
  /// The only kernel of the text, emitted for one target; null after a failure.
  std::unique_ptr<LoadedKernel> load(const std::string &text, const Target &target);
  /// The diagnostic that emission gives; "" if there is none.
  std::string refusal(const std::string &text);

  static std::unique_ptr<LoadedKernel> load(tt::KernelOp kernel, const Target &target);
  static std::vector<float> random(int64_t count, unsigned seed,
                                   float scale = 1.0f);
  static OperandBuffer randomBuffer(int64_t count, unsigned seed,
                                    float scale = 1.0f) {
    return OperandBuffer::of(random(count, seed, scale));
  }
  static OperandBuffer ids(int64_t count, int64_t limit, unsigned seed);

  mlir::MLIRContext context;
  size_t inPlacePairs = 0; // of the last run
};

/// |got - want| <= tolerance * max(1, |want|).
void expectNear(double got, double want, double tolerance, int64_t at);

} // namespace tt::cpu

#endif // TT_TEST_UNIT_LOWERING_KERNELHARNESS_H

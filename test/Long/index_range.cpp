//===- index_range.cpp - Kernels on tensors of more than 2^31 elements ----===//
//
// RF-31 with real memory, in f32: the lookup of rows around offset 2^31 of a table, the
// scatter of their gradients, and softmax and cross entropy whose last rows start behind
// it. What is only read is mapped and mostly never written, which costs no memory; one
// result at a time is whole, 9.4 GB. Exit status 77 below 20 GiB of available memory.
//
//===----------------------------------------------------------------------===//
#include "KernelRunner.h"

#include "tt/IR/TTOps.h"
#include "tt/Lowering/CPU/EmitKernel.h"

#include "mlir/Parser/Parser.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

using namespace mlir;
using namespace tt;
using namespace tt::cpu;

namespace {

constexpr int64_t kRows = 262144, kWidth = 8960;     // of the table
constexpr int64_t kTokens = 65536, kClasses = 32769; // of the logits
constexpr int32_t kLookups[] = {239673, 239674, 255999};

int failures = 0;

void expectNear(const char *what, double found, double wanted) {
  if (std::fabs(found - wanted) <= 1e-5 * (1 + std::fabs(wanted)))
    return;
  std::printf("FAIL %s: found %.9g, wanted %.9g\n", what, found, wanted);
  ++failures;
}

/// Zeros that take memory where they are written.
class Pages {
public:
  explicit Pages(int64_t count) : bytes(count * int64_t(sizeof(float))) {
    void *place = mmap(nullptr, size_t(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    floats = place == MAP_FAILED ? nullptr : static_cast<float *>(place);
    if (!floats) {
      std::perror("mmap");
      std::exit(1);
    }
  }
  ~Pages() { munmap(floats, size_t(bytes)); }
  Pages(const Pages &) = delete;
  float *data() { return floats; }
  float &operator[](int64_t i) { return floats[i]; }

private:
  int64_t bytes;
  float *floats;
};

int64_t availableKilobytes() {
  long kilobytes = 0;
  char line[128];
  std::FILE *file = std::fopen("/proc/meminfo", "r");
  while (file && std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "MemAvailable: %ld kB", &kilobytes) == 1)
      break;
  if (file)
    std::fclose(file);
  return kilobytes;
}

/// Compiles and runs one kernel at the host's highest level.
void run(MLIRContext &context, const std::string &signature, const std::string &body,
         const char *anchor, const std::vector<void *> &operands) {
  std::string text = "tt.kernel @k" + signature + " attributes {anchor = \"" + anchor +
                     "\", numerics = {}, schedule = {}} {\n" + body + "\n}\n";
  const Target &target =
      getTarget(hostSupports(getTarget(TT_ISA_V4)) ? TT_ISA_V4 : TT_ISA_V3);
  OwningOpRef<ModuleOp> source = parseSourceString<ModuleOp>(text, &context);
  OwningOpRef<ModuleOp> module(ModuleOp::create(UnknownLoc::get(&context)));
  EmittedKernel emitted;
  if (!source ||
      failed(emitKernel(*source->getOps<KernelOp>().begin(), target, "", *module, emitted)))
    std::exit(1);
  LoadedKernel loaded(*module, target, emitted);
  if (!loaded.error().empty()) {
    std::printf("%s\n", loaded.error().c_str());
    std::exit(1);
  }
  loaded.run(operands);
}

void checkLookup(MLIRContext &context) {
  Pages table(kRows * kWidth), rows(3 * kWidth);
  for (int32_t row : kLookups)
    for (int64_t i = 0; i < kWidth; ++i)
      table[row * kWidth + i] = float(row % 128);
  run(context, "(%t: tensor<262144x8960xf32>, %i: tensor<3xi32>) -> tensor<3x8960xf32>",
      "%y = tt.embedding %t, %i : (tensor<262144x8960xf32>, tensor<3xi32>) -> "
      "tensor<3x8960xf32>\ntt.yield %y : tensor<3x8960xf32>",
      "elementwise", {table.data(), const_cast<int32_t *>(kLookups), rows.data()});
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t i : {int64_t(0), kWidth - 1})
      expectNear("a looked up row", rows[row * kWidth + i], kLookups[row] % 128);
}

void checkScatter(MLIRContext &context) {
  Pages gradient(3 * kWidth), table(kRows * kWidth);
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t i = 0; i < kWidth; ++i)
      gradient[row * kWidth + i] = float(row + 1);
  run(context, "(%i: tensor<3xi32>, %d: tensor<3x8960xf32>) -> tensor<262144x8960xf32>",
      "%y = tt.embedding_bwd %i, %d rows = 262144 : (tensor<3xi32>, tensor<3x8960xf32>) -> "
      "tensor<262144x8960xf32>\ntt.yield %y : tensor<262144x8960xf32>",
      "scatter", {const_cast<int32_t *>(kLookups), gradient.data(), table.data()});
  double sum = 0;
  for (int64_t i = 0; i < kRows * kWidth; ++i)
    sum += table[i];
  expectNear("the sum of all gradients", sum, 6.0 * kWidth);
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t i : {int64_t(0), kWidth - 1})
      expectNear("the gradient of a row", table[kLookups[row] * kWidth + i], double(row + 1));
}

void checkSoftmax(MLIRContext &context) {
  Pages logits(kTokens * kClasses), result(kTokens * kClasses);
  logits[kTokens * kClasses - 1] = 10;
  run(context, "(%x: tensor<65536x32769xf32>) -> tensor<65536x32769xf32>",
      "%y = tt.softmax %x : tensor<65536x32769xf32>\ntt.yield %y : tensor<65536x32769xf32>",
      "row", {logits.data(), result.data()});
  for (int64_t row = 0; row < kTokens; ++row) {
    double sum = 0;
    for (int64_t i = 0; i < kClasses; ++i)
      sum += result[row * kClasses + i];
    expectNear("the sum of a row of softmax", sum, 1);
  }
  double power = std::exp(10.0);
  expectNear("the last element of softmax", result[kTokens * kClasses - 1],
             power / (power + double(kClasses - 1)));
}

void checkCrossEntropy(MLIRContext &context) {
  Pages logits(kTokens * kClasses), loss(kTokens), lse(kTokens);
  std::vector<int32_t> labels(kTokens, int32_t(kClasses - 1));
  logits[kTokens * kClasses - 1] = 10;
  run(context,
      "(%x: tensor<65536x32769xf32>, %t: tensor<65536xi32>) -> (tensor<65536xf32>, "
      "tensor<65536xf32>)",
      "%l, %s = tt.cross_entropy none %x, %t : (tensor<65536x32769xf32>, tensor<65536xi32>) "
      "-> (tensor<65536xf32>, tensor<65536xf32>)\n"
      "tt.yield %l, %s : tensor<65536xf32>, tensor<65536xf32>",
      "row", {logits.data(), labels.data(), loss.data(), lse.data()});
  for (int64_t row = 0; row + 1 < kTokens; ++row)
    expectNear("a loss", loss[row], std::log(double(kClasses)));
  expectNear("the last loss", loss[kTokens - 1],
             std::log(std::exp(10.0) + double(kClasses - 1)) - 10);
}

} // namespace

int main() {
  if (availableKilobytes() < 20 * (int64_t(1) << 20)) {
    std::printf("skipped: expected 20 GiB of available memory, found %.1f\n",
                double(availableKilobytes()) / (1 << 20));
    return 77;
  }
  DialectRegistry registry;
  registerKernelDialects(registry);
  registry.insert<TTDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  checkLookup(context);
  checkCrossEntropy(context);
  checkSoftmax(context);
  checkScatter(context);
  std::printf("%d values are wrong\n", failures);
  return failures ? 1 : 0;
}

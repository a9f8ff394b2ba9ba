//===- attention_emit.cpp - Attention kernels for the benchmark -----------===//
//
// attention_emit OUT.o SYMBOL forward|backward|split LEVEL B H Hk T S D CAUSAL
//                blockQ blockK
// writes the object file and prints one line per phase, "symbol tasks", and one
// with the bytes of worker scratch. Operands: q k v out lse dOut dq dk dv,
// dense.
//
//===----------------------------------------------------------------------===//
#include "mlir/IR/MLIRContext.h"
#include "tt/Lowering/CPU/Attention.h"
#include "tt/Lowering/CPU/Backend.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>

using namespace mlir;
using namespace tt::cpu;

static AttentionSpec readSpec(char **arguments) {
  AttentionSpec spec;
  int64_t *fields[] = {&spec.batch,   &spec.heads, &spec.kvHeads,
                       &spec.queries, &spec.keys,  &spec.headSize};
  for (int64_t *field : fields)
    *field = std::atoll(*arguments++);
  spec.causal = std::atoi(*arguments++);
  spec.blockQ = std::atoll(*arguments++);
  spec.blockK = spec.backwardBlockK = std::atoll(*arguments++);
  spec.scale = 1.0 / std::sqrt(double(spec.headSize));
  auto place = [&](HeadsOperand &operand, unsigned number, bool ofKeys) {
    operand =
        HeadsOperand::dense(number, ofKeys ? spec.kvHeads : spec.heads,
                            ofKeys ? spec.keys : spec.queries, spec.headSize);
  };
  place(spec.q, 0, false);
  place(spec.k, 1, true);
  place(spec.v, 2, true);
  place(spec.out, 3, false);
  spec.lseOperand = 4;
  place(spec.dOut, 5, false);
  place(spec.dq, 6, false);
  place(spec.dk, 7, true);
  place(spec.dv, 8, true);
  spec.numOperands = 9;
  return spec;
}

int main(int argc, char **argv) {
  if (argc != 14) {
    llvm::errs() << "attention_emit: expected 13 arguments, but got "
                 << argc - 1 << "\n";
    return 1;
  }
  StringRef direction = argv[3];
  const Target &target = getTarget(StringRef(argv[4]) == "v4" ? 1 : 0);
  AttentionSpec spec = readSpec(argv + 5);
  spec.splitBackward = direction == "split";

  DialectRegistry registry;
  registerKernelDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto emit =
      direction == "forward" ? emitAttentionForward : emitAttentionBackward;
  EmittedKernel kernel = emit(*module, loc, argv[2], target, spec);
  if (std::getenv("TT_PRINT_KERNEL"))
    module->dump();
  SmallVector<char> object;
  std::string error;
  if (failed(compileToObject(*module, target, object, error))) {
    llvm::errs() << "attention_emit: " << error << "\n";
    return 1;
  }
  std::error_code code;
  llvm::raw_fd_ostream stream(argv[1], code);
  if (code) {
    llvm::errs() << "attention_emit: cannot write " << argv[1] << "\n";
    return 1;
  }
  stream.write(object.data(), object.size());
  for (const EmittedPhase &phase : kernel.phases)
    llvm::outs() << phase.symbol << " " << phase.tasks << "\n";
  llvm::outs() << kernel.workerBytes << "\n";
  return 0;
}

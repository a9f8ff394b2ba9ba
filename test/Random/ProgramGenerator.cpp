//===- ProgramGenerator.cpp - Random valid tt programs --------------------===//
#include "ProgramGenerator.h"
#include "Layers.h"
#include "ProgramScope.h"

#include "tt/IR/TTOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

ProgramGenerator::ProgramGenerator(MLIRContext &context)
    : context(context), snippets(context) {}

OwningOpRef<ModuleOp> ProgramGenerator::generate(uint64_t seed) const {
  reference::Random random(seed * 0x9E3779B97F4A7C15u + 1);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ProgramScope program(*module, "loss", random);
  static const std::vector<int64_t> sizes = {1, 2, 3, 5, 7, 8, 13, 16, 17};
  SmallVector<int64_t> shape;
  for (int64_t i = random.integer(1, 4); i > 0; --i)
    shape.push_back(sizes[size_t(random.integer(0, int64_t(sizes.size())))]);
  auto type = RankedTensorType::get(shape, Float32Type::get(&context));
  program.addArgument(type, "x", {0, 2, false});

  int64_t count = random.integer(2, 10);
  int64_t layerAt = random.unit() < 0.4 ? random.integer(0, count) : -1;
  int64_t customAt = random.unit() < 0.15 ? random.integer(0, count) : -1;
  Layers layers(*module, snippets, type, random);
  for (int64_t i = 0; i < count; ++i) {
    if (i == layerAt)
      layers.useLayer(program);
    if (i == customAt)
      layers.useCustomRule(program);
    program.apply(snippets.any(random));
  }
  program.finish({program.lossOfAll()});
  program.function().setResultAttr(0, "tt.output",
                                   StringAttr::get(&context, "loss"));
  return module;
}

//===- ProgramGenerator.cpp - Random valid tt programs --------------------===//
#include "ProgramGenerator.h"
#include "ProgramScope.h"

#include "tt/IR/TTOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tt;
using namespace tt::test;

ProgramGenerator::ProgramGenerator(MLIRContext &context)
    : context(context), snippets(parseSnippets(context)) {}

/// A function of one value and more arguments that returns the value's type.
static func::FuncOp makeLayer(ModuleOp module, const std::vector<Snippet> &snippets,
                              RankedTensorType type, reference::Random &random) {
  ProgramScope layer(module, "layer", random);
  layer.function().setPrivate();
  Value x = layer.addArgument(type, "x", {0, 2, false});
  for (int64_t i = random.integer(1, 4); i > 0; --i)
    layer.apply(snippets[size_t(random.integer(0, int64_t(snippets.size())))]);
  // Values that nothing reads come back too.
  for (Value y : layer.unreadValues())
    x = layer.emit().add(x, layer.bounded(layer.adapt(y, type.getShape())));
  layer.finish({x});
  return layer.function();
}

/// Calls `layer` on a value two or three times in a row.
static void callLayer(ProgramScope &program, func::FuncOp layer,
                      reference::Random &random) {
  auto type = cast<RankedTensorType>(layer.getArgumentTypes().front());
  Value x = program.adapt(program.anyValue(), type.getShape());
  SmallVector<Value> shared;
  for (int64_t i = random.integer(2, 4); i > 0; --i) {
    bool newArguments = shared.empty() || random.unit() < 0.5;
    if (newArguments) {
      shared.clear();
      for (BlockArgument argument : layer.getArguments().drop_front())
        shared.push_back(program.addArgumentLike(layer, argument.getArgNumber()));
    }
    SmallVector<Value> operands{x};
    operands.append(shared);
    x = func::CallOp::create(program.emit().builder, layer.getLoc(), layer, operands)
            .getResult(0);
    program.addValue(x);
  }
}

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
  for (int64_t i = 0; i < count; ++i) {
    if (i == layerAt)
      callLayer(program, makeLayer(*module, snippets, type, random), random);
    program.apply(snippets[size_t(random.integer(0, int64_t(snippets.size())))]);
  }
  program.finish({program.lossOfAll()});
  program.function().setResultAttr(0, "tt.output",
                                   StringAttr::get(&context, "loss"));
  return module;
}

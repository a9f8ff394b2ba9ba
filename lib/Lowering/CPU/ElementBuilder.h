//===- ElementBuilder.h - Elements of a kernel's values, pulled -*- C++ -*-===//
//
// The one way in which prologues and epilogues become code: asked for a value
// at a position, the builder goes up to the arguments and emits loads, index
// maps and scalar formulas on 16 lanes. Nothing is stored in between.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_ELEMENTBUILDER_H
#define TT_LIB_LOWERING_CPU_ELEMENTBUILDER_H

#include "KernelSignature.h"
#include "LoopEmitter.h"
#include "Position.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace tt::cpu {

class ElementBuilder {
public:
  using Binding = std::function<mlir::Value(const Position &)>;

  ElementBuilder(LoopEmitter &emitter, const KernelJob &job)
      : e(emitter), math(emitter), job(job) {}

  /// True if element() can go through `op`; else `why` may say more.
  static bool canPull(mlir::Operation *op, std::string &why);

  /// The value at a position: a scalar if all lanes are alike, else 16 lanes.
  mlir::Value element(mlir::Value value, const Position &at);
  /// Always 16 lanes.
  mlir::Value lanes(mlir::Value value, const Position &at) {
    return spread(element(value, at));
  }
  mlir::Value spread(mlir::Value scalarOrLanes);

  /// Gives the elements of a value that the caller has: an anchor's results.
  void bind(mlir::Value value, Binding binding) {
    bindings[value] = std::move(binding);
  }
  void unbind(mlir::Value value) { bindings.erase(value); }

  /// The position's last index is the row-major number of the element, in
  /// every value, whatever its shape (see CollapseDims.h).
  void setLinear(bool value) { linear = value; }

  mlir::Value load(const StridedOperand &operand, const Position &at);
  void store(const StridedOperand &operand, const Position &at,
             mlir::Value value);

  /// Values pulled inside a scope are forgotten at its end. Open one wherever
  /// the insertion point enters a region.
  class Scope {
  public:
    explicit Scope(ElementBuilder &builder)
        : builder(builder), size(builder.memo.size()) {}
    ~Scope() { builder.memo.resize(size); }

  private:
    ElementBuilder &builder;
    size_t size;
  };

  /// Constants of the module, shared by all kernels that need the same.
  mlir::Value globalConstant(llvm::StringRef name, mlir::DenseElementsAttr data);

  /// The two words of a key.
  std::pair<mlir::Value, mlir::Value> keyWords(mlir::Value key);

private:
  mlir::Value build(mlir::Value value, const Position &at);
  mlir::Value buildConstant(ConstantOp op, const Position &at);
  mlir::Value buildIota(IotaOp op, const Position &at);
  mlir::Value buildPad(PadOp op, const Position &at);
  mlir::Value buildConcat(ConcatOp op, const Position &at);
  mlir::Value buildTake(TakeOp op, const Position &at);
  mlir::Value buildEmbedding(EmbeddingOp op, const Position &at);
  mlir::Value buildGatherRows(GatherRowsOp op, const Position &at);
  mlir::Value buildGatherAlong(GatherAlongOp op, const Position &at);
  mlir::Value buildOneHot(OneHotOp op, const Position &at);
  mlir::Value buildDropout(DropoutOp op, const Position &at);
  mlir::Value buildUniform(RandomUniformOp op, const Position &at);
  mlir::Value buildNormal(RandomNormalOp op, const Position &at);
  struct RandomStream;
  mlir::Value randomWord(const RandomStream &stream, const Position &at,
                         llvm::function_ref<int64_t(int64_t)> pick);
  mlir::Value buildRope(RopeOp op, const Position &at);
  mlir::Value ropePartner(RopeOp op, const Position &at);
  std::pair<mlir::Value, mlir::Value> ropeTables(RopeOp op, const Position &at);
  std::pair<mlir::Value, mlir::Value> ropeAtRunTime(RopeOp op,
                                                    const Position &at);
  mlir::Value buildKeyWord(mlir::Value key, const Position &at);
  mlir::Value buildScalarOp(ScalarOpInterface op, const Position &at);

  /// An index value at a position, as an index along a dimension of `size`:
  /// brought into range; `valid` says where it was in range.
  LaneIndex indexFrom(mlir::Value integers, int64_t size, mlir::Value &valid);
  /// valid ? value : 0
  mlir::Value orZero(mlir::Value valid, mlir::Value value);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value andMask(mlir::Value mask, mlir::Value condition);
  mlir::Value zero(mlir::Type type);
  /// From memory's i8 to i1 and back.
  mlir::Value fromStorage(mlir::Value value, mlir::Type element);
  mlir::Value toStorage(mlir::Value value);
  mlir::Value loadFlat(mlir::Value memref, const LaneIndex &at,
                       mlir::Value mask);

  struct MemoEntry {
    mlir::Value value;
    Position at;
    mlir::Value result;
  };

  LoopEmitter &e;
  LaneMath math;
  const KernelJob &job;
  llvm::DenseMap<mlir::Value, Binding> bindings;
  llvm::SmallVector<MemoEntry> memo;
  bool linear = false;
};

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_ELEMENTBUILDER_H

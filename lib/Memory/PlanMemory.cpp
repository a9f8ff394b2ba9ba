//===- PlanMemory.cpp - --tt-plan-memory ----------------------------------===//
#include "tt/Memory/ArenaPacker.h"
#include "tt/Memory/Passes.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace tt {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "tt/Memory/Passes.h.inc"
} // namespace tt

using namespace mlir;
using namespace tt;

namespace {

constexpr int64_t kAlignment = 64;

int64_t align(int64_t bytes) {
  return roundUp(bytes, kAlignment);
}

BufferOp rootOf(Value view) {
  return view.getDefiningOp<ViewOp>().getRoot().getDefiningOp<BufferOp>();
}

/// Bytes at the moment when most are alive, by kind.
struct Parts {
  int64_t gradient = 0, activation = 0, workspace = 0;
  int64_t sum() const { return gradient + activation + workspace; }
};

/// The arena of one step.
class StepPlanner {
public:
  StepPlanner(StepOp step, SymbolTable &symbols) : step(step), symbols(symbols) {}

  LogicalResult plan();
  int64_t height = 0, live = 0;
  unsigned shared = 0;
  Parts parts;

private:
  struct Life {
    int64_t begin = -1, end = -1;
    int64_t bytes = 0;
    StringRef kind;
  };

  void addWorkspaces();
  void findLives();
  void shareInPlace();
  Parts largestParts(ArrayRef<ArenaBlock> blocks, ArrayRef<StringRef> kinds);
  Operation *representative(Operation *root) {
    while (true) {
      auto found = sharedWith.find(root);
      if (found == sharedWith.end())
        return root;
      root = found->second;
    }
  }

  StepOp step;
  SymbolTable &symbols;
  SmallVector<LaunchOp> launches;
  llvm::MapVector<Operation *, Life> lives; // arena buffers
  DenseMap<Operation *, Operation *> sharedWith;
};

} // namespace

/// Gives each launch of a kernel with a workspace a buffer.
void StepPlanner::addWorkspaces() {
  OpBuilder builder(step.getContext());
  for (LaunchOp launch : step.getBody().getOps<LaunchOp>()) {
    launches.push_back(launch);
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    auto bytes = kernel ? kernel->getAttrOfType<IntegerAttr>("workspace_bytes")
                        : IntegerAttr();
    if (!bytes || bytes.getInt() == 0 || launch.getWorkspace())
      continue;
    builder.setInsertionPoint(launch);
    auto buffer = BufferOp::create(
        builder, launch.getLoc(), BufferType::get(step.getContext()),
        MemoryRegion::Arena, uint64_t(bytes.getInt()), StringAttr(),
        builder.getStringAttr("workspace"), IntegerAttr(), ElementsAttr());
    launch.getWorkspaceMutable().assign(buffer.getResult());
  }
}

void StepPlanner::findLives() {
  auto touch = [&](BufferOp root, int64_t time) {
    if (root.getRegion() != MemoryRegion::Arena)
      return;
    Life &life = lives[root];
    if (life.begin < 0) {
      life.begin = time;
      life.bytes = root.getBytes();
      life.kind = root.getKind().value_or("activation");
    }
    life.end = std::max(life.end, time);
  };
  for (auto [time, launch] : llvm::enumerate(launches)) {
    for (Value view : launch.getReads())
      touch(rootOf(view), time);
    for (Value view : launch.getWrites())
      touch(rootOf(view), time);
    if (Value workspace = launch.getWorkspace())
      touch(workspace.getDefiningOp<BufferOp>(), time);
  }
  // Outputs are read by the caller after the last launch.
  for (Value view : step.getBody().front().getTerminator()->getOperands())
    touch(rootOf(view), launches.size());
}

/// Lets a result take the buffer of an argument that dies at its launch.
void StepPlanner::shareInPlace() {
  for (auto [time, launch] : llvm::enumerate(launches)) {
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    auto pairs = kernel ? kernel->getAttrOfType<ArrayAttr>("in_place") : ArrayAttr();
    if (!pairs)
      continue;
    for (Attribute attr : pairs) {
      ArrayRef<int64_t> pair = cast<DenseI64ArrayAttr>(attr).asArrayRef();
      Value result = launch.getWrites()[pair[0]], argument = launch.getReads()[pair[1]];
      BufferOp from = rootOf(argument), to = rootOf(result);
      if (from.getRegion() != MemoryRegion::Arena ||
          to.getRegion() != MemoryRegion::Arena || from == to ||
          result.getType() != argument.getType() ||
          from.getBytes() != to.getBytes() ||
          result.getDefiningOp<ViewOp>().getByteOffset() !=
              argument.getDefiningOp<ViewOp>().getByteOffset())
        continue;
      Operation *old = representative(from);
      Life &oldLife = lives[old], &newLife = lives[to];
      // Every byte of the new root is first written here, and the old root is
      // read through this argument only.
      bool whole = cast<MemRefType>(result.getType()).getLayout().isIdentity() &&
                   result.getDefiningOp<ViewOp>().getByteOffset() == 0;
      unsigned uses = 0;
      for (Value view : launch.getReads())
        uses += representative(rootOf(view)) == old;
      if (!whole || uses != 1 || oldLife.end != int64_t(time) ||
          newLife.begin != int64_t(time) || sharedWith.count(to))
        continue;
      sharedWith[to] = old;
      oldLife.end = newLife.end;
      ++shared;
    }
  }
}

Parts StepPlanner::largestParts(ArrayRef<ArenaBlock> blocks, ArrayRef<StringRef> kinds) {
  std::vector<Parts> changes(launches.size() + 2);
  for (auto [block, kind] : llvm::zip_equal(blocks, kinds)) {
    int64_t Parts::*part = kind == "gradient"    ? &Parts::gradient
                           : kind == "workspace" ? &Parts::workspace
                                                 : &Parts::activation;
    changes[block.begin].*part += align(block.size);
    changes[block.end + 1].*part -= align(block.size);
  }
  Parts now, largest;
  for (const Parts &change : changes) {
    now.gradient += change.gradient;
    now.activation += change.activation;
    now.workspace += change.workspace;
    if (now.sum() > largest.sum())
      largest = now;
  }
  return largest;
}

LogicalResult StepPlanner::plan() {
  addWorkspaces();
  findLives();
  shareInPlace();
  std::vector<ArenaBlock> blocks;
  SmallVector<Operation *> roots;
  SmallVector<StringRef> kinds;
  for (auto &[root, life] : lives) {
    if (sharedWith.count(root))
      continue;
    blocks.push_back({life.bytes, life.begin, life.end, 0});
    roots.push_back(root);
    kinds.push_back(life.kind);
  }
  height = packArena(blocks, kAlignment);
  live = maxLive(blocks, kAlignment);
  std::string problem = verifyArena(blocks, height, kAlignment);
  if (!problem.empty())
    return step.emitError() << "internal error: memory plan: " << problem;

  Builder b(step.getContext());
  DenseMap<Operation *, int64_t> offsets;
  for (auto [i, root] : llvm::enumerate(roots))
    offsets[root] = blocks[i].offset;
  for (auto &[root, life] : lives)
    cast<BufferOp>(root).setOffsetAttr(
        b.getI64IntegerAttr(offsets.lookup(representative(root))));
  step->setAttr("arena_bytes", b.getI64IntegerAttr(height));

  parts = largestParts(blocks, kinds);
  return success();
}

namespace {
struct PlanMemoryPass final : tt::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  /// Tensors that all steps share get one place per name.
  LogicalResult placeNamed(MemoryRegion region, int64_t &total) {
    llvm::StringMap<std::pair<int64_t, Type>> places;
    Builder b(&getContext());
    for (StepOp step : getOperation().getOps<StepOp>())
      for (BufferOp buffer : step.getBody().getOps<BufferOp>()) {
        if (buffer.getRegion() != region)
          continue;
        auto tensor = buffer->getAttrOfType<TypeAttr>("tensor");
        Type type = tensor ? tensor.getValue() : Type();
        auto [entry, isNew] =
            places.try_emplace(*buffer.getName(), std::make_pair(total, type));
        if (isNew)
          total += align(buffer.getBytes());
        else if (entry->second.second != type)
          return step.emitError() << "'" << *buffer.getName()
                                  << "' has different types in two entries";
        buffer.setOffsetAttr(b.getI64IntegerAttr(entry->second.first));
      }
    return success();
  }

  void placeConstants(int64_t &total) {
    DenseMap<Attribute, int64_t> places;
    Builder b(&getContext());
    for (StepOp step : getOperation().getOps<StepOp>())
      for (BufferOp buffer : step.getBody().getOps<BufferOp>()) {
        if (buffer.getRegion() != MemoryRegion::Constant)
          continue;
        auto [entry, isNew] = places.try_emplace(buffer.getValueAttr(), total);
        if (isNew)
          total += align(buffer.getBytes());
        buffer.setOffsetAttr(b.getI64IntegerAttr(entry->second));
      }
  }

  int64_t placeIO(StepOp step) {
    Builder b(&getContext());
    int64_t total = 0;
    for (BufferOp buffer : step.getBody().getOps<BufferOp>())
      if (buffer.getRegion() == MemoryRegion::IO) {
        buffer.setOffsetAttr(b.getI64IntegerAttr(total));
        total += align(buffer.getBytes());
      }
    return total;
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    int64_t parameters = 0, state = 0, constants = 0, io = 0, arena = 0, worker = 0;
    Parts parts;
    if (failed(placeNamed(MemoryRegion::Parameters, parameters)) ||
        failed(placeNamed(MemoryRegion::State, state)))
      return signalPassFailure();
    placeConstants(constants);
    for (StepOp step : module.getOps<StepOp>()) {
      io = std::max(io, placeIO(step));
      StepPlanner planner(step, symbols);
      if (failed(planner.plan()))
        return signalPassFailure();
      maxLiveBytes.updateMax(planner.live);
      numShared += planner.shared;
      if (planner.height > arena) {
        arena = planner.height;
        parts = planner.parts;
      }
    }
    for (KernelOp kernel : module.getOps<KernelOp>())
      if (auto bytes = kernel->getAttrOfType<IntegerAttr>("worker_bytes"))
        worker = std::max(worker, align(bytes.getInt()));
    arenaBytes.updateMax(arena);
    // What packing and alignment add counts as activations.
    parts.activation += arena - parts.sum();
    Builder b(&getContext());
    auto entry = [&](StringRef name, int64_t value) {
      return b.getNamedAttr(name, b.getI64IntegerAttr(value));
    };
    module->setAttr("tt.memory",
                    b.getDictionaryAttr(
                        {entry("parameters", parameters), entry("state", state),
                         entry("constants", constants), entry("io", io),
                         entry("arena", arena), entry("worker", worker),
                         entry("gradients", parts.gradient),
                         entry("activations", parts.activation),
                         entry("workspace", parts.workspace)}));
  }
};
} // namespace

//===- AttentionBackward.cpp - Tasks of the attention backward ------------===//
#include "AttentionBackward.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <algorithm>

using namespace mlir;
using namespace tt::cpu;
using tt::attention::TilePlan;

/// Keys of one dk/dv task of the split schedule.
static constexpr int64_t kKeysPerTask = 256;

/// All products of one query block with the key blocks [keyBegin, keyEnd).
void BackwardEmitter::emitQueryBlock(Value batch, Value head, Value block,
                                     Value keyBegin, Value keyEnd) {
  const TilePlan &plan = frame.plan;
  bool whole = plan.queries % plan.blockQ == 0;
  firstQuery = e.mul(block, plan.blockQ);
  valid = whole ? e.index(plan.blockQ)
                : e.min(e.sub(e.index(plan.queries), firstQuery),
                        e.index(plan.blockQ));
  auto base = [&](const HeadsOperand &operand) {
    return e.add(baseOf(operand, batch, head),
                 e.mul(firstQuery, operand.token));
  };
  qBase = base(spec.q);
  outBase = base(spec.out);
  dOutBase = base(spec.dOut);
  lseBase = e.add(e.mul(e.add(e.mul(batch, spec.heads), head), spec.queries),
                  firstQuery);
  if (spec.dLse)
    dLseBase = e.add(baseOf(*spec.dLse, batch, head), firstQuery);
  features.enterHead(batch, head);
  features.enterQueries(firstQuery, valid);
  readQueryBlock();
  frame.forEachKeyBlock(e, block, keyBegin, keyEnd,
                        [&](Value keyBlock) { emitTile(keyBlock); });
  if (!writesQueries())
    return;
  TokenBlock to{dq,          base(spec.dq), spec.dq.token, valid,
                plan.blockQ, whole,         spec.headSize};
  Value scale = e.splat(spec.scale);
  writeTransposed(e, dqTile, to, [&](Value) { return scale; });
}

/// Tasks (batch, kv head[, chunk of keys]): all query heads of the group in
/// order, so that dk and dv are whole when the task ends.
int64_t BackwardEmitter::emitKeyTasks() {
  const TilePlan &plan = frame.plan;
  int64_t group = spec.heads / spec.kvHeads, blocks = plan.numKeyBlocks();
  int64_t perTask = blocks;
  if (products == Products::KeysAndValues)
    perTask =
        std::min(blocks, std::max<int64_t>(1, kKeysPerTask / plan.blockK));
  int64_t chunks = (blocks + perTask - 1) / perTask;
  Value row = e.div(e.shell.task(), chunks);
  Value keyBegin = e.mul(e.rem(e.shell.task(), chunks), perTask);
  Value keyEnd = e.min(e.add(keyBegin, perTask), e.index(blocks));
  Value batch = e.div(row, spec.kvHeads), kvHead = e.rem(row, spec.kvHeads);
  kBase = baseOf(spec.k, batch, kvHead);
  vBase = baseOf(spec.v, batch, kvHead);
  dkBase = baseOf(spec.dk, batch, kvHead);
  dvBase = baseOf(spec.dv, batch, kvHead);
  clearGradients(e.mul(keyBegin, plan.blockK),
                 e.min(e.mul(keyEnd, plan.blockK), e.index(plan.keys)));
  // A query block without keys still has to write its dq.
  Value begin = e.index(0), end = e.index(plan.numQueryBlocks());
  if (!writesQueries()) {
    begin = frame.emitBound(e, plan.queryBegin(), keyBegin);
    if (plan.hasLeft())
      end = frame.emitBound(e, plan.queryEnd(), e.sub(keyEnd, e.index(1)));
    if (plan.prefix > 0) { // all queries see it
      Value inPrefix = arith::CmpIOp::create(
          e.b, e.loc, arith::CmpIPredicate::slt, keyBegin, e.index(plan.prefixEnd()));
      begin = arith::SelectOp::create(e.b, e.loc, inPrefix, e.index(0), begin);
      end = arith::SelectOp::create(e.b, e.loc, inPrefix,
                                    e.index(plan.numQueryBlocks()), end);
    }
  }
  e.loop(e.index(0), e.index(group), 1, [&](Value member) {
    Value head = e.add(e.mul(kvHead, group), member);
    e.loop(begin, end, 1, [&](Value block) {
      emitQueryBlock(batch, head, block, keyBegin, keyEnd);
    });
  });
  return spec.batch * spec.kvHeads * chunks;
}

/// Tasks (batch, head, query block), the longest of a head first.
int64_t BackwardEmitter::emitQueryTasks() {
  const TilePlan &plan = frame.plan;
  int64_t blocks = plan.numQueryBlocks();
  Value row = e.div(e.shell.task(), blocks);
  Value block = e.rem(e.shell.task(), blocks);
  if (plan.causal)
    block = e.sub(e.index(blocks - 1), block);
  Value batch = e.div(row, spec.heads), head = e.rem(row, spec.heads);
  Value kvHead = e.div(head, spec.heads / spec.kvHeads);
  kBase = baseOf(spec.k, batch, kvHead);
  vBase = baseOf(spec.v, batch, kvHead);
  emitQueryBlock(batch, head, block, e.index(0), e.index(plan.numKeyBlocks()));
  return spec.batch * spec.heads * blocks;
}

/// Tasks (batch and head of the bias, query block): all that share the bias, in
/// order.
int64_t BackwardEmitter::emitBiasTasks() {
  const TilePlan &plan = frame.plan;
  int64_t blocks = plan.numQueryBlocks();
  Value row = e.div(e.shell.task(), blocks);
  Value block = e.rem(e.shell.task(), blocks);
  Value biasBatch = e.div(row, spec.biasHeads), biasHead = e.rem(row, spec.biasHeads);
  Value first = e.mul(block, plan.blockQ);
  dBiasBase = e.add(baseOf(*spec.dBias, biasBatch, biasHead),
                    e.mul(first, spec.dBias->token));
  clearBias(dBiasBase, e.min(e.sub(e.index(plan.queries), first), e.index(plan.blockQ)));
  int64_t batches = spec.batch / spec.biasBatch, heads = spec.heads / spec.biasHeads;
  e.loop(e.index(0), e.index(batches), 1, [&](Value i) {
    e.loop(e.index(0), e.index(heads), 1, [&](Value j) {
      // One of both is 0: a bias is of all batches or of one.
      Value batch = e.add(biasBatch, i), head = e.add(biasHead, j);
      Value kvHead = e.div(head, spec.heads / spec.kvHeads);
      kBase = baseOf(spec.k, batch, kvHead);
      vBase = baseOf(spec.v, batch, kvHead);
      emitQueryBlock(batch, head, block, e.index(0), e.index(plan.numKeyBlocks()));
    });
  });
  return spec.biasBatch * spec.biasHeads * blocks;
}

int64_t BackwardEmitter::emit() {
  openOperands();
  if (products == Products::Bias)
    return emitBiasTasks();
  return products == Products::Queries ? emitQueryTasks() : emitKeyTasks();
}

EmittedKernel tt::cpu::emitAttentionBackward(ModuleOp module, Location loc,
                                             StringRef symbol,
                                             const Target &target,
                                             const AttentionSpec &spec) {
  EmittedKernel kernel;
  auto addPhase = [&](StringRef part, Products products) {
    PhaseShell shell(module, loc, (symbol + part + target.suffix).str(),
                     spec.numOperands);
    BackwardEmitter emitter(shell, spec, getAttentionTile(target), products);
    int64_t tasks = emitter.emit();
    kernel.phases.push_back(shell.finish(tasks));
    kernel.workerBytes = std::max(kernel.workerBytes, emitter.getWorkerBytes());
  };
  if (spec.splitBackward) {
    addPhase("_dkv", Products::KeysAndValues);
    addPhase("_dq", Products::Queries);
  } else {
    addPhase("", Products::All);
  }
  if (spec.dBias)
    addPhase("_dbias", Products::Bias);
  return kernel;
}

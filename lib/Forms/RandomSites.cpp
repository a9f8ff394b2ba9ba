//===- RandomSites.cpp - Sites of random ops ------------------------------===//
#include "tt/Forms/RandomSites.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tt;

LogicalResult tt::checkRandomSites(func::FuncOp function) {
  llvm::DenseMap<std::pair<Value, int64_t>, Operation *> sites;
  bool ok = true;
  for (Operation &op : function.getBody().front()) {
    Value key;
    int64_t site = 0;
    if (auto fold = dyn_cast<RngFoldOp>(op)) {
      key = fold.getKey();
      site = fold.getSite();
    } else if (auto dropout = dyn_cast<DropoutOp>(op)) {
      key = dropout.getKey();
      site = dropout.getSite();
    } else if (auto attention = dyn_cast<AttentionOp>(op);
               attention && attention.getKey()) {
      key = attention.getKey();
      site = attention.getSite().value_or(0);
    } else if (auto uniform = dyn_cast<RandomUniformOp>(op)) {
      key = uniform.getKey();
      site = uniform.getSite();
    } else if (auto normal = dyn_cast<RandomNormalOp>(op)) {
      key = normal.getKey();
      site = normal.getSite();
    } else {
      continue;
    }
    auto [entry, isNew] = sites.try_emplace({key, site}, &op);
    if (isNew)
      continue;
    InFlightDiagnostic diag = op.emitOpError()
                              << "has site " << site << " of its key, which another "
                              << entry->second->getName() << " has too";
    diag.attachNote(entry->second->getLoc()) << "the other one is here";
    ok = false;
  }
  return success(ok);
}

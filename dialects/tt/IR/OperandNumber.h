//===- OperandNumber.h - Where an optional operand stands -------*- C++ -*-===//
#ifndef TT_IR_OPERANDNUMBER_H
#define TT_IR_OPERANDNUMBER_H

namespace tt {

/// The number of the operand of a group (ODS order); where the group is empty a number
/// that no operand has, so that nothing is active there.
template <typename Op> unsigned operandNumber(Op op, unsigned group) {
  auto [start, length] = op.getODSOperandIndexAndLength(group);
  return length ? start : op->getNumOperands();
}

} // namespace tt

#endif

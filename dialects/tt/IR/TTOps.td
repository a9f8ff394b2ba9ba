#ifndef TT_IR_TTOPS_TD
#define TT_IR_TTOPS_TD
include "tt/IR/AttentionOps.td"
include "tt/IR/ControlOps.td"
include "tt/IR/ElementwiseOps.td"
include "tt/IR/EmbeddingOps.td"
include "tt/IR/KernelOps.td"
include "tt/IR/LinearOps.td"
include "tt/IR/LossOps.td"
include "tt/IR/NormOps.td"
include "tt/IR/RandomOps.td"
include "tt/IR/ReduceOps.td"
include "tt/IR/RopeOps.td"
include "tt/IR/ShapeOps.td"
include "tt/IR/TrainingOps.td"
#endif

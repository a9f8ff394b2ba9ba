//===- NormOps.cpp - Normalizations ---------------------------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace tt;
using namespace tt::reference;

template <typename T> static void layerNorm(LayerNormOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  const Tensor<T> &gamma = frame.floats(op.getGamma());
  const Tensor<T> *beta = op.getBeta() ? &frame.floats(op.getBeta()) : nullptr;
  double eps = op.getEps().convertToDouble();
  int64_t width = x.columns();
  Tensor<T> y(x.shape), means(shapeOf(op.getMean())), rstds(shapeOf(op.getRstd()));
  for (int64_t row = 0; row < x.rows(); ++row) {
    Acc<T> sum(0), squares(0);
    for (int64_t c = 0; c < width; ++c)
      sum += Acc<T>(x.row(row)[c]);
    Acc<T> mean = sum / double(width);
    for (int64_t c = 0; c < width; ++c) {
      Acc<T> centered = Acc<T>(x.row(row)[c]) - mean;
      squares += centered * centered;
    }
    Acc<T> rstd = 1.0 / std::sqrt(squares / double(width) + eps);
    for (int64_t c = 0; c < width; ++c) {
      Acc<T> value = (Acc<T>(x.row(row)[c]) - mean) * rstd * Acc<T>(gamma[c]);
      y.row(row)[c] = T(beta ? value + Acc<T>((*beta)[c]) : value);
    }
    means[row] = T(mean);
    rstds[row] = T(rstd);
  }
  frame.set(op.getOutput(), std::move(y));
  frame.set(op.getMean(), std::move(means));
  frame.set(op.getRstd(), std::move(rstds));
}

template <typename T> static void rmsNorm(RMSNormOp op, Frame<T> &frame) {
  double offset = op.getUnitOffset() ? 1 : 0;
  const Tensor<T> &x = frame.floats(op.getInput());
  const Tensor<T> &gamma = frame.floats(op.getGamma());
  double eps = op.getEps().convertToDouble();
  int64_t width = x.columns();
  Tensor<T> y(x.shape), rstds(shapeOf(op.getRstd()));
  for (int64_t row = 0; row < x.rows(); ++row) {
    Acc<T> squares(0);
    for (int64_t c = 0; c < width; ++c)
      squares += Acc<T>(x.row(row)[c]) * Acc<T>(x.row(row)[c]);
    Acc<T> rstd = 1.0 / std::sqrt(squares / double(width) + eps);
    for (int64_t c = 0; c < width; ++c)
      y.row(row)[c] = T(Acc<T>(x.row(row)[c]) * rstd * (Acc<T>(gamma[c]) + offset));
    rstds[row] = T(rstd);
  }
  frame.set(op.getOutput(), std::move(y));
  frame.set(op.getRstd(), std::move(rstds));
}

/// d_input = rstd (h - mean(h) - xhat mean(h xhat)) with h = d gamma; without
/// means (rms_norm) x is not centered and mean(h) is left out. The means of a row are
/// rounded: where they cancel all of h, d_input is their rounding.
template <typename T, typename Op>
static void normBwd(Op op, Frame<T> &frame, const Tensor<T> *means, double offset = 0) {
  const Tensor<T> &x = frame.floats(op.getInput()), &gamma = frame.floats(op.getGamma()),
                  &rstds = frame.floats(op.getRstd()), &d = frame.floats(op.getDOutput());
  Type stat = getElementTypeOrSelf(op.getRstd().getType());
  int64_t width = x.columns();
  Tensor<T> result(x.shape);
  std::vector<Acc<T>> h(width), xhat(width);
  for (int64_t row = 0; row < x.rows(); ++row) {
    Acc<T> rstd(rstds[row]), meanOfH(0), meanOfProduct(0);
    Acc<T> mean(means ? (*means)[row] : T(0));
    for (int64_t c = 0; c < width; ++c) {
      h[c] = Acc<T>(d.row(row)[c]) * (Acc<T>(gamma[c]) + offset);
      xhat[c] = (Acc<T>(x.row(row)[c]) - mean) * rstd;
      meanOfH += h[c] / double(width);
      meanOfProduct += h[c] * xhat[c] / double(width);
    }
    meanOfH = means ? meanOfH * frame.sumRounding(stat) : Acc<T>(0);
    meanOfProduct *= frame.sumRounding(stat);
    for (int64_t c = 0; c < width; ++c)
      result.row(row)[c] = T(rstd * (h[c] - meanOfH - xhat[c] * meanOfProduct));
  }
  frame.set(op.getDInput(), std::move(result));
}

template <typename T> static void groupNorm(GroupNormOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  const Tensor<T> &gamma = frame.floats(op.getGamma());
  const Tensor<T> *beta = op.getBeta() ? &frame.floats(op.getBeta()) : nullptr;
  double eps = op.getEps().convertToDouble();
  Tensor<T> y(x.shape), means(shapeOf(op.getMean())), rstds(shapeOf(op.getRstd()));
  int64_t channels = x.shape[1];
  int64_t size = means.size() == 0 ? 0 : x.size() / means.size();  // of a group
  int64_t inner = channels == 0 || x.shape[0] == 0 ? 0 : x.size() / x.shape[0] / channels;
  for (int64_t group = 0; group < means.size(); ++group) {
    const T *from = x.data.data() + group * size;
    Acc<T> sum(0), squares(0);
    for (int64_t i = 0; i < size; ++i)
      sum += Acc<T>(from[i]);
    Acc<T> mean = sum / double(size);
    for (int64_t i = 0; i < size; ++i)
      squares += (Acc<T>(from[i]) - mean) * (Acc<T>(from[i]) - mean);
    Acc<T> rstd = 1.0 / std::sqrt(squares / double(size) + eps);
    for (int64_t i = 0; i < size; ++i) {
      int64_t channel = (group * size + i) / inner % channels;
      Acc<T> value = (Acc<T>(from[i]) - mean) * rstd * Acc<T>(gamma[channel]);
      y[group * size + i] = T(beta ? value + Acc<T>((*beta)[channel]) : value);
    }
    means[group] = T(mean);
    rstds[group] = T(rstd);
  }
  frame.set(op.getOutput(), std::move(y));
  frame.set(op.getMean(), std::move(means));
  frame.set(op.getRstd(), std::move(rstds));
}

template <typename T> void tt::reference::addNormOps(OpTable<T> &table) {
  table.template add<LayerNormOp>(layerNorm<T>);
  table.template add<RMSNormOp>(rmsNorm<T>);
  table.template add<LayerNormBwdOp>([](LayerNormBwdOp op, Frame<T> &frame) {
    normBwd(op, frame, &frame.floats(op.getMean()));
  });
  table.template add<RMSNormBwdOp>([](RMSNormBwdOp op, Frame<T> &frame) {
    normBwd(op, frame, static_cast<const Tensor<T> *>(nullptr), op.getUnitOffset() ? 1 : 0);
  });
  table.template add<GroupNormOp>(groupNorm<T>);
}
TT_REFERENCE_INSTANTIATE(addNormOps)

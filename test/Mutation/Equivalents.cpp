//===- Equivalents.cpp - Changes that change nothing ----------------------===//
//
// Every mutant that survives and is no equal text must be here with its proof.
//
//===----------------------------------------------------------------------===//
#include "Equivalents.h"

using namespace tt::test;

namespace {
struct Known {
  const char *program, *operation, *change, *reason; // prefixes, but the reason
  const char *end = "";                              // of the change
  Kind kind = Kind::Adjoint;
  const char *place = ""; // "@a #107"; "" is any
};

const char *const kTies = "differs where both sides are equal only, and there the "
                          "derivative is a convention that differences do not show";
const char *const kProduct = "gamma and d_output enter by their product only, and it "
                             "commutes";

const char *const kDv = "dv = p^T d_output reads neither v nor output";

const char *const kGuard = "the op only feeds the question whether the target's "
                           "probability is 0, which no point that is drawn is; the "
                           "answer there has tests of its own";

const char *const kInRange = "asks whether a target lies in [0, V) and is not ignored: "
                             "one that is ignored or too large is out of range or meets "
                             "no class, so that the parts imply each other";
const char *const kCount = "guards a division by a sum of weights of 0, and weights that "
                           "are drawn are positive";
const char *const kOneKey = "one query and one key at distance 0: masks hide nothing, p is 1 "
                            "or 0 whatever the score, and what comes from scores is 0";
const char *const kSeesKey = "guards a row that sees no key, which this program has none of; "
                             "the answer there has tests of its own";
const char *const kHidden = "only asks whether the bias hides a key, and a score of -infinity "
                            "has p = 0 by itself; rows of nothing else have tests of "
                            "their own";
const char *const kCausalPrefix = "3 queries and 5 keys: the first query sees 3 keys by causal "
                                  "alone, and a prefix of 1 to 3 adds none";
const char *const kPower0 = "the exponent 0 is a factor, whatever the other one is";
const char *const kOnePair = "the one pair has exponent 0: theta^0 is 1";
const char *const kEven = "the second derivative of gelu is an even function of it";
const char *const kDistance = "the sign of the distance goes under an absolute value";

const char *const kBelowZero = "a target below 0 is outside the classes and counts nothing "
                               "under either index";
const char *const kSign = "the normalised value enters twice, so that its sign cancels";
const char *const kScaleFree = "this statistic does not read it";
const char *const kAdded = "the parts are only added up, in any order";
const char *const kShift = "what is subtracted from the scores is added to lse again and "
                           "cancels in the rest: it only keeps the exponents small";
const char *const kLeast = "compares with the least value there is: of scores -infinity, "
                           "of a sum of powers 0";
const char *const kMeanTwice = "the mean is taken off twice, the second time what rounding left "
                               "of it, so that in f64 either time is enough";

const Known known[] = {
    {"", "tt.compare", "predicate ge for gt", kTies},
    {"", "tt.compare", "predicate gt for ge", kTies},
    {"", "tt.compare", "predicate le for lt", kTies},
    {"", "tt.compare", "predicate lt for le", kTies},
    {"", "tt.layer_norm_bwd", "swap operands 1 and 4", kProduct},
    {"", "tt.rms_norm_bwd", "swap operands 1 and 3", kProduct},
    {"", "tt.cross_entropy_bwd", "negative ignore_index off by one",
     kBelowZero},
    {"", "tt.attention_bwd", "swap operands 2 and 3, only dv", kDv},
    {"", "tt.attention_bwd", "wrong residual for operand 2, only dv", kDv},
    {"", "tt.attention_bwd", "wrong residual for operand 3, only dv", kDv},
    {"", "tt.linear_cross_entropy_bwd", "negative ignore_index off by one",
     kBelowZero},
    {"cross_entropy_", "tt.compare", "predicate gt for ne", kInRange},
    {"cross_entropy_", "tt.compare", "predicate ge for ne", kInRange},
    {"cross_entropy_", "tt.select", "swap operands 0 and 1", kInRange},
    {"cross_entropy_", "tt.select", "swap operands 0 and 2", kInRange},
    {"cross_entropy_mean", "tt.compare", "predicate lt for eq", kCount},
    {"cross_entropy_mean", "tt.compare", "predicate le for eq", kCount},
    {"linear_cross_", "tt.compare", "predicate gt for ne", kInRange},
    {"linear_cross_", "tt.compare", "predicate ge for ne", kInRange},
    {"linear_cross_", "tt.select", "swap operands 0 and 1", kInRange},
    {"linear_cross_", "tt.select", "swap operands 0 and 2", kInRange},
    {"linear_cross_entropy_mean", "tt.compare", "predicate lt for eq", kCount},
    {"linear_cross_entropy_mean", "tt.compare", "predicate le for eq", kCount},
    {"attention_2_2_1_1x1_2", "tt.attention_bwd", "with", kOneKey},
    {"attention_2_2_1_1x1_2", "tt.attention_bwd", "window_", kOneKey},
    {"attention_2_2_1_1x1_2_bias_one_hides", "tt.attention_bwd", "", kOneKey, "of result 0"},
    {"attention_2_2_1_1x1_2_bias_one_hides", "tt.attention_bwd", "", kOneKey, "of result 1"},
    {"attention_2_2_1_1x1_2_bias_one_hides", "tt.attention_bwd", "", kOneKey, "of result 3"},
    {"attention_2_2_1_1x1_2_slopes", "tt.attention_bwd", "", kOneKey, "of result 3"},
    {"attention_2_2_1_1x1_2_slopes", "tt.cast", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.sub", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.add", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.abs", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.broadcast", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.mul", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.neg", "", kOneKey},
    {"attention_2_2_1_1x1_2_slopes", "tt.sum", "", kOneKey},
    {"attention_2_2_1_1x1_2_sinks", "tt.compare", "", kSeesKey},
    {"attention_2_2_1_3x5_2_sinks", "tt.compare", "", kSeesKey},
    {"attention_2_2_1_5x3_2_sinks", "tt.compare", "", kSeesKey},
    {"attention_2_2_1_3x5_2_slopes", "tt.add", "flip the sign", kDistance},
    {"attention_2_2_1_5x3_2_slopes", "tt.add", "flip the sign", kDistance},
    {"attention_2_2_1_5x3_2_left2_right1", "tt.attention_bwd", "window_left off by one",
     "5 queries and 3 keys: no key lies more than 2 before a query's place"},
    {"attention_2_2_1_3x5_2_causal_prefix2", "tt.attention_bwd", "prefix off by one",
     kCausalPrefix},
    {"gelu_bwd_tanh", "tt.clamp", "flip the sign", kEven},
    {"gelu_bwd_tanh", "tt.clamp", "flip the sign", kEven, "", Kind::Tangent},
    {"kl_div", "tt.compare", "wrong residual for operand 0", kGuard},
    {"pow_0", "tt.add", "keep operand 0 only",
     "the other term is that of x^0, whose derivative is 0"},
    {"kl_div", "tt.compare", "predicate gt for ne", kGuard},
    {"kl_div", "tt.compare", "predicate ge for ne", kGuard},
    {"kl_div_log_target", "tt.compare", "wrong residual", kGuard},
    {"kl_div_log_target", "tt.exp", "scale", kGuard},
    {"kl_div_log_target", "tt.exp", "flip the sign", kGuard},
    {"kl_div_log_target", "tt.exp", "wrong residual", kGuard},
    {"logsumexp", "tt.abs", "",
     "is only compared with infinity, to guard a maximum that is not finite"},
    {"variance", "tt.mean", "", kMeanTwice},
    {"variance", "tt.broadcast", "", kMeanTwice, "", Kind::Adjoint, "@f_bwd #1"},
    {"variance", "tt.broadcast", "", kMeanTwice, "", Kind::Adjoint, "@f_bwd #4"},
    {"variance", "tt.sub", "keep operand 0 only", kMeanTwice},
    {"variance", "tt.mean", "", kMeanTwice, "", Kind::Tangent},
    {"variance", "tt.broadcast", "", kMeanTwice, "", Kind::Tangent, "@f_jvp #2"},
    {"variance", "tt.broadcast", "", kMeanTwice, "", Kind::Tangent, "@f_jvp #5"},
    {"variance", "tt.sub", "keep operand 0 only", kMeanTwice, "", Kind::Tangent},
    {"", "tt.maximum", "swap operands", "the larger of two commutes"},
    {"rope_positions_", "tt.rope", "theta", kOnePair},
    {"rope_positions_", "tt.rope", "layout", "both layouts pair 0 with 1"},
    // Forward mode, which holds the ops of the function as well.
    {"", "tt.compare", "predicate ge for gt", kTies, "", Kind::Tangent},
    {"", "tt.compare", "predicate gt for ge", kTies, "", Kind::Tangent},
    {"", "tt.compare", "predicate le for lt", kTies, "", Kind::Tangent},
    {"", "tt.compare", "predicate lt for le", kTies, "", Kind::Tangent},
    {"", "tt.maximum", "swap operands", "the larger of two commutes", "", Kind::Tangent},
    {"", "tt.minimum", "swap operands", "the smaller of two commutes", "", Kind::Tangent},
    {"", "tt.cross_entropy", "negative ignore_index", kBelowZero, "", Kind::Tangent},
    {"", "tt.cross_entropy_bwd", "negative ignore_index", kBelowZero, "", Kind::Tangent},
    {"", "tt.linear_cross_entropy", "negative ignore_index", kBelowZero, "", Kind::Tangent},
    {"cross_entropy_", "tt.compare", "predicate gt for ne", kInRange, "", Kind::Tangent},
    {"cross_entropy_", "tt.compare", "predicate ge for ne", kInRange, "", Kind::Tangent},
    {"cross_entropy_", "tt.select", "swap operands 0 and", kInRange, "", Kind::Tangent},
    {"cross_entropy_mean", "tt.compare", "predicate lt for eq", kCount, "", Kind::Tangent},
    {"cross_entropy_mean", "tt.compare", "predicate le for eq", kCount, "", Kind::Tangent},
    {"linear_cross_", "tt.compare", "predicate gt for ne", kInRange, "", Kind::Tangent},
    {"linear_cross_", "tt.compare", "predicate ge for ne", kInRange, "", Kind::Tangent},
    {"linear_cross_", "tt.select", "swap operands 0 and", kInRange, "", Kind::Tangent},
    {"linear_cross_entropy_mean", "tt.compare", "predicate lt for eq", kCount, "",
     Kind::Tangent},
    {"linear_cross_entropy_mean", "tt.compare", "predicate le for eq", kCount, "",
     Kind::Tangent},
    {"linear_cross_entropy_mean", "tt.concat", "swap operands", kAdded, "", Kind::Tangent},
    {"linear_cross_entropy_sum", "tt.concat", "swap operands", kAdded, "", Kind::Tangent},
    {"kl_div", "tt.compare", "wrong residual for operand 0", kGuard, "", Kind::Tangent},
    {"kl_div", "tt.compare", "predicate gt for ne", kGuard, "", Kind::Tangent},
    {"kl_div", "tt.compare", "predicate ge for ne", kGuard, "", Kind::Tangent},
    {"kl_div_log_target", "tt.exp", "scale", kGuard, "", Kind::Tangent},
    {"kl_div_log_target", "tt.exp", "flip the sign", kGuard, "", Kind::Tangent},
    {"kl_div_log_target", "tt.exp", "wrong residual", kGuard, "", Kind::Tangent},
    {"logsumexp", "tt.abs", "",
     "is only compared with infinity, to guard a maximum that is not finite", "",
     Kind::Tangent},
    {"mse_", "tt.mse", "swap operands", "the square of a difference has no order", "",
     Kind::Tangent},
    {"layer_norm_", "tt.mul", "flip the sign", kSign, "", Kind::Tangent},
    {"layer_norm_", "tt.broadcast", "flip the sign", kSign, "", Kind::Tangent},
    {"layer_norm_", "tt.sub", "flip the sign", kSign, "", Kind::Tangent},
    {"layer_norm_", "tt.sub", "swap operands", kSign, "", Kind::Tangent},
    {"group_norm_", "tt.mul", "flip the sign", kSign, "", Kind::Tangent},
    {"group_norm_", "tt.broadcast", "flip the sign", kSign, "", Kind::Tangent},
    {"group_norm_", "tt.sub", "flip the sign", kSign, "", Kind::Tangent},
    {"group_norm_", "tt.sub", "swap operands", kSign, "", Kind::Tangent},
    {"rms_norm_", "tt.mul", "flip the sign", kSign, "", Kind::Tangent},
    {"rms_norm_", "tt.broadcast", "flip the sign", kSign, "", Kind::Tangent},
    {"layer_norm_mean", "tt.layer_norm", "", kScaleFree, "", Kind::Tangent},
    {"layer_norm_rstd", "tt.layer_norm", "wrong residual for operand 1", kScaleFree, "",
     Kind::Tangent},
    {"group_norm_mean", "tt.group_norm", "", kScaleFree, "", Kind::Tangent},
    {"attention_2_2_1_5x3_2_left2_right1", "tt.attention", "window_left off by one",
     "5 queries and 3 keys: no key lies more than 2 before a query's place", "",
     Kind::Tangent},
    {"attention_2_2_1_3x5_2_causal_prefix2", "tt.attention", "prefix off by one",
     kCausalPrefix, "", Kind::Tangent},
    {"attention_2_2_1_3x5_2_causal_prefix2", "tt.cast", "scale by 2", kCausalPrefix, "",
     Kind::Tangent, "@f_jvp #23"},
    {"attention_2_2_1_3x5_2_bias", "tt.compare", "", kHidden, "", Kind::Tangent},
    {"attention_2_2_1_3x5_2_bias", "tt.reshape", "", kHidden, "", Kind::Tangent, "@f_jvp #14"},
    {"attention_2_2_1_3x5_2_bias", "tt.broadcast", "", kHidden, "", Kind::Tangent,
     "@f_jvp #15"},
    {"attention_2_2_1_5x3_2_bias", "tt.compare", "", kHidden, "", Kind::Tangent},
    {"attention_2_2_1_5x3_2_bias", "tt.reshape", "", kHidden, "", Kind::Tangent, "@f_jvp #14"},
    {"attention_2_2_1_5x3_2_bias", "tt.broadcast", "", kHidden, "", Kind::Tangent,
     "@f_jvp #15"},
    {"attention_2_2_1_3x5_2_sinks", "tt.compare", "", kSeesKey, "", Kind::Tangent},
    {"attention_2_2_1_5x3_2_sinks", "tt.compare", "", kSeesKey, "", Kind::Tangent},
    {"rope_positions_", "tt.rope", "theta", kOnePair, "", Kind::Tangent},
    {"rope_positions_", "tt.rope", "layout", "both layouts pair 0 with 1", "", Kind::Tangent},
    {"pow_0", "tt.pow", "wrong residual", "x^0 is 1 of every x", "", Kind::Tangent},
    {"pow_0", "tt.mul", "", kPower0, "", Kind::Tangent, "@f_jvp #4"},
    {"pow_0", "tt.add", "keep operand 0 only", kPower0, "", Kind::Tangent},
    {"embedding_padding_", "tt.embedding", "padding_index off by one",
     "the value does not depend on the row that gets no gradient", "", Kind::Tangent,
     "@f_jvp #0"},
    {"embedding_padding_0", "tt.compare", "predicate le for eq", "no id lies below 0", "",
     Kind::Tangent},
    {"embedding_padding_4", "tt.compare", "predicate ge for eq",
     "no id lies above 4, the last row", "", Kind::Tangent},
    {"integers", "tt.compare", "predicate ge for eq",
     "compares a smaller of two with one of them", "", Kind::Tangent},
    // Tile loops.
    {"", "tt.max", "", kShift, "", Kind::Tiles},
    {"", "tt.maximum", "", kShift, "", Kind::Tiles},
    {"", "tt.compare", "predicate gt for ne", kLeast, "", Kind::Tiles},
    {"", "tt.compare", "predicate le for eq", kLeast, "", Kind::Tiles},
};
} // namespace

const char *tt::test::equivalenceReason(const std::string &program, const Mutant &mutant) {
  auto starts = [](const std::string &text, const char *prefix) {
    return text.rfind(prefix, 0) == 0;
  };
  for (const Known &row : known)
    if (mutant.kind == row.kind && starts(program, row.program) && mutant.operation == row.operation &&
        llvm::StringRef(mutant.change).ends_with(row.end) &&
        starts(mutant.change, row.change) && (!*row.place || mutant.place == row.place))
      return row.reason;
  return nullptr;
}

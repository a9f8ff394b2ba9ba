//===- OpTableEdges.cpp - Rows of size 1, primes, ranks 0 and 4 -----------===//
//
// For the ops whose derivative has kinks or that have none: inputs are written out and
// keep a distance from every kink. Values at the kinks are in ValueTable.
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Program.h"

using namespace tt::test;

namespace {

const Shape kScalar = {}, kOne = {1}, kPrime = {7}, kFour = {2, 1, 3, 1};

std::string sizes(const Shape &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}
std::string type(const Shape &shape, const std::string &element) {
  return "tensor<" + sizes(shape) + (shape.empty() ? "" : "x") + element + ">";
}

/// The numbers in turn, as often as the shape has room.
template <typename Number> std::vector<Number> filled(Shape shape, std::vector<Number> numbers) {
  std::vector<Number> data;
  for (int64_t i = 0; i < tt::reference::numElements(shape); ++i)
    data.push_back(numbers[size_t(i) % numbers.size()]);
  return data;
}
/// More than 1/8, the largest step to both sides, from integers and halves of them.
Tensor<double> offGrid(Shape shape) {
  return floats(shape, filled<double>(shape, {1.25, -0.75, 0.25, -2.25, 2.75, -1.25, 0.75}));
}
/// All apart by 1/2 or more, in mixed order.
Tensor<double> apart(Shape shape) {
  int64_t count = tt::reference::numElements(shape);
  Tensor<double> result(shape);
  for (int64_t i = 0; i < count; ++i)
    result[i] = double((11 * i + 4) % count) / 2 - double(count) / 4 + 0.625;
  return result;
}

/// (%x + %a)^2 of the float %a that `body` makes: the row has a gradient whatever the
/// op's is.
void addBeside(std::vector<OpCase> &table, const std::string &name, const Shape &shape,
               const std::string &arguments, const std::string &body, Values inputs) {
  std::string t = type(shape, "f64");
  table.push_back({name, "func.func @f(%x: " + t + arguments + ") -> " + t + " { " + body +
                             " %b = tt.add %x, %a : " + t + " %z = tt.square %b : " + t +
                             " return %z : " + t + " }",
                   "all", std::move(inputs)});
}

/// Quotients by 0 and of mixed signs among them.
void addIntegerRows(std::vector<OpCase> &table) {
  for (const char *op : {"and", "or", "xor", "floor_div", "rem", "not"})
    for (const Shape &shape : {kScalar, kOne, kPrime, kFour}) {
      std::string i = type(shape, "i32"), f = type(shape, "f64");
      bool isUnary = std::string(op) == "not";
      Values inputs = {pattern(37, 11, shape),
                       ints(shape, filled<int64_t>(shape, {-7, 6, 7, 0, -8, 5, -1}))};
      if (!isUnary)
        inputs.push_back(ints(shape, filled<int64_t>(shape, {3, 0, -3, 4, 1, -1, 2})));
      addBeside(table, tidyName(std::string(op) + "_" + sizes(shape)), shape,
                ", %p: " + i + (isUnary ? "" : ", %q: " + i),
                std::string("%i = tt.") + op + (isUnary ? " %p : " : " %p, %q : ") + i +
                    " %a = tt.cast %i : " + i + " to " + f,
                inputs);
    }
  for (const char *op : {"and %p, %q", "or %p, %q", "xor %p, %q", "not %p"})
    table.push_back({tidyName(std::string("choice_by_") + op),
                     std::string("func.func @f(%x: tensor<5xf64>, %p: tensor<5xi1>, %q: "
                                 "tensor<5xi1>) -> tensor<5xf64> { %c = tt.") + op +
                         " : tensor<5xi1> %s = tt.square %x : tensor<5xf64> "
                         "%z = tt.select %c, %s, %x : tensor<5xi1>, tensor<5xf64> "
                         "return %z : tensor<5xf64> }",
                     "all",
                     {pattern(37, 11, {5}), ints({5}, {1, 1, 0, 0, 1}),
                      ints({5}, {1, 0, 1, 0, 0})}});
}

struct AlongOneDim {
  Shape shape;
  int64_t dim, k; // k: of topk
};
const AlongOneDim kAlong[] = {
    {kOne, 0, 1}, {kPrime, 0, 3}, {kPrime, 0, 7}, {{2, 1}, 1, 1}, {{2, 3, 1, 5}, 1, 2}};

std::string named(const std::string &op, const AlongOneDim &c, const std::string &more = "") {
  return tidyName(op + "_" + sizes(c.shape) + "_dim_" + std::to_string(c.dim) + more);
}

void addArgRows(std::vector<OpCase> &table) {
  for (const AlongOneDim &c : kAlong) {
    Shape without = c.shape;
    without.erase(without.begin() + c.dim);
    std::string f = type(c.shape, "f64"), r = type(without, "f64"), i = type(without, "i32");
    std::string dim = " %x dim = " + std::to_string(c.dim) + " : (" + f + ") -> ", dims;
    for (int64_t d = 0; d < int64_t(c.shape.size()); ++d)
      if (d != c.dim)
        dims += (dims.empty() ? "" : ", ") + std::to_string(d);
    if (c.k == 7)
      continue; // of topk alone
    for (const char *op : {"argmax", "argmin"})
      addBeside(table, named(op, c), c.shape, "",
                std::string("%i = tt.") + op + dim + i + " %r = tt.cast %i : " + i + " to " + r +
                    " %a = tt.broadcast %r dims = [" + dims + "] : " + r + " -> " + f,
                {apart(c.shape)});
    for (const char *op : {"max", "min"})
      table.push_back({named(op, c),
                       "func.func @f(%x: " + f + ") -> " + r + " { %y, %i = tt." + op + dim +
                           "(" + r + ", " + i + ") %z = tt.square %y : " + r +
                           " return %z : " + r + " }",
                       "all", {apart(c.shape)}});
  }
}

void addOrderedRows(std::vector<OpCase> &table) {
  for (const AlongOneDim &c : kAlong) {
    Shape top = c.shape;
    top[size_t(c.dim)] = c.k;
    std::string f = type(c.shape, "f64"), dim = " dim = " + std::to_string(c.dim);
    auto add = [&](std::string name, const std::string &op, const Shape &shape) {
      std::string y = type(shape, "f64"), i = type(shape, "i32");
      table.push_back({std::move(name),
                       "func.func @f(%x: " + f + ") -> " + y + " { %y, %i = tt." + op + " : (" +
                           f + ") -> (" + y + ", " + i + ") %z = tt.square %y : " + y +
                           " return %z : " + y + " }",
                       "all", {apart(c.shape)}});
    };
    std::string k = std::to_string(c.k);
    add(named("topk", c, "_k_" + k), "topk %x" + dim + " k = " + k, top);
    if (c.k == 7)
      continue;
    add(named("sort", c), "sort %x" + dim, c.shape);
    add(named("sort_descending", c), "sort descending %x" + dim, c.shape);
  }
}

void addRoundingRows(std::vector<OpCase> &table) {
  struct Rounding {
    const char *name, *op;
  };
  for (Rounding r : {Rounding{"floor", "floor %x"}, {"ceil", "ceil %x"}, {"sign", "sign %x"},
                     {"clamp", "clamp %x low = -1.0 high = 1.0"},
                     {"clamp_equal_bounds", "clamp %x low = 0.5 high = 0.5"},
                     {"clamp_open", "clamp %x low = 0xFFF0000000000000 high = "
                                    "0x7FF0000000000000"},
                     {"round_ste", "round_ste %x"},
                     {"fake_quant", "fake_quant %x scale = 0.5 zero_point = -1 low = -4 high = 3"},
                     {"fake_quant_one_value",
                      "fake_quant %x scale = 0.5 zero_point = 2 low = 2 high = 2"}})
    for (const Shape &shape : {kScalar, kOne, kPrime, kFour}) {
      // fake_quant has its kinks at odd quarters.
      bool onQuarters = std::string(r.name).find("quant") != std::string::npos;
      Tensor<double> x = offGrid(shape);
      for (double &value : x.data)
        value += onQuarters ? 0.25 : 0;
      addBeside(table, tidyName(std::string(r.name) + "_" + sizes(shape)), shape, "",
                std::string("%a = tt.") + r.op + " : " + type(shape, "f64"), {x});
    }
}

void addShapedRows(std::vector<OpCase> &table) {
  struct Transposed {
    Shape from, to;
    const char *order;
  };
  for (const Transposed &c : {Transposed{kScalar, kScalar, "[]"}, {kOne, kOne, "[0]"},
                              {{1, 7}, {7, 1}, "[1, 0]"}, {{2, 3}, {2, 3}, "[0, 1]"},
                              {{2, 3, 1, 5}, {5, 3, 2, 1}, "[3, 1, 0, 2]"}}) {
    std::string from = type(c.from, "f64"), to = type(c.to, "f64");
    table.push_back({tidyName("transpose_" + sizes(c.from)),
                     "func.func @f(%x: " + from + ") -> " + to + " { %y = tt.transpose %x " +
                         "permutation = " + c.order + " : (" + from + ") -> " + to +
                         " %z = tt.square %y : " + to + " return %z : " + to + " }"});
  }
  for (const Shape &shape : {kOne, kPrime, Shape{2, 3, 1, 5}}) {
    Shape without(shape.begin(), shape.end() - 1);
    std::string from = type(shape, "f64"), to = type(without, "f64");
    table.push_back({"take_last_" + sizes(shape),
                     "func.func @f(%x: " + from + ", %i: tensor<i64>) -> " + to +
                         " { %y = tt.take %x, %i dim = " + std::to_string(without.size()) +
                         " : (" + from + ", tensor<i64>) -> " + to + " %z = tt.square %y : " +
                         to + " return %z : " + to + " }",
                     "all", {apart(shape), ints({}, {shape.back() - 1})}});
  }
  // Ids outside are rows of zeros.
  for (const Shape &ids : {kScalar, kOne, kPrime, Shape{2, 1, 3}}) {
    Shape hot = ids;
    hot.push_back(ids == kOne ? 1 : 5);
    std::string i = type(ids, "i32");
    addBeside(table, tidyName("one_hot_" + sizes(ids)), hot, ", %i: " + i,
              "%a = tt.one_hot %i : " + i + " -> " + type(hot, "f64"),
              {pattern(37, 11, hot), ints(ids, filled<int64_t>(ids, {0, 4, -1, 2, 5, 1, 3}))});
  }
  for (const Shape &shape : {kScalar, kOne, kPrime, kFour}) {
    std::string i = type(shape, "i8");
    addBeside(table, tidyName("dequantise_" + sizes(shape)), shape, ", %q: " + i,
              "%a = tt.dequantise %q scale = 0.02 zero_point = -128 : " + i + " -> " +
                  type(shape, "f64"),
              {pattern(37, 11, shape),
               ints(shape, filled<int64_t>(shape, {127, -128, 0, -1, 1, 64, -64}))});
  }
}

void addRandomRows(std::vector<OpCase> &table) {
  Values key = {ints({2}, {7, -1})};
  for (const Shape &shape : {kScalar, kOne, kPrime, kFour}) {
    std::string f = type(shape, "f64"), samples = shape == kFour ? "2" : "1";
    Values inputs = {pattern(37, 11, shape), key[0]};
    for (const char *op : {"random_uniform", "random_normal"})
      addBeside(table, tidyName(std::string(op) + "_" + sizes(shape)), shape,
                ", %k: tensor<2xi32>",
                std::string("%a = tt.") + op + " %k site = 3 samples = " + samples +
                    " : tensor<2xi32> -> " + f,
                inputs);
    for (const char *p : {"0.0", "0.5"})
      addBeside(table, tidyName("dropout_" + sizes(shape) + "_p_" + p), shape,
                ", %k: tensor<2xi32>",
                std::string("%a = tt.dropout %x, %k p = ") + p + " site = 3 samples = " +
                    samples + " : (" + f + ", tensor<2xi32>) -> " + f,
                inputs);
  }
}

} // namespace

std::vector<OpCase> tt::test::edgeTable() {
  std::vector<OpCase> table;
  addIntegerRows(table);
  addArgRows(table);
  addOrderedRows(table);
  addRoundingRows(table);
  addShapedRows(table);
  addRandomRows(table);
  return table;
}

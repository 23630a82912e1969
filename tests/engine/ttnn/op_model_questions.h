// SPDX-License-Identifier: Apache-2.0
// Questions to the operation model of TTNN, written in a line each.
#pragma once

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/model/op_model.h"
#include "tests/support/words.h"

#include <QTest>

#include <deque>
#include <limits>

namespace memplan::test::op_model {

using namespace memplan::ttnn;

inline constexpr auto kTile32 = PageLayout::Tile;
inline constexpr auto kHeight = MemLayout::HeightSharded;
inline constexpr auto kWidth = MemLayout::WidthSharded;
inline constexpr auto kBlock = MemLayout::BlockSharded;
inline constexpr Bytes kEverything = std::numeric_limits<Bytes>::max() / 4;
inline constexpr Bytes kWormhole = 1423206;  ///< limit by default (1.1)

/// A tensor and where it lies.
struct Tensor {
    Shape shape;
    Layout layout;
};

inline Tensor made(const Shape& shape, BufferType buffer, MemLayout mem, Grid grid, PageLayout page = kTile32,
                   DataType dtype = DataType::BF16) {
    return {shape, makeLayout(shape, {dtype, page, buffer, mem, grid}, Device{})};
}
inline Tensor dram(const Shape& shape) {
    return made(shape, BufferType::Dram, MemLayout::Interleaved, {});
}
inline Tensor l1(const Shape& shape) {
    return made(shape, BufferType::L1, MemLayout::Interleaved, {8, 8});
}
inline Tensor sharded(const Shape& shape, MemLayout mem, Grid grid) {
    return made(shape, BufferType::L1, mem, grid);
}
inline Tensor rows(const Shape& shape) {
    return made(shape, BufferType::Dram, MemLayout::Interleaved, {}, PageLayout::RowMajor);
}

/// A function of one operation. `result` is its shape; the same place among `inputs` is the same value.
struct Question {
    Function function;
    std::vector<Layout> inputs;
    OpConfig config;
    Bytes additional = 0, additionalOperands = 0;

    [[nodiscard]] OpQuery query() const {
        return {function, function.operations.front(), inputs, config, additional, additionalOperands};
    }
};

inline Type typeOf(const Shape& shape, DataType dtype = DataType::BF16) {
    Type type;
    type.isTensor = true;
    type.shape = shape;
    type.dtype = dtype;
    return type;
}

inline Question ask(const std::string& op, const std::vector<Tensor>& inputs, const Shape& result,
                    const Attributes& attributes = {}) {
    Question question;
    Operation operation;
    operation.name = "ttnn." + op;
    operation.properties = attributes;
    for (const Tensor& input : inputs) {
        operation.operands.push_back(question.function.addValue(typeOf(input.shape, input.layout.dtype)));
        question.inputs.push_back(input.layout);
    }
    operation.results.push_back(question.function.addValue(typeOf(result)));
    question.function.addOperation(std::move(operation));
    return question;
}

inline Question ask(const std::string& op, const std::vector<Tensor>& inputs, const Tensor& result,
                    const Attributes& attributes = {}) {
    Question question = ask(op, inputs, result.shape, attributes);
    question.config.output = result.layout;
    return question;
}

inline Layout anyGrid(Layout layout) {
    layout.ignorePhysicalLayout = true;
    layout.cores.reset();
    return layout;
}

inline OpModel model(Bytes limit = kEverything, bool isStrict = true) {
    OpModelOptions options;
    options.limit = limit;
    options.strictL1Accounting = isStrict;
    return OpModel(Device{}, options);
}

inline Validation answerTo(const Question& question, Bytes limit = kEverything) {
    return model(limit).validate(question.query());
}

/// "cb / tensor / output", or the reason of a refusal.
inline QString figures(const Validation& v) {
    if (!v.ok()) return q(std::string(wordOf(v.status)) + ": " + v.message);
    return QString("%1 / %2 / %3").arg(v.constraints.cbPeak).arg(v.constraints.tensorPeak).arg(v.constraints.outputL1);
}

inline QString refusal(const Question& question) {
    const Validation v = answerTo(question);
    return v.ok() ? QString("accepted") : q(v.message);
}

inline QString outputOf(const Question& question) {
    const Validation v = answerTo(question);
    if (!v.ok()) return q(v.message);
    const Layout& layout = v.constraints.outputs.front();
    return q(std::string(wordOf(layout.buffer)) + " " + std::string(wordOf(*layout.mem))) +
           QString(" %1x%2").arg(layout.grid.rows).arg(layout.grid.cols);
}

/// The convolution that the backend was asked (9.4).
inline Attributes window7x7() {
    return {{"batch_size", "1 : i32"},           {"input_height", "224 : i32"},  {"input_width", "224 : i32"},
            {"kernel_size", "array<i32: 7, 7>"}, {"stride", "array<i32: 2, 2>"}, {"padding", "array<i32: 3, 3, 3, 3>"},
            {"dilation", "array<i32: 1, 1>"},    {"groups", "1 : i32"}};
}

inline Attributes window3x3(int size) {
    return {{"batch_size", "1 : i32"},
            {"input_height", std::to_string(size)},
            {"input_width", std::to_string(size)},
            {"kernel_size", "array<i32: 3, 3>"},
            {"padding", "array<i32: 1, 1>"}};
}

inline void row(const char* name, const Question& question, const char* expected) {
    QTest::newRow(name) << figures(answerTo(question)) << QString(expected);
}

}  // namespace memplan::test::op_model

// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN (inputs-and-interchange 3.4): X [T, B, I], W [D, g x H, I]; layout 1 puts B first.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

void recurrent(NodeContext& c, std::int64_t gates) {
    const Shape& x = c.shapeOfRank(0, 3);
    const Shape& w = c.shapeOfRank(1, 3);
    const Shape& r = c.shapeOfRank(2, 3);
    const bool batchFirst = c.attr("layout", 0) != 0 && c.opset() >= 14;
    const std::int64_t steps = batchFirst ? x[1] : x[0];
    const std::int64_t batch = batchFirst ? x[0] : x[1];
    const std::int64_t directions = c.attrText("direction", "forward") == "bidirectional" ? 2 : 1;
    const std::int64_t hidden = c.attr("hidden_size", w[1] / gates);
    if (w[0] != directions || w[1] != c.times(gates, hidden) || w[2] != x[2] || r[2] != hidden || r[1] != w[1]) {
        c.failShape("the weights do not fit " + std::to_string(directions) + " directions of " +
                    std::to_string(hidden) + " hidden units");
    }
    const Shape last = batchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
    c.out(0, batchFirst ? Shape{batch, steps, directions, hidden} : Shape{steps, directions, batch, hidden}, c.type(0));
    c.out(1, last, c.type(0));
    c.out(2, last, c.type(0));
}

void lstm(NodeContext& c) {
    recurrent(c, 4);
}
void gru(NodeContext& c) {
    recurrent(c, 3);
}
void rnn(NodeContext& c) {
    recurrent(c, 1);
}

constexpr std::array kRules{
    ShapeRule{"LSTM", lstm,
              "activation_alpha,activation_beta,activations,clip,direction,hidden_size,input_forget,layout"},
    ShapeRule{"GRU", gru,
              "activation_alpha,activation_beta,activations,clip,direction,hidden_size,layout,linear_before_reset"},
    ShapeRule{"RNN", rnn, "activation_alpha,activation_beta,activations,clip,direction,hidden_size,layout"},
};

}  // namespace

std::span<const ShapeRule> recurrentRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/templates.h"

#include "engine/graph/builder.h"

#include <algorithm>

namespace memplan {
namespace {

using Values = std::span<const std::int64_t>;

std::string numbered(const char* name, std::int64_t i) {
    return name + std::to_string(i);
}

TensorId softmaxOf(GraphBuilder& b, const std::string& prefix, TensorId x, int axis) {
    const TensorId max = b.reduction(prefix + "max", "max", x, {axis});
    const TensorId sub = b.pointwise(prefix + "sub", "sub", {x, max});
    const TensorId exp = b.pointwise(prefix + "exp", "exp", {sub});
    const TensorId sum = b.reduction(prefix + "sum", "sum", exp, {axis});
    return b.pointwise(prefix + "div", "div", {exp, sum});
}

Graph softmax(Values v) {
    GraphBuilder b("softmax " + std::to_string(v[0]) + " x " + std::to_string(v[1]));
    const TensorId x = b.input("x", {v[0], v[1]});
    b.output(softmaxOf(b, "", x, static_cast<int>(v[2])));
    return b.build();
}

Graph mlp(Values v) {
    GraphBuilder b("mlp of " + std::to_string(v[3]) + " layers");
    TensorId x = b.input("x", {v[0], v[1]});
    for (std::int64_t i = 0; i < v[3]; ++i) {
        const TensorId up = b.matmul(numbered("up", i), x, b.parameter(numbered("w_up", i), {v[1], v[2]}));
        const TensorId biased = b.pointwise(numbered("bias", i), "add", {up, b.parameter(numbered("b_up", i), {v[2]})});
        const TensorId active = b.pointwise(numbered("gelu", i), "gelu", {biased});
        const TensorId down = b.matmul(numbered("down", i), active, b.parameter(numbered("w_down", i), {v[2], v[1]}));
        x = b.pointwise(numbered("residual", i), "add", {down, x});
    }
    b.output(x);
    return b.build();
}

/// Scores, softmax and context of several heads at once: [heads, tokens, width].
Graph attention(Values v) {
    GraphBuilder b("attention of " + std::to_string(v[1]) + " heads");
    const TensorId q = b.input("q", {v[1], v[0], v[2]});
    const TensorId k = b.input("k", {v[1], v[0], v[2]});
    const TensorId value = b.input("v", {v[1], v[0], v[2]});
    const TensorId kt = b.transpose("k_t", k, {0, 2, 1});
    const TensorId scores = b.matmul("scores", q, kt);
    const TensorId scaled = b.pointwise("scaled", "mul", {scores, b.constant("scale", 0.125)});
    const TensorId probs = softmaxOf(b, "softmax_", scaled, 2);
    b.output(b.matmul("context", probs, value));
    return b.build();
}

/// A 1 x 1 convolution is a product over the channels of every pixel: [pixels, channels].
Graph convChain(Values v) {
    GraphBuilder b("conv chain of " + std::to_string(v[2]));
    TensorId x = b.input("x", {v[0] * v[0], v[1]});
    TensorId skip = x;
    for (std::int64_t i = 0; i < v[2]; ++i) {
        const TensorId conv = b.matmul(numbered("conv", i), x, b.parameter(numbered("w", i), {v[1], v[1]}));
        x = b.pointwise(numbered("relu", i), "relu", {conv});
        if (i % 2 == 0) continue;
        x = b.pointwise(numbered("add", i), "add", {x, skip});
        skip = x;
    }
    b.output(x);
    return b.build();
}

}  // namespace

const std::vector<TemplateInfo>& graphTemplates() {
    static const std::vector<TemplateInfo> table{
        {"softmax",
         "Softmax",
         "max, sub, exp, sum, div over one axis: five operations that share one large tensor",
         {{"rows", "Rows", 512, 1, 65536}, {"columns", "Columns", 1024, 1, 65536}, {"axis", "Over axis", 1, 0, 1}}},
        {"mlp",
         "MLP",
         "Layers of matmul, bias, gelu, matmul and a residual addition",
         {{"tokens", "Tokens", 512, 1, 65536},
          {"width", "Width", 1024, 1, 65536},
          {"hidden", "Hidden width", 4096, 1, 262144},
          {"layers", "Layers", 2, 1, 64}}},
        {"attention",
         "Attention",
         "Scores, scaling, softmax and context of several heads",
         {{"tokens", "Tokens", 512, 1, 16384},
          {"heads", "Heads", 16, 1, 256},
          {"head_width", "Width of a head", 64, 1, 1024}}},
        {"conv_chain",
         "Convolution chain",
         "1 x 1 convolutions with relu, and a residual addition after every second one",
         {{"side", "Height and width", 56, 1, 1024},
          {"channels", "Channels", 64, 1, 4096},
          {"layers", "Convolutions", 4, 1, 64}}},
    };
    return table;
}

Result<Graph> makeTemplate(std::string_view id, std::span<const std::int64_t> values) {
    const auto& all = graphTemplates();
    const auto found = std::find_if(all.begin(), all.end(), [&](const TemplateInfo& t) { return t.id == id; });
    if (found == all.end())
        return makeError("SET-001", "template", "there is no template '" + std::string(id) + "'",
                         "take softmax, mlp, attention or conv_chain");
    if (values.size() != found->parameters.size())
        return makeError("SET-002", std::string(id),
                         "it takes " + std::to_string(found->parameters.size()) + " values, not " +
                             std::to_string(values.size()),
                         "give one value for each parameter");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const TemplateParameter& p = found->parameters[i];
        if (values[i] >= p.least && values[i] <= p.most) continue;
        return makeError("SET-002", std::string(p.key),
                         std::to_string(values[i]) + " is not in " + std::to_string(p.least) + " to " +
                             std::to_string(p.most),
                         "choose a value in this range");
    }
    if (id == "softmax") return softmax(values);
    if (id == "mlp") return mlp(values);
    if (id == "attention") return attention(values);
    return convChain(values);
}

}  // namespace memplan

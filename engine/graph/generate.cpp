// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/generate.h"

#include "engine/graph/builder.h"

#include <array>
#include <string>
#include <utility>

namespace memplan {

namespace {

constexpr std::int64_t kTokens = 512;
constexpr std::int64_t kHidden = 1024;
constexpr std::int64_t kHeadWidth = 64;

/// A well-mixed number from a state (splitmix64): no library distribution, equal everywhere.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31U);
}

class ModelBuilder {
public:
    ModelBuilder(int ops, std::uint64_t seed)
        : builder_("chain of " + std::to_string(ops) + " ops"), left_(ops), seed_(seed) {}

    Graph run() {
        x_ = builder_.input("x", {kTokens, kHidden});
        for (std::uint64_t block = 0; left_ > 0; ++block) {
            name_ = "b" + std::to_string(block) + ".";
            const TensorId attended = attention(normalised("norm1"), block);
            x_ = pointwise("residual1", "add", {x_, attended});
            const TensorId grown = mlp(normalised("norm2"), block);
            x_ = pointwise("residual2", "add", {x_, grown});
        }
        builder_.output(x_);
        return builder_.build();
    }

private:
    [[nodiscard]] std::uint64_t draw(std::uint64_t block, std::uint64_t what) const {
        return mixed(seed_ ^ mixed(block * 8 + what));
    }

    /// Makes an op while any is left; afterwards the chain simply ends with what there is.
    template <class F> TensorId make(TensorId otherwise, F&& op) {
        if (left_ <= 0) return otherwise;
        --left_;
        return op();
    }

    TensorId pointwise(const std::string& id, const std::string& fn, std::vector<TensorId> inputs) {
        const TensorId first = inputs.front();
        return make(first, [&] { return builder_.pointwise(name_ + id, fn, std::move(inputs)); });
    }

    TensorId reduced(const std::string& id, const std::string& fn, TensorId x, int axis) {
        return make(x, [&] { return builder_.reduction(name_ + id, fn, x, {axis}); });
    }

    /// x times a new weight of the given width.
    TensorId projected(const std::string& id, TensorId x, std::int64_t from, std::int64_t to) {
        return make(x, [&] {
            const TensorId w = builder_.parameter(name_ + id + ".w", {from, to});
            return builder_.matmul(name_ + id, x, w);
        });
    }

    TensorId normalised(const std::string& id) {
        const TensorId squares = pointwise(id + ".square", "mul", {x_, x_});
        const TensorId mean = reduced(id + ".mean", "mean", squares, 1);
        const TensorId scale = pointwise(id + ".rsqrt", "rsqrt", {mean});
        return left_ <= 0 ? x_ : pointwise(id + ".scaled", "mul", {x_, scale});
    }

    TensorId attention(TensorId x, std::uint64_t block) {
        if (left_ < kAttentionOps) return x;
        constexpr std::array<std::int64_t, 3> kHeads = {8, 12, 16};
        const std::int64_t width = kHeads[draw(block, 0) % kHeads.size()] * kHeadWidth;
        const TensorId q = projected("q", x, kHidden, width);
        const TensorId k = projected("k", x, kHidden, width);
        const TensorId v = projected("v", x, kHidden, width);
        const TensorId turned = make(k, [&] { return builder_.transpose(name_ + "kt", k, {1, 0}); });
        const TensorId scores = make(q, [&] { return builder_.matmul(name_ + "scores", q, turned); });
        const TensorId max = reduced("max", "max", scores, 1);
        const TensorId sub = pointwise("sub", "sub", {scores, max});
        const TensorId exp = pointwise("exp", "exp", {sub});
        const TensorId sum = reduced("sum", "sum", exp, 1);
        const TensorId weights = pointwise("div", "div", {exp, sum});
        const TensorId context = make(v, [&] { return builder_.matmul(name_ + "context", weights, v); });
        return projected("out", context, width, kHidden);
    }

    TensorId mlp(TensorId x, std::uint64_t block) {
        if (left_ < kMlpOps) return x;
        constexpr std::array<std::int64_t, 3> kWidths = {2048, 2816, 4096};
        const std::int64_t width = kWidths[draw(block, 1) % kWidths.size()];
        const TensorId gate = projected("gate", x, kHidden, width);
        const TensorId up = projected("up", x, kHidden, width);
        const TensorId sigmoid = pointwise("sigmoid", "sigmoid", {gate});
        const TensorId silu = pointwise("silu", "mul", {gate, sigmoid});
        const TensorId product = pointwise("product", "mul", {silu, up});
        return projected("down", product, width, kHidden);
    }

    static constexpr int kAttentionOps = 12;
    static constexpr int kMlpOps = 6;

    GraphBuilder builder_;
    int left_;
    std::uint64_t seed_;
    TensorId x_;
    std::string name_;
};

}  // namespace

Graph generateChainModel(int ops, std::uint64_t seed) {
    return ModelBuilder(ops, seed).run();
}

}  // namespace memplan

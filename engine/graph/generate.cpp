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
            const BufferId attended = attention(normalised("norm1"), block);
            x_ = pointwise("residual1", "add", {x_, attended});
            const BufferId grown = mlp(normalised("norm2"), block);
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
    template <class F> BufferId make(BufferId otherwise, F&& op) {
        if (left_ <= 0) return otherwise;
        --left_;
        return op();
    }

    BufferId pointwise(const std::string& id, const std::string& fn, std::vector<BufferId> inputs) {
        const BufferId first = inputs.front();
        return make(first, [&] { return builder_.pointwise(name_ + id, fn, std::move(inputs)); });
    }

    BufferId reduced(const std::string& id, const std::string& fn, BufferId x, int axis) {
        return make(x, [&] { return builder_.reduction(name_ + id, fn, x, {axis}); });
    }

    /// x times a new weight of the given width.
    BufferId projected(const std::string& id, BufferId x, std::int64_t from, std::int64_t to) {
        return make(x, [&] {
            const BufferId w = builder_.parameter(name_ + id + ".w", {from, to});
            return builder_.matmul(name_ + id, x, w);
        });
    }

    BufferId normalised(const std::string& id) {
        const BufferId squares = pointwise(id + ".square", "mul", {x_, x_});
        const BufferId mean = reduced(id + ".mean", "mean", squares, 1);
        const BufferId scale = pointwise(id + ".rsqrt", "rsqrt", {mean});
        return left_ <= 0 ? x_ : pointwise(id + ".scaled", "mul", {x_, scale});
    }

    BufferId attention(BufferId x, std::uint64_t block) {
        if (left_ < kAttentionOps) return x;
        constexpr std::array<std::int64_t, 3> kHeads = {8, 12, 16};
        const std::int64_t width = kHeads[draw(block, 0) % kHeads.size()] * kHeadWidth;
        const BufferId q = projected("q", x, kHidden, width);
        const BufferId k = projected("k", x, kHidden, width);
        const BufferId v = projected("v", x, kHidden, width);
        const BufferId turned = make(k, [&] { return builder_.transpose(name_ + "kt", k, {1, 0}); });
        const BufferId scores = make(q, [&] { return builder_.matmul(name_ + "scores", q, turned); });
        const BufferId max = reduced("max", "max", scores, 1);
        const BufferId sub = pointwise("sub", "sub", {scores, max});
        const BufferId exp = pointwise("exp", "exp", {sub});
        const BufferId sum = reduced("sum", "sum", exp, 1);
        const BufferId weights = pointwise("div", "div", {exp, sum});
        const BufferId context = make(v, [&] { return builder_.matmul(name_ + "context", weights, v); });
        return projected("out", context, width, kHidden);
    }

    BufferId mlp(BufferId x, std::uint64_t block) {
        if (left_ < kMlpOps) return x;
        constexpr std::array<std::int64_t, 3> kWidths = {2048, 2816, 4096};
        const std::int64_t width = kWidths[draw(block, 1) % kWidths.size()];
        const BufferId gate = projected("gate", x, kHidden, width);
        const BufferId up = projected("up", x, kHidden, width);
        const BufferId sigmoid = pointwise("sigmoid", "sigmoid", {gate});
        const BufferId silu = pointwise("silu", "mul", {gate, sigmoid});
        const BufferId product = pointwise("product", "mul", {silu, up});
        return projected("down", product, width, kHidden);
    }

    static constexpr int kAttentionOps = 12;
    static constexpr int kMlpOps = 6;

    GraphBuilder builder_;
    int left_;
    std::uint64_t seed_;
    BufferId x_;
    std::string name_;
};

}  // namespace

Graph generateChainModel(int ops, std::uint64_t seed) {
    return ModelBuilder(ops, seed).run();
}

}  // namespace memplan

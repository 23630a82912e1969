// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/lower/patterns.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <set>

namespace memplan::io::onnx {

bool isLive(const Node& node) {
    return !node.folded && !node.dead;
}

namespace {

/// Who makes and who reads each value, over live nodes.
class Links {
public:
    explicit Links(const Model& m) : model(m), producer(m.values.size(), -1), readers(m.values.size()) {
        for (std::size_t i = 0; i < m.nodes.size(); ++i) {
            if (!isLive(m.nodes[i])) continue;
            for (const int v : m.nodes[i].inputs) {
                if (v >= 0) readers[static_cast<std::size_t>(v)].push_back(static_cast<int>(i));
            }
            for (const int v : m.nodes[i].outputs) {
                if (v >= 0) producer[static_cast<std::size_t>(v)] = static_cast<int>(i);
            }
        }
    }

    const Model& model;
    std::vector<int> producer;
    std::vector<std::vector<int>> readers;

    [[nodiscard]] const Node& node(int i) const { return model.nodes[static_cast<std::size_t>(i)]; }
    [[nodiscard]] int input(int n, std::size_t k) const {
        const auto& inputs = node(n).inputs;
        return k < inputs.size() ? inputs[k] : -1;
    }
    [[nodiscard]] int maker(int value) const { return value < 0 ? -1 : producer[static_cast<std::size_t>(value)]; }
    [[nodiscard]] bool is(int n, std::initializer_list<const char*> ops) const {
        return n >= 0 && node(n).domain.empty() &&
               std::any_of(ops.begin(), ops.end(), [&](const char* op) { return node(n).op == op; });
    }
    /// The value is read by one node only and is no graph output.
    [[nodiscard]] bool isInner(int value) const {
        if (value < 0 || model.values[static_cast<std::size_t>(value)].isOutput) return false;
        std::vector<int> distinct = readers[static_cast<std::size_t>(value)];
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        return distinct.size() == 1;
    }
    [[nodiscard]] int soleReader(int value) const {
        return isInner(value) ? readers[static_cast<std::size_t>(value)].front() : -1;
    }
    [[nodiscard]] std::optional<double> scalar(int value) const {
        if (value < 0 || !model.values[static_cast<std::size_t>(value)].folded) return std::nullopt;
        const FoldedValue& f = *model.values[static_cast<std::size_t>(value)].folded;
        if (const auto* d = std::get_if<std::vector<double>>(&f); d != nullptr && d->size() == 1) return d->front();
        if (const auto* i = std::get_if<std::vector<std::int64_t>>(&f); i != nullptr && i->size() == 1)
            return static_cast<double>(i->front());
        return std::nullopt;
    }
    [[nodiscard]] bool isScalar(int value, double wanted) const {
        const auto s = scalar(value);
        return s && std::abs(*s - wanted) <= 1e-3 * std::abs(wanted);
    }
    [[nodiscard]] bool isConstant(int value) const {
        return value >= 0 && model.values[static_cast<std::size_t>(value)].isConstant;
    }
    /// The other operand of a commutative node.
    [[nodiscard]] int other(int n, int value) const { return input(n, 0) == value ? input(n, 1) : input(n, 0); }
    [[nodiscard]] int output(int n) const { return node(n).outputs.empty() ? -1 : node(n).outputs.front(); }
    /// The operand made by a node of these kinds, inner; -1 when there is none.
    [[nodiscard]] int operandBy(int n, std::initializer_list<const char*> ops) const {
        for (std::size_t k = 0; k < node(n).inputs.size(); ++k) {
            const int v = input(n, k);
            if (is(maker(v), ops) && isInner(v)) return maker(v);
        }
        return -1;
    }
};

using Nodes = std::vector<int>;

/// The factors of a product in any bracketing, taken through multiplies whose value stays inside.
struct Product {
    Nodes nodes;
    std::vector<int> factors;
};

Product productOf(const Links& g, int value) {
    constexpr std::size_t kMost = 8;
    Product p;
    std::vector<int> open{value};
    while (!open.empty()) {
        const int v = open.back();
        open.pop_back();
        const int m = g.maker(v);
        const bool enters = v == value || g.isInner(v);
        if (g.is(m, {"Mul"}) && enters && open.size() + p.factors.size() < kMost) {
            p.nodes.push_back(m);
            open.push_back(g.input(m, 0));
            open.push_back(g.input(m, 1));
        } else {
            p.factors.push_back(v);
        }
    }
    return p;
}

struct Monomial {
    double constant;
    int power;
};

/// constant * x^power; the nodes that compute it, empty when it is something else.
Nodes matchMonomial(const Links& g, int value, int x, Monomial wanted) {
    Product p = productOf(g, value);
    int power = 0;
    int constants = 0;
    for (const int v : p.factors) {
        const int m = g.maker(v);
        if (v == x) {
            ++power;
        } else if (g.isScalar(v, wanted.constant)) {
            ++constants;
        } else if (g.is(m, {"Pow"}) && g.input(m, 0) == x && g.scalar(g.input(m, 1))) {
            power += static_cast<int>(std::lround(*g.scalar(g.input(m, 1))));
            p.nodes.push_back(m);
        } else {
            return {};
        }
    }
    return constants == 1 && power == wanted.power ? p.nodes : Nodes{};
}

/// 0.7979 * (x + 0.0447 x^3), or 0.7979 * x * (1 + 0.0447 x^2).
Nodes matchTanhArgument(const Links& g, int value, int x) {
    Product p = productOf(g, value);
    int sum = -1;
    int scales = 0;
    int direct = 0;
    for (const int v : p.factors) {
        if (g.isScalar(v, 0.7979))
            ++scales;
        else if (v == x)
            ++direct;
        else if (g.is(g.maker(v), {"Add"}) && sum < 0)
            sum = g.maker(v);
        else
            return {};
    }
    if (scales != 1 || sum < 0 || direct > 1) return {};
    for (std::size_t k = 0; k < 2; ++k) {
        const int lone = g.input(sum, k);
        if (direct == 0 ? lone != x : !g.isScalar(lone, 1.0)) continue;
        const Nodes inner = matchMonomial(g, g.input(sum, 1 - k), x, {0.0447, direct == 0 ? 3 : 2});
        if (inner.empty()) continue;
        p.nodes.push_back(sum);
        p.nodes.insert(p.nodes.end(), inner.begin(), inner.end());
        return p.nodes;
    }
    return {};
}

Nodes matchErfArgument(const Links& g, int value, int x) {
    const int n = g.maker(value);
    if (g.is(n, {"Div"}) && g.input(n, 0) == x && g.isScalar(g.input(n, 1), 1.4142)) return {n};
    return matchMonomial(g, value, x, {0.7071, 1});
}

/// Each matcher looks at the node that would write the result. x * (1 + f) * 0.5 in any bracketing.
Nodes matchGelu(const Links& g, int last) {
    if (!g.is(last, {"Mul"})) return {};
    Product p = productOf(g, g.output(last));
    if (p.factors.size() != 3) return {};
    int add = -1;
    int x = -1;
    bool half = false;
    for (const int v : p.factors) {
        if (g.isScalar(v, 0.5))
            half = true;
        else if (g.is(g.maker(v), {"Add"}) && g.operandBy(g.maker(v), {"Erf", "Tanh"}) >= 0)
            add = g.maker(v);
        else
            x = v;
    }
    if (!half || add < 0 || x < 0) return {};
    const int inner = g.operandBy(add, {"Erf", "Tanh"});
    if (!g.isScalar(g.other(add, g.output(inner)), 1.0)) return {};
    const Nodes argument =
        g.is(inner, {"Erf"}) ? matchErfArgument(g, g.input(inner, 0), x) : matchTanhArgument(g, g.input(inner, 0), x);
    if (argument.empty()) return {};
    p.nodes.push_back(add);
    p.nodes.push_back(inner);
    p.nodes.insert(p.nodes.end(), argument.begin(), argument.end());
    return p.nodes;
}

/// Square of v: Pow with 2 or a product with itself.
bool isSquare(const Links& g, int n) {
    if (g.is(n, {"Pow"})) return g.isScalar(g.input(n, 1), 2.0);
    return g.is(n, {"Mul"}) && g.input(n, 0) == g.input(n, 1);
}

/// ... 1 / sqrt(mean(square) + eps): from the node that makes the root (or its reciprocal) back to the square.
Nodes rootOfMeanSquare(const Links& g, int root) {
    Nodes nodes;
    if (g.is(root, {"Reciprocal"}) || (g.is(root, {"Div"}) && g.isScalar(g.input(root, 0), 1.0))) {
        nodes.push_back(root);
        root = g.maker(g.input(root, g.is(root, {"Div"}) ? 1 : 0));
    }
    if (!g.is(root, {"Sqrt"})) return {};
    nodes.push_back(root);
    const int add = g.maker(g.input(root, 0));
    if (!g.is(add, {"Add"})) return {};
    nodes.push_back(add);
    const int mean = g.operandBy(add, {"ReduceMean"});
    if (mean < 0) return {};
    nodes.push_back(mean);
    const int square = g.maker(g.input(mean, 0));
    if (!isSquare(g, square)) return {};
    nodes.push_back(square);
    return nodes;
}

Nodes matchNorm(const Links& g, int last, bool layer) {
    Nodes nodes;
    int at = last;
    if (layer && g.is(at, {"Add"})) {
        const int mul = g.operandBy(at, {"Mul"});
        if (mul < 0 || !g.isConstant(g.other(at, g.output(mul)))) return {};
        nodes.push_back(at);
        at = mul;
    }
    if (g.is(at, {"Mul"})) {
        const int core = g.operandBy(at, {"Div", "Mul"});
        if (core >= 0 && g.isConstant(g.other(at, g.output(core)))) {
            nodes.push_back(at);
            at = core;
        }
    }
    if (!g.is(at, {"Div", "Mul"})) return {};
    nodes.push_back(at);
    int value = -1;
    Nodes tail;
    for (std::size_t k = 0; k < 2 && tail.empty(); ++k) {
        if (g.is(at, {"Div"}) && k == 0) continue;
        tail = rootOfMeanSquare(g, g.maker(g.input(at, k)));
        value = g.input(at, 1 - k);
    }
    if (tail.empty()) return {};
    nodes.insert(nodes.end(), tail.begin(), tail.end());
    const int squared = g.input(tail.back(), 0);
    if (squared != value) return {};
    if (!layer) return nodes;
    const int sub = g.maker(value);
    if (!g.is(sub, {"Sub"})) return {};
    const int mean = g.maker(g.input(sub, 1));
    if (!g.is(mean, {"ReduceMean"}) || g.input(mean, 0) != g.input(sub, 0)) return {};
    nodes.push_back(sub);
    nodes.push_back(mean);
    return nodes;
}

Nodes matchSilu(const Links& g, int last) {
    if (!g.is(last, {"Mul"})) return {};
    const int gate = g.operandBy(last, {"Sigmoid"});
    if (gate < 0 || g.other(last, g.output(gate)) != g.input(gate, 0)) return {};
    return {last, gate};
}

/// x * cos + rotated * sin with rotated = concat(-half, half).
Nodes matchRotary(const Links& g, int last) {
    if (!g.is(last, {"Add"})) return {};
    for (std::size_t k = 0; k < 2; ++k) {
        const int sine = g.maker(g.input(last, k));
        const int cosine = g.maker(g.input(last, 1 - k));
        if (!g.is(sine, {"Mul"}) || !g.is(cosine, {"Mul"})) continue;
        const int rotated = g.operandBy(sine, {"Concat"});
        if (rotated < 0) continue;
        const int negative = g.operandBy(rotated, {"Neg"});
        if (negative < 0) continue;
        Nodes nodes{last, sine, cosine, rotated, negative};
        for (const int v : {g.input(negative, 0), g.other(rotated, g.output(negative))}) {
            const int part = g.maker(v);
            if (g.is(part, {"Slice", "Split"}) && std::find(nodes.begin(), nodes.end(), part) == nodes.end())
                nodes.push_back(part);
        }
        return nodes;
    }
    return {};
}

/// Product of queries and keys, scale, mask, softmax, product with the values.
Nodes matchAttention(const Links& g, int last) {
    if (!g.is(last, {"MatMul"}) || g.isConstant(g.input(last, 1))) return {};
    Nodes nodes{last};
    int at = g.maker(g.input(last, 0));
    const auto step = [&](std::initializer_list<const char*> ops) {
        if (!g.is(at, ops) || !g.isInner(g.output(at))) return false;
        nodes.push_back(at);
        return true;
    };
    const auto up = [&] {
        // Through the operand that is no constant and leads to a product.
        for (std::size_t k = 0; k < g.node(at).inputs.size(); ++k) {
            const int m = g.maker(g.input(at, k));
            if (g.is(m, {"MatMul", "Mul", "Div", "Add", "Where", "Cast", "Softmax"}) && g.isInner(g.input(at, k))) {
                at = m;
                return;
            }
        }
        at = -1;
    };
    while (step({"Cast", "Identity"}))
        up();
    if (!step({"Softmax"})) return {};
    up();
    for (int i = 0; i < 4 && step({"Add", "Mul", "Div", "Where", "Cast"}); ++i)
        up();
    if (!step({"MatMul"}) || g.isConstant(g.input(at, 1))) return {};
    return nodes;
}

/// Product with a constant matrix, then a constant vector.
Nodes matchLinear(const Links& g, int last) {
    if (!g.is(last, {"Add"})) return {};
    const int product = g.operandBy(last, {"MatMul"});
    if (product < 0) return {};
    const int weight = g.input(product, 1);
    const int bias = g.other(last, g.output(product));
    if (!g.isConstant(weight) || !g.isConstant(bias)) return {};
    const auto& w = g.model.values[static_cast<std::size_t>(weight)].shape;
    const auto& b = g.model.values[static_cast<std::size_t>(bias)].shape;
    if (w.size() != 2 || b.empty() || b.back() != w[1]) return {};
    const bool vector = std::all_of(b.begin(), b.end() - 1, [](std::int64_t n) { return n == 1; });
    return vector ? Nodes{last, product} : Nodes{};
}

struct Kind {
    const char* name;
    Nodes (*match)(const Links&, int);
};

Nodes matchLayerNorm(const Links& g, int n) {
    return matchNorm(g, n, true);
}

Nodes matchRmsNorm(const Links& g, int n) {
    return matchNorm(g, n, false);
}

/// Largest first: a later kind never takes a node of an earlier one.
constexpr Kind kKinds[] = {
    {"attention", matchAttention}, {"layer_norm", matchLayerNorm}, {"rms_norm", matchRmsNorm}, {"gelu", matchGelu},
    {"silu", matchSilu},           {"rotary", matchRotary},        {"linear", matchLinear}};

/// All inner values of the match stay inside it.
bool isClosed(const Links& g, const Nodes& nodes, int last) {
    const std::set<int> members(nodes.begin(), nodes.end());
    for (const int n : nodes) {
        if (n == last) continue;
        // Slices and splits feed only the pattern in practice, but may be shared: then they stay outside.
        for (const int v : g.node(n).outputs) {
            if (v < 0) continue;
            if (g.model.values[static_cast<std::size_t>(v)].isOutput) return false;
            for (const int r : g.readers[static_cast<std::size_t>(v)]) {
                if (!members.contains(r)) return false;
            }
        }
    }
    return true;
}

}  // namespace

std::vector<PatternMatch> findPatterns(const Model& model) {
    const Links g(model);
    std::vector<PatternMatch> found;
    std::vector<bool> taken(model.nodes.size(), false);
    for (const Kind& kind : kKinds) {
        // Outermost first: a norm with scale and shift before the bare one inside it.
        for (std::size_t i = model.nodes.size(); i-- > 0;) {
            if (!isLive(model.nodes[i]) || taken[i]) continue;
            Nodes nodes = kind.match(g, static_cast<int>(i));
            std::sort(nodes.begin(), nodes.end());
            nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
            if (nodes.size() < 2) continue;
            const bool free =
                std::none_of(nodes.begin(), nodes.end(), [&](int n) { return taken[static_cast<std::size_t>(n)]; });
            if (!free || !isClosed(g, nodes, static_cast<int>(i))) continue;
            for (const int n : nodes)
                taken[static_cast<std::size_t>(n)] = true;
            found.push_back({kind.name, std::move(nodes), static_cast<int>(i)});
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.last < b.last; });
    return found;
}

std::vector<int> foldableBatchNorms(const Model& model) {
    const Links g(model);
    std::vector<int> into(model.nodes.size(), -1);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const Node& n = model.nodes[i];
        if (!isLive(n) || n.op != "BatchNormalization" || !n.domain.empty() || n.inputs.empty() || n.outputs.empty())
            continue;
        const int conv = g.maker(n.inputs[0]);
        const bool otherOutputs = std::any_of(n.outputs.begin() + 1, n.outputs.end(), [](int v) { return v >= 0; });
        const bool constant = n.inputs.size() >= 5 &&
                              std::all_of(n.inputs.begin() + 1, n.inputs.end(), [&](int v) { return g.isConstant(v); });
        if (g.is(conv, {"Conv"}) && g.isInner(n.inputs[0]) && !otherOutputs && constant) into[i] = conv;
    }
    return into;
}

}  // namespace memplan::io::onnx

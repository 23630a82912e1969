// SPDX-License-Identifier: Apache-2.0
// Op lists of scratchpad 13, one function for each numbered pattern.
#include "engine/solve/patterns.h"

#include "engine/base/numeric.h"
#include "engine/solve/pattern_builder.h"

#include <array>
#include <string>

namespace memplan::solve {

namespace {

constexpr Bytes kStick = 128;

Bytes wholeSticks(Bytes bytes) {
    return alignDown(bytes, kStick);
}

Pattern simpleFragmentation(Bytes capacity) {
    PatternBuilder b("simple_fragmentation", "Simple fragmentation", capacity);
    const Bytes t = wholeSticks(capacity / 3);
    const int input = b.buffer("A", t);
    const int a = b.buffer("A_LX", t);
    const int second = b.buffer("B", t);
    const int c = b.buffer("C", 2 * t);
    b.op({input}, {a});
    b.op({a}, {second});
    b.emit({a, second}, "D", t);
    b.op({second}, {c});
    b.emit({second, c}, "E", t);
    return b.finish();
}

/// Load A, A > B, (A, B) > C of both staircases; gives A and B.
std::array<int, 2> stair(PatternBuilder& b, int number, Bytes step, Bytes output) {
    const std::string n = std::to_string(number);
    const int a = b.buffer("A" + n, step);
    const int second = b.buffer("B" + n, step);
    b.load(a, step);
    b.op({a}, {second});
    b.emit({a, second}, "C" + n, output);
    return {a, second};
}

Pattern staircase(Bytes capacity) {
    constexpr int kSteps = 7;
    PatternBuilder b("staircase", "Staircase", capacity);
    const Bytes k = wholeSticks(2 * capacity / 70);
    std::vector<int> kept;
    for (int i = 1; i <= kSteps; ++i)
        kept.push_back(stair(b, i, i * k, k)[1]);
    b.emit(kept, "C" + std::to_string(kSteps + 1), k);
    return b.finish();
}

Pattern downwardStaircase(Bytes capacity) {
    constexpr int kSteps = 5;
    PatternBuilder b("downward_staircase", "Downward staircase", capacity);
    const Bytes k = wholeSticks(2 * capacity / 34);
    const int z = b.buffer("Z", k);
    b.load(z, k);
    b.emit({z}, "C0", k);
    std::vector<int> kept{z};
    std::vector<int> candidates;
    for (int i = 1; i <= kSteps; ++i) {
        const auto [a, second] = stair(b, i, (kSteps + 1 - i) * k, k);
        kept.push_back(second);
        candidates.insert(candidates.end(), {a, second});
    }
    b.emit(kept, "C" + std::to_string(kSteps + 1), k);
    candidates.push_back(z);
    return b.finish(candidates);
}

Pattern simpleEviction(Bytes capacity) {
    PatternBuilder b("simple_eviction", "Simple eviction", capacity);
    const int a = b.buffer("A", capacity);
    const int other = b.buffer("B", capacity);
    int output = 0;
    for (const int used : {a, other, a}) {
        b.load(used, capacity);
        for (int k = 0; k < 2; ++k)
            b.emit({used}, "C" + std::to_string(++output), capacity);
    }
    return b.finish();
}

Pattern evictionAndReallocation(Bytes capacity) {
    PatternBuilder b("eviction_reallocation", "Eviction and reallocation", capacity);
    const Bytes a = wholeSticks(capacity / 3);
    const std::array<int, 3> small{b.buffer("A0", a), b.buffer("A1", a), b.buffer("A2", a)};
    const int large = b.buffer("B", 2 * a);
    const std::vector<std::vector<int>> groups{
        {small[0], small[1], small[2]}, {small[0], large}, {small[1], large}, {small[2], large}};
    int output = 0;
    for (const std::vector<int>& group : groups) {
        for (const int member : group)
            b.load(member, a);
        for (int k = 0; k < 4; ++k)
            b.emit(group, "C" + std::to_string(output++), a);
    }
    return b.finish();
}

Pattern groupedQueryAttention(Bytes capacity) {
    constexpr Bytes kGroups = 8;
    constexpr Bytes kHead = 64;
    constexpr Bytes kSequence = 16;
    PatternBuilder b("gqattention", "Grouped query attention", capacity);
    const Bytes n = capacity / (2 * kHead * kSequence + kGroups);
    const Bytes query = wholeSticks(n * kGroups * kHead);
    const Bytes key = wholeSticks(n * kHead);
    const Bytes score = wholeSticks(n * kHead * kSequence);
    const Bytes reduced = wholeSticks(n * kGroups);
    const int q = b.buffer("Q", query);
    const int k = b.buffer("K", key);
    const int qk = b.buffer("Q_K", score);
    const int m = b.buffer("m", reduced);
    const int numerators = b.buffer("numerators", score);
    const int denominators = b.buffer("denominators", reduced);
    const int scores = b.buffer("scores", score);
    const int v = b.buffer("V", key);
    const int output = b.buffer("output", query);
    b.load(q, query);
    b.load(k, key);
    b.op({q, k}, {qk});
    b.op({qk}, {m});
    b.op({qk, m}, {numerators});
    b.op({numerators}, {denominators});
    b.op({numerators, denominators}, {scores});
    b.emit({scores}, "scores_HBM", score);
    b.load(v, key);
    b.op({scores, v}, {output});
    b.emit({output}, "output_HBM", query);
    return b.finish();
}

/// Buffers of the mixture of experts that every expert accesses.
struct Routing {
    int hidden = 0;
    int weights = 0;
    int tokensPerExpert = 0;
};

constexpr Bytes kHidden = 512;        // H
constexpr Bytes kIntermediate = 256;  // M
constexpr Bytes kElement = 2;         // fp16

Routing route(PatternBuilder& b) {
    const int hidden = b.buffer("hidden", 393'216);
    const int selector = b.buffer("selector", 5'120);
    const int qualities = b.buffer("qualities", 3'840);
    const int topK = b.buffer("top_k_idx", 1'536);
    const int masked = b.buffer("masked_qualities", 3'840);
    const int weights = b.buffer("weights", 3'840);
    const int tokens = b.buffer("tok_per_expert", 7'680);
    b.load(hidden, 393'216);
    b.load(selector, 5'120);
    b.op({hidden, selector}, {qualities});
    b.op({qualities}, {topK});
    b.op({qualities, topK}, {masked});
    b.op({masked}, {weights});
    b.op({topK}, {tokens});
    return {hidden, weights, tokens};
}

void addExpert(PatternBuilder& b, const Routing& r, int number, Bytes tokens) {
    const std::string n = "_" + std::to_string(number);
    const Bytes wide = tokens * kHidden * kElement;
    const Bytes narrow = tokens * kIntermediate * kElement;
    const Bytes matrix = kHidden * kIntermediate * kElement;
    const int selected = b.buffer("selected_tokens" + n, wide);
    const int up = b.buffer("up" + n, narrow);
    const int gate = b.buffer("gate" + n, narrow);
    const int out = b.buffer("out" + n, narrow);
    const int down = b.buffer("down" + n, wide);
    b.op({r.hidden, r.tokensPerExpert}, {selected});
    b.op({selected, b.buffer("M1" + n, matrix), b.buffer("bias1" + n, kIntermediate * kElement)}, {up});
    b.op({selected, b.buffer("M2" + n, matrix), b.buffer("bias2" + n, kIntermediate * kElement)}, {gate});
    b.op({up, gate}, {out});
    b.op({out, b.buffer("M3" + n, matrix), b.buffer("bias3" + n, kHidden * kElement)}, {down});
    b.op({down, r.weights, r.hidden, r.tokensPerExpert}, {r.hidden});
}

Pattern mixtureOfExperts(Bytes capacity) {
    constexpr std::array<Bytes, 5> kTokens{200, 150, 350, 25, 43};
    PatternBuilder b("moe_mlp", "Mixture of experts", capacity);
    const Routing routing = route(b);
    for (std::size_t e = 0; e < kTokens.size(); ++e)
        addExpert(b, routing, static_cast<int>(e), kTokens[e]);
    b.emit({routing.hidden}, "result", 393'216);
    return b.finish();
}

}  // namespace

std::vector<Pattern> targetPatterns(Bytes capacity) {
    return {simpleFragmentation(capacity),     staircase(capacity),
            downwardStaircase(capacity),       simpleEviction(capacity),
            evictionAndReallocation(capacity), groupedQueryAttention(capacity),
            mixtureOfExperts(capacity)};
}

}  // namespace memplan::solve

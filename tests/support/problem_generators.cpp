// SPDX-License-Identifier: Apache-2.0
#include "tests/support/problem_generators.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace memplan::testing {

using solve::Item;
using solve::Problem;

std::uint64_t SeededDraws::next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

int SeededDraws::between(int low, int high) {
    return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
}

double SeededDraws::fraction() {
    return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

Problem ticksFamily(int count, std::uint64_t seed) {
    constexpr double kMeanLifetime = 20.0;
    constexpr double kMeanSize = 60'000.0;
    Problem problem;
    problem.name = "ticks-" + std::to_string(count);
    problem.capacity = 1'677'696;
    SeededDraws draws(seed);
    problem.items.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        Item item;
        item.name = "b" + std::to_string(i);
        item.start = i;
        item.end = i + 1 + static_cast<Step>(-kMeanLifetime * std::log(1.0 - draws.fraction()));
        // Box-Muller; the mean of a lognormal with sigma 1 is exp(mu + 1/2).
        const double radius = std::sqrt(-2.0 * std::log(1.0 - draws.fraction()));
        const double normal = radius * std::cos(2.0 * std::numbers::pi * draws.fraction());
        const double size = kMeanSize * std::exp(normal - 0.5);
        item.size = std::clamp(static_cast<Bytes>(size), Bytes{2}, problem.capacity / 2);
        item.uses = {item.start};
        if (item.end - 1 > item.start) item.uses.push_back(item.end - 1);
        problem.items.push_back(std::move(item));
    }
    return problem;
}

Problem denseFamily(int count, std::uint64_t seed) {
    constexpr Bytes kBlock = 65'536;
    Problem problem = ticksFamily(count, seed);
    problem.name = "dense-" + std::to_string(count);
    SeededDraws draws(seed ^ 0x5ca1ab1eULL);
    for (Item& item : problem.items) {
        if (!draws.chance(0.5)) continue;
        item.size =
            std::clamp((item.size + kBlock - 1) / kBlock * kBlock, kBlock, problem.capacity / 2 / kBlock * kBlock);
    }
    return problem;
}

Problem columnsFamily(int count, int columns, std::uint64_t seed) {
    Problem problem;
    problem.name = "columns-" + std::to_string(count);
    SeededDraws draws(seed);
    std::vector<Bytes> load(static_cast<std::size_t>(columns), 0);
    for (int i = 0; i < count; ++i) {
        Item item;
        item.name = "b" + std::to_string(i);
        item.start = draws.between(0, columns - 1);
        item.end = std::min(columns, item.start + draws.between(1, columns / 2));
        item.size = problem.alignment * draws.between(1, 400);
        item.uses = {item.start};
        if (item.end - 1 > item.start) item.uses.push_back(item.end - 1);
        for (Step t = item.start; t < item.end; ++t)
            load[static_cast<std::size_t>(t)] += item.size;
        problem.items.push_back(std::move(item));
    }
    problem.capacity = *std::max_element(load.begin(), load.end()) / 2;
    return problem;
}

namespace {

class ProgramDraw {
public:
    ProgramDraw(std::uint64_t seed, const ProgramFamily& family) : draws_(seed), family_(family) {}

    Problem run() {
        constexpr std::array<Bytes, 6> kAlignments{1, 10, 64, 96, 128, 256};
        problem_.name = "program";
        problem_.alignment = kAlignments[static_cast<std::size_t>(draws_.between(0, 5))];
        for (int t = 0; t < family_.ops; ++t)
            addOp(t);
        for (Item& item : problem_.items)
            finish(item);
        declareParents();
        raiseEnds();
        setCapacity();
        return std::move(problem_);
    }

private:
    void addOp(Step t) {
        const int known = static_cast<int>(problem_.items.size());
        for (int r = draws_.between(0, 3); r > 0 && known > 0; --r) {
            Item& read = problem_.items[static_cast<std::size_t>(std::max(0, known - draws_.between(1, 6)))];
            if (read.uses.back() < t) read.uses.push_back(t);
        }
        if (draws_.chance(0.15)) addBuffer(t, "in", true);
        addBuffer(t, "b", false);
    }

    void addBuffer(Step t, const std::string& prefix, bool isInput) {
        Item item;
        item.name = prefix + std::to_string(problem_.items.size());
        item.size = problem_.alignment * draws_.between(1, 40);
        if (draws_.chance(family_.oddSizes)) item.size += draws_.between(1, 63);
        if (draws_.chance(family_.emptySizes)) item.size = 0;
        item.uses = {t};
        item.firstUseIsRead = isInput;
        item.ineligible = draws_.chance(family_.ineligible);
        problem_.items.push_back(std::move(item));
    }

    static void finish(Item& item) {
        item.start = item.uses.front();
        item.end = item.uses.back() + 1;
    }

    /// Several parents are possible, also one parent with several children and chains.
    void declareParents() {
        const auto n = static_cast<int>(problem_.items.size());
        for (int c = 0; c < n; ++c) {
            Item& child = problem_.items[static_cast<std::size_t>(c)];
            for (int p = c - 1; p >= 0; --p) {
                const Item& parent = problem_.items[static_cast<std::size_t>(p)];
                // A life of one tick would make parent, child and grandchild meet.
                if (parent.end != child.start + 1 || parent.uses.size() < 2) continue;
                if (!draws_.chance(family_.inPlace)) continue;
                if (child.size > parent.size && draws_.chance(0.7)) child.size = parent.size;
                if (child.size <= parent.size) child.inPlaceParents.push_back(p);
            }
        }
        // A child may have shrunk after it was accepted as a parent itself.
        for (Item& child : problem_.items) {
            std::erase_if(child.inPlaceParents,
                          [&](int p) { return problem_.items[static_cast<std::size_t>(p)].size < child.size; });
        }
    }

    void raiseEnds() {
        std::vector<bool> isParent(problem_.items.size(), false);
        for (const Item& item : problem_.items) {
            for (const int p : item.inPlaceParents)
                isParent[static_cast<std::size_t>(p)] = true;
        }
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            if (isParent[i] || !draws_.chance(family_.overrides)) continue;
            problem_.items[i].endOverride = problem_.items[i].end + draws_.between(0, 4);
        }
    }

    void setCapacity() {
        Bytes peak = 0;
        for (Step t = 0; t < family_.ops; ++t) {
            Bytes load = 0;
            for (const Item& item : problem_.items)
                load += item.start <= t && t < item.end ? item.size : 0;
            peak = std::max(peak, load);
        }
        const double part = family_.pressure * (0.5 + draws_.fraction());
        problem_.capacity = std::max<Bytes>(1, static_cast<Bytes>(static_cast<double>(peak) * part));
    }

    SeededDraws draws_;
    const ProgramFamily& family_;
    Problem problem_;
};

}  // namespace

Problem randomProgram(std::uint64_t seed, const ProgramFamily& family) {
    return ProgramDraw(seed, family).run();
}

solve::Problem smallProblem(SeededDraws& draws) {
    const int capacity = draws.between(20, 60);
    solve::Problem p{"small", capacity, draws.chance(0.5) ? 1 : 8, {}};
    for (int i = 0; i < 7; ++i) {
        solve::Item item;
        item.name = std::to_string(i);
        item.size = draws.between(1, 30);
        item.start = draws.between(0, 5);
        item.end = item.start + draws.between(1, 4);
        p.items.push_back(item);
    }
    return p;
}

}  // namespace memplan::testing

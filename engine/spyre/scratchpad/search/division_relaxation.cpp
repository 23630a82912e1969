// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/division_relaxation.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

constexpr std::int64_t kMostNanoseconds = 1'000'000'000'000;  ///< of one op; more is no price
constexpr double kFiniteSum = 4e17;                           ///< of all costs together, well below kImpossible
/// A pinned buffer is worth more than all the others together.
constexpr Bytes kWantedFactor = 1024;

}  // namespace

DivisionRelaxation::DivisionRelaxation(const DivisionTrial& trial, const OptionTimes& times)
    : trial_(trial), times_(times), shared_(trial.sharedBuffers()) {
    for (const DivisionTrial::Shared& s : shared_)
        allSpilled_ += s.spillTraffic;
    addBuffers();
    addOps();
}

void DivisionRelaxation::addBuffers() {
    for (std::size_t s = 0; s < shared_.size(); ++s) {
        std::vector<int> common;
        for (std::size_t k = 0; k < shared_[s].ops.size(); ++k) {
            const OpId op = shared_[s].ops[k];
            std::vector<int> own;
            for (std::size_t o = 0; o < trial_.options()[op.at()].size(); ++o) {
                const int value = trial_.agreement(shared_[s].buffer, op, static_cast<int>(o));
                if (value >= 0) own.push_back(value);
            }
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
            if (k == 0) {
                common = std::move(own);
                continue;
            }
            std::vector<int> both;
            std::set_intersection(common.begin(), common.end(), own.begin(), own.end(), std::back_inserter(both));
            common = std::move(both);
        }
        if (common.empty()) {
            neverAgreed_.push_back(s);
        } else {
            buffers_.push_back({s, std::move(common)});
        }
    }
}

void DivisionRelaxation::addOps() {
    std::vector<std::vector<std::size_t>> accessed(trial_.options().size());
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
        for (const OpId op : shared_[buffers_[b].shared].ops)
            accessed[op.at()].push_back(b);
    }
    for (std::size_t i = 0; i < accessed.size(); ++i) {
        OpVariable v;
        v.op = OpId::of(i);
        v.buffers = accessed[i];
        std::map<std::vector<int>, std::size_t> known;
        for (std::size_t o = 0; o < trial_.options()[i].size(); ++o) {
            std::vector<int> agrees;
            for (const std::size_t b : v.buffers) {
                const int value = trial_.agreement(shared_[buffers_[b].shared].buffer, v.op, static_cast<int>(o));
                const auto& values = buffers_[b].values;
                const auto it = std::lower_bound(values.begin(), values.end(), value);
                const bool can = it != values.end() && *it == value;
                agrees.push_back(can ? static_cast<int>(it - values.begin()) + 1 : 0);
            }
            const auto [entry, isNew] = known.emplace(agrees, v.agrees.size());
            if (isNew) {
                v.agrees.push_back(std::move(agrees));
                v.options.emplace_back();
            }
            v.options[entry->second].push_back(static_cast<int>(o));
        }
        ops_.push_back(std::move(v));
    }
}

int DivisionRelaxation::fastest(const OpVariable& v, std::size_t value) const {
    const auto& times = times_[v.op.at()];
    int best = v.options[value].front();
    for (const int o : v.options[value])
        best = times[static_cast<std::size_t>(o)] < times[static_cast<std::size_t>(best)] ? o : best;
    return best;
}

Result<RelaxedChoice> DivisionRelaxation::solve(double bytesPerNanosecond, const RunControl& control) const {
    return solve(bytesPerNanosecond, false, control);
}

Result<RelaxedChoice> DivisionRelaxation::solveWithFreeRings(const RunControl& control) const {
    return solve(0, true, control);
}

/// Whole numbers in proportion: bytes, and nanoseconds at their worth; with worth 0 they break ties only.
DivisionRelaxation::Scale DivisionRelaxation::scaleOf(const Fastest& fast, double bytesPerNanosecond) const {
    double sum = static_cast<double>(allSpilled_) * static_cast<double>(kWantedFactor) + 1;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        std::int64_t most = 0;
        for (const int o : fast[i])
            most = std::max(most, times_[i][static_cast<std::size_t>(o)]);
        sum += bytesPerNanosecond * static_cast<double>(std::min(most, kMostNanoseconds));
    }
    const double perByte = std::max(1.0, std::min(kFiniteSum / sum, 16'777'216.0));
    return {perByte, bytesPerNanosecond > 0 ? perByte * bytesPerNanosecond : 1.0};
}

joint::EliminationProblem DivisionRelaxation::problem(const Fastest& fast, Scale scale, bool freeRings) const {
    joint::EliminationProblem problem;
    for (const BufferVariable& b : buffers_) {
        const DivisionTrial::Shared& s = shared_[b.shared];
        std::vector<std::int64_t> unary(b.values.size() + 1, 0);
        const Bytes worth = s.isWanted ? std::max<Bytes>(1, s.spillTraffic) * kWantedFactor : s.spillTraffic;
        if (!costsNothing(b.shared, freeRings))
            unary.front() = static_cast<std::int64_t>(scale.perByte * static_cast<double>(worth));
        problem.unary.push_back(std::move(unary));
    }
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        const int self = static_cast<int>(problem.unary.size());
        std::vector<std::int64_t> unary;
        for (const int o : fast[i]) {
            const std::int64_t ns = std::min(times_[i][static_cast<std::size_t>(o)], kMostNanoseconds);
            unary.push_back(static_cast<std::int64_t>(scale.perNanosecond * static_cast<double>(ns)));
        }
        problem.unary.push_back(std::move(unary));
        addPairs(ops_[i], self, problem);
    }
    return problem;
}

/// An op and each of its buffers: one of its values, or none.
void DivisionRelaxation::addPairs(const OpVariable& v, int self, joint::EliminationProblem& problem) const {
    for (std::size_t k = 0; k < v.buffers.size(); ++k) {
        const std::size_t values = buffers_[v.buffers[k]].values.size() + 1;
        joint::PairCost pair{self, static_cast<int>(v.buffers[k]), {}};
        for (const auto& agrees : v.agrees) {
            for (std::size_t j = 0; j < values; ++j)
                pair.table.push_back(j == 0 || agrees[k] == static_cast<int>(j) ? 0 : joint::kImpossible);
        }
        problem.pairs.push_back(std::move(pair));
    }
}

Result<RelaxedChoice> DivisionRelaxation::solve(double bytesPerNanosecond, bool freeRings,
                                                const RunControl& control) const {
    Fastest fast(ops_.size());
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        for (std::size_t k = 0; k < ops_[i].agrees.size(); ++k)
            fast[i].push_back(fastest(ops_[i], k));
    }
    const joint::EliminationProblem eliminated = problem(fast, scaleOf(fast, bytesPerNanosecond), freeRings);
    auto found = joint::eliminate(eliminated, std::vector<int>(eliminated.unary.size(), 0), {}, control);
    if (!found) return std::move(found).error();
    RelaxedChoice choice;
    choice.exact = found.value().exact;
    for (const std::size_t s : neverAgreed_)
        choice.spilledTraffic += costsNothing(s, freeRings) ? 0 : shared_[s].spillTraffic;
    for (std::size_t b = 0; b < buffers_.size(); ++b) {
        const bool spilled = found.value().values[b] == 0 && !costsNothing(buffers_[b].shared, freeRings);
        choice.spilledTraffic += spilled ? shared_[buffers_[b].shared].spillTraffic : 0;
    }
    for (std::size_t i = 0; i < ops_.size(); ++i)
        choice.chosen.push_back(fast[i][static_cast<std::size_t>(found.value().values[buffers_.size() + i])]);
    return choice;
}

}  // namespace memplan::spyre

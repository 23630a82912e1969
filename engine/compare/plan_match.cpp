// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/plan_match.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace memplan::compare {

namespace {

constexpr int kMostRounds = 16;             // of the third rule; one suffices but for long unmatched chains
constexpr std::size_t kMostReaders = 4096;  // looked at from one matched buffer

bool comeFromOneInput(const Plan& a, const Plan& b) {
    if (a.graph && a.graph == b.graph) return true;
    return !a.input.sha256.empty() && a.input.sha256 == b.input.sha256;
}

template <class IdType> Partners<IdType> nobody(std::size_t inA, std::size_t inB) {
    Partners<IdType> p;
    p.inB.resize(inA);
    p.inA.resize(inB);
    p.ruleOfB.assign(inB, MatchRule::SameId);
    return p;
}

template <class IdType> void join(Partners<IdType>& p, IdType a, IdType b, MatchRule rule) {
    p.inB[a.at()] = b;
    p.inA[b.at()] = a;
    p.ruleOfB[b.at()] = rule;
}

/// Joins items with equal keys; several of one key in their order.
template <class IdType, class Item, class KeyOf>
void joinByKey(Partners<IdType>& p, const std::vector<Item>& a, const std::vector<Item>& b, KeyOf keyOf,
               MatchRule rule) {
    std::map<decltype(keyOf(a.front())), std::vector<IdType>> waiting;
    for (std::size_t i = a.size(); i-- > 0;)
        if (!p.inB[i].isValid()) waiting[keyOf(a[i])].push_back(IdType::of(i));
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (p.inA[i].isValid()) continue;
        const auto at = waiting.find(keyOf(b[i]));
        if (at == waiting.end() || at->second.empty()) continue;
        join(p, at->second.back(), IdType::of(i), rule);
        at->second.pop_back();
    }
}

/// The third rule: from matched items to their neighbours.
class Surroundings {
public:
    Surroundings(const Plan& a, const Plan& b, PlanMatch& match) : a_(a), b_(b), m_(match) {}

    void run() {
        for (std::size_t i = 0; i < b_.ops.size(); ++i)
            joinBuffersOf(OpId::of(i));
        bool found = true;
        for (int round = 0; found && round < kMostRounds; ++round) {
            found = false;
            for (std::size_t i = 0; i < b_.ops.size(); ++i)
                found = tryOp(OpId::of(i)) || found;
            for (std::size_t i = b_.ops.size(); i-- > 0;)
                found = tryOp(OpId::of(i)) || found;
        }
    }

private:
    [[nodiscard]] bool looksAlike(const PlanBuffer& x, const PlanBuffer& y) const {
        return x.shape == y.shape && x.dtype == y.dtype && x.cloneOf.isValid() == y.cloneOf.isValid() &&
               (x.role == y.role);
    }

    /// Neither item has a partner, or they are partners of each other.
    [[nodiscard]] bool mayMeet(BufferId a, BufferId b) const {
        if (!a.isValid() || !b.isValid()) return a.isValid() == b.isValid();
        const BufferId partner = m_.buffers.inA[b.at()];
        if (partner.isValid() || m_.buffers.inB[a.at()].isValid()) return partner == a;
        return looksAlike(a_.buffer(a), b_.buffer(b));
    }

    [[nodiscard]] bool mayMeet(const std::vector<BufferId>& a, const std::vector<BufferId>& b) const {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [this](BufferId x, BufferId y) { return mayMeet(x, y); });
    }

    [[nodiscard]] bool isAlike(OpId a, OpId b) const {
        const PlanOp& x = a_.op(a);
        const PlanOp& y = b_.op(b);
        const auto sameLoop = [](const IterationDim& i, const IterationDim& j) {
            return i.extent == j.extent && i.isReduction == j.isReduction;
        };
        return x.type == y.type && x.kind == y.kind &&
               std::equal(x.iterationSpace.begin(), x.iterationSpace.end(), y.iterationSpace.begin(),
                          y.iterationSpace.end(), sameLoop) &&
               mayMeet(x.inputs, y.inputs) && mayMeet(x.outputs, y.outputs);
    }

    /// Ops of A beside the partners of this op's buffers: writers of results, readers of operands.
    [[nodiscard]] OpId candidateFor(OpId b) const {
        for (const BufferId id : b_.op(b).outputs) {
            const BufferId partner = id.isValid() ? m_.buffers.inA[id.at()] : BufferId{};
            if (!partner.isValid()) continue;
            const OpId writer = a_.buffer(partner).producer;
            if (writer.isValid() && !m_.ops.inB[writer.at()].isValid() && isAlike(writer, b)) return writer;
        }
        for (const BufferId id : b_.op(b).inputs) {
            const BufferId partner = id.isValid() ? m_.buffers.inA[id.at()] : BufferId{};
            if (!partner.isValid()) continue;
            std::size_t looked = 0;
            for (const OpId reader : a_.buffer(partner).uses) {
                if (++looked > kMostReaders) break;
                if (!m_.ops.inB[reader.at()].isValid() && isAlike(reader, b)) return reader;
            }
        }
        return {};
    }

    bool tryOp(OpId b) {
        if (m_.ops.inA[b.at()].isValid()) return false;
        const OpId a = candidateFor(b);
        if (!a.isValid()) return false;
        join(m_.ops, a, b, MatchRule::SameSurroundings);
        joinBuffersOf(b);
        return true;
    }

    /// Operands and results of a matched op, position by position.
    void joinBuffersOf(OpId b) {
        const OpId a = m_.ops.inA[b.at()];
        if (!a.isValid()) return;
        joinLists(a_.op(a).inputs, b_.op(b).inputs);
        joinLists(a_.op(a).outputs, b_.op(b).outputs);
    }

    void joinLists(const std::vector<BufferId>& a, const std::vector<BufferId>& b) {
        if (a.size() != b.size()) return;
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (!a[i].isValid() || !b[i].isValid()) continue;
            if (m_.buffers.inB[a[i].at()].isValid() || m_.buffers.inA[b[i].at()].isValid()) continue;
            if (looksAlike(a_.buffer(a[i]), b_.buffer(b[i]))) join(m_.buffers, a[i], b[i], MatchRule::SameSurroundings);
        }
    }

    const Plan& a_;
    const Plan& b_;
    PlanMatch& m_;
};

}  // namespace

std::string_view ruleText(MatchRule rule) {
    switch (rule) {
    case MatchRule::SameId:
        return "same id";
    case MatchRule::SameNameAndKind:
        return "same name and kind";
    case MatchRule::SameSurroundings:
        break;
    }
    return "same surroundings";
}

PlanMatch matchPlans(const Plan& a, const Plan& b) {
    PlanMatch m;
    m.isSameInput = comeFromOneInput(a, b);
    m.ops = nobody<OpId>(a.ops.size(), b.ops.size());
    m.buffers = nobody<BufferId>(a.buffers.size(), b.buffers.size());
    if (m.isSameInput) {
        const auto name = [](const auto& item) { return item.name; };
        joinByKey(m.ops, a.ops, b.ops, name, MatchRule::SameId);
        joinByKey(m.buffers, a.buffers, b.buffers, name, MatchRule::SameId);
    } else {
        joinByKey(
            m.ops, a.ops, b.ops, [](const PlanOp& o) { return std::tuple(o.name, o.type, o.kind); },
            MatchRule::SameNameAndKind);
        joinByKey(
            m.buffers, a.buffers, b.buffers,
            [](const PlanBuffer& x) { return std::tuple(x.name, static_cast<int>(x.role), x.cloneOf.isValid()); },
            MatchRule::SameNameAndKind);
    }
    Surroundings(a, b, m).run();
    return m;
}

}  // namespace memplan::compare

// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/plan_changes.h"

#include "engine/base/text.h"
#include "engine/target/target.h"

#include <algorithm>

namespace memplan::compare {

namespace {

std::string stepsText(StepRange life) {
    return "[" + std::to_string(life.begin) + ", " + std::to_string(life.end) + ")";
}

/// "one", "two", ... as running text has it; digits from ten on.
std::string counted(std::size_t n, const std::string& noun) {
    static const char* const kWords[] = {"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};
    const std::string number = n < 10 ? kWords[n] : std::to_string(n);
    return number + " " + noun + (n == 1 ? "" : "s");
}

/// What stays on chip with the buffer: its write and its reads.
std::string accessesText(const PlanBuffer& b) {
    const std::size_t writes = b.producer.isValid() ? 1 : 0;
    const std::size_t reads = b.uses.size() >= writes ? b.uses.size() - writes : 0;
    std::vector<std::string> parts;
    if (writes > 0) parts.push_back(counted(writes, "write"));
    if (reads > 0) parts.push_back(counted(reads, "read"));
    return parts.empty() ? "nothing" : text::join(parts, " and ");
}

std::string effectOnChip(const PlanBuffer& b, bool came) {
    const Bytes bytes = b.trafficSaved;
    return accessesText(b) + (came ? " of it on chip" : " of it in main memory again") +
           (bytes > 0 ? ", " + text::grouped(bytes) + " B a run " + (came ? "less" : "more") : "");
}

std::string trafficText(Bytes delta) {
    if (delta == 0) return "no traffic change";
    return text::grouped(delta < 0 ? -delta : delta) + " B a run " + (delta < 0 ? "less" : "more") + " in main memory";
}

/// What an operation moves itself: with a clone in the program others read on chip, so its bytes say nothing about the
/// plan.
std::string ownTrafficText(Bytes bytes, bool added) {
    if (bytes == 0) return "no main-memory traffic of its own";
    const std::string amount = text::grouped(bytes) + " B a run to or from main memory";
    return added ? "moves " + amount + " itself" : "moved " + amount + " itself";
}

/// What places are counted in: bytes of a scratchpad, or columns of a residual stream, which saves no traffic.
struct Scale {
    Bytes bytes = 1;
    const char *place = "address", *size = "bytes per core", *unit = "B", *nowhere = "off chip";
    bool isStream = false;
};

Scale scaleOf(const Plan& plan) {
    const auto isInStream = [](const PlanBuffer& b) { return b.space == MemorySpace::Residual; };
    if (std::none_of(plan.buffers.begin(), plan.buffers.end(), isInStream)) return {};
    return {std::max<Bytes>(1, plan.memory.alignment), "first column", "columns", "columns", "no columns", true};
}

class Collector {
public:
    Collector(const Plan& a, const Plan& b, const PlanMatch& match) : a_(a), b_(b), m_(match), scale_(scaleOf(b)) {}

    std::vector<Change> run() {
        for (std::size_t i = 0; i < b_.buffers.size(); ++i)
            buffer(m_.buffers.inA[i], BufferId::of(i));
        for (std::size_t i = 0; i < b_.ops.size(); ++i)
            op(m_.ops.inA[i], OpId::of(i));
        for (std::size_t i = 0; i < a_.buffers.size(); ++i)
            if (!m_.buffers.inB[i].isValid()) lone(BufferId::of(i), a_, ChangeKind::Removed);
        for (std::size_t i = 0; i < a_.ops.size(); ++i)
            if (!m_.ops.inB[i].isValid()) lone(OpId::of(i), a_, ChangeKind::Removed);
        std::stable_sort(changes_.begin(), changes_.end(), [this](const Change& x, const Change& y) {
            return std::tuple(x.kind, stepOf(x)) < std::tuple(y.kind, stepOf(y));
        });
        return std::move(changes_);
    }

private:
    [[nodiscard]] std::string scaled(Bytes bytes) const { return text::grouped(bytes / scale_.bytes); }

    [[nodiscard]] std::string placeText(const PlanBuffer& b) const {
        if (!isOnChip(b.space)) return scale_.nowhere;
        return b.address ? scaled(*b.address) : "on chip";
    }

    [[nodiscard]] std::string traffic(std::string words) const { return scale_.isStream ? "" : std::move(words); }

    [[nodiscard]] Step stepOf(const Change& c) const {
        if (c.bufferB.isValid()) return b_.buffer(c.bufferB).life.begin;
        if (c.bufferA.isValid()) return a_.buffer(c.bufferA).life.begin;
        return c.opB.isValid() ? c.opB.index : c.opA.index;
    }

    void buffer(BufferId idA, BufferId idB) {
        if (!idA.isValid()) return lone(idB, b_, ChangeKind::Added);
        const PlanBuffer& x = a_.buffer(idA);
        const PlanBuffer& y = b_.buffer(idB);
        Change base;
        base.item = y.name;
        if (x.name != y.name) base.itemInA = x.name;
        base.bufferA = idA;
        base.bufferB = idB;
        base.rule = m_.buffers.ruleOfB[idB.at()];
        place(base, x, y);
        slot(base, x, y);
        if (!livesAlike(x.life, y.life))
            add(base, ChangeKind::LifetimeChanged, "steps", {stepsText(x.life), stepsText(y.life)},
                {(y.life.end - y.life.begin) - (x.life.end - x.life.begin), "steps"});
        if (x.sizePerCore != y.sizePerCore)
            add(base, ChangeKind::SizeChanged, scale_.size, {scaled(x.sizePerCore), scaled(y.sizePerCore)},
                {(y.sizePerCore - x.sizePerCore) / scale_.bytes, scale_.unit});
        if (x.size != y.size && !scale_.isStream)
            add(base, ChangeKind::SizeChanged, "bytes of all cores", {text::grouped(x.size), text::grouped(y.size)},
                {y.size - x.size, "B"});
        if (x.reason && y.reason && x.reason->code != y.reason->code)
            add(base, ChangeKind::ReasonChanged, "reason",
                {std::string(reasonInfo(x.reason->code).name), std::string(reasonInfo(y.reason->code).name)}, {});
    }

    void place(Change base, const PlanBuffer& x, const PlanBuffer& y) {
        const bool was = isOnChip(x.space);
        const bool is = isOnChip(y.space);
        const std::pair places(placeText(x), placeText(y));
        if (!was && is) {
            base.effect = traffic(effectOnChip(y, true));
            return add(base, ChangeKind::CameOnChip, scale_.place, places, {y.sizePerCore / scale_.bytes, scale_.unit});
        }
        if (was && !is) {
            base.effect = traffic(effectOnChip(x, false));
            return add(base, ChangeKind::LeftChip, scale_.place, places, {-x.sizePerCore / scale_.bytes, scale_.unit});
        }
        if (!was || x.address == y.address) return;
        base.effect = traffic(trafficText(x.trafficSaved - y.trafficSaved));
        std::optional<std::int64_t> delta;
        if (x.address && y.address) delta = (*y.address - *x.address) / scale_.bytes;
        add(base, ChangeKind::Moved, scale_.place, places, {delta, scale_.unit});
    }

    /// From the same operation to the same one: a clone in front moves the steps and changes nothing. A clone in
    /// between makes the life longer.
    [[nodiscard]] bool livesAlike(StepRange x, StepRange y) const {
        if (x == y) return true;
        const auto isSame = [this](Step inA, Step inB) {
            const auto at = static_cast<std::size_t>(inA);
            if (inA >= 0 && at < m_.ops.inB.size()) return m_.ops.inB[at] == OpId{inB};
            return inA < 0 ? inB < 0 : inB >= static_cast<Step>(b_.ops.size());  // before the first, behind the last
        };
        return x.end - x.begin == y.end - y.begin && isSame(x.begin, y.begin) && isSame(x.end - 1, y.end - 1);
    }

    /// Compared by the partner of the parent, as parents have other positions in another plan.
    void slot(const Change& base, const PlanBuffer& x, const PlanBuffer& y) {
        if (!isOnChip(x.space) || !isOnChip(y.space)) return;
        const BufferId expected = x.inPlaceOf.isValid() ? m_.buffers.inB[x.inPlaceOf.at()] : BufferId{};
        const bool isSame = x.inPlaceOf.isValid() == y.inPlaceOf.isValid() && expected == y.inPlaceOf;
        if (isSame) return;
        const auto name = [](const Plan& plan, BufferId id) {
            return id.isValid() ? plan.buffer(id).name : std::string("own slot");
        };
        add(base, ChangeKind::SlotChanged, "in place of", {name(a_, x.inPlaceOf), name(b_, y.inPlaceOf)}, {});
    }

    void op(OpId idA, OpId idB) {
        if (!idA.isValid()) return lone(idB, b_, ChangeKind::Added);
        const PlanOp& x = a_.op(idA);
        const PlanOp& y = b_.op(idB);
        const std::string before = division(a_, idA);
        const std::string after = division(b_, idB);
        if (before == after && x.cores == y.cores) return;
        Change base;
        base.item = y.name;
        if (x.name != y.name) base.itemInA = x.name;
        base.opA = idA;
        base.opB = idB;
        base.rule = m_.ops.ruleOfB[idB.at()];
        base.effect = traffic(trafficText(y.traffic() - x.traffic()));
        add(base, ChangeKind::SplitChanged, "split", {before, after}, {y.cores - x.cores, "cores"});
    }

    /// Loops and their slices; where it has none the words of its machine.
    [[nodiscard]] static std::string division(const Plan& plan, OpId id) {
        const PlanOp& op = plan.op(id);
        const Target* target = op.iterationSpace.empty() ? findTarget(plan.target) : nullptr;
        std::string words = target != nullptr ? target->divisionText(plan, id) : std::string();
        return words.empty() ? splitText(op) : words;
    }

    void lone(BufferId id, const Plan& plan, ChangeKind kind) {
        const PlanBuffer& x = plan.buffer(id);
        const bool added = kind == ChangeKind::Added;
        Change c;
        c.item = x.name;
        (added ? c.bufferB : c.bufferA) = id;
        if (isOnChip(x.space)) c.effect = traffic(effectOnChip(x, added));
        const Bytes size = isOnChip(x.space) ? x.sizePerCore / scale_.bytes : 0;
        const std::string place = placeText(x);
        add(c, kind, "buffer", {added ? "" : place, added ? place : ""}, {added ? size : -size, scale_.unit});
    }

    void lone(OpId id, const Plan& plan, ChangeKind kind) {
        const PlanOp& x = plan.op(id);
        const bool added = kind == ChangeKind::Added;
        Change c;
        c.item = x.name;
        (added ? c.opB : c.opA) = id;
        const Bytes bytes = x.traffic();
        c.effect = traffic(ownTrafficText(bytes, added));
        add(c, kind, "operation", {added ? "" : x.type, added ? x.type : ""}, {});
    }

    void add(Change c, ChangeKind kind, const char* field, std::pair<std::string, std::string> values,
             std::pair<std::optional<std::int64_t>, std::string> delta) {
        c.kind = kind;
        c.field = field;
        c.a = std::move(values.first);
        c.b = std::move(values.second);
        if (delta.first != 0) c.delta = delta.first;  // a difference of nothing is none
        if (c.delta) c.unit = std::move(delta.second);
        changes_.push_back(std::move(c));
    }

    const Plan& a_;
    const Plan& b_;
    const PlanMatch& m_;
    const Scale scale_;
    std::vector<Change> changes_;
};

}  // namespace

std::string unitText(const Change& change) {
    const bool isOne = change.delta == 1 || change.delta == -1;
    if (isOne && change.unit == "steps") return "step";
    if (isOne && change.unit == "cores") return "core";
    if (isOne && change.unit == "columns") return "column";
    return change.unit;
}

std::string_view kindText(ChangeKind kind) {
    switch (kind) {
    case ChangeKind::CameOnChip:
        return "came on chip";
    case ChangeKind::LeftChip:
        return "left the chip";
    case ChangeKind::Moved:
        return "moved";
    case ChangeKind::SlotChanged:
        return "slot changed";
    case ChangeKind::LifetimeChanged:
        return "lifetime changed";
    case ChangeKind::SplitChanged:
        return "split changed";
    case ChangeKind::SizeChanged:
        return "size changed";
    case ChangeKind::ReasonChanged:
        return "reason changed";
    case ChangeKind::Added:
        return "added";
    case ChangeKind::Removed:
        break;
    }
    return "removed";
}

bool isResidencyChange(const Change& c, const Plan& a, const Plan& b) {
    if (c.kind == ChangeKind::CameOnChip || c.kind == ChangeKind::LeftChip) return true;
    if (c.kind == ChangeKind::Added) return c.bufferB.isValid() && isOnChip(b.buffer(c.bufferB).space);
    if (c.kind == ChangeKind::Removed) return c.bufferA.isValid() && isOnChip(a.buffer(c.bufferA).space);
    return false;
}

std::string splitText(const PlanOp& op) {
    std::vector<std::string> parts;
    for (const IterationDim& d : op.iterationSpace)
        if (d.slices > 1) parts.push_back(d.name + " / " + std::to_string(d.slices));
    return parts.empty() ? "one piece" : text::join(parts, ", ");
}

std::vector<Change> planChanges(const Plan& a, const Plan& b, const PlanMatch& match) {
    return Collector(a, b, match).run();
}

}  // namespace memplan::compare

// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/record/record_elements.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/sim/record/record.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace memplan::verify {
namespace {

using sim::LinearIndex;
using sim::RecordArg;
using sim::RecordOp;
using sim::RecordRole;

using Point = std::vector<std::int64_t>;

/// Part of a host position: floor(position / stride) mod extent, and how far a step of it goes in the tensor.
struct Digit {
    std::int64_t stride = 1, extent = 1, element = 1;
};

/// What a buffer holds at a host position: digits outermost first.
struct Holding {
    std::vector<Digit> digits;
    std::int64_t offset = 0;

    /// nullopt beyond the digits.
    [[nodiscard]] std::optional<std::int64_t> at(std::int64_t position) const {
        if (position < 0) return std::nullopt;
        std::int64_t element = offset;
        for (const Digit& d : digits) {
            const std::int64_t step = position / d.stride;
            if (step >= d.extent) return std::nullopt;
            position %= d.stride;
            element = saturatedAdd(element, saturatedMul(step, d.element));
        }
        return position == 0 ? std::optional(element) : std::nullopt;
    }
};

std::int64_t coefficientOf(const LinearIndex& index, std::size_t symbol) {
    const auto it = std::find_if(index.terms.begin(), index.terms.end(),
                                 [&](const auto& t) { return t.first == static_cast<int>(symbol); });
    return it == index.terms.end() ? 0 : it->second;
}

std::int64_t valueAt(const LinearIndex& index, const Point& point) {
    std::int64_t value = index.constant;
    for (std::size_t s = 0; s < point.size(); ++s)
        value = saturatedAdd(value, saturatedMul(coefficientOf(index, s), point[s]));
    return value;
}

const LinearIndex& meantBy(const RecordArg& r) {
    return r.element ? *r.element : r.index;
}

/// Two sums over the symbols of an op are the same in its whole space when they are at its origin and one step and all
/// steps along each symbol.
std::vector<Point> pointsOf(const RecordOp& op) {
    std::vector<Point> points{Point(op.space.size(), 0)};
    for (std::size_t s = 0; s < op.space.size(); ++s) {
        if (op.space[s].extent <= 1) continue;
        for (const std::int64_t step : {std::int64_t{1}, op.space[s].extent - 1}) {
            points.emplace_back(op.space.size(), 0);
            points.back()[s] = step;
        }
    }
    return points;
}

class RecordElements {
public:
    RecordElements(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), record_(*plan_.execution), report_(report) {
        for (const Tensor& t : plan_.graph->tensors)
            tensors_.emplace(t.id, &t);
        writers_.resize(record_.buffers.size());
        for (const RecordOp& op : record_.ops) {
            for (const RecordArg& r : op.args)
                writers_[static_cast<std::size_t>(r.buffer)] += r.isInput || op.role == RecordRole::Allocate ? 0 : 1;
        }
    }

    void run() {
        if (record_.buffers.size() != plan_.buffers.size() || record_.ops.size() != plan_.ops.size()) return;
        holdings_.resize(record_.buffers.size());
        for (std::size_t b = 0; b < holdings_.size(); ++b)
            holdings_[b] = ofTensor(b);
        for (std::size_t i = 0; i < record_.ops.size(); ++i) {
            const RecordOp& op = record_.ops[i];
            if (op.role != RecordRole::Outside && op.role != RecordRole::Allocate) checkOp(op);
        }
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    const sim::ExecutionRecord& record_;
    Report& report_;
    std::unordered_map<std::string_view, const Tensor*> tensors_;
    std::vector<int> writers_;                      ///< per buffer: operations that write it
    std::vector<std::optional<Holding>> holdings_;  ///< of copies: when their op has been read

    [[nodiscard]] bool isOfGraph(std::size_t b) const { return plan_.buffers[b].graphTensor.isValid(); }

    [[nodiscard]] std::optional<Holding> ofTensor(std::size_t b) const {
        const auto it = tensors_.find(record_.buffers[b].denotes);
        if (it == tensors_.end() || !isOfGraph(b)) return std::nullopt;
        const auto& whole = it->second->shape;
        const auto& shape = plan_.buffers[b].shape;
        if (!reading_.loops.holdsOneTile(BufferId::of(b)))
            return Holding{{{1, std::numeric_limits<std::int64_t>::max(), 1}}, 0};
        if (whole.size() != shape.size()) return std::nullopt;
        Holding h;
        std::int64_t stride = 1;
        std::int64_t element = 1;
        for (std::size_t d = whole.size(); d-- > 0;) {
            h.digits.insert(h.digits.begin(), {stride, shape[d], element});
            stride = saturatedMul(stride, std::max<std::int64_t>(shape[d], 1));
            element = saturatedMul(element, std::max<std::int64_t>(whole[d], 1));
        }
        return h;
    }

    void checkOp(const RecordOp& op) {
        const std::vector<Point> points = pointsOf(op);
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            const RecordArg& r = op.args[a];
            const auto b = static_cast<std::size_t>(r.buffer);
            if (r.isIndirect || record_.buffers[b].denotes.empty()) continue;
            if (!r.isInput && !isOfGraph(b)) readCopy(op, a, points);
            if (holdings_[b] && !holdsWhatIsMeant(*holdings_[b], r, points)) wrong(op, a, "its buffer holds there");
        }
    }

    [[nodiscard]] static bool holdsWhatIsMeant(const Holding& h, const RecordArg& r, const std::vector<Point>& points) {
        return std::all_of(points.begin(), points.end(), [&](const Point& p) {
            const auto held = h.at(valueAt(r.index, p));
            return !held || *held == valueAt(meantBy(r), p);
        });
    }

    /// A copy holds the elements that it read, each where it wrote it. What several operations write has parts of
    /// several sources, which one name does not distinguish.
    void readCopy(const RecordOp& op, std::size_t a, const std::vector<Point>& points) {
        const RecordArg& to = op.args[a];
        const auto b = static_cast<std::size_t>(to.buffer);
        if (op.role != RecordRole::Move || op.args.size() != 2 || a != 1 || writers_[b] != 1) return;
        const RecordArg& from = op.args[0];
        const std::string& source = record_.buffers[static_cast<std::size_t>(from.buffer)].denotes;
        if (source.empty()) return;
        const bool isAlike = source == record_.buffers[b].denotes && from.elementAdvance == to.elementAdvance &&
                             std::all_of(points.begin(), points.end(), [&](const Point& p) {
                                 return valueAt(meantBy(from), p) == valueAt(meantBy(to), p);
                             });
        if (!isAlike) return wrong(op, a, "the operation copies there");
        Holding h{{}, meantBy(to).constant};
        for (std::size_t s = 0; s < op.space.size(); ++s) {
            if (op.space[s].extent <= 1) continue;
            h.digits.push_back({coefficientOf(to.index, s), op.space[s].extent, coefficientOf(meantBy(to), s)});
            if (h.digits.back().stride <= 0) return;
        }
        std::sort(h.digits.begin(), h.digits.end(), [](const auto& x, const auto& y) { return x.stride > y.stride; });
        if (to.index.constant == 0) holdings_[b] = std::move(h);
    }

    void wrong(const RecordOp& op, std::size_t a, const char* what) {
        const std::string& buffer = record_.buffers[static_cast<std::size_t>(op.args[a].buffer)].name;
        report_.add("VER-013",
                    "execution op " + op.name + ", args[" + std::to_string(a) + "] (" + text::quoted(buffer) + ")",
                    std::string("its element is not the one that ") + what);
    }
};

}  // namespace

void checkRecordElements(const PlanReading& reading, Report& report) {
    const Plan& plan = reading.plan;
    if (plan.execution && plan.graph && isPlannedHere(plan)) RecordElements(reading, report).run();
}

}  // namespace memplan::verify

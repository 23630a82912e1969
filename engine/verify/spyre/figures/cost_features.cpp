// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/cost_features.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/spyre/reading/device_form.h"

#include <algorithm>
#include <cstdlib>

namespace memplan::verify {
namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t stepOf(const PlanAccess& a, std::size_t loop) {
    return loop < a.coefficients.size() ? a.coefficients[loop] : 0;
}

class FeatureReader {
public:
    FeatureReader(const PlanReading& reading, OpId id, const std::string& edition)
        : reading_(reading), plan_(reading.plan), id_(id), op_(plan_.op(id)), isEditionB_(edition == "B") {}

    std::optional<CostFeatures> run() {
        for (const PlanAccess& a : op_.accesses) {
            if (!plan_.buffer(a.buffer).layout || storedBytes(a) == 0) return std::nullopt;
            if (a.isWrite && write_ != nullptr) return std::nullopt;
            if (a.isWrite)
                write_ = &a;
            else
                reads_.push_back(&a);
        }
        if (write_ == nullptr) return std::nullopt;
        f_.isMatmul = op_.kind == "matmul";
        f_.isReduction = op_.kind == "reduction";
        f_.tilesResult = tilesResult();
        count();
        f_.isMoved = !f_.isMatmul && (isScattered() || reducesOuter() || swapsSticks());
        f_.hasRate = f_.isMoved || (!f_.isMatmul && !f_.isReduction && (spreads() || isTransport()));
        return f_;
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    OpId id_;
    const PlanOp& op_;
    bool isEditionB_;
    const PlanAccess* write_ = nullptr;
    std::vector<const PlanAccess*> reads_;
    CostFeatures f_;

    [[nodiscard]] const PlanBuffer& bufferOf(const PlanAccess& a) const { return plan_.buffer(a.buffer); }
    [[nodiscard]] bool isOff(const PlanAccess& a) const { return !reading_.isOn(a.buffer); }
    [[nodiscard]] std::size_t loops() const { return op_.iterationSpace.size(); }

    /// Of one element on the device; 0 for an unknown form.
    [[nodiscard]] std::int64_t storedBytes(const PlanAccess& a) const {
        const std::int64_t eps = elementsOfStick(bufferOf(a).layout->deviceDtype);
        return eps > 0 ? 128 / eps : 0;
    }

    /// The elements of one load in the type of the result (3).
    [[nodiscard]] Bytes loadOf(const PlanAccess& a) const {
        return saturatedMul(bufferOf(a).size / storedBytes(a), storedBytes(*write_));
    }

    [[nodiscard]] bool tilesResult() const {
        if (id_.at() >= spyreData(plan_).ops.size()) return false;
        const auto& levels = spyreData(plan_).ops[id_.at()].tiledLoops;
        return std::any_of(levels.begin(), levels.end(), [&](const auto& level) {
            return std::any_of(level.begin(), level.end(),
                               [&](int v) { return v >= 0 && stepOf(*write_, static_cast<std::size_t>(v)) != 0; });
        });
    }

    // ---- bytes (3, 5) --------------------------------------------------------------------------------

    void count() {
        const Bytes written = saturatedMul(loadOf(*write_), reading_.loops.tripsOf(id_, *write_));
        const bool isResult = isEditionB_ && bufferOf(*write_).role == BufferRole::GraphOutput;
        if (isOff(*write_) || isResult) f_.moved = written;
        for (const PlanAccess* r : reads_) {
            if (!isOff(*r)) continue;
            const std::int64_t trips = reading_.loops.tripsOf(id_, *r);
            const Bytes once = loadOf(*r);
            f_.moved = saturatedAdd(f_.moved, saturatedMul(saturatedMul(once, trips), copiesOf(*r)));
            if (f_.isMatmul && f_.tilesResult) f_.reread = saturatedAdd(f_.reread, saturatedMul(once, trips - 1));
        }
        for (const PlanAccess& a : op_.accesses)
            f_.isBatched = f_.isBatched || (f_.isMatmul && bufferOf(a).shape.size() >= 3);
    }

    /// Groups of cores that each load an operand of a matrix product whole (edition B).
    [[nodiscard]] std::int64_t copiesOf(const PlanAccess& read) const {
        if (!isEditionB_ || !f_.isMatmul || isSpread(read)) return 1;
        std::int64_t copies = 1;
        for (std::size_t v = 0; v < loops(); ++v)
            copies = saturatedMul(copies, stepOf(read, v) == 0 ? op_.iterationSpace[v].slices : 1);
        return copies;
    }

    // ---- patterns (2.7, 4) ---------------------------------------------------------------------------

    /// The read mentions fewer loops than the result has dimensions.
    [[nodiscard]] bool isSpread(const PlanAccess& read) const {
        std::ptrdiff_t mentioned = 0;
        for (std::size_t v = 0; v < loops(); ++v)
            mentioned += stepOf(read, v) != 0 ? 1 : 0;
        const Shape& shape = bufferOf(*write_).shape;
        return mentioned < std::count_if(
                               shape.begin(), shape.end(), [](std::int64_t e) { return e > 1; });
    }

    [[nodiscard]] bool isScattered() const {
        const Shape& device = bufferOf(*write_).layout->deviceSize;
        if (reads_.empty() || device.size() <= 3) return false;
        const std::int64_t beforeStick = device[device.size() - 2];
        if (beforeStick < 1 || beforeStick > 63) return false;
        for (std::size_t v = 0; v < loops(); ++v) {
            const bool isRead =
                std::any_of(reads_.begin(), reads_.end(), [&](const PlanAccess* r) { return stepOf(*r, v) != 0; });
            if (stepOf(*write_, v) != 0 && !isRead) return true;
        }
        return false;
    }

    [[nodiscard]] bool reducesOuter() const {
        bool keepsStick = false;
        bool isStrided = false;
        for (std::size_t v = 0; v < loops(); ++v) {
            keepsStick = keepsStick || stepOf(*write_, v) == 1;
            for (const PlanAccess* r : reads_)
                isStrided = isStrided || (stepOf(*write_, v) == 0 && std::abs(stepOf(*r, v)) > 1);
        }
        return f_.isReduction && keepsStick && isStrided;
    }

    [[nodiscard]] bool swapsSticks() const {
        for (std::size_t v = 0; v < loops() && !f_.isReduction; ++v) {
            const bool isOther = std::any_of(reads_.begin(), reads_.end(), [&](const PlanAccess* r) {
                return stepOf(*r, v) != 0 && stepOf(*r, v) != 1;
            });
            if (stepOf(*write_, v) == 1 && isOther) return true;
        }
        return false;
    }

    [[nodiscard]] bool spreads() const {
        const auto any = [&](bool spread) {
            return std::any_of(reads_.begin(), reads_.end(),
                               [&](const PlanAccess* r) { return isOff(*r) && isSpread(*r) == spread; });
        };
        return any(true) && any(false);
    }

    /// The outer dimensions change places, or rows are gathered behind each other.
    [[nodiscard]] bool isTransport() const {
        const auto in = std::find_if(reads_.begin(), reads_.end(),
                                     [&](const PlanAccess* r) { return isOff(*r) && !bufferOf(*r).shape.empty(); });
        if (in == reads_.end() || !isOff(*write_)) return false;
        const Shape& i = bufferOf(**in).shape;
        const Shape& o = bufferOf(*write_).shape;
        if (o.size() != 3) return false;
        if (i.size() == 3 && o[0] == i[1] && o[1] == i[0] && o[2] == i[2] && o[0] > 1 && o[1] > 1) return true;
        return i.size() == 2 && o[1] >= 2 && o[0] == i[0] && o[2] == i[1];
    }
};

template <class Predicate> bool anyOf(const std::vector<CostFeatures>& kernel, Predicate predicate) {
    return std::any_of(kernel.begin(), kernel.end(), predicate);
}

}  // namespace

std::optional<CostFeatures> costFeaturesOf(const PlanReading& reading, OpId op, const std::string& edition) {
    return FeatureReader(reading, op, edition).run();
}

std::string branchOf(const std::vector<CostFeatures>& kernel, const std::string& edition) {
    if (edition == "A" && anyOf(kernel, [](const auto& f) { return f.isMatmul; })) return "matmul";
    if (anyOf(kernel, [](const auto& f) { return f.hasRate; })) return "pattern";
    const bool isOneReduction = kernel.size() == 1 && kernel.front().isReduction && !kernel.front().tilesResult;
    return isOneReduction ? "reduction" : "base";
}

std::string categoryOf(const std::vector<CostFeatures>& kernel) {
    if (anyOf(kernel, [](const auto& f) { return f.isBatched; })) return "batched multiply";
    if (anyOf(kernel, [](const auto& f) { return f.isMatmul; }))
        return anyOf(kernel, [](const auto& f) { return f.tilesResult; }) ? "row-tiled multiply" : "split multiply";
    if (anyOf(kernel, [](const auto& f) { return f.isReduction; })) return kernel.size() > 1 ? "softmax" : "reduction";
    if (anyOf(kernel, [](const auto& f) { return f.hasRate && f.isMoved; })) return "transport";
    return anyOf(kernel, [](const auto& f) { return f.hasRate; }) ? "broadcast" : "pointwise";
}

}  // namespace memplan::verify

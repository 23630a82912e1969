// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/figures.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/stopped.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/verify/address.h"
#include "engine/verify/finding.h"
#include "engine/verify/spyre/figures/verify_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace memplan::verify {
namespace {

using text::grouped;

/// How many bytes lie in at least one of the blocks that are there at the moment: a tree over the ranges between
/// neighbouring block ends.
class CoveredBytes {
public:
    /// `bounds`: every address at which a block begins or ends, in any order.
    explicit CoveredBytes(std::vector<Address> bounds) : bounds_(std::move(bounds)) {
        std::sort(bounds_.begin(), bounds_.end());
        bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
        nodes_.resize(4 * bounds_.size());
    }

    [[nodiscard]] Bytes covered() const { return nodes_.empty() ? 0 : nodes_[1].covered; }

    /// One block more (`by` = 1) or less (-1) over [begin, end).
    void count(Address begin, Address end, int by) { count(1, 0, bounds_.size() - 1, begin, end, by); }

private:
    struct Node {
        int blocks = 0;  ///< that cover the whole range and not the whole range of the node above
        Bytes covered = 0;
    };

    /// `node` stands for the addresses from bounds_[first] to bounds_[last].
    void count(std::size_t node, std::size_t first, std::size_t last, Address begin, Address end, int by) {
        if (end <= bounds_[first] || bounds_[last] <= begin) return;
        const bool isWhole = begin <= bounds_[first] && bounds_[last] <= end;
        Node& at = nodes_[node];
        if (isWhole) {
            at.blocks += by;
        } else {
            const std::size_t middle = (first + last) / 2;
            count(2 * node, first, middle, begin, end, by);
            count(2 * node + 1, middle, last, begin, end, by);
        }
        if (at.blocks > 0)
            at.covered = bounds_[last] - bounds_[first];
        else
            at.covered = last - first == 1 ? 0 : nodes_[2 * node].covered + nodes_[2 * node + 1].covered;
    }

    std::vector<Address> bounds_;
    std::vector<Node> nodes_;
};

class FigureCheck {
public:
    explicit FigureCheck(const Plan& plan) : plan_(plan) {}

    std::vector<Diagnostic> run() {
        checkMachine();
        checkOccupancy();
        checkSizes();
        checkCores();
        return std::move(found_);
    }

private:
    const Plan& plan_;
    std::vector<Diagnostic> found_;

    void report(std::string where, std::string message) {
        found_.push_back(finding("VER-013", std::move(where), std::move(message)));
    }

    void expect(const std::string& where, Bytes stated, Bytes real) {
        if (stated != real) report(where, "says " + grouped(stated) + ", the plan gives " + grouped(real));
    }

    /// A buffer list brings a memory of its own.
    [[nodiscard]] bool isOfMachine() const { return plan_.target == "spyre" && !plan_.ops.empty(); }

    void checkMachine() {
        if (!isOfMachine() || !isPlacementDecided(plan_)) return;
        const SpyreMachine machine = spyreMachine(plan_.machine);
        const auto rule = plan_.settings.text("spyre.lx_capacity_rule") == "reserved64k" ? LxCapacityRule::Reserved64k
                                                                                         : LxCapacityRule::Seed;
        expect("memory capacity", plan_.memory.capacity,
               usableLxBytes(machine, plan_.settings.number("spyre.lx_reserved_fraction"), rule));
        expect("memory physical", plan_.memory.physical, machine.lxBytesPerCore);
        expect("memory alignment", plan_.memory.alignment, machine.lxAlignment);
        if (plan_.settings.integer("spyre.cores") > machine.maxCores)
            report("settings spyre.cores", "is " + std::to_string(plan_.settings.integer("spyre.cores")) +
                                               ", the machine has " + std::to_string(machine.maxCores) + " cores");
    }

    /// Bytes of LX in use at each step; a slot that is handed on counts once.
    [[nodiscard]] std::vector<Bytes> livePerStep() const {
        struct Block {
            Address begin = 0;
            Address end = 0;
        };
        const std::size_t steps = plan_.ops.size();
        const auto clamped = [&](Step step) {
            return std::min(static_cast<std::size_t>(std::max<Step>(step, 0)), steps);
        };
        std::vector<std::vector<Block>> begins(steps + 1);
        std::vector<std::vector<Block>> ends(steps + 1);
        std::vector<Address> bounds;
        for (const PlanBuffer& b : plan_.buffers) {
            if (!isOnChip(b.space) || !b.address) continue;
            const Block block{std::max<Address>(*b.address, 0), endAddress(b)};
            if (block.begin >= block.end || clamped(b.life.begin) >= clamped(b.life.end)) continue;
            begins[clamped(b.life.begin)].push_back(block);
            ends[clamped(b.life.end)].push_back(block);
            bounds.insert(bounds.end(), {block.begin, block.end});
        }
        CoveredBytes memory(std::move(bounds));
        std::vector<Bytes> live;
        live.reserve(steps);
        for (std::size_t s = 0; s < steps; ++s) {
            for (const Block& b : ends[s])
                memory.count(b.begin, b.end, -1);
            for (const Block& b : begins[s])
                memory.count(b.begin, b.end, +1);
            live.push_back(memory.covered());
        }
        return live;
    }

    /// One point for each step, in order. Ends with the first that is not so.
    bool checkOccupancyPoints(const std::vector<Bytes>& perStep) {
        const std::vector<OccupancyPoint>& stated = plan_.memory.occupancy;
        if (stated.size() != perStep.size()) {
            report("memory occupancy", "has " + grouped(static_cast<std::int64_t>(stated.size())) +
                                           " points, the plan has " +
                                           grouped(static_cast<std::int64_t>(perStep.size())) + " steps");
            return false;
        }
        for (std::size_t s = 0; s < perStep.size(); ++s) {
            const std::string where = "memory occupancy at step " + std::to_string(s);
            if (stated[s].step == static_cast<Step>(s) && stated[s].bytes == perStep[s]) continue;
            if (stated[s].step == static_cast<Step>(s))
                expect(where, stated[s].bytes, perStep[s]);
            else
                report(where, "its point is that of step " + std::to_string(stated[s].step));
            return false;
        }
        return true;
    }

    void checkOccupancy() {
        if (!isOfMachine() || statesNoMetrics(plan_)) return;
        const std::vector<Bytes> perStep = livePerStep();
        if (!checkOccupancyPoints(perStep)) return;
        const auto liveAt = [&](Step step) {
            const auto s = static_cast<std::size_t>(step);
            return step >= 0 && s < perStep.size() ? perStep[s] : Bytes{0};
        };
        const Bytes peak = *std::max_element(perStep.begin(), perStep.end());
        expect("memory live_peak", plan_.memory.livePeak, peak);
        if (plan_.memory.livePeak > 0)
            expect("memory live_peak at step " + std::to_string(plan_.memory.livePeakStep), plan_.memory.livePeak,
                   liveAt(plan_.memory.livePeakStep));
        const auto first = std::find(perStep.begin(), perStep.end(), peak) - perStep.begin();
        if (plan_.memory.livePeak == peak && liveAt(plan_.memory.livePeakStep) == peak && peak > 0)
            expect("memory x_live_peak_step", plan_.memory.livePeakStep, first);
    }

    /// Device sizes count sticks of 128 bytes; tiles show the shape of their whole.
    void checkSizes() {
        if (!isOfMachine() || plan_.solver == "imported") return;
        for (const PlanBuffer& b : plan_.buffers) {
            if (!b.layout || b.layout->deviceSize.empty() || b.layout->perTileFixed) continue;
            Bytes bytes = spyreMachine(plan_.machine).stickBytes;
            for (std::size_t d = 0; d + 1 < b.layout->deviceSize.size(); ++d)
                bytes = saturatedMul(bytes, b.layout->deviceSize[d]);
            expect("buffer " + b.name + ", its size", b.size, bytes);
        }
    }

    void checkCores() {
        if (!isOfMachine() || statesNoMetrics(plan_)) return;
        const auto available = static_cast<double>(plan_.settings.integer("spyre.cores"));
        double work = 0;
        double used = 0;
        for (const PlanOp& op : plan_.ops) {
            if (op.iterationSpace.empty() || op.kind == "extern" || op.kind == "constant") continue;
            double extent = 1;
            for (const IterationDim& d : op.iterationSpace)
                extent *= static_cast<double>(d.extent);
            work += extent;
            used += extent * static_cast<double>(op.cores) / available;
        }
        const double real = work > 0 ? used / work : 0;
        if (std::abs(plan_.metrics.coreUtilisation - real) <= 1e-9) return;
        report("metrics core_utilisation",
               "says " + std::to_string(plan_.metrics.coreUtilisation) + ", the plan gives " + std::to_string(real));
    }
};

}  // namespace

std::vector<Diagnostic> checkFigures(const Plan& plan) {
    return FigureCheck(plan).run();
}

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
#include "verify/figures.h"

#include "base/numeric.h"
#include "base/text.h"
#include "machine/spyre_machine.h"
#include "plan/stopped.h"
#include "verify/finding.h"
#include "verify/verify_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::verify {
namespace {

using text::grouped;

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
    [[nodiscard]] bool isOfMachine() const { return plan_.target == Target::Spyre && !plan_.ops.empty(); }

    void checkMachine() {
        if (!isOfMachine() || !isPlacementDecided(plan_)) return;
        const SpyreMachine machine;
        const auto rule = plan_.settings.text("spyre.lx_capacity_rule") == "reserved64k" ? LxCapacityRule::Reserved64k
                                                                                         : LxCapacityRule::Seed;
        expect("memory capacity", plan_.memory.capacity,
               usableLxBytes(machine, plan_.settings.number("spyre.lx_reserved_fraction"), rule));
        expect("memory physical", plan_.memory.physical, machine.lxBytesPerCore);
        expect("memory alignment", plan_.memory.alignment, machine.lxAlignment);
    }

    using Blocks = std::vector<std::pair<Address, Address>>;

    /// Bytes of LX in use at each step; a slot that is handed on counts once.
    [[nodiscard]] std::vector<Bytes> livePerStep() const {
        std::vector<Blocks> blocks(plan_.ops.size());
        for (const PlanBuffer& b : plan_.buffers) {
            if (!isOnChip(b.space) || !b.address) continue;
            const auto end =
                std::min<std::size_t>(static_cast<std::size_t>(std::max<Step>(b.life.end, 0)), blocks.size());
            for (auto s = static_cast<std::size_t>(std::max<Step>(b.life.begin, 0)); s < end; ++s)
                blocks[s].emplace_back(*b.address, *b.address + b.sizePerCore);
        }
        std::vector<Bytes> live;
        live.reserve(blocks.size());
        for (Blocks& at : blocks)
            live.push_back(covered(at));
        return live;
    }

    static Bytes covered(Blocks& blocks) {
        std::sort(blocks.begin(), blocks.end());
        Bytes sum = 0;
        Address top = 0;
        for (const auto& [begin, end] : blocks) {
            sum += std::max<Bytes>(0, end - std::max(begin, top));
            top = std::max(top, end);
        }
        return sum;
    }

    void checkOccupancy() {
        if (!isOfMachine() || statesNoMetrics(plan_)) return;
        const std::vector<Bytes> perStep = livePerStep();
        const auto liveAt = [&](Step step) {
            const auto s = static_cast<std::size_t>(step);
            return step >= 0 && s < perStep.size() ? perStep[s] : Bytes{0};
        };
        for (const OccupancyPoint& p : plan_.memory.occupancy) {
            if (p.bytes == liveAt(p.step)) continue;
            return expect("memory occupancy at step " + std::to_string(p.step), p.bytes, liveAt(p.step));
        }
        const Bytes peak = *std::max_element(perStep.begin(), perStep.end());
        expect("memory live_peak", plan_.memory.livePeak, peak);
        if (plan_.memory.livePeak > 0)
            expect("memory live_peak at step " + std::to_string(plan_.memory.livePeakStep), plan_.memory.livePeak,
                   liveAt(plan_.memory.livePeakStep));
    }

    /// Device sizes count sticks of 128 bytes; tiles show the shape of their whole.
    void checkSizes() {
        if (!isOfMachine() || plan_.solver == "imported") return;
        for (const PlanBuffer& b : plan_.buffers) {
            if (!b.layout || b.layout->deviceSize.empty() || b.layout->perTileFixed) continue;
            Bytes bytes = SpyreMachine().stickBytes;
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

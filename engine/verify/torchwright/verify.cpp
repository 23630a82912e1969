// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/verify.h"

#include "engine/verify/torchwright/replay.h"

#include <algorithm>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

constexpr Bytes kColumnBytes = 4;

/// The common part of the plan against the schedule.
class PlanFacts {
public:
    PlanFacts(const Plan& plan, const TorchwrightData& data, Report& report)
        : plan_(plan), data_(data), report_(report) {}

    void run() {
        checkConfig();
        std::size_t ops = 0;
        for (const Layer& layer : data_.schedule.layers)
            ops += layer.attention.size() + layer.mlp.size();
        report_.expect("ops", static_cast<std::int64_t>(plan_.ops.size()), static_cast<std::int64_t>(ops));
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            checkBuffer(BufferId::of(i));
        const Schedule& s = data_.schedule;
        report_.expect("memory capacity", plan_.memory.capacity, kColumnBytes * s.options.d);
        report_.expect("memory live_peak", plan_.memory.livePeak, kColumnBytes * s.peakOccupied);
    }

private:
    const Plan& plan_;
    const TorchwrightData& data_;
    Report& report_;

    void checkConfig() {
        const ScheduleOptions& o = data_.schedule.options;
        const auto expect = [&](const char* key, std::int64_t stated) {
            report_.expect(std::string("config ") + key, stated,
                           plan_.settings.integer(std::string("torchwright.") + key));
        };
        expect("d", o.d), expect("d_head", o.dHead), expect("d_hidden", o.dHidden);
        expect("max_layers", o.maxLayers);
        const bool isAlways = plan_.settings.text("torchwright.local_in_attention") == "always";
        if (isAlways != (o.localInAttention == LocalRouting::Always) ||
            plan_.settings.boolean("torchwright.assume_zero_init") != o.assumeZeroInit)
            report_.add("VER-013", "config", "it is not that of the settings");
    }

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const NodeId node = NodeId::of(id.at());
        const int at = data_.schedule.holdingOf(node);
        report_.expect("buffer " + b.name + " size", b.size, kColumnBytes * data_.graph->at(node).width);
        if (b.name != std::to_string(data_.graph->at(node).number))
            report_.buffer("VER-013", id, "is not named by the number of its node");
        if ((at >= 0) != (b.space == MemorySpace::Residual))
            return report_.buffer("VER-013", id, "its space contradicts whether its node owns columns");
        if (at < 0) {
            if (!b.reason || b.address) report_.buffer("VER-013", id, "owns no columns, which wants a reason");
            return;
        }
        const ColumnList& columns = data_.schedule.holdings[static_cast<std::size_t>(at)].columns;
        report_.expect("buffer " + b.name + " size_per_core", b.sizePerCore, b.size);
        if (!columns.empty() && b.address != kColumnBytes * columns.runs().front().first)
            report_.buffer("VER-013", id, "its address is not that of its first column");
        if (b.reason) report_.buffer("VER-013", id, "owns columns and has a reason why not");
    }
};

}  // namespace

std::vector<Diagnostic> checkPlan(const Plan& plan) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) {
        if (!plan.stoppedAfter.empty() || plan.ops.empty()) return {};
        return {finding("VER-013", "target_data", "there is none, so nothing of the plan can be checked")};
    }
    if (plan.buffers.size() != data.graph->size())
        return {finding("VER-013", "target_data", "buffers and nodes differ in number")};
    const Program program(*data.graph);
    if (!program.isWhole) return {finding("VER-011", "graph", "a node waits for itself")};
    Report report(plan);
    replay(program, data, report);
    PlanFacts(plan, data, report).run();
    return report.take();
}

}  // namespace memplan::verify::torchwright

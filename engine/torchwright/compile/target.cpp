// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/target.h"

#include "engine/torchwright/compile/compilation.h"
#include "engine/torchwright/compile/statistics.h"
#include "engine/torchwright/plan_file/codec.h"
#include "engine/torchwright/program/format.h"
#include "engine/torchwright/program/source.h"
#include "engine/torchwright/program/to_graph.h"
#include "engine/verify/torchwright/verify.h"

#include <utility>

namespace memplan::torchwright {
namespace {

class TorchwrightTarget final : public Target {
public:
    [[nodiscard]] const TargetInfo& info() const override {
        static const TargetInfo kInfo{
            "torchwright", "torchwright: residual stream of a transformer", "residual", {"torchwright-graph"}, {},
            false};
        return kInfo;
    }

    [[nodiscard]] PassList passes() const override {
        PassList list;
        for (const Pass& pass : pipeline())
            list.push_back(pass.info);
        return list;
    }

    [[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> begin(const CompileRequest& request) const override {
        return beginCompile(request);
    }
    [[nodiscard]] std::vector<Diagnostic> verify(const Plan& plan) const override {
        return verify::torchwright::checkPlan(plan);
    }
    [[nodiscard]] std::span<const TargetFormat> formats() const override { return torchwright::formats(); }

    [[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) const override {
        const auto* source = dynamic_cast<const GraphSource*>(&program);
        return source != nullptr ? graphOfNodes(*source->graph, name) : nullptr;
    }

    void writeData(const Plan& plan, io::RecordWriter& file) const override { torchwright::writeData(plan, file); }
    void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) const override {
        torchwright::readData(fields, at, plan);
    }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op) const override {
        return torchwright::factsOf(plan, op);
    }
    [[nodiscard]] bool lostThePacking(const Plan&, const PlanBuffer&) const override { return false; }
    [[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan) const override {
        return torchwright::statistics(plan);
    }
};

}  // namespace

const Target& target() {
    static const TorchwrightTarget kTarget;
    return kTarget;
}

}  // namespace memplan::torchwright

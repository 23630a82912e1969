// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/target/toy/toy.h"

#include "engine/base/text.h"
#include "engine/pipeline/pass_rows.h"
#include "engine/pipeline/plan_frame.h"
#include "engine/pipeline/plan_metrics.h"
#include "engine/plan/wordings.h"
#include "engine/settings/settings_rows.h"
#include "engine/verify/finding.h"
#include "engine/verify/placement.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace memplan::toy {
namespace {

struct State {
    std::shared_ptr<const Boxes> source;
    std::vector<std::size_t> order;
    std::vector<std::optional<Address>> places;  ///< parallel to the boxes
};

using Pass = PassOver<State>;

constexpr Wording kShelfFull{"the shelf is full"};

Result<PassOutcome> orderBoxes(State& state, PassContext& context) {
    const auto& boxes = state.source->boxes;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].size <= 0) return makeError("IN-008", boxes[i].name, "a box has no size", "give it one");
        state.order.push_back(i);
    }
    std::ranges::stable_sort(state.order, [&](auto a, auto b) { return boxes[a].size > boxes[b].size; });
    Decision d;
    d.kind = DecisionKind::Order;
    if (!boxes.empty()) d.chosen = {say::kName, boxes[state.order.front()].name};
    context.decide(std::move(d));
    return PassOutcome{true, {{"boxes", static_cast<std::int64_t>(boxes.size())}}};
}

std::optional<Address> lowest(const State& state, std::size_t i, Bytes shelf) {
    const auto& boxes = state.source->boxes;
    for (Address at = 0; at + boxes[i].size <= shelf; ++at) {
        const auto collides = [&](std::size_t other) {
            if (other == i || !state.places[other] || !boxes[other].life.overlaps(boxes[i].life)) return false;
            return at < *state.places[other] + boxes[other].size && *state.places[other] < at + boxes[i].size;
        };
        const bool isFree = std::ranges::none_of(state.order, collides);
        if (isFree) return at;
    }
    return std::nullopt;
}

Result<PassOutcome> stackBoxes(State& state, PassContext& context) {
    state.places.resize(state.source->boxes.size());
    for (const std::size_t i : state.order)
        state.places[i] = lowest(state, i, context.settings.integer("toy.shelf"));
    return PassOutcome{true, {}};
}

const std::vector<Pass>& pipeline() {
    static const std::vector<Pass> kPasses{{{.id = "order_boxes",
                                             .title = "order the boxes",
                                             .purpose = "puts large boxes first",
                                             .needs = {"graph"},
                                             .provides = {"order"}},
                                            orderBoxes},
                                           {{.id = "stack_boxes",
                                             .title = "stack the boxes",
                                             .purpose = "places each as low as it fits",
                                             .needs = {"order"},
                                             .provides = {"addresses"}},
                                            stackBoxes}};
    return kPasses;
}

class Run final : public CompilationOver<State> {
public:
    explicit Run(const CompileRequest& request) : CompilationOver(pipeline()), request_(request) {
        state_.source = std::dynamic_pointer_cast<const Boxes>(request.program);
    }

    [[nodiscard]] std::string snapshot() const override {
        std::string out;
        for (const std::size_t i : state_.order)
            out += state_.source->boxes[i].name + "\n";
        return out;
    }

    [[nodiscard]] std::shared_ptr<Plan> freeze(RunFacts facts) const override {
        auto plan = std::make_shared<Plan>();
        putRequest(request_, *plan);
        putRun(facts, *plan);
        plan->solver = "stack";
        plan->memory.capacity = plan->memory.physical = plan->settings.integer("toy.shelf");
        for (std::size_t i = 0; i < state_.source->boxes.size(); ++i)
            plan->buffers.push_back(buffer(i));
        for (const PlanBuffer& b : plan->buffers)
            plan->memory.peak = std::max(plan->memory.peak, b.address ? *b.address + b.sizePerCore : 0);
        ToyData& data = editTargetData<ToyData>(plan->targetData);
        for (const std::size_t i : state_.order)
            data.order.push_back(state_.source->boxes[i].name);
        sealPlan(request_, *plan);
        return plan;
    }

    [[nodiscard]] std::size_t opCount() const override { return 0; }
    [[nodiscard]] const std::string& opName(OpId) const override { return state_.source->boxes.front().name; }
    [[nodiscard]] std::vector<OpId> opsOf(GraphOpId) const override { return {}; }
    [[nodiscard]] std::vector<BufferId> buffersOf(TensorId) const override { return {}; }
    [[nodiscard]] Bytes bytesOnCore(BufferId) const override { return 0; }

protected:
    [[nodiscard]] Result<PassOutcome> runPass(const Pass& pass, PassContext& context) override {
        return pass.run(state_, context);
    }

private:
    const CompileRequest& request_;

    [[nodiscard]] PlanBuffer buffer(std::size_t i) const {
        const Boxes::Box& box = state_.source->boxes[i];
        PlanBuffer b;
        b.name = box.name;
        b.size = b.sizePerCore = box.size;
        b.life = box.life;
        if (i < state_.places.size()) b.address = state_.places[i];
        b.space = b.address ? MemorySpace::L1 : MemorySpace::Dram;
        if (b.address) return b;
        b.reason = Reason{};
        b.reason->code = ReasonCode::NoRoom;
        b.reason->stated = {kShelfFull};
        return b;
    }
};

bool isBoxes(const FileGlance& glance) {
    return glance.head.starts_with("toy boxes\n");
}

Result<TargetDocument> readBoxes(const TargetFile& file, const io::Limits&, const RunControl&) {
    std::istringstream lines{std::string(file.bytes)};
    std::string line;
    std::getline(lines, line);
    auto boxes = std::make_shared<Boxes>();
    for (int number = 2; std::getline(lines, line); ++number) {
        std::istringstream words(line);
        Boxes::Box box;
        if (!(words >> box.name >> box.size >> box.life.begin >> box.life.end))
            return makeError("IN-008", "line " + std::to_string(number), "this is no box", "name size begin end");
        boxes->boxes.push_back(box);
    }
    TargetDocument document;
    document.program = std::move(boxes);
    return document;
}

class ToyTarget final : public Target {
public:
    [[nodiscard]] const TargetInfo& info() const override {
        static const TargetInfo kInfo{"toy", "a shelf of 64 bytes", "l1", {"toy-boxes"}};
        return kInfo;
    }
    [[nodiscard]] PassList passes() const override { return passListOf(pipeline()); }
    [[nodiscard]] Result<std::unique_ptr<Compilation>> begin(const CompileRequest& request) const override {
        if (dynamic_cast<const Boxes*>(request.program.get()) == nullptr)
            return makeError("IN-013", "", "the toy machine plans boxes alone", "open a file of boxes");
        std::unique_ptr<Compilation> run = std::make_unique<Run>(request);
        return run;
    }
    [[nodiscard]] std::vector<Diagnostic> verify(const Plan& plan) const override {
        std::vector<Diagnostic> found = verify::checkStatedPlaces(plan);
        const auto* data = targetDataAs<ToyData>(plan.targetData);
        if (data == nullptr || data->order.size() != plan.buffers.size())
            found.push_back(verify::finding("VER-013", "target_data", "does not name every box once"));
        return found;
    }
    [[nodiscard]] std::span<const TargetFormat> formats() const override {
        static const std::array kFormats{TargetFormat{.id = "toy-boxes",
                                                      .title = "Boxes of the toy machine",
                                                      .extension = ".toy",
                                                      .tooLargeCode = "TXT-901",
                                                      .size = TargetFormat::Size::Text,
                                                      .isIt = isBoxes,
                                                      .read = readBoxes}};
        return kFormats;
    }
    [[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source&, const std::string& name) const override {
        auto graph = std::make_shared<Graph>();
        graph->name = name;
        return graph;
    }
    void writeData(const Plan& plan, io::RecordWriter& file) const override {
        file.member("order", targetDataAs<ToyData>(plan.targetData)->order);
    }
    void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) const override {
        io::RecordReader(fields, at).member("order", editTargetData<ToyData>(plan.targetData).order);
    }
};

std::vector<SettingInfo> rows() {
    return {detail::whole("toy.shelf", "64", "bytes of the shelf").range(1, 1024).unit("bytes")};
}

}  // namespace

const MachineSettings& settings() {
    static const MachineSettings kSettings{rows, nullptr, nullptr};
    return kSettings;
}

const Target& target() {
    static const ToyTarget kTarget;
    return kTarget;
}

}  // namespace memplan::toy

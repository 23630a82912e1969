// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/plan_fixture.h"

#include "engine/plan/wordings.h"

#include <algorithm>
#include <map>
#include <random>

namespace memplan::fixture {

namespace {

constexpr Bytes kPhysical = 2097152, kUsable = 1677721;

struct OpRow {
    const char* name;
    const char* type;
    const char* kind;
    std::vector<int> inputs;
    int output;
};

PlanBuffer makeBuffer(const char* name, int producer, Bytes size, StepRange life) {
    PlanBuffer b;
    b.name = name;
    b.producer = OpId{producer};
    b.size = b.sizePerCore = size;
    b.life = life;
    return b;
}

void place(PlanBuffer& b, Address at) {
    b.space = MemorySpace::Lx;
    b.address = at;
}

Reason makeReason(ReasonCode code, const char* text) {
    Reason r;
    r.code = code;
    r.stated = recorded(text);
    return r;
}

/// uses: producer first, then the readers in order.
void linkUses(Plan& plan) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        for (const BufferId out : plan.ops[i].outputs)
            plan.buffers[out.at()].uses.push_back(OpId::of(i));
        for (const BufferId in : plan.ops[i].inputs) {
            auto& uses = plan.buffers[in.at()].uses;
            if (std::ranges::find(uses, OpId::of(i)) == uses.end()) uses.push_back(OpId::of(i));
        }
    }
}

void addOp(Plan& plan, const OpRow& row) {
    PlanOp op;
    op.name = row.name;
    op.type = row.type;
    op.kind = row.kind;
    for (const int in : row.inputs)
        op.inputs.push_back(BufferId{in});
    if (row.output >= 0) op.outputs.push_back(BufferId{row.output});
    plan.ops.push_back(std::move(op));
}

void giveLayout(PlanBuffer& b, std::vector<std::int64_t> shape, std::vector<std::int64_t> device) {
    b.shape = std::move(shape);
    BufferLayout layout;
    layout.size = b.shape;
    layout.stride = {b.shape.back(), 1};
    layout.deviceSize = std::move(device);
    layout.strideMap = {64, b.shape.back(), 1};
    layout.deviceDtype = "fp16";
    b.layout = std::move(layout);
}

void addPasses(Plan& plan) {
    for (const char* name : {"layout_planning", "work_distribution", "scratchpad_planning"}) {
        PassRun run;
        run.name = name;
        run.title = name;
        run.changed = true;
        plan.passes.push_back(run);
    }
}

}  // namespace

PlanPtr softmaxStage4() {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    plan->input.name = "softmax-512x1024";
    constexpr Bytes kBig = 1048576, kRow = 2048;
    auto& b = plan->buffers;
    b = {makeBuffer("x", -1, kBig, {0, 1}),  makeBuffer("clone", 0, kBig, {0, 3}), makeBuffer("max", 1, kRow, {1, 3}),
         makeBuffer("sub", 2, kBig, {2, 4}), makeBuffer("exp", 3, kBig, {3, 6}),   makeBuffer("sum", 4, kRow, {4, 6}),
         makeBuffer("out", 5, kBig, {5, 6})};
    b[0].role = BufferRole::GraphInput;
    b[0].reason = makeReason(ReasonCode::GraphInput, "x is a graph input: 1048576 B read once, by clone");
    b[6].role = BufferRole::GraphOutput;
    b[6].reason = makeReason(ReasonCode::GraphOutput, "out is a graph output: 1048576 B written once");
    place(b[1], 0);
    place(b[2], kBig);
    place(b[3], 0);
    place(b[4], 0);
    place(b[5], kBig);
    b[1].cloneOf = BufferId{0};
    b[3].inPlaceOf = BufferId{1};
    b[4].inPlaceOf = BufferId{3};
    const std::array<Bytes, 7> saved{0, kBig, 4096, 2 * kBig, 3 * kBig, 4096, 0};
    for (std::size_t i = 0; i < b.size(); ++i) {
        b[i].trafficSaved = saved[i];
        const bool row = b[i].sizePerCore == kRow;
        giveLayout(b[i], row ? std::vector<std::int64_t>{1, 1024} : std::vector<std::int64_t>{512, 1024},
                   row ? std::vector<std::int64_t>{16, 1, 64} : std::vector<std::int64_t>{16, 512, 64});
    }
    addOp(*plan, {"clone", "clone", "clone", {0}, 1});
    addOp(*plan, {"max", "max", "reduction", {1}, 2});
    addOp(*plan, {"sub", "sub", "pointwise", {1, 2}, 3});
    addOp(*plan, {"exp", "exp", "pointwise", {3}, 4});
    addOp(*plan, {"sum", "sum", "reduction", {4}, 5});
    addOp(*plan, {"div", "div", "pointwise", {4, 5}, 6});
    plan->ops[0].addedBy = "scratchpad_planning";
    plan->ops[0].offChipRead = kBig;
    plan->ops[5].offChipWrite = kBig;
    for (PlanOp& op : plan->ops)
        op.iterationSpace = {{"r", 512, 512, 0, false, 1}, {"c", 1024, 16, 64, false, 1}};
    linkUses(*plan);
    const std::array<Bytes, 6> live{kBig, kBig + kRow, kBig + kRow, kBig, kBig + kRow, kBig + kRow};
    plan->memory = {kUsable, kPhysical, 128, kBig + kRow, kBig + kRow, 1, {}, {live.begin(), live.end()}};
    for (Step s = 0; s < 6; ++s)
        plan->memory.occupancy.push_back({s, live[static_cast<std::size_t>(s)]});
    PlanMetrics& m = plan->metrics;
    m.mainMemoryReadBytes = m.mainMemoryWriteBytes = kBig;
    m.mainMemoryElements = 1048576;
    m.pinnedBytes = 3 * kBig + 2 * kRow;
    m.unpinnedBytes = 2 * kBig;
    m.upperBoundBytes = m.pinnedBytes;
    m.provedOptimal = true;
    m.peakLowerBound = kBig + kRow;
    m.coreUtilisation = 1.0;
    m.buffersOnChip = 5;
    m.buffersTotal = 7;
    addPasses(*plan);
    plan->solver = "greedy";
    plan->decisions = {{"work_distribution", OpId{3}, {}, DecisionKind::Split, recorded("1 core, no split"), {}, {}},
                       {"scratchpad_planning",
                        OpId{3},
                        BufferId{4},
                        DecisionKind::Candidate,
                        recorded("Candidate"),
                        {},
                        recorded("op allowed, one split, read 2 times")},
                       {"scratchpad_planning",
                        {},
                        BufferId{4},
                        DecisionKind::InPlace,
                        recorded("In place of sub at 0"),
                        {{recorded("above high water"), 1048576.0}},
                        recorded("parent sub at 0 has the same size and dies at this step")}};
    return plan;
}

namespace {

struct EncoderRow {
    const char *name, *kind, *group;
    int start, end;
    Bytes size;
    Address address;
    const char* parent;
};

const std::vector<EncoderRow>& encoderRows() {
    static const std::vector<EncoderRow> rows{
        {"q", "matmul", "attn/qkv", 0, 2, 172032, 0, ""},
        {"q_scaled", "mul", "attn/qkv", 1, 5, 172032, 0, "q"},
        {"k", "matmul", "attn/qkv", 2, 5, 172032, 172032, ""},
        {"v", "matmul", "attn/qkv", 3, 12, 172032, 344064, ""},
        {"scores", "bmm", "attn/softmax", 4, 6, 1204224, -1, ""},
        {"masked", "add", "attn/softmax", 5, 8, 1204224, -1, ""},
        {"row_max", "max", "attn/softmax", 6, 8, 172032, 0, ""},
        {"centred", "sub", "attn/softmax", 7, 9, 1204224, -1, ""},
        {"expd", "exp", "attn/softmax", 8, 11, 1204224, -1, ""},
        {"row_sum", "sum", "attn/softmax", 9, 11, 172032, 0, ""},
        {"probs", "div", "attn/softmax", 10, 12, 1204224, -1, ""},
        {"context", "bmm", "attn/out", 11, 13, 172032, -1, ""},
        {"attn_out", "matmul", "attn/out", 12, 14, 172032, 0, ""},
        {"res1", "add", "norm1", 13, 16, 172032, 0, "attn_out"},
        {"mean1", "mean", "norm1", 14, 16, 14336, 172032, ""},
        {"cent1", "sub", "norm1", 15, 20, 172032, 0, "res1"},
        {"sq1", "mul", "norm1", 16, 18, 172032, 172032, ""},
        {"var1", "mean", "norm1", 17, 19, 14336, 344064, ""},
        {"rstd1", "rsqrt", "norm1", 18, 20, 14336, 344064, "var1"},
        {"norm1", "mul", "norm1", 19, 21, 172032, 0, "cent1"},
        {"ln1", "add", "norm1", 20, 29, 172032, 0, "norm1"},
        {"ffn_up", "matmul", "ffn/up", 21, 26, 688128, 172032, ""},
        {"cube", "pow", "ffn/gelu", 22, 24, 688128, 860160, ""},
        {"inner", "add", "ffn/gelu", 23, 25, 688128, 860160, "cube"},
        {"tanh", "tanh", "ffn/gelu", 24, 27, 688128, 860160, "inner"},
        {"half", "mul", "ffn/gelu", 25, 27, 688128, 172032, "ffn_up"},
        {"gelu", "mul", "ffn/gelu", 26, 28, 688128, 172032, "half"},
        {"ffn_down", "matmul", "ffn/down", 27, 29, 172032, 860160, ""},
        {"res2", "add", "norm2", 28, 31, 172032, 860160, "ffn_down"},
        {"mean2", "mean", "norm2", 29, 31, 14336, 0, ""},
        {"cent2", "sub", "norm2", 30, 35, 172032, 860160, "res2"},
        {"sq2", "mul", "norm2", 31, 33, 172032, 0, ""},
        {"var2", "mean", "norm2", 32, 34, 14336, 1032192, ""},
        {"rstd2", "rsqrt", "norm2", 33, 35, 14336, 1032192, "var2"},
        {"norm2", "mul", "norm2", 34, 36, 172032, 860160, "cent2"},
        {"y", "add", "norm2", 35, 36, 172032, -1, ""},
    };
    return rows;
}

void refuseForRoom(PlanBuffer& b) {
    Reason r = makeReason(ReasonCode::NoRoom, "Enough bytes are free, but v lies in the middle and splits them.");
    r.largestGap = 1161625;
    r.gapStep = b.life.begin;
    r.blockers = {BufferId{3}};
    b.reason = r;
}

}  // namespace

PlanPtr encoderLayer() {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    plan->input.name = "bert-layer-8x448x768";
    std::map<std::string, int> byName;
    for (const EncoderRow& row : encoderRows()) {
        const int index = static_cast<int>(plan->buffers.size());
        byName[row.name] = index;
        PlanBuffer b = makeBuffer(row.name, index, row.size, {row.start, row.end});
        b.size = row.size * 32;
        b.cores = 32;
        b.shape =
            row.size == 1204224 ? std::vector<std::int64_t>{8, 12, 448, 448} : std::vector<std::int64_t>{8, 448, 768};
        if (row.address >= 0) place(b, row.address);
        if (*row.parent) b.inPlaceOf = BufferId{byName[row.parent]};
        plan->buffers.push_back(std::move(b));
        addOp(*plan, {row.name, row.kind, row.kind, {}, index});
        plan->ops.back().cores = 32;
        plan->ops.back().groupPath = row.group;
    }
    for (std::size_t i = 1; i < plan->ops.size(); ++i)
        plan->ops[i].inputs = {BufferId::of(i - 1)};
    for (PlanBuffer& b : plan->buffers)
        if (!b.address) refuseForRoom(b);
    plan->buffers[11].reason =
        makeReason(ReasonCode::CoreDivMismatch,
                   "context cannot be on chip: written in pieces by batch and head, read by batch and row.");
    plan->buffers[35].reason =
        makeReason(ReasonCode::GraphOutput, "y is a graph output and stays off chip unless output cloning is on.");
    plan->buffers[35].role = BufferRole::GraphOutput;
    linkUses(*plan);
    plan->memory.capacity = kUsable;
    plan->memory.physical = kPhysical;
    plan->memory.alignment = 128;
    plan->memory.peak = plan->memory.livePeak = 1548288;
    plan->memory.livePeakStep = 22;
    plan->metrics.buffersOnChip = 29;
    plan->metrics.buffersTotal = 36;
    plan->metrics.mainMemoryReadBytes = 515123200;
    plan->metrics.pinnedBytes = 7139328;
    plan->metrics.unpinnedBytes = 6365184;
    plan->metrics.peakLowerBound = 1720320;
    addPasses(*plan);
    const auto problem = [&](Severity severity, const char* code, const char* message, std::vector<BufferId> buffers) {
        Diagnostic d;
        d.severity = severity;
        d.code = code;
        d.message = message;
        d.pass = "scratchpad_planning";
        d.buffers = std::move(buffers);
        plan->problems.push_back(std::move(d));
    };
    problem(Severity::Warning, "LX-018",
            "masked lost the packing: needs 1 204 224 B, largest gap at step 5 is 1 161 625 B, above v. Pin v higher.",
            {BufferId{5}});
    problem(Severity::Warning, "LX-018",
            "scores has no room: with q_scaled, k, v it needs 1 720 320 B, limit 1 677 721 B.", {BufferId{4}});
    problem(Severity::Warning, "LX-014",
            "context cannot be on chip: written in pieces by batch and head, read by batch and row. Use one split.",
            {BufferId{11}});
    problem(Severity::Note, "LX-018",
            "centred, expd and probs lost the packing for the same reason: v blocks each of them.",
            {BufferId{7}, BufferId{8}, BufferId{10}});
    problem(Severity::Note, "LX-010", "y is a graph output and stays off chip unless output cloning is on.",
            {BufferId{35}});
    return plan;
}

PlanPtr synthetic(int buffers, std::uint32_t seed) {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    plan->input.name = "synthetic";
    std::mt19937 random(seed);
    const auto below = [&random](std::uint32_t n) { return static_cast<int>(random() % n); };
    constexpr int kLanes = 40;  // each lane is a column of addresses; buffers of a lane follow each other
    constexpr Bytes kLane = kUsable / kLanes / 128 * 128;
    std::array<Step, kLanes> freeFrom{};
    const int steps = std::max(8, buffers / 4);
    for (int i = 0; i < buffers; ++i) {
        const auto lane = static_cast<std::size_t>(std::distance(freeFrom.begin(), std::ranges::min_element(freeFrom)));
        const bool full = freeFrom[lane] + 3 >= steps;
        const Step begin = full ? below(static_cast<std::uint32_t>(steps)) : freeFrom[lane] + below(3);
        const Step end = std::min<Step>(begin + 1 + below(16), steps);
        PlanBuffer b = makeBuffer("", begin, 128 * (1 + below(static_cast<std::uint32_t>(kLane / 128))),
                                  {begin, std::max(end, begin + 1)});
        b.name = "b" + std::to_string(i);
        if (full)
            b.reason = makeReason(ReasonCode::NoRoom, "no room");
        else {
            place(b, static_cast<Address>(lane) * kLane);
            freeFrom[lane] = b.life.end;
        }
        plan->buffers.push_back(std::move(b));
    }
    for (int s = 0; s < steps; ++s) {
        addOp(*plan, {"", s % 3 ? "add" : "sum", s % 3 ? "pointwise" : "reduction", {}, -1});
        plan->ops.back().name = "op" + std::to_string(s);
    }
    plan->memory.capacity = kUsable;
    plan->memory.physical = kPhysical;
    plan->memory.alignment = 128;
    plan->metrics.buffersOnChip = plan->metrics.buffersTotal = buffers;
    return plan;
}

}  // namespace memplan::fixture

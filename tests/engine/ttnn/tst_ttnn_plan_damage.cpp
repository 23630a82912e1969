// SPDX-License-Identifier: Apache-2.0
// A plan of TTNN that is damaged in every way that a file can be is refused by the validator (codes.md 7).
#include "engine/io/plan/plan_json.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/plan_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace memplan;
using namespace memplan::ttnn;
using namespace memplan::test;

namespace {

using Damage = std::function<void(Plan& plan, TtnnData& data)>;
struct Case {
    const char* name;
    Damage damage;
};

/// Two products that a third operation joins, one of them from L1, and a convolution that has its operand resharded.
const Plan& joinedPlan() {
    static const PlanPtr kPlan = [] {
        FunctionBuilder b;
        const ValueId x = b.argument({544, 2048});
        const ValueId gate = b.add("matmul", {x, b.argument({2048, 16384})}, {544, 16384});
        const ValueId up = b.add("matmul", {x, b.argument({2048, 16384})}, {544, 16384});
        const ValueId both = b.add("multiply", {gate, up}, {544, 16384});
        b.giveBack(b.add("matmul", {both, b.argument({16384, 2048})}, {544, 2048}));
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        return compileFunction(b.function).plan;
    }();
    return *kPlan;
}

/// First operation for which `isIt` holds.
TtnnOp& find(TtnnData& data, const std::function<bool(const TtnnOp&)>& isIt) {
    const auto it = std::ranges::find_if(data.ops, isIt);
    if (it == data.ops.end()) qFatal("the sketch has no such operation");
    return *it;
}
TtnnOp& named(TtnnData& data, const char* name) {
    return find(data, [&](const TtnnOp& op) { return op.name == name; });
}
TtnnOp& sharded(TtnnData& data) {
    return find(data, [](const TtnnOp& op) {
        return op.conversion == TtnnConversion::None && !op.results.empty() && op.results.front().layout.isL1Sharded();
    });
}
TtnnOp& spill(TtnnData& data) {
    return find(data, [](const TtnnOp& op) { return op.conversion == TtnnConversion::SpillToDram; });
}
MergeInfo& merge(TtnnData& data, bool isAccepted) {
    const auto it = std::ranges::find(data.record.merges, isAccepted, &MergeInfo::isAccepted);
    if (it == data.record.merges.end()) qFatal("no such merge");
    return *it;
}
Reservation& reservation(TtnnData& data) {
    if (data.record.reservations.empty()) qFatal("no reservation");
    return data.record.reservations.front();
}
EdgeInfo& resharded(TtnnData& data) {
    const auto it = std::ranges::find(data.record.edges, true, &EdgeInfo::isResharded);
    if (it == data.record.edges.end()) qFatal("no edge is resharded");
    return *it;
}
/// A merge that was refused for want of room.
MergeInfo& shortOfRoom(TtnnData& data) {
    const auto it =
        std::ranges::find_if(data.record.merges, [](const MergeInfo& m) { return !m.isAccepted && m.needed > 0; });
    if (it == data.record.merges.end()) qFatal("no merge wants room");
    return *it;
}
EdgeInfo& entry(TtnnData& data) {
    return *std::ranges::find_if(data.record.edges, [](const EdgeInfo& e) { return !e.producer.isValid(); });
}
MatmulProgram& program(TtnnData& data) {
    return *std::get<MatmulAttrs>(named(data, "ttnn.matmul").config).program;
}
std::string& written(TtnnOp& op, const char* attribute) {
    const auto it = std::ranges::find(op.attributes, attribute, &std::pair<std::string, std::string>::first);
    if (it == op.attributes.end()) qFatal("it has no such attribute");
    return it->second;
}
ChainInfo& completed(TtnnData& data) {
    return *std::ranges::find(data.record.chains, ChainState::Completed, &ChainInfo::state);
}

double& figure(Plan& plan, const char* key) {
    const auto it = std::ranges::find(plan.metrics.own, key, &std::pair<std::string, double>::first);
    if (it == plan.metrics.own.end()) qFatal("no figure %s", key);
    return it->second;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases{
        // ---- layouts
        {"shard", [](Plan&, TtnnData& d) { d.ops[0].results[0].layout.shard[0] += 1; }},
        {"grid of a sharded result", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.grid.rows += 1; }},
        {"grid beyond the workers",
         [](Plan&, TtnnData& d) {
             sharded(d).results[0].layout.grid = {9, 9};
         }},
        {"empty grid",
         [](Plan&, TtnnData& d) {
             sharded(d).results[0].layout.grid = {0, 8};
         }},
        {"core ranges gone", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.cores.reset(); }},
        {"core ranges elsewhere",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.cores->inside[0].first.x += 1; }},
        {"core ranges of an interleaved tensor",
         [](Plan&, TtnnData& d) { d.ops[0].operands[0].layout.cores.emplace(); }},
        {"memory layout gone", [](Plan&, TtnnData& d) { d.ops[0].results[0].layout.mem.reset(); }},
        {"memory layout changed",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.mem = MemLayout::Interleaved; }},
        {"DRAM block sharded", [](Plan&, TtnnData& d) { d.ops[0].operands[0].layout.mem = MemLayout::BlockSharded; }},
        {"page layout", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.page = PageLayout::RowMajor; }},
        {"data type", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.dtype = DataType::F32; }},
        {"buffer type of a result", [](Plan&, TtnnData& d) { sharded(d).results[0].layout.buffer = BufferType::Dram; }},
        {"reader sees another layout",
         [](Plan&, TtnnData& d) {
             d.ops[1].operands[0].layout.grid = {1, 1};
         }},
        {"spill that stays in L1", [](Plan&, TtnnData& d) { spill(d).results[0].layout.buffer = BufferType::L1; }},
        // ---- order and values
        {"read before written",
         [](Plan& p, TtnnData& d) { std::swap(d.ops[0], d.ops[1]), std::swap(p.ops[0], p.ops[1]); }},
        {"operand of another buffer", [](Plan&, TtnnData& d) { d.ops[1].operands[0].buffer = BufferId{0}; }},
        {"result written twice", [](Plan&, TtnnData& d) { d.ops[1].results[0].buffer = d.ops[0].results[0].buffer; }},
        {"operand left out", [](Plan&, TtnnData& d) { named(d, "ttnn.add").operands.pop_back(); }},
        {"input of the operation left out", [](Plan& p, TtnnData&) { p.ops[1].inputs.clear(); }},
        {"output of the operation left out", [](Plan& p, TtnnData&) { p.ops[1].outputs.clear(); }},
        {"an operation less", [](Plan&, TtnnData& d) { d.ops.pop_back(); }},
        {"producer of a buffer", [](Plan& p, TtnnData&) { p.buffers.back().producer = OpId{0}; }},
        // ---- needs
        {"circular buffers", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").cb += 64; }},
        {"bytes of its tensors", [](Plan&, TtnnData& d) { sharded(d).tensorL1 -= 2048; }},
        {"inputs in L1", [](Plan&, TtnnData& d) { d.ops[1].residentInputs += 16; }},
        {"reserved bytes", [](Plan&, TtnnData& d) { named(d, "ttnn.gelu").reserved += 16; }},
        {"need", [](Plan&, TtnnData& d) { named(d, "ttnn.softmax").need -= 1; }},
        {"status", [](Plan&, TtnnData& d) { d.ops[0].status = "OutOfMemoryError"; }},
        {"not modelled but in L1", [](Plan&, TtnnData& d) { sharded(d).status = "NotImplemented"; }},
        {"program of the product",
         [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").attributes.emplace_back("transpose_a", "true"); }},
        {"reduction dimension", [](Plan&, TtnnData& d) { named(d, "ttnn.softmax").name = "ttnn.rms_norm"; }},
        // ---- time
        {"time", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").ns *= 0.5; }},
        {"bound by", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").boundBy = "noc"; }},
        {"DRAM bytes read", [](Plan&, TtnnData& d) { d.ops[0].dramRead += 1; }},
        {"DRAM bytes written", [](Plan&, TtnnData& d) { spill(d).dramWritten = 0; }},
        {"cores of an operation", [](Plan& p, TtnnData&) { p.ops[0].cores += 1; }},
        // ---- buffers and memory
        {"size", [](Plan& p, TtnnData&) { p.buffers[0].size += 32; }},
        {"size of a core", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].sizePerCore = 0; }},
        {"space", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].space = MemorySpace::Dram; }},
        {"reason gone", [](Plan& p, TtnnData&) { p.buffers[0].reason.reset(); }},
        {"address", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].address = 0; }},
        {"life", [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].life.end += 5; }},
        {"capacity", [](Plan& p, TtnnData&) { p.memory.capacity += 1; }},
        {"cap", [](Plan&, TtnnData& d) { d.l1UsageCap = 1; }},
        {"L1 of the device", [](Plan&, TtnnData& d) { d.device.l1Size -= 16; }},
        {"peak", [](Plan& p, TtnnData&) { p.memory.peak -= 1; }},
        {"occupancy", [](Plan& p, TtnnData&) { p.memory.occupancy[2].bytes += 1; }},
        // ---- chains
        {"chain state", [](Plan&, TtnnData& d) { completed(d).state = ChainState::Resolved; }},
        {"failed without a place", [](Plan&, TtnnData& d) { completed(d).state = ChainState::Failed; }},
        {"chain without operations", [](Plan&, TtnnData& d) { completed(d).ops.clear(); }},
        {"chain of others", [](Plan&, TtnnData& d) { completed(d).ops.push_back(OpId{0}); }},
        {"spill location",
         [](Plan&, TtnnData& d) {
             for (ChainInfo& c : d.record.chains)
                 c.spill = c.spill == SpillLocation::Dram ? SpillLocation::None : SpillLocation::L1Interleaved;
         }},
        {"core usage of a chain", [](Plan&, TtnnData& d) { completed(d).coreUsage += 1; }},
        {"chain of an operation", [](Plan&, TtnnData& d) { d.record.ops[0].chain = 99; }},
        {"reservation of a value elsewhere",
         [](Plan&, TtnnData& d) {
             d.record.reservations.push_back({OpId{0}, {0, 1}, 7, "fork"});
         }},
        // ---- figures
        {"resident bytes", [](Plan&, TtnnData& d) { d.goals.residentBytes += 1; }},
        {"sharded operations", [](Plan&, TtnnData& d) { ++d.goals.shardedOps; }},
        {"spills", [](Plan&, TtnnData& d) { --d.goals.spills; }},
        {"reshards", [](Plan&, TtnnData& d) { ++d.goals.forcedReshards; }},
        {"utilisation", [](Plan&, TtnnData& d) { d.goals.coreUtilisation *= 0.5; }},
        {"validated operations", [](Plan&, TtnnData& d) { --d.goals.validatedOps; }},
        {"estimate", [](Plan&, TtnnData& d) { d.goals.estimatedNs -= 1; }},
        {"bound above the estimate", [](Plan&, TtnnData& d) { d.goals.lowerBoundNs = d.goals.estimatedNs * 2; }},
        {"main memory bytes", [](Plan& p, TtnnData&) { p.metrics.mainMemoryReadBytes += 1; }},
        {"figure of the metrics gone", [](Plan& p, TtnnData&) { p.metrics.own.pop_back(); }},
        {"share of sharded operations", [](Plan& p, TtnnData&) { figure(p, "sharded_share") += 0.01; }},
        {"share that stays in L1", [](Plan& p, TtnnData&) { figure(p, "l1_residency_share") -= 0.01; }},
        {"reshards of the metrics", [](Plan& p, TtnnData&) { figure(p, "reshards") += 1; }},
        {"spills of the metrics", [](Plan& p, TtnnData&) { figure(p, "spills") += 1; }},
        {"mean cores", [](Plan& p, TtnnData&) { figure(p, "mean_cores") += 0.5; }},
        {"DRAM bytes of the metrics", [](Plan& p, TtnnData&) { figure(p, "dram_bytes") -= 1; }},
        {"buffers on chip", [](Plan& p, TtnnData&) { ++p.metrics.buffersOnChip; }},
        {"buffers", [](Plan& p, TtnnData&) { ++p.metrics.buffersTotal; }},
        {"pinned bytes", [](Plan& p, TtnnData&) { ++p.metrics.pinnedBytes; }},
        {"unpinned bytes", [](Plan& p, TtnnData&) { ++p.metrics.unpinnedBytes; }},
        {"operations below half", [](Plan& p, TtnnData&) { ++p.metrics.opsBelowHalf; }},
        {"bytes written beside bytes read",
         [](Plan& p, TtnnData&) { ++p.metrics.mainMemoryReadBytes, --p.metrics.mainMemoryWriteBytes; }},
        {"proof of nothing", [](Plan& p, TtnnData&) { p.metrics.provedOptimal = true; }},
        {"bound of another machine", [](Plan& p, TtnnData&) { p.metrics.upperBoundBytes = 1; }},
        // ---- frame: what the file says twice
        {"occupancy of a position less", [](Plan& p, TtnnData&) { p.memory.occupancy.pop_back(); }},
        {"live peak", [](Plan& p, TtnnData&) { p.memory.livePeak += 1; }},
        {"step of the peak", [](Plan& p, TtnnData&) { p.memory.livePeakStep += 1; }},
        {"physical memory", [](Plan& p, TtnnData&) { p.memory.physical -= 1; }},
        {"alignment", [](Plan& p, TtnnData&) { p.memory.alignment = 1; }},
        {"type of an operation", [](Plan& p, TtnnData&) { p.ops[0].type = "gelu"; }},
        {"kind of an operation", [](Plan& p, TtnnData&) { p.ops[0].kind = "matmul"; }},
        {"origin of an operation", [](Plan& p, TtnnData&) { p.ops[0].origin.op = "ttnn.gelu"; }},
        {"added by nobody",
         [](Plan& p, TtnnData& d) { p.ops[static_cast<std::size_t>(&spill(d) - d.ops.data())].addedBy.clear(); }},
        {"bytes off chip of an operation", [](Plan& p, TtnnData&) { p.ops[0].offChipRead += 1; }},
        {"operation twice in the schedule", [](Plan& p, TtnnData&) { p.ops[1].name = p.ops[0].name; }},
        {"value that nothing writes", [](Plan& p, TtnnData&) { p.buffers[0].role = BufferRole::Intermediate; }},
        {"argument that is written",
         [](Plan& p, TtnnData& d) { p.buffers[d.ops[0].results[0].buffer.at()].role = BufferRole::GraphInput; }},
        {"uses of a buffer", [](Plan& p, TtnnData&) { p.buffers[0].uses.clear(); }},
        {"cores of a buffer", [](Plan& p, TtnnData&) { p.buffers[0].cores += 1; }},
        {"policy", [](Plan&, TtnnData& d) { d.policy = "Global"; }},
        {"no chains", [](Plan&, TtnnData& d) { d.hasChains = false; }},
        {"DRAM banks", [](Plan&, TtnnData& d) { d.device.dramChannels += 1; }},
        {"conversion without an operand", [](Plan&, TtnnData& d) { spill(d).operands.clear(); }},
        {"conversion without a result", [](Plan&, TtnnData& d) { spill(d).results.clear(); }},
        // ---- attributes that are written
        {"memory configuration that is written",
         [](Plan&, TtnnData& d) { spill(d).attributes.back().second = "#ttnn.memory_config<#ttnn.buffer_type<l1>>"; }},
        {"page that is written", [](Plan&, TtnnData& d) { spill(d).attributes.front().second = "row_major"; }},
        {"why an operation is in no chain",
         [](Plan&, TtnnData& d) {
             d.record.ops[static_cast<std::size_t>(&named(d, "ttnn.softmax") - d.ops.data())].whyNone =
                 EndedBy::NoLegalConfig;
         }},
        {"chained and left out", [](Plan&, TtnnData& d) { d.record.ops[0].whyNone = EndedBy::NotShardable; }},
        {"end of a chain", [](Plan&, TtnnData& d) { completed(d).endedBy = EndedBy::Returned; }},
        {"operation that a chain ends at", [](Plan&, TtnnData& d) { completed(d).endedAt = OpId{0}; }},
        {"operand that a chain ends at", [](Plan&, TtnnData& d) { completed(d).endedOperand = 3; }},
        {"visits of another chain", [](Plan&, TtnnData& d) { completed(d).counters.visits.push_back(1); }},
    };
    return kCases;
}

/// Of what `joinedPlan` records: merges, reservations, reshards.
const std::vector<Case>& recordCases() {
    static const std::vector<Case> kCases{
        {"merge that holds is refused", [](Plan&, TtnnData& d) { merge(d, true).isAccepted = false; }},
        {"refused, with a step",
         [](Plan&, TtnnData& d) {
             MergeInfo& held = merge(d, true);
             held.isAccepted = false;
             held.rejectedBy = "range";
         }},
        {"refused merge holds", [](Plan&, TtnnData& d) { merge(d, false).isAccepted = true; }},
        {"held, without a step",
         [](Plan&, TtnnData& d) {
             merge(d, false).rejectedBy.clear();
             merge(d, false).isAccepted = true;
         }},
        {"refused for no reason", [](Plan&, TtnnData& d) { merge(d, false).rejectedBy.clear(); }},
        {"refused where there is room", [](Plan&, TtnnData& d) { merge(d, false).needed = 1; }},
        {"bytes of a merge", [](Plan&, TtnnData& d) { merge(d, true).bytes += 32; }},
        {"bytes of a refused merge", [](Plan&, TtnnData& d) { merge(d, false).bytes -= 32; }},
        {"operand of a merge", [](Plan&, TtnnData& d) { merge(d, true).operand = 0; }},
        {"operand that is not there", [](Plan&, TtnnData& d) { merge(d, true).operand = 7; }},
        {"chain that is merged into", [](Plan&, TtnnData& d) { merge(d, true).target = 0; }},
        {"chain that is merged", [](Plan&, TtnnData& d) { merge(d, true).sources = {0}; }},
        {"operation that joins", [](Plan&, TtnnData& d) { merge(d, true).joinOp = OpId{0}; }},
        {"operation that would join", [](Plan&, TtnnData& d) { merge(d, false).joinOp = OpId{0}; }},
        {"merge left out", [](Plan&, TtnnData& d) { d.record.merges.clear(); }},
        {"reservation left out", [](Plan&, TtnnData& d) { d.record.reservations.clear(); }},
        {"reservation that begins early", [](Plan&, TtnnData& d) { --reservation(d).positions.begin; }},
        {"reservation that begins late", [](Plan&, TtnnData& d) { ++reservation(d).positions.begin; }},
        {"reservation that ends early", [](Plan&, TtnnData& d) { --reservation(d).positions.end; }},
        {"reservation that ends late", [](Plan&, TtnnData& d) { ++reservation(d).positions.end; }},
        {"bytes of a reservation", [](Plan&, TtnnData& d) { reservation(d).bytes += 32; }},
        {"purpose of a reservation", [](Plan&, TtnnData& d) { reservation(d).purpose = "fork"; }},
        {"layout of a reshard",
         [](Plan&, TtnnData& d) {
             resharded(d).reshard->grid = {1, 1};
         }},
        {"reshard without a layout", [](Plan&, TtnnData& d) { resharded(d).reshard.reset(); }},
        {"reshard that is none", [](Plan&, TtnnData& d) { resharded(d).isResharded = false; }},
        {"reshard left out",
         [](Plan&, TtnnData& d) {
             EdgeInfo& edge = resharded(d);
             edge.isResharded = false;
             edge.reshard.reset();
         }},
        {"operand of an edge", [](Plan&, TtnnData& d) { resharded(d).operand = 1; }},
        {"consumer of an edge", [](Plan&, TtnnData& d) { resharded(d).consumer = OpId{0}; }},
        {"chain of an edge", [](Plan&, TtnnData& d) { resharded(d).chain = 0; }},
        {"edge of no chain", [](Plan&, TtnnData& d) { resharded(d).chain = -1; }},
        {"edges left out", [](Plan&, TtnnData& d) { d.record.edges.clear(); }},
        {"limit of a refusal", [](Plan&, TtnnData& d) { shortOfRoom(d).available += 1; }},
        {"need of a refusal", [](Plan&, TtnnData& d) { shortOfRoom(d).needed += 1; }},
        {"step of a refusal", [](Plan&, TtnnData& d) { shortOfRoom(d).rejectedBy = "weather"; }},
        {"chains without operations",
         [](Plan&, TtnnData& d) {
             for (ChainInfo& chain : d.record.chains)
                 chain.ops.clear();
         }},
        {"pair of an edge", [](Plan&, TtnnData& d) { d.record.edges.front().selected.first = 3; }},
        {"entry at another operand", [](Plan&, TtnnData& d) { entry(d).operand = 1; }},
        {"kind of a program", [](Plan&, TtnnData& d) { program(d).kind = MatmulProgram::Kind::Multicast2d; }},
        {"cores of a program", [](Plan&, TtnnData& d) { program(d).gridX -= 1; }},
        {"rows of cores of a program", [](Plan&, TtnnData& d) { program(d).gridY -= 1; }},
        {"depth of a program", [](Plan&, TtnnData& d) { program(d).in0BlockW *= 2; }},
        {"sub-block of a program", [](Plan&, TtnnData& d) { program(d).outSubblockW = 1; }},
        {"block of a program", [](Plan&, TtnnData& d) { program(d).outBlockW += 1; }},
        {"broadcast of a program", [](Plan&, TtnnData& d) { program(d).mcastIn0 = !program(d).mcastIn0; }},
        {"batches of a program", [](Plan&, TtnnData& d) { program(d).fuseBatch = false; }},
        {"program left out",
         [](Plan&, TtnnData& d) { std::get<MatmulAttrs>(named(d, "ttnn.matmul").config).program.reset(); }},
        {"program that is written",
         [](Plan&, TtnnData& d) { written(named(d, "ttnn.matmul"), "matmul_program_config").back() = 'x'; }},
        {"configuration of a convolution that is written",
         [](Plan&, TtnnData& d) {
             std::string& text = written(named(d, "ttnn.conv2d"), "conv2d_config");
             text.replace(text.find("true"), 4, "false");
         }},
    };
    return kCases;
}

void addRows(const std::vector<Case>& list) {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < list.size(); ++i)
        QTest::newRow(list[i].name) << static_cast<int>(i);
}

void verifySeen(Plan plan, const Case& damage) {
    TtnnData& data = editTargetData<TtnnData>(plan.targetData);
    damage.damage(plan, data);
    QVERIFY(!verify::ttnn::checkPlan(plan).empty());
}

/// The text with `from`, the first behind `behind`, replaced.
std::string replaced(std::string text, std::string_view behind, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from, text.find(behind, text.find("\"target_data\"")));
    if (at == std::string::npos) qFatal("the file has no such text");
    return text.replace(at, from.size(), to);
}

class TestTtnnPlanDamage : public QObject {
    Q_OBJECT

private slots:
    void damageIsSeen_data() { addRows(cases()); }
    void damageIsSeen() {
        QFETCH(int, index);
        verifySeen(sketchPlan(), cases()[static_cast<std::size_t>(index)]);
    }

    void joinedPlanIsSound() {
        const ChainRecord& record = ttnnData(joinedPlan()).record;
        QVERIFY(verify::ttnn::checkPlan(joinedPlan()).empty());
        QVERIFY(std::ranges::count(record.merges, true, &MergeInfo::isAccepted) > 0);
        QVERIFY(std::ranges::any_of(record.merges, [](const MergeInfo& m) { return !m.isAccepted && m.needed > 0; }));
        QVERIFY(std::ranges::count(record.edges, true, &EdgeInfo::isResharded) > 0);
    }
    void damagedRecordIsSeen_data() { addRows(recordCases()); }
    void damagedRecordIsSeen() {
        QFETCH(int, index);
        verifySeen(joinedPlan(), recordCases()[static_cast<std::size_t>(index)]);
    }

    /// A conversion that moves nothing ended the program, which follows values through conversions.
    void conversionWithoutTensorsIsRefused() {
        for (const bool isResult : {true, false}) {
            Plan plan = joinedPlan();
            TtnnOp& op = find(editTargetData<TtnnData>(plan.targetData),
                              [](const TtnnOp& o) { return o.conversion != TtnnConversion::None; });
            (isResult ? op.results : op.operands).clear();
            const Result<Plan> read = io::readPlanJson(io::writePlanJson(plan));
            QVERIFY(!read.ok());
            const Diagnostic& d = read.error().primary();
            QVERIFY2(d.where.starts_with("/target_data/layouts/") && !d.hint.empty(), d.where.c_str());
        }
    }

    /// What a plan file says twice is read twice.
    void copiesInTheFileAgree() {
        const std::string text = io::writePlanJson(joinedPlan());
        QVERIFY(io::readPlanJson(text).ok());
        const std::string second = joinedPlan().ops[1].name;
        const std::string order = replaced(text, "\"schedule\"", "\"" + second + "\", ", "");
        const std::string reshard = replaced(text, "\"reshards\"", "\"operand\": 0", "\"operand\": 1");
        for (const auto& [file, message] : {std::pair(order, "schedule"), std::pair(reshard, "reshards")}) {
            const Result<Plan> read = io::readPlanJson(file);
            QVERIFY(!read.ok());
            QVERIFY(read.error().primary().message.find(message) != std::string::npos);
        }
    }

    /// Lists that run beside the operations have one entry for each, and words that are known.
    void listsBesideTheOperationsAreWhole() {
        const std::string text = io::writePlanJson(sketchPlan());
        const std::string shorter = replaced(text, "\"chain_of\"", "[0, ", "[");
        const std::string unknown = replaced(text, "\"not_in_a_chain\"", "not_shardable", "not_sharable");
        for (const std::string& file : {shorter, unknown}) {
            const Result<Plan> read = io::readPlanJson(file);
            QVERIFY(!read.ok());
            QVERIFY(read.error().primary().message.find("chain") != std::string::npos);
        }
    }

    /// A value that is freed is read by nobody any more.
    void freedValueIsNotRead() {
        FunctionBuilder b;
        const ValueId root = b.add("abs", {b.argument({64, 96})}, {64, 96});
        b.giveBack(b.add("neg", {root}, {64, 96}));
        b.giveBack(b.add("exp", {root}, {64, 96}));
        Operation free;
        free.name = "ttnn.deallocate";
        free.operands = {root};
        free.properties = {{"force", "false"}};
        b.function.order.push_back(b.function.addOperation(std::move(free)));
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.optimization_level", "0"}});
        verifyFound(outcome);
        Plan early = *outcome.plan;
        TtnnData& data = editTargetData<TtnnData>(early.targetData);
        std::swap(data.ops[2], data.ops[3]);
        std::swap(early.ops[2], early.ops[3]);
        const std::vector<Diagnostic> found = verify::ttnn::checkPlan(early);
        QVERIFY(std::ranges::any_of(found, [](const Diagnostic& d) {
            return d.code == "VER-011" && d.message.find("which is freed before") != std::string::npos;
        }));
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnPlanDamage)
#include "tst_ttnn_plan_damage.moc"

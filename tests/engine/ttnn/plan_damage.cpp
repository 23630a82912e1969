// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ttnn/plan_damage.h"

using namespace memplan::ttnn;

namespace memplan::test {
namespace {

TtnnOp& sharded(TtnnData& data) {
    return find(data, [](const TtnnOp& op) {
        return op.conversion == TtnnConversion::None && !op.results.empty() && op.results.front().layout.isL1Sharded();
    });
}
TtnnOp& spill(TtnnData& data) {
    return find(data, [](const TtnnOp& op) { return op.conversion == TtnnConversion::SpillToDram; });
}
ChainInfo& completed(TtnnData& data) {
    return *std::ranges::find(data.record.chains, ChainState::Completed, &ChainInfo::state);
}
double& figure(Plan& plan, const char* key) {
    const auto it = std::ranges::find(plan.metrics.own, key, &std::pair<std::string, double>::first);
    if (it == plan.metrics.own.end()) qFatal("no figure %s", key);
    return it->second;
}

}  // namespace

const std::vector<PlanDamage>& planDamages() {
    static const std::vector<PlanDamage> kCases{
        // ---- layouts
        {"shard", "VER-008 op neg_0: neg_0 as l1 block_sharded 8x8 tile bf16: a shard of 2x2",
         [](Plan&, TtnnData& d) { d.ops[0].results[0].layout.shard[0] += 1; }},
        {"grid of a sharded result", "VER-008 op neg_0: neg_0 as l1 block_sharded 9x8 tile bf16: 9x8 is larger",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.grid.rows += 1; }},
        {"grid beyond the workers", "VER-008 op neg_0: neg_0 as l1 block_sharded 9x9 tile bf16: 9x9 is larger",
         [](Plan&, TtnnData& d) {
             sharded(d).results[0].layout.grid = {9, 9};
         }},
        {"empty grid", "VER-008 op neg_0: neg_0 as l1 block_sharded 0x8 tile bf16: a grid of 0x8",
         [](Plan&, TtnnData& d) {
             sharded(d).results[0].layout.grid = {0, 8};
         }},
        {"core ranges gone", "VER-008 op neg_0: neg_0 as l1 block_sharded 8x8 tile bf16: a sharded tensor",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.cores.reset(); }},
        {"core ranges elsewhere", "VER-008 op neg_0: neg_0 as l1 block_sharded 8x8 tile bf16: its core ranges",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.cores->inside[0].first.x += 1; }},
        {"core ranges of an interleaved tensor",
         "VER-008 op neg_0: arg0 as dram interleaved tile bf16: an interleaved tensor",
         [](Plan&, TtnnData& d) { d.ops[0].operands[0].layout.cores.emplace(); }},
        {"memory layout gone", "VER-008 op neg_0: neg_0 as l1 8x8 tile bf16: a device tensor needs a memory",
         [](Plan&, TtnnData& d) { d.ops[0].results[0].layout.mem.reset(); }},
        {"memory layout changed", "VER-008 op neg_0: neg_0 as l1 interleaved 8x8 tile bf16: an interleaved",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.mem = MemLayout::Interleaved; }},
        {"DRAM block sharded", "VER-008 op neg_0: arg0 as dram block_sharded 1x1 tile bf16: DRAM cannot be",
         [](Plan&, TtnnData& d) { d.ops[0].operands[0].layout.mem = MemLayout::BlockSharded; }},
        {"page layout", "VER-008 op neg_0: neg_0 as l1 block_sharded 8x8 row_major bf16: a shard of",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.page = PageLayout::RowMajor; }},
        {"data type", "VER-008 op relu_1: reads neg_0 as l1 block_sharded 8x8 tile bf16, it lies as",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.dtype = DataType::F32; }},
        {"buffer type of a result", "VER-008 op neg_0: neg_0 as dram block_sharded 8x8 tile bf16: DRAM cannot be",
         [](Plan&, TtnnData& d) { sharded(d).results[0].layout.buffer = BufferType::Dram; }},
        {"reader sees another layout", "VER-008 op relu_1: reads neg_0 as l1 block_sharded 1x1 tile bf16, it lies as",
         [](Plan&, TtnnData& d) {
             d.ops[1].operands[0].layout.grid = {1, 1};
         }},
        {"spill that stays in L1", "VER-008 op matmul_5_spill: matmul_5_spill as l1 interleaved 1x1 tile bf16: a shard",
         [](Plan&, TtnnData& d) { spill(d).results[0].layout.buffer = BufferType::L1; }},
        // ---- order and values
        {"read before written", "VER-011 op relu_1: reads neg_0, which is written later",
         [](Plan& p, TtnnData& d) { std::swap(d.ops[0], d.ops[1]), std::swap(p.ops[0], p.ops[1]); }},
        {"operand of another buffer", "VER-008 op relu_1: reads arg0 as l1 block_sharded 8x8 tile bf16, it lies as",
         [](Plan&, TtnnData& d) { d.ops[1].operands[0].buffer = BufferId{0}; }},
        {"result written twice", "VER-008 op neg_0: writes neg_0, as another operation does",
         [](Plan&, TtnnData& d) { d.ops[1].results[0].buffer = d.ops[0].results[0].buffer; }},
        {"operand left out", "VER-008 op add_4: its buffers and the tensors of its layouts are not the",
         [](Plan&, TtnnData& d) { named(d, "ttnn.add").operands.pop_back(); }},
        {"input of the operation left out", "VER-008 op relu_1: its buffers and the tensors of its layouts are not the",
         [](Plan& p, TtnnData&) { p.ops[1].inputs.clear(); }},
        {"output of the operation left out",
         "VER-008 op relu_1: its buffers and the tensors of its layouts are not the",
         [](Plan& p, TtnnData&) { p.ops[1].outputs.clear(); }},
        {"an operation less", "VER-013 target_data: layouts and operations differ in number",
         [](Plan&, TtnnData& d) { d.ops.pop_back(); }},
        {"producer of a buffer", "VER-013 buffer multiply_7_spill: names another producer than the operations",
         [](Plan& p, TtnnData&) { p.buffers.back().producer = OpId{0}; }},
        // ---- needs
        {"circular buffers", "VER-013 op matmul_5 cb: says",
         [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").cb += 64; }},
        {"bytes of its tensors", "VER-013 op neg_0 tensor_l1: says",
         [](Plan&, TtnnData& d) { sharded(d).tensorL1 -= 2048; }},
        {"inputs in L1", "VER-013 op relu_1 resident_inputs: says",
         [](Plan&, TtnnData& d) { d.ops[1].residentInputs += 16; }},
        {"reserved bytes", "VER-013 op gelu_3 reserved: says",
         [](Plan&, TtnnData& d) { named(d, "ttnn.gelu").reserved += 16; }},
        {"need", "VER-013 op softmax_6 need: says", [](Plan&, TtnnData& d) { named(d, "ttnn.softmax").need -= 1; }},
        {"status", "VER-008 op neg_0: its validation ended as OutOfMemoryError",
         [](Plan&, TtnnData& d) { d.ops[0].status = "OutOfMemoryError"; }},
        {"not modelled but in L1", "VER-008 op neg_0: the model does not know it, so its tensors belong in DRAM",
         [](Plan&, TtnnData& d) { sharded(d).status = "NotImplemented"; }},
        {"program of the product", "VER-008 op matmul_5: a transposed operand is interleaved",
         [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").attributes.emplace_back("transpose_a", "true"); }},
        {"reduction dimension", "VER-013 op softmax_6 type: says",
         [](Plan&, TtnnData& d) { named(d, "ttnn.softmax").name = "ttnn.rms_norm"; }},
        // ---- time
        {"time", "VER-013 op matmul_5 ns: says", [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").ns *= 0.5; }},
        {"bound by", "VER-013 op matmul_5 bound_by: says",
         [](Plan&, TtnnData& d) { named(d, "ttnn.matmul").boundBy = "noc"; }},
        {"DRAM bytes read", "VER-013 op neg_0 dram_read: says", [](Plan&, TtnnData& d) { d.ops[0].dramRead += 1; }},
        {"DRAM bytes written", "VER-013 op matmul_5_spill dram_written: says",
         [](Plan&, TtnnData& d) { spill(d).dramWritten = 0; }},
        {"cores of an operation", "VER-013 op neg_0 cores: says", [](Plan& p, TtnnData&) { p.ops[0].cores += 1; }},
        // ---- buffers and memory
        {"size", "VER-013 buffer arg0 size: says", [](Plan& p, TtnnData&) { p.buffers[0].size += 32; }},
        {"size of a core", "VER-013 buffer neg_0 size_per_core: says",
         [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].sizePerCore = 0; }},
        {"space", "VER-008 buffer neg_0: its space is dram, its layout says l1 block_sharded 8x8",
         [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].space = MemorySpace::Dram; }},
        {"reason gone", "VER-013 buffer arg0: is off chip without a reason",
         [](Plan& p, TtnnData&) { p.buffers[0].reason.reset(); }},
        {"address", "VER-008 buffer neg_0: has an address, which this target does not plan",
         [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].address = 0; }},
        {"life", "VER-013 buffer neg_0: lives [0, 7), its operations say [0, 2)",
         [](Plan& p, TtnnData& d) { p.buffers[sharded(d).results[0].buffer.at()].life.end += 5; }},
        {"capacity", "VER-013 memory capacity: says", [](Plan& p, TtnnData&) { p.memory.capacity += 1; }},
        {"cap", "VER-013 memory capacity: says", [](Plan&, TtnnData& d) { d.l1UsageCap = 1; }},
        {"L1 of the device", "VER-013 memory physical: says", [](Plan&, TtnnData& d) { d.device.l1Size -= 16; }},
        {"peak", "VER-013 memory peak: says", [](Plan& p, TtnnData&) { p.memory.peak -= 1; }},
        {"occupancy", "VER-013 memory occupancy at 2: says",
         [](Plan& p, TtnnData&) { p.memory.occupancy[2].bytes += 1; }},
        // ---- chains
        {"chain state", "VER-008 chain 0: it is Resolved, neither Completed nor Failed",
         [](Plan&, TtnnData& d) { completed(d).state = ChainState::Resolved; }},
        {"failed without a place", "VER-008 chain 0: it failed and says not where",
         [](Plan&, TtnnData& d) { completed(d).state = ChainState::Failed; }},
        {"chain without operations", "VER-008 chain 0: it has no operation",
         [](Plan&, TtnnData& d) { completed(d).ops.clear(); }},
        {"chain of others", "VER-013 chain 0 core_usage: says",
         [](Plan&, TtnnData& d) { completed(d).ops.push_back(OpId{0}); }},
        {"spill location", "VER-008 chain 0: its output is said to go to interleaved L1, but nothing",
         [](Plan&, TtnnData& d) {
             for (ChainInfo& c : d.record.chains)
                 c.spill = c.spill == SpillLocation::Dram ? SpillLocation::None : SpillLocation::L1Interleaved;
         }},
        {"core usage of a chain", "VER-013 chain 0 core_usage: says",
         [](Plan&, TtnnData& d) { completed(d).coreUsage += 1; }},
        {"chain of an operation", "VER-008 op neg_0: says chain 99, the chains say 0",
         [](Plan&, TtnnData& d) { d.record.ops[0].chain = 99; }},
        {"reservation of a value elsewhere", "VER-008 reservation of neg_0: it holds 7 B of a core, the value takes",
         [](Plan&, TtnnData& d) {
             d.record.reservations.push_back({OpId{0}, {0, 1}, 7, "fork"});
         }},
        // ---- figures
        {"resident bytes", "VER-013 totals resident_bytes: says",
         [](Plan&, TtnnData& d) { d.goals.residentBytes += 1; }},
        {"sharded operations", "VER-013 totals sharded_ops: says", [](Plan&, TtnnData& d) { ++d.goals.shardedOps; }},
        {"spills", "VER-013 totals spills: says", [](Plan&, TtnnData& d) { --d.goals.spills; }},
        {"reshards", "VER-013 totals forced_reshards: says", [](Plan&, TtnnData& d) { ++d.goals.forcedReshards; }},
        {"utilisation", "VER-013 totals core_utilisation: says",
         [](Plan&, TtnnData& d) { d.goals.coreUtilisation *= 0.5; }},
        {"validated operations", "VER-013 totals validated_ops: says",
         [](Plan&, TtnnData& d) { --d.goals.validatedOps; }},
        {"estimate", "VER-013 totals estimated_ns: says", [](Plan&, TtnnData& d) { d.goals.estimatedNs -= 1; }},
        {"bound above the estimate", "VER-013 totals lower_bound_ns: the bound lies above the plan's own estimate",
         [](Plan&, TtnnData& d) { d.goals.lowerBoundNs = d.goals.estimatedNs * 2; }},
        {"main memory bytes", "VER-013 metrics main_memory_read_bytes: says",
         [](Plan& p, TtnnData&) { p.metrics.mainMemoryReadBytes += 1; }},
        {"figure of the metrics gone", "VER-013 metrics validated_ops: it is missing",
         [](Plan& p, TtnnData&) { p.metrics.own.pop_back(); }},
        {"share of sharded operations", "VER-013 metrics sharded_share: says",
         [](Plan& p, TtnnData&) { figure(p, "sharded_share") += 0.01; }},
        {"share that stays in L1", "VER-013 metrics l1_residency_share: says",
         [](Plan& p, TtnnData&) { figure(p, "l1_residency_share") -= 0.01; }},
        {"reshards of the metrics", "VER-013 metrics reshards: says",
         [](Plan& p, TtnnData&) { figure(p, "reshards") += 1; }},
        {"spills of the metrics", "VER-013 metrics spills: says", [](Plan& p, TtnnData&) { figure(p, "spills") += 1; }},
        {"mean cores", "VER-013 metrics mean_cores: says", [](Plan& p, TtnnData&) { figure(p, "mean_cores") += 0.5; }},
        {"DRAM bytes of the metrics", "VER-013 metrics dram_bytes: says",
         [](Plan& p, TtnnData&) { figure(p, "dram_bytes") -= 1; }},
        {"buffers on chip", "VER-013 metrics buffers_on_chip: says",
         [](Plan& p, TtnnData&) { ++p.metrics.buffersOnChip; }},
        {"buffers", "VER-013 metrics buffers_total: says", [](Plan& p, TtnnData&) { ++p.metrics.buffersTotal; }},
        {"pinned bytes", "VER-013 metrics pinned_bytes: says", [](Plan& p, TtnnData&) { ++p.metrics.pinnedBytes; }},
        {"unpinned bytes", "VER-013 metrics unpinned_bytes: says",
         [](Plan& p, TtnnData&) { ++p.metrics.unpinnedBytes; }},
        {"operations below half", "VER-013 metrics ops_below_half: says",
         [](Plan& p, TtnnData&) { ++p.metrics.opsBelowHalf; }},
        {"bytes written beside bytes read", "VER-013 metrics main_memory_write_bytes: says",
         [](Plan& p, TtnnData&) { ++p.metrics.mainMemoryReadBytes, --p.metrics.mainMemoryWriteBytes; }},
        {"proof of nothing", "VER-013 metrics proved_optimal: nothing proves it on this target",
         [](Plan& p, TtnnData&) { p.metrics.provedOptimal = true; }},
        {"bound of another machine", "VER-013 metrics upper_bound_bytes: says",
         [](Plan& p, TtnnData&) { p.metrics.upperBoundBytes = 1; }},
        // ---- frame: what the file says twice
        {"occupancy of a position less",
         "VER-013 memory occupancy: has another number of positions than there are operations",
         [](Plan& p, TtnnData&) { p.memory.occupancy.pop_back(); }},
        {"live peak", "VER-013 memory live_peak: says", [](Plan& p, TtnnData&) { p.memory.livePeak += 1; }},
        {"step of the peak", "VER-013 memory live_peak_step: says",
         [](Plan& p, TtnnData&) { p.memory.livePeakStep += 1; }},
        {"physical memory", "VER-013 memory physical: says", [](Plan& p, TtnnData&) { p.memory.physical -= 1; }},
        {"alignment", "VER-013 memory alignment: says", [](Plan& p, TtnnData&) { p.memory.alignment = 1; }},
        {"type of an operation", "VER-013 op neg_0 type: says", [](Plan& p, TtnnData&) { p.ops[0].type = "gelu"; }},
        {"kind of an operation", "VER-013 op neg_0 kind: says", [](Plan& p, TtnnData&) { p.ops[0].kind = "matmul"; }},
        {"origin of an operation", "VER-013 op neg_0 origin: says",
         [](Plan& p, TtnnData&) { p.ops[0].origin.op = "ttnn.gelu"; }},
        {"added by nobody", "VER-013 op matmul_5_spill added_by: says",
         [](Plan& p, TtnnData& d) { p.ops[static_cast<std::size_t>(&spill(d) - d.ops.data())].addedBy.clear(); }},
        {"bytes off chip of an operation", "VER-013 op neg_0 off_chip_read: says",
         [](Plan& p, TtnnData&) { p.ops[0].offChipRead += 1; }},
        {"operation twice in the schedule", "VER-011 op neg_0: is in the schedule twice",
         [](Plan& p, TtnnData&) { p.ops[1].name = p.ops[0].name; }},
        {"value that nothing writes", "VER-011 buffer arg0: is written by no operation",
         [](Plan& p, TtnnData&) { p.buffers[0].role = BufferRole::Intermediate; }},
        {"argument that is written", "VER-011 buffer neg_0: is an argument and is written",
         [](Plan& p, TtnnData& d) { p.buffers[d.ops[0].results[0].buffer.at()].role = BufferRole::GraphInput; }},
        {"uses of a buffer", "VER-013 buffer arg0: its uses are not the operations that write and read it",
         [](Plan& p, TtnnData&) { p.buffers[0].uses.clear(); }},
        {"cores of a buffer", "VER-013 buffer arg0 cores: says", [](Plan& p, TtnnData&) { p.buffers[0].cores += 1; }},
        {"policy", "VER-013 target_data policy: says", [](Plan&, TtnnData& d) { d.policy = "Global"; }},
        {"no chains", "VER-013 target_data has_chains: there are chains",
         [](Plan&, TtnnData& d) { d.hasChains = false; }},
        {"DRAM banks", "VER-013 target_data device: its DRAM grid has not as many banks as channels",
         [](Plan&, TtnnData& d) { d.device.dramChannels += 1; }},
        {"conversion without an operand", "VER-008 op matmul_5_spill: a conversion reads one tensor and writes one",
         [](Plan&, TtnnData& d) { spill(d).operands.clear(); }},
        {"conversion without a result", "VER-008 op matmul_5_spill: a conversion reads one tensor and writes one",
         [](Plan&, TtnnData& d) { spill(d).results.clear(); }},
        // ---- attributes that are written
        {"memory configuration that is written", "VER-008 op matmul_5_spill: says it writes",
         [](Plan&, TtnnData& d) { spill(d).attributes.back().second = "#ttnn.memory_config<#ttnn.buffer_type<l1>>"; }},
        {"page that is written", "VER-008 op matmul_5_spill: says it writes row_major, not #ttnn.layout<tile>",
         [](Plan&, TtnnData& d) { spill(d).attributes.front().second = "row_major"; }},
        {"why an operation is in no chain",
         "VER-008 op softmax_6: is said to lack a configuration, but its kind is never",
         [](Plan&, TtnnData& d) {
             d.record.ops[static_cast<std::size_t>(&named(d, "ttnn.softmax") - d.ops.data())].whyNone =
                 EndedBy::NoLegalConfig;
         }},
        {"chained and left out", "VER-008 op neg_0: is in a chain and is said to be in none: not_shardable",
         [](Plan&, TtnnData& d) { d.record.ops[0].whyNone = EndedBy::NotShardable; }},
        {"end of a chain", "VER-008 chain 0: it is said to end by returned, but its result is not",
         [](Plan&, TtnnData& d) { completed(d).endedBy = EndedBy::Returned; }},
        {"operation that a chain ends at", "VER-008 chain 0: it is said to end by fork, but the named operation does",
         [](Plan&, TtnnData& d) { completed(d).endedAt = OpId{0}; }},
        {"operand that a chain ends at", "VER-008 chain 0: it is said to end by fork, but an operand is named",
         [](Plan&, TtnnData& d) { completed(d).endedOperand = 3; }},
        {"visits of another chain", "VER-008 chain 0: its counters have visits of another number of operations",
         [](Plan&, TtnnData& d) { completed(d).counters.visits.push_back(1); }},
    };
    return kCases;
}

}  // namespace memplan::test

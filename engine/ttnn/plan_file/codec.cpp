// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/plan_file/codec.h"

#include "engine/plan/file/member_hashes.h"
#include "engine/ttnn/plan_file/chain_records.h"

#include <algorithm>
#include <tuple>

namespace memplan::io {

template <> struct Record<TtnnTensor> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& t) {
        file.member("buffer", t.buffer);
        file.member("layout", t.layout);
    }
};

template <> struct Record<TtnnOp> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& op) {
        file.member("type", op.name);
        file.table("attributes", op.attributes);
        file.member("operands", op.operands);
        file.member("results", op.results);
        file.member("config", op.config);
        file.sparse("conversion", op.conversion, op.conversion != TtnnConversion::None);
        file.expect(op.conversion == TtnnConversion::None || (!op.operands.empty() && !op.results.empty()),
                    "a conversion has an operand and a result");
        file.member("status", op.status);
        file.sparse("message", op.message);
        file.member("bound_by", op.boundBy);
        file.member("cb", op.cb);
        file.member("tensor_l1", op.tensorL1);
        file.member("resident_inputs", op.residentInputs);
        file.member("reserved", op.reserved);
        file.member("need", op.need);
        file.member("ns", op.ns);
        file.member("dram_read", op.dramRead);
        file.member("dram_written", op.dramWritten);
        file.sparse("location", op.locationText);
    }
};

}  // namespace memplan::io

namespace memplan::ttnn {
namespace {

/// Chains that a plan file names by position.
bool areChainsKnown(const TtnnData& data) {
    const auto isKnown = [&](int chain) { return chain < static_cast<int>(data.record.chains.size()); };
    return std::ranges::all_of(data.record.merges,
                               [&](const MergeInfo& m) {
                                   return isKnown(m.target) &&
                                          std::ranges::all_of(m.sources, [&](int s) { return s >= 0 && isKnown(s); });
                               }) &&
           std::ranges::all_of(data.record.edges, [&](const EdgeInfo& e) { return isKnown(e.chain); });
}

/// What a plan file says of the operations' chains in lists parallel to the schedule, and what it says twice for those
/// who read the file.
struct FileLists {
    std::vector<OpId> schedule;        ///< every operation in its order
    std::vector<std::int64_t> chains;  ///< which chain each is in
    std::vector<std::string> whyNone;  ///< or why it is in none
    std::vector<EdgeInfo> reshards;    ///< edges that a conversion stands on
};

std::vector<OpId> scheduleOf(const Plan& plan) {
    std::vector<OpId> schedule;
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
        schedule.push_back(OpId::of(i));
    return schedule;
}

std::vector<EdgeInfo> reshardsOf(const ChainRecord& record) {
    std::vector<EdgeInfo> reshards;
    for (const EdgeInfo& edge : record.edges)
        if (edge.reshard) reshards.push_back(edge);
    return reshards;
}

FileLists listsOf(const Plan& plan, const ChainRecord& record) {
    FileLists lists;
    lists.schedule = scheduleOf(plan);
    lists.reshards = reshardsOf(record);
    for (const OpRecord& op : record.ops) {
        lists.chains.push_back(op.chain);
        lists.whyNone.emplace_back(op.whyNone ? wordOf(*op.whyNone) : std::string_view());
    }
    return lists;
}

void takeMembership(const FileLists& lists, std::size_t ops, ChainRecord& record) {
    record.ops.resize(ops);
    for (std::size_t i = 0; i < std::min(lists.chains.size(), ops); ++i)
        record.ops[i].chain = static_cast<int>(lists.chains[i]);
    for (std::size_t i = 0; i < std::min(lists.whyNone.size(), ops); ++i)
        record.ops[i].whyNone = endedByOf(lists.whyNone[i]);
}

void members(auto& file, auto& data, auto& lists) {
    file.member("function", data.function);
    file.member("policy", data.policy);
    file.member("device", data.device);
    file.member("l1_usage_cap", data.l1UsageCap);
    file.member("schedule", lists.schedule);
    file.member("layouts", data.ops);
    file.member("has_chains", data.hasChains);
    file.member("chain_of", lists.chains);
    file.member("not_in_a_chain", lists.whyNone);
    file.member("chains", data.record.chains);
    file.member("edges", data.record.edges);
    file.member("reshards", lists.reshards);
    file.member("reservations", data.record.reservations);
    file.member("merges", data.record.merges);
    file.member("totals", data.goals);
    file.sparse("overrides", data.overrides);
    file.sparse("layouts_as_given", data.layoutsAsGiven);
}

/// As far as a plan file describes an edge.
bool isSameEdge(const EdgeInfo& a, const EdgeInfo& b) {
    const auto described = [](const EdgeInfo& e) {
        return std::tie(e.producer, e.consumer, e.operand, e.chain, e.producerConfigs, e.consumerConfigs, e.selected,
                        e.isResharded, e.reshard, e.origin);
    };
    return described(a) == described(b);
}

/// What stands in the file twice must agree.
void checkCopies(io::RecordReader& file, const Plan& plan, const FileLists& lists, const ChainRecord& record) {
    if (lists.schedule != scheduleOf(plan)) file.fail("schedule is not the order of ops");
    if (!std::ranges::equal(lists.reshards, reshardsOf(record), isSameEdge))
        file.fail("reshards are not the edges that have a reshard");
}

void checkSizes(io::RecordReader& file, const Plan& plan, const TtnnData& data, const FileLists& lists) {
    if (data.ops.size() != plan.ops.size()) return file.fail("layouts has another number of operations than ops");
    const bool isWhole =
        lists.chains.size() == lists.whyNone.size() && (lists.chains.empty() || lists.chains.size() == plan.ops.size());
    if (!isWhole) return file.fail("chain_of and not_in_a_chain have another number of operations than ops");
    for (const std::string& word : lists.whyNone)
        if (!word.empty() && !endedByOf(word)) return file.fail("not_in_a_chain has no reason \"" + word + "\"");
    if (!areChainsKnown(data)) file.fail("a merge or an edge names a chain that is not there");
}

}  // namespace

void writeData(const Plan& plan, io::RecordWriter& file) {
    const TtnnData& data = ttnnData(plan);
    if (data.policy.empty()) return;
    const FileLists lists = listsOf(plan, data.record);
    members(file, data, lists);
    if (!data.hashes.empty()) file.table("hashes", data.hashes);
}

PartHashes partHashes(const Plan& plan) {
    const TtnnData& data = ttnnData(plan);
    const FileLists lists = listsOf(plan, data.record);
    io::MemberHashes file(plan);
    io::hashParts(plan, file);
    file.enter("target_data");
    members(file, data, lists);
    return std::move(file).take();
}

void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) {
    if (fields.optional(at, "policy") == 0) return;
    TtnnData& data = editTargetData<TtnnData>(plan.targetData);
    io::RecordReader file(fields, at);
    FileLists lists;
    members(file, data, lists);
    file.table("hashes", data.hashes);
    takeMembership(lists, plan.ops.size(), data.record);
    checkSizes(file, plan, data, lists);
    checkCopies(file, plan, lists, data.record);
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/chain_rules.h"

#include "engine/verify/ttnn/layouts.h"

#include <algorithm>
#include <string>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::ChainInfo;
using memplan::ttnn::ChainState;
using memplan::ttnn::MergeInfo;
using memplan::ttnn::Reservation;
using memplan::ttnn::SpillLocation;
using text::grouped;

class Chains {
public:
    Chains(const Plan& plan, const Values& values, Report& report)
        : plan_(plan), data_(ttnnData(plan)), values_(values), report_(report) {}

    void run() {
        for (std::size_t c = 0; c < data_.record.chains.size(); ++c)
            checkChain(c);
        checkMembership();
        for (const Reservation& r : data_.record.reservations)
            checkReservation(r);
        for (const MergeInfo& m : data_.record.merges) {
            if (m.isAccepted) checkMerge(m);
        }
    }

private:
    const Plan& plan_;
    const TtnnData& data_;
    const Values& values_;
    Report& report_;

    [[nodiscard]] const TtnnOp& facts(OpId op) const { return data_.ops[op.at()]; }
    [[nodiscard]] BufferId resultOf(OpId op) const {
        return facts(op).results.empty() ? BufferId{} : facts(op).results.front().buffer;
    }

    void chain(std::size_t c, std::string message, std::vector<OpId> ops) {
        report_.add("VER-008", "chain " + std::to_string(c), std::move(message), std::move(ops));
    }

    void checkChain(std::size_t c) {
        const ChainInfo& info = data_.record.chains[c];
        if (info.ops.empty()) return chain(c, "it has no operation", {});
        if (info.state != ChainState::Completed && info.state != ChainState::Failed)
            chain(c, "it is " + std::string(wordOf(info.state)) + ", neither Completed nor Failed", info.ops);
        for (std::size_t i = 1; i < info.ops.size(); ++i)
            checkLink(c, info.ops[i - 1], info.ops[i]);
        if (info.state == ChainState::Completed) checkCompleted(c, info);
        if (info.state == ChainState::Failed && !info.failure) chain(c, "it failed and says not where", info.ops);
    }

    /// An operation reads its predecessor's result as its first operand, directly or through a conversion.
    void checkLink(std::size_t c, OpId before, OpId after) {
        if (!(before < after)) return chain(c, plan_.op(after).name + " runs before its predecessor", {before, after});
        const auto& operands = facts(after).operands;
        const bool reads = !operands.empty() && source(operands.front().buffer) == resultOf(before);
        if (!reads)
            chain(c, plan_.op(after).name + " does not read " + plan_.op(before).name + " as its first operand",
                  {before, after});
    }

    /// The value that inserted conversions carry on.
    [[nodiscard]] BufferId source(BufferId buffer) const {
        for (OpId p = values_.of(buffer).producer; p.isValid() && facts(p).conversion != TtnnConversion::None;
             p = values_.of(buffer).producer)
            buffer = facts(p).operands.front().buffer;
        return buffer;
    }

    void checkCompleted(std::size_t c, const ChainInfo& info) {
        std::int64_t cores = 0;
        for (const OpId op : info.ops) {
            if (facts(op).results.empty()) continue;
            const memplan::ttnn::Layout& layout = facts(op).results.front().layout;
            cores += layout.grid.volume();
            const bool isRight = info.isReshape ? layout.isInL1() && layout.isInterleaved() : layout.isL1Sharded();
            if (!isRight && !(info.isConcat && layout.isInDram()))
                chain(c, plan_.op(op).name + " writes " + layoutWords(layout) + ", no L1 layout of a chain", {op});
        }
        if (cores != info.coreUsage)
            report_.add("VER-013", "chain " + std::to_string(c) + " core_usage",
                        "says " + grouped(info.coreUsage) + ", its layouts give " + grouped(cores), info.ops);
        checkSpill(c, info);
    }

    void checkSpill(std::size_t c, const ChainInfo& info) {
        const OpId last = info.ops.back();
        const BufferId result = resultOf(last);
        if (!result.isValid()) return;
        const auto reads = [&](TtnnConversion kind) {
            return std::ranges::any_of(values_.of(result).readers, [&](OpId r) { return facts(r).conversion == kind; });
        };
        const bool isSpilled = reads(TtnnConversion::SpillToDram), isMoved = reads(TtnnConversion::SpillToL1);
        const bool isInDram = facts(last).results.front().layout.isInDram();
        const bool needsNone = values_.of(result).readers.empty() && !values_.of(result).isReturned;
        if (info.spill == SpillLocation::Dram && !isSpilled && !isInDram && !needsNone)
            chain(c, "its output is said to go to DRAM, but nothing writes it there", {last});
        if (info.spill == SpillLocation::L1Interleaved && !isMoved && !needsNone)
            chain(c, "its output is said to go to interleaved L1, but nothing writes it there", {last});
        if (info.spill == SpillLocation::None && isSpilled)
            chain(c, "its output is said to stay in L1, but it is written to DRAM", {last});
    }

    void checkMembership() {
        std::vector<int> chainOf(plan_.ops.size(), -1);
        for (std::size_t c = 0; c < data_.record.chains.size(); ++c) {
            for (const OpId op : data_.record.chains[c].ops) {
                if (chainOf[op.at()] >= 0 && !data_.record.chains[c].isReshape)
                    chain(c, plan_.op(op).name + " is in chain " + std::to_string(chainOf[op.at()]) + " as well", {op});
                chainOf[op.at()] = static_cast<int>(c);
            }
        }
        for (std::size_t i = 0; i < data_.record.ops.size(); ++i) {
            if (data_.record.ops[i].chain == chainOf[i]) continue;
            report_.op("VER-008", OpId::of(i),
                       "says chain " + std::to_string(data_.record.ops[i].chain) + ", the chains say " +
                           std::to_string(chainOf[i]));
        }
    }

    /// The value that a reservation keeps: the result itself, or its copy in interleaved L1.
    [[nodiscard]] BufferId kept(OpId source) const {
        const BufferId result = resultOf(source);
        if (!result.isValid()) return result;
        for (const OpId reader : values_.of(result).readers) {
            if (facts(reader).conversion == TtnnConversion::SpillToL1) return facts(reader).results.front().buffer;
        }
        return result;
    }

    void checkReservation(const Reservation& r) {
        const auto report = [&](std::string message) {
            report_.add("VER-008", "reservation of " + plan_.op(r.source).name, std::move(message), {r.source});
        };
        if (!r.source.isValid()) return;
        const BufferId buffer = kept(r.source);
        if (!buffer.isValid()) return report("its operation has no tensor result");
        const Value& value = values_.of(buffer);
        if (!value.layout || !value.layout->isInL1()) return report("its value is not in L1");
        if (value.layout->shardBytes() != r.bytes)
            report("it holds " + grouped(r.bytes) + " B of a core, the value takes " +
                   grouped(value.layout->shardBytes()));
        const bool covers = r.positions.begin <= value.life.begin && value.life.end <= r.positions.end;
        const bool isFromProducer = r.positions.begin <= values_.of(resultOf(r.source)).life.begin;
        if (!covers && !(isFromProducer && value.life.end <= r.positions.end))
            report("it holds positions " + std::to_string(r.positions.begin) + " to " +
                   std::to_string(r.positions.end - 1) + ", the value lives to " + std::to_string(value.life.end - 1));
    }

    void checkMerge(const MergeInfo& m) {
        for (const int c : m.sources) {
            const ChainInfo& from = data_.record.chains[static_cast<std::size_t>(c)];
            if (from.ops.empty()) continue;
            const BufferId result = resultOf(from.ops.back());
            if (!result.isValid() || !m.joinOp.isValid()) continue;
            const auto& operands = facts(m.joinOp).operands;
            const bool isRead = std::ranges::any_of(operands, [&](const TtnnTensor& t) {
                return t.buffer == result || (source(t.buffer) == result && t.layout.isInL1());
            });
            if (!isRead)
                report_.add("VER-008", "merge into " + plan_.op(m.joinOp).name,
                            "it does not read the output of chain " + std::to_string(c) + " from L1",
                            {m.joinOp, from.ops.back()});
        }
    }
};

}  // namespace

void checkChains(const Plan& plan, const Values& values, Report& report) {
    Chains(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn

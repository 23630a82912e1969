// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/chain_rules.h"

#include "engine/verify/ttnn/layouts.h"
#include "engine/verify/ttnn/op_facts.h"

#include <algorithm>
#include <array>
#include <string>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::ChainInfo;
using memplan::ttnn::ChainState;
using memplan::ttnn::EdgeInfo;
using memplan::ttnn::MergeInfo;
using memplan::ttnn::MergeKind;
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
        for (const MergeInfo& m : data_.record.merges)
            checkMerge(m);
        for (const EdgeInfo& edge : data_.record.edges)
            checkEdge(edge);
        if (data_.hasChains) checkForcedReshards(), checkLeftOut(), checkLinksHaveEdges();
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
        if (info.state == ChainState::Completed && !info.suggestions.empty())
            chain(c, "it is complete and has suggestions", info.ops);
        if (info.state == ChainState::Completed && info.failure)
            chain(c, "it completed and says where it failed", info.ops);
        if (!info.counters.visits.empty() && info.counters.visits.size() != info.ops.size())
            chain(c, "its counters have visits of another number of operations", info.ops);
        if (info.counters.cacheHits > info.counters.modelCalls)
            chain(c, "its counters have more hits than calls", info.ops);
        checkEnd(c, info);
    }

    /// The word for its end (4.2) against the readers of its last result.
    void checkEnd(std::size_t c, const ChainInfo& info) {
        using memplan::ttnn::EndedBy;
        const OpId last = info.ops.back();
        const BufferId result = resultOf(last);
        if (!result.isValid() || info.isReshape) return;
        const std::size_t uses = usesOf(result);
        const bool isReturned = isReturnedBehind(result);
        const auto wrong = [&](const char* why) {
            chain(c, "it is said to end by " + std::string(wordOf(info.endedBy)) + ", but " + why, {last});
        };
        if (info.endedBy == EndedBy::Returned && !isReturned) wrong("its result is not returned");
        if (info.endedBy == EndedBy::Fork && uses + (isReturned ? 1 : 0) < 2) wrong("its result has one use");
        const bool names = info.endedAt.isValid();
        const bool wants = info.endedBy == EndedBy::NotFirstOperand || info.endedBy == EndedBy::NotShardable ||
                           info.endedBy == EndedBy::NoLegalConfig || info.endedBy == EndedBy::ScheduledElsewhere;
        if (wants && !names) wrong("no operation that would go on is named");
        const int operand = names ? operandReading(info.endedAt, result) : 0;
        if (names && operand < 0) wrong("the named operation does not read it");
        const bool isLater = info.endedBy == EndedBy::NotFirstOperand;
        if (isLater && operand < 1) wrong("its reader takes it as the first operand");
        if (names && (isLater || info.endedOperand != 0) && info.endedOperand != operand)
            wrong("the operand is another one");
        if (!names && info.endedOperand != 0) wrong("an operand is named without an operation");
        if (info.endedBy == EndedBy::NotShardable && names && isShardable(info.endedAt))
            wrong("the kind of its reader may be sharded");
    }

    /// Operand slots that read the value, through conversions.
    [[nodiscard]] std::size_t usesOf(BufferId buffer) const {
        std::size_t uses = 0;
        for (const OpId reader : values_.of(buffer).readers) {
            if (facts(reader).conversion != TtnnConversion::None) {
                uses += usesOf(resultOf(reader));
                continue;
            }
            uses += static_cast<std::size_t>(std::ranges::count(facts(reader).operands, buffer, &TtnnTensor::buffer));
        }
        return uses;
    }
    [[nodiscard]] bool isReturnedBehind(BufferId buffer) const {
        return values_.of(buffer).isReturned || std::ranges::any_of(values_.of(buffer).readers, [&](OpId reader) {
                   return facts(reader).conversion != TtnnConversion::None && isReturnedBehind(resultOf(reader));
               });
    }
    /// First operand that reads the value, through conversions; -1 for none.
    [[nodiscard]] int operandReading(OpId op, BufferId value) const {
        const auto& operands = facts(op).operands;
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].buffer == value || source(operands[k].buffer) == value) return static_cast<int>(k);
        return -1;
    }

    /// The kinds of 4.2.
    [[nodiscard]] bool isShardable(OpId op) const {
        static constexpr std::array<std::string_view, 17> kKinds{"add",
                                                                 "multiply",
                                                                 "minimum",
                                                                 "relu",
                                                                 "relu6",
                                                                 "silu",
                                                                 "gelu",
                                                                 "neg",
                                                                 "rsqrt",
                                                                 "conv2d",
                                                                 "conv_transpose2d",
                                                                 "matmul",
                                                                 "linear",
                                                                 "pow_scalar",
                                                                 "rotary_embedding",
                                                                 "d2m_subgraph",
                                                                 "concat"};
        const std::string_view kind = kindOf(facts(op));
        const bool isLeftOut = kind == "concat" && !plan_.settings.boolean("ttnn.concat_chains");
        return !isLeftOut && std::ranges::find(kKinds, kind) != kKinds.end();
    }

    /// The reason why an operation is in no chain (4.2) fits its kind; one in a chain has none.
    void checkLeftOut() {
        using memplan::ttnn::EndedBy;
        for (std::size_t i = 0; i < data_.record.ops.size(); ++i) {
            const OpId op = OpId::of(i);
            const auto& record = data_.record.ops[i];
            if (!record.whyNone) continue;
            const std::string word(wordOf(*record.whyNone));
            if (record.chain >= 0) report_.op("VER-008", op, "is in a chain and is said to be in none: " + word);
            if (*record.whyNone == EndedBy::NotShardable && isShardable(op))
                report_.op("VER-008", op, "is said to be in no chain for its kind, which may be sharded");
            if (*record.whyNone == EndedBy::NoLegalConfig && !isShardable(op))
                report_.op("VER-008", op, "is said to lack a configuration, but its kind is never sharded");
            if (*record.whyNone != EndedBy::NotShardable && *record.whyNone != EndedBy::NoLegalConfig)
                report_.op("VER-008", op, "is in no chain for a reason that ends chains: " + word);
        }
    }

    /// Every operand that a completed chain hands on has its edge, once.
    void checkLinksHaveEdges() {
        for (std::size_t c = 0; c < data_.record.chains.size(); ++c) {
            const ChainInfo& info = data_.record.chains[c];
            if (info.state != ChainState::Completed || info.isConcat || info.isReshape) continue;
            for (std::size_t i = 1; i < info.ops.size(); ++i) {
                const auto edges = std::ranges::count_if(data_.record.edges, [&](const EdgeInfo& e) {
                    return e.producer == info.ops[i - 1] && e.consumer == info.ops[i] && e.operand == 0;
                });
                if (edges != 1)
                    chain(c,
                          "the record has " + std::to_string(edges) + " edges from " + plan_.op(info.ops[i - 1]).name +
                              " to " + plan_.op(info.ops[i]).name,
                          {info.ops[i - 1], info.ops[i]});
            }
        }
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
        const StepRange real{r.source.index, std::max(r.source, lastReader(resultOf(r.source))).index + 1};
        if (r.positions != real)
            report("it holds positions " + std::to_string(r.positions.begin) + " to " +
                   std::to_string(r.positions.end - 1) + ", its value is there for " + std::to_string(real.begin) +
                   " to " + std::to_string(real.end - 1));
        const bool isOfMerge = r.purpose == "merge" || r.purpose == "concat";
        if (isOfMerge != isMerged(r.source)) report("its purpose is " + r.purpose + ", the merges say otherwise");
    }

    /// The last operation that reads the value, through conversions; none: no id.
    [[nodiscard]] OpId lastReader(BufferId buffer) const {
        OpId last;
        for (const OpId reader : values_.of(buffer).readers) {
            const bool isConversion = facts(reader).conversion != TtnnConversion::None;
            last = std::max(last, isConversion ? lastReader(resultOf(reader)) : reader);
        }
        return last;
    }

    /// Its result stays in L1 by a merge.
    [[nodiscard]] bool isMerged(OpId source) const {
        const int c = data_.record.ops[source.at()].chain;
        return std::ranges::any_of(data_.record.merges, [&](const MergeInfo& m) {
            return m.isAccepted && std::ranges::find(m.sources, c) != m.sources.end();
        });
    }

    [[nodiscard]] const ChainInfo& chainAt(int c) const { return data_.record.chains[static_cast<std::size_t>(c)]; }

    void checkMerge(const MergeInfo& m) {
        if (!m.joinOp.isValid()) return;
        const auto report = [&](std::string message) {
            report_.add("VER-008", "merge into " + plan_.op(m.joinOp).name, std::move(message), {m.joinOp});
        };
        if (m.isAccepted != m.rejectedBy.empty()) report("it is accepted and refused, or neither");
        if (m.needed > 0 && m.needed <= m.available)
            report("it is refused for want of room, but needs " + grouped(m.needed) + " B of " + grouped(m.available));
        if (m.target >= 0 && std::ranges::find(chainAt(m.target).ops, m.joinOp) == chainAt(m.target).ops.end())
            report("chain " + std::to_string(m.target) + " does not have it");
        checkRefusal(m);
        for (const int c : m.sources)
            checkMergeSource(m, c);
        checkMergeBytes(m);
        if (m.kind == MergeKind::Concat || m.sources.empty() || chainAt(m.sources.front()).ops.empty()) return;
        const BufferId* read = readAt(m.joinOp, m.operand);
        if (read == nullptr || source(*read) != resultOf(chainAt(m.sources.front()).ops.back()))
            report("its operand " + std::to_string(m.operand) + " is not the output of chain " +
                   std::to_string(m.sources.front()));
    }

    /// A refusal names a step, and for want of room the limit of the plan and what the model said.
    void checkRefusal(const MergeInfo& m) {
        static constexpr std::array<std::string_view, 8> kSteps{
            "range", "chain", "join", "fragmentation", "fork", "hint", "larger_candidate", "position"};
        const auto report = [&](std::string message) {
            report_.add("VER-008", "merge into " + plan_.op(m.joinOp).name, std::move(message), {m.joinOp});
        };
        if (!m.rejectedBy.empty() && std::ranges::find(kSteps, m.rejectedBy) == kSteps.end())
            report("it is refused by " + m.rejectedBy + ", which is no step");
        if (m.needed == 0 && m.available == 0) return;
        if (m.available != plan_.memory.capacity)
            report("it says " + grouped(m.available) + " B are there, the limit is " + grouped(plan_.memory.capacity));
        const bool isStated = m.message.find(grouped(m.needed)) != std::string::npos &&
                              m.message.find(grouped(m.available)) != std::string::npos;
        if (!isStated)
            report("its message has other figures than " + grouped(m.needed) + " of " + grouped(m.available));
    }

    /// The join reads the output of the chain; if the merge holds, from L1, where it is reserved.
    void checkMergeSource(const MergeInfo& m, int c) {
        const ChainInfo& from = chainAt(c);
        const BufferId result = from.ops.empty() ? BufferId{} : resultOf(from.ops.back());
        if (!result.isValid()) return;
        const auto report = [&](const char* message) {
            report_.add("VER-008", "merge into " + plan_.op(m.joinOp).name,
                        message + std::string(" chain ") + std::to_string(c), {m.joinOp, from.ops.back()});
        };
        const bool isRead = std::ranges::any_of(facts(m.joinOp).operands, [&](const TtnnTensor& t) {
            return source(t.buffer) == result && (!m.isAccepted || t.layout.isInL1());
        });
        if (!isRead) report(m.isAccepted ? "it does not read from L1 the output of" : "it does not read the output of");
        if (!m.isAccepted) return;
        if (from.spill != SpillLocation::None) report("it takes from L1 what is spilled by");
        if (std::ranges::find(data_.record.reservations, from.ops.back(), &Reservation::source) ==
            data_.record.reservations.end())
            report("nothing is reserved for the output of");
    }

    /// Of a concatenation that was refused not all sources are known, and the output of a failed chain is another.
    void checkMergeBytes(const MergeInfo& m) {
        if (!m.isAccepted && m.kind == MergeKind::Concat) return;
        Bytes bytes = 0;
        for (const int c : m.sources) {
            if (chainAt(c).ops.empty() || chainAt(c).state != ChainState::Completed) return;
            const BufferId result = resultOf(chainAt(c).ops.back());
            bytes += result.isValid() ? values_.of(result).layout->shardBytes() : 0;
        }
        report_.expect("merge into " + plan_.op(m.joinOp).name + " bytes", m.bytes, bytes);
    }

    // ---- reshards ----------------------------------------------------------------------------------------------

    [[nodiscard]] const BufferId* readAt(OpId op, int operand) const {
        const auto& operands = facts(op).operands;
        const bool isThere = operand >= 0 && static_cast<std::size_t>(operand) < operands.size();
        return isThere ? &operands[static_cast<std::size_t>(operand)].buffer : nullptr;
    }

    /// Of a completed chain; what a failed one had chosen does not count.
    void checkEdge(const EdgeInfo& edge) {
        if (edge.chain < 0 || !edge.consumer.isValid())
            return report_.add("VER-008", "target_data", "an edge is of no chain or leads to no operation");
        const bool isFailed = chainAt(edge.chain).state != ChainState::Completed;
        const std::string& consumer = plan_.op(edge.consumer).name;
        const auto report = [&](std::string message) {
            report_.add("VER-008", "edge to " + consumer, std::move(message), {edge.consumer});
        };
        const auto isInChain = [&](OpId op) {
            return std::ranges::find(chainAt(edge.chain).ops, op) != chainAt(edge.chain).ops.end();
        };
        if (!isInChain(edge.consumer) || (edge.producer.isValid() && !isInChain(edge.producer)))
            report("it joins other operations than those of chain " + std::to_string(edge.chain));
        const BufferId* read = readAt(edge.consumer, edge.operand);
        if (read == nullptr) return report("there is no operand " + std::to_string(edge.operand));
        if (edge.producer.isValid() && source(*read) != resultOf(edge.producer))
            report("operand " + std::to_string(edge.operand) + " does not come from " + plan_.op(edge.producer).name);
        const bool isEntry = !edge.producer.isValid() && edge.origin == memplan::ttnn::ReshardOrigin::Forced;
        if (isEntry && (edge.operand != 0 || !isFirst(edge)))
            report("it has no producer, but is not the entry of chain " + std::to_string(edge.chain));
        checkSelected(edge);
        if (isFailed) return;
        if (edge.isResharded != edge.reshard.has_value()) report("it is resharded without a layout, or not resharded");
        const auto& operand = facts(edge.consumer).operands[static_cast<std::size_t>(edge.operand)];
        if (edge.reshard && !isReadAs(edge, operand.layout))
            report("its reshard gives " + layoutWords(*edge.reshard) + ", the operand lies as " +
                   layoutWords(operand.layout));
    }

    [[nodiscard]] bool isFirst(const EdgeInfo& edge) const {
        const std::vector<OpId>& ops = chainAt(edge.chain).ops;
        return !ops.empty() && ops.front() == edge.consumer;
    }

    /// The pair that was chosen has a side for each operation of the edge. Which configuration an index names is a
    /// matter of the compile: a plan file does not list them.
    void checkSelected(const EdgeInfo& edge) {
        const bool isThere = edge.selected.first >= -1 && edge.selected.second >= -1;
        const bool isOfEntry = edge.producer.isValid() || edge.selected.first == -1;
        if (!isThere || !isOfEntry || edge.producerConfigs < 0 || edge.consumerConfigs < 0)
            report_.add("VER-008", "edge to " + plan_.op(edge.consumer).name,
                        "its chosen pair is none of its configurations", {edge.consumer});
    }

    /// A layout that was forced is that of the consumer's result (7, step 3), and pages are those of the value that is
    /// converted: then the shards are others than the solver's.
    static bool isReadAs(const EdgeInfo& edge, const memplan::ttnn::Layout& layout) {
        if (edge.origin == memplan::ttnn::ReshardOrigin::Override) return true;
        if (edge.reshard->page == layout.page) return *edge.reshard == layout;
        return edge.reshard->buffer == layout.buffer && edge.reshard->mem == layout.mem;
    }

    /// Each conversion that a chain forces stands on an edge.
    void checkForcedReshards() {
        for (std::size_t i = 0; i < data_.ops.size(); ++i) {
            if (data_.ops[i].conversion != TtnnConversion::Forced) continue;
            for (const OpId reader : values_.of(resultOf(OpId::of(i))).readers) {
                const bool isOnEdge = std::ranges::any_of(data_.record.edges, [&](const EdgeInfo& edge) {
                    return edge.consumer == reader && edge.reshard.has_value();
                });
                if (!isOnEdge) report_.op("VER-008", OpId::of(i), "is a forced reshard, but stands on no edge");
            }
        }
    }
};

}  // namespace

void checkChains(const Plan& plan, const Values& values, Report& report) {
    Chains(plan, values, report).run();
}

}  // namespace memplan::verify::ttnn

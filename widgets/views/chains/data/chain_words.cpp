// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/data/chain_words.h"

#include "widgets/plan/units.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::ui {

using ttnn::BufferType;
using ttnn::ChainState;
using ttnn::EndedBy;
using ttnn::MemLayout;
using ttnn::MergeKind;
using ttnn::SpillLocation;

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

QString opName(const Plan& plan, OpId id) {
    return id.isValid() && static_cast<std::size_t>(id.index) < plan.ops.size() ? fromStd(plan.op(id).name)
                                                                                : words("another operation");
}

QString bufferWord(BufferType buffer) {
    switch (buffer) {
    case BufferType::L1:
        return QStringLiteral("L1");
    case BufferType::Dram:
        return QStringLiteral("DRAM");
    case BufferType::SystemMemory:
        return words("host");
    default:
        return fromStd(std::string(wordOf(buffer)));
    }
}

QString placementWord(const ttnn::Layout& layout) {
    if (!layout.mem) return {};
    switch (*layout.mem) {
    case MemLayout::Interleaved:
        return QStringLiteral("IL");
    case MemLayout::HeightSharded:
        return QStringLiteral("HS");
    case MemLayout::WidthSharded:
        return QStringLiteral("WS");
    case MemLayout::BlockSharded:
        return QStringLiteral("BS");
    case MemLayout::NdSharded:
        return QStringLiteral("ND");
    }
    return {};
}

std::size_t usesOfResult(const Plan& plan, const ttnn::ChainInfo& chain) {
    const OpId last = chain.ops.back();
    std::size_t uses = 0;
    for (const PlanOp& op : plan.ops)
        for (const BufferId in : op.inputs)
            uses += plan.buffer(in).producer == last ? 1U : 0U;
    return uses;
}

}  // namespace

QString layoutWord(const ttnn::Layout& layout) {
    const QString placement = placementWord(layout);
    return placement.isEmpty() ? bufferWord(layout.buffer) : bufferWord(layout.buffer) + u' ' + placement;
}

QString gridWord(const ttnn::Layout& layout) {
    return QStringLiteral("%1x%2").arg(layout.grid.rows).arg(layout.grid.cols);
}

QString shortLayoutText(const ttnn::Layout& layout) {
    return layout.isSharded() ? layoutWord(layout) + u' ' + gridWord(layout) : layoutWord(layout);
}

QString stateWord(ChainState state) {
    switch (state) {
    case ChainState::InBuild:
        return words("In build");
    case ChainState::Built:
        return words("Built");
    case ChainState::Resolved:
        return words("Resolved");
    case ChainState::Completed:
        return words("Completed");
    case ChainState::Failed:
        return words("Failed");
    }
    return {};
}

Token stateToken(ChainState state) {
    switch (state) {
    case ChainState::InBuild:
        return Token::Text3;
    case ChainState::Built:
        return Token::Accent;
    case ChainState::Resolved:
        return Token::WhatIf;
    case ChainState::Completed:
        return Token::Good;
    case ChainState::Failed:
        return Token::Error;
    }
    return Token::Text3;
}

QString stateIcon(ChainState state) {
    if (state == ChainState::Completed) return QStringLiteral("check");
    return state == ChainState::Failed ? QStringLiteral("cross") : QString();
}

QString spillWord(const ttnn::ChainInfo& chain) {
    if (chain.state != ChainState::Completed) return QStringLiteral("DRAM");
    switch (chain.spill) {
    case SpillLocation::Dram:
        return QStringLiteral("DRAM");
    case SpillLocation::L1Interleaved:
        return words("L1 interleaved");
    case SpillLocation::None:
        return words("stays in L1");
    }
    return {};
}

QString endSentence(const Plan& plan, const ttnn::ChainInfo& chain) {
    if (chain.ops.empty()) return {};
    const QString last = opName(plan, chain.ops.back()), next = opName(plan, chain.endedAt);
    switch (chain.endedBy) {
    case EndedBy::Hint:
        return words("ends: a hint breaks it here");
    case EndedBy::Concat:
        return chain.isConcat ? words("ends: a concat is a chain of its own") : words("ends: %1 is a concat").arg(next);
    case EndedBy::Returned:
        return words("ends: %1 is returned").arg(last);
    case EndedBy::Fork: {
        const std::size_t uses = usesOfResult(plan, chain);
        return uses > 1 ? words("ends: %1 is used %2 times").arg(last).arg(uses)
                        : words("ends: %1 is used several times").arg(last);
    }
    case EndedBy::NoNext:
        return words("ends: no operation that is ready reads %1").arg(last);
    case EndedBy::NotFirstOperand:
        return words("ends: %1 reads it as operand %2").arg(next).arg(chain.endedOperand);
    case EndedBy::NotShardable:
        return words("ends: %1 cannot be sharded").arg(next);
    case EndedBy::NoLegalConfig:
        return words("ends: %1 has no sharded configuration").arg(next);
    case EndedBy::ScheduledElsewhere:
        return words("ends: %1 was scheduled before").arg(next);
    }
    return {};
}

QString endRule(EndedBy reason) {
    switch (reason) {
    case EndedBy::Hint:
        return words("The hint break_chain asks for it.");
    case EndedBy::Concat:
        return words("A concat joins several lines, so it is resolved after the chains that feed it.");
    case EndedBy::Returned:
        return words("Returned values end in DRAM.");
    case EndedBy::Fork:
        return words("A value in a chain has exactly one use: that keeps the flow linear.");
    case EndedBy::NoNext:
        return words("What reads the value waits for other operands.");
    case EndedBy::NotFirstOperand:
        return words("A chain is a line through the first operands.");
    case EndedBy::NotShardable:
        return words("The operation's kind is outside the set that the device shards.");
    case EndedBy::NoLegalConfig:
        return words("No sharded layout of its result is legal on this device.");
    case EndedBy::ScheduledElsewhere:
        return words("The schedule took the reader into another chain.");
    }
    return {};
}

QString outsideSentence(const Plan& plan, OpId op) {
    const TtnnData& data = ttnnData(plan);
    const auto at = static_cast<std::size_t>(op.index);
    if (at < data.ops.size() && data.ops[at].conversion != TtnnConversion::None)
        return words("inserted: %1").arg(conversionWord(data.ops[at].conversion));
    if (at >= data.record.ops.size() || !data.record.ops[at].whyNone) return words("in no chain");
    if (*data.record.ops[at].whyNone == EndedBy::NotShardable) return words("in no chain: its kind cannot be sharded");
    if (*data.record.ops[at].whyNone == EndedBy::NoLegalConfig)
        return words("in no chain: it has no sharded configuration");
    return words("in no chain: ") + endRule(*data.record.ops[at].whyNone);
}

QString mergeWord(const ttnn::MergeInfo& merge) {
    switch (merge.kind) {
    case MergeKind::Simple:
        return words("merge into operand %1").arg(merge.operand);
    case MergeKind::ThreeWay:
        return words("three-way merge");
    case MergeKind::Concat:
        return words("merge into a concat");
    }
    return {};
}

QString mergeSentence(const Plan& plan, const ttnn::MergeInfo& merge) {
    if (merge.isAccepted)
        return words("%1 of %2, %3 of a core")
            .arg(mergeWord(merge), opName(plan, merge.joinOp), exactBytes(merge.bytes));
    QString why = words("refused");
    if (merge.rejectedAt.isValid()) why += words(" at %1").arg(opName(plan, merge.rejectedAt));
    if (merge.needed > 0)
        why += words(": %1 of %2").arg(groupedText(merge.needed), exactBytes(merge.available));
    else if (!merge.message.empty())
        why += QStringLiteral(": ") + fromStd(merge.message);
    else if (!merge.rejectedBy.empty())
        why += QStringLiteral(": ") + fromStd(merge.rejectedBy).replace(u'_', u' ');
    return words("%1 of %2, %3").arg(mergeWord(merge), opName(plan, merge.joinOp), why);
}

QString changeTitle(const QString& change) {
    const QString first = change.section(u' ', 0, 0);
    const bool isWord = std::ranges::all_of(first, [](QChar c) { return c.isLetter(); });
    return isWord ? change.left(1).toUpper() + change.mid(1) : change;
}

QString conversionWord(TtnnConversion kind) {
    switch (kind) {
    case TtnnConversion::None:
        return {};
    case TtnnConversion::Forced:
        return words("forced reshard");
    case TtnnConversion::Override:
        return words("reshard by override");
    case TtnnConversion::Proactive:
        return words("proactive reshard");
    case TtnnConversion::SpillToDram:
        return words("spill to DRAM");
    case TtnnConversion::SpillToL1:
        return words("copy to L1 interleaved");
    }
    return {};
}

}  // namespace memplan::ui

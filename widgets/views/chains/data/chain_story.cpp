// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/data/chain_story.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::ui {

using ttnn::ChainState;

namespace {

constexpr std::size_t kReasons = 6;
constexpr std::int64_t kMostLayouts = 512;
constexpr const char *kLayouts = "ttnn.max_legal_layouts", *kRowMajor = "ttnn.row_major",
                     *kReshards = "ttnn.memreconfig";

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

QString nameOf(const Plan& plan, OpId op) {
    return op.isValid() && static_cast<std::size_t>(op.index) < plan.ops.size() ? fromStd(plan.op(op).name)
                                                                                : words("the entry");
}

StoryStep deadEdge(const ChainData& data, const ttnn::ChainInfo& chain) {
    const Plan& plan = data.plan();
    const ttnn::ChainFailure& failure = *chain.failure;
    StoryStep step;
    step.title = failure.producer.isValid()
                     ? words("Edge %1 to %2, operand %3")
                           .arg(nameOf(plan, failure.producer), nameOf(plan, failure.consumer))
                           .arg(failure.operand)
                     : words("Entry of %1, operand %2").arg(nameOf(plan, failure.consumer)).arg(failure.operand);
    for (const ttnn::EdgeInfo& edge : data.record().record.edges)
        if (edge.producer == failure.producer && edge.consumer == failure.consumer && edge.producerConfigs > 0)
            step.lines << words("%1 producer and %2 consumer configurations, %3 pairs that fit")
                              .arg(edge.producerConfigs)
                              .arg(edge.consumerConfigs)
                              .arg(edge.paths.size());
    if (!failure.stage.empty()) step.lines << words("found at the stage: %1").arg(fromStd(failure.stage));
    return step;
}

StoryStep modelSaid(const ttnn::ChainFailure& failure) {
    auto reasons = failure.reasons;
    std::ranges::stable_sort(reasons, std::greater<>(), [](const auto& r) { return r.second; });
    StoryStep step{words("What the operation model said"), {}};
    for (std::size_t i = 0; i < reasons.size() && i < kReasons; ++i)
        step.lines << QStringLiteral("%1: %2").arg(plural(reasons[i].second, words("time"), words("times")),
                                                   fromStd(reasons[i].first));
    if (reasons.size() > kReasons) step.lines << words("and %1 other messages").arg(reasons.size() - kReasons);
    return step;
}

StoryStep counters(const ttnn::ChainCounters& c) {
    return {words("Work of the solver"),
            {words("%1, %2 of the model (%3 from its cache), %4 of propagation")
                 .arg(plural(c.edgesChecked, words("edge"), words("edges")),
                      plural(c.modelCalls, words("call"), words("calls")), groupedText(c.cacheHits),
                      plural(c.rounds, words("round"), words("rounds")))}};
}

StoryStep joins(const ChainData& data, int lane) {
    StoryStep step{words("Merges and forks"), {}};
    for (const ChainLink& link : data.links())
        if (link.fromLane == lane || link.toLane == lane) step.lines << link.text;
    step.lines.removeDuplicates();
    return step;
}

QString jsonLayout(const ttnn::Layout& layout) {
    const auto word = [](std::string_view w) { return fromStd(std::string(w)); };
    return QStringLiteral("{\"grid\":[%1,%2],\"buffer\":\"%3\",\"mem\":\"%4\",\"page\":\"%5\"}")
        .arg(layout.grid.rows)
        .arg(layout.grid.cols)
        .arg(word(wordOf(layout.buffer)), word(wordOf(*layout.mem)), word(wordOf(layout.page)));
}

/// Convolutions alone have several kernels of one layout (ttnn-optimizer 3.4).
QString kernelText(const ttnn::OpAttrs& kernel) {
    const auto* convolution = std::get_if<ttnn::Conv2dAttrs>(&kernel);
    if (convolution == nullptr || !convolution->config || !convolution->config->actBlockHOverride) return {};
    const std::int64_t rows = *convolution->config->actBlockHOverride;
    return rows == 0 ? words("block height automatic") : words("block height %1").arg(rows);
}

QString fateOf(const ChainData& data, const ttnn::OpRecord& op, std::size_t config) {
    const int edge = config < op.clearedEdge.size() ? op.clearedEdge[config] : -1;
    if (edge == -2) return words("never valid");
    if (edge < 0) return words("valid");
    const int round = config < op.clearedRound.size() ? op.clearedRound[config] : 0;
    const auto& edges = data.record().record.edges;
    if (static_cast<std::size_t>(edge) >= edges.size()) return words("eliminated, round %1").arg(round);
    const ttnn::EdgeInfo& info = edges[static_cast<std::size_t>(edge)];
    const QString where = words("%1 to %2").arg(nameOf(data.plan(), info.producer), nameOf(data.plan(), info.consumer));
    return words("eliminated by %1, round %2").arg(where).arg(round);
}

}  // namespace

std::vector<StoryStep> chainStory(const ChainData& data, int lane) {
    if (lane < 0 || static_cast<std::size_t>(lane) >= data.lanes().size()) return {};
    const ChainLane& row = data.lanes()[static_cast<std::size_t>(lane)];
    const ttnn::ChainInfo& chain = data.record().record.chains[static_cast<std::size_t>(row.chain)];
    std::vector<StoryStep> story;
    if (chain.failure) {
        story.push_back(deadEdge(data, chain));
        if (!chain.failure->reasons.empty()) story.push_back(modelSaid(*chain.failure));
        if (!data.plan().settings.boolean(kReshards))
            story.push_back({words("Reshards are switched off"), {fromStd(kReshards)}});
        story.push_back({words("Its operations work in DRAM"), {words("nothing of the chain was kept")}});
    }
    QString ends = row.ends;
    story.push_back({ends.replace(QStringLiteral("ends: "), words("It ends: ")), {endRule(chain.endedBy)}});
    if (!chain.failure) story.push_back({words("Its last value: %1").arg(row.goes), {}});
    if (StoryStep links = joins(data, lane); !links.lines.isEmpty()) story.push_back(std::move(links));
    story.push_back(counters(chain.counters));
    return story;
}

std::vector<ChainProposal> chainProposals(const ChainData& data, int lane) {
    if (lane < 0 || static_cast<std::size_t>(lane) >= data.lanes().size()) return {};
    const ChainLane& row = data.lanes()[static_cast<std::size_t>(lane)];
    const ttnn::ChainInfo& chain = data.record().record.chains[static_cast<std::size_t>(row.chain)];
    if (!chain.failure) return {};
    std::vector<ChainProposal> list;
    const Plan& plan = data.plan();
    if (chain.failure->producer.isValid()) {
        const QString name = nameOf(plan, chain.failure->consumer);
        list.push_back({words("Break the chain before %1").arg(name),
                        words("The operations before it are then resolved by themselves. Not tried yet."),
                        words("Add hint"),
                        chain.failure->consumer,
                        QStringLiteral("break_chain"),
                        QStringLiteral("\"before\""),
                        {},
                        {}});
    }
    if (const std::int64_t now = plan.settings.integer(kLayouts); now > 0 && now < kMostLayouts)
        list.push_back({words("Try more layouts"),
                        words("%1 sharded layouts of an operation are tried now. Not tried yet.").arg(now),
                        words("Set %1").arg(std::min(kMostLayouts, now * 2)),
                        {},
                        {},
                        {},
                        fromStd(kLayouts),
                        QString::number(std::min(kMostLayouts, now * 2))});
    if (!plan.settings.boolean(kRowMajor))
        list.push_back({words("Allow row major layouts"),
                        words("Only tiled layouts are tried now. Not tried yet."),
                        words("Allow"),
                        {},
                        {},
                        {},
                        fromStd(kRowMajor),
                        QStringLiteral("true")});
    return list;
}

ChainProposal layoutProposal(const ChainData& data, OpId op, const ttnn::Layout& layout) {
    return {words("Layout of %1: %2").arg(nameOf(data.plan(), op), shortLayoutText(layout)),
            {},
            words("Add hint"),
            op,
            QStringLiteral("output_layout"),
            jsonLayout(layout),
            {},
            {}};
}

std::vector<ConfigRow> configRows(const ChainData& data, OpId op) {
    const auto& ops = data.record().record.ops;
    if (!op.isValid() || static_cast<std::size_t>(op.index) >= ops.size()) return {};
    const ttnn::OpRecord& record = ops[static_cast<std::size_t>(op.index)];
    std::vector<ConfigRow> rows;
    for (std::size_t i = 0; i < record.sharded.size(); ++i) {
        ConfigRow row;
        row.config = static_cast<int>(i);
        row.layout = record.sharded[i];
        if (i < record.kernels.size()) row.kernel = kernelText(record.kernels[i]);
        row.acc = i < record.acc.size() ? record.acc[i] : 0;
        row.isChosen = record.selected == row.config;
        row.isGone = i < record.clearedEdge.size() && record.clearedEdge[i] != -1;
        row.state = row.isChosen ? words("chosen") : fateOf(data, record, i);
        rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(rows, {}, [](const ConfigRow& r) { return r.isChosen ? 0 : r.isGone ? 2 : 1; });
    return rows;
}

}  // namespace memplan::ui

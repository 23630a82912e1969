// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/data/chain_story.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <map>

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

/// Of a plan that was read from a file only the outcome is known: what was tried stands in no plan file.
StoryStep reshardTried(const ChainData& data, const ttnn::ChainFailure& failure, const ttnn::EdgeInfo* edge) {
    if (edge != nullptr && edge->isResharded)
        return {words("A reshard stands on this edge"), {words("an edge is resharded once at most")}};
    if (failure.stage != "edge" && failure.stage != "entry") return {};
    StoryStep step{words("Reshard tried on this edge"), {words("no sharded layout of the operand fits")}};
    if (edge == nullptr || edge->answers.reshardsTried == 0) return step;
    step.lines = {(data.plan().settings.boolean(kRowMajor) ? words("%1 of the operand, row major then tiled: none fits")
                                                           : words("%1 of the operand, tiled alone: none fits"))
                      .arg(plural(edge->answers.reshardsTried, words("sharded layout"), words("sharded layouts")))};
    return step;
}

/// A message of the operation model, with those that differ from it in their numbers alone.
struct SaidOften {
    QString first;
    std::int64_t times = 0, alike = 0;
};

/// Most frequent first; the sum of those that were not kept comes last.
std::vector<SaidOften> groupedMessages(const std::vector<std::pair<std::string, std::int64_t>>& reasons) {
    static const QRegularExpression numbers(QStringLiteral("[0-9]+([ \u202f][0-9]{3})*"));
    std::vector<SaidOften> said;
    std::map<QString, std::size_t> known;
    std::int64_t others = 0;
    for (const auto& [text, times] : reasons) {
        if (text == ttnn::kOtherMessages) {
            others += times;
            continue;
        }
        const QString message = fromStd(text);
        const auto [at, isNew] = known.try_emplace(QString(message).remove(numbers), said.size());
        if (isNew) said.push_back({message});
        said[at->second].times += times;
        said[at->second].alike += isNew ? 0 : 1;
    }
    std::ranges::stable_sort(said, std::greater<>(), &SaidOften::times);
    if (others > 0) said.push_back({words("other messages"), others});
    return said;
}

StoryStep modelSaid(const ttnn::ChainFailure& failure) {
    StoryStep step{words("What the operation model said"), {}};
    std::vector<SaidOften> list = groupedMessages(failure.reasons);
    const std::size_t left = list.size() > kReasons ? list.size() - kReasons : 0;
    list.resize(list.size() - left);
    for (const SaidOften& said : list) {
        QString line = QStringLiteral("%1: %2").arg(plural(said.times, words("time"), words("times")), said.first);
        if (said.alike > 0)
            line +=
                words(", and %1")
                    .arg(plural(said.alike, words("message with other numbers"), words("messages with other numbers")));
        step.lines << line;
    }
    if (left > 0) step.lines << words("and %1 other messages").arg(left);
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

QString closestPairText(const ChainData& data, const ttnn::EdgeInfo& edge) {
    const ttnn::PairAnswers& answers = edge.answers;
    const auto& ops = data.record().record.ops;
    const auto at = static_cast<std::size_t>(edge.consumer.index);
    const auto config = static_cast<std::size_t>(answers.closest.second);
    if (answers.need == 0 || at >= ops.size() || config >= ops[at].sharded.size()) return {};
    return words("%1 to %2: needs %3 of a core, %4 above the limit")
        .arg(shortLayoutText(answers.input), shortLayoutText(ops[at].sharded[config]), exactBytes(answers.need),
             exactBytes(answers.need - answers.limit));
}

std::vector<StoryStep> chainStory(const ChainData& data, int lane) {
    if (lane < 0 || static_cast<std::size_t>(lane) >= data.lanes().size()) return {};
    const ChainLane& row = data.lanes()[static_cast<std::size_t>(lane)];
    const ttnn::ChainInfo& chain = data.record().record.chains[static_cast<std::size_t>(row.chain)];
    std::vector<StoryStep> story;
    if (chain.failure) {
        story.push_back(deadEdge(data, chain));
        if (!chain.failure->reasons.empty()) story.push_back(modelSaid(*chain.failure));
        if (const ttnn::EdgeInfo* edge = data.failedEdge(row.chain))
            if (const QString closest = closestPairText(data, *edge); edge->paths.empty() && !closest.isEmpty())
                story.push_back({words("Closest pair of layouts"), {closest}});
        if (StoryStep reshard = reshardTried(data, *chain.failure, data.failedEdge(row.chain));
            !reshard.title.isEmpty())
            story.push_back(std::move(reshard));
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

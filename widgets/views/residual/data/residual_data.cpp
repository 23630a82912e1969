// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/data/residual_data.h"

#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>

namespace memplan::ui {

using torchwright::AttentionKind;
using torchwright::ColumnRun;
using torchwright::MlpKind;
using torchwright::NodeId;

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Residual", text);
}

}  // namespace

int widthClass(int width) {
    const auto at = std::ranges::find_if(kWidthClasses, [width](int least) { return width >= least; });
    return static_cast<int>(std::min(at, kWidthClasses.end() - 1) - kWidthClasses.begin());
}

ResidualData::ResidualData(PlanPtr plan)
    : plan_(std::move(plan)), data_(torchwrightData(*plan_)), relations_(torchwright::relationsOf(graph())) {
    makeLayers();
    makeHoldings();
    makeAnnotations();
    makeRuns();
    makeTones();
}

void ResidualData::makeLayers() {
    Step at = 0;
    for (const torchwright::Layer& from : schedule().layers) {
        ResidualLayer to;
        to.heads = from.heads;
        to.slotsUsed = from.slotsUsed;
        to.ops = static_cast<int>(from.attention.size() + from.mlp.size());
        for (const torchwright::AttentionOp& op : from.attention) {
            if (op.kind == AttentionKind::ComputeAttn) to.crossHeads += op.heads;
            if (op.kind != AttentionKind::Cancel) continue;
            to.cancelled += op.target.size();
            to.cancelHeads += op.heads;
        }
        to.before = from.occupiedBefore;
        to.after = from.occupiedAfter;
        to.refused = static_cast<int>(from.refused.size());
        const std::int64_t capacity = schedule().options.layerCapacity();
        to.fill = capacity > 0 ? static_cast<double>(from.params) / static_cast<double>(capacity) : 0;
        to.binding = from.binding;
        to.isForced = from.isForcedByOrder;
        to.firstOp = at;
        to.endOp = at += static_cast<Step>(to.ops);
        mostOps_ = std::max(mostOps_, to.ops);
        mostCancelled_ = std::max(mostCancelled_, to.cancelled);
        layers_.push_back(to);
    }
}

/// By node: its columns are first written by the MLP sublayer of its layer.
std::vector<bool> ResidualData::bornInMlp() const {
    std::vector<bool> is(graph().size(), false);
    for (const torchwright::Layer& layer : schedule().layers)
        for (const torchwright::MlpOp& op : layer.mlp)
            if (op.kind != MlpKind::Bias) is[op.node.at()] = true;
    return is;
}

/// Columns are given back, and taken over, in the attention sublayer of the layer after the last one.
void ResidualData::makeHoldings() {
    const std::vector<bool> isOfMlp = bornInMlp();
    holdingOfNode_.assign(graph().size(), -1);
    for (const torchwright::Holding& from : schedule().holdings) {
        ResidualHolding to;
        to.owner = from.owner;
        to.width = from.columns.size();
        to.firstHalf = from.firstLayer < 0 ? 0 : 2 * from.firstLayer + (isOfMlp[from.owner.at()] ? 1 : 0);
        to.endHalf = std::clamp(2 * (from.lastLayer + 1), to.firstHalf, 2 * layers());
        holdingOfNode_[from.owner.at()] = static_cast<int>(holdings_.size());
        holdings_.push_back(to);
    }
}

void ResidualData::makeAnnotations() {
    std::map<std::string, ResidualAnnotation> byName;
    for (const torchwright::Holding& from : schedule().holdings) {
        const std::string& name = graph().at(from.owner).annotation;
        ResidualAnnotation& to = byName[name];
        to.columns.resize(layers_.size(), 0);
        for (int layer = std::max(0, from.firstLayer); layer <= std::min(from.lastLayer, layers() - 1); ++layer) {
            to.columns[static_cast<std::size_t>(layer)] += from.columns.size();
            to.area += from.columns.size();
        }
    }
    for (auto& [name, annotation] : byName) {
        annotation.isNone = name.empty();
        annotation.name = name.empty() ? words("(none)") : fromStd(name);
        annotations_.push_back(std::move(annotation));
    }
    std::ranges::stable_sort(annotations_, std::ranges::greater{}, &ResidualAnnotation::area);
    std::map<QString, int> at;
    for (std::size_t i = 0; i < annotations_.size(); ++i)
        at[annotations_[i].isNone ? QString() : annotations_[i].name] = static_cast<int>(i);
    for (ResidualHolding& holding : holdings_)
        holding.annotation = at[fromStd(graph().at(holding.owner).annotation)];
}

void ResidualData::makeRuns() {
    const auto rows = static_cast<std::size_t>(2 * layers());
    std::vector<std::size_t> count(rows + 1, 0);
    const auto each = [&](auto&& f) {
        for (std::size_t h = 0; h < holdings_.size(); ++h)
            for (int row = holdings_[h].firstHalf; row < holdings_[h].endHalf; ++row)
                for (const ColumnRun& run : columnsOf(static_cast<int>(h)).runs())
                    f(static_cast<std::size_t>(row),
                      ResidualRun{run.first, run.first + run.count, static_cast<int>(h)});
    };
    each([&count](std::size_t row, const ResidualRun&) { ++count[row]; });
    rowBegin_.assign(rows + 1, 0);
    for (std::size_t row = 0; row < rows; ++row)
        rowBegin_[row + 1] = rowBegin_[row] + count[row];
    runs_.resize(rowBegin_[rows]);
    std::vector<std::size_t> next = rowBegin_;
    each([&](std::size_t row, const ResidualRun& run) { runs_[next[row]++] = run; });
    for (std::size_t row = 0; row < rows; ++row)
        std::sort(runs_.begin() + static_cast<std::ptrdiff_t>(rowBegin_[row]),
                  runs_.begin() + static_cast<std::ptrdiff_t>(rowBegin_[row + 1]),
                  [](const ResidualRun& a, const ResidualRun& b) { return a.first < b.first; });
}

/// In the order of their births: the tone that the neighbour of the same annotation and width does not have. Where both
/// neighbours differ, the left one counts.
void ResidualData::makeTones() {
    std::vector<char> isDone(holdings_.size(), 0);
    const auto isAlike = [this](int a, int b) {
        const ResidualHolding& x = holding(a);
        const ResidualHolding& y = holding(b);
        return x.annotation == y.annotation && widthClass(x.width) == widthClass(y.width);
    };
    for (int row = 0; row < 2 * layers(); ++row) {
        const auto list = runs(row);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const int own = list[i].holding;
            if (isDone[static_cast<std::size_t>(own)] != 0) continue;
            isDone[static_cast<std::size_t>(own)] = 1;
            const bool hasLeft = i > 0 && list[i - 1].end == list[i].first && list[i - 1].holding != own;
            const bool hasRight = i + 1 < list.size() && list[i + 1].first == list[i].end && list[i + 1].holding != own;
            ResidualHolding& mine = holdings_[static_cast<std::size_t>(own)];
            if (hasLeft && isAlike(own, list[i - 1].holding))
                mine.isPale = !holding(list[i - 1].holding).isPale;
            else if (hasRight && isAlike(own, list[i + 1].holding) &&
                     isDone[static_cast<std::size_t>(list[i + 1].holding)] != 0)
                mine.isPale = !holding(list[i + 1].holding).isPale;
        }
    }
}

std::span<const ResidualRun> ResidualData::runs(int halfRow) const {
    const auto row = static_cast<std::size_t>(halfRow);
    return {runs_.data() + rowBegin_[row], rowBegin_[row + 1] - rowBegin_[row]};
}

int ResidualData::ownerAt(int halfRow, int column) const {
    if (halfRow < 0 || halfRow >= 2 * layers()) return -1;
    const auto list = runs(halfRow);
    const auto after = std::upper_bound(list.begin(), list.end(), column,
                                        [](int value, const ResidualRun& run) { return value < run.first; });
    if (after == list.begin()) return -1;
    const ResidualRun& run = *(after - 1);
    return column < run.end ? run.holding : -1;
}

int ResidualData::layerOf(Step op) const {
    const auto after = std::upper_bound(layers_.begin(), layers_.end(), op,
                                        [](Step value, const ResidualLayer& layer) { return value < layer.endOp; });
    return std::min(static_cast<int>(after - layers_.begin()), layers() - 1);
}

ResidualDataPtr residualDataOf(const PlanPtr& plan) {
    if (!plan || !torchwrightData(*plan).isScheduled()) return nullptr;
    return std::make_shared<const ResidualData>(plan);
}

QString bindingWord(torchwright::Cause cause) {
    switch (cause) {
    case torchwright::Cause::HeadRoom:
        return words("heads");
    case torchwright::Cause::ColumnRoom:
        return words("columns");
    case torchwright::Cause::SlotRoom:
        return words("slots");
    case torchwright::Cause::Admission:
        return words("admission");
    case torchwright::Cause::Order:
        break;
    }
    return words("order");
}

QString layerText(int layer) {
    return layer < 0 ? words("before layer 0") : words("layer %1").arg(layer);
}

QString columnListText(const torchwright::ColumnList& list) {
    QStringList parts;
    for (const ColumnRun& run : list.runs())
        parts << (run.count == 1 ? QString::number(run.first)
                                 : words("%1 to %2").arg(run.first).arg(run.first + run.count - 1));
    return parts.join(QStringLiteral(", "));
}

QString nodeText(const torchwright::NodeGraph& graph, NodeId id) {
    const torchwright::Node& node = graph.at(id);
    const QString number = QString::number(node.number);
    return node.name.empty() ? number : number + u' ' + fromStd(node.name);
}

}  // namespace memplan::ui

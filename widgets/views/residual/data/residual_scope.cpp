// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/data/residual_scope.h"

#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace memplan::ui {

using torchwright::KOutcome;
using torchwright::NodeId;
using torchwright::Plateau;
using torchwright::ScopeConditions;

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Residual", text);
}

QString columnsText(double columns) {
    return QString::number(columns, 'f', 1);
}

Plateau enginePlateau(const TorchwrightPlateau& from) {
    Plateau to;
    to.first = from.first;
    to.last = from.last;
    to.meanOpsInside = from.meanOpsInside;
    to.meanOpsOutside = from.meanOpsOutside;
    return to;
}

/// Of the clusters the one that holds the most of the plateau, with its conditions there.
void findCluster(const ResidualData& data, const TorchwrightPlateau& from, ResidualPlateau& to) {
    const std::vector<Plateau> here{enginePlateau(from)};
    for (int i = 0; i < static_cast<int>(data.record().clusters.size()); ++i) {
        const ScopeConditions conditions =
            torchwright::conditionsOf(data.graph(), data.schedule(), clusterOf(data, i), here);
        if (to.conditions && conditions.plateauShare <= to.conditions->plateauShare) continue;
        to.conditions = conditions;
        to.cluster = i;
    }
}

QString outcomeText(const KOutcome& outcome) {
    const QString layers =
        outcome.ok() ? plural(outcome.layers, words("layer"), words("layers")) : words("no schedule");
    return words("K = %1: %2").arg(outcome.k).arg(layers);
}

QString triedText(const torchwright::KSearch& search) {
    QStringList parts;
    for (const KOutcome& outcome : search.tried)
        parts << outcomeText(outcome);
    return words("Compiled: %1.").arg(parts.join(QStringLiteral(", ")));
}

}  // namespace

std::vector<ResidualPlateau> plateausOf(const ResidualData& data) {
    std::vector<ResidualPlateau> list;
    for (const TorchwrightPlateau& from : data.record().plateaus) {
        ResidualPlateau to;
        to.first = from.first;
        to.last = std::min(from.last, data.layers() - 1);
        to.opsInside = from.meanOpsInside;
        to.opsOutside = from.meanOpsOutside;
        for (int layer = to.first; layer <= to.last; ++layer)
            to.meanColumns += static_cast<double>(data.layer(layer).after) / to.size();
        for (const auto& [annotation, share] : from.share) {
            if (share <= to.share) continue;
            to.share = share;
            to.dominating = fromStd(annotation);
        }
        findCluster(data, from, to);
        list.push_back(std::move(to));
    }
    return list;
}

torchwright::Cluster clusterOf(const ResidualData& data, int cluster) {
    const TorchwrightCluster& from = data.record().clusters[static_cast<std::size_t>(cluster)];
    torchwright::Cluster to;
    to.join = data.graph().find(from.join);
    to.peakWidth = from.peakWidth;
    for (const TorchwrightChain& chain : from.chains) {
        torchwright::ClusterChain own{data.graph().find(chain.terminal), chain.peakWidth, {}};
        for (const std::int64_t number : chain.nodes)
            if (const NodeId id = data.graph().find(number); id.isValid()) own.nodes.push_back(id);
        if (own.terminal.isValid()) to.chains.push_back(std::move(own));
    }
    return to;
}

std::optional<int> scopeInForce(const Plan& plan) {
    for (const Hint& hint : plan.hints) {
        if (!hint.enabled || hint.key != "concurrency") continue;
        const auto* k = hint.value.tree().find("k");
        if (k != nullptr) return static_cast<int>(k->integer);
    }
    return std::nullopt;
}

/// With one cluster alone the graph says which chains are meant.
QString scopeJson(const ResidualData& data, int cluster, int k) {
    const std::vector<TorchwrightCluster>& all = data.record().clusters;
    QString json = QStringLiteral("{\"k\":%1").arg(k);
    if (all.size() == 1) return json + u'}';
    QStringList terminals, members;
    for (const TorchwrightChain& chain : all[static_cast<std::size_t>(cluster)].chains) {
        terminals << QString::number(chain.terminal);
        QStringList own;
        for (const std::int64_t node : chain.nodes)
            own << QString::number(node);
        members << u'[' + own.join(u',') + u']';
    }
    return json + QStringLiteral(",\"terminals\":[%1],\"members\":[%2]}").arg(terminals.join(u','), members.join(u','));
}

std::vector<ConditionLine> conditionLines(const ResidualPlateau& plateau, int d) {
    if (!plateau.conditions)
        return {{false, words("no parallel chains meet in one Concatenate")},
                {false, words("without chains no width can be held against the free columns")},
                {false, words("no cluster holds half of the plateau")}};
    const ScopeConditions& c = *plateau.conditions;
    const QString peak = groupedText(std::int64_t{c.peakWidth} * c.chains);
    const QString wide = c.overflow()
                             ? words("%1 chains \u00d7 %2 columns = %3, more than the %4 of %5 that others leave free")
                             : words("%1 chains \u00d7 %2 columns = %3 fit into the %4 of %5 that others leave free");
    return {
        {c.areParallel(), c.areParallel() ? words("%1 parallel chains into one join, at least 4").arg(c.chains)
                                          : words("only %1 parallel chains into one join, 4 are needed").arg(c.chains)},
        {c.overflow(), wide.arg(c.chains).arg(c.peakWidth).arg(peak, columnsText(c.freeColumns), groupedText(d))},
        {c.dominate(),
         words("the chains hold %1 of the plateau's columns, at least 50\u202f%").arg(percentText(c.plateauShare))}};
}

ScopeWords scopeWords(const ResidualData& data, const ResidualPlateau& plateau, const torchwright::KSearch* search) {
    const QString owner = words("%1 owns %2 of the occupied columns in this plateau.")
                              .arg(plateau.dominating, percentText(plateau.share));
    if (const auto k = scopeInForce(*data.plan()))
        return {words("A concurrency hint is in force"),
                owner + u' ' + words("This plan was made with K = %1; the sweep of K shows its neighbours.").arg(*k),
                *k, false};
    if (!plateau.conditions || !plateau.conditions->areParallel())
        return {words("A hint cannot help here"),
                owner + u' ' +
                    words("Without parallel chains there is nothing to limit: shorten the longest path, or "
                          "narrow the largest owner."),
                1, false};
    const ScopeConditions& c = *plateau.conditions;
    const int start = torchwright::kByFormula(data.d(), c.peakWidth, 1);
    if (!c.allHold())
        return {words("Sweep K first"),
                owner + u' ' +
                    words("Not all three conditions hold: a concurrency hint may do nothing or do harm. Sweep "
                          "K from %1 before you add one.")
                        .arg(start),
                start, false};
    const QString chains = words("Its %1 chains start together and wait for columns.").arg(c.chains);
    if (search == nullptr)
        return {words("Limit concurrency here"),
                owner + u' ' + chains + u' ' +
                    words("max(1, round(%1 / (4 \u00d7 %2))) = %3 is the start value, not tried.")
                        .arg(data.d())
                        .arg(c.peakWidth)
                        .arg(start),
                start, true};
    if (!search->best)
        return {words("No K of the short search helps"),
                owner + u' ' + chains + u' ' + triedText(*search) + u' ' +
                    words("None beats the %1 without a hint: sweep K before you add one.")
                        .arg(plural(data.layers(), words("layer"), words("layers"))),
                start, false};
    return {words("Limit concurrency here"),
            owner + u' ' + chains + u' ' + triedText(*search) + u' ' +
                words("K = %1 takes %2 instead of %3.")
                    .arg(search->best->k)
                    .arg(search->best->layers)
                    .arg(plural(data.layers(), words("layer"), words("layers"))),
            search->best->k, true};
}

}  // namespace memplan::ui

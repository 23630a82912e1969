// SPDX-License-Identifier: GPL-3.0-or-later
// The five goals as figures (ttnn-optimizer 15.1), and one plan's beside another's.
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_data.h"

#include <QCoreApplication>

namespace memplan::ui {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

ChainFigure reshardFigure(const TtnnGoals& g) {
    const QString value = g.reshards() > 0 ? words("%1 (%2)").arg(groupedText(g.reshards()), humanBytes(g.reshardBytes))
                                           : QStringLiteral("0");
    return {words("reshards"), value,
            words("Conversions that were inserted and are no spills: %1 forced, %2 by override, %3 proactive; fewer "
                  "is better")
                .arg(g.forcedReshards)
                .arg(g.overrideReshards)
                .arg(g.proactiveReshards),
            static_cast<double>(g.reshards()), false};
}

ChainFigure validatedFigure(const TtnnGoals& g) {
    const QString unmodelled =
        g.unmodelledOps > 0 ? words(", %1 not modelled").arg(groupedText(g.unmodelledOps)) : QString();
    return {words("validated"),
            words("%1 of %2").arg(groupedText(g.validatedOps), groupedText(g.tensorOps)) + unmodelled,
            words("Operations whose configuration was a success at its own position with all reservations; all of "
                  "them is best"),
            g.tensorOps > 0 ? static_cast<double>(g.validatedOps) / static_cast<double>(g.tensorOps) : 0, true};
}

}  // namespace

std::array<ChainFigure, 5> chainGoals(const TtnnGoals& g) {
    return {{{words("kept in L1"), percentText(g.l1ResidencyShare()),
              words("Bytes of results that are in L1 when their last reader runs, of all bytes that some operation "
                    "reads; more is better"),
              g.l1ResidencyShare(), true},
             {words("sharded"), words("%1 of %2").arg(groupedText(g.shardedOps), groupedText(g.tensorOps)),
              words("Operations with a sharded result in L1, of all with a tensor result; more is better"),
              g.shardedShare(), true},
             reshardFigure(g),
             {words("cores in use"), percentText(g.coreUtilisation),
              words("Share of the worker cores, weighted by the time of each operation; more is better"),
              g.coreUtilisation, true},
             validatedFigure(g)}};
}

bool isSame(const ChainFigure& now, const ChainFigure& other) {
    return now.value == other.value;
}

bool isBetter(const ChainFigure& now, const ChainFigure& other) {
    return now.isMoreBetter ? now.amount > other.amount : now.amount < other.amount;
}

QString briefComparison(const ChainFigure& now, const ChainFigure& other) {
    if (isSame(now, other)) return words("= as in A");
    return isBetter(now, other) ? words("\u25b2 better") : words("\u25bc worse");
}

QString comparedWords(const ChainFigure& now, const ChainFigure& other) {
    if (isSame(now, other)) return words("= as in A");
    return (isBetter(now, other) ? words("\u25b2 better than %1") : words("\u25bc worse than %1")).arg(other.value);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/fixes/fix_text.h"

#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/units.h"
#include "widgets/views/inspector/inspector_text.h"

#include <QCoreApplication>

#include <cmath>

namespace memplan::app {

using ui::exactBytes;
using ui::fromStd;
using ui::groupedText;

namespace {

constexpr std::size_t kShownBlockers = 4;
constexpr std::size_t kShownDivisions = 6;

QString tr(const char* text) {
    return QCoreApplication::translate("Fixes", text);
}

QString signedPercent(Bytes before, Bytes after) {
    if (before <= 0) return {};
    const double change = static_cast<double>(after - before) / static_cast<double>(before);
    return (change < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + ui::percentText(std::abs(change));
}

QString applyText(const advice::Change& change) {
    if (!change.hintsOff.empty()) return tr("Switch off");
    if (change.hints.empty()) return tr("Set");
    if (!change.settings.empty()) return tr("Apply");
    return change.hints.size() == 1 ? tr("Add hint") : tr("Add %1 hints").arg(change.hints.size());
}

void addRoom(std::vector<ui::InspectorRow>& rows, const Plan& plan, const advice::Evidence& e) {
    if (e.largestGap < 0) return;
    rows.push_back(ui::row(tr("Largest gap"), tr("%1 free during its whole life").arg(exactBytes(e.largestGap))));
    if (e.tightestGap >= 0)
        rows.push_back(
            ui::row(tr("Tightest step"),
                    tr("step %1, largest gap %2").arg(groupedText(e.tightestStep), exactBytes(e.tightestGap))));
    for (std::size_t i = 0; i < std::min(e.blockers.size(), kShownBlockers); ++i) {
        const advice::Blocker& b = e.blockers[i];
        QString text =
            tr("%1: %2 at %3, steps %4")
                .arg(ui::linkTo(plan, b.buffer), exactBytes(b.size), groupedText(b.address), ui::rangeText(b.life));
        if (b.enough) text += tr("; without it there is room");
        rows.push_back(ui::htmlRow(i == 0 ? tr("Blocked by") : QString(), text));
    }
    if (e.blockers.size() > kShownBlockers)
        rows.push_back(ui::row(QString(), tr("and %1 smaller ones").arg(e.blockers.size() - kShownBlockers)));
}

void addDivisions(std::vector<ui::InspectorRow>& rows, const Plan& plan, const advice::Evidence& e) {
    for (std::size_t i = 0; i < std::min(e.divisions.size(), kShownDivisions); ++i) {
        const advice::Division& d = e.divisions[i];
        rows.push_back(ui::htmlRow(d.writes ? tr("Written by") : tr("Read by"),
                                   tr("%1: %2, %3")
                                       .arg(ui::linkTo(plan, d.op), fromStd(d.split).toHtmlEscaped(),
                                            ui::plural(d.cores, tr("core"), tr("cores")))));
    }
    if (e.divisions.size() > kShownDivisions)
        rows.push_back(ui::row(QString(), tr("and %1 more").arg(e.divisions.size() - kShownDivisions)));
}

}  // namespace

QString changeTitle(const advice::Change& change, const TargetId& target) {
    const bool isOneHint = change.hints.size() == 1 && change.settings.empty() && change.hintsOff.empty();
    // The value of a split names loops; its words name what they move along, as the evidence does.
    if (isOneHint && change.hints.front().key != "split") return ui::hintCommandText(change.hints.front(), target);
    const QString text = fromStd(change.text);
    return text.left(1).toUpper() + text.mid(1);
}

std::vector<ui::InspectorRow> evidenceRows(const Plan& plan, const advice::Evidence& e) {
    std::vector<ui::InspectorRow> rows;
    const bool aboutRoom = e.largestGap >= 0 || e.reason == ReasonCode::LargerThanMemory;
    if (aboutRoom)
        rows.push_back(ui::row(tr("Needs"), tr("%1 of %2 a core").arg(exactBytes(e.needed), exactBytes(e.capacity))));
    addRoom(rows, plan, e);
    addDivisions(rows, plan, e);
    if (e.traffic > 0)
        rows.push_back(ui::row(tr("Costs"), tr("%1 of off-chip traffic a run").arg(exactBytes(e.traffic))));
    return rows;
}

ui::FixOffer fixCard(const advice::Fix& fix, const Plan& before) {
    const PlanMetrics& m = fix.plan->metrics;
    QString traffic = tr("off-chip traffic unchanged");
    if (fix.trafficAfter != fix.trafficBefore)
        traffic = tr("off-chip traffic %1 \u2192 %2 (%3, %4)")
                      .arg(groupedText(fix.trafficBefore), exactBytes(fix.trafficAfter),
                           signedPercent(fix.trafficBefore, fix.trafficAfter), fix.pays() ? tr("less") : tr("more"));
    QString text = tr("On chip %1 \u2192 %2 of %3 buffers, %4.")
                       .arg(before.metrics.buffersOnChip)
                       .arg(m.buffersOnChip)
                       .arg(m.buffersTotal)
                       .arg(traffic);
    const bool worsens = fix.trafficAfter > fix.trafficBefore;
    if (worsens) text += QLatin1Char(' ') + tr("This buffer comes on chip, but the plan as a whole gets worse.");
    return {changeTitle(fix.change, before.target), text, applyText(fix.change), tr("Preview"), worsens};
}

QString searchResult(const advice::FixReport& report) {
    if (report.tried == 0) return tr("No single change is known that would help.");
    const QString tried = ui::plural(report.tried, tr("change tried"), tr("changes tried"));
    QString text = report.fixes.empty()
                       ? tr("%1 by compiling, none brings it on chip.").arg(tried)
                       : tr("%1 by compiling, %2:")
                             .arg(tried, report.fixes.size() == 1 ? tr("1 brings it on chip")
                                                                  : tr("%1 bring it on chip").arg(report.fixes.size()));
    return text;
}

QString fixAllOffer(std::size_t refused, bool noneHelped) {
    if (refused < 2) return {};
    return noneHelped ? tr("Try the other %1 of this kind").arg(refused - 1)
                      : tr("Fix all %1 of this kind").arg(refused);
}

QString fixAllResult(const advice::FixAllReport& report, const QString& code) {
    const QString tried = ui::plural(report.tried, tr("change tried"), tr("changes tried"));
    if (report.fixed == 0) return tr("%1, none helps with %2.").arg(tried, code);
    return tr("%1 of %2 buffers with %3 are on chip now, off-chip traffic %4 \u2192 %5 (%6).")
        .arg(report.fixed)
        .arg(report.refused)
        .arg(code, groupedText(report.trafficBefore), exactBytes(report.trafficAfter),
             signedPercent(report.trafficBefore, report.trafficAfter));
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/data/advice_report.h"

#include "engine/base/hash.h"
#include "engine/torchwright/compile/advice_text.h"
#include "engine/torchwright/graph/graph_json.h"
#include "engine/torchwright/program/source.h"
#include "widgets/plan/units.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <array>

namespace memplan::ui {

namespace tw = torchwright;

namespace {

QString leverTitle(tw::Lever lever) {
    switch (lever) {
    case tw::Lever::Depth:
        return QObject::tr("Depth");
    case tw::Lever::NodeCount:
        return QObject::tr("Node count");
    case tw::Lever::Bounds:
        return QObject::tr("Bounds");
    case tw::Lever::HeadWidth:
        return QObject::tr("Head width");
    case tw::Lever::Schedule:
        break;
    }
    return QObject::tr("Order, lifetimes and hints");
}

AdviceLine lineOf(const PlanPtr& plan, const tw::AdviceReport& report, int index) {
    const tw::Finding& f = report.findings[static_cast<std::size_t>(index)];
    AdviceLine line;
    line.finding = index;
    line.code = fromStd(tw::codeText(f.code));
    line.what = fromStd(tw::findingText(f));
    line.effect = fromStd(tw::trialText(f));
    line.gain = f.trial.gain();
    line.canBeTried = !f.proposal.isEmpty();
    line.isTried = f.trial.outcome != tw::TrialOutcome::NotTried;
    line.isBetter = f.trial.outcome == tw::TrialOutcome::Better;
    if (line.isTried && f.trial.after.result == tw::ScheduleResult::Ok)
        line.layers = QStringLiteral("%1 \u2192 %2").arg(f.trial.before.layers).arg(f.trial.after.layers);
    const TorchwrightData* data = streamDataOf(plan);
    for (const tw::NodeId id : f.nodes) {
        const tw::NodeId own = data == nullptr ? tw::NodeId{} : data->graph->find(report.graph->at(id).number);
        if (own.isValid()) line.items.push_back(ItemId::of(BufferId::of(own.at())));
    }
    return line;
}

}  // namespace

std::vector<AdviceGroup> adviceGroups(const PlanPtr& plan, const AdvicePtr& advice, bool withoutGain) {
    if (!advice) return {};
    constexpr std::array kLevers{tw::Lever::Depth, tw::Lever::NodeCount, tw::Lever::Bounds, tw::Lever::HeadWidth,
                                 tw::Lever::Schedule};
    std::vector<AdviceGroup> groups;
    for (const tw::Lever lever : kLevers) {
        AdviceGroup group{leverTitle(lever), 0, {}};
        for (std::size_t i = 0; i < advice->findings.size(); ++i) {
            const tw::Finding& f = advice->findings[i];
            const tw::AdviceCode* code = tw::adviceCode(f.code);
            if (code == nullptr || code->lever != lever) continue;
            if (f.trial.outcome == tw::TrialOutcome::NoGain && !withoutGain) continue;
            group.lines.push_back(lineOf(plan, *advice, static_cast<int>(i)));
            group.gain = std::max(group.gain, group.lines.back().gain);
        }
        if (!group.lines.empty()) groups.push_back(std::move(group));
    }
    return groups;
}

QString adviceText(const tw::Finding& finding) {
    QStringList parts{fromStd(tw::codeText(finding.code)) + QStringLiteral(": ") + fromStd(tw::findingText(finding))};
    for (const Statement* statement : {&finding.why, &finding.instead})
        if (const std::string text = sentence(*statement); !text.empty()) parts << fromStd(text);
    if (const std::string trial = tw::trialText(finding); !trial.empty()) parts << fromStd(trial);
    return parts.join(u'\n');
}

QString adviceRest(const AdvicePtr& advice) {
    if (!advice) return {};
    QStringList parts;
    for (const auto& [code, count] : advice->left)
        parts << QObject::tr("%1 more of %2").arg(count).arg(fromStd(tw::codeText(code)));
    if (!advice->skipped.empty())
        parts << QObject::tr("%1 kinds of advice need weights, which this graph does not have")
                     .arg(advice->skipped.size());
    if (advice->dropped > 0)
        parts << QObject::tr("%1 left out: the rewritten graph gave other values").arg(advice->dropped);
    return parts.join(QStringLiteral("; "));
}

CompileRequest followed(CompileRequest request, const tw::AdviceReport& report, const tw::Finding& finding) {
    const tw::AdviceChange change = tw::changeOf(report, finding);
    if (!change.setting.first.empty()) (void)request.settings.set(change.setting.first, change.setting.second);
    if (change.hint) request.hints.push_back(*change.hint);
    if (finding.trial.rewritten == nullptr) return request;
    // Another program: the history of the document must not take it for its own.
    request.input.sha256 = sha256Hex(tw::writeGraph(*finding.trial.rewritten));
    auto source = std::make_shared<tw::GraphSource>(*finding.trial.rewritten);
    request.graph = graphOf(*source, request.input.name + " rewritten");
    request.program = std::move(source);
    return request;
}

std::optional<StreamProposal> adviceProposal(const tw::AdviceReport& report, const tw::Finding& finding) {
    const tw::AdviceChange change = tw::changeOf(report, finding);
    StreamProposal proposal;
    if (change.hint) {
        proposal.title = QObject::tr("Limit concurrency to %1").arg(finding.trial.k);
        proposal.scope = fromStd(change.hint->scopes.front());
        proposal.hintKey = fromStd(change.hint->key);
        proposal.json = fromStd(change.hint->value.json());
        return proposal;
    }
    if (change.setting.first.empty()) return std::nullopt;
    proposal.setting = fromStd(change.setting.first);
    proposal.value = fromStd(change.setting.second);
    proposal.title = QStringLiteral("%1 = %2").arg(proposal.setting, proposal.value);
    return proposal;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/proof/proof_controller.h"

#include "app/gui/targets/targets.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/sim/machine/machine.h"
#include "engine/target/compile.h"
#include "widgets/plan/units.h"
#include "widgets/views/problems/problems_view.h"

#include <QLocale>

#include <algorithm>

namespace memplan::app {

using sim::OutcomeKind;
using ui::fromStd;

namespace {

bool isBrokenRule(const Diagnostic& d) {
    return d.pass == "verify" && d.severity == Severity::Error;
}

Proof unproved(std::string why) {
    Proof p;
    p.outcome.skipped.push_back(std::move(why));
    p.at = QDateTime::currentDateTime();
    return p;
}

/// Element of that name; -1 where the plan has none.
template <class List> int namedIn(const List& list, const std::string& name) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.name == name; });
    return name.empty() || it == list.end() ? -1 : static_cast<int>(it - list.begin());
}

QString reasons(const sim::Outcome& v) {
    QStringList all;
    for (const std::string& why : v.skipped)
        all << fromStd(why);
    return all.join(u'\n');
}

QString details(const Proof& proof) {
    const sim::Outcome& v = proof.outcome;
    QStringList lines;
    if (proof.wasRun) {
        lines << QObject::tr("level tokens, seed %1, %2")
                     .arg(v.seed)
                     .arg(QLocale::c().toString(proof.at, QStringLiteral("yyyy-MM-dd HH:mm")))
              << QObject::tr("%1 output elements checked").arg(ui::groupedText(v.elementsChecked))
              << QObject::tr("%1 op instances, %2 moved, %3 s")
                     .arg(ui::groupedText(v.instances), ui::exactBytes(v.bytesMoved))
                     .arg(v.seconds, 0, 'f', 2);
    }
    return lines.join(u'\n');
}

qint64 faultCount(const sim::Outcome& v) {
    return std::count_if(v.faults.begin(), v.faults.end(), [](const sim::Fault& f) { return !f.isNote; });
}

}  // namespace

double estimatedBytesMoved(const Plan& plan) {
    double bytes =
        static_cast<double>(plan.metrics.mainMemoryReadBytes) + static_cast<double>(plan.metrics.mainMemoryWriteBytes);
    const auto cores = static_cast<double>(coresOf(plan));
    for (const PlanBuffer& b : plan.buffers)
        if (isOnChip(b.space)) bytes += static_cast<double>(b.sizePerCore) * cores;
    return bytes;
}

std::optional<Proof> proofOf(const Plan& plan, bool isFile, const RunControl& control) {
    // As `memplan verify` does: a plan that breaks its own rules is wrong without being run.
    Proof proof;
    for (const Diagnostic& d : plan.problems) {
        if (!isBrokenRule(d)) continue;
        proof.outcome.kind = OutcomeKind::Wrong;
        sim::Fault& f = proof.outcome.faults.emplace_back();
        f.code = d.code;
        f.message = d.message;
    }
    proof.at = QDateTime::currentDateTime();
    if (!proof.outcome.faults.empty()) return proof;
    const auto record = isFile ? plan.execution : executionRecord(plan);
    if (!record) {
        return unproved(
            isFile ? "the plan file carries no execution record"
                   : "the plan has no execution record: only finished plans have one, for machines that write it");
    }
    sim::SimOptions options;
    options.memoryBytes = plan.settings.integer("sim.memory_bytes");
    auto outcome = sim::prove(*record, options, control);
    if (control.cancelled()) return std::nullopt;
    if (!outcome) {
        Proof failed = unproved(outcome.error().primary().message);
        failed.wasRun = false;
        return failed;
    }
    proof.outcome = std::move(outcome).value();
    proof.wasRun = true;
    proof.at = QDateTime::currentDateTime();
    return proof;
}

std::vector<Diagnostic> proofFindings(const Plan& plan, const Proof& proof) {
    std::vector<Diagnostic> findings;
    if (!proof.wasRun) return findings;  // broken rules are among the plan's own problems
    for (const sim::Fault& f : proof.outcome.faults) {
        Diagnostic& d = findings.emplace_back(f.diagnostic());
        if (const int op = namedIn(plan.ops, f.op); op >= 0) d.ops = {OpId{op}};
        if (const int buffer = namedIn(plan.buffers, f.buffer); buffer >= 0) d.buffers = {BufferId{buffer}};
    }
    if (proof.outcome.kind != OutcomeKind::NotProved) return findings;
    for (const std::string& why : proof.outcome.skipped) {
        Diagnostic& d = findings.emplace_back();
        d.severity = Severity::Warning;
        d.code = "VER-025";
        d.message = "not proved: " + why;
    }
    return findings;
}

ProofController::ProofController(DocumentController& controller, WindowServices& services, QObject* parent)
    : QObject(parent), controller_(controller), workspace_(services.views()) {
    services.showTask(proving_);
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, this, &ProofController::planChanged);
    connect(&controller_, &DocumentController::documentOpened, this, [this] {
        connect(controller_.document(), &Document::stateChanged, this, &ProofController::show);
        connect(controller_.document(), &Document::currentChanged, this, &ProofController::planChanged);
        planChanged();
    });
    connect(&controller_, &DocumentController::documentClosed, this, &ProofController::planChanged);
    for (const auto signal : {&LongTask::finished, &LongTask::failed})
        connect(&proving_, signal, this, &ProofController::show);
    connect(&proving_, &LongTask::cancelled, this, &ProofController::show);
}

/// The plan on screen; null for lists of buffers and the memory of a failed compile, which are never executed.
PlanPtr ProofController::plan() const {
    const Document* document = controller_.document();
    const PlanPtr& shown = controller_.hub().plan();
    const bool hasCode = document != nullptr && document->current() != nullptr &&
                         document->kind() != DocumentKind::BufferList && !document->isOfFailure(shown);
    return hasCode ? shown : nullptr;
}

const Proof* ProofController::shown() const {
    const PlanPtr now = plan();
    const auto it = now ? proofs_.find(now) : proofs_.end();
    return it == proofs_.end() ? nullptr : &it->second;
}

void ProofController::planChanged() {
    const PlanPtr now = plan();
    if (proving_.isRunning() && running_.lock() != now) proving_.cancel();
    const Document* document = controller_.document();
    const bool isAutomatic = now && document->current()->plan == now &&
                             document->settings().text("sim.auto") != "off" &&
                             estimatedBytesMoved(*now) < kAutomaticBytes;
    if (isAutomatic && shown() == nullptr) start(now);
    show();
}

void ProofController::prove() {
    if (const PlanPtr now = plan(); now && shown() == nullptr) start(now);
    show();
}

void ProofController::start(const PlanPtr& plan) {
    if (proving_.isRunning() && running_.lock() == plan) return;
    running_ = plan;
    const bool isFile = controller_.document()->kind() == DocumentKind::PlanFile;
    proving_.start(tr("Proving the plan"), [this, plan, isFile](const RunControl& control) -> BackgroundTask::Finish {
        auto proof = std::make_shared<std::optional<Proof>>(proofOf(*plan, isFile, control));
        return [this, plan, proof] {
            std::erase_if(proofs_, [](const auto& entry) { return entry.first.expired(); });
            if (*proof) proofs_.insert_or_assign(plan, std::move(**proof));
        };
    });
}

void ProofController::show() {
    const PlanPtr now = plan();
    const Target* target = now ? findTarget(now->target) : nullptr;
    const bool isExecuted = target != nullptr && target->info().isExecuted;
    emit badgeChanged(isExecuted ? badge() : ProofBadge());
    const Proof* proof = shown();
    workspace_.problems()->setFaults(now, proof == nullptr ? std::vector<Diagnostic>() : proofFindings(*now, *proof));
    emit problemsChanged();
}

ProofBadge ProofController::badge() const {
    const Document* document = controller_.document();
    if (proving_.isRunning() && running_.lock() == plan())
        return {tr("proving"), QStringLiteral("auto-recompile"), ui::Token::Text2, tr("The plan is being executed"),
                false};
    const Proof* proof = shown();
    if (proof == nullptr)
        return {tr("not executed"), QStringLiteral("note"), ui::Token::Text2,
                tr("This plan has not been executed. Prove it (Ctrl+F5)"), false};
    const sim::Outcome& v = proof->outcome;
    if (document->isStale())
        return {tr("proof stale"), QStringLiteral("warning"), ui::Token::Warning,
                tr("The plan on screen is older than the last edit; its proof says nothing of the next plan.") + u'\n' +
                    fromStd(v.sentence()),
                false};
    if (v.kind == OutcomeKind::Proved)
        return {tr("proved"), QStringLiteral("check"), ui::Token::Good, tr("Proved") + u'\n' + details(*proof), false};
    if (v.kind == OutcomeKind::NotProved)
        return {tr("not proved"), QStringLiteral("warning"), ui::Token::Warning,
                (tr("Not proved:") + u'\n' + reasons(v) + u'\n' + details(*proof)).trimmed(), proof->wasRun};
    return {tr("wrong: %1").arg(ui::plural(faultCount(v), tr("fault"), tr("faults"))), QStringLiteral("error"),
            ui::Token::Error,
            (tr("Wrong: %1").arg(fromStd(v.faults.front().message)) + u'\n' + details(*proof)).trimmed(), true};
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/status/notices.h"

#include "app/gui/document/bindings_text.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/pipeline/pass.h"
#include "engine/target/compile.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/units.h"
#include "widgets/views/passes/passes_view.h"

#include <QFileInfo>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

/// "in pass Work distribution"; what a solver or a reader calls its own steps stands as it is, and a task that had not
/// reported a step yet has no place.
QString placeText(const QString& step, const QString& task) {
    const auto isOne = [&](const PassInfo& pass) {
        return step == QLatin1String(pass.title.data(), static_cast<qsizetype>(pass.title.size()));
    };
    for (const Target* target : allTargets()) {
        if (std::ranges::any_of(target->passes(), isOne)) return Notices::tr("in pass %1").arg(step);
    }
    return step == task ? QString() : Notices::tr("in %1").arg(step);
}

QString passOf(const CompileFailure& failure) {
    return ui::passTitle(failure.passes, failure.pass);
}

}  // namespace

Notices::Notices(DocumentController& controller, WindowServices& window, Docks& docks, ui::Strip* fileStrip,
                 QObject* parent)
    : QObject(parent), controller_(controller), window_(window), docks_(docks), plan_(new ui::Strip), file_(fileStrip) {
    connect(plan_, &ui::Strip::triggered, this, [this](const QString& key) {
        if (key == u"state") return showStateOfFailure();
        if (key == u"back") return leaveStateOfFailure();
        controller_.compileNow();
    });
    connect(file_, &ui::Strip::triggered, this, [this](const QString& key) {
        if (key == u"sizes") emit sizesRequested(sizes_);
        if (key == u"problems") docks_.raise(DockId::Problems);
        if (key == u"planAgain") emit planAgainRequested();
    });
}

void Notices::showState() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    if (document->state() != PlanState::Stale) isCancelled_ = false;
    switch (document->state()) {
    case PlanState::Stale:
        if (isCancelled_) break;  // its strip says so, and offers to compile
        plan_->clearActions();
        plan_->setNotice(ui::Strip::Kind::Warning, QStringLiteral("warning"),
                         document->staleness().hints ? tr("Plan is older than your hints")
                                                     : tr("Plan is older than your settings"));
        plan_->addAction(tr("Recompile (F5)"), QStringLiteral("compile"));
        plan_->show();
        break;
    case PlanState::Failed:
        showFailure();
        break;
    case PlanState::Fresh:
        plan_->hide();
        break;
    case PlanState::Compiling:
    case PlanState::None:
        break;
    }
}

void Notices::showCancelled(double seconds, const QString& step) {
    const QString when = QString::number(seconds, 'f', 1);
    isCancelled_ = true;
    plan_->clearActions();
    const QString place = placeText(step, controller_.task().what());
    QString text =
        place.isEmpty() ? tr("Cancelled after %1 s").arg(when) : tr("Cancelled after %1 s %2").arg(when, place);
    if (controller_.document()->current() != nullptr) text += tr(". Previous plan shown");
    plan_->setNotice(ui::Strip::Kind::Grey, QStringLiteral("stop"), text);
    plan_->addAction(tr("Recompile (F5)"), QStringLiteral("compile"));
    plan_->show();
}

void Notices::showOpened() {
    if (controller_.document()->kind() == DocumentKind::PlanFile) showPlanFile();
    const std::vector<Diagnostic>& findings = controller_.document()->input().diagnostics;
    for (const Diagnostic& d : findings) {
        // The rest stands in the problems; these explain why a saved document looks different.
        const bool isReported = d.code == "WSP-004" || d.code == "WSP-006";
        if (isReported)
            file_->setNotice(ui::Strip::Kind::Warning, QStringLiteral("warning"),
                             fromStd(d.message) + QStringLiteral("; ") + fromStd(d.hint));
        if (isReported) file_->show();
        if (d.code == "ONNX-054" && file_->isHidden()) showChosenSizes(d);
    }
}

/// A model with open dimensions is planned for one choice of them, which nobody made.
void Notices::showChosenSizes(const Diagnostic& note) {
    const QString chosen = proposedBindings(fromStd(note.hint));
    sizes_ = withProposed(bindingsText(controller_.document()->origin().bindings), fromStd(note.hint));
    file_->clearActions();
    file_->setNotice(ui::Strip::Kind::Info, QStringLiteral("note"),
                     tr("The model leaves sizes open. Planned for %1").arg(chosen));
    file_->addAction(tr("Change sizes..."), QStringLiteral("sizes"));
    file_->show();
}

void Notices::showNotAttached(const QString& path, const Error& error) {
    const Diagnostic& d = error.primary();
    QString text = tr("Not attached: %1: %2").arg(QFileInfo(path).fileName(), ui::fromStd(d.message));
    if (!d.where.empty() && d.where != QFileInfo(path).fileName().toStdString())
        text = tr("Not attached: %1, %2: %3")
                   .arg(QFileInfo(path).fileName(), ui::fromStd(d.where), ui::fromStd(d.message));
    if (!d.hint.empty()) text += QStringLiteral("; ") + ui::fromStd(d.hint);
    file_->clearActions();
    file_->setNotice(ui::Strip::Kind::Error, QStringLiteral("error"), text);
    file_->show();
}

/// What a plan file is, whether it holds, and the way back to its graph.
void Notices::showPlanFile() {
    const Document& document = *controller_.document();
    const std::vector<Diagnostic>& problems = document.current()->plan->problems;
    const auto broken = std::count_if(problems.begin(), problems.end(), [](const Diagnostic& d) {
        return d.pass == "verify" && d.severity == Severity::Error;
    });
    ui::Strip* strip = file_;
    strip->clearActions();
    if (broken > 0) {
        strip->setNotice(ui::Strip::Kind::Error, QStringLiteral("error"),
                         tr("This plan does not hold: %1 found, the first: %2")
                             .arg(ui::plural(broken, tr("violation"), tr("violations")),
                                  fromStd(problems.front().where + ": " + problems.front().message)));
        strip->addAction(tr("Show problems"), QStringLiteral("problems"));
    } else {
        strip->setNotice(ui::Strip::Kind::Grey, QStringLiteral("file"),
                         tr("Plan file, read only; every check of the plan holds"));
    }
    if (!document.origin().graphPath.isEmpty())
        strip->addAction(tr("Plan its graph again"), QStringLiteral("planAgain"));
    strip->show();
}

void Notices::showFailure() {
    const Document* document = controller_.document();
    if (document == nullptr || !document->failure()) return;
    const CompileFailure& failure = *document->failure();
    const Diagnostic& first = failure.error.primary();
    // What is wrong before the first pass, such as a setting, has no pass.
    const QString where =
        failure.pass.empty() ? tr("Compile failed") : tr("Compile failed in pass %1").arg(passOf(failure));
    const QString fix = first.hint.empty() ? QString() : QStringLiteral(" (%1)").arg(fromStd(first.hint));
    plan_->clearActions();
    plan_->setNotice(ui::Strip::Kind::Error, QStringLiteral("error"),
                     where + QStringLiteral(": ") + fromStd(first.message) + fix);
    if (!failure.passes.empty()) plan_->addAction(tr("Show state before the failure"), QStringLiteral("state"));
    plan_->addAction(tr("Try again"), QStringLiteral("compile"));
    plan_->show();
    if (document->current() == nullptr) docks_.raise(DockId::Problems);
}

/// The passes as far as they ran, and the memory at the failing point with what did not fit (19.4). Nothing of it is a
/// plan of the document: the next compile, or the way back, takes it away.
void Notices::showStateOfFailure() {
    Document* document = controller_.document();
    if (document == nullptr || !document->failure()) return;
    const CompileFailure failure = *document->failure();
    if (failure.memory) {
        document->showInstead(failure.memory, tr("Before the failure in %1").arg(passOf(failure)),
                              ShownPlan::Kind::Recorded);
        const std::vector<BufferId>& misfits = failure.error.primary().buffers;
        if (!misfits.empty() && misfits.front().at() < failure.memory->buffers.size())
            controller_.hub().select(ui::ItemId::of(misfits.front()));
        plan_->clearActions();
        plan_->setNotice(ui::Strip::Kind::Error, QStringLiteral("error"),
                         tr("Memory as it stood when pass %1 failed; no plan has it").arg(passOf(failure)));
        if (document->current() != nullptr)
            plan_->addAction(tr("Back to %1").arg(document->current()->name), QStringLiteral("back"));
        plan_->addAction(tr("Try again"), QStringLiteral("compile"));
        plan_->show();
    }
    window_.views().passes()->showFailure(failure.passes);
    docks_.show(DockId::Passes);
}

void Notices::leaveStateOfFailure() {
    Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr) return;
    document->showCurrent();
    showFailure();
}

}  // namespace memplan::app

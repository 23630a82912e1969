// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/solver/solver_controller.h"

#include "app/gui/targets/targets.h"
#include "app/gui/workspace/chart_pictures.h"
#include "app/gui/workspace/view_info.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/plan/search_decision.h"
#include "engine/solve/machine_solvers.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/gain_chart.h"
#include "widgets/tools/solver/charts/race_chart.h"
#include "widgets/tools/solver/charts/search_chart.h"
#include "widgets/tools/solver/gain_view.h"
#include "widgets/tools/solver/solver_panel.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/coregrid/data/core_map.h"

#include <QCoreApplication>
#include <QTableView>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;
using ui::RaceRow;

namespace {

std::vector<QString> parametersOf(const TargetUi& target, const QString& solver) {
    std::vector<QString> keys;
    for (const SolverParameters& of : target.solverParameters)
        for (const char* key : of.keys)
            if (solver == QLatin1String(of.solver)) keys.push_back(QString::fromLatin1(key));
    return keys;
}

/// The solvers of the machine whose setting the target's dock changes.
std::vector<ui::SolverChoice> solverChoices(const TargetUi& target) {
    const auto text = [](std::string_view s) { return fromStd(std::string(s)); };
    std::vector<ui::SolverChoice> choices;
    for (const solve::MachineSolvers* of : solve::machineSolvers()) {
        if (of->key != target.solverKey) continue;
        for (const solve::MachineSolver& s : of->solvers)
            choices.push_back(
                {text(s.value), text(s.name), text(s.title), text(s.help), parametersOf(target, text(s.value))});
    }
    return choices;
}

/// The document's job with one setting changed. A value that is not allowed fails when it is its turn.
template <class Request, class Make>
RaceRun runOf(Request request, const QString& key, const QString& value, Make make) {
    auto set = request.settings.set(key.toStdString(), value.toStdString());
    if (!set)
        return {value, [error = set.error()](const RunControl&) -> CompileOutcome {
                    return {nullptr, CompileFailure{error, {}, {}}};
                }};
    return {value, [request = std::move(request), make](const RunControl& control) { return make(request, control); }};
}

/// A graph is compiled once for each solver, a list of buffers solved in the capacity that the document has.
RaceRun runOf(const Document& document, const QString& key, const QString& solver) {
    if (document.kind() == DocumentKind::BufferList)
        return runOf(document.solveRequest(), key, solver,
                     [](const SolveRequest& r, const RunControl& control) { return solveToPlan(r, control); });
    CompileRequest request = document.request();
    request.keepSnapshotTexts = false;
    return runOf(std::move(request), key, solver,
                 [](const CompileRequest& r, const RunControl& control) { return compile(r, control); });
}

}  // namespace

SolverController::SolverController(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services), panel_(new ui::SolverPanel(window)) {
    services_.showTask(race_);
    connect(&controller_, &DocumentController::documentOpened, this, &SolverController::documentOpened);
    connect(&controller_, &DocumentController::documentClosed, this, [this] {
        race_.cancel();
        panel_->setPlan(nullptr);
        panel_->race()->setRows({});
    });
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, panel_,
            [this] { panel_->setPlan(controller_.hub().plan()); });
    connect(panel_, &ui::SolverPanel::settingChanged, this, [this](const QString& key, const QString& value) {
        if (Document* document = controller_.document()) document->changeSetting(key, value);
    });
    connect(panel_, &ui::SolverPanel::raceRequested, this, &SolverController::startRace);
    connect(panel_, &ui::SolverPanel::raceCancelled, &race_, &Race::cancel);
    connect(panel_, &ui::SolverPanel::makeCurrentRequested, this, &SolverController::makeCurrent);
    connect(panel_, &ui::SolverPanel::compareRequested, this, &SolverController::compare);
    connect(panel_, &ui::SolverPanel::divisionChosen, this, &SolverController::showDivision);
    connectRace();
    addPictures();
}

/// Search and gains follow from the plan on screen; a race has to be run first.
void SolverController::addPictures() {
    const auto search = [this] {
        const PlanPtr& plan = controller_.hub().plan();
        return plan ? ui::searchChartOf(*plan) : ui::ChartData();
    };
    const auto gains = [this] {
        const PlanPtr& plan = controller_.hub().plan();
        return plan ? ui::gainChart(*plan) : ui::ChartData();
    };
    const auto race = [this] { return ui::raceChart(*panel_->race(), -1); };
    Workspace& views = services_.views();
    views.addPictured(
        picturedChart({QStringLiteral("search"), tr("Search"), panel_->chartOfSearch(), search, true}, views));
    views.addPictured(picturedChart({QStringLiteral("gains"), tr("Gains"), panel_->gains(), gains, true}, views));
    views.addPictured(picturedChart({QStringLiteral("race"), tr("Race"), panel_->chartOfRace(), race, false}, views));
}

/// An operation's division as it was committed beside the present one.
void SolverController::showDivision(const QString& opName, const QString& committed) {
    const PlanPtr& plan = controller_.hub().plan();
    if (!plan) return;
    const auto op = std::ranges::find(plan->ops, opName.toStdString(), &PlanOp::name);
    if (op == plan->ops.end()) return;
    const auto before = ui::dividedAs(*op, committed.toStdString());
    if (!before) return;
    Workspace& views = services_.views();
    views.showView(keyOf(*viewInfo(QStringLiteral("cores"))));
    views.coreGrid()->showChange(OpId::of(static_cast<std::size_t>(op - plan->ops.begin())), *before);
}

void SolverController::connectRace() {
    const auto change = [this](int row, auto edit) {
        if (row >= panel_->race()->rowCount()) return;
        RaceRow copy = panel_->race()->row(row);
        edit(copy);
        panel_->race()->setRow(row, std::move(copy));
    };
    connect(&race_, &Race::runStarted, this,
            [change](int row) { change(row, [](RaceRow& r) { r.state = RaceRow::State::Running; }); });
    connect(&race_, &Race::runProgress, this, [change](int row, const QString& step, double share) {
        change(row, [&](RaceRow& r) {
            r.step = step;
            r.progress = share;
        });
    });
    connect(&race_, &Race::runFinished, this, [change](int row, const PlanPtr& plan, double seconds) {
        change(row, [&](RaceRow& r) {
            r.state = RaceRow::State::Done;
            r.plan = plan;
            r.seconds = seconds;
        });
    });
    connect(&race_, &Race::runFailed, this, [change](int row, const QString& error) {
        change(row, [&](RaceRow& r) {
            r.state = RaceRow::State::Failed;
            r.error = error;
        });
    });
    connect(&race_, &Race::runCancelled, this,
            [change](int row) { change(row, [](RaceRow& r) { r.state = RaceRow::State::Cancelled; }); });
    connect(&race_, &Race::ended, panel_, [this] { panel_->setRacing(false); });
}

void SolverController::documentOpened() {
    const Document& document = *controller_.document();
    fitToTarget();
    connect(&document, &Document::targetChanged, this, &SolverController::fitToTarget);
    // Rows for another list or capacity answer a question that nobody asks any more.
    connect(&document, &Document::instanceChanged, panel_, [this] {
        race_.cancel();
        panel_->race()->setRows({});
    });
    connect(&document, &Document::settingsChanged, panel_,
            [this] { panel_->setSettings(controller_.document()->settings()); });
}

/// The solvers and their settings are those of the machine that is planned for.
void SolverController::fitToTarget() {
    const Document& document = *controller_.document();
    race_.cancel();
    panel_->race()->setRows({});
    const TargetUi& target = targetUi(document.target());
    key_ = keyText(target.solverKey);
    std::vector<QString> common;
    for (const char* key :
         document.kind() == DocumentKind::BufferList ? target.listParameters : target.graphParameters) {
        const SettingInfo* info = findSetting(key);
        if (info != nullptr && info->inUse) common.push_back(QString::fromLatin1(key));
    }
    panel_->setChoices(key_, solverChoices(target), common);
    const bool isList = document.kind() == DocumentKind::BufferList;
    panel_->setFixed(isList ? QString() : document.whyFixed());
    panel_->race()->setIsList(isList);
    std::vector<ui::RaceFigure> figures;
    for (const PlanFigure& figure : target.raceFigures)
        figures.push_back({QCoreApplication::translate("Target", figure.title), figure.value});
    panel_->race()->setFigures(std::move(figures));
    for (int column = ui::RaceModel::OnChip; column <= ui::RaceModel::Fragmentation; ++column)
        panel_->raceTable()->setColumnHidden(column, panel_->race()->isEmptyColumn(column));
    if (isList) panel_->raceTable()->setColumnHidden(ui::RaceModel::Traffic, true);  // a list says nothing of it
    panel_->setSettings(document.settings());
}

void SolverController::startRace(const QStringList& solvers) {
    const Document* document = controller_.document();
    const bool isList = document != nullptr && document->kind() == DocumentKind::BufferList;
    if (document == nullptr || !(isList || document->isPlanned())) return;
    std::vector<RaceRow> rows;
    std::vector<RaceRun> runs;
    for (const QString& solver : solvers) {
        RaceRow row;
        row.solver = panel_->nameOf(solver);
        row.value = solver;
        rows.push_back(std::move(row));
        runs.push_back(runOf(*document, key_, solver));
    }
    panel_->race()->setRows(std::move(rows));
    panel_->setRacing(true);
    race_.start(std::move(runs));
}

/// The solver becomes a setting, which is undoable; its plan is in the history already, so nothing is compiled.
void SolverController::makeCurrent(int row) {
    Document* document = controller_.document();
    if (document == nullptr || row < 0 || row >= panel_->race()->rowCount()) return;
    const RaceRow& chosen = panel_->race()->row(row);
    if (!chosen.plan) return;
    const bool known = std::ranges::any_of(
        document->plans(), [&](const PlanEntry& e) { return e.plan->inputHash == chosen.plan->inputHash; });
    if (!known) document->addPlan(chosen.plan);
    document->changeSetting(key_, chosen.value);
}

void SolverController::compare(int row) {
    Document* document = controller_.document();
    if (document == nullptr || row < 0 || row >= panel_->race()->rowCount()) return;
    const PlanPtr plan = panel_->race()->row(row).plan;
    if (!plan) return;
    const auto indexOf = [&] {
        const auto& plans = document->plans();
        const auto at =
            std::ranges::find_if(plans, [&](const PlanEntry& e) { return e.plan->planHash == plan->planHash; });
        return at == plans.end() ? -1 : static_cast<int>(at - plans.begin());
    };
    if (indexOf() < 0) {
        const int before = document->currentIndex();
        document->addPlan(plan);
        document->setCurrent(before);
    }
    emit compareRequested(indexOf());
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/chains/chain_controller.h"

#include "app/gui/features/chains/chain_memory.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/files/files.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/chain_side.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/coregrid/ops_matrix.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>
#include <set>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr int kWaitMs = 500;                   ///< a plan that stays: typing does not start trials at every value
constexpr std::size_t kAutomaticOps = 2000;    ///< larger ones are tried when asked for
constexpr const char* kSlowPolicy = "Global";  ///< one compile may take long

QString errorText(const Error& error) {
    return fromStd(error.primary().message);
}

/// Of a single hint on an operation, or a single setting; empty for what is more than that.
QString nameOfTrial(const ttnn::Trial& trial) {
    const advice::Change& change = trial.proposal.change;
    if (change.settings.size() == 1 && change.hints.empty())
        return ui::nameOfChange(fromStd(change.settings.front().first), fromStd(change.settings.front().second));
    if (change.hints.size() != 1 || !change.settings.empty() || change.hints.front().scopes.size() != 1) return {};
    const Hint& hint = change.hints.front();
    return ui::nameOfChange(fromStd(hint.key), fromStd(hint.scopes.front()).section(u':', 1));
}

}  // namespace

ChainController::ChainController(DocumentController& controller, WindowServices& services, FixController& fixes,
                                 QObject* parent)
    : QObject(parent), controller_(controller), services_(services), fixes_(fixes) {
    for (BackgroundTask* task : {&trials_, &parts_})
        services_.showTask(*task);
    wait_.setSingleShot(true);
    wait_.setInterval(kWaitMs);
    connect(&wait_, &QTimer::timeout, this, &ChainController::startTrials);
    Workspace& views = services_.views();
    views.coreGrid()->setSources(chainCores());
    for (ui::OpsMatrix* matrix : views.window()->findChildren<ui::OpsMatrix*>())
        matrix->setSources(chainCores());
    const auto* pane = views.pane(QStringLiteral("chains"));
    side_ = pane != nullptr ? pane->findChild<ui::ChainSide*>() : nullptr;
    if (side_ == nullptr) return;
    side_->memory()->setMemory(&chainMemory);
    ui::ChainOverview* overview = side_->overview();
    connect(overview, &ui::ChainOverview::offerTaken, this, &ChainController::takeOffer, Qt::QueuedConnection);
    connect(overview, &ui::ChainOverview::trialsRequested, this, &ChainController::startTrials, Qt::QueuedConnection);
    connect(overview, &ui::ChainOverview::partsRequested, this, &ChainController::startParts, Qt::QueuedConnection);
    connect(overview, &ui::ChainOverview::partChosen, this, &ChainController::takePart, Qt::QueuedConnection);
    connect(overview, &ui::ChainOverview::overridesRequested, this, &ChainController::copyOverrides);
    connect(overview, &ui::ChainOverview::moduleRequested, this, &ChainController::saveModule);
    connect(side_->layouts(), &ui::ChainLayouts::tradeOffsWanted, this, &ChainController::weigh);
    connect(side_->layouts(), &ui::ChainLayouts::tradeOffUsed, this, &ChainController::takeMemory);
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, this, &ChainController::planChanged);
    connect(&controller_, &DocumentController::documentClosed, this, [this] {
        reports_.clear();
        partSteps_.clear();
        planChanged();
    });
    for (BackgroundTask* task : {&trials_, &parts_}) {
        const auto ended = [this] {
            showAdvice();
            showParts();
        };
        connect(task, &BackgroundTask::cancelled, this, ended);
        connect(task, &BackgroundTask::failed, this, ended);
    }
    connect(&trials_, &BackgroundTask::progress, this, [this](const QString&, double done, double total) {
        progress_ = total > 0 ? tr("%1 of %2 changes tried").arg(static_cast<int>(done)).arg(static_cast<int>(total))
                              : QString();
        showAdvice();
    });
}

bool ChainController::isSettled() const {
    return !wait_.isActive() && !trials_.isRunning() && !parts_.isRunning() && !weighing_.isRunning();
}

const TtnnData* ChainController::shownData() const {
    const PlanPtr& plan = controller_.hub().plan();
    return plan ? dynamic_cast<const TtnnData*>(plan->targetData.get()) : nullptr;
}

const ttnn::TrialReport* ChainController::report() const {
    const PlanPtr& plan = controller_.hub().plan();
    const auto found = plan ? reports_.find(plan->planHash) : reports_.end();
    return found == reports_.end() ? nullptr : &found->second;
}

/// Only what belongs to the inputs on screen can be tried.
QString ChainController::whyNotNow() const {
    const Document* document = controller_.document();
    if (document == nullptr) return tr("No document is open.");
    if (!document->isPlanned()) return tr("Changes can be tried where the module itself is open.");
    if (document->isStale()) return tr("The plan is older than its inputs: recompile, then changes are tried.");
    if (document->current() == nullptr || document->current()->plan != controller_.hub().plan())
        return tr("Another plan is on screen than the document's own: changes are tried on that.");
    return {};
}

void ChainController::planChanged() {
    wait_.stop();
    trials_.cancel();
    parts_.cancel();
    weighing_.cancel();
    for (QString* text : {&progress_, &trialError_, &partError_})
        text->clear();
    memories_.clear();
    if (side_ == nullptr) return;
    side_->layouts()->setTradeOffs({});
    const TtnnData* data = shownData();
    if (data != nullptr && !carried_.empty()) {
        const auto current = std::ranges::find_if(carried_, &ttnn::PartStep::isCurrent);
        if (current != carried_.end() && current->goals == data->goals)
            partSteps_[controller_.hub().plan()->planHash] = carried_;
        carried_.clear();
    }
    const bool isWorth = data != nullptr && data->advice && !report() && data->policy != kSlowPolicy &&
                         controller_.hub().plan()->ops.size() <= kAutomaticOps;
    if (isWorth) wait_.start();
    showAdvice();
    showParts();
}

// ---- suggestions -----------------------------------------------------------------------------------------

void ChainController::startTrials() {
    const TtnnData* data = shownData();
    if (data == nullptr || !data->advice || report() != nullptr || !whyNotNow().isEmpty()) return showAdvice();
    const bool canTry =
        std::ranges::any_of(data->advice->findings, [](const auto& f) { return !f.proposals.empty(); }) ||
        std::ranges::any_of(data->advice->chains, [](const auto& c) { return !c.proposals.empty(); });
    if (!canTry) return showAdvice();
    const PlanPtr plan = controller_.hub().plan();
    CompileRequest request = controller_.document()->request();
    request.keepSnapshotTexts = false;
    trials_.start(tr("Trying changes"), [this, plan, request](const RunControl& control) -> BackgroundTask::Finish {
        const auto& of = static_cast<const TtnnData&>(*plan->targetData);
        const Target* target = findTarget(plan->target);
        auto found =
            ttnn::tryAdvice({*target, request, *of.advice, of.goals, plan->planHash}, ttnn::kWindowTrials, control);
        if (!found)
            return [this, error = errorText(found.error())] {
                trialError_ = error;
                showAdvice();
            };
        auto kept = std::make_shared<ttnn::TrialReport>(std::move(found).value());
        return [this, plan, kept] {
            reports_[plan->planHash] = std::move(*kept);
            progress_.clear();
            showAdvice();
        };
    });
    showAdvice();
}

void ChainController::showAdvice() {
    if (side_ == nullptr) return;
    const TtnnData* data = shownData();
    offers_ = data != nullptr && data->advice ? offerRows(*data->advice, report()) : OfferRows();
    ui::ChainAdvice shown;
    shown.offers = offers_.rows;
    shown.isRunning = trials_.isRunning() || wait_.isActive();
    std::set<const ttnn::Trial*> helping;  // one change may answer several findings
    for (std::size_t i = 0; i < offers_.rows.size() && i < offers_.trials.size(); ++i)
        if (offers_.rows[i].isOffered()) helping.insert(offers_.trials[i]);
    if (data == nullptr) return side_->setAdvice({});
    if (const ttnn::TrialReport* r = report()) {
        for (const ttnn::Trial& trial : r->trials)
            if (const QString name = nameOfTrial(trial); !name.isEmpty()) shown.tried.push_back(name);
        shown.state = r->trials.empty()
                          ? tr("Nothing is known that could be tried.")
                          : tr("%1 tried, %2 of them better.")
                                .arg(ui::plural(static_cast<qint64>(r->trials.size()), tr("change"), tr("changes")))
                                .arg(helping.size());
        if (r->untried > 0) shown.state += tr(" %1 more were not tried.").arg(r->untried);
    } else if (shown.isRunning) {
        shown.state = progress_.isEmpty() ? tr("Trying changes...") : progress_;
    } else if (!data->advice) {
        shown.state = data->hasArtefacts() ? tr("Advice is switched off (ttnn.advice).")
                                           : tr("A plan that was read from a file brings no advice: compile it.");
    } else if (offers_.rows.empty()) {
        shown.state = tr("No finding about this plan.");
    } else {
        const QString why = whyNotNow();
        shown.canRun = why.isEmpty() && std::ranges::any_of(offers_.rows, [](const ui::ChainOffer& o) {
                           return o.state == ui::ChainOffer::State::Waiting;
                       });
        shown.state = why.isEmpty() ? trialError_ : why;
    }
    side_->setAdvice(shown);
}

void ChainController::takeOffer(int offer) {
    const auto at = static_cast<std::size_t>(offer);
    if (offer < 0 || at >= offers_.proposals.size() || offers_.proposals[at] == nullptr) return;
    const advice::Change change = offers_.proposals[at]->change;  // the list goes while it is carried out
    fixes_.apply(change, fromStd(change.text));
}

// ---- parts -----------------------------------------------------------------------------------------------

namespace {

/// The same steps beside the plan of one of them: settings that lead there from it.
std::vector<ttnn::PartStep> seenFrom(const std::vector<ttnn::PartStep>& steps, std::size_t row) {
    const auto valueIn = [](const ttnn::PartStep& step, const std::string& key) -> const std::string* {
        for (const auto& [k, value] : step.settings)
            if (k == key) return &value;
        return nullptr;
    };
    std::vector<ttnn::PartStep> seen = steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        seen[i].settings.clear();
        seen[i].isCurrent = i == row;
        for (const auto& [key, value] : steps[i].settings)
            if (const std::string* here = valueIn(steps[row], key); here == nullptr || *here != value)
                seen[i].settings.emplace_back(key, value);
        for (const auto& [key, value] : steps[row].settings)  // switches: what a step does not name is the other way
            if (valueIn(steps[i], key) == nullptr && (value == "true" || value == "false"))
                seen[i].settings.emplace_back(key, value == "true" ? "false" : "true");
    }
    return seen;
}

}  // namespace

void ChainController::startParts() {
    if (shownData() == nullptr || !whyNotNow().isEmpty()) return showParts();
    const PlanPtr plan = controller_.hub().plan();
    CompileRequest request = controller_.document()->request();
    request.keepSnapshotTexts = false;
    parts_.start(tr("Compiling the parts"), [this, plan, request](const RunControl& control) -> BackgroundTask::Finish {
        auto steps = ttnn::partGains(*findTarget(plan->target), request, plan, control);
        if (!steps)
            return [this, error = errorText(steps.error())] {
                partError_ = error;
                showParts();
            };
        auto kept = std::make_shared<std::vector<ttnn::PartStep>>(std::move(steps).value());
        return [this, plan, kept] {
            partSteps_[plan->planHash] = std::move(*kept);
            showParts();
        };
    });
    showParts();
}

void ChainController::showParts() {
    if (side_ == nullptr) return;
    const TtnnData* data = shownData();
    if (data == nullptr || !data->hasChains) return side_->overview()->setParts({});
    ui::ChainParts shown;
    const auto found = partSteps_.find(controller_.hub().plan()->planHash);
    if (found != partSteps_.end())
        shown.rows = partRows(found->second);
    else if (parts_.isRunning())
        shown.state = tr("Compiling...");
    else
        shown.state = whyNotNow();
    shown.isRunning = parts_.isRunning();
    shown.canRun = found == partSteps_.end() && !parts_.isRunning() && shown.state.isEmpty();
    if (shown.canRun) shown.state = partError_;
    side_->overview()->setParts(shown);
}

void ChainController::takePart(int row) {
    const PlanPtr& plan = controller_.hub().plan();
    const auto found = plan ? partSteps_.find(plan->planHash) : partSteps_.end();
    if (found == partSteps_.end() || row < 0 || static_cast<std::size_t>(row) >= found->second.size()) return;
    const ttnn::PartStep step = found->second[static_cast<std::size_t>(row)];
    advice::Change change;
    change.text = step.title;
    change.settings = step.settings;
    carried_ = seenFrom(found->second, static_cast<std::size_t>(row));
    fixes_.apply(change, tr("Parts: %1").arg(fromStd(step.title)));
}

// ---- memory of the selected operation --------------------------------------------------------------------

void ChainController::weigh(OpId op) {
    const PlanPtr plan = controller_.hub().plan();
    memories_.clear();
    if (shownData() == nullptr) return;
    weighing_.start(tr("Weighing layouts"), [this, plan, op](const RunControl&) -> BackgroundTask::Finish {
        auto rows = std::make_shared<Result<std::vector<ttnn::TradeOffRow>>>(ttnn::tradeOffs(*plan, op));
        return [this, plan, op, rows] {
            if (controller_.hub().plan() != plan) return;
            ui::ChainTradeOffs shown;
            shown.op = op;
            if (*rows) {
                memories_ = rows->value();
                shown.rows = tradeOffRows(memories_);
            } else {
                shown.state = errorText(rows->error());
            }
            side_->layouts()->setTradeOffs(shown);
        };
    });
}

void ChainController::takeMemory(int row) {
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= memories_.size() || !memories_[at].hint) return;
    const QString why = controller_.document() != nullptr ? controller_.document()->whyFixed() : QString();
    if (!why.isEmpty()) return services_.message(why);
    advice::Change change;
    change.hints = {*memories_[at].hint};
    const QString title = tr("Use %1").arg(fromStd(std::string(titleOf(memories_[at].kind))));
    fixes_.apply(change, title);
}

// ---- out of the window -----------------------------------------------------------------------------------

void ChainController::copyOverrides() {
    const TtnnData* data = shownData();
    if (data == nullptr || data->overrides.empty()) return;
    QGuiApplication::clipboard()->setText(fromStd(data->overrides));
    services_.message(tr("Copied: %1").arg(fromStd(data->overrides).left(120)));
}

void ChainController::saveModule() {
    const PlanPtr& plan = controller_.hub().plan();
    const Document* document = controller_.document();
    if (document == nullptr || shownData() == nullptr) return;
    Diagnostics notes;
    auto files = findTarget(plan->target)->artefacts(*plan, notes);
    if (!files) return services_.message(tr("Not written: %1").arg(errorText(files.error())));
    const auto module = std::ranges::find_if(files.value(), [](const Artefact& a) {
        return QString::fromStdString(a.first).endsWith(QStringLiteral(".mlir"));
    });
    if (module == files.value().end()) return;
    const QString base = QFileInfo(document->name()).completeBaseName();
    const QString path = services_.askNewFile(tr("Save the optimised module"), base + QStringLiteral("-ttnn.mlir"),
                                              tr("MLIR text (*.mlir)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), module->second);
    services_.message(written ? tr("Module written to %1").arg(path)
                              : tr("Not written: %1").arg(errorText(written.error())));
}

}  // namespace memplan::app

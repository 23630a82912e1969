// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/document.h"

#include "app/gui/document/parts/document_changes.h"
#include "app/gui/targets/targets.h"
#include "engine/target/target.h"
#include "widgets/plan/units.h"

#include <QFileInfo>

#include <algorithm>

namespace memplan::app {
namespace {

/// Equal values of all keys; who set them does not matter to a plan.
bool sameValues(const Settings& a, const Settings& b) {
    const auto& all = allSettings();
    return std::all_of(all.begin(), all.end(),
                       [&](const SettingInfo& info) { return a.value(info.key) == b.value(info.key); });
}

/// What the planner sees of a hint.
bool asksTheSame(const Hint& a, const Hint& b) {
    return a.target == b.target && a.key == b.key && a.value == b.value && a.scopes == b.scopes;
}

bool askTheSame(const std::vector<Hint>& a, const std::vector<Hint>& b) {
    const auto enabled = [](const std::vector<Hint>& hints) {
        std::vector<const Hint*> list;
        for (const Hint& h : hints) {
            if (h.enabled) list.push_back(&h);
        }
        return list;
    };
    const auto left = enabled(a);
    const auto right = enabled(b);
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [](const Hint* x, const Hint* y) { return asksTheSame(*x, *y); });
}

}  // namespace

Document::Document(io::OpenedInput input, Settings settings, ui::SelectionHub& hub, DocumentOrigin origin)
    : input_(std::move(input)), origin_(std::move(origin)), settings_(std::move(settings)),
      hints_(std::make_shared<const HintLists>()), side_(std::make_shared<const SideFiles>()), hub_(hub) {
    graphHints_ = fileHints();
    saved_ = {settings_, hints_, notes_, instance_, side_, target()};
    undo_.setUndoLimit(kUndoDepth);
    connect(&undo_, &QUndoStack::cleanChanged, this, [this](bool clean) { emit modifiedChanged(!clean); });
}

// The stack says good-bye to its commands; nobody should act on a document that is half gone.
Document::~Document() {
    undo_.blockSignals(true);
}

DocumentKind Document::kind() const {
    if (input_.graph) return DocumentKind::Graph;
    return input_.problems.empty() ? DocumentKind::PlanFile : DocumentKind::BufferList;
}

QString Document::kindTitle() const {
    switch (kind()) {
    case DocumentKind::Graph:
        return titleOf(targetUi(target()));
    case DocumentKind::BufferList:
        return tr("buffer list");
    case DocumentKind::PlanFile:
        break;
    }
    return tr("plan file");
}

QString Document::whyFixed() const {
    if (isPlanned()) return {};
    if (input_.program)
        return tr("%1 records what an earlier compile decided: solver, cores, memory and hints are settled there. Open "
                  "the graph it was made from to choose anew.")
            .arg(QFileInfo(ui::fromStd(input_.input.path)).fileName());
    return kind() == DocumentKind::BufferList ? tr("A list of buffers has no graph to compile.")
                                              : tr("A plan file is read only: open its graph to choose anew.");
}

void Document::setSavedAs(const QString& workspacePath) {
    origin_.workspacePath = workspacePath;
    saved_ = {settings_, hints_, notes_, instance_, side_, target()};
    closeEdit();
    undo_.setClean();
    emit savedAsChanged();
}

void Document::restore(HintLists hints, Notes notes, const InstanceChoice& instance) {
    hints_ = std::make_shared<const HintLists>(std::move(hints));
    graphHints_ = missingIn(fileHints(), hints_->takenOver);
    notes_ = std::move(notes);
    instance_ = instance;
    saved_ = {settings_, hints_, notes_, instance_, side_, target()};
}

void Document::restoreSide(SideFiles files, std::shared_ptr<const SideInformation> given) {
    side_ = std::make_shared<const SideFiles>(std::move(files));
    givenSide_ = std::move(given);
    saved_.side = side_;
}

void Document::markRecovered(Saved saved) {
    saved_ = std::move(saved);
    undo_.resetClean();
}

QStringList Document::unsavedChanges() const {
    QStringList lines = hintChanges(*saved_.hints, *hints_);
    lines += noteChanges(saved_.notes, notes_);
    lines += settingChanges(saved_.settings, settings_);
    if (!saved_.target.empty() && saved_.target != target())
        lines << tr("Planned for %1 instead of %2").arg(ui::fromStd(target()), ui::fromStd(saved_.target));
    lines += sideChanges(saved_.side ? *saved_.side : SideFiles(), *side_);
    if (kind() == DocumentKind::BufferList && instance_ != saved_.instance) {
        lines << tr("Capacity %1 instead of %2")
                     .arg(ui::exactBytes(instance_.capacity), ui::exactBytes(saved_.instance.capacity));
    }
    return lines;
}

QString Document::name() const {
    if (!origin_.workspacePath.isEmpty()) return QFileInfo(origin_.workspacePath).completeBaseName();
    // Exporters give every model the same graph name ("torch_jit"): there the file's name says more.
    const bool isNamed = input_.graph && !input_.graph->name.empty() && input_.format != io::Format::Onnx;
    const QString name =
        isNamed ? ui::fromStd(input_.graph->name) : QFileInfo(ui::fromStd(input_.input.path)).completeBaseName();
    return origin_.cut.isEmpty() ? name : tr("%1 (part)").arg(name);
}

const PlanEntry* Document::current() const {
    return current_ < 0 ? nullptr : &plans_[static_cast<std::size_t>(current_)];
}

Staleness Document::staleness() const {
    if (current() == nullptr) return {};
    const Plan& plan = *current()->plan;
    if (kind() == DocumentKind::PlanFile) return {};
    if (kind() == DocumentKind::BufferList) return {plan.inputHash != inputHash(), false};
    if (!isPlanned()) return {!sameValues(plan.settings, settings_), false};
    return {plan.target != target() || !sameValues(plan.settings, settings_), !askTheSame(plan.hints, request().hints)};
}

const std::vector<Hint>& Document::fileHints() const {
    static const std::vector<Hint> kNone;
    return input_.graph ? input_.graph->hints : kNone;
}

QString Document::note(const NoteSubject& subject) const {
    const auto it = notes_.find(subject);
    return it == notes_.end() ? QString() : it->second;
}

TargetId Document::target() const {
    if (!origin_.target.empty()) return origin_.target;
    return std::string(naturalTarget(input_.program.get()).info().id);
}

CompileRequest Document::request() const {
    CompileRequest request =
        requestFor(input_.graph, input_.program, input_.input, settings_, hintsInForce(fileHints(), *hints_));
    planFor(origin_.target, request);
    setMachine(request, origin_.machine);
    request.recordTimes = true;
    return request;
}

const solve::Problem& Document::problem() const {
    const auto last = static_cast<int>(input_.problems.size()) - 1;
    return input_.problems[static_cast<std::size_t>(std::clamp(instance_.index, 0, last))];
}

SolveRequest Document::solveRequest() const {
    if (!problem_) problem_ = std::make_shared<const solve::Problem>(problem());
    return {problem_,
            input_.input,
            settings_,
            instance_.capacity,
            0,
            target(),
            naturalTarget(input_.program.get()).info().settings.solver};
}

std::string Document::inputHash() const {
    if (kind() == DocumentKind::PlanFile) return current() == nullptr ? std::string() : current()->plan->inputHash;
    if (inputHash_.empty()) {
        inputHash_ = kind() == DocumentKind::Graph ? memplan::inputHash(request()) : memplan::inputHash(solveRequest());
    }
    return inputHash_;
}

std::function<CompileOutcome(const RunControl&)> Document::job() const {
    switch (kind()) {
    case DocumentKind::Graph:
        return [request = request()](const RunControl& control) { return compile(request, control); };
    case DocumentKind::BufferList:
        return [request = solveRequest()](const RunControl& control) { return solveToPlan(request, control); };
    case DocumentKind::PlanFile:
        break;
    }
    return {};
}

void Document::changeInstance(const InstanceChoice& choice) {
    if (kind() != DocumentKind::BufferList || choice == instance_) return;
    undo_.push(makeInstanceCommand(*this, {instance_, choice}, edit_).release());
}

void Document::changeSetting(const QString& key, const QString& value) {
    Settings after = settings_;
    if (!after.set(key.toStdString(), value.toStdString()) || after == settings_) return;
    undo_.push(makeSettingCommand(*this, key, value, {settings_, std::move(after)}, edit_).release());
}

void Document::changeTarget(const TargetId& target) {
    if (kind() != DocumentKind::Graph || target == this->target()) return;
    undo_.push(makeTargetCommand(*this, {this->target(), target}).release());
}

void Document::applyTarget(const TargetId& target) {
    origin_.target = target;
    if (const Target* machines = findTarget(target)) (void)machines->fitToMachine(settings_, origin_.machine);
    inputHash_.clear();
    emit targetChanged();
    inputsChanged();
}

void Document::setHints(const QString& commandText, std::vector<Hint> hints, const QString& mergeKey) {
    setHintLists(commandText, {std::move(hints), hints_->takenOver}, mergeKey);
}

void Document::setHintLists(const QString& commandText, HintLists lists, const QString& mergeKey) {
    if (lists == *hints_) return;
    auto after = std::make_shared<const HintLists>(std::move(lists));
    undo_.push(makeHintsCommand(*this, commandText, {hints_, std::move(after)}, {mergeKey, edit_}).release());
}

void Document::takeOverHints(std::size_t first) {
    if (first >= graphHints_.size()) return;
    const auto count = static_cast<qint64>(graphHints_.size() - first);
    setHintLists(tr("Take over %1 of the graph file").arg(ui::plural(count, tr("hint"), tr("hints"))),
                 withTakenOver(*hints_, graphHints_, first));
}

void Document::giveBackHints() {
    if (hints_->takenOver.empty()) return;
    HintLists after;
    after.own = missingIn(hints_->own, hints_->takenOver);
    const auto count = static_cast<qint64>(hints_->takenOver.size());
    setHintLists(tr("Use %1 as the graph file has them").arg(ui::plural(count, tr("hint"), tr("hints"))),
                 std::move(after));
}

void Document::setNote(const NoteSubject& subject, const QString& text) {
    if (note(subject) == text) return;
    undo_.push(makeNoteCommand(*this, subject, {note(subject), text}, edit_).release());
}

void Document::setSideFiles(const QString& commandText, SideFiles files) {
    if (files == *side_) return;
    undo_.push(
        makeSideCommand(*this, commandText, {side_, std::make_shared<const SideFiles>(std::move(files))}).release());
}

void Document::applySettings(const Settings& settings) {
    settings_ = settings;
    // A preset sets what nobody set as if the machine were the built-in one.
    if (const Target* machines = findTarget(target())) (void)machines->fitToMachine(settings_, origin_.machine);
    inputHash_.clear();
    emit settingsChanged();
    inputsChanged();
}

void Document::applyHints(const HintListsPtr& hints) {
    if (hints->takenOver != hints_->takenOver) graphHints_ = missingIn(fileHints(), hints->takenOver);
    hints_ = hints;
    inputHash_.clear();
    emit hintsChanged();
    inputsChanged();
}

void Document::applyNote(const NoteSubject& subject, const QString& text) {
    if (text.isEmpty()) {
        notes_.erase(subject);
    } else {
        notes_[subject] = text;
    }
    emit notesChanged();
}

void Document::applySide(const SideFilesPtr& files) {
    side_ = files;
    emit sideChanged();
}

std::function<SideAttachment()> Document::sideJob(const PlanPtr& plan) const {
    if (!plan) return {};
    if (!side_->empty()) return [plan, files = side_] { return attachSide(*plan, sideDocuments(*files)); };
    if (!givenSide_) return {};
    return [given = givenSide_] { return SideAttachment{*given, {}}; };
}

void Document::applyInstance(const InstanceChoice& choice) {
    if (choice.index != instance_.index) problem_.reset();
    instance_ = choice;
    inputHash_.clear();
    emit instanceChanged();
    inputsChanged();
}

/// A program in a machine's own form is planned where the machine lists its format; of others it holds the plan.
bool Document::isPlanned() const {
    if (!input_.graph || !input_.program) return input_.graph != nullptr;
    const Target* target = findTarget(input_.program->target());
    return target != nullptr && std::ranges::count(target->info().formats, input_.input.format) > 0;
}

/// The plan stays; whether it still answers the inputs may have changed.
void Document::inputsChanged() {
    if (current() != nullptr && state_ != PlanState::Compiling)
        setState(isStale() ? PlanState::Stale : PlanState::Fresh);
}

QString Document::planName(const Plan& plan, const QString& label) const {
    if (kind() == DocumentKind::BufferList) {
        const QString how = plan.solver.empty() ? tr("offsets of the list") : ui::fromStd(plan.solver);
        return tr("Plan %1: %2, %3").arg(made_).arg(how, ui::exactBytes(plan.memory.capacity));
    }
    // What a bundle says is no answer to settings; they only hold what a next compile would take.
    if (!isPlanned()) {
        std::int64_t most = 1;
        for (const PlanOp& op : plan.ops)
            most = std::max<std::int64_t>(most, op.cores);
        return tr("Plan %1: recorded in the bundle, %2").arg(made_).arg(ui::plural(most, tr("core"), tr("cores")));
    }
    const auto cores = coresOf(plan);
    QString text = tr("Plan %1: %2").arg(made_).arg(planWords(plan));
    if (!label.isEmpty()) text += QStringLiteral(", ") + label;
    if (isOffered(targetUi(plan.target), "cores"))
        text += QStringLiteral(", ") + (cores == 1 ? tr("1 core") : tr("%1 cores").arg(cores));
    // What a preset sets besides the solver would not be seen: plans that differ by it alone must be distinguished.
    const std::string preset = plan.settings.text("preset");
    if (preset != Settings().text("preset")) text += QStringLiteral(", ") + tr("preset %1").arg(ui::fromStd(preset));
    const auto hints = std::count_if(plan.hints.begin(), plan.hints.end(), [](const Hint& h) { return h.enabled; });
    return hints == 0 ? text : text + QStringLiteral(", ") + ui::plural(hints, tr("hint"), tr("hints"));
}

void Document::addPlan(PlanPtr plan, const QString& label) {
    ++made_;
    const QString text = planName(*plan, label);
    plans_.push_back({std::move(plan), text, label, made_});
    if (plans_.size() > kMostPlans) plans_.erase(plans_.begin());
    failure_.reset();
    emit plansChanged();
    setCurrent(static_cast<int>(plans_.size()) - 1);
}

bool Document::showStored(const std::string& inputHash) {
    const auto it =
        std::find_if(plans_.begin(), plans_.end(), [&](const PlanEntry& e) { return e.plan->inputHash == inputHash; });
    if (it == plans_.end()) return false;
    setCurrent(static_cast<int>(it - plans_.begin()));
    return true;
}

void Document::setCurrent(int index) {
    if (index < 0 || index >= static_cast<int>(plans_.size())) return;
    current_ = index;
    showCurrent();
    emit currentChanged();
    setState(isStale() ? PlanState::Stale : PlanState::Fresh);
}

void Document::showCurrent() {
    const PlanEntry* entry = current();
    if (entry == nullptr) return;
    const bool isNewest = current_ + 1 == static_cast<int>(plans_.size());
    show({entry->plan, entry->name, isNewest ? ShownPlan::Kind::Current : ShownPlan::Kind::History});
}

void Document::showInstead(PlanPtr plan, const QString& name, ShownPlan::Kind kind) {
    show({std::move(plan), name, kind});
}

void Document::show(ShownPlan shown) {
    shown_ = std::move(shown);
    hub_.setPlan(shown_.plan);
    emit shownChanged();
}

void Document::setCompiling() {
    setState(PlanState::Compiling);
}

void Document::setFailed(CompileFailure failure) {
    failure_ = std::move(failure);
    setState(PlanState::Failed);
}

void Document::setCancelled() {
    setState(current() == nullptr ? PlanState::None : isStale() ? PlanState::Stale : PlanState::Fresh);
}

void Document::setState(PlanState state) {
    state_ = state;
    emit stateChanged();
}

ui::Token stateToken(PlanState state) {
    switch (state) {
    case PlanState::Fresh:
        return ui::Token::Good;
    case PlanState::Stale:
        return ui::Token::Warning;
    case PlanState::Compiling:
        return ui::Token::Accent;
    case PlanState::Failed:
        return ui::Token::Error;
    case PlanState::None:
        break;
    }
    return ui::Token::Text3;
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "document.h"

#include "core/units.h"

#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>

namespace memplan::app {
namespace {

QString keyTitle(const QString& key) {
    if (key == u"spyre.layout_solver") return QObject::tr("Solver");
    if (key == u"spyre.cores") return QObject::tr("Cores");
    if (key == u"spyre.lx_reserved_fraction") return QObject::tr("LX reserve");
    return key;
}

/// Sets one key; typing in a spin box merges into one step.
class SettingCommand final : public QUndoCommand {
public:
    SettingCommand(Document& document, QString key, const QString& value, Settings after)
        : QUndoCommand(QObject::tr("%1 to %2").arg(keyTitle(key), value)), document_(document), key_(std::move(key)),
          before_(document.settings()), after_(std::move(after)) {}

    void redo() override { document_.applySettings(after_); }
    void undo() override { document_.applySettings(before_); }
    [[nodiscard]] int id() const override { return 1; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const SettingCommand*>(other);
        if (next == nullptr || next->key_ != key_) return false;
        after_ = next->after_;
        setText(next->text());
        setObsolete(after_ == before_);
        return true;
    }

private:
    Document& document_;
    QString key_;
    Settings before_;
    Settings after_;
};

}  // namespace

Document::Document(io::OpenedInput input, Settings settings, ui::SelectionHub& hub)
    : input_(std::move(input)), settings_(std::move(settings)), hub_(hub) {}

QString Document::name() const {
    if (input_.graph && !input_.graph->name.empty()) return ui::fromStd(input_.graph->name);
    return QFileInfo(ui::fromStd(input_.input.path)).completeBaseName();
}

const PlanEntry* Document::current() const {
    return current_ < 0 ? nullptr : &plans_[static_cast<std::size_t>(current_)];
}

bool Document::isStale() const {
    return current() != nullptr && !(current()->plan->settings == settings_);
}

CompileRequest Document::request() const {
    CompileRequest request;
    request.graph = input_.graph;
    request.input = input_.input;
    request.settings = settings_;
    request.hints = input_.graph ? input_.graph->hints : std::vector<Hint>{};
    request.recordTimes = true;
    return request;
}

void Document::changeSetting(const QString& key, const QString& value) {
    Settings after = settings_;
    if (!after.set(key.toStdString(), value.toStdString()) || after == settings_) return;
    undo_.push(new SettingCommand(*this, key, value, std::move(after)));
}

void Document::applySettings(const Settings& settings) {
    settings_ = settings;
    emit settingsChanged();
    if (current() != nullptr && state_ != PlanState::Compiling)
        setState(isStale() ? PlanState::Stale : PlanState::Fresh);
}

QString Document::planName(const Plan& plan, const QString& label) const {
    const auto cores = plan.settings.integer("spyre.cores");
    const bool planning = plan.settings.boolean("spyre.lx_planning");
    QString text = tr("Plan %1: %2")
                       .arg(made_)
                       .arg(planning ? ui::fromStd(plan.settings.text("spyre.layout_solver")) : tr("no LX planning"));
    if (!label.isEmpty()) text += QStringLiteral(", ") + label;
    return text + QStringLiteral(", ") + (cores == 1 ? tr("1 core") : tr("%1 cores").arg(cores));
}

void Document::addPlan(PlanPtr plan, const QString& label) {
    ++made_;
    const QString text = planName(*plan, label);
    plans_.push_back({std::move(plan), text, label});
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
    hub_.setPlan(plans_[static_cast<std::size_t>(index)].plan);
    emit currentChanged();
    setState(isStale() ? PlanState::Stale : PlanState::Fresh);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/editor/hint_context.h"

#include "engine/target/target.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/units.h"
#include "widgets/views/gantt/data/gantt_drag.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::ui {

using hints::KindInfo;
using hints::Scope;
using hints::ScopeKind;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Hints", text);
}

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Text of one finding: what is wrong, then what is allowed.
QString findingText(const Diagnostic& d) {
    return d.hint.empty() ? fromStd(d.message) : fromStd(d.message) + QStringLiteral("; ") + fromStd(d.hint);
}

std::optional<BufferId> bufferNamed(const Plan& plan, const Hint& hint) {
    for (const ItemId item : itemsOf(plan, hint))
        if (item.kind == ItemKind::Buffer) return BufferId{item.index};
    return std::nullopt;
}

}  // namespace

void HintContext::setDocument(const TargetId& target, const Settings& settings, std::shared_ptr<const Graph> graph) {
    target_ = target;
    settings_ = settings;
    graph_ = std::move(graph);
    plan_.reset();
    hints_.clear();
    subjects_ = graph_ ? hints::Subjects(*graph_) : hints::Subjects();
}

void HintContext::setPlan(PlanPtr plan) {
    plan_ = std::move(plan);
    if (graph_ || !plan_) return;
    // No neutral graph: what the plan shows is what can be named.
    subjects_ = hints::Subjects();
    for (const PlanOp& op : plan_->ops) {
        subjects_.add(ScopeKind::Op, op.name);
        if (!op.groupPath.empty()) subjects_.add(ScopeKind::Annotation, op.groupPath);
    }
    for (const PlanBuffer& b : plan_->buffers)
        subjects_.add(ScopeKind::Tensor, b.name);
}

hints::World HintContext::world() const {
    hints::World world;
    world.target = target_;
    world.settings = &settings_;
    world.machine = plan_ ? &plan_->machine : nullptr;
    world.graph = graph_.get();
    world.plan = plan_.get();
    world.hints = hints_;
    world.subjects = &subjects_;
    return world;
}

std::vector<hints::Scope> HintContext::missing(const Hint& hint) const {
    std::vector<hints::Scope> list;
    if (!graph_) return list;
    for (const std::string& text : hint.scopes)
        if (const auto scope = hints::parseScope(text); scope && !subjects_.has(*scope)) list.push_back(*scope);
    return list;
}

HintCheck HintContext::check(const Hint& hint) const {
    const std::vector<Diagnostic> findings = hints::validateHint(hint, world());
    for (const Diagnostic& d : findings)
        if (d.severity == Severity::Error) return {false, false, false, findingText(d)};
    for (const Diagnostic& d : findings)
        if (d.severity == Severity::Warning) return {true, true, d.code == "HNT-005", findingText(d)};
    const KindInfo* kind = hints::kindOf(hint, target_);
    if (kind != nullptr && !kind->isRead)
        return {true, true, false, tr("No pass of this version reads this kind: it is kept and will be ignored.")};
    if (const QString futile = futileText(hint); !futile.isEmpty()) return {true, true, false, futile};
    return {true, false, false, remark(hint)};
}

/// Why the plan on screen lets expect nothing of the hint: a place is not what its buffer lacks, and no search would
/// change divisions for the sake of it.
QString HintContext::futileText(const Hint& hint) const {
    const bool asksForPlace = hint.key == "address" || (hint.key == "pin" && hint.value == HintValue(true));
    const std::string_view jointSearch = settingRoles(target_).jointSearch;
    if (!plan_ || !asksForPlace || (!jointSearch.empty() && settings_.boolean(jointSearch))) return {};
    const auto buffer = bufferNamed(*plan_, hint);
    if (!buffer) return {};
    const PlanBuffer& b = plan_->buffer(*buffer);
    if (!b.reason || b.reason->code != ReasonCode::CoreDivMismatch) return {};
    return tr("It stays off chip as long as it is divided as it is (LX-014: %1). The list of problems has changes that "
              "help.")
        .arg(fromStd(sentence(*b.reason)));
}

hints::AllowedValues HintContext::allowed(const KindInfo& kind, const std::vector<Scope>& scopes) const {
    return hints::allowedValues(kind, scopes, world());
}

QString HintContext::addressRemark(const Hint& hint) const {
    const auto buffer = bufferNamed(*plan_, hint);
    const Address* wanted = hint.value.integer();
    if (!buffer || wanted == nullptr) return {};
    const PlanBuffer& b = plan_->buffer(*buffer);
    const Address at = *wanted;
    const Bytes left = plan_->memory.capacity - at - b.sizePerCore;
    QString text = tr("%1 is a multiple of 128; %2 ends at %3, %4 below the limit.")
                       .arg(groupedText(at), fromStd(b.name), groupedText(at + b.sizePerCore), exactBytes(left));
    const GanttDataPtr data = buildGanttData(plan_);
    const GanttDrag drag = dragProposal(*data, *buffer, at, false);
    QStringList names;
    for (const BufferId id : drag.conflicts)
        names << fromStd(plan_->buffer(id).name);
    const QString steps = rangeText(b.life);
    if (names.isEmpty()) return text + u' ' + tr("Nothing else lives there in steps %1.").arg(steps);
    if (names.size() > 3) return text + u' ' + tr("%1 buffers must give way in steps %2.").arg(names.size()).arg(steps);
    return text + u' ' + tr("%1 must give way in steps %2.").arg(names.join(QStringLiteral(", ")), steps);
}

QString HintContext::remark(const Hint& hint) const {
    const KindInfo* kind = hints::kindOf(hint, target_);
    if (kind == nullptr) return {};
    if (plan_ && hint.key == "address") {
        const QString text = addressRemark(hint);
        if (!text.isEmpty()) return text;
    }
    if (plan_ && (hint.key == "pin" || hint.key == "address_limit")) {
        if (const auto buffer = bufferNamed(*plan_, hint); buffer && hint.scopes.size() == 1) {
            const PlanBuffer& b = plan_->buffer(*buffer);
            return tr("%1 needs %2 per core in steps %3; usable are %4.")
                .arg(fromStd(b.name), exactBytes(b.sizePerCore), rangeText(b.life), exactBytes(plan_->memory.capacity));
        }
    }
    QString help = fromView(kind->help);
    if (help.isEmpty()) return help;
    help[0] = help[0].toUpper();
    return help.endsWith(u'.') ? help : help + u'.';
}

bool HintContext::isGraphInput(const std::string& tensor) const {
    if (!graph_) return true;
    return std::ranges::any_of(graph_->inputs, [&](TensorId id) { return graph_->tensor(id).id == tensor; });
}

QStringList HintContext::subjectNames(const KindInfo& kind) const {
    QStringList names;
    for (const ScopeKind scope : kind.scopes) {
        if (scope == ScopeKind::Graph) names << fromView(hints::scopeTitle(scope));
        for (const std::string& id : subjects_.ids(scope)) {
            if (scope == ScopeKind::Tensor && kind.onlyGraphInputs && !isGraphInput(id)) continue;
            names << subjectText(kind, {Scope{scope, id}});
        }
    }
    return names;
}

QString HintContext::subjectText(const KindInfo& kind, const std::vector<Scope>& scopes) const {
    QStringList parts;
    for (const Scope& scope : scopes) {
        const QString word = fromView(hints::scopeTitle(scope.kind));
        const bool bare = scope.kind == ScopeKind::Op || scope.kind == ScopeKind::Tensor;
        const bool clear = bare && (kind.takes(ScopeKind::Op) != kind.takes(ScopeKind::Tensor));
        if (scope.kind == ScopeKind::Graph)
            parts << word;
        else
            parts << (clear ? fromStd(scope.id) : word + u' ' + fromStd(scope.id));
    }
    return parts.join(QStringLiteral(", "));
}

std::vector<Scope> HintContext::readSubjects(const KindInfo& kind, const QString& text) const {
    std::vector<Scope> scopes;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        const QString name = part.trimmed();
        if (name.isEmpty()) continue;
        if (const auto exact = hints::parseScope(name.toStdString())) {
            scopes.push_back(*exact);
            continue;
        }
        std::optional<Scope> found;
        for (const ScopeKind scope : kind.scopes) {
            const QString word = fromView(hints::scopeTitle(scope));
            if (scope == ScopeKind::Graph && name == word) found = Scope{};
            if (!found && name.startsWith(word + u' ')) found = Scope{scope, name.mid(word.size() + 1).toStdString()};
        }
        for (const ScopeKind scope : kind.scopes) {
            const Scope bare{scope, name.toStdString()};
            if (!found && scope != ScopeKind::Graph && subjects_.has(bare)) found = bare;
        }
        const bool isFirstGraph = !kind.scopes.empty() && kind.scopes.front() == ScopeKind::Graph;
        const ScopeKind fallback = kind.scopes.empty()                      ? ScopeKind::Op
                                   : isFirstGraph && kind.scopes.size() > 1 ? kind.scopes[1]
                                                                            : kind.scopes.front();
        if (!found) found = Scope{fallback, fallback == ScopeKind::Graph ? std::string() : name.toStdString()};
        scopes.push_back(*found);
    }
    return scopes;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/hints/hint_controller.h"

#include "app/gui/features/export/command_line.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/advice/compact_plan.h"
#include "engine/hints/kinds.h"
#include "engine/io/files/files.h"
#include "engine/io/hints/hint_file.h"
#include "engine/plan/given_name.h"
#include "engine/target/target.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/residual/residual_pane.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

#include <algorithm>

namespace memplan::app {

using hints::ScopeKind;
using ui::fromStd;

namespace {

QString errorText(const Error& error) {
    const Diagnostic& d = error.primary();
    QString text = fromStd(d.code) + u' ' + fromStd(d.message);
    if (!d.where.empty()) text += QStringLiteral(" (%1)").arg(fromStd(d.where));
    return d.hint.empty() ? text : text + QStringLiteral(": ") + fromStd(d.hint);
}

}  // namespace

HintController::HintController(DocumentController& controller, WindowServices& window, QObject* parent)
    : QObject(parent), controller_(controller), workspace_(window.views()), window_(window),
      fixes_(new FixController(controller, window, this)), view_(workspace_.hints()) {
    ui::SelectionHub& hub = controller_.hub();
    connect(&controller_, &DocumentController::documentOpened, this, &HintController::documentOpened);
    connect(&controller_, &DocumentController::documentClosed, this, [this] { view_->setHints({}, {}); });
    connect(&hub, &ui::SelectionHub::hintRequested, this, &HintController::answer);
    connect(&hub, &ui::SelectionHub::planChanged, this, &HintController::planChanged);
    connect(view_, &ui::HintsView::edited, this,
            [this](const QString& text, const std::vector<Hint>& hints, const QString& mergeKey) {
                if (Document* document = controller_.document()) document->setHints(text, hints, mergeKey);
            });
    connect(workspace_.problems(), &ui::ProblemsView::hintRequested, this, &HintController::editPlanHint);
    connect(view_, &ui::HintsView::takeOverRequested, this, [this](int first) {
        Document* document = controller_.document();
        if (document != nullptr && first >= 0) document->takeOverHints(static_cast<std::size_t>(first));
    });
    connect(view_, &ui::HintsView::giveBackRequested, this, [this] {
        if (Document* document = controller_.document()) document->giveBackHints();
    });
    connect(view_, &ui::HintsView::countChanged, this, [this] { window_.showDockCounts(); });
    connectFiles();
    connectViews();
}

/// Hint files and the clipboard.
void HintController::connectFiles() {
    connect(view_, &ui::HintsView::importRequested, this, [this] {
        const QString path = window_.askFile(tr("Import hints"), lastFile_, tr("Hint files (*.json);;All files (*)"));
        if (!path.isEmpty()) importFile(path);
    });
    connect(view_, &ui::HintsView::exportRequested, this, [this] {
        const QString name = controller_.document()->name() + QStringLiteral(".hints.json");
        const QString path =
            window_.askNewFile(tr("Export hints"), lastFile_.isEmpty() ? name : lastFile_, tr("Hint files (*.json)"));
        if (!path.isEmpty()) exportFile(path);
    });
    connect(view_, &ui::HintsView::pasteRequested, this, &HintController::paste);
    connect(view_, &ui::HintsView::copyRequested, this, [this](const QString& form) {
        const QString text = copyText(form);
        if (text.isEmpty())
            return report(form == u"override" ? whyNoOverride()
                                              : tr("No setting of this document has an environment variable."));
        QGuiApplication::clipboard()->setText(text);
        report(tr("Copied: %1").arg(text.section(u'\n', 0, 0).left(120)));
    });
}

/// Hints that views propose.
void HintController::connectViews() {
    if (auto* gantt = qobject_cast<ui::GanttView*>(workspace_.view(QStringLiteral("gantt")))) {
        connect(gantt, &ui::GanttView::addressProposed, this, &HintController::propose);
        connect(gantt, &ui::GanttView::compactRequested, this, &HintController::compactAddresses);
    }
    if (auto* pane = workspace_.pane(QStringLiteral("chains")))
        if (auto* side = pane->findChild<ui::ChainSide*>()) {
            connect(side, &ui::ChainSide::proposed, this, &HintController::proposeForChain);
            connect(side, &ui::ChainSide::recompileRequested, &controller_, [this] { controller_.compileNow(); });
        }
    if (auto* pane = workspace_.pane(QStringLiteral("residual")))
        if (auto* side = pane->findChild<ui::ResidualSide*>())
            connect(side, &ui::ResidualSide::scopeProposed, this,
                    [this](const QString& json) { proposeForGraph("concurrency", json); });
    if (auto* cores = qobject_cast<ui::CoreGridView*>(workspace_.view(QStringLiteral("cores")))) {
        connect(cores, &ui::CoreGridView::splitsRequested, this, &HintController::split);
        connect(cores, &ui::CoreGridView::jointSearchRequested, this, [this] {
            Document* document = controller_.document();
            if (document == nullptr) return;
            const std::string_view key = settingRoles(document->target()).jointSearch;
            if (!key.empty()) document->changeSetting(fromStd(std::string(key)), QStringLiteral("true"));
        });
    }
}

// ---- document and views ----------------------------------------------------------------------------------

void HintController::documentOpened() {
    Document& document = *controller_.document();
    lastFile_.clear();
    controller_.hub().setOffersHints(document.isPlanned());
    view_->setRefused(document.whyFixed());
    const auto show = [this, &document] {
        view_->setDocument(document.target(), document.settings(), document.input().graph);
    };
    show();
    connect(&document, &Document::targetChanged, view_, show);
    connect(&document, &Document::hintsChanged, this, &HintController::hintsChanged);
    connect(&document, &Document::settingsChanged, view_,
            [this] { view_->setSettings(controller_.document()->settings()); });
    hintsChanged();
}

void HintController::hintsChanged() {
    const Document& document = *controller_.document();
    view_->setTakenOver(static_cast<int>(document.hintLists().takenOver.size()));
    view_->setHints(document.graphHints(), document.hints());
    showMarks();
}

void HintController::planChanged() {
    std::vector<PlanPtr> plans;
    if (const Document* document = controller_.document())
        for (const PlanEntry& entry : document->plans())
            plans.push_back(entry.plan);
    view_->setPlans(std::move(plans));
    showMarks();
    window_.showDockCounts();
}

void HintController::showMarks() {
    const Document* document = controller_.document();
    const PlanPtr& plan = controller_.hub().plan();
    std::vector<ui::ItemId> items, pins;
    if (document != nullptr && plan) {
        std::vector<Hint> hints = document->request().hints;
        items = ui::hintedItems(*plan, hints);
        std::erase_if(hints, [](const Hint& h) { return h.key != "pin" && h.key != "address"; });
        pins = ui::hintedItems(*plan, hints);
    }
    for (ui::GraphicView* view : workspace_.views())
        view->setHintMarks(items, pins);
}

// ---- requests --------------------------------------------------------------------------------------------

/// The whole selection when the item is part of it: edits of several items are one step (UX 11.4).
std::vector<ui::ItemId> HintController::withSelection(ui::ItemId item) const {
    const ui::SelectionHub& hub = controller_.hub();
    const auto& selected = hub.selection();
    return std::ranges::binary_search(selected, item) ? selected : std::vector<ui::ItemId>{item};
}

void HintController::answer(ui::ItemId item, const QString& key) {
    if (controller_.document() == nullptr || !controller_.hub().plan()) return;
    if (!controller_.document()->isPlanned()) return report(controller_.document()->whyFixed());
    const std::vector<ui::ItemId> items = withSelection(item);
    if (key == u"pin") return pin(items);
    if (key == u"unpin") return unpin(items);
    if (key.startsWith(u"edit:")) return editPlanHint(key.mid(5).toInt());
    window_.showDock(DockId::Hints);
    if (item.kind == ui::ItemKind::Loop) return sliceLoop(item.index);
    view_->startHint(items, key);
}

/// Problems and the inspector number hints as the plan on screen lists them; the list may be another one by now.
void HintController::editPlanHint(int index) {
    window_.showDock(DockId::Hints);
    const int row = view_->model()->rowOfPlanHint(index);
    if (row < 0) return report(tr("Hint %1 of this plan was changed or removed since it was made.").arg(index + 1));
    view_->editRow(row);
    if (view_->model()->row(row).isFixed)
        report(
            tr("Hint %1 stands in the graph file and cannot be changed there. \"Take over\" in its menu moves it into "
               "your list.")
                .arg(index + 1));
}

/// A loop is no subject of hints: what makes it are slices on its operations.
void HintController::sliceLoop(int loop) {
    std::vector<ui::ItemId> ops;
    for (const OpId op : controller_.hub().loops().group(loop).ops)
        ops.push_back(ui::ItemId::of(op));
    view_->startHint(ops, QStringLiteral("slices"));
}

Hint HintController::hintOn(const std::string& scope, const std::string& key, HintValue value) const {
    Hint hint;
    hint.target = std::string(controller_.hub().plan()->target);
    hint.scopes = {scope};
    hint.key = key;
    hint.value = std::move(value);
    return hint;
}

/// Why no hint names the item, and the nearest one that can be pinned instead.
QString HintController::addedText(ui::ItemId item) const {
    const Plan& plan = *controller_.hub().plan();
    const QString name = controller_.hub().itemName(item);
    BufferId buffer{item.kind == ui::ItemKind::Buffer ? item.index : -1};
    if (item.kind == ui::ItemKind::Op && !plan.op(OpId{item.index}).outputs.empty())
        buffer = plan.op(OpId{item.index}).outputs.front();
    if (!buffer.isValid()) return tr("%1 has no buffer that could be pinned.").arg(name);
    const BufferId near = ui::nearestNamed(plan, buffer);
    if (!near.isValid()) return tr("%1 was added by a pass: no hint can name it.").arg(name);
    return tr("%1 was added by a pass: no hint can name it. Select %2, the nearest buffer of your graph, and press P.")
        .arg(name, fromStd(shownName(plan, near)));
}

void HintController::pin(const std::vector<ui::ItemId>& items) {
    const Plan& plan = *controller_.hub().plan();
    std::vector<Hint> hints;
    QString refusal;
    for (const ui::ItemId item : items) {
        const auto scope = ui::scopeOf(plan, item, ScopeKind::Tensor);
        if (!scope) {
            refusal = addedText(item);
            continue;
        }
        const Hint hint = hintOn(hints::scopeText(*scope), "pin", HintValue(true));
        const ui::HintCheck check = view_->context().check(hint);
        if (check.ok)
            hints.push_back(hint);
        else
            refusal = check.text;
    }
    if (hints.empty()) return report(refusal);
    const QString text =
        hints.size() == 1 ? ui::hintCommandText(hints.front(), plan.target) : tr("Pin %1 buffers").arg(hints.size());
    if (!view_->putHints(hints, text)) report(tr("%1 is pinned already.").arg(ui::hintSubjectText(hints.front())));
}

/// A fixed address implies the pin (hints.md 4.1), so both go.
void HintController::unpin(const std::vector<ui::ItemId>& items) {
    std::vector<std::string> scopes;
    for (const ui::ItemId item : items)
        if (const auto scope = ui::scopeOf(*controller_.hub().plan(), item, ScopeKind::Tensor))
            scopes.push_back(hints::scopeText(*scope));
    if (!view_->removeHints(scopes, {"pin", "address"})) report(tr("There is no pin to remove."));
}

void HintController::propose(BufferId buffer, const QString& key, qint64 address) {
    const Plan& plan = *controller_.hub().plan();
    const auto scope = ui::scopeOf(plan, ui::ItemId::of(buffer), ScopeKind::Tensor);
    if (!scope) return report(addedText(ui::ItemId::of(buffer)));
    const Hint hint = hintOn(hints::scopeText(*scope), key.toStdString(), HintValue(std::int64_t{address}));
    const ui::HintCheck check = view_->context().check(hint);
    if (!check.ok) return report(check.text);
    view_->putHints({hint}, ui::hintCommandText(hint, plan.target));
}

/// A click beside the chains: a hint on an operation, or another value of a setting.
void HintController::proposeForChain(const ui::ChainProposal& proposal) {
    Document* document = controller_.document();
    const PlanPtr& plan = controller_.hub().plan();
    if (document == nullptr || !plan) return;
    if (!document->isPlanned()) return report(document->whyFixed());
    if (!proposal.isHint()) return document->changeSetting(proposal.setting, proposal.value);
    const auto scope = ui::scopeOf(*plan, ui::ItemId::of(proposal.op), ScopeKind::Op);
    if (!scope) return report(addedText(ui::ItemId::of(proposal.op)));
    const auto value = HintValue::parse(proposal.json.toStdString());
    if (!value) return;
    const Hint hint = hintOn(hints::scopeText(*scope), proposal.hintKey.toStdString(), *value);
    const ui::HintCheck check = view_->context().check(hint);
    if (!check.ok) return report(check.text);
    if (!view_->putHints({hint}, ui::hintCommandText(hint, plan->target))) report(tr("This hint is there already."));
}

/// A click beside the residual stream: a hint on the whole document.
void HintController::proposeForGraph(const std::string& key, const QString& json) {
    const Document* document = controller_.document();
    const PlanPtr& plan = controller_.hub().plan();
    if (document == nullptr || !plan) return;
    if (!document->isPlanned()) return report(document->whyFixed());
    const auto value = HintValue::parse(json.toStdString());
    if (!value) return;
    const Hint hint = hintOn(hints::scopeText({hints::ScopeKind::Graph, {}}), key, *value);
    const ui::HintCheck check = view_->context().check(hint);
    if (!check.ok) return report(check.text);
    if (!view_->putHints({hint}, ui::hintCommandText(hint, plan->target))) report(tr("This hint is there already."));
}

void HintController::compactAddresses() {
    const PlanPtr& plan = controller_.hub().plan();
    if (!plan || hints::findKind(plan->target, "address") == nullptr)
        return report(tr("There are no addresses to compact."));
    if (!controller_.document()->isPlanned()) return report(controller_.document()->whyFixed());
    const advice::CompactedPlan packed = advice::compactPlan(*plan);
    if (packed.lowered.empty()) return report(tr("Every buffer lies as low as the order of the addresses allows."));
    view_->putHints(packed.hints, tr("Compact addresses"));
    QString text = tr("%1 moved down, the highest address falls from %2 to %3")
                       .arg(ui::plural(static_cast<qint64>(packed.lowered.size()), tr("buffer"), tr("buffers")),
                            ui::exactBytes(packed.peakBefore), ui::exactBytes(packed.peakAfter));
    if (!packed.cannotName.empty())
        text += tr("; no hint can name %1").arg(fromStd(packed.cannotName.front())) +
                (packed.cannotName.size() > 1 ? tr(" and %1 more").arg(packed.cannotName.size() - 1) : QString());
    report(text);
}

void HintController::keepOrder() {
    const PlanPtr& plan = controller_.hub().plan();
    if (!plan || targetDataOf(*plan).newOrder() == nullptr)
        return report(tr("The operations of this plan stand in the order of the graph."));
    if (!controller_.document()->isPlanned()) return report(controller_.document()->whyFixed());
    const std::vector<Hint> hints = requireTarget(plan->target).value()->orderAsHint(*plan);
    if (hints.empty())
        return report(
            tr("No hint can say this order: operations that passes added stand apart from those they serve."));
    if (!view_->putHints(hints, tr("Keep operation order"))) report(tr("A hint fixes this order already."));
}

void HintController::split(const std::vector<ui::SplitProposal>& proposals) {
    const PlanPtr& plan = controller_.hub().plan();
    if (!plan || proposals.empty()) return;
    std::vector<Hint> hints;
    QStringList names;
    for (const ui::SplitProposal& p : proposals) {
        hints.push_back(hintOn("op:" + plan->op(p.op).name, "split", p.value()));
        names << fromStd(plan->op(p.op).name);
    }
    view_->putHints(hints, tr("Same split for %1").arg(names.join(QStringLiteral(", "))));
}

// ---- files and copies ------------------------------------------------------------------------------------

hints::FileContext HintController::fileContext() const {
    const Document& document = *controller_.document();
    return {view_->context().subjects(), document.name().toStdString(), document.input().input.sha256, {}};
}

bool HintController::importFile(const QString& path) {
    Document* document = controller_.document();
    if (document == nullptr) return false;
    auto read = hints::readHintFile(path.toStdString(), fileContext());
    if (!read) {
        report(tr("Not imported: %1").arg(errorText(read.error())));
        return false;
    }
    std::vector<Hint> after = document->hints();
    // What this window wrote begins with the hints of the graph file, which are in force already.
    const HintLists lists = listsOf(document->graphHints(), read.value().hints);
    const auto& more = lists.takenOver.empty() ? lists.own : read.value().hints;
    after.insert(after.end(), more.begin(), more.end());
    lastFile_ = path;
    document->setHints(
        tr("Import %1 from %2")
            .arg(ui::plural(static_cast<qint64>(more.size()), tr("hint"), tr("hints")), QFileInfo(path).fileName()),
        std::move(after));
    const auto warnings =
        std::ranges::count(read.value().diagnostics, Severity::Warning, [](const Diagnostic& d) { return d.severity; });
    QString text = tr("%1 imported").arg(ui::plural(static_cast<qint64>(more.size()), tr("hint"), tr("hints")));
    if (warnings > 0)
        for (const Diagnostic& d : read.value().diagnostics) {
            if (d.severity != Severity::Warning) continue;
            text += QStringLiteral("; %1").arg(fromStd(d.message));
            break;
        }
    report(text);
    return true;
}

bool HintController::exportFile(const QString& path) {
    const Document* document = controller_.document();
    if (document == nullptr) return false;
    const std::string text = hints::hintFileText({document->name().toStdString(), document->input().input.sha256},
                                                 document->request().hints);
    const auto written = io::writeFileAtomically(path.toStdString(), text);
    if (!written) {
        report(tr("Not written: %1").arg(errorText(written.error())));
        return false;
    }
    lastFile_ = path;
    report(tr("Hints written to %1").arg(path));
    return true;
}

Result<std::string> HintController::overrideText(const Document& document) const {
    const TargetUi& target = targetUi(document.target());
    return target.hintsAsText != nullptr ? target.hintsAsText(document.request().hints) : std::string();
}

QString HintController::whyNoOverride() const {
    const Document* document = controller_.document();
    const Result<std::string> text = document == nullptr ? std::string() : overrideText(*document);
    return text ? tr("No hint in force can be said as an override.") : fromStd(text.error().primary().message);
}

QString HintController::copyText(const QString& form) const {
    const Document* document = controller_.document();
    if (document == nullptr) return {};
    if (form == u"override") {
        const Result<std::string> text = overrideText(*document);
        return text ? fromStd(text.value()) : QString();
    }
    if (form == u"environment") return fromStd(hints::environmentVariables(document->settings()));
    const QString file = lastFile_.isEmpty() ? document->name() + QStringLiteral(".hints.json") : lastFile_;
    return fromStd(hints::commandLine(document->input().input.path, document->target(), document->settings(), {})) +
           machineOption(*document) + hintOptions(*document, file);
}

void HintController::report(const QString& text) {
    window_.message(text);
}

}  // namespace memplan::app

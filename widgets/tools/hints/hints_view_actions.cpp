// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, keys and drops of the Hints dock (user-experience 11.5, 11.6, 21).
#include "engine/hints/kinds.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/tools/hints/editor/hint_editor.h"
#include "widgets/tools/hints/hint_templates.h"
#include "widgets/tools/hints/hints_view.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QTableView>

#include <algorithm>

namespace memplan::ui {

namespace {

/// An operation or buffer that was dragged here; nothing else takes hints.
std::optional<ItemId> itemOf(const QMimeData& data) {
    const auto item = itemOfLink(QString::fromLatin1(data.data(kItemMime)));
    const bool takesHints = item && (item->kind == ItemKind::Op || item->kind == ItemKind::Buffer);
    return takesHints ? item : std::nullopt;
}

}  // namespace

void HintsView::fillTemplates(QMenu& menu) {
    menu.clear();
    if (!hub_->plan()) {
        menu.addAction(tr("Compile first"))->setEnabled(false);
        return;
    }
    for (const HintTemplate& t : hintTemplates(*hub_->plan(), hub_->selection())) {
        QAction* action = menu.addAction(icon(QStringLiteral("template")), t.title, this, [this, t] {
            if (!t.draftKey.isEmpty()) return startHint(hub_->selection(), t.draftKey);
            putHints(t.hints, t.title);
        });
        action->setEnabled(t.isPossible());
        action->setToolTip(t.why);
    }
}

void HintsView::fillMore(QMenu& menu) {
    menu.clear();
    addRowActions(menu);
    addFileActions(menu);
    menu.addSeparator();
    menu.addAction(icon(QStringLiteral("open")), tr("Import hints..."), this, &HintsView::importRequested);
    addPaste(menu);
    menu.addAction(icon(QStringLiteral("export")), tr("Export hints..."), this, &HintsView::exportRequested)
        ->setEnabled(model_->rowCount() > 0);
    menu.addSeparator();
    const auto copy = [this](const char* form) {
        return [this, form] { emit copyRequested(QString::fromLatin1(form)); };
    };
    menu.addAction(icon(QStringLiteral("copy-command")), tr("Copy as command line"), this, copy("command-line"));
    menu.addAction(tr("Copy as environment variables"), this, copy("environment"));
    if (hints::findKind(context_.target(), "output_layout") != nullptr)
        menu.addAction(tr("Copy as override string"), this, copy("override"));
}

void HintsView::addPaste(QMenu& menu) {
    QAction* action =
        menu.addAction(tr("Paste hints and settings") + QStringLiteral("\tCtrl+V"), this, [this] { paste(); });
    action->setEnabled(!QGuiApplication::clipboard()->text().trimmed().isEmpty());
    action->setToolTip(tr("Takes environment variables, a command line of memplan, or the text of a hint file"));
}

bool HintsView::paste() {
    const QString text = QGuiApplication::clipboard()->text();
    if (text.trimmed().isEmpty() || !refused_.isEmpty()) return false;
    emit pasteRequested(text);
    return true;
}

void HintsView::addRowActions(QMenu& menu) {
    const std::vector<int> rows = selectedRows();
    const bool any = std::ranges::any_of(rows, [this](int r) { return !model_->row(r).isFixed; });
    const bool one = rows.size() == 1 && any;
    const bool allOn = std::ranges::all_of(
        rows, [this, any](int r) { return (any && model_->row(r).isFixed) || model_->row(r).hint.enabled; });
    const bool inOrder = table_->horizontalHeader()->sortIndicatorSection() < 0;
    const auto add = [&](const QString& name, const QString& text, bool on, auto slot) {
        QAction* action = menu.addAction(name.isEmpty() ? QIcon() : icon(name), text, this, slot);
        action->setEnabled(on);
    };
    if (one && model_->row(rows.front()).isGone) addRetarget(menu, rows.front());
    add(QStringLiteral("edit"), tr("Edit...") + QStringLiteral("\tEnter"), one, [this] { editCurrent(); });
    add(QString(), allOn ? tr("Switch off") + QStringLiteral("\tSpace") : tr("Switch on") + QStringLiteral("\tSpace"),
        any, [this, rows, allOn] { model_->setEnabled(rows, !allOn); });
    add(QStringLiteral("copy"), tr("Duplicate") + QStringLiteral("\tCtrl+Insert"), !rows.empty(),
        [this, rows] { model_->duplicate(rows); });
    if (!rows.empty() && model_->row(rows.front()).isFixed) addTakeOver(menu, rows.front());
    add(QString(), tr("Move up") + QStringLiteral("\tAlt+Up"), any && inOrder, [this] { moveRows(-1); });
    add(QString(), tr("Move down") + QStringLiteral("\tAlt+Down"), any && inOrder, [this] { moveRows(1); });
    add(QStringLiteral("trash"), tr("Remove") + QStringLiteral("\tDelete"), any,
        [this, rows] { model_->remove(rows); });
}

/// Those behind it come along: else the order, which counts, would be another one.
void HintsView::addTakeOver(QMenu& menu, int first) {
    const int count = model_->fixedCount() - first;
    QAction* action = menu.addAction(icon(QStringLiteral("edit")),
                                     count == 1 ? tr("Take over from the graph file")
                                                : tr("Take over %1 hints of the graph file").arg(count),
                                     this, [this, first] { emit takeOverRequested(first); });
    action->setObjectName(QStringLiteral("hintTakeOver"));
    action->setToolTip(count == 1 ? tr("Makes it yours to change; the plan stays as it is, and so does the file")
                                  : tr("Makes this one and those of the file that follow it yours to change: the order "
                                       "of hints counts. The plan stays as it is, and so does the file"));
}

/// All of the graph file's at once, and the way back.
void HintsView::addFileActions(QMenu& menu) {
    const std::vector<int> rows = selectedRows();
    const bool isOffered = !rows.empty() && rows.front() == 0;  // by the actions of the row
    if (model_->fixedCount() > 0 && !isOffered) addTakeOver(menu, 0);
    if (takenOver_ == 0) return;
    QAction* action = menu.addAction(tr("Use the graph file's hints again"), this, &HintsView::giveBackRequested);
    action->setObjectName(QStringLiteral("hintGiveBack"));
    action->setToolTip(tr("The hints that were taken over are in force as the file has them; of yours, those go that "
                          "say just the same"));
}

void HintsView::openMenu(const QPoint& position) {
    if (!refused_.isEmpty()) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(icon(QStringLiteral("hint-add")), tr("New hint...") + QStringLiteral("\tInsert"), this,
                    [this] { startHint(hub_->selection(), {}); });
    addPaste(*menu);
    menu->addSeparator();
    addRowActions(*menu);
    addFileActions(*menu);
    menu->setToolTipsVisible(true);
    if (const auto primary = hub_->primary()) {
        menu->addSeparator();
        addItemActions(*menu, hub_, *primary, false);
    }
    menu->popup(table_->viewport()->mapToGlobal(position));
}

void HintsView::moveRows(int direction) {
    const std::vector<int> rows = selectedRows();
    if (rows.empty() || table_->horizontalHeader()->sortIndicatorSection() >= 0) return;
    const int before = direction < 0 ? rows.front() - 1 : rows.back() + 2;
    if (before < model_->fixedCount() || before > model_->rowCount()) return;
    std::vector<int> after;
    const int first = direction < 0 ? rows.front() - 1 : rows.back() + 2 - static_cast<int>(rows.size());
    for (int i = 0; i < static_cast<int>(rows.size()); ++i)
        after.push_back(first + i);
    model_->move(rows, before);
    busy_ = true;
    restoreSelection(after, after.front());
    busy_ = false;
}

bool HintsView::tableKey(int key, Qt::KeyboardModifiers modifiers) {
    const bool isPlain = !(modifiers & (Qt::ControlModifier | Qt::AltModifier));
    if (modifiers.testFlag(Qt::AltModifier) && (key == Qt::Key_Up || key == Qt::Key_Down))
        return moveRows(key == Qt::Key_Up ? -1 : 1), true;
    if (modifiers == Qt::ControlModifier && key == Qt::Key_Insert) return model_->duplicate(selectedRows()), true;
    if (modifiers == Qt::ControlModifier && key == Qt::Key_V) return paste();
    if (!isPlain) return false;
    switch (key) {
    case Qt::Key_Delete:
        model_->remove(selectedRows());
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        editCurrent();
        return true;
    case Qt::Key_Insert:
        startHint(hub_->selection(), {});
        return true;
    case Qt::Key_Space: {
        const std::vector<int> rows = selectedRows();
        const bool allOn = std::ranges::all_of(rows, [this](int r) { return model_->row(r).hint.enabled; });
        model_->setEnabled(rows, !allOn);
        return true;
    }
    case Qt::Key_Escape:
        if (editor_->isHidden()) return hub_->escape();
        closeEditor();
        return true;
    default:
        return false;
    }
}

bool HintsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (tableKey(key->key(), key->modifiers())) return true;
    }
    return QWidget::eventFilter(watched, event);
}

void HintsView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(kItemMime)) event->acceptProposedAction();
}

void HintsView::dropEvent(QDropEvent* event) {
    const auto item = itemOf(*event->mimeData());
    if (!item || hub_->itemName(*item).isEmpty()) return;
    event->acceptProposedAction();
    startHint({*item}, {});
}

}  // namespace memplan::ui

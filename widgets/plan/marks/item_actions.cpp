// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/marks/item_actions.h"

#include "engine/hints/kinds.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/item_json.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/units.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QMenu>
#include <QShortcut>

#include <algorithm>

namespace memplan::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ItemActions", text);
}

QString noteActionText(const SelectionHub& hub, ItemId item) {
    return hub.noteWords(item).isEmpty() ? tr("Add note...") : tr("Edit note...");
}

}  // namespace

void addItemActions(QMenu& menu, SelectionHub* hub, ItemId item, bool withKeys) {
    const auto keyed = [withKeys](const QString& text, const char* key) {
        return withKeys ? text + u'\t' + QLatin1String(key) : text;
    };
    const auto show = [hub, item](const char* view) {
        return [hub, item, view] { hub->requestShow(item, QString::fromLatin1(view)); };
    };
    menu.addAction(icon(QStringLiteral("inspector")), tr("Inspect") + u'\t' + tr("Enter"), hub,
                   [hub, item] { hub->requestInspect(item); });
    menu.addAction(icon(QStringLiteral("graph-view")), tr("Show in graph"), hub, show("graph"));
    menu.addAction(icon(QStringLiteral("lx-gantt")), tr("Show in Gantt"), hub, show("gantt"));
    menu.addAction(icon(QStringLiteral("core-grid")), tr("Show in core grid"), hub, show("cores"));
    menu.addSeparator();
    const bool isLoop = item.kind == ItemKind::Loop;
    const bool hintable = isLoop || item.kind == ItemKind::Op || item.kind == ItemKind::Buffer;
    if (hub->offersHints() && hintable) {
        menu.addAction(icon(QStringLiteral("hint-add")), keyed(tr("Add hint..."), "H"), hub,
                       [hub, item] { hub->requestHint(item, {}); });
        if (!isLoop && hub->plan() && hints::findKind(hub->plan()->target, "pin") != nullptr) {
            menu.addAction(icon(QStringLiteral("pin")), keyed(tr("Pin on chip"), "P"), hub,
                           [hub, item] { hub->requestHint(item, QStringLiteral("pin")); });
            menu.addAction(icon(QStringLiteral("unpin")), keyed(tr("Remove pin"), "U"), hub,
                           [hub, item] { hub->requestHint(item, QStringLiteral("unpin")); });
        }
        menu.addSeparator();
    }
    menu.addAction(icon(QStringLiteral("copy")), tr("Copy name"), hub,
                   [hub, item] { QApplication::clipboard()->setText(hub->itemName(item)); });
    menu.addAction(tr("Copy as JSON"), hub,
                   [hub, item] { QApplication::clipboard()->setText(itemJson(hub->plan().get(), item)); });
    if (hub->offersHints())
        menu.addAction(icon(QStringLiteral("notes-flag")), noteActionText(*hub, item), hub,
                       [hub, item] { hub->requestNote(item); });
    menu.addSeparator();
}

void addRangeActions(QMenu& menu, SelectionHub* hub) {
    const auto range = hub->range();
    if (!range) return;
    if (hub->offersHints()) {
        const auto& ranges = hub->notes()->ranges;
        const bool has = std::ranges::any_of(ranges, [&](const auto& r) { return r.steps == *range; });
        const QString text = has ? tr("Edit note on steps %1...") : tr("Add note to steps %1...");
        menu.addAction(icon(QStringLiteral("notes-flag")), text.arg(rangeText(*range)), hub,
                       [hub, range] { hub->requestRangeNote(*range); });
    }
    menu.addAction(tr("Clear the range of steps"), hub, [hub] { hub->setRange(std::nullopt); });
    menu.addSeparator();
}

void setUpItemMenu(QAbstractItemView* view, SelectionHub* hub) {
    view->setContextMenuPolicy(Qt::CustomContextMenu);
    const auto itemAt = [](const QModelIndex& index) -> std::optional<ItemId> {
        const QVariant id = index.siblingAtColumn(0).data(IdRole);
        return id.canConvert<ItemId>() ? std::optional(id.value<ItemId>()) : std::nullopt;
    };
    QObject::connect(view, &QWidget::customContextMenuRequested, view, [view, hub, itemAt](const QPoint& at) {
        const auto item = itemAt(view->indexAt(at));
        if (!item) return;
        auto* menu = new QMenu(view);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addItemActions(*menu, hub, *item, false);
        menu->popup(view->viewport()->mapToGlobal(at));
    });
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* inspect = new QShortcut(QKeySequence(key), view);
        inspect->setContext(Qt::WidgetShortcut);
        QObject::connect(inspect, &QShortcut::activated, view, [view, hub, itemAt] {
            if (const auto item = itemAt(view->currentIndex())) hub->requestInspect(*item);
        });
    }
}

}  // namespace memplan::ui

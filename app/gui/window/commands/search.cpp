// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/commands/search.h"

#include "app/gui/document/document_controller.h"
#include "app/gui/features/notes/notes_view.h"
#include "app/gui/preferences/action_table.h"
#include "app/gui/window/docks/docks.h"
#include "widgets/tools/palette/command_palette.h"

namespace memplan::app {

namespace {

QString plainText(const QString& menuText) {
    return QString(menuText)
        .remove(QLatin1Char('&'))
        .remove(QStringLiteral("..."))
        .replace(QLatin1Char('/'), QStringLiteral(" > "));
}

}  // namespace

Search::Search(QWidget* window, const Parts& parts)
    : QObject(window), parts_(parts), palette_(new ui::CommandPalette(window)) {
    connect(palette_, &ui::CommandPalette::commandChosen, this, [this](const QString& id) {
        if (QAction* action = parts_.actions.action(id)) action->trigger();
    });
    connect(palette_, &ui::CommandPalette::itemsChosen, this, &Search::showItems);
}

void Search::open(const QString& text) {
    std::vector<ui::PaletteCommand> commands;
    for (const ActionRow& row : parts_.actions.rows()) {
        const QAction* action = parts_.actions.action(row.id);
        if (!action->isVisible()) continue;
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        commands.push_back({row.id, plainText(row.text), plainText(row.menu), keys.join(QStringLiteral(", ")),
                            row.icon.isEmpty() ? QStringLiteral("chevron-right") : row.icon, action->isEnabled()});
    }
    ui::CommandPalette& palette = *palette_;
    palette.items().setCommands(std::move(commands));
    palette.items().setPlan(parts_.controller.document() == nullptr ? nullptr : parts_.controller.hub().plan());
    const PlanPtr& plan = parts_.controller.hub().plan();
    const Document* document = parts_.controller.document();
    palette.items().setNotes(document != nullptr && plan ? paletteNotes(*plan, document->notes())
                                                         : std::vector<ui::PaletteNote>());
    const int top = parts_.toolBar.isVisible() ? parts_.toolBar.geometry().bottom() + 1 : parts_.menus.height();
    palette.setTopEdge(top);
    palette.open(text);
}

void Search::showItems(const std::vector<ui::ItemId>& items, bool show) {
    if (items.empty()) return;
    ui::SelectionHub& hub = parts_.controller.hub();
    hub.setSelection(items, items.front());
    if (!show) return;
    const QString view = QString::fromLatin1(ui::itemInfo(items.front().kind).view);
    if (!view.isEmpty()) return hub.requestShow(items.front(), view);
    parts_.docks.show(items.front().kind == ui::ItemKind::Pass ? DockId::Passes : DockId::Problems);
}

}  // namespace memplan::app

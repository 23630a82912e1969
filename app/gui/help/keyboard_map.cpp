// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/keyboard_map.h"

#include "app/gui/preferences/action_table.h"
#include "app/gui/workspace/view_info.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"

#include <QHash>
#include <QObject>

namespace memplan::app {
namespace {

struct ViewKey {
    const char* view;  ///< what is no picture; empty = every picture
    QString keys, text;
};

std::vector<ViewKey> table() {
    const auto tr = [](const char* text) { return QObject::tr(text); };
    return {
        {"", QStringLiteral("W S A D"), tr("zoom in, zoom out, pan left, pan right")},
        {"", tr("arrows"), tr("move the selection; pan when nothing is selected")},
        {"", QStringLiteral("F"), tr("fit the selection")},
        {"", QStringLiteral("Home"), tr("fit all")},
        {"", QStringLiteral("+ / - / 0"), tr("zoom in, out, 100 %")},
        {"", QStringLiteral("PgDn / PgUp"), tr("next / previous item in schedule order")},
        {"", tr("Enter"), tr("inspect the selection")},
        {"", QStringLiteral("H"), tr("add a hint for the selection")},
        {"", QStringLiteral("P / U"), tr("pin on chip / remove the pin")},
        {"", QStringLiteral(", / ."), tr("time cursor one step back / on")},
        {"", QStringLiteral("Ctrl+T"), tr("the view as a table")},
        {"", QStringLiteral("Ctrl+C"), tr("the same as Copy view as image")},
        {"", tr("Shift (held)"), tr("keep the tooltip open")},
        {"", QStringLiteral("Esc"), tr("cancel a drag, clear hover, range, selection")},
        {"passes", QStringLiteral("J / K"), tr("previous / next changed pass; in the difference: change")},
        {"passes", tr("Left / Right"), tr("previous / next pass")},
        {"passes", QStringLiteral("Home / End"), tr("first / last pass")},
        {"passes", tr("Enter (in a snapshot)"), tr("select what the line is about")},
        {"hints", tr("Space"), tr("switch the selected hints on or off")},
        {"hints", tr("Enter"), tr("edit the hint")},
        {"hints", tr("Insert"), tr("add a hint for the selection")},
        {"hints", tr("Ctrl+Insert"), tr("duplicate the selected hints")},
        {"hints", tr("Delete"), tr("remove the selected hints")},
        {"hints", tr("Alt+Up / Alt+Down"), tr("move the selected hints up / down")},
        {"hints", QStringLiteral("Ctrl+V"), tr("paste hints")},
        {"problems", tr("Enter"), tr("inspect the problem; on a head: open or close its group")},
        {"problems", QStringLiteral("F2"), tr("edit the hint that the problem is about")},
        {"problems", tr("Left / Right"), tr("close / open the group of a code")},
        {"tables", tr("Enter"), tr("inspect the row")},
        {"notes", tr("Delete"), tr("remove the note")},
        {"sweep", tr("arrows"), tr("go over the cells")},
        {"sweep", tr("Enter"), tr("make the plan of the cell current")},
    };
}

}  // namespace

QString keyGroup(const QString& view) {
    static const QHash<QString, QString> kNames{
        {QString(), QObject::tr("Every view")},
        {QStringLiteral("passes"), QObject::tr("Passes")},
        {QStringLiteral("hints"), QObject::tr("Hints")},
        {QStringLiteral("problems"), QObject::tr("Problems")},
        {QStringLiteral("tables"), QObject::tr("Tables")},
        {QStringLiteral("notes"), QObject::tr("Notes")},
        {QStringLiteral("sweep"), QObject::tr("Sweep")},
    };
    const ViewInfo* info = viewInfo(view);
    return info != nullptr ? titleOf(*info) : kNames.value(view);
}

std::vector<KeyRow> viewKeys(const Workspace& workspace, const QString& view) {
    std::vector<KeyRow> own, shared;
    for (const ui::GraphicView* picture : workspace.views()) {
        if (!view.isEmpty() && view != picture->viewKey()) continue;
        for (const ui::KeyHelp& key : picture->keyHelp())
            own.push_back({keyGroup(picture->viewKey()), key.keys, key.text});
    }
    for (const ViewKey& key : table()) {
        const QString at = QString::fromLatin1(key.view);
        const bool isAny = view.isEmpty() || (at.isEmpty() ? viewInfo(view) != nullptr : at == view);
        if (isAny) (at.isEmpty() ? shared : own).push_back({keyGroup(at), key.keys, key.text});
    }
    // What a view does by itself comes first: it may mean something else by a key of every view.
    std::vector<KeyRow>& rows = view.isEmpty() ? shared : own;
    const std::vector<KeyRow>& rest = view.isEmpty() ? own : shared;
    rows.insert(rows.end(), rest.begin(), rest.end());
    return rows;
}

std::vector<KeyRow> actionKeys(const ActionTable& actions) {
    std::vector<KeyRow> rows;
    for (const ActionRow& row : actions.rows()) {
        QStringList keys;
        for (const QKeySequence& key : actions.action(row.id)->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        if (keys.isEmpty()) continue;
        const QString menu =
            QString(row.menu).remove(QLatin1Char('&')).replace(QLatin1Char('/'), QStringLiteral(" > "));
        rows.push_back({menu, keys.join(QStringLiteral(", ")),
                        QString(row.text).remove(QLatin1Char('&')).remove(QStringLiteral("..."))});
    }
    return rows;
}

QString keysPage(const ActionTable& actions, const Workspace& workspace) {
    QString page = QObject::tr("# Keys\n\nThe keys of actions can be changed under *Edit > Settings > Shortcuts*. "
                               "Single letters act in graphic views only.\n");
    QString group;
    std::vector<KeyRow> rows = actionKeys(actions);
    const std::vector<KeyRow> views = viewKeys(workspace);
    rows.insert(rows.end(), views.begin(), views.end());
    for (const KeyRow& row : rows) {
        if (row.group != group) {
            group = row.group;
            page += QStringLiteral("\n## %1\n\n| %2 | %3 |\n|---|---|\n")
                        .arg(group, QObject::tr("Keys"), QObject::tr("Action"));
        }
        page += QStringLiteral("| %1 | %2 |\n").arg(row.keys, row.text);
    }
    return page;
}

}  // namespace memplan::app

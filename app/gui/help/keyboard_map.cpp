// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/keyboard_map.h"

#include "app/gui/preferences/actions.h"

#include <QHash>
#include <QObject>

namespace memplan::app {
namespace {

struct ViewKey {
    const char* view;  ///< empty = every view
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
        {"", QStringLiteral("Ctrl+C"), tr("copy the view as picture, table text and drawing")},
        {"", tr("Shift (held)"), tr("keep the tooltip open")},
        {"", QStringLiteral("Esc"), tr("cancel a drag, clear hover, range, selection")},
        {"graph", tr("Space"), tr("open or close a group")},
        {"graph", QStringLiteral("N"), tr("neighbours of the selection only")},
        {"graph", QStringLiteral("K"), tr("critical paths")},
        {"graph", QStringLiteral("T / Shift+T"), tr("trace the selection / all paths from there to the selection")},
        {"graph", QStringLiteral("M"), tr("bird's-eye map")},
        {"graph", QStringLiteral("Ctrl+L"), tr("top to bottom or left to right")},
        {"graph", tr("Up / Down"), tr("to what the selection reads / to what reads it")},
        {"graph", tr("Alt+Space"), tr("open or close all groups that are alike")},
        {"cores", tr("arrows"), tr("mark another core")},
        {"cores", tr("Space"), tr("open or close the memory of the marked core")},
        {"gantt", QStringLiteral("O"), tr("off-chip lane")},
        {"gantt", QStringLiteral("[ / ]"), tr("previous / next peak")},
        {"gantt", tr("Up / Down"), tr("buffer that lies next above / below at the same time")},
        {"gantt", tr("Alt (while dragging a buffer)"), tr("propose a limit, at or below, not an address")},
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

bool isPicture(const QString& view) {
    return view == u"graph" || view == u"cores" || view == u"gantt";
}

}  // namespace

QString keyGroup(const QString& view) {
    static const QHash<QString, QString> kNames{
        {QString(), QObject::tr("Every view")},
        {QStringLiteral("graph"), QObject::tr("Graph")},
        {QStringLiteral("cores"), QObject::tr("Core grid")},
        {QStringLiteral("gantt"), QObject::tr("LX Gantt")},
        {QStringLiteral("passes"), QObject::tr("Passes")},
        {QStringLiteral("hints"), QObject::tr("Hints")},
        {QStringLiteral("problems"), QObject::tr("Problems")},
        {QStringLiteral("tables"), QObject::tr("Tables")},
        {QStringLiteral("notes"), QObject::tr("Notes")},
        {QStringLiteral("sweep"), QObject::tr("Sweep")},
    };
    return kNames.value(view);
}

std::vector<KeyRow> viewKeys(const QString& view) {
    std::vector<KeyRow> own, shared;
    for (const ViewKey& key : table()) {
        const QString at = QString::fromLatin1(key.view);
        if (at.isEmpty() && (view.isEmpty() || isPicture(view))) shared.push_back({keyGroup(at), key.keys, key.text});
        if (!at.isEmpty() && (view.isEmpty() || at == view)) own.push_back({keyGroup(at), key.keys, key.text});
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

QString keysPage(const ActionTable& actions) {
    QString page = QObject::tr("# Keys\n\nThe keys of actions can be changed under *Edit > Settings > Shortcuts*. "
                               "Single letters act in graphic views only.\n");
    QString group;
    std::vector<KeyRow> rows = actionKeys(actions);
    const std::vector<KeyRow> views = viewKeys();
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

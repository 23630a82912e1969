// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/keyboard_map.h"

#include "actions.h"

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
        {"gantt", QStringLiteral("O"), tr("off-chip lane")},
        {"gantt", QStringLiteral("[ / ]"), tr("next / previous peak")},
        {"passes", QStringLiteral("J / K"), tr("previous / next changed pass")},
        {"hints", tr("Delete"), tr("remove the selected hint")},
    };
}

QString groupName(const QString& view) {
    if (view.isEmpty()) return QObject::tr("Every view");
    if (view == u"graph") return QObject::tr("Graph");
    if (view == u"gantt") return QObject::tr("LX Gantt");
    if (view == u"passes") return QObject::tr("Passes");
    return QObject::tr("Hints");
}

}  // namespace

std::vector<KeyRow> viewKeys(const QString& view) {
    std::vector<KeyRow> rows;
    for (const ViewKey& key : table()) {
        const QString own = QString::fromLatin1(key.view);
        if (view.isEmpty() || own.isEmpty() || own == view) rows.push_back({groupName(own), key.keys, key.text});
    }
    return rows;
}

std::vector<KeyRow> actionKeys(const ActionTable& actions) {
    std::vector<KeyRow> rows;
    for (const ActionRow& row : actions.rows()) {
        QStringList keys;
        for (const QKeySequence& key : actions.action(row.id)->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        if (keys.isEmpty()) continue;
        rows.push_back({QString(row.menu).remove(QLatin1Char('&')), keys.join(QStringLiteral(", ")),
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

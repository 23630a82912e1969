// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/parts/document_changes.h"

#include "widgets/plan/units.h"

#include <QFileInfo>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

/// "Hint pin on tensor:y"
QString hintName(const Hint& hint) {
    QStringList scopes;
    for (const std::string& scope : hint.scopes)
        scopes << fromStd(scope);
    if (scopes.size() > 3) scopes = scopes.mid(0, 3) << QObject::tr("and %1 more").arg(scopes.size() - 3);
    return QObject::tr("Hint %1 on %2").arg(fromStd(hint.key), scopes.join(QStringLiteral(", ")));
}

bool isSameSubject(const Hint& a, const Hint& b) {
    return a.key == b.key && a.scopes == b.scopes;
}

}  // namespace

QStringList hintChanges(const HintLists& beforeLists, const HintLists& afterLists) {
    QStringList lines;
    // A hint that changed sides is reported once, as that; what was done to it since is reported too.
    const std::vector<Hint> taken = missingIn(afterLists.takenOver, beforeLists.takenOver);
    const std::vector<Hint> given = missingIn(beforeLists.takenOver, afterLists.takenOver);
    for (const Hint& hint : taken)
        lines << QObject::tr("%1, taken over from the graph file").arg(hintName(hint));
    for (const Hint& hint : given)
        lines << QObject::tr("%1, as the graph file has it").arg(hintName(hint));
    std::vector<Hint> before = taken;
    before.insert(before.end(), beforeLists.own.begin(), beforeLists.own.end());
    std::vector<Hint> after = given;
    after.insert(after.end(), afterLists.own.begin(), afterLists.own.end());
    std::vector<Hint> gone = missingIn(before, after);
    for (const Hint& hint : missingIn(after, before)) {
        const auto was = std::find_if(gone.begin(), gone.end(), [&](const Hint& g) { return isSameSubject(g, hint); });
        if (was == gone.end()) {
            lines << QObject::tr("%1, added").arg(hintName(hint));
        } else {
            lines << QObject::tr("%1, changed").arg(hintName(hint));
            gone.erase(was);
        }
    }
    for (const Hint& hint : gone)
        lines << QObject::tr("%1, removed").arg(hintName(hint));
    if (lines.isEmpty() && before != after) lines << QObject::tr("Order of the hints");
    return lines;
}

QStringList noteChanges(const Notes& before, const Notes& after) {
    QStringList lines;
    for (const auto& [subject, text] : after) {
        const auto was = before.find(subject);
        if (was == before.end()) lines << QObject::tr("Note on %1 %2, added").arg(subject.kind, subject.name);
        if (was != before.end() && was->second != text)
            lines << QObject::tr("Note on %1 %2, changed").arg(subject.kind, subject.name);
    }
    for (const auto& [subject, text] : before) {
        if (after.find(subject) == after.end())
            lines << QObject::tr("Note on %1 %2, removed").arg(subject.kind, subject.name);
    }
    return lines;
}

QStringList sideChanges(const SideFiles& before, const SideFiles& after) {
    const auto has = [](const SideFiles& files, const SideFile& file) {
        return std::find(files.begin(), files.end(), file) != files.end();
    };
    QStringList lines;
    for (const SideFile& file : after)
        if (!has(before, file))
            lines << QObject::tr("Compiler records %1, attached").arg(QFileInfo(file.path).fileName());
    for (const SideFile& file : before)
        if (!has(after, file))
            lines << QObject::tr("Compiler records %1, removed").arg(QFileInfo(file.path).fileName());
    return lines;
}

QStringList settingChanges(const Settings& before, const Settings& after) {
    QStringList lines;
    for (const SettingInfo& info : allSettings()) {
        if (before.value(info.key) == after.value(info.key)) continue;
        const QString key = fromStd(std::string(info.key));
        lines << QObject::tr("Setting %1: %2 instead of %3")
                     .arg(key, fromStd(after.textOf(info.key)), fromStd(before.textOf(info.key)));
    }
    return lines;
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/preferences/preferences.h"

#include "app/gui/targets/targets.h"
#include "engine/settings/settings.h"
#include "engine/solve/solver.h"
#include "widgets/plan/units.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace memplan::app {
namespace {

using Kind = PreferenceRow::Kind;

constexpr const char* kShortcuts = "shortcuts/";

std::vector<PreferenceRow> generalRows() {
    const QString page = QObject::tr("General");
    return {
        {"general/language",
         page,
         QObject::tr("Language"),
         QObject::tr("The window is in English."),
         Kind::Choice,
         "english",
         0,
         0,
         {},
         {"english"},
         {QObject::tr("English")}},
        {"general/unit",
         page,
         QObject::tr("Unit of sizes"),
         QObject::tr("Tooltips and deciding numbers stay exact bytes."),
         Kind::Choice,
         "bytes",
         0,
         0,
         {},
         {"bytes", "kib", "mib", "sticks"},
         {QObject::tr("bytes"), QObject::tr("KiB"), QObject::tr("MiB"), QObject::tr("sticks")}},
        {"general/hex", page, QObject::tr("Addresses in hexadecimal"), {}, Kind::Bool, false},
        {"general/wheel",
         page,
         QObject::tr("Mouse wheel"),
         QObject::tr("Ctrl+wheel does the other."),
         Kind::Choice,
         "zoom",
         0,
         0,
         {},
         {"zoom", "scroll"},
         {QObject::tr("zooms"), QObject::tr("scrolls")}},
        {"general/auto_recompile_ops", page, QObject::tr("Recompile by itself below"),
         QObject::tr("Documents with more operations start with automatic recompile off."), Kind::Int, 500, 0, 100000,
         QObject::tr(" operations")},
        {"general/undo_depth", page, QObject::tr("Undo depth"), QObject::tr("For documents opened from now on."),
         Kind::Int, 500, 10, 10000, QObject::tr(" steps")},
    };
}

std::vector<PreferenceRow> appearanceRows() {
    const QString page = QObject::tr("Appearance");
    return {
        {"appearance/theme",
         page,
         QObject::tr("Theme"),
         {},
         Kind::Choice,
         "system",
         0,
         0,
         {},
         {"system", "light", "dark", "highContrast"},
         {QObject::tr("as the system"), QObject::tr("light"), QObject::tr("dark"), QObject::tr("high contrast")}},
        {"appearance/palette",
         page,
         QObject::tr("Colours of memory"),
         QObject::tr("Without colour, patterns and letters show what is where."),
         Kind::Choice,
         "colour",
         0,
         0,
         {},
         {"colour", "monochrome"},
         {QObject::tr("colours and patterns"), QObject::tr("patterns only")}},
        {"appearance/label_percent", page, QObject::tr("Size of text"),
         QObject::tr("On top of the system's font size."), Kind::Int, 100, 75, 200, QObject::tr(" %")},
        {"appearance/reduced_motion", page, QObject::tr("Reduced motion"),
         QObject::tr("Nothing slides; pictures change at once."), Kind::Bool, false},
    };
}

std::vector<PreferenceRow> graphRows() {
    const QString page = QObject::tr("Graph");
    return {
        {"graph/direction",
         page,
         QObject::tr("Direction"),
         {},
         Kind::Choice,
         "down",
         0,
         0,
         {},
         {"down", "right"},
         {QObject::tr("top to bottom"), QObject::tr("left to right")}},
        {"graph/visible_nodes", page, QObject::tr("Ask before laying out more than"),
         QObject::tr("Larger pictures are offered collapsed first."), Kind::Int, 500, 50, 5000, QObject::tr(" nodes")},
        {"graph/deadline_ms", page, QObject::tr("Time for a layout"), QObject::tr("Then the built-in layout is used."),
         Kind::Int, 1500, 100, 60000, QObject::tr(" ms")},
    };
}

std::vector<PreferenceRow> compileRows() {
    const QString page = QObject::tr("Compile");
    QStringList solvers{QStringLiteral("file")};
    QStringList titles{QObject::tr("as the file or the default says")};
    for (const solve::Solver* s : solve::allSolvers()) {
        solvers << ui::fromStd(std::string(s->id()));
        titles << solvers.constLast();
    }
    std::vector<PreferenceRow> rows{
        {"compile/threads", page, QObject::tr("Threads"), QObject::tr("0 = as many as the machine has."), Kind::Int, 0,
         0, 256},
        {"compile/time_limit_seconds", page, QObject::tr("Time limit of a compile"), QObject::tr("0 = no limit."),
         Kind::Int, 0, 0, 86400, QObject::tr(" s")},
        {"compile/solver",
         page,
         QObject::tr("Default solver"),
         QObject::tr("For files opened from now on."),
         Kind::Choice,
         "file",
         0,
         0,
         {},
         solvers,
         titles},
    };
    // What this version of the engine does not act on is not offered.
    const SettingInfo* threads = findSetting("engine.threads");
    if (threads == nullptr || !threads->inUse) rows.erase(rows.begin());
    return rows;
}

std::vector<PreferenceRow> fileRows() {
    const QString page = QObject::tr("Files");
    return {
        {"files/autosave_seconds", page, QObject::tr("Save a copy for recovery every"),
         QObject::tr("0 = only before a compile."), Kind::Int, 30, 0, 3600, QObject::tr(" s")},
        {"files/recent_count", page, QObject::tr("Recent files kept"), {}, Kind::Int, 10, 0, 50},
        {"files/open_folder", page, QObject::tr("Folder to open from"), QObject::tr("Empty = the last one used."),
         Kind::Folder, QString()},
        {"files/save_folder", page, QObject::tr("Folder to save to"), QObject::tr("Empty = beside the document."),
         Kind::Folder, QString()},
    };
}

std::vector<PreferenceRow> exportRows() {
    const QString page = QObject::tr("Export");
    return {
        {"export/format",
         page,
         QObject::tr("Picture format"),
         {},
         Kind::Choice,
         "png",
         0,
         0,
         {},
         {"png", "svg", "pdf"},
         {QObject::tr("PNG"), QObject::tr("SVG"), QObject::tr("PDF")}},
        {"export/scale", page, QObject::tr("Scale of PNG pictures"), {}, Kind::Int, 2, 1, 4, QObject::tr(" x")},
        {"export/theme",
         page,
         QObject::tr("Theme of pictures"),
         {},
         Kind::Choice,
         "light",
         0,
         0,
         {},
         {"light", "screen", "grey"},
         {QObject::tr("light, for paper"), QObject::tr("as on screen"), QObject::tr("greyscale")}},
        {"export/title", page, QObject::tr("Title in pictures"), {}, Kind::Bool, true},
        {"export/legend", page, QObject::tr("Legend in pictures"), {}, Kind::Bool, true},
    };
}

}  // namespace

Preferences::Preferences() {
    for (const auto& rows : {generalRows(), appearanceRows(), graphRows(), compileRows(), fileRows(), exportRows()})
        rows_.insert(rows_.end(), rows.begin(), rows.end());
}

Preferences& Preferences::instance() {
    static Preferences one;
    return one;
}

QStringList Preferences::pages() const {
    QStringList list;
    for (const PreferenceRow& row : rows_) {
        if (!list.contains(row.page)) list << row.page;
    }
    return list;
}

const PreferenceRow* Preferences::row(const QString& key) const {
    const auto it = std::find_if(rows_.begin(), rows_.end(), [&](const PreferenceRow& r) { return r.key == key; });
    return it == rows_.end() ? nullptr : &*it;
}

bool Preferences::isLegal(const PreferenceRow& row, const QVariant& value) {
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    switch (row.kind) {
    case Kind::Bool:
        return value.canConvert<bool>();
    case Kind::Int:
    case Kind::Real:
        return isNumber && number >= row.least && number <= row.most;
    case Kind::Choice:
        return row.choices.contains(value.toString());
    case Kind::Folder:
        return true;
    }
    return false;
}

QVariant Preferences::value(const QString& key) const {
    const PreferenceRow* found = row(key);
    if (found == nullptr) return {};
    const QVariant stored = QSettings().value(key);
    if (!stored.isValid() || !isLegal(*found, stored)) return found->byDefault;
    // The file holds text; the value has the type of the default.
    switch (found->kind) {
    case Kind::Bool:
        return stored.toBool();
    case Kind::Int:
        return stored.toInt();
    case Kind::Real:
        return stored.toDouble();
    default:
        return stored.toString();
    }
}

bool Preferences::isDefault(const QString& key) const {
    const PreferenceRow* found = row(key);
    return found != nullptr && value(key) == found->byDefault;
}

void Preferences::set(const QString& key, const QVariant& value) {
    const PreferenceRow* found = row(key);
    if (found == nullptr || !isLegal(*found, value) || value == this->value(key)) return;
    QSettings settings;
    if (value == found->byDefault)
        settings.remove(key);
    else
        settings.setValue(key, value);
    emit changed(key);
}

void Preferences::resetPage(const QString& page) {
    for (const PreferenceRow& r : rows_) {
        if (r.page == page) set(r.key, r.byDefault);
    }
}

QString Preferences::shortcut(const QString& action, const QString& shipped) const {
    return QSettings().value(QString::fromLatin1(kShortcuts) + action, shipped).toString();
}

void Preferences::setShortcut(const QString& action, const QString& keys, const QString& shipped) {
    QSettings settings;
    const QString key = QString::fromLatin1(kShortcuts) + action;
    if (keys == shipped)
        settings.remove(key);
    else
        settings.setValue(key, keys);
    emit shortcutsChanged();
}

void Preferences::resetShortcuts() {
    QSettings().remove(QStringLiteral("shortcuts"));
    emit shortcutsChanged();
}

QString Preferences::filePath() {
    return QSettings().fileName();
}

bool Preferences::exportTo(const QString& path) const {
    QSettings out(path, QSettings::IniFormat);
    out.clear();
    for (const PreferenceRow& r : rows_)
        out.setValue(r.key, value(r.key));
    QSettings own;
    own.beginGroup(QStringLiteral("shortcuts"));
    for (const QString& action : own.childKeys())
        out.setValue(QString::fromLatin1(kShortcuts) + action, own.value(action));
    out.sync();
    return out.status() == QSettings::NoError;
}

bool Preferences::importFrom(const QString& path) {
    if (!QFileInfo(path).isReadable()) return false;
    QSettings in(path, QSettings::IniFormat);
    if (in.status() != QSettings::NoError) return false;
    const auto known =
        std::any_of(rows_.begin(), rows_.end(), [&](const PreferenceRow& r) { return in.contains(r.key); });
    if (!known) return false;
    for (const PreferenceRow& r : rows_) {
        if (in.contains(r.key)) set(r.key, in.value(r.key));
    }
    QSettings own;
    own.remove(QStringLiteral("shortcuts"));
    in.beginGroup(QStringLiteral("shortcuts"));
    for (const QString& action : in.childKeys())
        own.setValue(QString::fromLatin1(kShortcuts) + action, in.value(action));
    emit shortcutsChanged();
    return true;
}

std::vector<std::pair<std::string, std::string>> compileDefaults() {
    std::vector<std::pair<std::string, std::string>> pairs;
    const Preferences& p = Preferences::instance();
    const auto add = [&](const char* preference, const char* key) {
        const bool known = p.row(QString::fromLatin1(preference)) != nullptr;
        if (known && !p.isDefault(QString::fromLatin1(preference)))
            pairs.emplace_back(key, p.value(QString::fromLatin1(preference)).toString().toStdString());
    };
    add("compile/threads", "engine.threads");
    add("compile/time_limit_seconds", "engine.time_limit_seconds");
    add("compile/solver", targetUi({}).solverKey.data());
    return pairs;
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// What the user prefers (user-experience 23): one table of keys with page, kind, default and help.
// Kept in the settings file of the program, which is plain text; every change is announced at once.
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QStringList>
#include <QVariant>

#include <vector>

namespace memplan::app {

struct PreferenceRow {
    enum class Kind { Bool, Int, Real, Choice, Folder };
    QString key;   ///< "files/autosave_seconds"
    QString page;  ///< "Files"
    QString label;
    QString help;
    Kind kind = Kind::Bool;
    QVariant byDefault;
    double least = 0, most = 0;  ///< Int and Real
    QString suffix = {};
    QStringList choices = {};  ///< stored words of a Choice
    QStringList titles = {};   ///< what they are called
};

class Preferences final : public QObject {
    Q_OBJECT
public:
    /// The one set of the running program.
    [[nodiscard]] static Preferences& instance();

    [[nodiscard]] const std::vector<PreferenceRow>& rows() const { return rows_; }
    [[nodiscard]] QStringList pages() const;
    [[nodiscard]] const PreferenceRow* row(const QString& key) const;
    /// Value of a key of the table: the stored one if it is legal, else the default.
    [[nodiscard]] QVariant value(const QString& key) const;
    void set(const QString& key, const QVariant& value);  ///< ignored when out of range
    void resetPage(const QString& page);
    [[nodiscard]] bool isDefault(const QString& key) const;

    /// Shortcuts of actions that differ from the shipped ones.
    [[nodiscard]] QString shortcut(const QString& action, const QString& shipped) const;
    void setShortcut(const QString& action, const QString& keys, const QString& shipped);
    void resetShortcuts();

    [[nodiscard]] static QString filePath();
    /// The table's keys and the shortcuts as a readable file; false when it cannot be written or read.
    [[nodiscard]] bool exportTo(const QString& path) const;
    [[nodiscard]] bool importFrom(const QString& path);

signals:
    void changed(const QString& key);
    void shortcutsChanged();

private:
    Preferences();
    [[nodiscard]] static bool isLegal(const PreferenceRow& row, const QVariant& value);
    std::vector<PreferenceRow> rows_;
};

/// Settings that the preferences give to every file that is opened.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> compileDefaults();

}  // namespace memplan::app

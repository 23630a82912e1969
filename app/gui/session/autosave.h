// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of unsaved documents in the settings folder, every 30 s and before each compile, and what a run that died
// left behind (UX 3.12). Each running program has a folder of its own with a lock that dies with it.
#pragma once

#include <QDateTime>
#include <QList>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <string>

namespace memplan::app {

/// A copy that nobody holds any more.
struct RecoverableCopy {
    QString path;
    QString name;  ///< of the document
    QDateTime time;
    qsizetype hints = 0;
    qsizetype notes = 0;
};

/// The folder of this run among those of all runs.
class AutosaveFolder {
public:
    /// `root` empty: "autosave" in the program's settings folder.
    explicit AutosaveFolder(const QString& root = {});
    ~AutosaveFolder();  ///< an orderly end leaves nothing behind
    AutosaveFolder(const AutosaveFolder&) = delete;
    AutosaveFolder& operator=(const AutosaveFolder&) = delete;

    [[nodiscard]] QString newCopyPath();
    /// Copies of runs that are over, newest first.
    [[nodiscard]] QList<RecoverableCopy> recoverable() const;
    static void discard(const QString& copyPath);

private:
    QString root_, own_;
    std::unique_ptr<QLockFile> lock_;
    int next_ = 0;
};

/// Keeps the copy of one document.
class Autosaver final : public QObject {
    Q_OBJECT
public:
    static constexpr int kIntervalMs = 30000;

    /// `content` makes the text of the copy; an empty one means there is nothing to keep.
    Autosaver(AutosaveFolder& folder, std::function<std::string()> content, QObject* parent = nullptr);
    ~Autosaver() override;  ///< removes the copy

    void setInterval(int milliseconds);  ///< 0: only when it is asked to
    void touch();                        ///< something changed: the next round writes
    bool saveNow();                      ///< writes if something changed; true: the copy is there and says it all
    void forget();                       ///< the document was saved or closed: the copy goes
    [[nodiscard]] const QString& copyPath() const { return path_; }

private:
    std::function<std::string()> content_;
    QString path_;
    QTimer timer_;
    bool changed_ = false;
};

}  // namespace memplan::app

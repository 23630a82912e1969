// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps what the user made of a document from getting lost: saving as a workspace, the question on closing, autosaved
// copies, and the notice when the input changes on disk (UX 3.7, 3.10, 3.12).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/session/autosave.h"
#include "app/gui/tasks/background_task.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>

namespace memplan::ui {
class Strip;
}  // namespace memplan::ui

namespace memplan::app {

/// What came of a question where to save. Failed: the strip says why.
enum class Saving { Done, Cancelled, Failed };

class DocumentKeeper final : public QObject {
    Q_OBJECT
public:
    /// `viewJson` holds the state of the views; `window` is the parent of dialogs.
    DocumentKeeper(DocumentController& controller, std::function<QByteArray()> viewJson, QWidget* window);
    ~DocumentKeeper() override;

    /// Without a folder nothing is autosaved. It outlives the keeper.
    void setAutosaveFolder(AutosaveFolder* folder);
    /// Notices about the file: not saved, changed on disk. Belongs into the document's page.
    [[nodiscard]] ui::Strip* strip() const { return strip_; }
    [[nodiscard]] LongTask& task() { return hash_; }

    bool save();      ///< Ctrl+S; asks for a place when there is none yet. False: not saved
    Saving saveAs();  ///< Ctrl+Shift+S
    bool saveTo(const QString& path);
    /// True when the document may go: nothing is unsaved, or the user said what to do with it.
    [[nodiscard]] bool mayClose();
    /// The copy for recovery, now, if something changed since the last one. False: there is none, or not of all
    /// changes.
    bool saveCopy();
    /// The document goes in good order: its autosaved copy with it.
    void forget();
    /// The document as a workspace file that names `document`'s own file; for sessions and copies.
    [[nodiscard]] std::string copyText() const;
    /// The same without what was never saved.
    [[nodiscard]] std::string sessionText() const;

signals:
    void compareRequested();  ///< with the file as it is on disk now

private:
    void documentOpened();
    void documentReady();
    void setInterval();
    void watch();
    void fileChanged();
    void compareWithDisk();
    void showChanged(const QString& sha256);
    void stripAction(const QString& key);
    [[nodiscard]] QString suggestedPath() const;

    DocumentController& controller_;
    std::function<QByteArray()> viewJson_;
    QWidget* window_;
    ui::Strip* strip_;
    AutosaveFolder* folder_ = nullptr;
    std::unique_ptr<Autosaver> autosaver_;
    QFileSystemWatcher watcher_;
    QTimer settle_;              ///< writers write in pieces
    BackgroundTask hash_{this};  ///< files may be large
    QString keptSha_;            ///< state of the file that the user does not want to hear about again
};

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// Opens files and keeps the plan of a document in step with its inputs (architecture 9.3): stored
// plans first, then a compile in the background, debounced in automatic mode.
#pragma once

#include "app/gui/document/document.h"
#include "app/gui/document/opening.h"
#include "app/gui/tasks/background_task.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace memplan::app {

class DocumentController final : public QObject {
    Q_OBJECT
public:
    static constexpr int kDebounceMs = 150;
    static constexpr std::size_t kAutomaticOps = 500;  ///< automatic recompile below this (UX 2.3)

    explicit DocumentController(QObject* parent = nullptr);

    [[nodiscard]] Document* document() const { return document_.get(); }
    [[nodiscard]] const OpenRequest& lastRequest() const { return lastRequest_; }
    [[nodiscard]] BackgroundTask& task() { return task_; }
    [[nodiscard]] const BackgroundTask& task() const { return task_; }
    [[nodiscard]] ui::SelectionHub& hub() { return hub_; }  ///< shared by all views of the window
    [[nodiscard]] const ui::SelectionHub& hub() const { return hub_; }
    /// Operations of a graph, entries of a buffer list; what automatic recompiling is limited by.
    [[nodiscard]] std::size_t documentSize() const;
    [[nodiscard]] bool automatic() const { return automatic_; }

    void open(const OpenRequest& request);
    void reload();
    /// The input anew with these sizes and values of what the model leaves open; settings, hints and notes stay.
    void openWith(const std::vector<std::pair<std::string, std::string>>& bindings);
    void close();
    void compileNow();  ///< F5
    void cancel();
    void setAutomatic(bool on);

signals:
    void documentOpened();
    /// The first plans are there as well; `viewJson` is the state of the views, empty = as shipped.
    void documentReady(const QByteArray& viewJson);
    void documentClosed();
    void aboutToCompile();
    void openFailed(const QString& path, const memplan::Error& error);
    void compileFailed();

private:
    void inputsChanged(int waitMs);
    void install(Opened& opened);
    void reopen(std::shared_ptr<io::Workspace> kept);

    ui::SelectionHub hub_;
    std::unique_ptr<Document> document_;
    OpenRequest lastRequest_;
    BackgroundTask task_;
    QTimer debounce_;
    bool automatic_ = true;
};

}  // namespace memplan::app

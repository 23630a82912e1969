// SPDX-License-Identifier: GPL-3.0-or-later
// Fixes beside their reason: in the inspector and the Problems dock for the selected refused buffer, and one-click
// fixes of the Problems list (UX 10, 15.3). The engine finds them by compiling, in the background; only what was seen
// to work is offered, with its effect in numbers.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"
#include "engine/advice/fix_all.h"
#include "widgets/views/problems/refusal_pane.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <map>

namespace memplan::app {

class WindowServices;
class Workspace;

class FixController final : public QObject {
    Q_OBJECT
public:
    /// Graphs above this are tried only when asked for.
    static constexpr std::size_t kAutomaticOps = 2000;

    FixController(DocumentController& controller, WindowServices& services, QObject* parent);
    /// A search for the selection or a fix is going on.
    [[nodiscard]] bool isSearching() const { return search_.isRunning() || fixing_.isRunning(); }
    /// No search is going on or about to begin: what is said about the selection is final.
    [[nodiscard]] bool isSettled() const { return !isSearching() && !wait_.isActive(); }
    /// Makes the change, as one step of the undo history.
    void apply(const advice::Change& change, const QString& title);

signals:
    /// The plan of this request is to be shown as a trial that `apply` would make the document's.
    void previewRequested(const memplan::CompileRequest& request, const QString& title,
                          const std::function<void()>& apply);

private:
    void selectionChanged();
    void startSearch();
    void searchEnded(const PlanPtr& plan, advice::FixReport report);
    void showReport(advice::FixReport report);
    void searchClicked();
    void showStopped();
    void showProgress(const QString& verb, double done, double total);
    void show();
    void applyCard(int index);
    void previewCard(int index);
    [[nodiscard]] HintLists listsAfter(const advice::Change& change) const;
    [[nodiscard]] static QString takenOverText();
    [[nodiscard]] bool switchesOffFileHint(const advice::Change& change) const;
    [[nodiscard]] QString otherOnScreen() const;
    void fix(int problem);
    void fixAll(const QString& code);
    [[nodiscard]] bool isFixable(int problem) const;
    [[nodiscard]] std::optional<BufferId> refusalOf(int problem) const;
    [[nodiscard]] std::optional<BufferId> selectedRefusal() const;
    [[nodiscard]] QString fixAllText() const;

    DocumentController& controller_;
    WindowServices& services_;
    Workspace& workspace_;
    BackgroundTask search_{this};
    BackgroundTask fixing_{this};
    QTimer wait_;
    std::optional<BufferId> refused_;
    ui::Refusal shown_;
    std::vector<advice::Change> changes_;  ///< of the cards, in their order
    /// The last search that came to its end: who comes back from a preview finds its cards again.
    struct Found {
        PlanPtr plan;
        BufferId refused;
        advice::FixReport report;
    };
    std::optional<Found> found_;
};

}  // namespace memplan::app

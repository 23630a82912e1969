// SPDX-License-Identifier: GPL-3.0-or-later
// Status bar: state of the plan, residency, peak, traffic at the left; problems and units at the right
// (UX 3.5). Long tasks show what, how far, how long and a Cancel button here (UX 2.15).
#pragma once

#include "app/gui/document/document.h"
#include "app/gui/features/proof/proof_badge.h"
#include "app/gui/tasks/long_task.h"
#include "widgets/plan/units.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace memplan::app {

class StatusFacts final : public QWidget {
    Q_OBJECT
public:
    explicit StatusFacts(QWidget* parent = nullptr);
    void showDocument(const Document* document);  ///< null: "ready"
    void showNotLoaded(int errors);               ///< a file that could not be opened stands on the page
    void showOpening();                           ///< no document yet, one is on its way
    void setComparing(bool on);                   ///< from the next showDocument() on
    /// From the next showDocument() on the figures are those of a plan on screen instead, which may be a
    /// trial; null: those of the document's plan.
    void setInstead(PlanPtr plan, bool isTrial) {
        instead_ = std::move(plan);
        isTrial_ = isTrial;
    }
    /// Says how many findings there are, those beside the plan included; unset: those of the plan.
    void setProblemText(std::function<QString()> text) { problemText_ = std::move(text); }
    /// Shows what of the task takes more than 200 ms: step, share, time and Cancel (2.15). Of several that run, the one
    /// that was given first. All of them live as long as the bar or have gone from the window before.
    /// Cancel calls `cancel`, or else the task's own.
    void showTask(LongTask& task, std::function<void()> cancel = {});
    void showUnits(const ui::Units& units);
    void setProof(const ProofBadge& badge);
    void showZoom(const QString& text);  ///< of the focused view, empty = no view
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void unitsRequested(const memplan::ui::Units& units);
    void findingsRequested();  ///< the badge of a plan with findings was pressed

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Running {
        QPointer<LongTask> task;
        std::function<void()> cancel;
        QString step;
        double done = 0, total = 0;
    };
    void showProgress();
    [[nodiscard]] const Running* shownTask() const;

    [[nodiscard]] QHBoxLayout* buildUnits();
    void setFact(QLabel* label, const QString& text);
    void fit();
    void fitProof(int wanted);
    void measureProof();

    std::function<QString()> problemText_;
    PlanState state_ = PlanState::None;
    bool isNotLoaded_ = false;
    bool isCompared_ = false;
    PlanPtr instead_;
    bool isTrial_ = false;
    QLabel* stateText_ = nullptr;
    QLabel* residency_ = nullptr;
    QLabel* peak_ = nullptr;
    QLabel* traffic_ = nullptr;
    QLabel* task_ = nullptr;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QLabel* problems_ = nullptr;
    QLabel* zoom_ = nullptr;
    QToolButton* proof_ = nullptr;
    int proofWidth_ = 0, proofIconWidth_ = 0;  ///< with its text and without; 0: no badge
    bool proofHasFindings_ = false;
    QComboBox* unit_ = nullptr;
    QComboBox* base_ = nullptr;
    std::vector<Running> tasks_;
    QTimer tick_;  ///< while a task runs: progress appears after 200 ms only, and its time goes on
};

}  // namespace memplan::app

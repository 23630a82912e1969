// SPDX-License-Identifier: GPL-3.0-or-later
// Advice by lever (user-experience 9.10): what is there, why it costs, what to write instead, and what became of the
// compiles that tried it. Findings are there with the plan; trials are a job of its own.
#pragma once

#include "widgets/views/stream/data/advice_report.h"
#include "widgets/views/stream/stream_parts.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QPushButton;

namespace memplan::ui {

class LinkLabel;

class AdviceView final : public QWidget {
    Q_OBJECT
public:
    static constexpr int kTrials = 20;
    static constexpr std::size_t kAutomaticNodes = 500;  ///< larger graphs are tried when asked for

    explicit AdviceView(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] ReportTree* table() const { return table_; }
    [[nodiscard]] const AdvicePtr& advice() const { return advice_; }
    [[nodiscard]] int count() const { return advice_ ? static_cast<int>(advice_->findings.size()) : 0; }
    /// No trials are going on or about to begin.
    [[nodiscard]] bool isSettled() const { return !isRunning_ && !wait_.isActive(); }
    void tryOut();
    void ended();  ///< the job was cancelled or failed

signals:
    void proposed(const memplan::ui::StreamProposal& proposal);
    void jobRequested(const memplan::ui::StreamJob& job);
    void planMade(const memplan::PlanPtr& plan, const QString& label);  ///< to be compared with the one on screen
    void saveRequested(const QString& name, const QByteArray& graph);
    void countChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void planChanged();
    void fill();
    void showFinding();
    void beginWait();
    void compare();
    [[nodiscard]] const torchwright::Finding* current() const;
    [[nodiscard]] QWidget* buildSide();

    SelectionHub* hub_;
    ReportTree* table_;
    QLabel* state_;
    QLabel* what_;
    QLabel* why_;
    QLabel* instead_;
    QLabel* trial_;
    QPushButton* apply_;
    QPushButton* compare_;
    QPushButton* save_;
    QPushButton* copy_;
    LinkLabel* try_;
    QCheckBox* all_;
    QTimer wait_;
    PlanPtr plan_;
    AdvicePtr advice_;
    bool isTried_ = false, isRunning_ = false;
};

}  // namespace memplan::ui

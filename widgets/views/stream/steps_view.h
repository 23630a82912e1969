// SPDX-License-Identifier: GPL-3.0-or-later
// Split across steps (user-experience 9.11; torchwright.md 14): values that leave one pass and come back as inputs of
// the next start there at layer 0. Pick nodes, see both compiles beside the whole.
#pragma once

#include "widgets/views/stream/data/stream_request.h"
#include "widgets/views/stream/stream_parts.h"

#include <QWidget>

class QPushButton;

namespace memplan::ui {

class StepsView final : public QWidget {
    Q_OBJECT
public:
    explicit StepsView(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] ReportTree* table() const { return table_; }
    /// Numbers of the selected nodes that can leave a pass: neither inputs nor Concatenates.
    [[nodiscard]] std::vector<std::int64_t> chosen() const;
    void split();
    void ended();  ///< the job was cancelled or failed

signals:
    void proposed(const memplan::ui::StreamProposal& proposal);
    void jobRequested(const memplan::ui::StreamJob& job);

private:
    struct Found;
    void planChanged();
    void showChoice();
    void show(const Found& found);

    SelectionHub* hub_;
    QLabel* choice_;
    QLabel* result_;
    QPushButton* split_;
    QPushButton* first_;
    QPushButton* second_;
    ReportTree* table_;
    PlanPtr plan_;
    QString isolate_, asInputs_;  ///< settings of the two steps
    bool isRunning_ = false;
};

}  // namespace memplan::ui

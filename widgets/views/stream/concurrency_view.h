// SPDX-License-Identifier: GPL-3.0-or-later
// How many parallel chains to run at a time (user-experience 9.3, 13.3; torchwright.md 12, 17): a search that compiles
// with one K after another and finds the best by itself, its chart, and the hint at one click.
#pragma once

#include "widgets/views/stream/data/concurrency_report.h"
#include "widgets/views/stream/data/stream_request.h"
#include "widgets/views/stream/stream_parts.h"

#include <QWidget>

class QComboBox;
class QPushButton;

namespace memplan::ui {

class Chart;

class ConcurrencyView final : public QWidget {
    Q_OBJECT
public:
    explicit ConcurrencyView(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] Chart* chart() const { return chart_; }
    [[nodiscard]] const std::optional<KStudy>& study() const { return study_; }
    /// The search for the cluster under the annotation begins.
    void searchUnder(const QString& annotation);
    void searchInto(std::int64_t join);  ///< of the cluster that meets in the node of this number
    void search();
    void add();    ///< the hint with the best K, or with the one that the keyboard is at
    void ended();  ///< the job was cancelled or failed

signals:
    void proposed(const memplan::ui::StreamProposal& proposal);
    void jobRequested(const memplan::ui::StreamJob& job);

private:
    void refresh();
    void showStudy();
    [[nodiscard]] int chosenK() const;

    SelectionHub* hub_;
    QComboBox* which_;
    QPushButton* find_;
    QPushButton* add_;
    QLabel* sentence_;
    ReportTree* conditions_;
    Chart* chart_;
    std::vector<ChainCluster> clusters_;
    std::optional<KStudy> study_;
    std::string inputSha_;  ///< of the document that study_ is about
    bool isRunning_ = false;
};

}  // namespace memplan::ui

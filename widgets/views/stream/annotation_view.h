// SPDX-License-Identifier: GPL-3.0-or-later
// The annotation table (user-experience 9.8): what each annotation costs, where its layers lie and why, and how many
// layers are left without it, which is compiled on demand.
#pragma once

#include "widgets/views/stream/data/stream_request.h"
#include "widgets/views/stream/stream_parts.h"

#include <QWidget>

#include <map>

class QMenu;

namespace memplan::ui {

class LinkLabel;

class AnnotationView final : public QWidget {
    Q_OBJECT
public:
    enum Column {
        Name,
        Nodes,
        Neurons,
        Heads,
        Slots,
        Layers,
        Bound,
        Graph,
        Allocated,
        Share,
        Density,
        PlateauColumns,
        Reach,
        Without,
        ColumnCount
    };

    explicit AnnotationView(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] ReportTree* table() const { return table_; }
    [[nodiscard]] int count() const { return count_; }
    /// Compiles the plan without these annotations, one after another.
    void stubOut(const QStringList& annotations);
    void fillMenu(QMenu& menu, const QString& annotation);

signals:
    void proposed(const memplan::ui::StreamProposal& proposal);
    void jobRequested(const memplan::ui::StreamJob& job);
    void concurrencyRequested(const QString& annotation);               ///< the search for a K
    void planMade(const memplan::PlanPtr& plan, const QString& label);  ///< to be compared with the one on screen

private:
    void refresh();
    [[nodiscard]] ReportRow rowOf(const AnnotationLine& line) const;
    [[nodiscard]] ReportCell withoutCell(const QString& annotation) const;
    void compareWithout(const QString& annotation);
    [[nodiscard]] StreamProposal stubProposal(const QString& annotation) const;

    SelectionHub* hub_;
    ReportTree* table_;
    QLabel* sum_;
    LinkLabel* all_;
    LinkLabel* whole_;
    PlanPtr plan_;
    int count_ = 0;
    struct Counted {
        QString text, help;
        int layers = 0;
    };
    std::map<QString, Counted> without_;  ///< of plan_, as far as it was asked for
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Drag to hint (user-experience 7.8): press on a buffer, drag it up or down, confirm. Alt makes it a limit. It changes
// nothing: the view shows the proposal, and whoever listens makes the hint.
#pragma once

#include "widgets/plan/units.h"
#include "widgets/views/gantt/geometry/gantt_layout.h"

#include <QObject>

class QMouseEvent;
class QWidget;

namespace memplan::ui {

class DragConfirm;

class GanttDragging final : public QObject {
    Q_OBJECT
public:
    /// The question after a drag stands in `view`.
    explicit GanttDragging(QWidget* view);
    /// Taken at `at`; nothing without an address to begin with.
    void press(const GanttData& data, BufferId buffer, QPointF at);
    /// Whether the drag has begun with this move.
    [[nodiscard]] bool move(const QMouseEvent& event, const GanttData& data, const GanttLayout& layout);
    /// Whether a drag ended; it is asked about with ask(), or forgotten when it fits nowhere.
    [[nodiscard]] bool release();
    void ask(const Plan& plan, const Units& units, QPoint at);
    /// Forgets press, proposal and question.
    void cancel();
    [[nodiscard]] const std::optional<GanttDrag>& proposal() const { return proposal_; }

signals:
    void changed();  ///< of the proposal
    void confirmed(const memplan::ui::GanttDrag& drag);

private:
    struct Press {
        BufferId buffer;
        Address from = 0;
        QPointF at;
    };
    QWidget* view_;
    DragConfirm* confirm_ = nullptr;  ///< made when it is first needed
    std::optional<Press> press_;
    std::optional<GanttDrag> proposal_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// The passes as one picture for files (user-experience 14.1, 14.3, 17.1): timeline, list, and what the chosen pass
// changed in the program.
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/plan/models/painted_table.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/views/passes/snapshot/diff_text.h"
#include "widgets/views/passes/timeline/pass_bars.h"

namespace memplan::ui {

struct PassesShown {
    std::vector<PassRun> passes;
    QString scope;    ///< "Plan 4: greedy, 1 core"
    int chosen = -1;  ///< pass whose difference is shown
    PassBarsForm bars;
    DiffForm diff;
    bool isOnePass = false;  ///< the list has the chosen pass alone
    bool marksPass = true;   ///< the chosen pass is marked in list and timeline
};

class PassesPicture final : public PictureSource {
public:
    static constexpr int kWidth = 1600;             ///< px at 100 %
    static constexpr std::size_t kMostLines = 200;  ///< of the difference; the snapshots are exported whole

    explicit PassesPicture(PassesShown shown);
    [[nodiscard]] QString viewName() const override;
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QSize pictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;

private:
    [[nodiscard]] TableShape listShape() const;
    void paintDiff(QPainter& painter, QRectF area, const Theme& theme) const;

    PassesShown shown_;
    PassModel model_;
    DiffText diff_;
    QString before_, after_;  ///< names of the two texts
};

}  // namespace memplan::ui

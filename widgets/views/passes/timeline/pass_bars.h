// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and painter of the pass timeline (user-experience 14.1): bars in execution order, length by time, and the
// line below that says where one stands. Screen and files draw with it.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/kit/theme/theme.h"

#include <QRectF>

#include <vector>

class QPainter;

namespace memplan::ui {

struct PassBarsForm {
    bool isLinear = false;  ///< else the square root of the time
    bool hidesUnchanged = false;
    bool hasTimes = true;  ///< else all bars are equally long and no time is shown
    friend bool operator==(const PassBarsForm&, const PassBarsForm&) = default;
};

struct PassBars {
    struct Bar {
        int pass = 0;
        QRectF rect;
    };
    PassBarsForm form;
    std::vector<Bar> list;
    [[nodiscard]] QRectF rectOf(int pass) const;  ///< empty when it is hidden
    /// The bar nearest to `x`, -1 without bars.
    [[nodiscard]] int passAt(double x) const;
};

/// Height that bars, numbers and the line below take, px.
[[nodiscard]] int passBarsHeight(const Theme& theme);
[[nodiscard]] double passSeconds(const std::vector<PassRun>& passes);  ///< without those inside of others
[[nodiscard]] PassBars passBars(const std::vector<PassRun>& passes, PassBarsForm form, double width,
                                const Theme& theme);
/// `current`: index in the plan's passes, -1 = none.
void paintPassBars(QPainter& painter, const std::vector<PassRun>& passes, const PassBars& bars, int current,
                   const Theme& theme);

}  // namespace memplan::ui

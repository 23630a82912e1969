// SPDX-License-Identifier: GPL-3.0-or-later
// What the bars of the pass timeline mean, with the keys that step through them (picture f). Lists only what the plan
// has.
#pragma once

#include "widgets/views/passes/timeline/pass_bar.h"

#include <QStringList>
#include <QWidget>

#include <vector>

namespace memplan::ui {

struct PassLegendEntry {
    PassLook look;
    QString text;
};

/// What the bars of these passes look like.
[[nodiscard]] std::vector<PassLegendEntry> passLegend(const std::vector<PassRun>& passes);
/// One after the other from the left; returns the width.
double paintPassLegend(QPainter& painter, const QRectF& line, const std::vector<PassLegendEntry>& entries,
                       const Theme& theme);

class PassLegend final : public QWidget {
    Q_OBJECT
public:
    explicit PassLegend(QWidget* parent = nullptr);
    void setPasses(const std::vector<PassRun>& passes);
    [[nodiscard]] QStringList texts() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<PassLegendEntry> entries_;
};

}  // namespace memplan::ui

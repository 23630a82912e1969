// SPDX-License-Identifier: GPL-3.0-or-later
// What-if (user-experience 13.1, 13.2): sliders for cores and the LX reserve with their fields, the metrics of the
// plan on screen against those of the trial, and what to do with it.
#pragma once

#include "compare/change_model.h"

#include <QWidget>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace memplan::ui {

struct WhatIfValues {
    int cores = 1;
    double reserve = 0;  ///< fraction of LX kept for the back end
    friend bool operator==(const WhatIfValues&, const WhatIfValues&) = default;
};

class WhatIfPanel final : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(QWidget* parent = nullptr);
    /// The document's own values: the sliders go there and nothing is tried.
    void setBase(const WhatIfValues& values, int mostCores);
    void setOffered(bool on);  ///< off where the document has nothing to compile
    [[nodiscard]] WhatIfValues values() const;
    void setComparison(const ComparedPtr& compared);  ///< null: no trial
    void setNotice(const QString& sentence);
    void setUsable(Bytes usable, Bytes physical);

signals:
    /// `isSettled` is false while a slider is being moved.
    void valuesChanged(bool isSettled);
    void applyRequested();
    void keepRequested();
    void resetRequested();

private:
    void build();
    void changed(bool isSettled);

    QSlider* coreSlider_;
    QSpinBox* cores_;
    QSlider* reserveSlider_;
    QDoubleSpinBox* reserve_;
    QLabel* usable_;
    QLabel* notice_;
    QTableView* table_;
    MetricRowModel* metrics_;
    QPushButton* apply_;
    QPushButton* keep_;
    QPushButton* reset_;
    WhatIfValues base_;
    bool filling_ = false;
};

}  // namespace memplan::ui

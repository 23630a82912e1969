// SPDX-License-Identifier: GPL-3.0-or-later
// What-if (user-experience 13.1, 13.2): sliders for cores and the LX reserve with their fields, choices (solver, hints,
// ...), the metrics of the plan on screen against those of the trial, and what to do with it.
#pragma once

#include "widgets/tools/compare/change_model.h"

#include <QWidget>

#include <map>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;
class QStackedWidget;
class QTableView;

namespace memplan::ui {

class ElideLabel;

struct WhatIfValues {
    int cores = 1;
    double reserve = 0;                  ///< fraction of LX kept for the back end
    std::map<QString, QString> choices;  ///< key of a WhatIfChoice -> value
    friend bool operator==(const WhatIfValues&, const WhatIfValues&) = default;
};

/// Something else that a trial may change: one of a few values.
struct WhatIfChoice {
    QString key, title, help;
    QStringList values, titles;  ///< parallel
    QStringList notes;           ///< parallel: what each value means, shown below the choice; empty = nothing to say
    friend bool operator==(const WhatIfChoice&, const WhatIfChoice&) = default;
};

class WhatIfPanel final : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(QWidget* parent = nullptr);
    /// What the two sliders change, in words of the target; empty: it has no such thing, and no slider.
    void setAxes(const QString& count, const QString& share);
    /// The document's own values: the sliders go there and nothing is tried.
    /// The count goes from `step` to `mostCores` in steps of it.
    void setBase(const WhatIfValues& values, int mostCores, int step = 1);
    void setChoices(const std::vector<WhatIfChoice>& choices);
    /// Why nothing can be tried, which the panel says too; empty = it can.
    void setOffered(const QString& whyNot);
    [[nodiscard]] WhatIfValues values() const;
    void setComparison(const ComparedPtr& compared);  ///< null: no trial
    /// Shows these values of the choices, as if they had always been there: nothing is emitted.
    void showChoices(const std::map<QString, QString>& choices);
    void setNotice(const QString& sentence);
    void setUsable(Bytes usable, Bytes physical);

signals:
    /// `isSettled` is false while a slider is being moved.
    void valuesChanged(bool isSettled);
    void applyRequested();
    void keepRequested();
    void resetRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    [[nodiscard]] QGridLayout* buildSliders();
    void connectSliders();
    void changed(bool isSettled);
    void addChoice(const WhatIfChoice& choice);
    void fitColumns();

    QSlider* coreSlider_;
    QSpinBox* cores_;
    QSlider* reserveSlider_;
    QDoubleSpinBox* reserve_;
    ElideLabel* usable_;
    QLabel* leastCores_ = nullptr;
    QLabel* mostCores_ = nullptr;
    int step_ = 1;
    QLabel* countTitle_ = nullptr;
    QLabel* shareTitle_ = nullptr;
    std::vector<QWidget*> countRow_, shareRow_;
    QLabel* notice_;
    QTableView* table_;
    MetricRowModel* metrics_;
    QPushButton* apply_;
    QPushButton* keep_;
    QPushButton* reset_;
    WhatIfValues base_;
    std::vector<WhatIfChoice> choices_;
    std::map<QString, QComboBox*> combos_;
    QGridLayout* choiceGrid_ = nullptr;
    QWidget* choiceBox_ = nullptr;
    QString whyNot_;
    bool filling_ = false;
};

}  // namespace memplan::ui

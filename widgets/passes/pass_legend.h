// SPDX-License-Identifier: GPL-3.0-or-later
// What the bars of the pass timeline mean, with the keys that step through them (picture f). Lists only what the plan
// has.
#pragma once

#include "passes/pass_bar.h"

#include <QStringList>
#include <QWidget>

namespace memplan::ui {

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
    struct Entry {
        PassLook look;
        QString text;
    };
    std::vector<Entry> entries_;
};

}  // namespace memplan::ui

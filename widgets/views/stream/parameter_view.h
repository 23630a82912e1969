// SPDX-License-Identifier: GPL-3.0-or-later
// Parameter tiers with what they say of each other, and how full the stream is (user-experience 9.7).
#pragma once

#include "widgets/views/stream/stream_parts.h"

#include <QWidget>

namespace memplan::ui {

class Chart;

class ParameterView final : public QWidget {
    Q_OBJECT
public:
    explicit ParameterView(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] Chart* tiers() const { return tiers_; }
    [[nodiscard]] Chart* occupancy() const { return occupancy_; }
    [[nodiscard]] ReportTree* table() const { return table_; }
    [[nodiscard]] ReportTree* facts() const { return facts_; }

private:
    void refresh();

    SelectionHub* hub_;
    ReportTree* table_;
    ReportTree* facts_;
    Chart* tiers_;
    Chart* occupancy_;
};

}  // namespace memplan::ui

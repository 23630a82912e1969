// SPDX-License-Identifier: GPL-3.0-or-later
// Why the plan has as many layers as it has (user-experience 9.9): layers beside the bound and the longest path, runs
// of one annotation on it with what shortening them can gain, layers by what bound them.
#pragma once

#include "widgets/views/stream/stream_parts.h"

#include <QWidget>

namespace memplan::ui {

class Chart;

class PathView final : public QWidget {
    Q_OBJECT
public:
    explicit PathView(SelectionHub* hub, QWidget* parent = nullptr);
    [[nodiscard]] ReportTree* facts() const { return facts_; }
    [[nodiscard]] ReportTree* runs() const { return runs_; }
    [[nodiscard]] Chart* bindings() const { return bindings_; }

private:
    void refresh();

    SelectionHub* hub_;
    ReportTree* facts_;
    ReportTree* runs_;
    Chart* bindings_;
};

}  // namespace memplan::ui

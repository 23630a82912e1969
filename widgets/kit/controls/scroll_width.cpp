// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/scroll_width.h"

#include "widgets/kit/theme/theme.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kMostWidth = 340;

class PageWidth final : public QObject {
public:
    explicit PageWidth(QScrollArea* area) : QObject(area), area_(area) {
        area->widget()->installEventFilter(this);
        fit();
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) fit();
        return false;
    }

private:
    void fit() {
        const int wanted = area_->widget()->minimumSizeHint().width() + area_->verticalScrollBar()->sizeHint().width();
        area_->setMinimumWidth(std::min(wanted, themeOf(area_).px(kMostWidth)));
    }

    QScrollArea* area_;
};

}  // namespace

void keepAsWideAsPage(QScrollArea* area) {
    new PageWidth(area);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/scroll_width.h"

#include "widgets/kit/theme/theme.h"

#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace memplan::ui {

namespace {

class PageWidth final : public QObject {
public:
    PageWidth(QScrollArea* area, int most) : QObject(area), area_(area), most_(most) {
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
        area_->setMinimumWidth(std::min(wanted, themeOf(area_).px(most_)));
    }

    QScrollArea* area_;
    int most_;
};

}  // namespace

void keepAsWideAsPage(QScrollArea* area, int most) {
    new PageWidth(area, most);
}

}  // namespace memplan::ui

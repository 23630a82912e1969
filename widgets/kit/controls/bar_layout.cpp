// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/bar_layout.h"

#include "widgets/kit/theme/theme.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace memplan::ui {

namespace {

constexpr int kInset = 8, kGap = 6, kRow = 30, kNextRow = 28, kLegendGap = 16;

}  // namespace

BarLayout::BarLayout(QWidget* parent) : QLayout(parent) {
    setContentsMargins(0, 0, 0, 0);
}

BarLayout::~BarLayout() {
    while (!items_.empty())
        delete takeAt(0);
}

void BarLayout::addItem(QLayoutItem* item) {
    items_.push_back(item);
}

void BarLayout::addStretch() {
    firstAtRight_ = count();
}

void BarLayout::setLegend(QWidget* legend) {
    addWidget(legend);
    legend_ = items_.back();
}

void BarLayout::setLegendOptional(bool on) {
    isLegendOptional_ = on;
    invalidate();
}

QLayoutItem* BarLayout::itemAt(int index) const {
    return index < 0 || index >= count() ? nullptr : items_[static_cast<std::size_t>(index)];
}

QLayoutItem* BarLayout::takeAt(int index) {
    QLayoutItem* item = itemAt(index);
    if (item == nullptr) return nullptr;
    items_.erase(items_.begin() + index);
    if (item == legend_) legend_ = nullptr;
    if (firstAtRight_ > index) --firstAtRight_;
    return item;
}

std::vector<BarLayout::Slot> BarLayout::visibleSlots() const {
    std::vector<Slot> list;
    for (int i = 0; i < count(); ++i) {
        QLayoutItem* item = itemAt(i);
        if (item == legend_ || (item->isEmpty() && !isOptional(item))) continue;
        list.push_back({item, firstAtRight_ >= 0 && i >= firstAtRight_, hintOf(item).width()});
    }
    return list;
}

/// An item that is hidden for want of room says that it needs none.
QSize BarLayout::hintOf(const QLayoutItem* item) const {
    return isOptional(item) ? item->widget()->sizeHint() : item->sizeHint();
}

bool BarLayout::isOptional(const QLayoutItem* item) const {
    return std::find(optional_.begin(), optional_.end(), item->widget()) != optional_.end();
}

std::vector<BarLayout::Slot> BarLayout::slotsFor(int room, const Place& place) const {
    std::vector<Slot> all = visibleSlots();
    const int gap = themeOf(parentWidget()).px(kGap);
    const auto leastWidth = [&](bool withOptional) {
        int width = -gap;
        for (const Slot& slot : all) {
            if (isOptional(slot.item) && !withOptional) continue;
            width +=
                gap + (isOptional(slot.item) ? slot.width : std::min(slot.width, slot.item->minimumSize().width()));
        }
        return width;
    };
    if (leastWidth(true) <= room || leastWidth(false) > room) return all;
    std::vector<Slot> kept;
    for (const Slot& slot : all) {
        if (isOptional(slot.item))
            place(slot.item, {});
        else
            kept.push_back(slot);
    }
    return kept;
}

void BarLayout::placeRow(const std::vector<Slot>& row, const QRect& rect, const Place& place) const {
    const int gap = themeOf(parentWidget()).px(kGap);
    const auto put = [&](const Slot& slot, int x) {
        const int height = std::min(rect.height(), hintOf(slot.item).height());
        place(slot.item, QRect(x, rect.top() + (rect.height() - height) / 2, slot.width, height));
    };
    int left = rect.left(), right = rect.right() + 1;
    for (const Slot& slot : row) {
        if (slot.atRight) continue;
        put(slot, left);
        left += slot.width + gap;
    }
    for (auto slot = row.rbegin(); slot != row.rend(); ++slot) {
        if (!slot->atRight) continue;
        right -= slot->width;
        put(*slot, right);
        right -= gap;
    }
}

int BarLayout::widthOf(const std::vector<Slot>& row, int gap) {
    const int sum =
        std::accumulate(row.begin(), row.end(), 0, [gap](int all, const Slot& slot) { return all + slot.width + gap; });
    return sum - (row.empty() ? 0 : gap);
}

/// Boxes that can be narrower give what is missing, the widest surplus first come.
std::vector<BarLayout::Slot> BarLayout::shrunk(std::vector<Slot> row, int most, int gap) {
    int missing = widthOf(row, gap) - most;
    for (Slot& slot : row) {
        const int give = std::clamp(slot.width - slot.item->minimumSize().width(), 0, std::max(0, missing));
        slot.width -= give;
        missing -= give;
    }
    return row;
}

/// As many in a row as fit at their least widths; what is left over makes them wider again. How far the last row lies
/// below the first.
int BarLayout::placeRows(const std::vector<Slot>& controls, const QRect& line, const Place& place) const {
    const Theme& theme = themeOf(parentWidget());
    const int gap = theme.px(kGap), next = theme.px(kNextRow), room = line.width();
    int below = 0;
    std::vector<Slot> current, least;
    const auto flush = [&] {
        placeRow(shrunk(current, room, gap), line.translated(0, below), place);
        current.clear();
        least.clear();
    };
    for (Slot slot : controls) {
        slot.atRight = false;
        Slot small = slot;
        small.width = std::min(slot.width, slot.item->minimumSize().width());
        least.push_back(small);
        if (widthOf(least, gap) > room && least.size() > 1) {
            flush();
            below += next;
            least.push_back(small);
        }
        current.push_back(slot);
    }
    flush();
    return below;
}

int BarLayout::arrange(const QRect& rect, const Place& place) const {
    const Theme& theme = themeOf(parentWidget());
    const int gap = theme.px(kGap), inset = theme.px(kInset), first = theme.px(kRow), next = theme.px(kNextRow);
    const int room = std::max(1, rect.width() - 2 * inset);
    std::vector<Slot> controls = slotsFor(room, place);
    for (Slot& slot : controls)
        slot.width = std::min(slot.width, room);
    const bool hasLegend = legend_ != nullptr && !legend_->isEmpty() && legend_->sizeHint().width() > theme.px(4);
    const int legend = hasLegend ? legend_->sizeHint().width() : 0;
    const int besideLegend = hasLegend ? room - legend - theme.px(kLegendGap) : room;
    const QRect line(rect.left() + inset, rect.top(), room, first - 1);
    std::vector<Slot> row = shrunk(controls, besideLegend, gap);
    if (widthOf(row, gap) <= besideLegend && (!isLegendOptional_ || widthOf(controls, gap) <= besideLegend)) {
        placeRow(row, line.adjusted(0, 0, besideLegend - room, 0), place);
        const int begin = line.right() + 1 - legend;
        if (legend_ != nullptr) place(legend_, QRect(begin, line.top(), legend, hasLegend ? line.height() : 0));
        return first;
    }
    int y = rect.top();
    row = shrunk(controls, room, gap);
    if (widthOf(row, gap) <= room)
        placeRow(row, line, place);
    else
        y += placeRows(controls, line, place);
    y += first;
    if (!hasLegend || isLegendOptional_) {
        if (legend_ != nullptr) place(legend_, QRect(rect.right() + 1, rect.top(), 0, 0));
        return y - rect.top();
    }
    const int wide = std::min(legend, room);
    place(legend_, QRect(line.right() + 1 - wide, y - (first - next), wide, first - 1));
    return y - rect.top() + next - (first - next);
}

int BarLayout::heightFor(int width) const {
    return arrange(QRect(0, 0, width, 0), [](QLayoutItem*, const QRect&) {});
}

QSize BarLayout::sizeHint() const {
    const Theme& theme = themeOf(parentWidget());
    int width = 2 * theme.px(kInset);
    for (const QLayoutItem* item : items_)
        if (!item->isEmpty()) width += item->sizeHint().width() + theme.px(kGap);
    return {width, theme.px(kRow)};
}

QSize BarLayout::minimumSize() const {
    const Theme& theme = themeOf(parentWidget());
    int width = 0;
    for (const QLayoutItem* item : items_)
        if (item != legend_ && !item->isEmpty()) width = std::max(width, item->minimumSize().width());
    return {width + 2 * theme.px(kInset), theme.px(kRow)};
}

void BarLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    static_cast<void>(arrange(rect, [this](QLayoutItem* item, const QRect& place) {
        // Hidden, not empty: the keyboard must not stop at what nobody sees.
        if (isOptional(item)) item->widget()->setVisible(!place.isEmpty());
        item->setGeometry(place);
    }));
}

bool WrapBar::event(QEvent* event) {
    const bool taken = QWidget::event(event);
    const auto* rows = qobject_cast<const BarLayout*>(layout());
    if (rows == nullptr) return taken;
    // Behind other tabs a bar has any width; it must not keep them high.
    if (event->type() == QEvent::Hide) setFixedHeight(themeOf(this).px(kRow));
    const bool changes =
        event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show;
    if (!changes || !isVisible()) return taken;
    const int wanted = rows->heightFor(width());
    if (wanted != minimumHeight() || wanted != maximumHeight()) setFixedHeight(wanted);
    return taken;
}

void WrapBar::paintEvent(QPaintEvent*) {
    if (isBare_) return;
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(Token::Line2));
}

}  // namespace memplan::ui

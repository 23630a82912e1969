// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_memory_page.h"

#include "widgets/plan/units.h"
#include "widgets/views/coregrid/memory_bars.h"

#include <QHelpEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolTip>
#include <QVBoxLayout>

namespace memplan::ui {

// ---- bars ----

MemoryBarsView::MemoryBarsView(SelectionHub* hub, QWidget* parent) : QWidget(parent), hub_(hub) {
    setObjectName(QStringLiteral("memoryBars"));
    setAccessibleName(tr("Memory at this position"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumHeight(themeOf(this).px(160));
}

void MemoryBarsView::setStacks(std::vector<MemoryStack> stacks) {
    stacks_ = std::move(stacks);
    QStringList said;
    for (const MemoryStack& stack : stacks_)
        for (const MemorySegmentRow& s : stack.segments)
            said << segmentWords(stack, s);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    update();
}

QSize MemoryBarsView::sizeHint() const {
    return {themeOf(this).px(320), themeOf(this).px(300)};
}

void MemoryBarsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintMemoryBars(painter, stacks_, rect(), themeOf(this), texts_);
}

void MemoryBarsView::mousePressEvent(QMouseEvent* event) {
    const auto hit = memoryHit(stacks_, rect(), event->position());
    if (!hit) return;
    const BufferId buffer = stacks_[hit->stack].segments[hit->segment].buffer;
    if (buffer.isValid()) hub_->select(ItemId::of(buffer));
}

bool MemoryBarsView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto hit = memoryHit(stacks_, rect(), help->pos());
    if (hit)
        QToolTip::showText(help->globalPos(),
                           segmentWords(stacks_[hit->stack], stacks_[hit->stack].segments[hit->segment]), this);
    else
        QToolTip::hideText();
    return true;
}

// ---- page ----

ChainMemoryPage::ChainMemoryPage(ChainView* view, QWidget* parent)
    : SidePage(view, parent), title_(sideSentence({}, this)), bars_(new MemoryBarsView(view->hub(), this)),
      reserved_(new QStandardItemModel(this)), table_(sideTable(reserved_, tr("Reservations"), this)) {
    column()->addWidget(title_);
    column()->addWidget(bars_, 3);
    column()->addWidget(table_, 2);
}

void ChainMemoryPage::refresh() {
    reserved_->clear();
    reserved_->setHorizontalHeaderLabels({tr("Result of"), tr("Bytes"), tr("From"), tr("To"), tr("For")});
    bars_->setStacks({});
    bars_->setVisible(data() != nullptr);
    if (!data()) return title_->setText({});
    OpId op = selectedOp();
    if (!op.isValid() && view()->hub()->timeCursor()) op = OpId{*view()->hub()->timeCursor()};
    const bool isKnown = op.isValid() && static_cast<std::size_t>(op.index) < data()->columns().size();
    QString title = tr("All reservations of the plan. Select an operation to see the memory at its position.");
    if (isKnown) {
        const ChainColumn& c = data()->columns()[static_cast<std::size_t>(op.index)];
        title = tr("Position %1, %2: needs %3 of %4 B of a core (own need %5, resident inputs %6, reserved %7)")
                    .arg(op.index)
                    .arg(nameOf(op), groupedText(c.sum()), groupedText(data()->limit()), groupedText(c.own),
                         groupedText(c.resident), groupedText(c.reserved));
        if (memory_) bars_->setStacks(memory_(*view()->plan(), op.index));
    }
    bars_->setVisible(isKnown && !bars_->stacks().empty());
    const auto add = [&](const ttnn::Reservation& r) {
        reserved_->appendRow({tableItem(nameOf(r.source)), tableItem(groupedText(r.bytes), true),
                              tableItem(groupedText(r.positions.begin), true),
                              tableItem(groupedText(r.positions.end - 1), true), tableItem(fromStd(r.purpose))});
    };
    if (isKnown)
        for (const ttnn::Reservation* r : data()->reservationsAt(op.index))
            add(*r);
    else
        for (const ttnn::Reservation& r : data()->record().record.reservations)
            add(r);
    if (reserved_->rowCount() == 0) title += isKnown ? tr("\nNothing is reserved here.") : tr("\nThere are none.");
    table_->setVisible(reserved_->rowCount() > 0);
    table_->resizeColumnsToContents();
    title_->setText(title);
}

}  // namespace memplan::ui

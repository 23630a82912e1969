// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/chart/chart.h"

#include "widgets/canvas/chart/chart_plot.h"
#include "widgets/canvas/chart/chart_table.h"
#include "widgets/canvas/graphic_accessible.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/models/table_text.h"
#include "widgets/plan/units.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

Chart::Chart(QWidget* parent) : QWidget(parent), table_(new ChartTable(this)) {
    makeGraphicAccessible(this);
    setFocusPolicy(Qt::StrongFocus);
}

Chart::~Chart() = default;

void Chart::setData(ChartData data) {
    const auto before = data_.places().size();
    data_ = std::move(data);
    plot_.reset();
    table_->setData(data_);
    if (isBars() || data_.places().size() != before) current_ = isBars() ? data_.selected : -1;
    setAccessibleName(data_.name);
    describe();
    updateGeometry();
    update();
}

/// The place of the keyboard, or the whole in a sentence.
void Chart::describe() {
    const std::vector<double> places = data_.places();
    if (current_ >= 0 && current_ < static_cast<int>(places.size()))
        return setAccessibleDescription(data_.textAt(places[static_cast<std::size_t>(current_)]));
    if (!data_.sentence.isEmpty() || places.empty())
        return setAccessibleDescription(places.empty() ? data_.empty : data_.sentence);
    QStringList words;
    for (const double x : places)
        words << data_.textAt(x).replace(u'\n', QStringLiteral(", "));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
}

const ChartPlot& Chart::plot() const {
    const Theme& theme = themeOf(this);
    if (!plot_ || plotSize_ != size() || plotRevision_ != theme.revision()) {
        plot_ = std::make_unique<ChartPlot>(data_, theme, size());
        plotSize_ = size();
        plotRevision_ = theme.revision();
    }
    return *plot_;
}

QString Chart::scopeText() const {
    return scopeWithPlan(planName_ ? planName_() : QString(), data_.scope);
}

std::vector<LegendEntry> Chart::legend() const {
    return chartLegend(data_);
}

void Chart::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    ChartPlot(data_, theme, size).paint(painter);
}

QSize Chart::sizeHint() const {
    const Theme& theme = themeOf(this);
    constexpr int kRow = 22, kAxes = 54, kLines = 160;
    const int rows = static_cast<int>(data_.labels.size());
    return {theme.px(320), theme.px(isBars() ? rows * kRow + kAxes : kLines)};
}

QSize Chart::minimumSizeHint() const {
    return {themeOf(this).px(180), isBars() ? themeOf(this).px(80) : sizeHint().height()};
}

QRectF Chart::placeRect(int place) const {
    const std::vector<double> places = data_.places();
    const bool isThere = place >= 0 && place < static_cast<int>(places.size());
    return isThere ? plot().placeRect(places[static_cast<std::size_t>(place)]) : QRectF();
}

void Chart::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    plot().paint(painter);
    if (!hasFocus()) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.color(Token::SelectOutline), 1, Qt::DashLine));
    if (current_ >= 0) painter.drawRect(placeRect(current_).adjusted(2, 1, -3, -2));
    painter.setPen(QPen(theme.color(Token::SelectOutline), 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void Chart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (tableView_ != nullptr) tableView_->setGeometry(rect());
}

void Chart::mousePressEvent(QMouseEvent* event) {
    const int place = event->button() == Qt::LeftButton ? plot().placeAt(event->position()) : -1;
    if (place < 0) return QWidget::mousePressEvent(event);
    setCurrent(place);
    emit activated(place);
}

void Chart::setCurrent(int place) {
    current_ = place;
    describe();
    update();
}

void Chart::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copy();
    if (event->key() == Qt::Key_T && event->modifiers() == Qt::ControlModifier) return setTableShown(!isTableShown());
    const int last = static_cast<int>(data_.places().size()) - 1;
    const int next = isBars() ? Qt::Key_Down : Qt::Key_Right, previous = isBars() ? Qt::Key_Up : Qt::Key_Left;
    const int key = event->key();
    if (key == Qt::Key_Escape && (current_ >= 0 || data_.selected >= 0)) {
        setCurrent(-1);
        return emit currentChanged(-1);
    }
    if (last < 0) return QWidget::keyPressEvent(event);
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && current_ >= 0) return emit activated(current_);
    int to = current_;
    if (key == next)
        to = std::min(last, current_ + 1);
    else if (key == previous)
        to = current_ < 0 ? last : std::max(0, current_ - 1);
    else if (key == Qt::Key_Home)
        to = 0;
    else if (key == Qt::Key_End)
        to = last;
    else
        return QWidget::keyPressEvent(event);
    setCurrent(to);
    emit currentChanged(to);
}

bool Chart::isTableShown() const {
    return tableView_ != nullptr && tableView_->isVisibleTo(this);
}

void Chart::setTableShown(bool on) {
    if (tableView_ == nullptr) {
        if (!on) return;
        tableView_ = new QTableView(this);
        tableView_->setModel(table_);
        tableView_->setAccessibleName(tr("%1, table").arg(data_.name));
        setUpTable(tableView_, 0);
        auto* back = new QAction(tableView_);
        back->setShortcut(QKeySequence(QStringLiteral("Ctrl+T")));
        back->setShortcutContext(Qt::WidgetShortcut);
        tableView_->addAction(back);
        connect(back, &QAction::triggered, this, [this] { setTableShown(false); });
    }
    tableView_->setGeometry(rect());
    tableView_->setVisible(on);
    sizeColumns(tableView_);
    (on ? static_cast<QWidget*>(tableView_) : this)->setFocus();
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(isTableShown() ? tr("Show as chart") : tr("Show as table"), this,
                    [this] { setTableShown(!isTableShown()); });
    menu->addAction(tr("Copy"), this, &Chart::copy);
    menu->addAction(tr("Save picture..."), this, &Chart::savePicture);
    menu->popup(event->globalPos());
}

/// Picture and table together: whatever takes them chooses.
void Chart::copy() const {
    PictureRequest request;
    request.size = size();
    request.scale = 2;
    request.title = true;
    auto* both = new QMimeData;
    both->setText(QString::fromUtf8(tableToTsv(*table_)));
    both->setImageData(pictureImage(*this, request));
    QApplication::clipboard()->setMimeData(both);
}

void Chart::savePicture() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the chart"), data_.name + QStringLiteral(".png"),
                                                      tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"));
    if (path.isEmpty()) return;
    PictureRequest request;
    request.size = size();
    request.scale = path.endsWith(u".png", Qt::CaseInsensitive) ? 2 : 1;
    request.title = true;
    request.legend = !legend().empty();
    const auto written = exportPicture(*this, request, path);
    if (!written) QToolTip::showText(mapToGlobal(QPoint()), fromStd(written.error().primary().message), this);
}

bool Chart::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int place = plot().placeAt(help->pos());
    if (place < 0) {
        QToolTip::hideText();
        return true;
    }
    QToolTip::showText(help->globalPos(), data_.textAt(data_.places()[static_cast<std::size_t>(place)]), this,
                       placeRect(place).toAlignedRect());
    return true;
}

}  // namespace memplan::ui

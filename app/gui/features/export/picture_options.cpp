// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/picture_options.h"

#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/plan/units.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace memplan::app {
namespace {

// Entries of the size that are no scale.
constexpr int kNatural = 0, kWidthPx = -1, kWidthMm = -2;
constexpr double kMmPerInch = 25.4;
// Pictures from a quarter to eight times of their own width are made, on paper between what a screen and a plate have.
constexpr int kLeastPart = 4, kMostTimes = 8;
constexpr int kLeastDpi = 24, kMostDpi = 1200;

}  // namespace

PictureOptions::PictureOptions(QWidget* parent)
    : QWidget(parent), form_(new QFormLayout(this)), format_(new QComboBox(this)), size_(new QComboBox),
      px_(new QSpinBox), mm_(new QDoubleSpinBox), dpi_(new QSpinBox), scope_(new QComboBox(this)),
      theme_(new QComboBox(this)) {
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setLabelAlignment(Qt::AlignLeft);
    for (const char* f : {"png", "svg", "pdf"})
        format_->addItem(QString::fromLatin1(f).toUpper(), QString::fromLatin1(f));
    scope_->setObjectName(QStringLiteral("exportScope"));
    theme_->setObjectName(QStringLiteral("exportTheme"));
    theme_->addItem(tr("Light, for paper"), QStringLiteral("light"));
    theme_->addItem(tr("As on screen"), QStringLiteral("screen"));
    theme_->addItem(tr("Greyscale, safe for any printer"), QStringLiteral("grey"));
    form_->addRow(tr("Format"), format_);
    form_->addRow(tr("Size"), buildSize());
    form_->addRow(tr("Part"), scope_);
    form_->addRow(tr("Theme"), theme_);
    form_->addRow(tr("Include"), buildIncludes());
    allShapes_ = new QCheckBox(this);
    allShapes_->setObjectName(QStringLiteral("exportAllShapes"));
    allShapes_->hide();
    form_->addRow(QString(), allShapes_);
    connect(allShapes_, &QCheckBox::toggled, this, &PictureOptions::changed);
    setIsOneView(true);
    connect(format_, &QComboBox::currentIndexChanged, this, [this] {
        fillSizes();
        emit changed();
    });
    connect(size_, &QComboBox::currentIndexChanged, this, [this] {
        showFields();
        emit changed();
    });
    for (QComboBox* box : {scope_, theme_})
        connect(box, &QComboBox::currentIndexChanged, this, &PictureOptions::changed);
    for (QSpinBox* box : {px_, dpi_})
        connect(box, &QSpinBox::valueChanged, this, &PictureOptions::changed);
    connect(mm_, &QDoubleSpinBox::valueChanged, this, &PictureOptions::changed);
}

void PictureOptions::addViewRow(QComboBox* view) {
    view_ = view;
    form_->insertRow(0, tr("View"), view);
}

void PictureOptions::showRows(bool view, bool picture) {
    for (int row = 0; row < form_->rowCount(); ++row) {
        const QWidget* field = form_->itemAt(row, QFormLayout::FieldRole)->widget();
        if (field == allShapes_) continue;  // by the number of shapes alone
        form_->setRowVisible(row, field == view_ ? view : picture);
    }
    setVisible(view || picture);
}

QWidget* PictureOptions::buildSize() {
    auto* row = new QWidget(this);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    size_->setObjectName(QStringLiteral("exportSize"));
    px_->setObjectName(QStringLiteral("exportWidthPx"));
    mm_->setObjectName(QStringLiteral("exportWidthMm"));
    dpi_->setObjectName(QStringLiteral("exportDpi"));
    px_->setSuffix(tr(" px"));
    px_->setGroupSeparatorShown(true);
    mm_->setSuffix(tr(" mm"));
    mm_->setDecimals(0);
    mm_->setRange(20, 1200);
    mm_->setValue(180);  // the text of an A4 page
    dpi_->setSuffix(tr(" dpi"));
    px_->setAccessibleName(tr("Width of the picture"));
    mm_->setAccessibleName(tr("Width of the picture on paper"));
    dpi_->setAccessibleName(tr("Dots per inch"));
    line->addWidget(size_, 1);
    for (QWidget* field : {static_cast<QWidget*>(px_), static_cast<QWidget*>(mm_), static_cast<QWidget*>(dpi_)})
        line->addWidget(field);
    fillSizes();
    setNaturalWidth(1000);
    px_->setValue(2000);
    dpi_->setValue(300);
    return row;
}

QWidget* PictureOptions::buildIncludes() {
    // They go on in a second line where the text is large.
    auto* row = new ui::WrapBar(this);
    row->setBare(true);
    auto* line = new ui::BarLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    title_ = new QCheckBox(tr("title"), row);
    legend_ = new QCheckBox(tr("legend"), row);
    cursor_ = new QCheckBox(tr("time cursor"), row);
    selection_ = new QCheckBox(tr("selection"), row);
    notes_ = new QCheckBox(tr("notes"), row);
    footer_ = new QCheckBox(tr("footer with plan and hash"), row);
    for (QCheckBox* box : {title_, legend_, cursor_, selection_, notes_, footer_}) {
        line->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &PictureOptions::changed);
    }
    return row;
}

bool PictureOptions::isPng() const {
    return format_->currentData() == QStringLiteral("png");
}

/// Vectors have no pixels: they have their own size or one on paper.
void PictureOptions::fillSizes() {
    const QSignalBlocker quiet(size_);
    const QVariant before = size_->currentData();
    size_->clear();
    if (isPng()) {
        for (int i = 1; i <= 4; ++i)
            size_->addItem(tr("%1\u00d7").arg(i), i);
        size_->addItem(tr("Width in pixels"), kWidthPx);
    } else {
        size_->addItem(tr("As on screen"), kNatural);
    }
    size_->addItem(tr("Width on paper"), kWidthMm);
    const int row = size_->findData(before);
    size_->setCurrentIndex(row >= 0 ? row : isPng() ? 1 : 0);
    showFields();
}

void PictureOptions::showFields() {
    const int kind = size_->currentData().toInt();
    px_->setVisible(kind == kWidthPx);
    mm_->setVisible(kind == kWidthMm);
    dpi_->setVisible(kind == kWidthMm && isPng());
}

void PictureOptions::setNaturalWidth(int px) {
    if (px <= 0) return;
    const QSignalBlocker quiet(px_);
    px_->setRange((px + kLeastPart - 1) / kLeastPart, px * kMostTimes);
    const QSignalBlocker quietToo(dpi_);
    const double inches = mm_->value() / kMmPerInch;
    const int least = static_cast<int>(std::ceil(px / (kLeastPart * inches)));
    const int most = static_cast<int>(std::floor(px * kMostTimes / inches));
    dpi_->setRange(std::clamp(least, kLeastDpi, kMostDpi), std::clamp(most, kLeastDpi, kMostDpi));
}

void PictureOptions::setIsOneView(bool one) {
    const QSignalBlocker quiet(scope_);
    const QVariant before = scope_->currentData();
    using Scope = ui::RenderOptions::Scope;
    scope_->clear();
    scope_->addItem(one ? tr("What is visible") : tr("What is visible of each"), static_cast<int>(Scope::Visible));
    if (one) scope_->addItem(tr("The selection"), static_cast<int>(Scope::Selection));
    scope_->addItem(tr("Everything"), static_cast<int>(Scope::All));
    scope_->setCurrentIndex(std::max(0, scope_->findData(before)));
}

void PictureOptions::setOffers(bool legend, bool marks) {
    legend_->setVisible(legend);
    cursor_->setVisible(marks);
    notes_->setVisible(marks);
}

void PictureOptions::setDenseShapes(std::size_t count) {
    allShapes_->setVisible(count > 0);
    const double each = format_->currentData() == QStringLiteral("pdf") ? ui::kPdfShapeBytes : ui::kSvgShapeBytes;
    const double megabytes = each * static_cast<double>(count) / 1e6;
    allShapes_->setText(
        tr("Keep every rectangle as a shape (about %1 MB)").arg(megabytes, 0, 'f', megabytes < 10 ? 1 : 0));
    allShapes_->setToolTip(
        tr("%1 rectangles; otherwise those of the map are embedded as an image of twice the resolution, and off-chip "
           "bars that lie wholly over others are left out")
            .arg(ui::groupedText(static_cast<qint64>(count))));
}

PictureChoice PictureOptions::choice() const {
    PictureChoice c;
    c.format = format_->currentData().toString();
    const int size = size_->currentData().toInt();
    if (size > 0) c.scale = size;
    if (size == kWidthPx) c.widthPx = px_->value();
    if (size == kWidthMm) c.widthMm = mm_->value();
    c.dpi = dpi_->value();
    c.asOnScreen = theme_->currentData() == QStringLiteral("screen");
    c.grey = theme_->currentData() == QStringLiteral("grey");
    c.title = title_->isChecked();
    c.legend = legend_->isChecked();
    c.footer = footer_->isChecked();
    c.render = {static_cast<ui::RenderOptions::Scope>(scope_->currentData().toInt()), cursor_->isChecked(),
                selection_->isChecked(), notes_->isChecked(), allShapes_->isChecked()};
    return c;
}

void PictureOptions::setChoice(const PictureChoice& c) {
    {
        const QSignalBlocker quiet(this);
        format_->setCurrentIndex(std::max(0, format_->findData(c.format)));
        if (c.widthPx > 0) px_->setValue(c.widthPx);
        if (c.widthMm > 0) mm_->setValue(c.widthMm);
        dpi_->setValue(c.dpi);
        const int size = c.widthMm > 0 ? kWidthMm : c.widthPx > 0 ? kWidthPx : c.scale;
        size_->setCurrentIndex(std::max(0, size_->findData(size)));
        scope_->setCurrentIndex(std::max(0, scope_->findData(static_cast<int>(c.render.scope))));
        theme_->setCurrentIndex(c.grey ? 2 : c.asOnScreen ? 1 : 0);
        title_->setChecked(c.title);
        legend_->setChecked(c.legend);
        footer_->setChecked(c.footer);
        cursor_->setChecked(c.render.timeCursor);
        selection_->setChecked(c.render.selection);
        notes_->setChecked(c.render.notes);
        allShapes_->setChecked(c.render.allShapes);
    }
    emit changed();
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// A paint device that writes SVG the way the product promises it (user-experience 17.2-17.4): text
// stays text, items carry ids, patterns are patterns, and equal input gives equal bytes. QSvgGenerator
// offers none of the last three.
#pragma once

#include "widgets/kit/vector/pattern_ink.h"

#include <QByteArray>
#include <QPaintDevice>
#include <QSizeF>
#include <QString>

#include <memory>

namespace memplan::ui {

class SvgEngine;

class SvgDevice final : public QPaintDevice {
public:
    SvgDevice(QSizeF size, QString title);
    ~SvgDevice() override;

    /// Width on paper that the document asks for, mm; 0: as many px as it has units.
    void setWidthMm(double width) { widthMm_ = width; }

    /// The device behind a painter, nullptr when it paints elsewhere.
    [[nodiscard]] static SvgDevice* of(const QPainter& painter);

    /// Everything painted until endItem() goes into one group with this id (made unique and valid).
    void beginItem(const QString& id, const QString& title = {});
    void endItem();
    void fillPattern(const QRectF& rect, const PatternInk& ink);
    /// The whole document; call after the painter has ended.
    [[nodiscard]] QByteArray document() const;

    [[nodiscard]] QPaintEngine* paintEngine() const override;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override;

private:
    QSizeF size_;
    QString title_;
    double widthMm_ = 0;
    std::unique_ptr<SvgEngine> engine_;
};

/// Marks the painted item with an id when the painter writes SVG; nothing otherwise.
class ItemMark {
public:
    ItemMark(QPainter& painter, const QString& id, const QString& title = {});
    ~ItemMark();
    ItemMark(const ItemMark&) = delete;
    ItemMark& operator=(const ItemMark&) = delete;

private:
    SvgDevice* device_;
};

}  // namespace memplan::ui

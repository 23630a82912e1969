// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/vector/svg_device.h"

#include "widgets/kit/vector/svg_engine.h"

#include <QPainter>

#include <cmath>

namespace memplan::ui {

namespace {
constexpr int kDotsPerInch = 96;
}

SvgDevice::SvgDevice(QSizeF size, QString title)
    : size_(size), title_(std::move(title)), engine_(std::make_unique<SvgEngine>()) {}
SvgDevice::~SvgDevice() = default;

SvgDevice* SvgDevice::of(const QPainter& painter) {
    return dynamic_cast<SvgDevice*>(painter.device());
}

QPaintEngine* SvgDevice::paintEngine() const {
    return engine_.get();
}

void SvgDevice::beginItem(const QString& id, const QString& title) {
    engine_->syncState();
    engine_->beginGroup(id, title);
}
void SvgDevice::endItem() {
    engine_->endGroup();
}

void SvgDevice::fillPattern(const QRectF& rect, const PatternInk& ink) {
    engine_->syncState();  // the transform and clip of the painter must have arrived
    engine_->fillPattern(rect, ink);
}

QByteArray SvgDevice::document() const {
    const QByteArray w = svgNumber(size_.width()), h = svgNumber(size_.height());
    const double perUnit = widthMm_ / size_.width();
    const QByteArray onPaper = widthMm_ > 0
                                   ? svgNumber(widthMm_) + "mm\" height=\"" + svgNumber(size_.height() * perUnit) + "mm"
                                   : w + "\" height=\"" + h;
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"" +
           onPaper + "\" viewBox=\"0 0 " + w + " " + h + "\">\n<title>" + svgEscaped(title_) + "</title>\n" +
           engine_->definitions() + engine_->body() + "</svg>\n";
}

int SvgDevice::metric(PaintDeviceMetric metric) const {
    const int width = static_cast<int>(std::ceil(size_.width())), height = static_cast<int>(std::ceil(size_.height()));
    switch (metric) {
    case PdmWidth:
        return width;
    case PdmHeight:
        return height;
    case PdmWidthMM:
        return static_cast<int>(std::lround(width * 25.4 / kDotsPerInch));
    case PdmHeightMM:
        return static_cast<int>(std::lround(height * 25.4 / kDotsPerInch));
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
        return kDotsPerInch;
    case PdmNumColors:
        return 1 << 24;
    case PdmDepth:
        return 32;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    default:
        return QPaintDevice::metric(metric);
    }
}

ItemMark::ItemMark(QPainter& painter, const QString& id, const QString& title) : device_(SvgDevice::of(painter)) {
    if (device_) device_->beginItem(id, title);
}

ItemMark::~ItemMark() {
    if (device_) device_->endItem();
}

}  // namespace memplan::ui

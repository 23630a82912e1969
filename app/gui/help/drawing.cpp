// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/drawing.h"

#include "app/gui/help/help_pages.h"
#include "widgets/kit/theme/theme_colors.h"

#include <QPainter>
#include <QSvgRenderer>
#include <QUrl>

#include <array>
#include <cmath>

namespace memplan::app {
namespace {

using ui::Residency;
using ui::Tone;

/// The drawing with the colours of the theme in the place of those of its file.
QByteArray inColoursOf(const ui::Theme& theme, QByteArray svg) {
    const std::array<QColor, 10> colours{theme.color(ui::Token::Text1),
                                         theme.color(ui::Token::Text2),
                                         theme.color(ui::Token::LineControl),
                                         theme.color(ui::Token::BgRaised),
                                         theme.residency(Residency::OnChip, Tone::Soft),
                                         theme.residency(Residency::OnChip, Tone::Edge),
                                         theme.residency(Residency::OffChip, Tone::Soft),
                                         theme.residency(Residency::OffChip, Tone::Edge),
                                         theme.color(ui::Token::Accent),
                                         theme.color(ui::Token::Error)};
    const auto mark = [](std::size_t i) { return "@" + QByteArray::number(static_cast<int>(i)) + "@"; };
    // First to marks that are no colours, so that none is replaced twice.
    for (std::size_t i = 0; i < colours.size(); ++i)
        svg.replace(QColor(ui::drawingColors()[i]).name().toLatin1(), mark(i));
    for (std::size_t i = 0; i < colours.size(); ++i)
        svg.replace(mark(i), colours[i].name().toLatin1());
    return svg;
}

}  // namespace

QImage helpDrawing(const QByteArray& svg, const ui::Theme& theme, qreal ratio) {
    QSvgRenderer renderer(inColoursOf(theme, svg));
    if (!renderer.isValid()) return {};
    const QSizeF size = QSizeF(renderer.defaultSize()) * theme.px(100) / 100.0;
    QImage image((size * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter);
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

QVariant HelpPage::loadResource(int type, const QUrl& name) {
    const QString file = name.toString();
    if (type != QTextDocument::ImageResource || !file.endsWith(u".svg")) return QTextBrowser::loadResource(type, name);
    return helpDrawing(helpPage(file).toUtf8(), ui::themeOf(this), devicePixelRatioF());
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/drawing.h"

#include "app/gui/help/help_pages.h"

#include <QPainter>
#include <QSvgRenderer>
#include <QUrl>

#include <array>
#include <cmath>
#include <utility>

namespace memplan::app {
namespace {

using ui::Residency;
using ui::Tone;

/// What each colour in the files stands for.
QByteArray inColoursOf(const ui::Theme& theme, QByteArray svg) {
    const std::array<std::pair<const char*, QColor>, 10> colours{
        {{"#1f2328", theme.color(ui::Token::Text1)},
         {"#57606a", theme.color(ui::Token::Text2)},
         {"#8c959f", theme.color(ui::Token::LineControl)},
         {"#f6f8fa", theme.color(ui::Token::BgRaised)},
         {"#cfe8df", theme.residency(Residency::OnChip, Tone::Soft)},
         {"#00785a", theme.residency(Residency::OnChip, Tone::Edge)},
         {"#f6dcc0", theme.residency(Residency::OffChip, Tone::Soft)},
         {"#a34700", theme.residency(Residency::OffChip, Tone::Edge)},
         {"#0969da", theme.color(ui::Token::Accent)},
         {"#cf222e", theme.color(ui::Token::Error)}}};
    // First to marks that are no colours, so that none is replaced twice.
    for (std::size_t i = 0; i < colours.size(); ++i)
        svg.replace(colours[i].first, "@" + QByteArray::number(static_cast<int>(i)) + "@");
    for (std::size_t i = 0; i < colours.size(); ++i)
        svg.replace("@" + QByteArray::number(static_cast<int>(i)) + "@", colours[i].second.name().toLatin1());
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

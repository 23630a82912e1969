// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/icons.h"

#include "widgets/kit/theme/scaled.h"

#include <QDir>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <cmath>
#include <optional>

static void initIconResource() {
    Q_INIT_RESOURCE(memplan_icons);
}

namespace memplan::ui {

namespace {

void ensureResource() {
    static const bool done = [] {
        initIconResource();
        return true;
    }();
    Q_UNUSED(done)
}

const QByteArray& iconText(const QString& name) {
    ensureResource();
    static QHash<QString, QByteArray> texts;
    const auto found = texts.constFind(name);
    if (found != texts.constEnd()) return *found;
    QFile file(QStringLiteral(":/memplan/icons/%1.svg").arg(name));
    return *texts.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
}

class LineIconEngine final : public QIconEngine {
public:
    LineIconEngine(QString name, std::optional<Token> token) : name_(std::move(name)), token_(token) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        drawIcon(*painter, rect, name_, colorFor(mode, state));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return iconPixmap(name_, std::min(size.width(), size.height()), 1.0, colorFor(mode, state));
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        // Qt asks for device pixels here and sets the ratio itself.
        Q_UNUSED(scale)
        return pixmap(size, mode, state);
    }
    QIconEngine* clone() const override { return new LineIconEngine(*this); }

private:
    [[nodiscard]] QColor colorFor(QIcon::Mode mode, QIcon::State state) const {
        const Theme& theme = themeOf();
        if (mode == QIcon::Disabled) return theme.color(Token::TextDisabled);
        if (token_) return theme.color(*token_);
        const bool strong = state == QIcon::On || mode == QIcon::Active || mode == QIcon::Selected;
        return theme.color(strong ? Token::Text1 : Token::Text2);
    }

    QString name_;
    std::optional<Token> token_;
};

}  // namespace

QStringList iconNames() {
    ensureResource();
    QStringList names;
    for (const QString& file : QDir(QStringLiteral(":/memplan/icons")).entryList(QDir::Files, QDir::Name))
        names << file.chopped(4);
    return names;
}

QIcon icon(const QString& name) {
    return QIcon(new LineIconEngine(name, std::nullopt));
}
QIcon icon(const QString& name, Token token) {
    return QIcon(new LineIconEngine(name, token));
}

QPixmap iconPixmap(const QString& name, int size, double ratio, const QColor& color) {
    const QString key = QStringLiteral("memplan-icon/%1/%2/%3/%4").arg(name).arg(size).arg(ratio).arg(color.rgba());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    const int pixels = std::max(1, static_cast<int>(std::lround(size * ratio)));
    pixmap = QPixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QByteArray text = iconText(name);
    text.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(text);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

void drawIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color) {
    const int side = static_cast<int>(std::floor(std::min(rect.width(), rect.height())));
    const QPointF at(std::round(rect.center().x() - side / 2.0), std::round(rect.center().y() - side / 2.0));
    // In halves, so that a zoom does not fill the cache with each of its states.
    const double ratio = std::min(8.0, std::ceil(pixelRatio(painter) * 2) / 2);
    painter.drawPixmap(at, iconPixmap(name, side, ratio, color));
}

}  // namespace memplan::ui

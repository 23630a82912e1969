// SPDX-License-Identifier: Apache-2.0
#include "tests/support/pictures.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFont>
#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>
#include <cstdlib>

namespace memplan::test {
namespace {

const QString kFolder = QStringLiteral(MEMPLAN_TEST_DATA "/pictures/");

/// Channels of smooth edges are rounded differently by processors; a character that changed is far beyond both.
constexpr int kRounding = 12;
constexpr int kFewPixels = 8;

QStringList& compared() {
    static QStringList names;
    return names;
}

bool isUpdating() {
    return qEnvironmentVariableIntValue("MEMPLAN_UPDATE_PICTURES") != 0;
}

/// What decides about each pixel of a text besides the program.
QString systemOfPictures() {
    QString text = QStringLiteral("Qt %1\n").arg(QString::fromLatin1(qVersion()).section(u'.', 0, 1));
    for (const char* family : {"DejaVu Sans", "DejaVu Sans Mono"}) {
        QFont font(QString::fromLatin1(family));
        font.setPixelSize(40);
        const double width = QFontMetricsF(font).horizontalAdvance(QStringLiteral("Off-chip 1 234.5 MiB"));
        text += QStringLiteral("%1 %2\n").arg(QFontInfo(font).family()).arg(width);
    }
    return text;
}

bool differs(QRgb a, QRgb b) {
    return std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))}) >
           kRounding;
}

QString write(const QImage& image, const QString& path) {
    const bool isWritten = QDir().mkpath(QFileInfo(path).path()) && image.save(path, "PNG", 0);
    return isWritten ? QString() : QStringLiteral("%1 cannot be written").arg(path);
}

QString update(const QImage& got, const QString& name) {
    QFile system(kFolder + QStringLiteral("system.txt"));
    if (!system.open(QIODevice::WriteOnly)) return QStringLiteral("%1 cannot be written").arg(system.fileName());
    system.write(systemOfPictures().toUtf8());
    return write(got, kFolder + name + QStringLiteral(".png"));
}

}  // namespace

PictureFonts::PictureFonts() {
    qputenv("FONTCONFIG_FILE", MEMPLAN_TEST_DATA "/pictures/fonts.conf");
}

QString whyPicturesDiffer() {
    if (isUpdating()) return {};
    QFile file(kFolder + QStringLiteral("system.txt"));
    if (!file.open(QIODevice::ReadOnly)) return {};  // the comparison reports what is missing
    const QString theirs = QString::fromUtf8(file.readAll()), ours = systemOfPictures();
    if (theirs == ours) return {};
    return QStringLiteral("PICTURES NOT COMPARED: they were made with\n%1this system has\n%2").arg(theirs, ours);
}

PictureDifference differenceOf(const QImage& expected, const QImage& got) {
    PictureDifference result;
    if (expected.size() != got.size()) {
        result.pixels = std::max(expected.width() * expected.height(), got.width() * got.height());
        return result;
    }
    const QImage a = expected.convertToFormat(QImage::Format_RGB32), b = got.convertToFormat(QImage::Format_RGB32);
    result.image = a.convertToFormat(QImage::Format_Grayscale8).convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            if (!differs(a.pixel(x, y), b.pixel(x, y))) continue;
            ++result.pixels;
            result.image.setPixel(x, y, qRgb(255, 0, 0));
        }
    return result;
}

QString pictureFault(const QImage& got, const QString& name) {
    compared() << name;
    if (isUpdating()) return update(got, name);
    const QString reference = kFolder + name + QStringLiteral(".png");
    const QImage expected(reference);
    if (expected.isNull()) return QStringLiteral("there is no picture %1").arg(reference);
    const PictureDifference difference = differenceOf(expected, got);
    if (difference.pixels <= kFewPixels) return {};
    const QString kept =
        QDir::cleanPath(QCoreApplication::applicationDirPath() + QStringLiteral("/../pictures/")) + u'/' + name;
    QStringList words{QStringLiteral("%1: %2 pixels differ").arg(name).arg(difference.pixels)};
    for (const auto& [image, what] :
         {std::pair(&expected, "expected"), std::pair(&got, "got"), std::pair(&difference.image, "difference")}) {
        if (image->isNull()) continue;  // sizes differ
        const QString path = QStringLiteral("%1-%2.png").arg(kept, QLatin1String(what));
        const QString bad = write(*image, path);
        words << (bad.isEmpty() ? path : bad);
    }
    return words.join(QStringLiteral("\n  "));
}

QStringList picturesNotCompared(const QString& folder) {
    QStringList left;
    for (const QString& file : QDir(kFolder + folder).entryList(QDir::Files)) {
        const QString name = folder + u'/' + QFileInfo(file).completeBaseName();
        if (!compared().contains(name)) left << name;
    }
    return left;
}

}  // namespace memplan::test

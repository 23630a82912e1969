// SPDX-License-Identifier: Apache-2.0
// Pictures against those of tests/data/pictures (architecture 13.3a). MEMPLAN_UPDATE_PICTURES=1 writes them anew.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

namespace memplan::test {

/// Makes DejaVu the only font. Must stand before the application.
class PictureFonts {
public:
    PictureFonts();
};

/// An application that has the fonts of the reference pictures and no others.
template <class Application> class WithPictureFonts : PictureFonts {
public:
    WithPictureFonts(int& argc, char** argv) : application_(argc, argv) {}

private:
    Application application_;
};

/// Why pictures look different on this system whatever the program does (another Qt, other fonts); empty when they
/// can be compared.
[[nodiscard]] QString whyPicturesDiffer();

struct PictureDifference {
    int pixels = 0;  ///< that differ by more than rounding does; all of them where the sizes differ
    QImage image;    ///< these in red over the expected picture in grey
};
[[nodiscard]] PictureDifference differenceOf(const QImage& expected, const QImage& got);

/// Empty when the picture is the one of this name ("window/graph-light"). Otherwise what differs and where the expected
/// picture, this one and their difference stand: in the folder `pictures` of the build.
[[nodiscard]] QString pictureFault(const QImage& got, const QString& name);

/// Pictures of this folder that nothing has asked for so far: a picture whose row is gone would stand there for ever.
[[nodiscard]] QStringList picturesNotCompared(const QString& folder);

}  // namespace memplan::test

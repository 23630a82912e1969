// SPDX-License-Identifier: GPL-3.0-or-later
// Colour tokens: measured contrast (design-system 2.3, 2.4), no literal outside the theme, icons.
#include "tests/support/program.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/heat_look.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/patterns.h"
#include "widgets/kit/theme/theme.h"

#include <QApplication>
#include <QColor>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFont>
#include <QGlyphRun>
#include <QIODevice>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QRect>
#include <QRegularExpression>
#include <QRgb>
#include <QSet>
#include <QStyle>
#include <QStyleOption>
#include <QStyleOptionFocusRect>
#include <QTest>
#include <QTextLayout>

using namespace memplan::ui;

class TestTheme : public QObject {
    Q_OBJECT
private slots:
    void contrast_textOnGround_reachesFloor_data();
    void monochrome_hasGreysOnly_asLightAsTheColours();
    void contrast_textOnGround_reachesFloor();
    void contrast_tableOfTheSpecification_holds_data();
    void contrast_tableOfTheSpecification_holds();
    void contrast_residencyEdge_reachesThree();
    void contrast_controlsAndSelection_reachThree();
    void contrast_heatText_reachesFloor();
    void contrast_heatEdge_reachesThree();
    void literals_outsideTheTheme_areAbsent();
    void icons_resourceAndFolder_agree();
    void icons_areAllNamedInTheSources();
    void icon_everyName_drawsInTheAskedColour();
    void viridis_stops_areThoseOfTheSpecification();
    void palette_roles_followTokens();
    void fonts_scaleWithFactor();
    void fonts_fixed_showWhatIsWritten();
    void patterns_differWithoutColour();
    void focusRing_staysInItsCell();
    void tabClose_hasTheThemesColours();
    void scrollCorner_hasTheColourOfTheBars();
};

namespace {

constexpr std::array kGrounds{Token::BgWindow, Token::BgPanel, Token::BgCanvas, Token::BgRaised, Token::BgSelected};
constexpr std::array kKinds{ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast};

QString sourceRoot() {
    return QStringLiteral(MEMPLAN_SOURCE_DIR);
}

QStringList sourcesIn(const QString& folder) {
    QStringList paths;
    QDirIterator it(sourceRoot() + folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                    QDirIterator::Subdirectories);
    while (it.hasNext())
        paths << it.next();
    return paths;
}

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

void TestTheme::contrast_textOnGround_reachesFloor_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("text");
    QTest::addColumn<int>("ground");
    for (const ThemeKind kind : kKinds)
        for (const Token text :
             {Token::Text1, Token::Text2, Token::Text3, Token::Accent, Token::Error, Token::Warning, Token::Good})
            for (const Token ground : kGrounds)
                QTest::addRow("kind %d text %d ground %d", static_cast<int>(kind), static_cast<int>(text),
                              static_cast<int>(ground))
                    << static_cast<int>(kind) << static_cast<int>(text) << static_cast<int>(ground);
}

void TestTheme::contrast_textOnGround_reachesFloor() {
    QFETCH(int, kind);
    QFETCH(int, text);
    QFETCH(int, ground);
    const Theme theme(static_cast<ThemeKind>(kind));
    QVERIFY(contrastRatio(theme.color(static_cast<Token>(text)), theme.color(static_cast<Token>(ground))) >= 4.5);
}

// Rows of the table in design-system 2.3: window, panel, canvas, raised, selected.
void TestTheme::contrast_tableOfTheSpecification_holds_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("text");
    QTest::addColumn<QList<double>>("ratios");
    const auto add = [](const char* name, ThemeKind kind, Token text, QList<double> ratios) {
        QTest::newRow(name) << static_cast<int>(kind) << static_cast<int>(text) << ratios;
    };
    add("light text.1", ThemeKind::Light, Token::Text1, {14.3, 15.6, 16.6, 16.6, 13.3});
    add("light text.2", ThemeKind::Light, Token::Text2, {7.0, 7.7, 8.2, 8.2, 6.5});
    add("light text.3", ThemeKind::Light, Token::Text3, {5.0, 5.5, 5.8, 5.8, 4.7});
    add("light accent", ThemeKind::Light, Token::Accent, {5.4, 5.9, 6.2, 6.2, 5.0});
    add("light error", ThemeKind::Light, Token::Error, {6.3, 6.9, 7.3, 7.3, 5.9});
    add("dark text.1", ThemeKind::Dark, Token::Text1, {14.4, 13.4, 14.8, 11.6, 10.8});
    add("dark text.2", ThemeKind::Dark, Token::Text2, {8.7, 8.1, 8.9, 7.1, 6.5});
    add("dark text.3", ThemeKind::Dark, Token::Text3, {6.7, 6.2, 6.8, 5.4, 5.0});
    add("dark accent", ThemeKind::Dark, Token::Accent, {7.4, 6.8, 7.6, 6.0, 5.5});
    add("dark warning", ThemeKind::Dark, Token::Warning, {9.6, 8.9, 9.9, 7.8, 7.2});
    add("contrast text.1", ThemeKind::HighContrast, Token::Text1, {21.0, 21.0, 21.0, 19.0, 10.7});
    add("contrast accent", ThemeKind::HighContrast, Token::Accent, {11.6, 11.6, 11.6, 10.5, 5.9});
}

void TestTheme::contrast_tableOfTheSpecification_holds() {
    QFETCH(int, kind);
    QFETCH(int, text);
    QFETCH(QList<double>, ratios);
    const Theme theme(static_cast<ThemeKind>(kind));
    for (std::size_t i = 0; i < kGrounds.size(); ++i) {
        const double measured = contrastRatio(theme.color(static_cast<Token>(text)), theme.color(kGrounds[i]));
        QVERIFY2(std::abs(measured - ratios[static_cast<qsizetype>(i)]) < 0.1, qPrintable(QString::number(measured)));
    }
}

void TestTheme::contrast_residencyEdge_reachesThree() {
    for (const ThemeKind kind : kKinds) {
        const Theme theme(kind);
        for (int r = 0; r < 6; ++r) {
            const QColor edge = theme.residency(static_cast<Residency>(r), Tone::Edge);
            QVERIFY(contrastRatio(edge, theme.color(Token::BgCanvas)) >= 3.0);
            QVERIFY(contrastRatio(edge, theme.residency(static_cast<Residency>(r), Tone::Soft)) >= 3.0);
            QVERIFY(contrastRatio(theme.color(Token::Text1), theme.residency(static_cast<Residency>(r), Tone::Soft)) >=
                    4.5);
        }
    }
}

void TestTheme::contrast_controlsAndSelection_reachThree() {
    for (const ThemeKind kind : kKinds) {
        const Theme theme(kind);
        for (const Token ground : {Token::BgWindow, Token::BgPanel, Token::BgCanvas, Token::BgRaised})
            QVERIFY(contrastRatio(theme.color(Token::LineControl), theme.color(ground)) >= 3.0);
        QVERIFY(contrastRatio(theme.color(Token::SelectOutline), theme.color(Token::BgCanvas)) >= 3.0);
        QVERIFY(contrastRatio(theme.color(Token::AccentText), theme.color(Token::Accent)) >= 4.5);
        QVERIFY(contrastRatio(theme.color(Token::Accent), theme.color(Token::InfoBg)) >= 4.5);
        QVERIFY(contrastRatio(theme.color(Token::Warning), theme.color(Token::WarningBg)) >= 4.5);
        QVERIFY(contrastRatio(theme.color(Token::Error), theme.color(Token::ErrorBg)) >= 4.5);
        QVERIFY(contrastRatio(theme.color(Token::Good), theme.color(Token::GoodBg)) >= 4.5);
    }
}

/// Dark cells in the dark themes and yellow ones on white stand out from the ground by their edge.
void TestTheme::contrast_heatEdge_reachesThree() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme theme(kind);
        for (int i = 0; i <= 100; ++i)
            QVERIFY2(contrastRatio(heatEdge(theme, i / 100.0), theme.color(Token::BgCanvas)) >= 3.0,
                     qPrintable(QString::number(i)));
    }
}

void TestTheme::contrast_heatText_reachesFloor() {
    const Theme theme;
    for (int i = 0; i <= 100; ++i)
        QVERIFY2(contrastRatio(theme.heatText(i / 100.0), theme.heat(i / 100.0)) >= 4.0,
                 qPrintable(QString::number(i)));
}

void TestTheme::literals_outsideTheTheme_areAbsent() {
    const QRegularExpression hex(QStringLiteral("#[0-9a-fA-F]{6}\\b|QColor\\s*\\(\\s*(0x|\\d|\")|\\bqRgba?\\s*\\(|"
                                                "QColor::fromRgb\\s*\\(\\s*(0x|\\d)|QRgb\\s+\\w+\\s*=\\s*0x"));
    int files = 0;
    for (const char* folder : {"/widgets", "/app/gui"})
        for (const QString& path : sourcesIn(QString::fromLatin1(folder))) {
            if (path.endsWith(u"kit/theme/theme_colors.cpp")) continue;
            ++files;
            const auto match = hex.match(QString::fromUtf8(contentsOf(path)));
            QVERIFY2(!match.hasMatch(), qPrintable(path + QStringLiteral(": ") + match.captured()));
        }
    QVERIFY(files > 30);
}

void TestTheme::icons_resourceAndFolder_agree() {
    QStringList files;
    for (const QString& file : QDir(sourceRoot() + QStringLiteral("/resources/icons"))
                                   .entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name))
        files << file.chopped(4);
    QCOMPARE(iconNames(), files);
}

void TestTheme::icons_areAllNamedInTheSources() {
    QByteArray sources;
    for (const char* folder : {"/widgets", "/app/gui"})
        for (const QString& path : sourcesIn(QString::fromLatin1(folder)))
            sources += contentsOf(path);
    for (const QString& name : iconNames())
        QVERIFY2(sources.contains('"' + name.toUtf8() + '"'), qPrintable(name));
}

void TestTheme::icon_everyName_drawsInTheAskedColour() {
    const QColor wanted = Theme(ThemeKind::Light).color(Token::Error);
    for (const QString& name : iconNames()) {
        const QImage image = iconPixmap(name, 16, 2.0, wanted).toImage();
        QCOMPARE(image.width(), 32);
        bool found = false;
        for (int y = 0; y < 32 && !found; ++y)
            for (int x = 0; x < 32 && !found; ++x) {
                const QColor c = image.pixelColor(x, y);
                found = c.alpha() > 200 && std::abs(c.red() - wanted.red()) < 12 &&
                        std::abs(c.green() - wanted.green()) < 12;
            }
        QVERIFY2(found, qPrintable(name));
    }
}

void TestTheme::viridis_stops_areThoseOfTheSpecification() {
    const Theme theme;
    QCOMPARE(theme.heat(0).name(), QStringLiteral("#") + QStringLiteral("440154"));
    QCOMPARE(theme.heat(1).name(), QStringLiteral("#") + QStringLiteral("fde725"));
    const QColor middle = theme.heat(0.5);
    QVERIFY(std::abs(middle.red() - 0x21) <= 1 && std::abs(middle.green() - 0x91) <= 1 &&
            std::abs(middle.blue() - 0x8C) <= 1);
}

void TestTheme::palette_roles_followTokens() {
    for (const ThemeKind kind : kKinds) {
        const Theme theme(kind);
        const QPalette p = theme.palette();
        QCOMPARE(p.color(QPalette::Active, QPalette::Window), theme.color(Token::BgPanel));
        QCOMPARE(p.color(QPalette::Inactive, QPalette::Highlight), theme.color(Token::BgSelected));
        QCOMPARE(p.color(QPalette::Disabled, QPalette::Text), theme.color(Token::TextDisabled));
    }
}

void TestTheme::fonts_scaleWithFactor() {
    QCOMPARE(Theme(ThemeKind::Light).font(TextStyle::Body).pixelSize(), 12);
    QCOMPARE(Theme(ThemeKind::Light, 2.0).font(TextStyle::Body).pixelSize(), 24);
    QCOMPARE(Theme(ThemeKind::Light, 2.0).px(24), 48);
    QVERIFY(Theme(ThemeKind::Light).revision() != Theme(ThemeKind::Light).revision());
}

void TestTheme::fonts_fixed_showWhatIsWritten() {
    const auto glyphs = [](const QString& text, const QFont& font) {
        QTextLayout layout(text, font);
        layout.beginLayout();
        layout.createLine();
        layout.endLayout();
        QVector<quint32> all;
        for (const QGlyphRun& run : layout.glyphRuns())
            all += run.glyphIndexes();
        return all;
    };
    for (const TextStyle style : {TextStyle::Fixed, TextStyle::FixedStrong}) {
        const QFont font = Theme(ThemeKind::Light).font(style);
        for (const QString& text : {QStringLiteral("a->b"), QStringLiteral("==!=<=>="), QStringLiteral("0x4000"),
                                    QStringLiteral("fi::ffl"), QStringLiteral("/*->*/")}) {
            QVector<quint32> single;
            for (const QChar c : text)
                single += glyphs(QString(c), font);
            QCOMPARE(glyphs(text, font), single);
        }
    }
}

void TestTheme::patterns_differWithoutColour() {
    QSet<int> seen;
    for (int r = 0; r < 6; ++r)
        seen.insert(static_cast<int>(patternOf(static_cast<Residency>(r))));
    QCOMPARE(seen.size(), 6);
}

/** Relative luminance 0..1 of WCAG 2.x, worked out here so that the greys are judged by another hand than theirs. */
static double lightOf(const QColor& colour) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

void TestTheme::monochrome_hasGreysOnly_asLightAsTheColours() {
    const auto isGrey = [](const QColor& c) { return c.red() == c.green() && c.green() == c.blue(); };
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme colours(kind);
        Theme grey(kind);
        grey.setMonochrome(true);
        for (int i = 0; i < static_cast<int>(Token::Count); ++i) {
            const auto token = static_cast<Token>(i);
            QVERIFY(isGrey(grey.color(token)));
            QVERIFY(std::abs(lightOf(grey.color(token)) - lightOf(colours.color(token))) < 0.01);
        }
        for (const double t : {-1.0, -0.3, 0.0, 0.4, 1.0}) {
            QVERIFY(isGrey(grey.heat(t)));
            QVERIFY(isGrey(grey.difference(t)));
        }
        QVERIFY(grey.heat(0.0).lightness() < grey.heat(0.5).lightness());
        QVERIFY(grey.heat(0.5).lightness() < grey.heat(1.0).lightness());
        grey.setMonochrome(false);
        QCOMPARE(grey.color(Token::Accent), colours.color(Token::Accent));
    }
}

/// Half of the pen over the edge would stay when the cell alone is drawn again.
void TestTheme::focusRing_staysInItsCell() {
    const StudioStyle style{Theme(ThemeKind::Light)};
    QImage image(60, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionFocusRect option;
    option.rect = QRect(10, 10, 40, 20);
    style.drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, nullptr);
    painter.end();
    int outside = 0, inside = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != qRgb(255, 255, 255)) ++(option.rect.contains(x, y) ? inside : outside);
    QVERIFY(inside > 0);
    QCOMPARE(outside, 0);
}

/// The base style has a red picture of its own for the tab in front.
void TestTheme::tabClose_hasTheThemesColours() {
    for (const ThemeKind kind : kKinds) {
        const Theme theme(kind);
        const StudioStyle style{theme};
        const QRgb ground = theme.color(Token::BgPanel).rgb();
        for (const auto& [state, ink] :
             {std::pair{QStyle::State_Selected, Token::Text1}, {QStyle::State_None, Token::Text3}}) {
            QImage image(24, 24, QImage::Format_RGB32);
            image.fill(ground);
            QPainter painter(&image);
            QStyleOption option;
            option.rect = image.rect();
            option.state = QStyle::State_Enabled | state;
            style.drawPrimitive(QStyle::PE_IndicatorTabClose, &option, &painter, nullptr);
            painter.end();
            bool hasInk = false;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    hasInk = hasInk || image.pixel(x, y) == theme.color(ink).rgb();
            QVERIFY(hasInk);
            QCOMPARE(image.pixel(0, 0), ground);
            QCOMPARE(image.pixel(12, 3), ground);  // a cross, no box
        }
    }
}

void TestTheme::scrollCorner_hasTheColourOfTheBars() {
    for (const ThemeKind kind : kKinds) {
        const StudioStyle style{Theme(kind)};
        QImage image(20, 20, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        QPainter painter(&image);
        QStyleOption option;
        option.rect = image.rect();
        style.drawPrimitive(QStyle::PE_PanelScrollAreaCorner, &option, &painter, nullptr);
        painter.end();
        for (const QPoint at : {QPoint(0, 0), QPoint(10, 10), QPoint(19, 19)})
            QCOMPARE(image.pixelColor(at), Theme(kind).color(Token::BgPanel));
    }
}

MEMPLAN_WINDOW_TEST(TestTheme)
#include "tst_theme.moc"

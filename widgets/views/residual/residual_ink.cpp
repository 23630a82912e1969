// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/residual_ink.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace memplan::ui {

namespace {

constexpr int kGrey = 7;  ///< of the categories: for what has no annotation
constexpr double kPale = 0.72, kMore = 0.62, kOther = 0.6;

struct WidthLook {
    int category;
    const char* text;
};
constexpr std::array<WidthLook, kWidthClasses.size()> kWidths{{{0, QT_TRANSLATE_NOOP("Residual", "48 and wider")},
                                                               {3, QT_TRANSLATE_NOOP("Residual", "16 to 47")},
                                                               {2, QT_TRANSLATE_NOOP("Residual", "4 to 15")},
                                                               {1, QT_TRANSLATE_NOOP("Residual", "1 to 3")}}};

QString words(const char* text) {
    return QCoreApplication::translate("Residual", text);
}

/// Place among the annotations that have a name.
int namedPlace(const ResidualData& data, int annotation) {
    int place = 0;
    for (int i = 0; i < annotation; ++i)
        if (!data.annotations()[static_cast<std::size_t>(i)].isNone) ++place;
    return place;
}

int classOf(const ResidualData& data, ResidualColour by, int holding) {
    const ResidualHolding& h = data.holding(holding);
    if (by == ResidualColour::Annotation) return h.annotation;
    return by == ResidualColour::Width ? widthClass(h.width) : holding;
}

}  // namespace

QColor annotationColour(const Theme& theme, const ResidualData& data, int annotation) {
    const QColor other = Theme::mix(theme.color(Token::TextDisabled), theme.color(Token::BgCanvas), kOther);
    if (annotation < 0) return other;
    if (data.annotations()[static_cast<std::size_t>(annotation)].isNone) return theme.category(kGrey);
    const int place = namedPlace(data, annotation);
    if (place < kGrey) return theme.category(place);
    if (place >= kNamedAnnotations) return other;
    return Theme::mix(theme.category(place - kGrey), theme.color(Token::Text1), kMore);
}

ResidualInk residualInk(const Theme& theme, const ResidualData& data, ResidualColour by) {
    const QColor ground = theme.color(Token::BgCanvas);
    ResidualInk ink;
    ink.free = ground.rgb();
    ink.line = ground.rgb();
    ink.mark = theme.color(Token::Text1).rgb();
    ink.classCount = by == ResidualColour::Annotation ? static_cast<int>(data.annotations().size())
                     : by == ResidualColour::Width    ? static_cast<int>(kWidths.size())
                                                      : static_cast<int>(data.holdings().size());
    std::vector<QColor> annotations;
    for (std::size_t i = 0; i < data.annotations().size(); ++i)
        annotations.push_back(annotationColour(theme, data, static_cast<int>(i)));
    ink.colours.reserve(data.holdings().size());
    ink.classes.reserve(data.holdings().size());
    for (std::size_t i = 0; i < data.holdings().size(); ++i) {
        const ResidualHolding& h = data.holdings()[i];
        QColor colour = annotations.empty() ? ground : annotations[static_cast<std::size_t>(h.annotation)];
        if (by == ResidualColour::Width)
            colour = theme.category(kWidths[static_cast<std::size_t>(widthClass(h.width))].category);
        if (by == ResidualColour::Node) colour = theme.category(h.owner.index % kGrey);
        ink.colours.push_back((h.isPale ? Theme::mix(colour, ground, kPale) : colour).rgb());
        ink.classes.push_back(classOf(data, by, static_cast<int>(i)));
    }
    return ink;
}

std::vector<LegendEntry> residualLegend(const ResidualData& data, ResidualColour by) {
    std::vector<LegendEntry> entries;
    const auto add = [&entries](const QString& text, int category) {
        LegendEntry entry;
        entry.text = text;
        entry.category = category;
        entries.push_back(std::move(entry));
    };
    if (by == ResidualColour::Width) {
        std::array<bool, kWidths.size()> isThere{};
        for (const ResidualHolding& h : data.holdings())
            isThere[static_cast<std::size_t>(widthClass(h.width))] = true;
        for (std::size_t i = 0; i < kWidths.size(); ++i)
            if (isThere[i]) add(words(kWidths[i].text), kWidths[i].category);
    }
    if (by != ResidualColour::Annotation) return entries;
    for (std::size_t i = 0; i < data.annotations().size() && entries.size() < kGrey; ++i) {
        const ResidualAnnotation& a = data.annotations()[i];
        const int place = namedPlace(data, static_cast<int>(i));
        if (a.area > 0 && (a.isNone || place < kGrey)) add(a.name, a.isNone ? kGrey : place);
    }
    return entries;
}

}  // namespace memplan::ui

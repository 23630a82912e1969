// SPDX-License-Identifier: GPL-3.0-or-later
// The colour table: every literal of the window (design-system 2.2, 2.4, 2.5, 2.6).
#include "widgets/kit/theme/theme_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::ui {

namespace {

struct Row {
    Token token;
    QRgb light, dark, contrast;
};

constexpr std::array kTokens{
    Row{Token::BgWindow, 0xECEEF1, 0x15181C, 0x000000},      Row{Token::BgPanel, 0xF7F8FA, 0x1B1F24, 0x000000},
    Row{Token::BgCanvas, 0xFFFFFF, 0x121518, 0x000000},      Row{Token::BgRaised, 0xFFFFFF, 0x252A31, 0x101010},
    Row{Token::BgHover, 0xE4E8ED, 0x2B3138, 0x1F1F1F},       Row{Token::BgSelected, 0xD9E8F6, 0x17314A, 0x00406E},
    Row{Token::Text1, 0x1B1F24, 0xE4E7EB, 0xFFFFFF},         Row{Token::Text2, 0x48505A, 0xAEB6C0, 0xE6E6E6},
    Row{Token::Text3, 0x5D6671, 0x969FAB, 0xCCCCCC},         Row{Token::TextDisabled, 0x9AA2AC, 0x5D6670, 0x8C8C8C},
    Row{Token::Line1, 0xD8DCE2, 0x2E343C, 0xFFFFFF},         Row{Token::Line2, 0xE8EBEF, 0x242930, 0x7F7F7F},
    Row{Token::LineControl, 0x7D858F, 0x6F7985, 0xFFFFFF},   Row{Token::LineGrid, 0xEDF0F3, 0x1D2126, 0x333333},
    Row{Token::Accent, 0x0063AB, 0x5AAEEA, 0x7CC8FF},        Row{Token::AccentText, 0xFFFFFF, 0x0B1116, 0x000000},
    Row{Token::SelectOutline, 0x0072B2, 0x7FC8FF, 0xFFD400}, Row{Token::Error, 0xB00020, 0xFF6B81, 0xFF8A9B},
    Row{Token::ErrorBg, 0xFBE9EB, 0x3A1D24, 0x000000},       Row{Token::Warning, 0x8A5A00, 0xF0B44C, 0xFFD36B},
    Row{Token::WarningBg, 0xFFF4DC, 0x36290F, 0x000000},     Row{Token::Good, 0x00704F, 0x3CC79B, 0x5FE0B4},
    Row{Token::GoodBg, 0xE3F4EE, 0x12322A, 0x000000},        Row{Token::InfoBg, 0xE6F0F9, 0x16293A, 0x000000},
    Row{Token::AddedWord, 0xA9E0CB, 0x1F5F4D, 0x1F5F4D},     Row{Token::RemovedBg, 0xFBEBE0, 0x3B2516, 0x000000},
    Row{Token::RemovedWord, 0xF3C3A0, 0x6E3F1C, 0x6E3F1C},   Row{Token::SyntaxKind, 0x8A3FA0, 0xD3A5E6, 0xD3A5E6},
    Row{Token::WhatIf, 0xA8507F, 0xDB97BD, 0xF0AED3},        Row{Token::HeatTextDark, 0x101418, 0x101418, 0x101418},
};

struct ResidencyRow {
    QRgb base, light, dark, contrast;
};

constexpr std::array kResidency{
    ResidencyRow{0x009E73, 0x007A58, 0x2BBF94, 0x2BD9A6},  // on chip
    ResidencyRow{0xD55E00, 0xB34E00, 0xF08038, 0xFF9A52},  // off chip
    ResidencyRow{0xF0E442, 0x8A8000, 0xF0E442, 0xFFF36B},  // in place
    ResidencyRow{0x56B4E9, 0x1F7FB5, 0x7CC6F0, 0x8AD3FF},  // clone
    ResidencyRow{0x999999, 0x757575, 0xA8A8A8, 0xC4C4C4},  // reserved
    ResidencyRow{0xCC79A7, 0xA8507F, 0xDB97BD, 0xF0AED3},  // resharded, copied
};

constexpr std::array<QRgb, 8> kCategories{0x0072B2, 0xE69F00, 0x009E73, 0xCC79A7,
                                          0x56B4E9, 0xD55E00, 0xF0E442, 0x8C8C8C};
constexpr std::array<QRgb, 5> kViridis{0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725};

}  // namespace

QColor tokenColor(ThemeKind kind, Token token) {
    const auto row = std::ranges::find(kTokens, token, &Row::token);
    const QRgb rgb = kind == ThemeKind::Light ? row->light : kind == ThemeKind::Dark ? row->dark : row->contrast;
    return QColor::fromRgb(rgb | 0xFF000000U);
}

QColor residencyBase(Residency r) {
    return QColor::fromRgb(kResidency[static_cast<std::size_t>(r)].base | 0xFF000000U);
}

QColor residencyEdge(ThemeKind kind, Residency r) {
    const ResidencyRow& row = kResidency[static_cast<std::size_t>(r)];
    const QRgb rgb = kind == ThemeKind::Light ? row.light : kind == ThemeKind::Dark ? row.dark : row.contrast;
    return QColor::fromRgb(rgb | 0xFF000000U);
}

QColor categoryColor(int index) {
    return QColor::fromRgb(kCategories[static_cast<std::size_t>(std::abs(index)) % kCategories.size()] | 0xFF000000U);
}

QColor mixedColor(const QColor& a, const QColor& b, double amount) {
    const auto channel = [amount](int x, int y) {
        return static_cast<int>(std::lround(x * amount + y * (1.0 - amount)));
    };
    return QColor::fromRgb(channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue()));
}

QColor viridisColor(double t) {
    const double x = std::clamp(t, 0.0, 1.0) * 4.0;
    const auto i = static_cast<std::size_t>(std::min(3.0, std::floor(x)));
    return mixedColor(QColor::fromRgb(kViridis[i + 1] | 0xFF000000U), QColor::fromRgb(kViridis[i] | 0xFF000000U),
                      x - static_cast<double>(i));
}

QColor differenceMiddle(ThemeKind kind) {
    return QColor::fromRgb(kind == ThemeKind::Light ? 0xFFF7F7F7U : 0xFF3A4048U);
}

std::span<const QRgb, 10> drawingColors() {
    static constexpr std::array<QRgb, 10> kDrawings{0xFF1F2328U, 0xFF57606AU, 0xFF8C959FU, 0xFFF6F8FAU, 0xFFCFE8DFU,
                                                    0xFF00785AU, 0xFFF6DCC0U, 0xFFA34700U, 0xFF0969DAU, 0xFFCF222EU};
    return kDrawings;
}

}  // namespace memplan::ui

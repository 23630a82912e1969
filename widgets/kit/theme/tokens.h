// SPDX-License-Identifier: GPL-3.0-or-later
// The names of what a theme has (design-system 2, 3): tokens, residencies, type styles.
#pragma once

namespace memplan::ui {

enum class ThemeKind { Light, Dark, HighContrast };

enum class Token {
    BgWindow,
    BgPanel,
    BgCanvas,
    BgRaised,
    BgHover,
    BgSelected,
    Text1,
    Text2,
    Text3,
    TextDisabled,
    Line1,
    Line2,
    LineControl,
    LineGrid,
    Accent,
    AccentText,
    SelectOutline,
    Error,
    ErrorBg,
    Warning,
    WarningBg,
    Good,
    GoodBg,
    InfoBg,
    AddedWord,
    RemovedBg,
    RemovedWord,
    SyntaxKind,
    WhatIf,
    HeatTextDark,
    Count
};

enum class Residency { OnChip, OffChip, InPlace, Clone, Reserved, Resharded };
enum class Tone { Base, Soft, Edge, Badge };

/// Type styles of design-system 3; pixel sizes are at 100 % and scale with the font factor.
enum class TextStyle {
    Body,
    BodyStrong,
    Button,
    Small,
    SmallStrong,
    Tiny,
    TinyStrong,
    ObjectTitle,
    PageTitle,
    Fixed,
    FixedStrong,
    ReportText,
    ReportTitle,
    ReportTable
};

}  // namespace memplan::ui

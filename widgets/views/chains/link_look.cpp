// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/link_look.h"

#include <QCoreApplication>

#include <array>

namespace memplan::ui {

namespace {

struct LookRow {
    const char* words;
    Residency residency;  ///< whose edge the line has, where there is no token
    std::optional<Token> token;
    bool isDashed = false;
};

/// In the order of LinkLook.
constexpr std::array<LookRow, 6> kLooks{{
    {QT_TRANSLATE_NOOP("Chains", "merge into operand 0"), Residency::OnChip, Token::Accent},
    {QT_TRANSLATE_NOOP("Chains", "merge into operand 1"), Residency::OnChip, Token::WhatIf},
    {QT_TRANSLATE_NOOP("Chains", "three-way merge"), Residency::OnChip, Token::Text2},
    {QT_TRANSLATE_NOOP("Chains", "concat"), Residency::InPlace, std::nullopt},
    {QT_TRANSLATE_NOOP("Chains", "fork"), Residency::OnChip, std::nullopt},
    {QT_TRANSLATE_NOOP("Chains", "refused merge"), Residency::OnChip, Token::Error, true},
}};

const LookRow& rowOf(LinkLook look) {
    return kLooks[static_cast<std::size_t>(look)];
}

}  // namespace

LinkLook linkLook(const ChainLink& link) {
    if (!link.isAccepted) return LinkLook::Refused;
    switch (link.kind) {
    case ChainLink::Kind::ThreeWay:
        return LinkLook::ThreeWay;
    case ChainLink::Kind::Concat:
        return LinkLook::Concat;
    case ChainLink::Kind::Fork:
        return LinkLook::Fork;
    case ChainLink::Kind::Merge:
        break;
    }
    return link.operand == 0 ? LinkLook::Operand0 : LinkLook::Operand1;
}

QColor linkColour(LinkLook look, const Theme& theme) {
    const LookRow& row = rowOf(look);
    return row.token ? theme.color(*row.token) : theme.residency(row.residency, Tone::Edge);
}

std::vector<LegendEntry> linkLegend(const ChainData& data, bool showsRejected) {
    std::array<bool, kLooks.size()> isDrawn{};
    for (const ChainLink& link : data.links())
        if (link.isAccepted || showsRejected) isDrawn[static_cast<std::size_t>(linkLook(link))] = true;
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < kLooks.size(); ++i) {
        if (!isDrawn[i]) continue;
        LegendEntry entry{QCoreApplication::translate("Chains", kLooks[i].words), kLooks[i].residency};
        entry.line = LegendLine{kLooks[i].token, kLooks[i].isDashed};
        entries.push_back(std::move(entry));
    }
    return entries;
}

}  // namespace memplan::ui

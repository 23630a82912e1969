// SPDX-License-Identifier: GPL-3.0-or-later
// Why a chain is as it is, in numbered sentences, and the changes that may help (user-experience 8.7).
#pragma once

#include "widgets/views/chains/data/chain_data.h"

#include <QStringList>

namespace memplan::ui {

struct StoryStep {
    QString title;
    QStringList lines;
};
[[nodiscard]] std::vector<StoryStep> chainStory(const ChainData& data, int lane);
/// "L1 WS 1x64 to L1 WS 1x64: needs 1 867 840 B of a core, 444 634 B above the limit"; empty where no pair of the edge
/// lacked memory alone.
[[nodiscard]] QString closestPairText(const ChainData& data, const ttnn::EdgeInfo& edge);

/// One click makes it: a hint on an operation, or another value of a setting.
struct ChainProposal {
    QString title, text, button;
    OpId op;          ///< of a hint
    QString hintKey;  ///< "break_chain"
    QString json;     ///< its value
    QString setting, value;
    [[nodiscard]] bool isHint() const { return op.isValid(); }
};
[[nodiscard]] std::vector<ChainProposal> chainProposals(const ChainData& data, int lane);
/// The hint that gives an operation this layout.
[[nodiscard]] ChainProposal layoutProposal(const ChainData& data, OpId op, const ttnn::Layout& layout);

/// A configuration of an operation and what became of it (8.5).
struct ConfigRow {
    int config = -1;
    ttnn::Layout layout;
    QString kernel;  ///< what configurations of one layout differ by; empty: the layout says it all
    double acc = 0;
    QString state;
    bool isChosen = false, isGone = false;
};
[[nodiscard]] std::vector<ConfigRow> configRows(const ChainData& data, OpId op);

}  // namespace memplan::ui

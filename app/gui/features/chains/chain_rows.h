// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of the engine about a plan with L1 chains, as the window writes them.
#pragma once

#include "engine/ttnn/advice/part_gains.h"
#include "engine/ttnn/advice/trade_off.h"
#include "engine/ttnn/advice/trials.h"
#include "widgets/views/chains/data/chain_answers.h"

namespace memplan::app {

/// Rows of the window, with the proposal that each can make (null where there is none) and its trial (null where it
/// was not tried).
struct OfferRows {
    std::vector<ui::ChainOffer> rows;
    std::vector<const ttnn::Trial*> trials;        ///< of the report, parallel
    std::vector<const ttnn::Proposal*> proposals;  ///< of the report or the advice, parallel
};
/// Findings and failed chains, best first; without a report nothing was tried yet.
[[nodiscard]] OfferRows offerRows(const ttnn::Advice& advice, const ttnn::TrialReport* report);
[[nodiscard]] std::vector<ui::ChainPartRow> partRows(const std::vector<ttnn::PartStep>& steps);
[[nodiscard]] std::vector<ui::ChainTradeOff> tradeOffRows(const std::vector<ttnn::TradeOffRow>& rows);

}  // namespace memplan::app

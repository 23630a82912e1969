// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of a compile in words (ttnn-optimizer 13, user-experience 8.10): what the solver did, event after event.
#pragma once

#include "widgets/views/chains/data/chain_data.h"

#include <QStringList>

namespace memplan::ui {

struct ChainStepText {
    QString title;  ///< "relu_a: 12 of 64 configurations left"
    QStringList lines;
};
[[nodiscard]] ChainStepText chainStepText(const ChainData& data, const ttnn::TraceEvent& event);
/// Events of a chain of the record in their order; of all with -1.
[[nodiscard]] std::vector<int> chainSteps(const ChainData& data, int chain);
/// The edge of the record that an event is about; -1: none.
[[nodiscard]] int edgeOfStep(const ChainData& data, const ttnn::TraceEvent& event);

}  // namespace memplan::ui

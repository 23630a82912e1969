// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/ttnn_data.h"

#include "engine/base/word_table.h"

namespace memplan {
namespace {

constexpr WordTable<TtnnConversion, 6> kConversions{{{TtnnConversion::None, ""},
                                                     {TtnnConversion::Forced, "forced"},
                                                     {TtnnConversion::Override, "override"},
                                                     {TtnnConversion::Proactive, "proactive"},
                                                     {TtnnConversion::SpillToDram, "spill"},
                                                     {TtnnConversion::SpillToL1, "to_l1_interleaved"}}};

}  // namespace

std::string_view wordOf(TtnnConversion kind) {
    return wordIn(kConversions, kind);
}

std::optional<TtnnConversion> ttnnConversionOf(std::string_view word) {
    return valueIn(kConversions, word);
}

const TtnnData& ttnnData(const Plan& plan) {
    static const TtnnData kNone;
    const auto* own = targetDataAs<TtnnData>(plan.targetData);
    return own != nullptr ? *own : kNone;
}

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/machine/chains.h"

#include "engine/base/word_table.h"

namespace memplan::ttnn {
namespace {

constexpr WordTable<ChainState, 5> kStates{{{ChainState::InBuild, "InBuild"},
                                            {ChainState::Built, "Built"},
                                            {ChainState::Resolved, "Resolved"},
                                            {ChainState::Completed, "Completed"},
                                            {ChainState::Failed, "Failed"}}};
constexpr WordTable<SpillLocation, 3> kSpills{
    {{SpillLocation::None, "none"}, {SpillLocation::L1Interleaved, "l1_interleaved"}, {SpillLocation::Dram, "dram"}}};
constexpr WordTable<EndedBy, 9> kEnds{{{EndedBy::Hint, "hint"},
                                       {EndedBy::Concat, "concat"},
                                       {EndedBy::Returned, "returned"},
                                       {EndedBy::Fork, "fork"},
                                       {EndedBy::NoNext, "no_next"},
                                       {EndedBy::NotFirstOperand, "not_first_operand"},
                                       {EndedBy::NotShardable, "not_shardable"},
                                       {EndedBy::NoLegalConfig, "no_legal_config"},
                                       {EndedBy::ScheduledElsewhere, "scheduled_elsewhere"}}};
constexpr WordTable<ReshardOrigin, 3> kOrigins{{{ReshardOrigin::Forced, "forced"},
                                                {ReshardOrigin::Override, "override"},
                                                {ReshardOrigin::Proactive, "proactive"}}};
constexpr WordTable<MergeKind, 3> kMerges{
    {{MergeKind::Simple, "simple"}, {MergeKind::ThreeWay, "three_way"}, {MergeKind::Concat, "concat"}}};
constexpr WordTable<TraceKind, 12> kTraces{{{TraceKind::LayoutsGenerated, "layouts_generated"},
                                            {TraceKind::OpConfigs, "op_configs"},
                                            {TraceKind::ChainBuilt, "chain_built"},
                                            {TraceKind::EdgeChecked, "edge_checked"},
                                            {TraceKind::BitsNarrowed, "bits_narrowed"},
                                            {TraceKind::ReshardInserted, "reshard_inserted"},
                                            {TraceKind::ChainFailed, "chain_failed"},
                                            {TraceKind::ConfigSelected, "config_selected"},
                                            {TraceKind::MergeTried, "merge_tried"},
                                            {TraceKind::MergeApplied, "merge_applied"},
                                            {TraceKind::ReservationAdded, "reservation_added"},
                                            {TraceKind::TransformApplied, "transform_applied"}}};

}  // namespace

std::string_view wordOf(ChainState state) {
    return wordIn(kStates, state);
}
std::string_view wordOf(SpillLocation spill) {
    return wordIn(kSpills, spill);
}
std::string_view wordOf(EndedBy reason) {
    return wordIn(kEnds, reason);
}
std::string_view wordOf(ReshardOrigin origin) {
    return wordIn(kOrigins, origin);
}
std::string_view wordOf(MergeKind kind) {
    return wordIn(kMerges, kind);
}
std::string_view wordOf(TraceKind kind) {
    return wordIn(kTraces, kind);
}
std::optional<ChainState> chainStateOf(std::string_view word) {
    return valueIn(kStates, word);
}
std::optional<SpillLocation> spillLocationOf(std::string_view word) {
    return valueIn(kSpills, word);
}
std::optional<EndedBy> endedByOf(std::string_view word) {
    return valueIn(kEnds, word);
}
std::optional<ReshardOrigin> reshardOriginOf(std::string_view word) {
    return valueIn(kOrigins, word);
}
std::optional<MergeKind> mergeKindOf(std::string_view word) {
    return valueIn(kMerges, word);
}
std::optional<TraceKind> traceKindOf(std::string_view word) {
    return valueIn(kTraces, word);
}

}  // namespace memplan::ttnn

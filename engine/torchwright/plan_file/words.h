// SPDX-License-Identifier: Apache-2.0
// The words of enumerations in target_data.
#pragma once

#include "engine/base/word_table.h"
#include "engine/plan/file/record.h"
#include "engine/plan/torchwright_data.h"

namespace memplan::io {

template <> struct Words<torchwright::LocalRouting> {
    static constexpr std::string_view kWhat = "local_in_attention";
    static constexpr WordTable<torchwright::LocalRouting, 2> kWords{
        {{torchwright::LocalRouting::Always, "always"}, {torchwright::LocalRouting::Never, "never"}}};
    static std::string_view name(torchwright::LocalRouting routing) { return wordIn(kWords, routing); }
    static std::optional<torchwright::LocalRouting> named(std::string_view word) { return valueIn(kWords, word); }
};

template <>
struct Words<torchwright::ScheduleResult>
    : WordsUpTo<torchwright::ScheduleResult, torchwright::resultName, torchwright::ScheduleResult::AfterNeverMet> {
    static constexpr std::string_view kWhat = "result";
};

template <>
struct Words<torchwright::Cause>
    : WordsUpTo<torchwright::Cause, torchwright::causeName, torchwright::Cause::Admission> {
    static constexpr std::string_view kWhat = "cause";
};

template <>
struct Words<torchwright::AttentionKind>
    : WordsUpTo<torchwright::AttentionKind, torchwright::opName, torchwright::AttentionKind::DeltaTransfer> {
    static constexpr std::string_view kWhat = "operation of the attention sublayer";
};

template <>
struct Words<torchwright::MlpKind> : WordsUpTo<torchwright::MlpKind, torchwright::opName, torchwright::MlpKind::Bias> {
    static constexpr std::string_view kWhat = "operation of the MLP sublayer";
};

template <>
struct Words<torchwright::NodeKind>
    : WordsUpTo<torchwright::NodeKind, torchwright::kindName, torchwright::NodeKind::Placeholder> {
    static constexpr std::string_view kWhat = "type of a node";
};

}  // namespace memplan::io

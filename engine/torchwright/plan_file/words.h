// SPDX-License-Identifier: Apache-2.0
// The words of enumerations in target_data.
#pragma once

#include "engine/base/word_table.h"
#include "engine/plan/file/record.h"
#include "engine/torchwright/schedule/schedule.h"

namespace memplan::io {

template <> struct Words<torchwright::LocalRouting> {
    static constexpr std::string_view kWhat = "local_in_attention";
    static constexpr WordTable<torchwright::LocalRouting, 2> kWords{
        {{torchwright::LocalRouting::Always, "always"}, {torchwright::LocalRouting::Never, "never"}}};
    static std::string_view name(torchwright::LocalRouting routing) { return wordIn(kWords, routing); }
    static std::optional<torchwright::LocalRouting> named(std::string_view word) { return valueIn(kWords, word); }
};

template <> struct Words<torchwright::ScheduleResult> {
    using Result = torchwright::ScheduleResult;
    static constexpr std::string_view kWhat = "result";
    static constexpr std::array kAll{
        Result::Ok,           Result::NoProgress,   Result::InputsDoNotFit, Result::DHeadTooSmall,
        Result::NotConverged, Result::AfterNeverMet};
    static std::string_view name(Result result) { return resultName(result); }
    static std::optional<Result> named(std::string_view word) {
        return valueNamed(kAll, torchwright::resultName, word);
    }
};

template <> struct Words<torchwright::Cause> {
    using Cause = torchwright::Cause;
    static constexpr std::string_view kWhat = "cause";
    static constexpr std::array kAll{Cause::Order, Cause::HeadRoom, Cause::ColumnRoom, Cause::SlotRoom,
                                     Cause::Admission};
    static std::string_view name(Cause cause) { return causeName(cause); }
    static std::optional<Cause> named(std::string_view word) { return valueNamed(kAll, torchwright::causeName, word); }
};

}  // namespace memplan::io

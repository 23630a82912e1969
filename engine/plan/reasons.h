// SPDX-License-Identifier: Apache-2.0
// Reason codes of buffers: why a buffer is where it is (codes.md 1). A code has one meaning for
// ever; the order of the table is the precedence.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace memplan {

enum class ReasonCode {
    PlanningOff,
    OffByHint,
    OpNotAllowed,
    Unsized,
    MutationTarget,
    TiledAdvancing,
    ReadByRestickify,
    ExternUser,
    IndirectAccess,
    GraphOutput,
    GraphInput,
    OutputIsView,
    PartialRead,
    CoreDivMismatch,
    NeverRead,
    BackGap,
    LargerThanMemory,
    NoRoom,
    PartnerUnplaced,
    SolverStopped,
    NotShardable,
    NoLegalLayout,
    ChainFailed,
    ChainEndSpilled,
    ForkRejected,
    MergeRejected,
    OpNotModelled,
    HasNoColumns
};

struct ReasonInfo {
    ReasonCode code = ReasonCode::PlanningOff;
    std::string_view name;        ///< "core_div_mismatch"
    std::string_view diagnostic;  ///< "LX-014"
    std::string_view target;      ///< ids of machines parted by commas, or "all"
    std::string_view condition;   ///< one sentence
    std::string_view family;      ///< family in the window: "split mismatch"
};

[[nodiscard]] std::span<const ReasonInfo> allReasons();  ///< in order of precedence
[[nodiscard]] const ReasonInfo& reasonInfo(ReasonCode code);
[[nodiscard]] std::optional<ReasonCode> reasonFromName(std::string_view name);

struct DiagnosticInfo {
    std::string_view code;   ///< "VER-003"
    std::string_view title;  ///< short text
    int exitStatus = 0;      ///< status when it ends a command, 0 = never does
};

[[nodiscard]] std::span<const DiagnosticInfo> allDiagnostics();  ///< every code of codes.md, in its order

/// Exit status of a command that ends with this diagnostic code (codes.md 2): 1, 2, 3, 4, 70, 130.
[[nodiscard]] int exitStatusOf(std::string_view diagnosticCode);

}  // namespace memplan

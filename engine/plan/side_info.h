// SPDX-License-Identifier: Apache-2.0
// Side information: what the original compiler recorded about the same kernels (coarse-tiling-and-bundle
// 17.2 to 17.4). It stands beside a plan, by name, and never changes it; target_data.side_information of a plan
// file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan {

enum class SideKind { Provenance, PassLog, CostDump };
[[nodiscard]] std::string_view sideKindName(SideKind k);   ///< "provenance", "pass_log", "cost_dump"
[[nodiscard]] std::string_view sideKindTitle(SideKind k);  ///< "provenance", "pass log", "cost dump"
[[nodiscard]] std::optional<SideKind> sideKindNamed(std::string_view name);

/// One recorded value; keys are unique within a subject's list.
struct SideFact {
    std::string key;                     ///< "read_bytes", "layout"
    std::string text;                    ///< as it is shown
    std::optional<std::int64_t> number;  ///< set where the value is a whole number
    friend bool operator==(const SideFact&, const SideFact&) = default;
};
using SideFacts = std::vector<SideFact>;

[[nodiscard]] SideFact textFact(std::string key, std::string text);
[[nodiscard]] SideFact numberFact(std::string key, std::int64_t number);

// ---- a file as it was read --------------------------------------------------------------------------------

struct SideTensor {
    std::string name;
    SideFacts facts;
    friend bool operator==(const SideTensor&, const SideTensor&) = default;
};

/// An operation of a pass log or a cost dump.
struct SideOp {
    std::string name;
    bool isComputed = true;  ///< false for extern kernels, constants and allocations
    SideFacts facts;
    std::vector<SideTensor> tensors;
    friend bool operator==(const SideOp&, const SideOp&) = default;
};

/// A kernel of a provenance sidecar or a cost report, with facts of its ops by their path in the OpSpec tree.
struct SideKernel {
    std::string name;
    SideFacts facts;
    std::vector<std::pair<std::vector<std::int64_t>, SideFacts>> ops;
    friend bool operator==(const SideKernel&, const SideKernel&) = default;
};

struct SideDocument {
    SideKind kind = SideKind::PassLog;
    std::string file;    ///< base name
    std::string sha256;  ///< of the whole file
    SideFacts facts;     ///< of the file as a whole
    std::vector<SideOp> ops;
    std::vector<SideKernel> kernels;
    friend bool operator==(const SideDocument&, const SideDocument&) = default;
};

// ---- the same beside a plan -------------------------------------------------------------------------------

struct SideSource {
    SideKind kind = SideKind::PassLog;
    std::string file, sha256;
    std::int64_t records = 0;            ///< operations, tensors and kernels that the file names
    std::int64_t matched = 0;            ///< of these, found in the plan
    bool byOrder = false;                ///< no name matched: operations were taken in their order
    std::vector<std::string> unmatched;  ///< at most 32 names
    SideFacts facts;
    friend bool operator==(const SideSource&, const SideSource&) = default;
};

/// What one source says of one subject.
struct SideRecord {
    int source = 0;  ///< position in SideInformation::sources
    SideFacts facts;
    friend bool operator==(const SideRecord&, const SideRecord&) = default;
};
using SideRecords = std::map<std::string, std::vector<SideRecord>>;  ///< by name

struct SideInformation {
    std::vector<SideSource> sources;  ///< in the order they were attached
    SideRecords ops, buffers, kernels;
    friend bool operator==(const SideInformation&, const SideInformation&) = default;
};

/// Label and text of every fact of a subject, as `explain` and the inspector show them: "pass log, layout".
/// Texts longer than 240 bytes are cut.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
sideLines(const SideInformation& side, const SideRecords& records, const std::string& name);

/// The sources with their facts, then those of the kernels, as aligned text; lines end with LF.
[[nodiscard]] std::string sideText(const SideInformation& side);

}  // namespace memplan

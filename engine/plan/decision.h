// SPDX-License-Identifier: Apache-2.0
// One choice of a pass: codes, numbers and names. Its words are made by sentence() where it is written or shown.
#pragma once

#include "engine/base/ids.h"
#include "engine/plan/statement.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// What was decided. The names are those of plan files, `x_decisions[].kind`.
enum class DecisionKind {
    Other,  ///< a machine's own, or one that a plan file names and this program does not know: see otherKind
    Candidate,
    Placed,
    InPlace,
    Spilled,
    Split,
    Layout,
    Restickify,
    Clone,
    Chunk,
    DeadCode,
    Constant,
    Padding,
    DimHint,
    Tile,
    Propagate,
    TilingSearch,
    Tiling,
    ReadCopy,
    Pool,
    Order,
    Boundary,
    BoundaryPrice,
    Renamed,
    Evicted,
    Ring,
    DivisionSearch,
    PlanVariant,
    Search
};

/// A figure or a choice beside the one that was taken.
struct Alternative {
    Statement label;
    double score = 0;  ///< infinite: not possible
};

/// One choice of a pass, for the inspector's trace.
struct Decision {
    std::string pass;  ///< pass id
    OpId op;
    BufferId buffer;
    DecisionKind kind = DecisionKind::Other;
    Statement chosen;
    std::vector<Alternative> alternatives;  ///< at most 32
    Statement why;
    std::string otherKind{};  ///< word of a kind Other

    /// The score of the alternative with this label.
    [[nodiscard]] std::optional<double> figure(const Wording& label) const;
};

[[nodiscard]] std::string_view kindName(const Decision& decision);  ///< "in_place"
/// Sets kind, or otherKind for a word that is none.
void setKind(Decision& decision, std::string word);

}  // namespace memplan

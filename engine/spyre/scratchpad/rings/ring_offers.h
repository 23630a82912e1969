// SPDX-License-Identifier: Apache-2.0
// Shuffles that a search over divisions may count on (spyre-cost-and-co-optimisation 17.5): one copy for each source
// and destination view, resident together with its source, at the price of 17.4.
#pragma once

#include "engine/spyre/cost/constants.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/scratchpad/buffers.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace memplan::spyre {

/// What one operation sees of a buffer under one division, with the number of that view.
struct NumberedView {
    const PerCoreView* view = nullptr;
    int number = -1;
};

/// A copy of the source for the users of one view.
struct OfferedCopy {
    int view = -1;           ///< number of the destination's view
    Bytes sizePerCore = 0;   ///< of the copy
    double nanoseconds = 0;  ///< price of the shuffle
    std::vector<OpId> users;
};

class RingOffers {
public:
    /// `program` has to outlive it. Not for use from several threads at once: edges are remembered.
    RingOffers(const Program& program, const BufferRules& rules, const cost::Constants& constants);

    /// Some division may let the ring serve the users of this buffer (structural conditions of 17.3).
    [[nodiscard]] bool canBeSource(BufferId buffer) const { return sources_[buffer.at()]; }

    /// A user of the source and what it sees.
    struct User {
        OpId op;
        NumberedView view;
    };
    /// The copies under which every user is served, the source on chip with the writer's slices; nothing when one of
    /// them cannot be, or has a price that no search may count on. Empty when all see it as the writer does.
    [[nodiscard]] std::optional<std::vector<OfferedCopy>> copies(BufferId source, NumberedView writer,
                                                                 const std::vector<User>& users) const;

private:
    struct Edge {
        bool gathers = false, broadcasts = false;
        double nanoseconds = 0;
        Bytes sizePerCore = 0;
    };
    using Key = std::tuple<int, int, int>;  ///< shape of the buffer, view of the source, view of the destination
    [[nodiscard]] const std::optional<Edge>& edge(BufferId source, NumberedView from, NumberedView to) const;
    [[nodiscard]] std::optional<Edge> judge(BufferId source, NumberedView from, NumberedView to) const;

    const Program& program_;
    BufferRules rules_;
    cost::Constants constants_;
    std::vector<bool> sources_;  ///< parallel to Program::buffers
    std::vector<int> shape_;     ///< equal numbers: equal host shape and device layout
    mutable std::map<Key, std::optional<Edge>> edges_;
};

}  // namespace memplan::spyre

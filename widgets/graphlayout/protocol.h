// SPDX-License-Identifier: Apache-2.0
// The text that goes to and comes from the layout program (architecture 8.9). One record a line,
// fields parted by one blank, numbers decimal with a point and at most two decimals, lines end with
// LF. Version 1.
//
//   request                                    answer
//   memplan-layout 1 tb 3 2 1                  memplan-layout 1 344.00 204.00
//   c -1              cluster: parent          n 92.00 0.00 160.00 40.00      box: x y width height
//   n 160 40 0 -1     width height cluster     e 1 4 172.00 40.00 ...         edge: spline? count x y ...
//                     and lowest rank          c 80.00 50.00 184.00 130.00    cluster box, width 0 = none
//   e 0 1             from to                  .
//   .
//
// The head of a request gives direction (tb or lr) and the number of nodes, edges and clusters; records
// come in the order clusters, nodes, edges; a single point ends the text. An answer has nodes, edges,
// clusters, in the order and number of the request. Coordinates are pixels, origin top left, y down.
#pragma once

#include "widgets/graphlayout/layout_graph.h"

#include <optional>
#include <string>
#include <string_view>

namespace memplan::graphlayout {

/// Larger requests are refused before anything is allocated for them.
struct ProtocolLimits {
    static constexpr std::size_t kBytes = std::size_t{16} << 20;
    static constexpr long long kNodes = 20000;
    static constexpr long long kEdges = 100000;
    static constexpr long long kClusters = 5000;
    static constexpr long long kPointsPerEdge = 10000;
};

/// Exit statuses of the layout program.
enum class LayoutExit { Ok = 0, BadRequest = 2, OverLimit = 3, LayoutFailed = 4 };

/// A value, or a message with the line number; `isOverLimit` parts limits from broken text.
template <class T> struct Parsed {
    std::optional<T> value;
    std::string error;
    bool isOverLimit = false;
};

[[nodiscard]] std::string encodeRequest(const LayoutGraph& graph);
[[nodiscard]] Parsed<LayoutGraph> parseRequest(std::string_view text);
[[nodiscard]] std::string encodeAnswer(const LayoutResult& result);
/// `graph` is the request; an answer with other counts is refused.
[[nodiscard]] Parsed<LayoutResult> parseAnswer(std::string_view text, const LayoutGraph& graph);

}  // namespace memplan::graphlayout

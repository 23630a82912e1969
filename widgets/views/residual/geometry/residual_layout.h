// SPDX-License-Identifier: GPL-3.0-or-later
// Where the parts of the residual view stand (user-experience 9): the map of columns over layers, the layer strip on
// the same rows, and below them the stack and the longest path over the layers in sight.
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/residual/data/residual_life.h"
#include "widgets/views/residual/data/residual_scope.h"

#include <QRectF>

#include <optional>
#include <span>

namespace memplan::ui {

enum class ResidualColour { Annotation, Width, Node };

struct ResidualViewState : ViewState {
    ResidualDataPtr data;
    std::shared_ptr<const std::vector<ResidualPlateau>> plateaus;  ///< never null with data
    std::shared_ptr<const std::vector<PathBar>> path;              ///< the same
    ResidualDataPtr peer;        ///< of a plan that this one is compared with: both have one scale; null without one
    bool showsPeerLine = false;  ///< the peer is plan A: how full it was, as a line over the stack
    std::pair<int, int> peerPlateau;  ///< its first, half-open; empty without one
    ResidualColour colour = ResidualColour::Annotation;
    bool showsMap = true, showsStack = true, showsPath = false;
    int layer = -1;    ///< selected
    int plateau = -1;  ///< selected
};

/// What the axes and bars of the view reach to: the larger of the plan and its peer.
struct ResidualScale {
    int d = 0, layers = 0;
    int ops = 1, cancelled = 1;  ///< most of a layer
};
[[nodiscard]] ResidualScale residualScale(const ResidualViewState& state);

/// A column of the layer strip.
enum class StripPart { Heads, Slots, Ops, Cancelled, Occupied, Bound };
struct StripColumn {
    StripPart part = StripPart::Heads;
    double left = 0, width = 0;
};

struct ResidualLayout {
    static constexpr double kRow = 12;                        ///< px of a layer from which on its figures are written
    static constexpr double kShareHead = 32, kShareRow = 20;  ///< px of the table of shares

    QRectF numbers, axis, map;       ///< layer numbers, columns, map
    QRectF strip;                    ///< right of the map, with its head above; empty where there is no room
    std::vector<StripColumn> parts;  ///< of the strip
    QRectF stack, path;              ///< plots below the map; empty when they are not shown
    QRectF shares;                   ///< columns by annotation, below the strip; empty without room
    Axis x, y;                       ///< columns; layers
    int stackColumns = 1;            ///< that the stack reaches to

    [[nodiscard]] double xOf(double column) const { return map.left() + x.toPixel(column); }
    [[nodiscard]] double yOf(double layer) const { return map.top() + y.toPixel(layer); }
    [[nodiscard]] int layerAt(double yPixel) const;
    /// The layers in sight go across the stack and the path.
    [[nodiscard]] double acrossOf(double layer) const;
    [[nodiscard]] int layerAcross(double xPixel) const;
    /// Columns as a height of the stack.
    [[nodiscard]] double stackY(double occupied) const;
    [[nodiscard]] std::pair<int, int> visibleLayers(int layers) const;  ///< half-open
    [[nodiscard]] QRectF rectOf(const ResidualHolding& holding, const torchwright::ColumnRun& run) const;
    /// All columns of a node, from the first to the last.
    [[nodiscard]] QRectF boundsOf(const ResidualHolding& holding, const torchwright::ColumnList& list) const;
    [[nodiscard]] QRectF plateauRect(const ResidualPlateau& plateau) const;
    [[nodiscard]] QRectF plateauLabel(const ResidualPlateau& plateau) const;
    [[nodiscard]] QRectF pathBar(std::size_t place, std::size_t places, double first, double end) const;
};

[[nodiscard]] ResidualLayout residualLayout(const ResidualViewState& state, QSizeF size);
[[nodiscard]] Viewport wholeViewport(const ResidualViewState& state, QSizeF size);

struct ResidualHit {
    enum class Part { None, Map, Strip, Number, Stack, Path, Plateau, Share };
    Part part = Part::None;
    int layer = -1;
    bool isAfterMlp = false;  ///< half row of the map
    int column = -1;          ///< of the map
    int holding = -1;         ///< of the map; -1: free
    int index = -1;           ///< of a plateau, of a place on the path, of a row of shares
    StripPart strip = StripPart::Heads;
};
[[nodiscard]] ResidualHit residualHit(const ResidualViewState& state, const ResidualLayout& layout, QPointF at);

/// Mean columns of each annotation over layers [first, end), largest first; what has no row of its own is in the last.
struct ShareRow {
    int annotation = -1;  ///< -1: all others
    int others = 0;       ///< how many these are
    double columns = 0;
    double share = 0;  ///< of the occupied columns
};
[[nodiscard]] std::vector<ShareRow> shareRows(const ResidualData& data, int first, int end, int most);
/// The layers that the table of shares speaks about: the selected layer, else the selected plateau, else that of the
/// peer, else those in sight.
[[nodiscard]] std::pair<int, int> shareRange(const ResidualViewState& state, const ResidualLayout& layout);
[[nodiscard]] int shareCapacity(const ResidualLayout& layout);

}  // namespace memplan::ui

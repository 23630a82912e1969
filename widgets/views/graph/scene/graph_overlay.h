// SPDX-License-Identifier: GPL-3.0-or-later
// One value per node and its colour (user-experience 5.8): what the stripe of a box shows, the
// legend's limits and histogram, and the range filter.
#pragma once

#include "widgets/views/graph/scene/graph_model.h"

#include <QHash>

#include <array>
#include <limits>
#include <optional>

namespace memplan::compare {
struct PlanMatch;
}

namespace memplan::ui {

enum class Overlay { Residency, Kind, Bytes, Lifetime, Cores, Traffic, Occupancy, PassTime, Difference, Custom };

inline constexpr int kOverlayCount = 10;
[[nodiscard]] QString overlayName(Overlay overlay);  ///< "residency", "off-chip traffic"
[[nodiscard]] QString overlayUnit(Overlay overlay);  ///< "B", "steps", "" for classes
[[nodiscard]] bool isNumeric(Overlay overlay);

/// Inputs that only some overlays need.
struct OverlaySources {
    PlanPtr other;                                    ///< plan A of Difference
    std::shared_ptr<const compare::PlanMatch> match;  ///< of `other` with the plan on screen
    QHash<QString, double> custom;                    ///< by op or buffer name, from a CSV
    QString customName;
};

/// A class of a categorical overlay, in order of first appearance.
struct OverlayClass {
    QString name;
    int count = 0;
};

struct OverlayData {
    Overlay overlay = Overlay::Residency;
    std::vector<double> values;  ///< per node, NaN = none
    std::vector<int> classes;    ///< per node, -1 = none; categorical overlays only
    std::vector<OverlayClass> legend;
    double lowest = 0;
    double highest = 0;
    static constexpr int kBins = 24;
    std::array<int, kBins> histogram{};

    /// Position of a node's value between lowest and highest, 0..1.
    [[nodiscard]] double share(int node) const;
    [[nodiscard]] bool hasValue(int node) const;
};

/// Which part of a numeric overlay is left at full strength, as shares 0..1.
struct OverlayRange {
    double from = 0;
    double to = 1;
    friend bool operator==(const OverlayRange&, const OverlayRange&) = default;
    [[nodiscard]] bool isFull() const { return from <= 0 && to >= 1; }
};

[[nodiscard]] OverlayData overlayData(const GraphModel& model, Overlay overlay, const OverlaySources& sources);
/// Stripe colour of a node under the overlay; text.disabled for a node without a value.
[[nodiscard]] QColor overlayColor(const Theme& theme, const GraphModel& model, const OverlayData& data, int node);
[[nodiscard]] bool isInRange(const OverlayData& data, const OverlayRange& range, int node);
/// Value as text with its unit, for tooltips; empty without a value.
[[nodiscard]] QString overlayValueText(const OverlayData& data, int node);

}  // namespace memplan::ui

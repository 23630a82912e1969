// SPDX-License-Identifier: GPL-3.0-or-later
// What the residual view shows of a plan (user-experience 9): who owns which columns after each sublayer, what each
// layer uses and what bound it, columns by annotation. Flat arrays, made once for a plan.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/torchwright/analysis/relations.h"

#include <QString>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace memplan::ui {

/// Widths that count as alike, from the widest: each class from this number of columns on.
inline constexpr std::array kWidthClasses{48, 16, 4, 1};
[[nodiscard]] int widthClass(int width);  ///< in kWidthClasses

/// Columns of one node and the half rows in which it owns them: after attention and after MLP of each layer.
struct ResidualHolding {
    torchwright::NodeId owner;
    int firstHalf = 0, endHalf = 0;  ///< half-open
    int width = 0;
    int annotation = 0;   ///< in annotations()
    bool isPale = false;  ///< parts it from a neighbour of the same class
};

/// Neighbouring columns of one holding in a half row.
struct ResidualRun {
    int first = 0, end = 0;  ///< columns, half-open
    int holding = 0;
};

struct ResidualLayer {
    int heads = 0, crossHeads = 0;  ///< crossHeads: of compute_attn, which read other positions
    int slotsUsed = 0, ops = 0;
    int cancelled = 0;          ///< columns that are cleared
    int cancelHeads = 0;        ///< heads that clear them
    int before = 0, after = 0;  ///< occupied columns
    int refused = 0;            ///< ready nodes that were not scheduled
    double fill = 0;            ///< parameters / capacity of the layer
    torchwright::Cause binding = torchwright::Cause::Order;
    bool isForced = false;        ///< only another order of dependencies removes it
    Step firstOp = 0, endOp = 0;  ///< of the plan
};

struct ResidualAnnotation {
    QString name;  ///< "(none)" for nodes without one
    bool isNone = false;
    std::int64_t area = 0;     ///< column-layers
    std::vector<int> columns;  ///< after each layer
};

class ResidualData {
public:
    explicit ResidualData(PlanPtr plan);
    [[nodiscard]] const PlanPtr& plan() const { return plan_; }
    [[nodiscard]] const TorchwrightData& record() const { return data_; }
    [[nodiscard]] const torchwright::NodeGraph& graph() const { return *data_.graph; }
    [[nodiscard]] const torchwright::Schedule& schedule() const { return data_.schedule; }
    [[nodiscard]] const torchwright::Relations& relations() const { return relations_; }  ///< of graph()
    [[nodiscard]] int d() const { return schedule().options.d; }
    [[nodiscard]] int headsPerLayer() const { return schedule().options.headsPerLayer(); }
    [[nodiscard]] int slotsPerLayer() const { return schedule().options.slotsPerLayer(); }
    /// Occupied columns above which priorities flip.
    [[nodiscard]] double pressureColumns() const { return schedule().options.pressureThreshold * d(); }

    [[nodiscard]] int layers() const { return static_cast<int>(layers_.size()); }
    [[nodiscard]] const ResidualLayer& layer(int i) const { return layers_[static_cast<std::size_t>(i)]; }
    [[nodiscard]] int mostOps() const { return mostOps_; }  ///< of a layer
    [[nodiscard]] int mostCancelled() const { return mostCancelled_; }
    /// Largest area first, then by name.
    [[nodiscard]] const std::vector<ResidualAnnotation>& annotations() const { return annotations_; }
    /// As the schedule has them.
    [[nodiscard]] const std::vector<ResidualHolding>& holdings() const { return holdings_; }
    [[nodiscard]] const ResidualHolding& holding(int i) const { return holdings_[static_cast<std::size_t>(i)]; }
    [[nodiscard]] const torchwright::ColumnList& columnsOf(int holding) const {
        return schedule().holdings[static_cast<std::size_t>(holding)].columns;
    }
    /// -1: the node owns no columns.
    [[nodiscard]] int holdingOf(torchwright::NodeId id) const { return holdingOfNode_[id.at()]; }
    /// By column; what nobody owns is left out.
    [[nodiscard]] std::span<const ResidualRun> runs(int halfRow) const;
    /// -1: free.
    [[nodiscard]] int ownerAt(int halfRow, int column) const;
    /// The layer of an operation of the plan.
    [[nodiscard]] int layerOf(Step op) const;

private:
    void makeLayers();
    void makeHoldings();
    void makeAnnotations();
    void makeRuns();
    void makeTones();
    [[nodiscard]] std::vector<bool> bornInMlp() const;

    PlanPtr plan_;
    const TorchwrightData& data_;
    torchwright::Relations relations_;
    std::vector<ResidualLayer> layers_;
    int mostOps_ = 1, mostCancelled_ = 1;
    std::vector<ResidualAnnotation> annotations_;
    std::vector<ResidualHolding> holdings_;
    std::vector<int> holdingOfNode_;
    std::vector<std::size_t> rowBegin_;  ///< of each half row in runs_, and the end
    std::vector<ResidualRun> runs_;
};

using ResidualDataPtr = std::shared_ptr<const ResidualData>;

/// Null for a plan that has no schedule of layers.
[[nodiscard]] ResidualDataPtr residualDataOf(const PlanPtr& plan);

/// "heads", "columns", ...: what bound a layer.
[[nodiscard]] QString bindingWord(torchwright::Cause cause);
/// "layer 3"; "before layer 0" for what was there.
[[nodiscard]] QString layerText(int layer);
/// "20 to 22, 40": columns in the order of the node's components.
[[nodiscard]] QString columnListText(const torchwright::ColumnList& list);
/// "12 mul_hi", the number of the file and the name where there is one.
[[nodiscard]] QString nodeText(const torchwright::NodeGraph& graph, torchwright::NodeId id);

}  // namespace memplan::ui

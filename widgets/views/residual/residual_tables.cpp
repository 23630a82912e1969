// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/residual_tables.h"

#include <utility>

namespace memplan::ui {

namespace {

TableCell shareCell(double share, TableCell cell) {
    cell.text = percentText(share);
    cell.raw = share;
    return cell;
}

}  // namespace

OwnerTableModel::OwnerTableModel(QObject* parent)
    : PlanTableModel({{tr("Node")},
                      {tr("Kind")},
                      {tr("Annotation")},
                      {tr("Width"), true},
                      {tr("Columns")},
                      {tr("Born in"), true, tr("Layer that computes it; -1: there before layer 0")},
                      {tr("Held until"), true, tr("Last layer after which it owns its columns")},
                      {tr("Layers"), true, tr("After which it owns its columns")},
                      {tr("Column-layers"), true},
                      {tr("Last read by")}},
                     parent) {}

void OwnerTableModel::setData(ResidualDataPtr data) {
    data_ = std::move(data);
    lastReader_.clear();
    if (data_) {
        const std::vector<int>& layerOf = data_->schedule().nodeLayer;
        for (const ResidualHolding& holding : data_->holdings()) {
            torchwright::NodeId last;
            for (const torchwright::NodeId reader : data_->relations().effective[holding.owner.at()])
                if (!last.isValid() || layerOf[reader.at()] > layerOf[last.at()]) last = reader;
            lastReader_.push_back(last);
        }
    }
    setPlan(data_ ? data_->plan() : nullptr);
}

TableCell OwnerTableModel::cell(int row, int column) const {
    const ResidualHolding& holding = data_->holding(row);
    const torchwright::Node& node = data_->graph().at(holding.owner);
    const int last = holding.endHalf / 2 - 1, layers = last - holding.firstHalf / 2 + 1;
    switch (column) {
    case Node: {
        TableCell name = textCell(nodeText(data_->graph(), holding.owner));
        name.strong = true;
        name.raw = QVariant::fromValue<qint64>(node.number);
        return name;
    }
    case Kind:
        return textCell(fromStd(std::string(torchwright::kindName(node.kind))));
    case Annotation:
        return textCell(fromStd(node.annotation));
    case Width:
        return numberCell(holding.width);
    case Columns:
        return textCell(columnListText(data_->columnsOf(row)));
    case Born:
        return numberCell(data_->schedule().nodeLayer[holding.owner.at()]);
    case Last:
        return numberCell(last);
    case Layers:
        return numberCell(layers);
    case Area:
        return numberCell(qint64{holding.width} * layers);
    default:
        break;
    }
    const torchwright::NodeId reader = lastReader_[static_cast<std::size_t>(row)];
    if (!reader.isValid()) return textCell({});
    TableCell by = textCell(nodeText(data_->graph(), reader));
    by.link = ItemId{ItemKind::Buffer, reader.index};
    return by;
}

LayerTableModel::LayerTableModel(QObject* parent)
    : PlanTableModel({{tr("Layer"), true},
                      {tr("Heads"), true},
                      {tr("Across"), true, tr("Heads that read other positions")},
                      {tr("Slots"), true},
                      {tr("Ops"), true},
                      {tr("Cancelled"), true, tr("Columns that are cleared")},
                      {tr("In"), true, tr("Occupied columns before the layer")},
                      {tr("Out"), true, tr("Occupied columns after the layer")},
                      {tr("Occupied"), true, tr("Share of d after the layer")},
                      {tr("Fill"), true, tr("Parameters as the original counts them, of the capacity of a layer")},
                      {tr("Refused"), true, tr("Ready nodes that were not scheduled")},
                      {tr("Bound by")}},
                     parent) {}

void LayerTableModel::setData(ResidualDataPtr data) {
    data_ = std::move(data);
    setPlan(data_ ? data_->plan() : nullptr);
}

TableCell LayerTableModel::cell(int row, int column) const {
    const ResidualLayer& layer = data_->layer(row);
    switch (column) {
    case Layer:
        return numberCell(row);
    case Heads:
        return numberCell(layer.heads);
    case Cross:
        return numberCell(layer.crossHeads);
    case Slots:
        return numberCell(layer.slotsUsed);
    case Ops:
        return numberCell(layer.ops);
    case Cancelled:
        return numberCell(layer.cancelled);
    case In:
        return numberCell(layer.before);
    case Out:
        return numberCell(layer.after);
    case Occupied:
        return shareCell(static_cast<double>(layer.after) / std::max(1, data_->d()), numberCell(0));
    case Fill:
        return shareCell(layer.fill, numberCell(0));
    case Refused:
        return numberCell(layer.refused);
    default:
        return textCell(layer.isForced ? tr("order, forced") : bindingWord(layer.binding));
    }
}

}  // namespace memplan::ui

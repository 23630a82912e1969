// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages beside the residual view say.
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/models/table_item.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"
#include "widgets/views/residual/residual_side.h"
#include "widgets/views/residual/residual_tables.h"
#include "widgets/views/residual/residual_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kMostOwners = 200;
constexpr int kWidestOwner = 104;  ///< px at 100 % of a column of the owners

/// With the node that a click on it selects.
QList<QStandardItem*> rowOf(int node, std::initializer_list<QStandardItem*> cells) {
    QList<QStandardItem*> list(cells);
    list.front()->setData(node, Qt::UserRole);
    return list;
}

}  // namespace

void ResidualSide::fillPlateaus() {
    const QScopedValueRollback<bool> guard(isFilling_, true);
    const ResidualDataPtr& stream = view_->residualData();
    plateaus_->removeRows(0, plateaus_->rowCount());
    int number = 0;
    for (const ResidualPlateau& p : view_->plateaus()) {
        const double share = p.meanColumns / std::max(1, stream->d());
        plateaus_->appendRow(
            {tableItem(QString::number(++number), true), tableItem(tr("%1 to %2").arg(p.first).arg(p.last)),
             tableItem(percentText(share), true),
             tableItem(QStringLiteral("%1 / %2").arg(p.opsInside, 0, 'f', 1).arg(p.opsOutside, 0, 'f', 1), true),
             tableItem(percentText(p.share), true), tableItem(p.dominating)});
        plateaus_->item(number - 1, 5)->setToolTip(p.dominating);
        plateaus_->item(number - 1, 3)->setToolTip(tr("Operations of a layer inside / outside of the plateau"));
    }
    const bool hasAny = plateaus_->rowCount() > 0;
    plateauTable_->setVisible(hasAny);
    none_->setVisible(!hasAny);
    if (stream && !hasAny)
        none_->setText(tr("No plateau: nowhere do enough layers one after the other hold %1 or more of the columns.")
                           .arg(percentText(stream->plan()->settings.number("torchwright.plateau_share"))));
    constexpr int kShownRows = 5, kWidths[]{26, 74, 56, 66, 54};
    for (int i = 0; i < 5; ++i)
        plateauTable_->setColumnWidth(i, themeOf(this).px(kWidths[i]));
    plateauTable_->setFixedHeight(plateauTable_->horizontalHeader()->sizeHint().height() + 4 +
                                  plateauTable_->verticalHeader()->defaultSectionSize() *
                                      std::clamp(plateaus_->rowCount(), 1, kShownRows));
    selectRow(plateauTable_, view_->plateau());
    fillCard();
}

void ResidualSide::fillCard() {
    const ResidualPlateau* shown = shownPlateau();
    const bool isThere = shown != nullptr;
    for (QWidget* part :
         {static_cast<QWidget*>(cardTitle_), static_cast<QWidget*>(cardText_), static_cast<QWidget*>(add_),
          static_cast<QWidget*>(kWord_), static_cast<QWidget*>(k_), static_cast<QWidget*>(sweep_)})
        part->setVisible(isThere);
    for (const auto& [glyph, line] : conditions_) {
        glyph->setVisible(isThere);
        line->setVisible(isThere);
    }
    if (!isThere) return;
    const ResidualPlateau& plateau = *shown;
    const bool isSearched = plateau.cluster == view_->searchedCluster();
    const ScopeWords words = scopeWords(*view_->residualData(), plateau, isSearched ? view_->search() : nullptr);
    cardTitle_->setText(words.title);
    cardText_->setText(words.text);
    const std::vector<ConditionLine> lines = conditionLines(plateau, view_->residualData()->d());
    for (std::size_t i = 0; i < conditions_.size() && i < lines.size(); ++i) {
        conditions_[i].first->setText(lines[i].holds ? QStringLiteral("\u2713") : QStringLiteral("\u2717"));
        conditions_[i].second->setText(lines[i].text);
        conditions_[i].second->setAccessibleName((lines[i].holds ? tr("holds: ") : tr("does not hold: ")) +
                                                 lines[i].text);
    }
    const bool isOffered = words.isOffered && view_->hub()->offersHints();
    for (QWidget* part : {static_cast<QWidget*>(add_), static_cast<QWidget*>(kWord_), static_cast<QWidget*>(k_)})
        part->setVisible(isOffered);
    sweep_->setVisible(plateau.cluster >= 0 && view_->hub()->offersHints());
    if (plateau.conditions) k_->setMaximum(std::max(1, plateau.conditions->chains));
    if (!k_->hasFocus()) k_->setValue(words.k);
}

void ResidualSide::fillLayers() {
    const QScopedValueRollback<bool> guard(isFilling_, true);
    const ResidualDataPtr& stream = view_->residualData();
    owners_->removeRows(0, owners_->rowCount());
    const int layer = view_->layer();
    if (!stream || layer < 0) {
        ownersTitle_->setText(tr("Select a layer for the owners of its columns."));
        return;
    }
    const std::vector<ResidualOwner> owners = ownersAfter(*stream, layer);
    ownersTitle_->setText(tr("%1 after layer %2, widest first")
                              .arg(plural(static_cast<qint64>(owners.size()), tr("owner"), tr("owners")))
                              .arg(layer));
    for (std::size_t i = 0; i < owners.size() && i < kMostOwners; ++i) {
        const ResidualHolding& h = stream->holding(owners[i].holding);
        owners_->appendRow(
            rowOf(h.owner.index, {tableItem(nodeText(stream->graph(), h.owner)), tableItem(groupedText(h.width), true),
                                  tableItem(columnListText(stream->columnsOf(owners[i].holding))),
                                  tableItem(stream->annotations()[static_cast<std::size_t>(h.annotation)].name)}));
    }
    if (owners.size() > kMostOwners)
        owners_->appendRow({tableItem(tr("and %1 more").arg(owners.size() - kMostOwners))});
    sizeColumns(ownerTable_, kWidestOwner);
}

void ResidualSide::fillNode() {
    const QScopedValueRollback<bool> guard(isFilling_, true);
    const ResidualDataPtr& stream = view_->residualData();
    readers_->removeRows(0, readers_->rowCount());
    const std::optional<ItemId> primary = view_->hub()->primary();
    BufferId buffer;
    if (stream && primary && primary->kind == ItemKind::Buffer) buffer = BufferId{primary->index};
    if (stream && primary && primary->kind == ItemKind::Op && !stream->plan()->op(OpId{primary->index}).outputs.empty())
        buffer = stream->plan()->op(OpId{primary->index}).outputs.front();
    const bool isNode = buffer.isValid() && buffer.at() < stream->graph().size();
    nodeTitle_->setText(isNode ? nodeText(stream->graph(), torchwright::NodeId{buffer.index}) : tr("Lifetime"));
    readerTable_->setVisible(isNode);
    if (!isNode) return nodeText_->setText(tr("Select a node in the map, the graph or a table."));
    const ResidualLife life = lifeOf(*stream, torchwright::NodeId{buffer.index});
    const auto layerText = [](int layer) { return layer < 0 ? tr("before layer 0") : tr("in layer %1").arg(layer); };
    QStringList lines{tr("Born %1.").arg(layerText(life.birth))};
    lines << (life.lastRead < 0
                  ? tr("Nothing in this schedule reads it.")
                  : tr("Last read %1, by %2.")
                        .arg(layerText(life.lastRead), nodeText(stream->graph(), life.readers.front().node)));
    if (life.width > 0)
        lines << tr("%1 columns until layer %2: %3 column-layers.")
                     .arg(groupedText(life.width))
                     .arg(life.lastHeld)
                     .arg(groupedText(life.columnLayers));
    else
        lines << tr("It owns no columns: it lives in hidden slots or in its parts.");
    if (life.isOutput) lines << tr("It is an output: its columns are never given back.");
    nodeText_->setText(lines.join(u'\n'));
    for (const ResidualReader& reader : life.readers)
        readers_->appendRow(
            rowOf(reader.node.index,
                  {tableItem(nodeText(stream->graph(), reader.node)), tableItem(QString::number(reader.layer), true),
                   tableItem(tr("held %1").arg(plural(reader.held, tr("layer"), tr("layers"))))}));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/view_state.h"

#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/plan/units.h"

#include <QEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>

#include <cmath>
#include <string>

namespace memplan::app {

namespace {

using ui::GraphicView;
using ui::ItemId;

constexpr int kRetryMs = 50;
constexpr int kMostRetries = 100;  ///< a graph layout has its own deadline below this

QJsonArray rangeJson(const ui::Axis& axis) {
    return {axis.visibleBegin(), axis.visibleEnd()};
}

/// Only zooms that the user made: a fitted view fits again, whatever its size will be.
QJsonObject zoomJson(const GraphicView& view) {
    const ui::Viewport& v = view.viewport();
    QJsonObject zoom;
    if (!v.x.isFitted()) zoom.insert(QStringLiteral("x"), rangeJson(v.x));
    if (!v.y.isFitted()) zoom.insert(QStringLiteral("y"), rangeJson(v.y));
    return zoom;
}

bool applyRange(ui::Axis& axis, const QJsonValue& value) {
    const QJsonArray range = value.toArray();
    if (range.size() != 2) return false;
    const double begin = range[0].toDouble();
    const double span = range[1].toDouble() - begin;
    if (!std::isfinite(begin) || !std::isfinite(span) || span <= 0 || axis.length <= 0) return false;
    axis.origin = begin;
    axis.scale = qMin(axis.length / span, qMax(axis.maxScale, axis.fitScale()));
    return true;
}

void applyZoom(GraphicView& view, const QJsonObject& zoom) {
    view.settle();  // what arrives later fits itself
    ui::Viewport viewport = view.viewport();
    const bool x = applyRange(viewport.x, zoom.value(QStringLiteral("x")));
    const bool y = applyRange(viewport.y, zoom.value(QStringLiteral("y")));
    if (x || y) view.setViewport(viewport, false);
}

QString kindWord(ui::ItemKind kind) {
    return kind == ui::ItemKind::Op ? QStringLiteral("op") : QStringLiteral("buffer");
}

QJsonArray selectionJson(const ui::SelectionHub& hub) {
    QJsonArray list;
    for (const ItemId id : hub.selection()) {
        if (id.kind != ui::ItemKind::Op && id.kind != ui::ItemKind::Buffer) continue;
        list << kindWord(id.kind) + QLatin1Char(':') + hub.itemName(id);
        if (list.size() == 100) break;
    }
    return list;
}

std::vector<ItemId> selectionOf(const QJsonArray& list, const Plan& plan) {
    std::vector<ItemId> items;
    for (const QJsonValue& value : list) {
        const QString text = value.toString();
        const std::string name = text.section(QLatin1Char(':'), 1).toStdString();
        for (std::size_t i = 0; i < plan.ops.size() && text.startsWith(u"op:"); ++i)
            if (plan.ops[i].name == name) items.push_back(ItemId::of(OpId::of(i)));
        for (std::size_t i = 0; i < plan.buffers.size() && text.startsWith(u"buffer:"); ++i)
            if (plan.buffers[i].name == name) items.push_back(ItemId::of(BufferId::of(i)));
    }
    return items;
}

/// Keys of the views that stand as their table.
QJsonArray tablesJson(const Workspace& workspace) {
    QJsonArray keys;
    for (const QString& key : Workspace::viewKeys())
        if (workspace.pane(key)->showsTable()) keys << key;
    return keys;
}

/// A view whose state says itself that its table is shown has done so.
void applyTables(Workspace& workspace, const QJsonArray& keys) {
    for (const QString& key : Workspace::viewKeys())
        if (key != u"cores") workspace.pane(key)->setTableVisible(keys.contains(key));
}

/// Sets the zooms once the views have their places and contents: a hidden document when it is shown, the graph when
/// its layout is there. Ends itself.
class ZoomRestorer final : public QObject {
public:
    ZoomRestorer(Workspace& workspace, QJsonObject zooms)
        : QObject(&workspace), workspace_(workspace), zooms_(std::move(zooms)) {
        timer_.setInterval(kRetryMs);
        connect(&timer_, &QTimer::timeout, this, &ZoomRestorer::tryNow);
        workspace.installEventFilter(this);
        if (workspace.isVisible()) timer_.start();
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show) timer_.start();
        return QObject::eventFilter(watched, event);
    }

private:
    void tryNow() {
        if (!workspace_.isVisible()) return timer_.stop();
        QList<QSize> sizes;
        for (const QString& key : Workspace::viewKeys()) {
            if (const GraphicView* view = workspace_.view(key)) sizes << view->size();
        }
        const bool isQuiet = sizes == sizes_ && workspace_.isSettled();
        sizes_ = sizes;
        if (!isQuiet && ++tries_ < kMostRetries) return;
        for (const QString& key : Workspace::viewKeys()) {
            if (GraphicView* view = workspace_.view(key)) applyZoom(*view, zooms_.value(key).toObject());
        }
        timer_.stop();
        deleteLater();
    }

    Workspace& workspace_;
    QJsonObject zooms_;
    QTimer timer_;
    QList<QSize> sizes_;
    int tries_ = 0;
};

}  // namespace

QByteArray viewStateJson(const Workspace& workspace, const ui::SelectionHub& hub, const ui::Units& units) {
    QJsonObject root;
    root.insert(QStringLiteral("unit"), static_cast<int>(units.unit));
    root.insert(QStringLiteral("hexAddresses"), units.hexAddresses);
    QJsonObject zooms;
    for (const QString& key : Workspace::viewKeys()) {
        const GraphicView* view = workspace.view(key);
        if (view == nullptr) continue;
        const QJsonObject zoom = zoomJson(*view);
        if (!zoom.isEmpty()) zooms.insert(key, zoom);
    }
    root.insert(QStringLiteral("zooms"), zooms);
    root.insert(QStringLiteral("tab"), workspace.shownTab());
    for (const GraphicView* view : workspace.views())
        root.insert(view->viewKey(), view->saveState());
    root.insert(QStringLiteral("tables"), tablesJson(workspace));
    root.insert(QStringLiteral("metrics"), workspace.showsMetrics());
    root.insert(QStringLiteral("selection"), selectionJson(hub));
    return QJsonDocument(root).toJson(QJsonDocument::Compact);
}

std::optional<ui::Units> unitsOf(const QByteArray& viewJson) {
    const QJsonObject root = QJsonDocument::fromJson(viewJson).object();
    if (!root.contains(QStringLiteral("unit"))) return std::nullopt;
    const int unit = root.value(QStringLiteral("unit")).toInt();
    if (unit < 0 || unit > static_cast<int>(ui::ByteUnit::Columns)) return std::nullopt;
    return ui::Units{static_cast<ui::ByteUnit>(unit), root.value(QStringLiteral("hexAddresses")).toBool()};
}

void applyViewState(Workspace& workspace, ui::SelectionHub& hub, const QByteArray& viewJson) {
    const QJsonObject root = QJsonDocument::fromJson(viewJson).object();
    if (root.isEmpty()) return;
    workspace.showView(root.value(QStringLiteral("tab")).toString());
    for (GraphicView* view : workspace.views())
        view->restoreState(root.value(view->viewKey()).toObject());
    applyTables(workspace, root.value(QStringLiteral("tables")).toArray());
    if (root.contains(QStringLiteral("metrics")))
        workspace.setMetricsShown(root.value(QStringLiteral("metrics")).toBool());
    if (hub.plan()) hub.setSelection(selectionOf(root.value(QStringLiteral("selection")).toArray(), *hub.plan()));
    const QJsonObject zooms = root.value(QStringLiteral("zooms")).toObject();
    if (!zooms.isEmpty()) new ZoomRestorer(workspace, zooms);
}

}  // namespace memplan::app

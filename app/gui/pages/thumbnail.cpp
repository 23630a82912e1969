// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/thumbnail.h"

#include "app/gui/targets/targets.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace memplan::app {
namespace {

using ui::Residency;
using ui::Token;
using ui::Tone;

const PlanBuffer* firstMismatch(const Plan& plan) {
    for (const PlanBuffer& b : plan.buffers) {
        const bool pair = b.reason && b.reason->code == ReasonCode::CoreDivMismatch && b.reason->writer.isValid();
        if (pair && b.reason->writer != b.reason->reader) return &b;
    }
    return nullptr;
}

/// On-chip rectangles over time under the usable limit.
void paintMemoryMap(QPainter& p, const QRectF& area, const Plan& plan, const ui::Theme& theme) {
    const double steps = std::max<double>(1, static_cast<double>(plan.ops.size()));
    const double top = static_cast<double>(std::max<Bytes>(plan.memory.capacity, 1)) * 1.08;
    const auto y = [&](Address a) { return area.bottom() - static_cast<double>(a) / top * area.height(); };
    for (const PlanBuffer& b : plan.buffers) {
        if (!ui::isPlaced(b)) continue;
        const double left = area.left() + b.life.begin / steps * area.width();
        const double right = area.left() + b.life.end / steps * area.width();
        QRectF r(QPointF(left, y(*b.address + b.sizePerCore)), QPointF(right, y(*b.address)));
        r.setHeight(std::max(r.height(), 2.0));
        const Residency kind = ui::residencyOf(b);
        const bool large = r.width() >= 4 && r.height() >= 4;
        p.fillRect(r, theme.residency(kind, large ? Tone::Soft : Tone::Edge));
        p.setPen(QPen(theme.residency(kind, Tone::Edge), 1));
        p.setBrush(Qt::NoBrush);
        if (large) p.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    p.setPen(QPen(theme.color(Token::Error), 1.5));
    const double limit = y(plan.memory.capacity);
    p.drawLine(QPointF(area.left(), limit), QPointF(area.right(), limit));
}

/// One cell a core, numbered row by row.
void paintCells(QPainter& p, const QRectF& area, std::int64_t down, std::int64_t across, const ui::Theme& theme) {
    for (std::int64_t r = 0; r < down; ++r) {
        for (std::int64_t c = 0; c < across; ++c) {
            const QRectF cell(area.left() + area.width() * static_cast<double>(c) / static_cast<double>(across),
                              area.top() + area.height() * static_cast<double>(r) / static_cast<double>(down),
                              area.width() / static_cast<double>(across), area.height() / static_cast<double>(down));
            const int core = static_cast<int>(r * across + c);
            p.fillRect(cell, theme.categorySoft(core));
            p.setPen(QPen(theme.category(core), 1));
            p.setBrush(Qt::NoBrush);
            p.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
        }
    }
}

/// Pieces of the iteration space of an op: the first split dimension down, the second across.
void paintPieces(QPainter& p, const QRectF& area, const PlanOp& op, const ui::Theme& theme) {
    std::vector<const IterationDim*> split;
    for (const IterationDim& d : op.iterationSpace) {
        if (d.slices > 1) split.push_back(&d);
    }
    const bool alongFirst = !split.empty() && split.front() == &op.iterationSpace.front();
    std::int64_t down = 1;
    std::int64_t across = 1;
    if (!split.empty()) (alongFirst ? down : across) = split.front()->slices;
    if (split.size() > 1) (alongFirst ? across : down) = split[1]->slices;
    paintCells(p, area, down, across, theme);
}

/// Pieces of a buffer as one op cuts it: along its innermost dimension across, along others down.
void paintCut(QPainter& p, const QRectF& area, const PlanBuffer& b, const PlanOp& op, const ui::Theme& theme) {
    std::int64_t down = 1;
    std::int64_t across = 1;
    for (const PlanAccess& access : op.accesses) {
        if (access.sliceDims.empty()) continue;
        for (const auto& [dim, slices] : access.sliceDims) {
            const auto at = static_cast<std::size_t>(dim);
            const bool known = b.layout && at < b.layout->strideMap.size() && !b.layout->stride.empty();
            const bool inner = known && (b.layout->stride.size() < 2 ||
                                         b.layout->strideMap[at] < b.layout->stride[b.layout->stride.size() - 2]);
            (inner ? across : down) = slices;
        }
        break;
    }
    paintCells(p, area, down, across, theme);
}

/// Only the accesses that touch the buffer count.
PlanOp touching(const PlanOp& op, const Plan& plan, const PlanBuffer& b) {
    PlanOp only = op;
    std::erase_if(only.accesses, [&](const PlanAccess& a) { return &plan.buffer(a.buffer) != &b; });
    return only;
}

void paintMismatch(QPainter& p, const QRectF& area, const Plan& plan, const PlanBuffer& b, const ui::Theme& theme) {
    const double width = (area.width() - 36) / 2;
    paintCut(p, QRectF(area.left(), area.top(), width, area.height()), b, touching(plan.op(b.reason->writer), plan, b),
             theme);
    paintCut(p, QRectF(area.right() - width, area.top(), width, area.height()), b,
             touching(plan.op(b.reason->reader), plan, b), theme);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme.color(Token::Error), 2));
    const QPointF c = area.center();
    p.drawLine(c + QPointF(-7, -7), c + QPointF(7, 7));
    p.drawLine(c + QPointF(-7, 7), c + QPointF(7, -7));
    p.setRenderHint(QPainter::Antialiasing, false);
}

void paintDivision(QPainter& p, const QRectF& area, const Plan& plan, const ui::Theme& theme) {
    const auto most = std::max_element(plan.ops.begin(), plan.ops.end(),
                                       [](const PlanOp& a, const PlanOp& b) { return a.cores < b.cores; });
    if (most == plan.ops.end()) return;
    const QRectF left(area.left(), area.top(), area.width() * 0.42, area.height());
    paintPieces(p, left, *most, theme);
    QStringList lines{QObject::tr("%1 cores").arg(most->cores)};
    for (const IterationDim& d : most->iterationSpace) {
        if (d.slices > 1) lines << QObject::tr("%1 by %2").arg(ui::fromStd(d.name), ui::groupedText(d.slices));
    }
    lines << QObject::tr("span %1").arg(ui::humanBytes(most->maxSpan));
    const QRectF text(left.right() + 16, area.top(), area.width() * 0.58 - 16, area.height());
    p.setPen(theme.color(Token::Text2));
    p.setFont(theme.font(ui::TextStyle::Body));
    p.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, lines.join(QLatin1Char('\n')));
}

}  // namespace

void paintThumbnail(QPainter& painter, const QRectF& area, const Plan& plan, const ui::Theme& theme) {
    if (const auto paint = targetUi(plan.target).paintThumbnail) return paint(painter, area, plan, theme);
    if (const PlanBuffer* refused = firstMismatch(plan); refused != nullptr && plan.ops.size() < 40) {
        return paintMismatch(painter, area, plan, *refused, theme);
    }
    if (plan.metrics.buffersOnChip > 0) return paintMemoryMap(painter, area, plan, theme);
    paintDivision(painter, area, plan, theme);
}

}  // namespace memplan::app

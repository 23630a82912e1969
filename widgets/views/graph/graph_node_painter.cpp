// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/graph_node_painter.h"

#include "widgets/canvas/state/hint_sign.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kDimmed = 0.35, kOpaqueGrey = 0.2;
constexpr double kOneLineShare = 0.8;  // the only line of a box keeps this share of its size at 100 %

/// Residency with the most bytes inside; stands for a closed group where one colour is all there is.
Residency mainResidency(const GroupFacts& facts) {
    const auto most = std::max_element(facts.byResidency.begin(), facts.byResidency.end());
    return static_cast<Residency>(most - facts.byResidency.begin());
}

}  // namespace

bool isItem(const GraphNode& node, ItemId item) {
    if (item.kind == ItemKind::Op) return node.kind == GraphNodeKind::Op && node.op.index == item.index;
    return item.kind == ItemKind::Buffer && node.buffer.isValid() && node.buffer.index == item.index;
}

QColor nodeColor(const Theme& theme, const GraphViewState& state, int sceneNode) {
    const graphlayout::VisibleNode& n = state.scene->node(sceneNode);
    if (n.isGroup()) return theme.residency(mainResidency(state.scene->groups[at(n.group)]), Tone::Edge);
    if (state.overlay) return overlayColor(theme, *state.scene->model, *state.overlay, n.node);
    return theme.residency(state.scene->model->nodes[at(n.node)].residency, Tone::Edge);
}

NodePainter::NodePainter(QPainter& painter, const GraphViewState& state, const Theme& theme, TextCache& texts,
                         double scale)
    : p_(painter), s_(state), scene_(*state.scene), theme_(theme), cache_(texts), detail_(nodeDetail(40 * scale)),
      hairline_(1 / std::min(1.0, scale)),
      oneLine_(detail_ == NodeDetail::OneLine ? std::max(1.0, kOneLineShare / scale) : 1) {}

void NodePainter::text(QPointF where, const QString& words, TextStyle style, Token color) {
    if (words.isEmpty()) return;
    p_.setPen(theme_.color(color));
    cache_.draw(p_, where, words, style, theme_);
    ++texts_;
}

NodePainter::Mark NodePainter::markOf(int sceneNode) const {
    const graphlayout::VisibleNode& n = scene_.node(sceneNode);
    if (n.isGroup()) {
        if (s_.focusedGroup == n.group) return Mark::Selected;
        const bool holds = at(sceneNode) < s_.selectedGroups.size() && s_.selectedGroups[at(sceneNode)] != 0;
        return holds ? Mark::Related : Mark::None;
    }
    const GraphNode& node = scene_.model->nodes[at(n.node)];
    // The box of an op stands for its output too; the hub shows both as one where they are twins.
    const auto is = [&node](const auto& holds) {
        const bool byOp = node.kind == GraphNodeKind::Op && holds(ItemId::of(node.op));
        return byOp || (node.buffer.isValid() && holds(ItemId::of(node.buffer)));
    };
    if (is([this](ItemId i) { return s_.selection.isSelected(i); })) return Mark::Selected;
    return is([this](ItemId i) { return s_.selection.isRelated(i); }) ? Mark::Related : Mark::None;
}

bool NodePainter::isDimmed(int sceneNode) const {
    const graphlayout::VisibleNode& n = scene_.node(sceneNode);
    if (n.isGroup()) return !s_.trace.isEmpty();
    if (!s_.matches.empty() && s_.matches[at(n.node)] == 0) return true;
    if (s_.overlay && !isInRange(*s_.overlay, s_.range, n.node)) return true;
    if (s_.trace.isEmpty()) return false;
    return s_.trace.on[at(n.node)] == 0 && s_.trace.before[at(n.node)] == 0 && s_.trace.after[at(n.node)] == 0;
}

QColor opaqueGround(const Theme& theme) {
    return Theme::mix(theme.color(Token::Text3), theme.color(Token::BgRaised), kOpaqueGrey);
}

void NodePainter::paint(int sceneNode) {
    const graphlayout::VisibleNode& n = scene_.node(sceneNode);
    const QRectF r = scene_.rectOf(sceneNode);
    p_.setOpacity(isDimmed(sceneNode) ? kDimmed : 1);
    p_.setRenderHint(QPainter::Antialiasing, detail_ != NodeDetail::Fill);
    if (n.isGroup()) {
        const ItemMark mark(p_, QStringLiteral("group-") + scene_.groups[at(n.group)].path,
                            scene_.groups[at(n.group)].path);
        paintGroup(n.group, r);
    } else {
        const GraphNode& node = scene_.model->nodes[at(n.node)];
        const bool isOp = node.kind == GraphNodeKind::Op;
        const QString name = fromStd(isOp ? s_.plan->op(node.op).name : s_.plan->buffer(node.buffer).name);
        const ItemMark mark(p_, (isOp ? QStringLiteral("op-") : QStringLiteral("buffer-")) + name, name);
        if (node.kind == GraphNodeKind::Output)
            paintOutput(node, r);
        else if (detail_ == NodeDetail::Fill)
            p_.fillRect(r, nodeColor(theme_, s_, sceneNode));
        else
            paintOp(node, n.node, r);
        if (node.kind != GraphNodeKind::Output) paintTrace(n.node, r);
    }
    p_.setOpacity(1);
    paintMarks(r, markOf(sceneNode), s_.hoverNode == sceneNode);
    paintNote(sceneNode, r);
    if (at(sceneNode) >= scene_.stubs.size() || detail_ < NodeDetail::Full) return;
    paintStub(sceneNode, true, scene_.stubs[at(sceneNode)].before);
    paintStub(sceneNode, false, scene_.stubs[at(sceneNode)].after);
}

void NodePainter::paintBox(const QRectF& r, double radius, bool isDotted, const QColor& ground) {
    QPen pen(theme_.color(Token::LineControl), hairline_);
    if (isDotted) {
        pen.setDashPattern({2, 2});
        pen.setCapStyle(Qt::FlatCap);
    }
    p_.setPen(pen);
    p_.setBrush(ground);
    p_.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

void NodePainter::paintOp(const GraphNode& node, int model, const QRectF& r) {
    const QColor ground = theme_.color(Token::BgRaised);
    paintBox(r, 4, node.isAdded, node.isOpaque ? opaqueGround(theme_) : ground);
    p_.setPen(Qt::NoPen);
    p_.setBrush(s_.overlay ? overlayColor(theme_, *scene_.model, *s_.overlay, model)
                           : theme_.residency(node.residency, Tone::Edge));
    p_.drawRoundedRect(QRectF(r.left() + 1, r.top() + 3, 4, r.height() - 6), 1, 1);
    if (detail_ == NodeDetail::Box) return;
    if (detail_ == NodeDetail::OneLine)
        return paintOneLine(QRectF(r.left() + 12, r.top(), r.width() - 20, r.height()), node.verb, node.name);
    const int sign = at(model) < s_.hinted.size() ? s_.hinted[at(model)] : 0;
    paintWords(r.topLeft() + QPointF(12, 16), r.width() - 40 - (sign != 0 ? 16 : 0), node.verb, node.name);
    text(r.topLeft() + QPointF(12, 31), detailText(node.detail, r.width() - 40), TextStyle::Small,
         node.isOpaque ? Token::Text2 : Token::Text3);
    drawBadge(p_, QRectF(r.right() - 23, r.top() + 12, 16, 16),
              residencyBadge(theme_, QString(residencyLetter(node.residency)), node.residency));
    ++texts_;
    if (sign != 0)
        drawIcon(p_, QRectF(r.right() - 40, r.top() + 5, 13, 13), hintSignName(sign == 2), theme_.color(Token::Text2));
}

/// What it does and its name from the baseline's left end on.
void NodePainter::paintWords(QPointF baseline, double room, const QString& strong, const QString& plain) {
    const QString first = cache_.elided(strong, TextStyle::SmallStrong, theme_, room);
    text(baseline, first, TextStyle::SmallStrong, Token::Text1);
    const double used = cache_.width(first, TextStyle::SmallStrong, theme_) + 4;
    if (room - used > 16)
        text(baseline + QPointF(used, 0), cache_.elided(plain, TextStyle::Small, theme_, room - used), TextStyle::Small,
             Token::Text2);
}

/// In a small box the only line is drawn larger than the box itself, or nobody could read it.
void NodePainter::paintOneLine(const QRectF& r, const QString& strong, const QString& plain) {
    p_.save();
    p_.translate(r.left(), r.center().y());
    p_.scale(oneLine_, oneLine_);
    paintWords({0, 4}, r.width() / oneLine_, strong, plain);
    p_.restore();
}

/// Shape and type; a shape that fills the line stands alone.
QString NodePainter::detailText(const QString& detail, double room) {
    if (cache_.width(detail, TextStyle::Small, theme_) <= room) return detail;
    return cache_.elided(detail.section(QStringLiteral(" · "), 0, 0), TextStyle::Small, theme_, room);
}

void NodePainter::paintOutput(const GraphNode& node, const QRectF& r) {
    // The arrow and its label say everything; the box itself is only there to be hit.
    if (detail_ == NodeDetail::Fill)
        p_.fillRect(QRectF(r.center().x() - 12, r.top(), 24, 4), theme_.residency(node.residency, Tone::Edge));
}

void NodePainter::paintGroup(int group, const QRectF& r) {
    const GroupFacts& facts = scene_.groups[at(group)];
    if (detail_ == NodeDetail::Fill) {
        p_.fillRect(r, theme_.residency(mainResidency(facts), Tone::Edge));
        return;
    }
    paintBox(r, 8, false, theme_.color(Token::BgRaised));
    const QRectF bar(r.left() + 10, r.bottom() - 10, r.width() - 20, 4);
    paintBar(facts, bar);
    if (detail_ == NodeDetail::Box) return;
    if (detail_ == NodeDetail::OneLine)
        return paintOneLine(QRectF(r.left() + 10, r.top(), r.width() - 18, bar.top() - r.top()), facts.name, {});
    drawIcon(p_, QRectF(r.left() + 5, r.top() + 5, 14, 14), QStringLiteral("chevron-right"),
             theme_.color(Token::Text2));
    text(r.topLeft() + QPointF(21, 16), cache_.elided(facts.name, TextStyle::SmallStrong, theme_, r.width() - 30),
         TextStyle::SmallStrong, Token::Text1);
    QString count = plural(facts.ops, QStringLiteral("op"), QStringLiteral("ops"));
    if (facts.alike > 1) count += QStringLiteral(" · \u00d7%1 alike").arg(facts.alike);
    text(r.topLeft() + QPointF(10, 31), cache_.elided(count, TextStyle::Small, theme_, r.width() - 20),
         TextStyle::Small, Token::Text2);
    const QString flow = QStringLiteral("in %1, out %2").arg(humanBytes(facts.bytesIn), humanBytes(facts.bytesOut));
    text(r.topLeft() + QPointF(10, 45), cache_.elided(flow, TextStyle::Small, theme_, r.width() - 20), TextStyle::Small,
         Token::Text3);
}

void NodePainter::paintBar(const GroupFacts& facts, const QRectF& bar) {
    const auto all = static_cast<double>(std::accumulate(facts.byResidency.begin(), facts.byResidency.end(), Bytes{0}));
    p_.fillRect(bar, theme_.color(Token::LineGrid));
    double x = bar.left();
    for (std::size_t i = 0; i < facts.byResidency.size() && all > 0; ++i) {
        const double width = bar.width() * static_cast<double>(facts.byResidency[i]) / all;
        p_.fillRect(QRectF(x, bar.top(), width, bar.height()), theme_.residency(static_cast<Residency>(i), Tone::Edge));
        x += width;
    }
}

void NodePainter::paintMarks(const QRectF& r, Mark mark, bool isHovered) {
    p_.setRenderHint(QPainter::Antialiasing, true);
    p_.setBrush(Qt::NoBrush);
    const QRectF box = r.height() < 8 ? r.adjusted(r.width() / 2 - 14, -4, -r.width() / 2 + 14, 8) : r;
    if (mark == Mark::Selected) {
        p_.setPen(QPen(theme_.color(Token::BgCanvas), 4 * hairline_));
        p_.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 6, 6);
        p_.setPen(QPen(theme_.color(Token::SelectOutline), 2 * hairline_));
        p_.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 7, 7);
    } else if (mark == Mark::Related) {
        QPen pen(theme_.color(Token::SelectOutline), hairline_);
        pen.setDashPattern({3, 2});
        p_.setPen(pen);
        p_.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 6, 6);
    }
    if (!isHovered || mark == Mark::Selected) return;
    p_.setPen(QPen(theme_.color(Token::Text2), hairline_));
    p_.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void NodePainter::paintTrace(int model, const QRectF& r) {
    if (s_.trace.isEmpty()) return;
    const bool isSolid = s_.trace.on[at(model)] != 0 || s_.trace.before[at(model)] != 0;
    if (!isSolid && s_.trace.after[at(model)] == 0) return;
    QPen pen(theme_.color(Token::SelectOutline), 1.5 * hairline_);
    if (!isSolid) pen.setDashPattern({4, 3});
    p_.setPen(pen);
    p_.setBrush(Qt::NoBrush);
    p_.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

/// A flag on the roof of the box, clear of its words; on a picture of many small boxes it keeps a visible size.
void NodePainter::paintNote(int sceneNode, const QRectF& r) {
    constexpr double kHeight = 14, kLeast = 8;
    if (at(sceneNode) >= s_.noted.size() || s_.noted[at(sceneNode)] == 0) return;
    const double height = std::max(kHeight, kLeast * hairline_);
    drawNoteFlag(p_, QPointF(r.right() - noteFlagWidth(height) - 6, r.top()), height, theme_);
}

void NodePainter::paintStub(int sceneNode, bool isBefore, int count) {
    if (count <= 0) return;
    const QRectF r = stubRect(scene_, sceneNode, isBefore);
    p_.setPen(QPen(theme_.color(Token::LineControl), 1));
    p_.setBrush(theme_.color(Token::BgPanel));
    p_.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    const QString words = QStringLiteral("+%1").arg(count);
    const double width = cache_.width(words, TextStyle::Tiny, theme_);
    text(QPointF(r.center().x() - width / 2, r.center().y() + 3.5), words, TextStyle::Tiny, Token::Text2);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/memory_bars.h"

#include "widgets/kit/theme/patterns.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kTitle = 34, kBarMost = 86, kGap = 12, kWords = 14, kFoot = 6;

using Kind = MemorySegmentRow::Kind;

QString words(const char* text) {
    return QCoreApplication::translate("MemoryBars", text);
}

void fillSegment(QPainter& p, const QRectF& r, Kind kind, const Theme& theme) {
    switch (kind) {
    case Kind::Value:
        p.fillRect(r, theme.residency(Residency::OnChip, Tone::Soft));
        break;
    case Kind::Kept:
        p.fillRect(r, theme.residency(Residency::Resharded, Tone::Soft));
        break;
    case Kind::Scratch:
        p.fillRect(r, theme.residency(Residency::Clone, Tone::Soft));
        break;
    case Kind::Stored:
        p.fillRect(r, theme.residency(Residency::OffChip, Tone::Soft));
        break;
    case Kind::Reserved:
        fillPattern(p, r, inkOf(theme, Residency::Reserved));
        break;
    case Kind::Free:
        break;
    }
}

QColor edgeOf(Kind kind, const Theme& theme) {
    switch (kind) {
    case Kind::Value:
        return theme.residency(Residency::OnChip, Tone::Edge);
    case Kind::Stored:
        return theme.residency(Residency::OffChip, Tone::Edge);
    case Kind::Kept:
        return theme.residency(Residency::Resharded, Tone::Edge);
    case Kind::Scratch:
        return theme.residency(Residency::Clone, Tone::Edge);
    default:
        return theme.color(Token::LineControl);
    }
}

/// Words beside the bar, moved apart so that none covers another; those of the smallest segments go first when there
/// is no room for all.
std::vector<std::pair<std::size_t, double>> wordPlaces(const MemoryStack& stack, const MemoryBar& bar) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < stack.segments.size(); ++i)
        if (stack.segments[i].bytes > 0) order.push_back(i);
    const auto room = static_cast<std::size_t>(std::max(1.0, bar.frame.height() / kWords));
    if (order.size() > room) {
        std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return stack.segments[i].bytes; });
        order.resize(room);
        std::ranges::sort(order);
    }
    std::vector<std::pair<std::size_t, double>> places;
    double below = bar.frame.bottom() + kWords / 2;
    for (const std::size_t i : order) {
        below = std::min(bar.segments[i].center().y() + kWords / 2, below) - kWords / 2;
        places.emplace_back(i, below);
        below -= kWords / 2;
    }
    double least = bar.frame.top() + kWords / 2;  // what was pushed above the bar comes down again
    for (auto at = places.rbegin(); at != places.rend() && at->second < least; ++at) {
        at->second = least;
        least += kWords;
    }
    return places;
}

}  // namespace

QString segmentWords(const MemoryStack& stack, const MemorySegmentRow& segment) {
    const QString name = segment.role.isEmpty() ? segment.name : words("%1, %2").arg(segment.name, segment.role);
    const double share = static_cast<double>(segment.bytes) / static_cast<double>(std::max<Bytes>(1, stack.capacity));
    return words("%1: %2, %3").arg(name, exactBytes(segment.bytes), percentText(share));
}

QString segmentLabel(const MemoryStack& stack, const MemorySegmentRow& segment, const LabelRoom& room) {
    const QString all = segmentWords(stack, segment);
    if (room.texts.width(all, TextStyle::Small, room.theme) <= room.width) return all;
    for (const QString& bytes : {exactBytes(segment.bytes), humanBytes(segment.bytes)}) {
        const QString end = QStringLiteral(": ") + bytes;
        const double left = room.width - room.texts.width(end, TextStyle::Small, room.theme);
        const QString name = room.texts.elided(segment.name, TextStyle::Small, room.theme, left);
        if (!name.isEmpty()) return name + end;
    }
    return humanBytes(segment.bytes);
}

std::vector<MemoryBar> memoryBars(const std::vector<MemoryStack>& stacks, const QRectF& place) {
    std::vector<MemoryBar> bars;
    const double wide = place.width() / static_cast<double>(std::max<std::size_t>(1, stacks.size()));
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        MemoryBar bar;
        const double left = place.left() + wide * static_cast<double>(i);
        bar.frame = QRectF(std::round(left), place.top() + kTitle, std::round(std::min(kBarMost, wide * 0.22)),
                           std::max(10.0, place.height() - kTitle - kFoot));
        Bytes all = stacks[i].capacity, sum = 0;
        for (const MemorySegmentRow& s : stacks[i].segments)
            sum += s.bytes;
        all = std::max<Bytes>(1, std::max(all, sum));
        Bytes at = 0;
        const auto yOf = [&](Bytes bytes) {
            return std::round(bar.frame.bottom() -
                              bar.frame.height() * static_cast<double>(bytes) / static_cast<double>(all));
        };
        for (const MemorySegmentRow& s : stacks[i].segments) {
            const double lower = yOf(at), upper = yOf(at + s.bytes);
            bar.segments.emplace_back(bar.frame.left(), upper, bar.frame.width(), lower - upper);
            at += s.bytes;
        }
        bars.push_back(std::move(bar));
    }
    return bars;
}

void paintMemoryBars(QPainter& p, const std::vector<MemoryStack>& stacks, const QRectF& place, const Theme& theme,
                     TextCache& texts) {
    const std::vector<MemoryBar> bars = memoryBars(stacks, place);
    const double wide = place.width() / static_cast<double>(std::max<std::size_t>(1, stacks.size()));
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const MemoryStack& stack = stacks[i];
        const MemoryBar& bar = bars[i];
        p.setPen(theme.color(Token::Text1));
        texts.draw(p, {bar.frame.left(), place.top() + 12},
                   texts.elided(stack.title, TextStyle::SmallStrong, theme, wide - kGap), TextStyle::SmallStrong,
                   theme);
        p.setPen(theme.color(Token::Text3));
        texts.draw(p, {bar.frame.left(), place.top() + 26},
                   texts.elided(exactBytes(stack.capacity), TextStyle::Small, theme, wide - kGap), TextStyle::Small,
                   theme);
        p.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t k = 0; k < stack.segments.size(); ++k) {
            if (bar.segments[k].height() < 1) continue;
            fillSegment(p, bar.segments[k], stack.segments[k].kind, theme);
            p.setPen(edgeOf(stack.segments[k].kind, theme));
            p.setBrush(Qt::NoBrush);
            if (bar.segments[k].height() >= 3) p.drawRect(bar.segments[k].adjusted(0, 0, -1, -1));
        }
        p.setPen(theme.color(Token::Text2));
        p.setBrush(Qt::NoBrush);
        p.drawRect(bar.frame.adjusted(0, 0, -1, -1));
        const double x = bar.frame.right() + 12;
        const LabelRoom room{texts, theme, wide - bar.frame.width() - 12 - kGap};
        for (const auto& [k, y] : wordPlaces(stack, bar)) {
            p.setPen(theme.color(Token::LineControl));
            p.drawLine(QPointF(bar.frame.right(), bar.segments[k].center().y()), QPointF(x - 3, y));
            p.setPen(theme.color(stack.segments[k].kind == Kind::Free ? Token::Text3 : Token::Text1));
            texts.draw(p, {x, y + 4}, segmentLabel(stack, stack.segments[k], room), TextStyle::Small, theme);
        }
    }
}

std::optional<MemoryHit> memoryHit(const std::vector<MemoryStack>& stacks, const QRectF& place, QPointF at) {
    const std::vector<MemoryBar> bars = memoryBars(stacks, place);
    const double wide = place.width() / static_cast<double>(std::max<std::size_t>(1, stacks.size()));
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        for (std::size_t k = 0; k < bars[i].segments.size(); ++k)
            if (bars[i].segments[k].contains(at)) return MemoryHit{i, k};
        const double x = bars[i].frame.right() + 12;
        if (at.x() < x || at.x() > place.left() + wide * static_cast<double>(i + 1)) continue;
        for (const auto& [k, y] : wordPlaces(stacks[i], bars[i]))
            if (std::abs(at.y() - y) <= kWords / 2) return MemoryHit{i, k};
    }
    return std::nullopt;
}

}  // namespace memplan::ui

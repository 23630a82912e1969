// SPDX-License-Identifier: GPL-3.0-or-later
// Left part (cells, bars) and memory strip; the split pictures are in split_painter.cpp.
#include "widgets/views/coregrid/core_grid_painter.h"

#include "widgets/kit/theme/heat_look.h"
#include "widgets/kit/theme/patterns.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/memory_bars.h"
#include "widgets/views/coregrid/share_bars.h"
#include "widgets/views/coregrid/split_painter.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::ui {
namespace {

constexpr double kHeatFoot = 6;  // px

class GridPainter {
public:
    GridPainter(QPainter& painter, const CoreGridState& state, QSizeF size, const Theme& theme, TextCache& texts)
        : p_(painter), s_(state), l_(coreGridLayout(state, size)), theme_(theme), texts_(texts) {}

    void paint() {
        p_.fillRect(l_.isNarrow ? QRectF(0, l_.right.top(), l_.right.width(), 1)
                                : QRectF(l_.right.left(), 0, 1, l_.right.height()),
                    theme_.color(Token::Line2));
        paintHead();
        for (int core = 0; core < l_.rows * l_.columns; ++core)
            paintCell(core);
        if (!l_.isNarrow) paintBelowCells();
        if (s_.mode == CoreGridMode::Detail)
            paintMemory();
        else
            paintSplit(p_, s_, l_, theme_, texts_);
    }

private:
    double text(QPointF where, const QString& words, TextStyle style, Token color) {
        p_.setPen(theme_.color(color));
        texts_.draw(p_, where, words, style, theme_);
        return where.x() + texts_.width(words, style, theme_);
    }

    void centred(double x, double baseline, const QString& words, TextStyle style, const QColor& color) {
        p_.setPen(color);
        texts_.draw(p_, {x - texts_.width(words, style, theme_) / 2, baseline}, words, style, theme_);
    }

    void paintHead() {
        const double x = text({l_.firstCell.x(), 27}, QStringLiteral("Cores"), TextStyle::BodyStrong, Token::Text1);
        const int used = s_.op.isValid() ? coresOf(s_.plan->op(s_.op)) : s_.metrics->mostUsedCores();
        text({x + 5, 27},
             QStringLiteral("%1 of %2 in use, %3 rows of %4")
                 .arg(used)
                 .arg(s_.metrics->machineCores())
                 .arg(l_.rows)
                 .arg(l_.columns),
             TextStyle::Body, Token::Text3);
    }

    [[nodiscard]] static int coresOf(const PlanOp& op) { return runsOnCores(op) ? static_cast<int>(op.cores) : 0; }

    [[nodiscard]] bool showsBytes() const { return s_.pair && s_.mode == CoreGridMode::Split && s_.showsBufferBytes; }

    /// Bytes of the shown buffer a core holds; NaN when it holds none.
    [[nodiscard]] double cellValue(int core) const {
        if (showsBytes()) {
            const CoreShare share = shareOf(*s_.plan, *s_.pair, core);
            const Bytes bytes = std::max(share.written, share.read);
            return bytes > 0 ? static_cast<double>(bytes) : std::nan("");
        }
        return s_.op.isValid() ? s_.metrics->value(s_.metric, s_.op, core) : s_.metrics->planValue(s_.metric, core);
    }

    /// While a split is shown the cells carry the colours of its pieces, else the metric's heat.
    [[nodiscard]] bool showsPieces() const { return s_.mode == CoreGridMode::Split && (s_.pair || s_.op.isValid()); }

    [[nodiscard]] QString cellText(double value) const {
        return showsBytes() ? humanBytes(static_cast<Bytes>(value)) : metricText(s_.metric, value);
    }

    void paintCell(int core) {
        const QRectF r = l_.cellRect(core);
        const double value = cellValue(core);
        const ItemMark mark(p_, QStringLiteral("core-%1").arg(core), QStringLiteral("core %1").arg(core));
        p_.setRenderHint(QPainter::Antialiasing, true);
        if (std::isnan(value)) {
            p_.setBrush(Qt::NoBrush);
            p_.setPen(QPen(theme_.color(Token::Line1), 1));
            p_.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
            paintIdleCell(core, r);
        } else {
            paintUsedCell(core, r, value);
        }
        paintCellMark(core, r);
    }

    /// A core that has no part in this keeps its number; a dot stands for one that the plan must not use (6.1).
    void paintIdleCell(int core, const QRectF& r) {
        if (core < s_.metrics->configuredCores() && r.height() < 14) return;
        if (core < s_.metrics->configuredCores())
            return centred(r.center().x(), r.center().y() + 4, s_.metrics->coreLabel(core), TextStyle::Small,
                           theme_.color(Token::Text3));
        p_.setPen(Qt::NoPen);
        p_.setBrush(theme_.color(Token::TextDisabled));
        p_.drawEllipse(r.center(), 1.6, 1.6);
    }

    void paintUsedCell(int core, const QRectF& r, double value) {
        QColor first = theme_.color(Token::Text1), second = theme_.color(Token::Text2);
        if (showsPieces()) {
            p_.setRenderHint(QPainter::Antialiasing, false);
            fillPattern(p_, r.adjusted(1, 1, -1, -1), categoryInk(theme_, core));
            p_.setRenderHint(QPainter::Antialiasing, true);
            paintHeatFoot(r, limits().share(value));
            p_.setBrush(Qt::NoBrush);
            p_.setPen(QPen(theme_.category(core), 1));
        } else {
            const double share = limits().share(value);
            p_.setBrush(theme_.heat(share));
            p_.setPen(QPen(heatEdge(theme_, share), 1));
            first = second = theme_.heatText(share);
        }
        p_.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        paintCellText(r,
                      {isOver(value) ? QStringLiteral("%1 !").arg(core) : s_.metrics->coreLabel(core), cellText(value)},
                      {first, second}, showsPieces() && core >= 8);
        if (!isOver(value)) return;
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(theme_.color(Token::Error), 2));
        p_.drawRoundedRect(r.adjusted(1, 1, -1, -1), 2, 2);
    }

    [[nodiscard]] bool isOver(double value) const { return !showsBytes() && s_.metrics->isOverLimit(s_.metric, value); }

    /// A cell in the colour of its core carries the metric's colour at its foot: the legend's ramp stays true.
    void paintHeatFoot(const QRectF& cell, double share) {
        const QRectF foot(cell.left() + 1, cell.bottom() - 1 - kHeatFoot, cell.width() - 2, kHeatFoot);
        p_.setRenderHint(QPainter::Antialiasing, false);
        p_.fillRect(foot, heatEdge(theme_, share));
        p_.fillRect(foot.adjusted(0, 1, 0, 0), theme_.heat(share));
        p_.setRenderHint(QPainter::Antialiasing, true);
    }

    struct CellWords {
        QString number, value;
    };

    void paintCellText(const QRectF& r, const CellWords& words, std::pair<QColor, QColor> colors, bool onPlate) {
        const auto& [number, value] = words;
        if (onPlate) drawPlate(p_, r.adjusted(3, 3, -3, -4 - kHeatFoot), theme_);
        p_.setPen(colors.first);
        // Number and unit stand below each other as in the design; what does not fit is in the tooltip.
        const QStringList parts = value.split(QChar(0x202f));
        const bool hasUnit = parts.size() > 1 && parts.last().size() > 1;
        const bool isSplit = hasUnit && l_.cell >= 50;
        const QString top = isSplit ? parts.mid(0, parts.size() - 1).join(QChar(0x202f)) : value;
        const bool fits = texts_.width(top, TextStyle::Small, theme_) <= r.width() - 4;
        const bool hasNumber =
            texts_.width(number, TextStyle::SmallStrong, theme_) <= r.width() - 2 && r.height() >= 14;
        if (!hasNumber) return;
        if (l_.cell < 44 || !fits)
            return centred(r.center().x(), r.center().y() + 4, number, TextStyle::SmallStrong, colors.first);
        // Lines of a small cell stand closer together above its foot.
        const double closer = showsPieces() && isSplit && l_.cell < 60 ? 2 : 0;
        texts_.draw(p_, r.topLeft() + QPointF(6, 15 - closer), number, TextStyle::SmallStrong, theme_);
        centred(r.center().x(), r.top() + (isSplit ? 34 - 2 * closer : 35), top, TextStyle::Small, colors.second);
        if (isSplit) centred(r.center().x(), r.top() + 47 - 3 * closer, parts.last(), TextStyle::Small, colors.second);
    }

    void paintCellMark(int core, const QRectF& r) {
        const ItemId id{ItemKind::Core, core};
        const bool isSelected = s_.selection.isSelected(id) || (s_.core == core && !s_.selection.hover);
        if (!isSelected && core != s_.core) return;
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(theme_.color(Token::BgCanvas), 4));
        if (isSelected) p_.drawRoundedRect(r.adjusted(-1, -1, 1, 1), 3, 3);
        p_.setPen(QPen(theme_.color(Token::SelectOutline), 2));
        p_.drawRoundedRect(r.adjusted(-1, -1, 1, 1), 3, 3);
    }

    /// Those of the legend.
    [[nodiscard]] MetricLimits limits() const {
        const CoreMetric metric = showsBytes() ? CoreMetric::BytesOnChip : s_.metric;
        return s_.isAutoRange ? s_.metrics->autoLimits(metric, s_.op) : s_.metrics->limits(metric);
    }

    void paintBelowCells() {
        const double top = l_.firstCell.y() + l_.rows * (l_.cell + 2) + 26;
        if (s_.pair && s_.mode == CoreGridMode::Split) return paintShares(top);
        if (!s_.op.isValid()) return;
        const PlanOp& op = s_.shownOp();
        text({l_.firstCell.x(), top}, QStringLiteral("Split of ") + fromStd(op.name), TextStyle::BodyStrong,
             Token::Text1);
        double y = top + 20;
        for (const QString& part : fromStd(loopSplitText(op)).split(QStringLiteral("; "))) {
            text({l_.firstCell.x(), y}, part, TextStyle::Small, Token::Text2);
            y += 16;
        }
        if (s_.core < 0 || s_.core >= op.cores) return;
        text({l_.firstCell.x(), y + 8}, coreRanges(op), TextStyle::Small, Token::Text3);
    }

    /// "core 5: c0 320 to 383, c1 0 to 1 023".
    [[nodiscard]] QString coreRanges(const PlanOp& op) const {
        QStringList parts;
        for (std::size_t d = 0; d < op.iterationSpace.size(); ++d) {
            const IterationDim& dim = op.iterationSpace[d];
            const ElementRange r = sliceRange(dim, sliceOf(op, s_.core, d));
            parts << QStringLiteral("%1 %2 to %3").arg(fromStd(dim.name), groupedText(r.begin), groupedText(r.end - 1));
        }
        return QStringLiteral("core %1: %2").arg(s_.core).arg(parts.join(QStringLiteral(", ")));
    }

    struct ShareRow {
        QString name;
        Bytes bytes = 0;
        QString figure;
        TextStyle style = TextStyle::Small;  ///< strong: what both have
    };

    void paintShare(const ShareRow& row, const ShareBar& place, double left, double nameWidth) {
        const bool isSame = row.style == TextStyle::SmallStrong;
        const double y = place.bar.top() + 11;
        text({left, y}, texts_.elided(row.name, TextStyle::Small, theme_, nameWidth), TextStyle::Small, Token::Text2);
        p_.fillRect(place.bar, theme_.residency(Residency::OnChip, isSame ? Tone::Base : Tone::Soft));
        p_.setPen(isSame ? theme_.color(Token::Text1) : theme_.residency(Residency::OnChip, Tone::Edge));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(place.bar.adjusted(0, 0, -1, -1));
        text({place.figure, y}, row.figure, row.style, Token::Text1);
    }

    void paintShares(double top) {
        const int core = std::max(0, s_.core);
        const CoreShare share = shareOf(*s_.plan, *s_.pair, core);
        const double x = l_.firstCell.x();
        text({x, top}, QStringLiteral("Core %1 holds and needs").arg(core), TextStyle::BodyStrong, Token::Text1);
        QString same = exactBytes(share.same);
        if (share.read > 0)
            same +=
                QStringLiteral(", ") + percentText(static_cast<double>(share.same) / static_cast<double>(share.read));
        const std::array<ShareRow, 3> rows{{
            {QStringLiteral("written here by ") + fromStd(s_.plan->op(s_.pair->writer).name), share.written,
             exactBytes(share.written)},
            {QStringLiteral("read here by ") + fromStd(s_.plan->op(s_.pair->reader).name), share.read,
             exactBytes(share.read)},
            {QStringLiteral("same bytes"), share.same, same, TextStyle::SmallStrong},
        }};
        std::array<ShareFigure, 3> figures;
        for (std::size_t i = 0; i < rows.size(); ++i)
            figures[i] = {rows[i].bytes, texts_.width(rows[i].figure, rows[i].style, theme_)};
        constexpr double kNames = 132, kRow = 26;
        const QRectF area(x + kNames, top + 15, l_.cores.right() - 4 - x - kNames, 3 * kRow);
        const std::array<ShareBar, 3> bars = shareBars(area, kRow, figures);
        p_.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t i = 0; i < rows.size(); ++i)
            paintShare(rows[i], bars[i], x, kNames - 4);
        paintShareSentence(share, {x, top + 26 + 3 * 26 + 4});
    }

    void paintShareSentence(const CoreShare& share, QPointF where) {
        const Bytes missing = share.read - share.same;
        const QString buffer = fromStd(s_.plan->buffer(s_.pair->buffer).name);
        QString first = QStringLiteral("Core %1 finds all it needs of %2 in its own scratchpad.")
                            .arg(std::max(0, s_.core))
                            .arg(buffer),
                second;
        if (missing > 0) {
            first = QStringLiteral("The other %1 lie on other cores. A scratchpad").arg(exactBytes(missing));
            second = QStringLiteral("cannot be read from another core, so %1 goes through HBM.").arg(buffer);
        }
        text(where, first, TextStyle::Small, Token::Text3);
        if (!second.isEmpty()) text(where + QPointF(0, 15), second, TextStyle::Small, Token::Text3);
    }

    // ---- memory of a core at a step (6.6) ----

    void paintMemory() {
        if (!s_.memory.empty()) return paintMemoryPicture();
        const int core = std::max(0, s_.core);
        const std::vector<CoreBlock> blocks = s_.metrics->blocksAt(s_.step, core);
        const Bytes physical = std::max(s_.plan->memory.physical, s_.plan->memory.capacity);
        const double left = l_.strip.left();
        const double x = text({left, l_.right.top() + 27}, QStringLiteral("Memory of core %1").arg(core),
                              TextStyle::BodyStrong, Token::Text1);
        const bool isOp = s_.step >= 0 && static_cast<std::size_t>(s_.step) < s_.plan->ops.size();
        const QString op = isOp ? fromStd(s_.plan->ops[static_cast<std::size_t>(s_.step)].name) : QString();
        text({x + 5, l_.right.top() + 27}, QStringLiteral("at step %1, %2").arg(s_.step).arg(op), TextStyle::Body,
             Token::Text3);
        const auto scale = l_.strip.width() / static_cast<double>(std::max<Bytes>(1, physical));
        const auto place = [&](Address begin, Address end) {
            const double a = std::round(left + static_cast<double>(begin) * scale),
                         b = std::round(left + static_cast<double>(end) * scale);
            return QRectF(a, l_.strip.top(), std::max(1.0, b - a), l_.strip.height());
        };
        const CoreBlock* largest = largestGap(blocks);
        for (const CoreBlock& block : blocks)
            paintBlock(block, place(block.begin, block.end), &block == largest);
        const QRectF reserved = place(s_.plan->memory.capacity, physical);
        if (physical > s_.plan->memory.capacity) fillPattern(p_, reserved, inkOf(theme_, Residency::Reserved));
        p_.setPen(theme_.color(Token::LineControl));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(l_.strip.adjusted(0, 0, -1, -1));
        p_.fillRect(QRectF(reserved.left() - 1, l_.strip.top() - 6, 1.5, l_.strip.height() + 12),
                    theme_.color(Token::Error));
        paintMemoryWords(blocks, largest, reserved.left());
        paintSlider();
    }

    /// Every core holds the same there: the picture is of one of them.
    void paintMemoryPicture() {
        const double x = text({l_.memory.left(), l_.right.top() + 27}, QStringLiteral("Memory"), TextStyle::BodyStrong,
                              Token::Text1);
        const bool isOp = s_.step >= 0 && static_cast<std::size_t>(s_.step) < s_.plan->ops.size();
        const QString op = isOp ? fromStd(s_.plan->ops[static_cast<std::size_t>(s_.step)].name) : QString();
        text({x + 5, l_.right.top() + 27}, QStringLiteral("at position %1, %2; no addresses yet").arg(s_.step).arg(op),
             TextStyle::Body, Token::Text3);
        paintMemoryBars(p_, s_.memory, l_.memory, theme_, texts_);
        paintSlider();
    }

    [[nodiscard]] static const CoreBlock* largestGap(const std::vector<CoreBlock>& blocks) {
        const CoreBlock* largest = nullptr;
        for (const CoreBlock& b : blocks)
            if (!b.buffer.isValid() && (largest == nullptr || b.size() > largest->size())) largest = &b;
        return largest;
    }

    void paintBlock(const CoreBlock& block, const QRectF& r, bool isLargestGap) {
        p_.setRenderHint(QPainter::Antialiasing, false);
        p_.setBrush(Qt::NoBrush);
        if (!block.buffer.isValid()) {
            QPen pen(theme_.color(isLargestGap ? Token::Accent : Token::Text3), 1, Qt::DashLine);
            p_.setPen(pen);
            if (isLargestGap) p_.drawRect(r.adjusted(1, 3, -2, -4));
            const QString words = humanBytes(block.size());
            if (texts_.width(words, TextStyle::Small, theme_) < r.width() - 6)
                centred(r.center().x(), r.center().y() + 4, words, TextStyle::Small, theme_.color(Token::Text3));
            return;
        }
        const PlanBuffer& b = s_.plan->buffer(block.buffer);
        const Residency residency = residencyOf(b);
        const bool isLarge = r.width() >= 8;
        if (isLarge)
            fillPattern(p_, r, inkOf(theme_, residency));
        else
            p_.fillRect(r, theme_.residency(residency, Tone::Edge));
        p_.setPen(theme_.residency(residency, Tone::Edge));
        if (isLarge) p_.drawRect(r.adjusted(0, 0, -1, -1));
        const QString name = texts_.elided(fromStd(b.name), TextStyle::SmallStrong, theme_, r.width() - 10);
        if (!name.isEmpty() && r.width() > 24) {
            p_.setFont(theme_.font(TextStyle::SmallStrong));
            drawPlatedText(p_, {r.left() + 6, r.center().y() + 4}, name, theme_.color(Token::Text1), theme_);
        }
        if (s_.selection.isSelected(ItemId::of(block.buffer))) {
            p_.setPen(QPen(theme_.color(Token::SelectOutline), 2));
            p_.drawRect(r.adjusted(1, 1, -1, -1));
        }
        paintBlockNote(block.buffer, r);
    }

    /// On the block's upper right corner; a block that is too thin carries it on its roof.
    void paintBlockNote(BufferId id, const QRectF& r) {
        const auto note = s_.notes->items.find(ItemId::of(id));
        if (note == s_.notes->items.end()) return;
        constexpr double kHeight = 13;
        const double wide = noteFlagWidth(kHeight) + 4;
        const bool fits = r.width() >= wide + 2;
        const ItemMark mark(p_, QStringLiteral("note-") + fromStd(s_.plan->buffer(id).name),
                            QStringLiteral("Note: ") + note->second);
        drawNoteFlag(p_, {std::round(fits ? r.right() - wide : r.left()), fits ? r.top() + kHeight + 2 : r.top()},
                     kHeight, theme_);
    }

    void paintMemoryWords(const std::vector<CoreBlock>& blocks, const CoreBlock* largest, double limitX) {
        const double y = l_.strip.bottom() + 18;
        text({l_.strip.left(), y}, QStringLiteral("0"), TextStyle::Small, Token::Text2);
        const QString limit = QStringLiteral("usable limit ") + exactBytes(s_.plan->memory.capacity);
        const double width = texts_.width(limit, TextStyle::SmallStrong, theme_);
        text({std::min(limitX, l_.strip.right()) - width, y}, limit, TextStyle::SmallStrong, Token::Error);
        Bytes used = 0, free = 0;
        int gaps = 0;
        for (const CoreBlock& b : blocks) {
            (b.buffer.isValid() ? used : free) += b.size();
            gaps += b.buffer.isValid() ? 0 : 1;
        }
        const Bytes most = largest == nullptr ? 0 : largest->size();
        QString words = QStringLiteral("in use %1, free %2 in %3, largest gap %4")
                            .arg(exactBytes(used), exactBytes(free),
                                 plural(gaps, QStringLiteral("gap"), QStringLiteral("gaps")), exactBytes(most));
        if (free > 0)
            words += QStringLiteral(", fragmentation ") +
                     percentText(1 - static_cast<double>(most) / static_cast<double>(free));
        text({l_.strip.left(), y + 22}, words, TextStyle::Small, Token::Text1);
    }

    void paintSlider() {
        const QRectF& r = l_.slider;
        const auto steps = static_cast<int>(s_.plan->ops.size());
        const double y = r.center().y(), share = steps > 1 ? static_cast<double>(s_.step) / (steps - 1) : 0;
        p_.fillRect(QRectF(r.left(), y - 1, r.width(), 2), theme_.color(Token::LineControl));
        p_.fillRect(QRectF(r.left(), y - 1, r.width() * share, 2), theme_.color(Token::Accent));
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(QPen(theme_.color(Token::Accent), 1.5));
        p_.setBrush(theme_.color(Token::BgRaised));
        p_.drawEllipse(QPointF(r.left() + r.width() * share, y), 7, 7);
        text({r.left(), r.top() - 6}, QStringLiteral("step"), TextStyle::Small, Token::Text3);
        text({r.left(), r.bottom() + 14}, QStringLiteral("0"), TextStyle::Small, Token::Text2);
        const QString last = groupedText(std::max(0, steps - 1));
        text({r.right() - texts_.width(last, TextStyle::Small, theme_), r.bottom() + 14}, last, TextStyle::Small,
             Token::Text2);
    }

    QPainter& p_;
    const CoreGridState& s_;
    const CoreGridLayout l_;
    const Theme& theme_;
    TextCache& texts_;
};

}  // namespace

void paintCoreGrid(QPainter& painter, const CoreGridState& state, QSizeF size, const Theme& theme, TextCache& texts) {
    if (!state.plan || !state.metrics) return;
    painter.save();
    GridPainter(painter, state, size, theme, texts).paint();
    painter.restore();
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/split_painter.h"

#include "widgets/kit/theme/patterns.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/plan/units.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

QString sticksText(std::int64_t sticks) {
    return QStringLiteral(" (%1)").arg(plural(sticks, QStringLiteral("stick"), QStringLiteral("sticks")));
}

QString axisText(const DeviceDim& d) {
    // The name first: "1024 B" would be bytes.
    const QString text = QStringLiteral("%1: %2").arg(fromStd(d.name), groupedText(d.extent));
    return d.isStick ? text + sticksText(d.size) : text;
}

QString axisText(const IterationDim& d) {
    QString text = QStringLiteral("%1: %2").arg(fromStd(d.name), groupedText(d.extent));
    if (d.elemsPerStick > 0) text += sticksText(d.adjusted);
    return d.isReduction ? text + QStringLiteral(", reduced") : text;
}

/// Verb and dimensions in the words of the picture's title: "writes rows", "reads columns".
QString cutWords(const SplitPair& pair, const PlanAccess& access) {
    QStringList names;
    for (const DeviceDim& d : pair.dims)
        if (piecesAlong(access, d.device) > 1) names << fromStd(d.name);
    const QString verb = access.isWrite ? QStringLiteral("writes ") : QStringLiteral("reads ");
    return verb + (names.isEmpty() ? QStringLiteral("the whole") : names.join(QStringLiteral(" and ")));
}

class SplitPainter {
public:
    SplitPainter(QPainter& painter, const CoreGridState& state, const CoreGridLayout& layout, const Theme& theme,
                 TextCache& texts)
        : p_(painter), s_(state), l_(layout), theme_(theme), texts_(texts) {}

    void paint() {
        if (s_.pair) return paintPair();
        if (s_.op.isValid()) return paintOp();
        paintNothing();
    }

private:
    double text(QPointF where, const QString& words, TextStyle style, Token color) {
        p_.setPen(theme_.color(color));
        texts_.draw(p_, where, words, style, theme_);
        return where.x() + texts_.width(words, style, theme_);
    }

    void paintNothing() {
        const double indent = l_.isNarrow ? 12 : 42;
        const QRectF room = l_.right.adjusted(indent, 27, -12, 0);
        if (s_.input.isValid()) {  // that nothing reads
            paragraph(room.adjusted(0, -12, 0, 0), s_.card.title, TextStyle::BodyStrong, Token::Text1);
            return;
        }
        text(room.topLeft(), QStringLiteral("No operation is selected"), TextStyle::BodyStrong, Token::Text1);
        p_.setPen(theme_.color(Token::Text2));
        p_.setFont(theme_.font(TextStyle::Small));
        p_.drawText(room.adjusted(0, 9, 0, 0), Qt::TextWordWrap,
                    QStringLiteral("Select an operation to see how it is cut, or a buffer to compare writer and "
                                   "reader."));
    }

    [[nodiscard]] bool hasNote(BufferId id) const { return s_.notes->items.contains(ItemId::of(id)); }

    /// The flag of a note behind the words that end at `x`; returns where it ends (2.16).
    double noteFlag(double x, double baseline, ItemId item) {
        const auto note = s_.notes->items.find(item);
        if (note == s_.notes->items.end()) return x;
        constexpr double kHeight = 13, kGap = 6;
        const QString name = item.kind == ItemKind::Op ? fromStd(s_.plan->op(OpId{item.index}).name)
                                                       : fromStd(s_.plan->buffer(BufferId{item.index}).name);
        const ItemMark mark(p_, QStringLiteral("note-") + name, QStringLiteral("Note: ") + note->second);
        drawNoteFlag(p_, {std::round(x + kGap), baseline + 2}, kHeight, theme_);
        return x + kGap + noteFlagWidth(kHeight);
    }

    void axes(const QRectF& area, const QString& across, const QString& down) {
        const QString top = texts_.elided(across, TextStyle::Small, theme_, area.width());
        text({area.center().x() - texts_.width(top, TextStyle::Small, theme_) / 2, area.top() - 8}, top,
             TextStyle::Small, Token::Text2);
        const QString side = texts_.elided(down, TextStyle::Small, theme_, area.height());
        p_.save();
        p_.translate(area.left() - (l_.isNarrow ? 12 : 24),
                     area.center().y() + texts_.width(side, TextStyle::Small, theme_) / 2);
        p_.rotate(-90);
        p_.setPen(theme_.color(Token::Text2));
        p_.setFont(theme_.font(TextStyle::Small));
        p_.drawText(QPointF(0, 4), side);
        p_.restore();
    }

    void paintOp() {
        const PlanOp& op = s_.shownOp();
        if (s_.input.isValid()) {
            paintOp(op, l_.first, QStringLiteral("Iteration space of its reader "));
            return paintCard();
        }
        if (!s_.before) return paintOp(op, l_.first, QStringLiteral("Iteration space of "));
        paintOp(*s_.before, l_.first, QStringLiteral("Committed division of "));
        paintOp(op, l_.second, QStringLiteral("Chosen division of "));
    }

    void paintOp(const PlanOp& op, const QRectF& area, const QString& title) {
        const double x = text({area.left(), area.top() - 26}, title, TextStyle::BodyStrong, Token::Text1);
        noteFlag(text({x, area.top() - 26}, fromStd(op.name), TextStyle::BodyStrong, Token::Accent), area.top() - 26,
                 ItemId::of(s_.op));
        const auto dim = [&op](int d) { return d < 0 ? QString() : axisText(op.iterationSpace[at(d)]); };
        axes(area, dim(s_.plane.columns), dim(s_.plane.rows));
        for (const SplitPiece& piece : opPieces(op, s_.plane, s_.otherSlice, area))
            paintPiece(piece, false);
        text({area.left(), area.bottom() + 20},
             texts_.elided(fromStd(loopSplitText(op)), TextStyle::Small, theme_,
                           (s_.before ? area.right() : l_.right.right() - 10) - area.left()),
             TextStyle::Small, Token::Text2);
        const std::int64_t others = otherCombinations(op, s_.plane);
        if (others > 1)
            text({area.left(), area.bottom() + 38},
                 QStringLiteral("\u00d7 %1 more slices in the other dimensions; shown: %2 of %1")
                     .arg(others)
                     .arg(s_.otherSlice + 1),
                 TextStyle::Small, Token::Text3);
    }

    void paintPair() {
        const SplitPair& pair = *s_.pair;
        paintSide(l_.first, true, QStringLiteral("Producer "), pair.writer, *pair.write);
        paintSide(l_.second, false, QStringLiteral("Consumer "), pair.reader, *pair.read);
        if (!l_.isNarrow) paintLegend({l_.first.left(), l_.first.bottom() + 52});
        paintCard();
    }

    void paintSide(const QRectF& area, bool isWriter, const QString& role, OpId op, const PlanAccess& access) {
        const SplitPair& pair = *s_.pair;
        double x = text({area.left(), area.top() - 26}, role, TextStyle::BodyStrong, Token::Text1);
        x = text({x, area.top() - 26}, fromStd(s_.plan->op(op).name), TextStyle::BodyStrong, Token::Accent);
        x = noteFlag(x, area.top() - 26, ItemId::of(op));
        text({x + 5, area.top() - 26}, texts_.elided(cutWords(pair, access), TextStyle::Body, theme_, area.right() - x),
             TextStyle::Body, Token::Text3);
        const auto dim = [&pair](int d) { return d < 0 ? QString() : axisText(pair.dims[at(d)]); };
        axes(area, dim(pair.plane.columns), dim(pair.plane.rows));
        const std::vector<SplitPiece> pieces = pairPieces(pair, isWriter, area);
        for (const SplitPiece& piece : pieces)
            paintPiece(piece, !pair.isSame);
        const int cores = static_cast<int>(std::max(pair.writerCores, pair.readerCores));
        for (int core = 0; core < cores && !pair.isSame; ++core)
            paintLocal(core, commonPart(*s_.plan, pair, core, area));
        for (const SplitPiece& piece : pieces)
            paintLabel(piece, area);
        for (const SplitPiece& piece : pieces)
            if (s_.core >= 0 && std::find(piece.cores.begin(), piece.cores.end(), s_.core) != piece.cores.end())
                outline(piece.rect);
        paragraph({area.left(), area.bottom() + 7, area.width() + 4, 32}, sideCaption(op, access), TextStyle::Small,
                  Token::Text2);
    }

    [[nodiscard]] QString sideCaption(OpId op, const PlanAccess& access) const {
        QString caption = fromStd(cutSentence(s_.pair->dims, access));
        for (const std::string& name : reducedDims(*s_.plan, op, access))
            caption.replace(fromStd(name) + QStringLiteral(": not split"),
                            fromStd(name) + QStringLiteral(": reduced, not split"));
        if (piecesOf(access) <= 1) {
            const std::int64_t cores = s_.plan->op(op).cores;
            caption +=
                cores > 1 ? QStringLiteral("; the same for all %1 cores").arg(cores) : QStringLiteral("; one core");
        }
        return caption;
    }

    /// Soft fill in the core's colour; grey when several cores share the piece.
    void paintPiece(const SplitPiece& piece, bool isForeign) {
        p_.setRenderHint(QPainter::Antialiasing, false);
        const QRectF inner = piece.rect.adjusted(1, 1, -1, -1);
        const bool isOwn = piece.cores.size() == 1;
        const int core = piece.cores.empty() ? 0 : piece.cores.front();
        if (isOwn)
            fillPattern(p_, inner, categoryInk(theme_, core));
        else
            p_.fillRect(inner, theme_.color(Token::LineGrid));
        if (isForeign) {
            PatternInk hatch;
            hatch.pattern = Pattern::ForeignHatch;
            hatch.ink = theme_.color(Token::Text1);
            hatch.inkOpacity = 0.28;
            fillPattern(p_, inner, hatch);
        }
        p_.setBrush(Qt::NoBrush);
        p_.setPen(isOwn ? theme_.category(core) : theme_.color(Token::LineControl));
        p_.drawRect(piece.rect.adjusted(0, 0, -1, -1));
        if (s_.pair) return;
        paintLabel(piece, l_.first);
        if (s_.core >= 0 && std::find(piece.cores.begin(), piece.cores.end(), s_.core) != piece.cores.end())
            outline(piece.rect);
    }

    void paintLocal(int core, const QRectF& rect) {
        if (rect.width() < 3 || rect.height() < 3) return;
        const QRectF r = rect.adjusted(1, 1, -2, -2);
        p_.fillRect(r, Theme::mix(theme_.category(core), theme_.color(Token::BgCanvas), 0.62));
        p_.setPen(QPen(theme_.color(Token::Text1), 1));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(r);
    }

    /// Core numbers on a plate where the piece has room that no local part covers.
    void paintLabel(const SplitPiece& piece, const QRectF& area) {
        const QString words = coresText(piece.cores);
        const double width = texts_.width(words, TextStyle::SmallStrong, theme_);
        const QSizeF plate(width + 10, 15);
        if (piece.rect.width() < plate.width() + 2 || piece.rect.height() < plate.height() + 1) return;
        QPointF centre = piece.rect.center();
        if (s_.pair && !s_.pair->isSame) centre = freeSpot(piece, plate, area);
        const QRectF box(centre.x() - plate.width() / 2, centre.y() - plate.height() / 2, plate.width(),
                         plate.height());
        drawPlate(p_, box, theme_, 1);
        text({centre.x() - width / 2, box.top() + 11.5}, words, TextStyle::SmallStrong, Token::Text1);
    }

    [[nodiscard]] QPointF freeSpot(const SplitPiece& piece, const QSizeF& plate, const QRectF& area) const {
        const QRectF& r = piece.rect;
        const double dx = plate.width() / 2 + 5, dy = plate.height() / 2 + 5;
        const bool isWide = r.width() >= r.height();
        const QPointF spots[3] = {
            isWide ? QPointF(r.left() + dx, r.center().y()) : QPointF(r.center().x(), r.bottom() - dy),
            isWide ? QPointF(r.right() - dx, r.center().y()) : QPointF(r.center().x(), r.top() + dy), r.center()};
        for (const QPointF& spot : spots) {
            const QRectF box(spot.x() - plate.width() / 2, spot.y() - plate.height() / 2, plate.width(),
                             plate.height());
            const bool isFree = std::none_of(piece.cores.begin(), piece.cores.end(), [&](int core) {
                return commonPart(*s_.plan, *s_.pair, core, area).intersects(box);
            });
            if (isFree) return spot;
        }
        return spots[0];
    }

    void outline(const QRectF& rect) {
        p_.setRenderHint(QPainter::Antialiasing, false);
        QPen pen(theme_.color(Token::SelectOutline), 2);
        pen.setJoinStyle(Qt::MiterJoin);
        p_.setPen(pen);
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(rect.adjusted(1, 1, -1, -1));
    }

    void paintLegend(QPointF where) {
        if (s_.pair->isSame) return;
        const QColor base = theme_.category(2);
        const auto swatch = [this, &where](const QColor& fill, const QColor& edge, bool isHatched, int pen) {
            const QRectF r(where.x(), where.y() - 10, 14, 12);
            if (fill.isValid()) p_.fillRect(r, fill);
            if (isHatched) {
                PatternInk hatch;
                hatch.pattern = Pattern::ForeignHatch;
                hatch.ink = theme_.color(Token::Text1);
                hatch.inkOpacity = 0.28;
                fillPattern(p_, r, hatch);
            }
            p_.setPen(QPen(edge, pen));
            p_.setBrush(Qt::NoBrush);
            p_.drawRect(pen > 1 ? r.adjusted(1, 1, -1, -1) : r.adjusted(0, 0, -1, -1));
            where.rx() += 19;
        };
        const auto word = [this, &where](const QString& w) {
            where.setX(text(where, w, TextStyle::Small, Token::Text2) + 14);
        };
        p_.setRenderHint(QPainter::Antialiasing, false);
        swatch(Theme::mix(base, theme_.color(Token::BgCanvas), 0.62), theme_.color(Token::Text1), false, 1);
        word(QStringLiteral("on the right core already"));
        swatch(theme_.categorySoft(2), base, true, 1);
        word(QStringLiteral("on another core"));
        if (s_.core < 0) return;
        swatch(QColor(), theme_.color(Token::SelectOutline), false, 2);
        word(QStringLiteral("core %1 on both sides").arg(s_.core));
    }

    void paintCard() {
        const CardText& words = s_.card;
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(QPen(theme_.color(Token::Line1), 1));
        p_.setBrush(theme_.color(Token::BgRaised));
        p_.drawRoundedRect(l_.card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        const BufferId buffer = s_.pair ? s_.pair->buffer : s_.input;
        BadgeText badge{QStringLiteral("i"), {}, BadgeText::Kind::Note};
        if (s_.pair && s_.pair->isSame)
            badge = {QStringLiteral("="), {}, BadgeText::Kind::Good};
        else if (s_.pair)
            badge = {QStringLiteral("!"), {}, BadgeText::Kind::Warning};
        drawBadge(p_, QRectF(l_.card.left() + 14, l_.card.top() + 13, 16, 16), badgeColors(theme_, badge));
        const double x = l_.card.left() + 44, width = l_.card.width() - 58 - (hasNote(buffer) ? 24 : 0);
        noteFlag(l_.card.right() - 30, l_.card.top() + 26, ItemId::of(buffer));
        const double below =
            paragraph({x, l_.card.top() + 14, width, 48.0}, words.title, TextStyle::BodyStrong, Token::Text1);
        const double end = l_.card.bottom() - 10 - s_.cardButtonRows * 30.0;
        paragraph({x, below + 4, width, std::max(16.0, end - below - 4)}, words.body, TextStyle::Small, Token::Text2);
    }

    /// As many lines of 16 px as the rectangle holds; the last one is cut with an ellipsis. Returns the
    /// bottom of the last line.
    double paragraph(const QRectF& rect, const QString& words, TextStyle style, Token color) {
        p_.setFont(theme_.font(style));
        p_.setPen(theme_.color(color));
        QTextLayout layout(words, p_.font());
        layout.beginLayout();
        const QFontMetricsF metrics(p_.font());
        const int most = static_cast<int>(rect.height() / 16);
        double y = rect.top();
        for (int i = 0; i < most; ++i) {
            QTextLine line = layout.createLine();
            if (!line.isValid()) break;
            line.setLineWidth(rect.width());
            const int end = line.textStart() + line.textLength();
            const bool isCut = i + 1 == most && end < words.size();
            const QString part = isCut ? metrics.elidedText(words.mid(line.textStart()), Qt::ElideRight, rect.width())
                                       : words.mid(line.textStart(), line.textLength());
            p_.drawText(QPointF(rect.left(), y + metrics.ascent()), part);
            y += 16;
        }
        layout.endLayout();
        return y;
    }

    QPainter& p_;
    const CoreGridState& s_;
    const CoreGridLayout& l_;
    const Theme& theme_;
    TextCache& texts_;
};

QString inputWords(BufferRole role) {
    if (role == BufferRole::Constant) return QStringLiteral("a constant");
    return role == BufferRole::Parameter ? QStringLiteral("a parameter") : QStringLiteral("a graph input");
}

}  // namespace

CardText cardText(const Plan& plan, const SplitPair& pair, const std::optional<SplitFix>& fix) {
    CardText card;
    const PlanBuffer& b = plan.buffer(pair.buffer);
    if (pair.isSame) {
        card.title = QStringLiteral("Both sides cut %1 alike: %2.")
                         .arg(fromStd(b.name), fromStd(cutText(pair.dims, *pair.write)));
        card.body = b.reason
                        ? fromStd(sentence(*b.reason))
                        : QStringLiteral("Every core finds its part of %1 in its own scratchpad.").arg(fromStd(b.name));
        return card;
    }
    card.title = fromStd(mismatchSentence(plan, pair));
    if (fix)
        card.body = fromStd(fix->sentence);
    else if (b.reason)
        card.body = fromStd(sentence(*b.reason));
    return card;
}

CardText inputCardText(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    const QString readers = fromStd(readersSentence(plan, id));
    CardText card;
    card.title = QStringLiteral("%1 is %2: nothing on chip writes it; %3.")
                     .arg(fromStd(b.name), inputWords(b.role),
                          readers.isEmpty() ? QStringLiteral("no operation reads it") : readers);
    if (b.reason) card.body = fromStd(sentence(*b.reason));
    return card;
}

void paintSplit(QPainter& painter, const CoreGridState& state, const CoreGridLayout& layout, const Theme& theme,
                TextCache& texts) {
    SplitPainter(painter, state, layout, theme, texts).paint();
}

}  // namespace memplan::ui

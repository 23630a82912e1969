// SPDX-License-Identifier: GPL-3.0-or-later
// Badges: a letter in a 16 px square, as a painter function, a widget, and a table delegate that
// draws them from a role (design-system 6.2, 13.7).
#pragma once

#include "engine/base/diagnostic.h"
#include "widgets/kit/theme/theme.h"

#include <QStyledItemDelegate>
#include <QWidget>

namespace memplan::ui {

/// Roles that every model of the window answers.
enum TableRole {
    RawRole = Qt::UserRole + 1,  ///< value for sorting: qint64, double or QString
    IdRole,                      ///< ItemId of the row (QVariant of ItemId)
    BadgeRole,                   ///< BadgeText of the cell; the delegate draws it instead of the text
    NumericRole,                 ///< true: tabular figures, right-aligned
    StrongRole,                  ///< true: the cell names the row
    ColorRole,                   ///< Token as int: colour of the text
    FixedRole,                   ///< true: fixed-width family (codes, addresses in hex)
    LinkRole,                    ///< ItemId: the text is drawn as a link to it
    NoteRole,                    ///< first words of the row's note: a small flag at the end of the cell
    SortRole                     ///< value for sorting where it is not RawRole
};

struct BadgeText {
    QString letter;
    QString meaning;  ///< tooltip and accessible text
    enum class Kind { Residency, Error, Warning, Note, Good, Plain } kind = Kind::Plain;
    Residency residency = Residency::OnChip;
    friend bool operator==(const BadgeText&, const BadgeText&) = default;
};

[[nodiscard]] BadgeText badgeOf(Residency r);
[[nodiscard]] BadgeText badgeOf(Severity s);

struct BadgeColors {
    QString letter;
    QColor ground, edge, text;
};

[[nodiscard]] BadgeColors badgeColors(const Theme& theme, const BadgeText& badge);
[[nodiscard]] BadgeColors residencyBadge(const Theme& theme, const QString& letter, Residency r);
void drawBadge(QPainter& painter, const QRectF& rect, const BadgeColors& badge);

class Badge final : public QWidget {
    Q_OBJECT
public:
    explicit Badge(BadgeText badge, QWidget* parent = nullptr);
    void setBadge(BadgeText badge);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    BadgeText badge_;
};

/// One delegate for every table and tree: badges, tabular numbers, strong names, links.
class CellDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

private:
    [[nodiscard]] static int paintCheck(QPainter& painter, const QStyleOptionViewItem& opt, const QModelIndex& index);
    static void paintText(QPainter& painter, const QRect& cell, const QStyleOptionViewItem& opt,
                          const QModelIndex& index);
};

}  // namespace memplan::ui

Q_DECLARE_METATYPE(memplan::ui::BadgeText)

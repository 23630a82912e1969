// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/command_palette.h"

#include "widgets/kit/controls/chip.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/tools/palette/palette_delegate.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

namespace memplan::ui {

/// The raised box of the palette.
class CommandPalette::Box final : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = themeOf(this);
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        p.setPen(theme.color(Token::LineControl));
        p.setBrush(theme.color(Token::BgRaised));
        p.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        p.setRenderHint(QPainter::Antialiasing, false);
        p.setPen(theme.color(Token::Line1));
        p.drawLine(1, theme.px(46), width() - 2, theme.px(46));
        p.drawLine(1, height() - theme.px(34), width() - 2, height() - theme.px(34));
    }
};

namespace {

QWidget* keyLegend(QWidget* parent) {
    auto* legend = new QLabel(parent);
    legend->setTextFormat(Qt::PlainText);
    legend->setForegroundRole(QPalette::PlaceholderText);
    legend->setText(QObject::tr("Enter  select and show      Ctrl+Enter  select only      Tab  next group      "
                                "Esc  close"));
    return legend;
}

}  // namespace

CommandPalette::CommandPalette(QWidget* window) : QWidget(window), window_(window) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    box_ = new Box(this);
    auto* column = new QVBoxLayout(box_);
    column->setContentsMargins(1, 0, 1, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    buildChips();
    column->addWidget(chipRow_);
    buildList();
    column->addWidget(list_, 1);
    column->addWidget(nothing_, 1);
    auto* foot = new QWidget(box_);
    setScaledSize(foot, -1, 34);
    auto* footRow = new QHBoxLayout(foot);
    setScaledMargins(footRow, {16, 0, 14, 0});
    footRow->addWidget(keyLegend(foot));
    footRow->addStretch(1);
    column->addWidget(foot);
    withScale(this, [this](const Theme& now) {
        glass_->setPixmap(
            iconPixmap(QStringLiteral("search"), now.px(18), devicePixelRatioF(), now.color(Token::Text2)));
        QFont plain = now.font(TextStyle::ObjectTitle);
        plain.setWeight(QFont::Normal);
        field_->setFont(plain);
        QPalette flat = now.palette();
        flat.setColor(QPalette::Base, Qt::transparent);
        for (QWidget* part : {static_cast<QWidget*>(field_), static_cast<QWidget*>(list_)})
            part->setPalette(flat);
    });
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(list_, &QListView::clicked, this, [this] { choose(true); });
    field_->installEventFilter(this);
    window_->installEventFilter(this);
    hide();
}

QWidget* CommandPalette::buildHead() {
    auto* head = new QWidget(box_);
    setScaledSize(head, -1, 46);
    auto* headRow = new QHBoxLayout(head);
    setScaledMargins(headRow, {16, 0, 14, 0}, 12);
    glass_ = new QLabel(head);
    field_ = new QLineEdit(head);
    field_->setObjectName(QStringLiteral("paletteField"));
    field_->setAccessibleName(tr("Find anything, or > and a command"));
    field_->setPlaceholderText(tr("Find anything, or > and a command"));
    field_->setFrame(false);
    count_ = new QLabel(head);
    count_->setObjectName(QStringLiteral("paletteCount"));
    count_->setForegroundRole(QPalette::PlaceholderText);
    headRow->addWidget(glass_);
    headRow->addWidget(field_, 1);
    headRow->addWidget(count_);
    return head;
}

void CommandPalette::buildChips() {
    chipRow_ = new QWidget(box_);
    auto* chips = new QHBoxLayout(chipRow_);
    setScaledMargins(chips, {14, 6, 14, 4}, 6);
    std::vector<std::pair<QString, QString>> groups{{QString(), tr("all")}};
    for (const PaletteKind kind : {PaletteKind::Op, PaletteKind::Buffer, PaletteKind::Core, PaletteKind::Group,
                                   PaletteKind::Pass, PaletteKind::Problem}) {
        const QString prefix = paletteWord(kind) + u':';
        groups.emplace_back(prefix, prefix);
    }
    groups.emplace_back(QStringLiteral(">"), tr("> commands"));
    for (const auto& [prefix, title] : groups) {
        auto* chip = new Chip(title, chipRow_);
        chip->setFocusPolicy(Qt::NoFocus);
        chips->addWidget(chip);
        chips_.emplace_back(prefix, chip);
        connect(chip, &QAbstractButton::clicked, this, [this, prefix = prefix] {
            QString rest = field_->text();
            for (const auto& [known, other] : chips_) {
                if (!known.isEmpty() && rest.startsWith(known)) rest = rest.mid(known.size());
            }
            field_->setText(prefix + rest.trimmed());
            field_->setFocus();
        });
    }
    chips->addStretch(1);
}

void CommandPalette::buildList() {
    model_ = new PaletteModel(this);
    list_ = new QListView(box_);
    list_->setObjectName(QStringLiteral("paletteList"));
    list_->setAccessibleName(tr("Found"));
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setMouseTracking(true);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(true);
    nothing_ = new QLabel(box_);
    nothing_->setMargin(themeOf(this).px(16));
    nothing_->setForegroundRole(QPalette::PlaceholderText);
}

void CommandPalette::open(const QString& text) {
    before_ = QApplication::focusWidget();
    showChips();
    place();
    show();
    raise();
    field_->setText(text);
    search();
    field_->setFocus();
    field_->setCursorPosition(static_cast<int>(text.size()));
}

void CommandPalette::closePalette() {
    if (!isVisible()) return;
    hide();
    if (before_) before_->setFocus();
}

void CommandPalette::showChips() {
    for (const auto& [prefix, chip] : chips_) {
        const auto kind = prefix.endsWith(u':') ? paletteKindOf(prefix.chopped(1)) : std::nullopt;
        chip->setVisible(!kind || items_.hasKind(*kind));
    }
}

void CommandPalette::place() {
    const Theme& theme = themeOf(this);
    setGeometry(0, topEdge_, window_->width(), window_->height() - topEdge_);
    const int width = qMin(theme.px(660), this->width() - theme.px(40));
    const int rows = qBound(1, model_->rowCount(), 9);
    const int body = model_->rowCount() == 0 ? theme.px(56) : rows * theme.px(40) + theme.px(6);
    const int height = qMin(theme.px(46 + 34 + 34) + body, this->height() - theme.px(40));
    const int top = qBound(0, theme.px(128) - topEdge_, qMax(0, this->height() - height));
    box_->setGeometry((this->width() - width) / 2, top, width, height);
}

void CommandPalette::search() {
    int total = 0;
    const QString text = field_->text();
    model_->setRows(items_.find(text, &total));
    const bool any = model_->rowCount() > 0;
    list_->setVisible(any);
    nothing_->setVisible(!any);
    nothing_->setText(items_.itemCount() == 0 && !text.startsWith(u'>')
                          ? tr("No plan is open. Type > for commands.")
                          : tr("Nothing is called like that. Letters may be left out, their order counts."));
    if (any) list_->setCurrentIndex(model_->index(0, 0));
    count_->setText(!any ? QString() : tr("%1 of %2").arg(model_->rowCount()).arg(groupedText(total)));
    for (const auto& [prefix, chip] : chips_)
        chip->setChecked(prefix.isEmpty() ? std::none_of(chips_.begin() + 1, chips_.end(),
                                                         [&](const auto& c) { return text.startsWith(c.first); })
                                          : text.startsWith(prefix));
    place();
}

void CommandPalette::choose(bool show) {
    const QModelIndex at = list_->currentIndex();
    if (!at.isValid()) return;
    const PaletteRow row = model_->row(at.row());
    if (!row.enabled) return;
    closePalette();
    if (row.kind == PaletteKind::Command)
        emit commandChosen(row.command);
    else
        emit itemsChosen(row.items, show);
}

void CommandPalette::nextGroup(int direction) {
    std::vector<Chip*> shown;
    std::size_t on = 0;
    for (const auto& [prefix, chip] : chips_) {
        if (chip->isHidden()) continue;
        if (chip->isChecked()) on = shown.size();
        shown.push_back(chip);
    }
    const std::size_t count = shown.size();
    shown[(on + count + static_cast<std::size_t>(direction + static_cast<int>(count))) % count]->click();
}

bool CommandPalette::fieldKey(int key, Qt::KeyboardModifiers modifiers) {
    const int rows = model_->rowCount();
    const auto move = [&](int by) {
        if (rows == 0) return;
        const int at = qBound(0, list_->currentIndex().row() + by, rows - 1);
        list_->setCurrentIndex(model_->index(at, 0));
        list_->scrollTo(model_->index(at, 0));
    };
    switch (key) {
    case Qt::Key_Escape:
        closePalette();
        return true;
    case Qt::Key_Down:
        move(1);
        return true;
    case Qt::Key_Up:
        move(-1);
        return true;
    case Qt::Key_PageDown:
        move(8);
        return true;
    case Qt::Key_PageUp:
        move(-8);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(!modifiers.testFlag(Qt::ControlModifier));
        return true;
    case Qt::Key_Tab:
        nextGroup(1);
        return true;
    case Qt::Key_Backtab:
        nextGroup(-1);
        return true;
    default:
        return false;
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_ && event->type() == QEvent::Resize && isVisible()) place();
    // A dock that comes to the front, or is added, comes before all other children; the palette stays on top.
    if (watched == window_ && event->type() == QEvent::LayoutRequest && isVisible()) raise();
    if (watched != field_) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && isVisible()) {
        // Another window may be in front; the palette goes when another part of this one is used.
        const QWidget* now = QApplication::focusWidget();
        if (now != nullptr && window_->isAncestorOf(now) && !isAncestorOf(now)) hide();
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape) event->accept();
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (fieldKey(key->key(), key->modifiers())) return true;
    }
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::mousePressEvent(QMouseEvent*) {
    closePalette();
}

void CommandPalette::paintEvent(QPaintEvent*) {
    QPainter p(this);
    p.fillRect(rect(), Theme::withAlpha(Qt::black, 0.34));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_view.h"

#include "widgets/kit/controls/section.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/views/inspector/inspector_content.h"
#include "widgets/views/inspector/inspector_rows.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace memplan::ui {

namespace {
/// Widths in px at 100 % below which labels stand closer, and above their values.
constexpr int kNarrow = 240, kStacked = 190;
}  // namespace

InspectorView::InspectorView(SelectionHub* hub, QWidget* parent) : QScrollArea(parent), hub_(hub) {
    setObjectName(QStringLiteral("inspector"));
    setAccessibleName(tr("Inspector"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);  // a number is never cut
    connect(hub_, &SelectionHub::selectionChanged, this, [this] {
        allDecisions_ = false;
        fixes_.clear();
        fixesHow_.clear();
        evidence_.clear();
        refresh();
    });
    connect(hub_, &SelectionHub::timeCursorChanged, this, &InspectorView::refresh);
    connect(hub_, &SelectionHub::rangeChanged, this, &InspectorView::refresh);
    connect(hub_, &SelectionHub::notesChanged, this, &InspectorView::refresh);
    refresh();
}

void InspectorView::setUnits(const Units& units) {
    units_ = units;
    refresh();
}

void InspectorView::setMeasured(std::optional<MeasuredComparison> measured) {
    measured_ = std::move(measured);
    refresh();
}

void InspectorView::setSide(std::shared_ptr<const SideInformation> side) {
    if (side == side_) return;
    side_ = std::move(side);
    refresh();
}

QString InspectorView::noteNow() const {
    const auto primary = hub_->primary();
    return primary && noteText_ ? noteText_(*primary) : QString();
}

void InspectorView::showNote() {
    if (noteNow() != note_) refresh();
}

void InspectorView::setFixes(std::vector<FixOffer> fixes, const QString& how) {
    if (fixes == fixes_ && how == fixesHow_) return;
    fixes_ = std::move(fixes);
    fixesHow_ = how;
    refresh();
}

void InspectorView::setEvidence(std::vector<InspectorRow> rows) {
    evidence_ = std::move(rows);
    refresh();
}

void InspectorView::setOpenSections(const QHash<QString, bool>& open) {
    open_ = open;
    refresh();
}

void InspectorView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (formNow() == form_) return;
    QMetaObject::invokeMethod(this, &InspectorView::refresh, Qt::QueuedConnection);
}

void InspectorView::changeEvent(QEvent* event) {
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        QMetaObject::invokeMethod(this, &InspectorView::refresh, Qt::QueuedConnection);
}

RowForm InspectorView::formNow() const {
    const int width = viewport()->width();
    const Theme& theme = themeOf(this);
    return width < theme.px(kStacked) ? RowForm::Stacked : width < theme.px(kNarrow) ? RowForm::Narrow : RowForm::Wide;
}

void InspectorView::refresh() {
    form_ = formNow();
    note_ = noteNow();
    content_ = inspectorContent({hub_->plan(), hub_->state(), units_, allDecisions_, hub_->offersHints(), side_.get(),
                                 note_, hub_->notes().get()});
    // Another item is read from its head.
    const bool isSameItem = hub_->primary() == shownItem_;
    const int scroll = isSameItem ? verticalScrollBar()->value() : 0;
    shownItem_ = hub_->primary();
    body_ = new QWidget;
    body_->setAutoFillBackground(true);
    column_ = new QVBoxLayout(body_);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    buildHead();
    buildSections();
    column_->addStretch(1);
    QWidget* old = takeWidget();
    setWidget(body_);
    // The old body may be the sender of the signal that brought us here.
    if (old) old->deleteLater();
    verticalScrollBar()->setValue(scroll);
    setAccessibleDescription(content_.kind + u' ' + content_.title);
    emit scopeChanged(content_.kind);
}

void InspectorView::buildHead() {
    const Theme& theme = themeOf(this);
    auto* head = new QWidget(body_);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(theme.px(10), theme.px(10), theme.px(8), theme.px(8));
    column->setSpacing(theme.px(2));
    auto* line = new QHBoxLayout;
    line->setSpacing(theme.px(8));
    auto* title = new QLabel(content_.title, head);
    title->setTextFormat(Qt::PlainText);
    title->setFont(theme.font(TextStyle::ObjectTitle));
    title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    title->setWordWrap(true);
    line->addWidget(title);
    if (content_.badge) line->addWidget(new Badge(*content_.badge, head));
    line->addStretch(1);
    if (!content_.kind.isEmpty()) {
        auto* copy = new QToolButton(head);
        copy->setIcon(icon(QStringLiteral("copy")));
        copy->setIconSize(QSize(theme.px(16), theme.px(16)));
        copy->setAutoRaise(true);
        copy->setToolTip(tr("Copy name"));
        copy->setAccessibleName(tr("Copy name"));
        connect(copy, &QToolButton::clicked, this,
                [name = content_.title] { QApplication::clipboard()->setText(name); });
        line->addWidget(copy);
    }
    column->addLayout(line);
    QLabel* sentence = makeText(content_.sentence, Token::Text2, head);
    connect(sentence, &QLabel::linkActivated, this, &InspectorView::follow);
    column->addWidget(sentence);
    column_->addWidget(head);
}

Section* InspectorView::newSection(const QString& key, const QString& name, bool openByDefault) {
    auto* section = new Section(name, body_);
    section->setOpen(open_.value(key, openByDefault));
    connect(section->head(), &SectionHead::toggled, this, [this, key](bool open) {
        open_.insert(key, open);
        emit sectionsChanged();
    });
    column_->addWidget(section);
    return section;
}

QWidget* InspectorView::sectionBody(const InspectorSection& s) {
    const Theme& theme = themeOf(this);
    auto* body = new QWidget(body_);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme.px(form_ == RowForm::Wide ? 26 : 12), 0, theme.px(6), theme.px(8));
    column->setSpacing(theme.px(2));
    const auto paragraph = [&](const QString& html) {
        QLabel* text = makeText(html, Token::Text1, body);
        connect(text, &QLabel::linkActivated, this, &InspectorView::follow);
        column->addWidget(text);
    };
    // A reason is read before its numbers; elsewhere the numbers come first.
    if (s.key == u"why")
        for (const QString& html : s.paragraphs)
            paragraph(html);
    for (const InspectorRow& r : s.rows) {
        auto* line = new InspectorRowWidget(r, hub_->offersHints(), form_, body);
        connect(line, &InspectorRowWidget::linkActivated, this, &InspectorView::follow);
        connect(line, &InspectorRowWidget::hintRequested, this, [this, key = r.hintKey] {
            if (const auto primary = hub_->primary()) hub_->requestHint(*primary, key);
        });
        column->addWidget(line);
    }
    if (!s.markdown.isEmpty()) {
        QLabel* words = makeText(s.markdown, Token::Text1, body);
        words->setTextFormat(Qt::MarkdownText);
        words->setOpenExternalLinks(false);
        words->setObjectName(QStringLiteral("inspectorNote"));
        column->addWidget(words);
    }
    if (s.key != u"why")
        for (const QString& html : s.paragraphs)
            paragraph(html);
    if (s.fixedText.isEmpty()) return body;
    auto* fixed = new QLabel(s.fixedText, body);
    fixed->setTextFormat(Qt::PlainText);
    fixed->setFont(theme.font(TextStyle::Fixed));
    fixed->setWordWrap(true);
    fixed->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    fixed->setAccessibleName(s.name);
    column->addWidget(fixed);
    return body;
}

void InspectorView::addSection(const InspectorSection& s) {
    Section* section = newSection(s.key, s.name, s.openByDefault);
    section->head()->setCount(s.count);
    section->setContent(sectionBody(s));
}

void InspectorView::buildSections() {
    for (const InspectorSection& s : content_.sections) {
        if (s.key != u"why") {
            addSection(s);
            continue;
        }
        InspectorSection why = s;
        if (!evidence_.empty()) why.rows = evidence_;
        addSection(why);
        if (!fixes_.empty() || !fixesHow_.isEmpty()) addFixes();
    }
    if (measured_ && hub_->plan()) addMeasured();
}

void InspectorView::addFixes() {
    const Theme& theme = themeOf(this);
    Section* section = newSection(QStringLiteral("cures"), tr("Fixes"), true);
    auto* body = new QWidget(section);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme.px(10), theme.px(2), theme.px(10), theme.px(8));
    column->setSpacing(theme.px(8));
    if (!fixesHow_.isEmpty()) column->addWidget(makeText(fixesHow_.toHtmlEscaped(), Token::Text2, body));
    for (int i = 0; i < static_cast<int>(fixes_.size()); ++i) {
        auto* card = new FixCard(fixes_[static_cast<std::size_t>(i)], i == 0, body);
        connect(card, &FixCard::applied, this, [this, i] { emit fixApplied(i); });
        connect(card, &FixCard::previewed, this, [this, i] { emit fixPreviewed(i); });
        column->addWidget(card);
    }
    section->setContent(body);
}

void InspectorView::addMeasured() {
    const Theme& theme = themeOf(this);
    Section* section = newSection(QStringLiteral("measured"), tr("Measured and ideal"), true);
    auto* body = new QWidget(section);
    auto* column = new QVBoxLayout(body);
    const int left = form_ == RowForm::Wide ? 26 : form_ == RowForm::Narrow ? 12 : 6;
    column->setContentsMargins(theme.px(left), 0, theme.px(form_ == RowForm::Stacked ? 4 : 10), theme.px(8));
    column->setSpacing(theme.px(6));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme.px(8));
    grid->setVerticalSpacing(theme.px(4));
    const auto put = [&](int r, int c, const QString& text, Token color, bool strong) {
        auto* label = new QLabel(text, body);
        QPalette palette = label->palette();
        palette.setColor(QPalette::WindowText, theme.color(color));
        label->setPalette(palette);
        label->setFont(theme.font(strong ? TextStyle::SmallStrong : TextStyle::Small));
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        // The stage wraps: figures are never cut in a narrow dock.
        label->setWordWrap(c == 0);
        // In a narrow dock the stage has a line of its own above its figures, in a very narrow one they are two lines.
        const bool isNarrow = form_ != RowForm::Wide, isStacked = form_ == RowForm::Stacked;
        if (c == 0) return isNarrow ? grid->addWidget(label, 3 * r, 0, 1, 4) : grid->addWidget(label, 3 * r, c);
        const int down = isStacked && c > 1 ? 2 : isNarrow ? 1 : 0;
        grid->addWidget(label, 3 * r + down, isStacked && c > 1 ? c - 1 : c, Qt::AlignRight | Qt::AlignTop);
    };
    int r = 0;
    const QStringList heads{tr("Stage"), tr("Bytes"), tr("Ideal"), tr("Median")};
    for (int c = 0; c < 4 && !measured_->rows.empty(); ++c)
        put(0, c, heads[c], Token::Text3, false);
    for (const MeasuredComparison::Row& m : measured_->rows) {
        put(++r, 0, m.stage, Token::Text1, m.current);
        put(r, 1, groupedText(m.bytes), Token::Text1, m.current);
        put(r, 2, QStringLiteral("%1\u00D7").arg(QString::number(m.idealRatio, 'f', 2)), Token::Text1, m.current);
        put(r, 3, QStringLiteral("%1\u202F\u00B5s").arg(QString::number(m.medianMicroseconds, 'f', 2)), Token::Text1,
            m.current);
    }
    grid->setColumnStretch(0, 1);
    column->addLayout(grid);
    for (const QString& note : measured_->notes)
        column->addWidget(makeText(note.toHtmlEscaped(), Token::Text2, body));
    section->setContent(body);
}

void InspectorView::follow(const QString& link) {
    if (link == u"all-decisions") {
        allDecisions_ = true;
        return refresh();
    }
    if (link == u"note") {
        if (const auto primary = hub_->primary()) hub_->requestNote(*primary);
        return;
    }
    if (link == u"add-hint" || link.startsWith(u"edit:")) {
        if (const auto primary = hub_->primary()) hub_->requestHint(*primary, link == u"add-hint" ? QString() : link);
        return;
    }
    if (const auto item = itemOfLink(link)) hub_->select(*item);
}

}  // namespace memplan::ui

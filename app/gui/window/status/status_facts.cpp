// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/status/status_facts.h"

#include "app/gui/targets/targets.h"
#include "engine/plan/memory_use.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/views/gantt/gantt_metrics.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStatusBar>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>

namespace memplan::app {
namespace {

constexpr int kShownAfterMs = 200, kTickMs = 100;

QString stateWord(PlanState state) {
    switch (state) {
    case PlanState::Fresh:
        return QObject::tr("fresh");
    case PlanState::Stale:
        return QObject::tr("stale");
    case PlanState::Compiling:
        return QObject::tr("compiling");
    case PlanState::Failed:
        return QObject::tr("failed");
    case PlanState::None:
        break;
    }
    return QObject::tr("ready");
}

QString problemsText(const Plan& plan) {
    int counts[3] = {0, 0, 0};
    for (const Diagnostic& d : plan.problems)
        ++counts[static_cast<int>(d.severity)];
    QStringList parts;
    if (counts[0] > 0) parts << ui::plural(counts[0], QObject::tr("error"), QObject::tr("errors"));
    if (counts[1] > 0) parts << ui::plural(counts[1], QObject::tr("warning"), QObject::tr("warnings"));
    if (counts[2] > 0) parts << ui::plural(counts[2], QObject::tr("note"), QObject::tr("notes"));
    return parts.isEmpty() ? QObject::tr("no problems") : parts.join(QStringLiteral(", "));
}

}  // namespace

StatusFacts::StatusFacts(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("statusFacts"));
    auto* row = new QHBoxLayout(this);
    ui::setScaledMargins(row, {26, 0, 4, 0}, 20);
    const auto fact = [&](const char* name) {
        auto* label = new QLabel(this);
        label->setObjectName(QString::fromLatin1(name));
        label->setTextFormat(Qt::PlainText);
        row->addWidget(label);
        return label;
    };
    stateText_ = fact("statusState");
    residency_ = fact("statusResidency");
    peak_ = fact("statusPeak");
    traffic_ = fact("statusTraffic");
    proof_ = new QToolButton(this);
    proof_->setObjectName(QStringLiteral("proofBadge"));
    proof_->setAutoRaise(true);
    proof_->setFocusPolicy(Qt::TabFocus);
    proof_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    proof_->hide();
    row->addWidget(proof_);
    connect(proof_, &QToolButton::clicked, this, [this] {
        if (proofHasFindings_) return emit findingsRequested();
        QToolTip::showText(proof_->mapToGlobal(QPoint(0, 0)), proof_->toolTip(), proof_);
    });
    task_ = fact("statusTask");
    bar_ = new QProgressBar(this);
    ui::setScaledSize(bar_, 140, -1);
    bar_->setTextVisible(false);
    cancel_ = new QPushButton(tr("Cancel"), this);
    cancel_->setFlat(true);
    row->addWidget(bar_);
    row->addWidget(cancel_);
    row->addStretch(1);
    problems_ = fact("statusProblems");
    zoom_ = fact("statusZoom");
    zoom_->setToolTip(tr("Zoom of the focused view; 100 % fits everything, in the graph 100 % is full size"));
    row->addLayout(buildUnits());
    for (QWidget* w : {static_cast<QWidget*>(task_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(cancel_)})
        w->hide();
    cancel_->setObjectName(QStringLiteral("statusCancel"));
    connect(cancel_, &QPushButton::clicked, this, [this] {
        const Running* shown = shownTask();
        if (shown == nullptr) return;
        shown->cancel ? shown->cancel() : shown->task->cancel();
    });
    tick_.setInterval(kTickMs);
    connect(&tick_, &QTimer::timeout, this, &StatusFacts::showProgress);
}

QHBoxLayout* StatusFacts::buildUnits() {
    unit_ = new QComboBox(this);
    unit_->setObjectName(QStringLiteral("unitSwitch"));
    unit_->setAccessibleName(tr("Unit of sizes"));
    unit_->addItems({tr("bytes"), tr("KiB"), tr("MiB"), tr("sticks")});
    base_ = new QComboBox(this);
    base_->setObjectName(QStringLiteral("baseSwitch"));
    base_->setAccessibleName(tr("Base of addresses"));
    base_->addItems({tr("dec"), tr("hex")});
    auto* units = new QHBoxLayout;
    units->setSpacing(0);
    for (QComboBox* box : {unit_, base_}) {
        ui::setFlat(box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        units->addWidget(box);
    }
    const auto unitsPicked = [this] {
        emit unitsRequested({static_cast<ui::ByteUnit>(unit_->currentIndex()), base_->currentIndex() == 1});
    };
    connect(unit_, &QComboBox::activated, this, unitsPicked);
    connect(base_, &QComboBox::activated, this, unitsPicked);
    return units;
}

void StatusFacts::setFact(QLabel* label, const QString& text) {
    label->setText(text);
    fit();
}

void StatusFacts::setProof(const ProofBadge& badge) {
    proofWidth_ = proofIconWidth_ = 0;
    if (badge.text.isEmpty()) proof_->hide();
    if (badge.text.isEmpty()) return fit();
    proofHasFindings_ = badge.hasFindings;
    proof_->setText(badge.text);
    proof_->setIcon(ui::icon(badge.icon, badge.color));
    proof_->setToolTip(badge.details);
    proof_->setAccessibleName(tr("Proof of the plan: %1").arg(badge.text));
    proof_->setAccessibleDescription(badge.details);
    measureProof();
    proof_->show();
    fit();
}

/// Both widths are kept, so that what is shown does not change what is counted.
void StatusFacts::measureProof() {
    const QSignalBlocker quiet(proof_);
    const Qt::ToolButtonStyle before = proof_->toolButtonStyle();
    proof_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    proofIconWidth_ = proof_->sizeHint().width();
    proof_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    proofWidth_ = proof_->sizeHint().width();
    proof_->setToolButtonStyle(before);
}

/// Where the bar is too short the least needed facts go whole, none is cut; the tooltip has them all.
void StatusFacts::fit() {
    const QList<QLabel*> leaving{zoom_, traffic_, residency_, problems_, peak_};
    QStringList all;
    for (QLabel* label : {residency_, peak_, traffic_, problems_}) {
        if (label != nullptr && !label->text().isEmpty()) all << label->text();
    }
    setToolTip(all.join(u'\n'));
    if (layout() == nullptr || base_ == nullptr) return;
    // Counted, not tried: showing a label that does not fit would ask for the next layout.
    const QMargins margins = layout()->contentsMargins();
    int wanted = margins.left() + margins.right() - layout()->spacing();
    for (int i = 0; i < layout()->count(); ++i) {
        const QLayoutItem* item = layout()->itemAt(i);
        if (item->widget() == proof_) continue;
        const auto* label = qobject_cast<QLabel*>(item->widget());
        const bool counts = label != nullptr && label != task_ ? !label->text().isEmpty() : !item->isEmpty();
        if (!counts) continue;
        // A hidden item has no size of its own, and the bar of a task is wider than its hint.
        const QWidget* w = item->widget();
        wanted += w != nullptr ? std::max(w->sizeHint().width(), w->minimumWidth()) : item->sizeHint().width();
        wanted += layout()->spacing();
    }
    if (proofWidth_ > 0) wanted += proofWidth_ + layout()->spacing();
    for (QLabel* label : leaving) {
        const bool has = !label->text().isEmpty(), fits = wanted <= width();
        if (has && !fits) wanted -= label->sizeHint().width() + layout()->spacing();
        if (label->isHidden() == (has && fits)) label->setVisible(has && fits);
    }
    fitProof(wanted);
    update();
}

/// The last to leave: of the badge the icon remains, with its words in the tooltip, then nothing.
void StatusFacts::fitProof(int wanted) {
    if (proofWidth_ == 0) return;
    const auto style = wanted <= width() ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly;
    const bool fits = wanted - (proofWidth_ - proofIconWidth_) <= width();
    if (proof_->toolButtonStyle() != style) proof_->setToolButtonStyle(style);
    if (proof_->isHidden() == fits) proof_->setVisible(fits);
}

void StatusFacts::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

bool StatusFacts::event(QEvent* event) {
    const bool taken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) fit();  // a word got longer, a task came or went
    return taken;
}

QSize StatusFacts::minimumSizeHint() const {
    // The bar keeps its height on pages without units.
    return {ui::themeOf(this).px(160), qMax(QWidget::minimumSizeHint().height(), unit_->sizeHint().height())};
}

QSize StatusFacts::sizeHint() const {
    return QWidget::sizeHint().expandedTo({0, unit_->sizeHint().height()});
}

void StatusFacts::showDocument(const Document* document) {
    isNotLoaded_ = false;
    state_ = document == nullptr ? PlanState::None : document->state();
    if (document == nullptr) setInstead(nullptr, false);
    const bool isSettled = state_ == PlanState::Fresh || state_ == PlanState::Stale;
    stateText_->setText(isTrial_ ? tr("what-if") : isSettled && isCompared_ ? tr("comparing") : stateWord(state_));
    for (QComboBox* box : {unit_, base_})
        box->setVisible(document != nullptr);  // without sizes there is nothing to switch
    const PlanEntry* entry = document == nullptr ? nullptr : document->current();
    if (entry == nullptr) {
        for (QLabel* l : {residency_, peak_, traffic_, problems_, zoom_})
            setFact(l, {});
        if (document == nullptr) setFact(problems_, tr("no network used"));
        update();
        return;
    }
    const Plan& plan = instead_ ? *instead_ : *entry->plan;
    const bool isList = document->kind() == DocumentKind::BufferList;
    const TargetUi& target = targetUi(plan.target);
    if (target.statusWords != nullptr) {
        const QStringList words = target.statusWords(plan);
        setFact(residency_, words.value(0));
        setFact(peak_, words.value(1));
        peak_->setToolTip({});
        setFact(traffic_, words.value(2));
        setFact(problems_, problemText_ ? problemText_() : problemsText(plan));
        return update();
    }
    setFact(residency_,
            (isList ? tr("%1 of %2 buffers placed, %3 of bytes") : tr("%1 of %2 buffers on chip, %3 of bytes"))
                .arg(ui::groupedText(plan.metrics.buffersOnChip), ui::groupedText(plan.metrics.buffersTotal),
                     ui::percentText(ui::residentBytes(plan).share())));
    const Step step = peakStep(plan);
    setFact(peak_, plan.metrics.buffersOnChip == 0
                       ? tr("nothing on chip")
                       : tr("peak %1 of %2 at step %3")
                             .arg(ui::groupedText(plan.memory.peak), ui::exactBytes(plan.memory.capacity))
                             .arg(ui::groupedText(step)));
    // The Gantt's strip has the other peak, that of live bytes: the difference is gaps between buffers.
    peak_->setToolTip(plan.metrics.buffersOnChip == 0
                          ? QString()
                          : tr("The highest address in use is %1, at step %2.\nThe live bytes are at most %3, at "
                               "step %4; the rest of the way up is gaps.")
                                .arg(ui::exactBytes(plan.memory.peak), ui::groupedText(step),
                                     ui::exactBytes(plan.memory.livePeak), ui::groupedText(plan.memory.livePeakStep)));
    setFact(traffic_, isList ? QString() : tr("off-chip traffic %1").arg(ui::exactBytes(plan.metrics.traffic())));
    setFact(problems_, problemText_ ? problemText_() : problemsText(plan));
    update();
}

void StatusFacts::showNotLoaded(int errors) {
    showDocument(nullptr);
    isNotLoaded_ = true;
    stateText_->setText(tr("not loaded"));
    setFact(residency_, ui::plural(errors, tr("error"), tr("errors")));
    setFact(problems_, {});
    update();
}

void StatusFacts::showOpening() {
    showDocument(nullptr);
    stateText_->setText(tr("opening"));
    state_ = PlanState::Compiling;  // its dot
    setFact(problems_, {});
    update();
}

void StatusFacts::setComparing(bool on) {
    isCompared_ = on;
}

void StatusFacts::showTask(LongTask& task, std::function<void()> cancel) {
    const auto same = [&task](const Running& r) { return r.task == &task; };
    if (std::any_of(tasks_.begin(), tasks_.end(), same)) return;
    // The place of a task that has gone with its dialog is taken again.
    const auto gone = std::find_if(tasks_.begin(), tasks_.end(), [](const Running& r) { return r.task.isNull(); });
    const auto at = static_cast<std::size_t>(gone - tasks_.begin());
    if (gone == tasks_.end()) tasks_.emplace_back();
    tasks_[at] = {&task, std::move(cancel), {}, 0, 0};
    connect(&task, &LongTask::started, this, [this, at](const QString& what) {
        tasks_[at].step = what;
        tasks_[at].total = 0;
        if (!tick_.isActive()) tick_.start();
    });
    connect(&task, &LongTask::progress, this, [this, at](const QString& step, double done, double total) {
        tasks_[at].step = step;
        tasks_[at].done = done;
        tasks_[at].total = total;
        if (task_->isVisible()) showProgress();
    });
    connect(&task, &LongTask::finished, this, &StatusFacts::showProgress);
    connect(&task, &LongTask::cancelled, this, &StatusFacts::showProgress);
    connect(&task, &LongTask::failed, this, &StatusFacts::showProgress);
}

const StatusFacts::Running* StatusFacts::shownTask() const {
    for (const Running& running : tasks_) {
        const LongTask* task = running.task;
        if (task != nullptr && task->isRunning() && task->elapsedSeconds() * 1000 >= kShownAfterMs) return &running;
    }
    return nullptr;
}

void StatusFacts::showProgress() {
    const bool any = std::any_of(tasks_.begin(), tasks_.end(),
                                 [](const Running& r) { return r.task != nullptr && r.task->isRunning(); });
    if (!any) tick_.stop();
    const Running* shown = shownTask();
    // A passing message would hide the bar with its Cancel.
    auto* window = qobject_cast<QStatusBar*>(parentWidget());
    if (shown != nullptr && task_->isHidden() && window != nullptr) window->clearMessage();
    for (QWidget* w : {static_cast<QWidget*>(task_), static_cast<QWidget*>(bar_), static_cast<QWidget*>(cancel_)})
        w->setVisible(shown != nullptr);
    if (shown != nullptr) {
        QStringList words{shown->step};
        if (shown->total > 0) words << ui::percentText(std::clamp(shown->done / shown->total, 0.0, 1.0));
        words << tr("%1 s").arg(shown->task->elapsedSeconds(), 0, 'f', 1);
        task_->setText(words.join(QStringLiteral(", ")));
        bar_->setRange(0, shown->total > 0 ? 1000 : 0);
        if (shown->total > 0) bar_->setValue(static_cast<int>(1000 * shown->done / shown->total));
    }
    fit();
}

void StatusFacts::showUnits(const ui::Units& units) {
    const QSignalBlocker a(unit_);
    const QSignalBlocker b(base_);
    unit_->setCurrentIndex(std::min(static_cast<int>(units.unit), unit_->count() - 1));
    base_->setCurrentIndex(units.hexAddresses ? 1 : 0);
}

void StatusFacts::showZoom(const QString& text) {
    setFact(zoom_, text);
}

void StatusFacts::paintEvent(QPaintEvent*) {
    const ui::Theme& theme = ui::themeOf(this);
    QPainter p(this);
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(Qt::NoPen);
    p.setBrush(theme.color(isNotLoaded_ ? ui::Token::Error : isTrial_ ? ui::Token::WhatIf : stateToken(state_)));
    p.drawEllipse(QPointF(theme.px(14), height() / 2.0), theme.px(8) / 2.0, theme.px(8) / 2.0);
    p.setRenderHint(QPainter::Antialiasing, false);
    p.setPen(theme.color(ui::Token::Line1));
    for (const QWidget* l : std::initializer_list<const QWidget*>{residency_, peak_, traffic_, proof_, zoom_}) {
        if (!l->isVisible()) continue;
        const int x = l->x() - theme.px(10), half = theme.px(7);
        p.drawLine(x, height() / 2 - half, x, height() / 2 + half);
    }
}

}  // namespace memplan::app

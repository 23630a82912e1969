// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/docks/perspectives.h"

#include "app/gui/window/docks/dock_sizes.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/passes/timeline/pass_timeline.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

#include <algorithm>
#include <array>

namespace memplan::app {
namespace {

using Arrangement = Workspace::Arrangement;

enum Shipped { Explore, Tune, Passes, Review };

struct ShippedInfo {
    Arrangements bit;
    Arrangement centre;
    DockSizes::Kind sizes;
    DockId raised;  ///< of the tabs at the bottom
};

constexpr std::array<ShippedInfo, Perspectives::kShipped> kShippedOnes{{
    {InExplore, Arrangement::Both, DockSizes::Kind::Usual, DockId::Buffers},
    {InTune, Arrangement::MemoryOnly, DockSizes::Kind::Tools, DockId::Hints},
    {InPasses, Arrangement::Hidden, DockSizes::Kind::Bottom, DockId::Passes},
    {InReview, Arrangement::CoresAndMemory, DockSizes::Kind::Tables, DockId::Matrix},
}};

/// As it was stored; what no version of ours wrote becomes the shipped one.
Workspace::Centre readCentre(const QSettings& settings, const QString& group) {
    using Split = Workspace::Split;
    const int centre = settings.value(group + QStringLiteral("centre")).toInt();
    const auto arrangement = static_cast<Arrangement>(std::clamp(centre, 0, 3));
    const int shipped = static_cast<int>(arrangement == Arrangement::CoresAndMemory ? Split::Tabs : Split::SideBySide);
    const int split = settings.value(group + QStringLiteral("split"), shipped).toInt();
    return {arrangement, static_cast<Split>(std::clamp(split, 0, 2))};
}

void writeCentre(QSettings& settings, const QString& group, const Workspace::Centre& centre) {
    settings.setValue(group + QStringLiteral("centre"), static_cast<int>(centre.arrangement));
    settings.setValue(group + QStringLiteral("split"), static_cast<int>(centre.split));
}

}  // namespace

Perspectives::Perspectives(QMainWindow* window, Docks& docks, Workspace& workspace)
    : QObject(window), window_(window), docks_(docks), workspace_(workspace), sizes_(new DockSizes(window, docks)) {
    workspace_.parentWidget()->installEventFilter(this);
    load();
}

QStringList Perspectives::names() const {
    QStringList list{tr("Explore"), tr("Tune"), tr("Passes"), tr("Review")};
    for (const Saved& s : saved_)
        list << s.name;
    return list;
}

void Perspectives::load() {
    QSettings settings;
    const int count = settings.beginReadArray(QStringLiteral("perspectives"));
    for (int i = 0; i < std::min(count, kMost - kShipped); ++i) {
        settings.setArrayIndex(i);
        saved_.push_back({settings.value(QStringLiteral("name")).toString(),
                          QByteArray::fromBase64(settings.value(QStringLiteral("state")).toByteArray()),
                          readCentre(settings, {}), settings.value(QStringLiteral("view")).toString()});
    }
    settings.endArray();
}

void Perspectives::store() const {
    QSettings settings;
    settings.remove(QStringLiteral("perspectives"));
    settings.beginWriteArray(QStringLiteral("perspectives"), static_cast<int>(saved_.size()));
    for (std::size_t i = 0; i < saved_.size(); ++i) {
        settings.setArrayIndex(static_cast<int>(i));
        settings.setValue(QStringLiteral("name"), saved_[i].name);
        settings.setValue(QStringLiteral("state"), QString::fromLatin1(saved_[i].state.toBase64()));
        writeCentre(settings, {}, saved_[i].centre);
        settings.setValue(QStringLiteral("view"), saved_[i].view);
    }
    settings.endArray();
}

void Perspectives::show(int index) {
    if (index < 0 || index >= names().size()) return;
    maximisedFrom_.clear();
    docks_.forgetAway();
    current_ = index;
    const QPointer<QWidget> focused = QApplication::focusWidget();
    arrange(index);
    passFocus(focused);
    emit currentChanged(index);
}

/// The keyboard stays where it was; from what is not shown any more it goes to the view in front, and not to whatever
/// comes next in the order of the Tab key.
void Perspectives::passFocus(const QPointer<QWidget>& before) {
    QWidget* now = QApplication::focusWidget();
    if (before != nullptr && before->isVisible()) {
        if (now != before) before->setFocus();
        return;
    }
    const bool isOurs = (before != nullptr && window_->isAncestorOf(before)) || window_->isAncestorOf(now);
    QWidget* front = workspace_.passes()->timeline();
    if (workspace_.isVisible()) front = workspace_.focusedView();
    if (isOurs && front->isVisible()) front->setFocus();
}

void Perspectives::reset() {
    show(current_);
}

void Perspectives::arrange(int index) {
    if (index >= kShipped) {
        const Saved& s = saved_[static_cast<std::size_t>(index - kShipped)];
        setCentreShown(s.centre.arrangement != Arrangement::Hidden);
        workspace_.arrange(s.centre);
        workspace_.showView(s.view);
        window_->restoreState(s.state);
        expectSizes(index);
        return;
    }
    arrangeShipped(index);
}

void Perspectives::arrangeShipped(int index) {
    const ShippedInfo& wanted = kShippedOnes[static_cast<std::size_t>(index)];
    setCentreShown(wanted.centre != Arrangement::Hidden);
    workspace_.arrange(wanted.centre);
    workspace_.setMetricsShown(index == Review);
    window_->restoreState(shipped_);
    for (const DockInfo& dock : allDocks())
        docks_.dock(dock.id)->setVisible((dock.shownIn & wanted.bit) != 0);
    docks_.raise(wanted.raised);
    sizes_->apply(wanted.sizes, wanted.raised);
    workspace_.resetSizes();
}

void Perspectives::expectSizes(int index) {
    if (index >= kShipped) return sizes_->expect(std::nullopt, DockId::Problems);
    const ShippedInfo& shipped = kShippedOnes[static_cast<std::size_t>(index)];
    sizes_->expect(shipped.sizes, shipped.raised);
}

void Perspectives::storeLast(int layoutVersion) {
    leaveMaximised();
    QSettings settings;
    settings.setValue(QStringLiteral("window/docks"), docks_.saveState(layoutVersion));
    settings.setValue(QStringLiteral("window/perspective"), current_);
    writeCentre(settings, QStringLiteral("window/"), workspace_.centre());
    settings.setValue(QStringLiteral("window/metrics"), workspace_.showsMetrics());
    settings.setValue(QStringLiteral("window/view"), workspace_.shownTab());
}

bool Perspectives::showLast(int layoutVersion) {
    const QSettings settings;
    const QByteArray docks = settings.value(QStringLiteral("window/docks")).toByteArray();
    if (docks.isEmpty() || !window_->restoreState(docks, layoutVersion)) return false;
    const int last = settings.value(QStringLiteral("window/perspective")).toInt();
    maximisedFrom_.clear();
    docks_.forgetAway();
    current_ = last >= 0 && last < names().size() ? last : 0;
    const Workspace::Centre centre = readCentre(settings, QStringLiteral("window/"));
    setCentreShown(centre.arrangement != Arrangement::Hidden);
    workspace_.arrange(centre);
    workspace_.setMetricsShown(settings.value(QStringLiteral("window/metrics"), current_ == kReview).toBool());
    workspace_.showView(settings.value(QStringLiteral("window/view")).toString());
    (void)window_->restoreState(docks, layoutVersion);  // sizes, now that the centre has its own
    expectSizes(current_);
    emit currentChanged(current_);
    return true;
}

void Perspectives::setCentreShown(bool shown) {
    workspace_.setVisible(shown);
    fitCentre();
}

/// A hidden centre leaves all its room to the docks, but for the strips and bars above the views. Other pages than that
/// of the document have no docks.
void Perspectives::fitCentre() {
    QWidget* centre = window_->centralWidget();
    if (centre == nullptr) return;
    if (!workspace_.isHidden() || workspace_.parentWidget()->isHidden())
        return centre->setMaximumHeight(QWIDGETSIZE_MAX);
    int bars = 0;
    const QLayout* column = workspace_.parentWidget()->layout();
    for (int i = 0; i < column->count(); ++i) {
        const QWidget* bar = column->itemAt(i)->widget();
        if (!bar->isHidden() && !bar->isWindow()) bars += std::max(bar->sizeHint().height(), bar->minimumHeight());
    }
    centre->setMaximumHeight(bars);
}

bool Perspectives::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    const bool comesOrGoes = type == QEvent::ShowToParent || type == QEvent::HideToParent;
    if (comesOrGoes || type == QEvent::LayoutRequest) fitCentre();
    return QObject::eventFilter(watched, event);
}

bool Perspectives::save(const QString& name) {
    const QString trimmed = name.trimmed();
    if (trimmed.isEmpty()) return false;
    const auto same = std::find_if(saved_.begin(), saved_.end(), [&](const Saved& s) { return s.name == trimmed; });
    if (same == saved_.end() && isFull()) return false;
    const ui::GraphicView* focused = workspace_.focusedView();
    const Saved entry{trimmed, docks_.saveState(), workspace_.centre(),
                      focused == nullptr ? QString() : focused->viewKey()};
    if (same == saved_.end())
        saved_.push_back(entry);
    else
        *same = entry;
    const auto at = std::find_if(saved_.begin(), saved_.end(), [&](const Saved& s) { return s.name == trimmed; });
    current_ = kShipped + static_cast<int>(at - saved_.begin());
    store();
    emit namesChanged();
    emit currentChanged(current_);
    return true;
}

void Perspectives::rename(int index, const QString& name) {
    if (index < kShipped || index >= names().size() || name.trimmed().isEmpty()) return;
    saved_[static_cast<std::size_t>(index - kShipped)].name = name.trimmed();
    store();
    emit namesChanged();
}

void Perspectives::remove(int index) {
    if (index < kShipped || index >= names().size()) return;
    saved_.erase(saved_.begin() + (index - kShipped));
    if (current_ >= index) current_ = current_ == index ? 0 : current_ - 1;
    store();
    emit namesChanged();
    emit currentChanged(current_);
}

void Perspectives::toggleMaximised() {
    if (isMaximised()) return leaveMaximised();
    maximisedFrom_ = window_->saveState();
    centreBefore_ = workspace_.centre();
    for (QDockWidget* dock : docks_.all())
        if (!dock->isFloating()) dock->hide();
    setCentreShown(true);
    workspace_.maximise(workspace_.focusedView());
}

void Perspectives::leaveMaximised() {
    if (!isMaximised()) return;
    const QByteArray state = maximisedFrom_;
    maximisedFrom_.clear();
    setCentreShown(centreBefore_.arrangement != Arrangement::Hidden);
    workspace_.arrange(centreBefore_);
    window_->restoreState(state);
}

// ---- the words in the toolbar --------------------------------------------------------------------------------

PerspectiveBar::PerspectiveBar(Perspectives* perspectives, QWidget* parent)
    : QWidget(parent), perspectives_(perspectives) {
    setObjectName(QStringLiteral("perspectiveBar"));
    setAccessibleName(tr("Perspectives"));
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(6, 0, 10, 0);
    row_->setSpacing(4);
    connect(perspectives_, &Perspectives::namesChanged, this, &PerspectiveBar::rebuild);
    connect(perspectives_, &Perspectives::currentChanged, this, &PerspectiveBar::showCurrent);
    rebuild();
}

void PerspectiveBar::rebuild() {
    for (QToolButton* button : buttons_)
        button->deleteLater();
    buttons_.clear();
    const QStringList names = perspectives_->names();
    for (int i = 0; i < names.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setText(names[i]);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        ui::withScale(button, [button](const ui::Theme& theme) { button->setMinimumHeight(theme.px(28)); });
        button->setToolTip(tr("Perspective %1 (Ctrl+%2)").arg(names[i]).arg(i + 1));
        button->setAccessibleName(tr("Perspective %1").arg(names[i]));
        connect(button, &QToolButton::clicked, this, [this, i] {
            perspectives_->show(i);
            showCurrent();
        });
        if (i >= Perspectives::kShipped) {
            button->setContextMenuPolicy(Qt::CustomContextMenu);
            connect(button, &QWidget::customContextMenuRequested, this,
                    [this, i, button](QPoint at) { showMenu(i, button->mapToGlobal(at)); });
        }
        row_->addWidget(button);
        buttons_.push_back(button);
    }
    showCurrent();
}

void PerspectiveBar::showCurrent() {
    for (std::size_t i = 0; i < buttons_.size(); ++i)
        buttons_[i]->setChecked(static_cast<int>(i) == perspectives_->current());
}

void PerspectiveBar::showMenu(int index, QPoint at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Rename..."), this, [this, index] {
        const QString name = QInputDialog::getText(this, tr("Rename perspective"), tr("Name"), QLineEdit::Normal,
                                                   perspectives_->names().value(index));
        perspectives_->rename(index, name);
    });
    menu->addAction(tr("Delete"), this, [this, index] { perspectives_->remove(index); });
    menu->popup(at);
}

}  // namespace memplan::app

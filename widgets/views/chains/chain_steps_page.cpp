// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_steps_page.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_steps.h"
#include "widgets/views/chains/path_matrix.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

namespace memplan::ui {

ChainStepsPage::ChainStepsPage(ChainView* view, QWidget* parent)
    : SidePage(view, parent), own_(new QCheckBox(tr("Only the chosen chain"), this)), count_(sideSentence({}, this)),
      slider_(new QSlider(Qt::Horizontal, this)), before_(new QPushButton(tr("Back (K)"), this)),
      after_(new QPushButton(tr("On (J)"), this)), title_(sideHead({}, this)), lines_(sideSentence({}, this)),
      matrix_(new PathMatrix), none_(sideSentence({}, this)) {
    setObjectName(QStringLiteral("chainSteps"));
    setFocusPolicy(Qt::StrongFocus);
    own_->setChecked(true);
    slider_->setAccessibleName(tr("Event of the trace"));
    auto* row = new QHBoxLayout;
    row->addWidget(before_);
    row->addWidget(after_);
    row->addWidget(count_, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(matrix_);
    column()->addWidget(none_);
    column()->addWidget(own_);
    column()->addWidget(slider_);
    column()->addLayout(row);
    column()->addWidget(title_);
    column()->addWidget(lines_);
    column()->addWidget(scroll, 1);
    connect(own_, &QCheckBox::toggled, this, &ChainStepsPage::refresh);
    connect(slider_, &QSlider::valueChanged, this, [this] { show(true); });
    connect(before_, &QPushButton::clicked, this, [this] { setStep(step() - 1); });
    connect(after_, &QPushButton::clicked, this, [this] { setStep(step() + 1); });
}

int ChainStepsPage::step() const {
    return slider_->value();
}

void ChainStepsPage::setStep(int step) {
    slider_->setValue(step);
}

QString ChainStepsPage::shownTitle() const {
    return title_->text();
}

void ChainStepsPage::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    if (!isPlain || (event->key() != Qt::Key_J && event->key() != Qt::Key_K)) return SidePage::keyPressEvent(event);
    setStep(step() + (event->key() == Qt::Key_J ? 1 : -1));
    event->accept();
}

void ChainStepsPage::refresh() {
    const int lane = view()->lane();
    const bool hasLane = data() && lane >= 0;
    const int chain = hasLane && own_->isChecked() ? data()->lanes()[static_cast<std::size_t>(lane)].chain : -1;
    own_->setEnabled(hasLane);
    if (data() != filled_ || chain != filledChain_) {
        filled_ = data();
        filledChain_ = chain;
        steps_ = data() ? chainSteps(*data(), chain) : std::vector<int>();
        const QSignalBlocker blocker(slider_);
        slider_->setRange(0, std::max(0, count() - 1));
        slider_->setValue(0);
    }
    show(false);
}

/// The events of a reader of the slider select what they are about; those of a refresh leave the selection alone.
void ChainStepsPage::show(bool follows) {
    const bool isAny = data() && !steps_.empty();
    for (QWidget* part : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(before_), static_cast<QWidget*>(after_),
                          static_cast<QWidget*>(title_), static_cast<QWidget*>(lines_), static_cast<QWidget*>(count_)})
        part->setVisible(isAny);
    none_->setVisible(!isAny);
    matrix_->setEdge(nullptr, -1);
    if (!isAny) {
        none_->setText(!data()                       ? QString()
                       : !data()->record().hasChains ? tr("This policy leaves no trace of chains.")
                       : data()->record().record.trace.empty()
                           ? tr("A plan that was read from a file does not hold the trace: it is of the compile.")
                           : tr("Nothing happened to this chain."));
        return;
    }
    const auto at = static_cast<std::size_t>(std::clamp(step(), 0, count() - 1));
    const ttnn::TraceEvent& event = data()->record().record.trace[static_cast<std::size_t>(steps_[at])];
    before_->setEnabled(at > 0);
    after_->setEnabled(at + 1 < steps_.size());
    count_->setText(tr("Event %1 of %2").arg(groupedText(static_cast<qint64>(at) + 1), groupedText(count())));
    const ChainStepText text = chainStepText(*data(), event);
    title_->setText(text.title);
    lines_->setText(text.lines.join(u'\n'));
    const int edge = edgeOfStep(*data(), event);
    if (edge >= 0 && data()->hasPairs()) {
        matrix_->setEdge(data(), edge);
        matrix_->setRound(event.round);
    }
    if (follows && event.op.isValid() && (view()->lane() >= 0 || !own_->isChecked()))
        view()->hub()->select(ItemId::of(event.op));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/problems/problem_bar.h"

#include "widgets/kit/controls/bar_combo.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/units.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {
namespace {

QString severityWord(std::size_t severity, int count) {
    switch (static_cast<Severity>(severity)) {
    case Severity::Error:
        return plural(count, ProblemBar::tr("error"), ProblemBar::tr("errors"));
    case Severity::Warning:
        return plural(count, ProblemBar::tr("warning"), ProblemBar::tr("warnings"));
    case Severity::Note:
        break;
    }
    return plural(count, ProblemBar::tr("note"), ProblemBar::tr("notes"));
}

}  // namespace

QString severityText(const SeverityCounts& counts) {
    QStringList parts;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0) parts << severityWord(i, counts[i]);
    return parts.isEmpty() ? ProblemBar::tr("no problems") : parts.join(QStringLiteral(", "));
}

ProblemBar::ProblemBar(QWidget* parent)
    : QWidget(parent), grouped_(new Chip(tr("group by code"), this)), passes_(new BarCombo(tr("Pass"), this)),
      filter_(new QLineEdit(this)) {
    auto* bar = new WrapBar(this);
    auto* line = new BarLayout(bar);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(bar);
    for (std::size_t i = 0; i < severities_.size(); ++i) {
        severities_[i] = new Chip(severityWord(i, 0), this);
        severities_[i]->setChecked(true);
        connect(severities_[i], &Chip::toggled, this, &ProblemBar::filterChanged);
        line->addWidget(severities_[i]);
    }
    connect(grouped_, &Chip::toggled, this, &ProblemBar::groupedChanged);
    line->addWidget(grouped_);
    line->addStretch();
    connect(passes_, &QComboBox::currentIndexChanged, this, &ProblemBar::filterChanged);
    line->addWidget(passes_);
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter problems"));
    filter_->setClearButtonEnabled(true);
    setScaledMaximumWidth(filter_, 200);
    setScaledSize(filter_, -1, 24);
    filter_->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    connect(filter_, &QLineEdit::textChanged, this, &ProblemBar::textChanged);
    line->addWidget(filter_);
}

void ProblemBar::fill(const SeverityCounts& counts, const std::set<QString>& passes, const std::vector<PassRun>& runs) {
    for (std::size_t i = 0; i < severities_.size(); ++i) {
        severities_[i]->setText(severityWord(i, counts[i]));
        severities_[i]->updateGeometry();
    }
    const QString before = pass();
    const QSignalBlocker quiet(passes_);
    passes_->clear();
    passes_->addItem(tr("all passes"), QString());
    for (const QString& pass : passes)
        passes_->addItem(passTitle(runs, pass.toStdString()), pass);
    setPass(before);
}

bool ProblemBar::isShown(Severity severity) const {
    return severities_[static_cast<std::size_t>(severity)]->isChecked();
}

QString ProblemBar::pass() const {
    return passes_->currentData().toString();
}

void ProblemBar::setShown(Severity severity, bool shown) {
    severities_[static_cast<std::size_t>(severity)]->setChecked(shown);
}

void ProblemBar::setPass(const QString& pass) {
    passes_->setCurrentIndex(std::max(0, passes_->findData(pass)));
}

void ProblemBar::setText(const QString& text) {
    filter_->setText(text);
}

void ProblemBar::setGrouped(bool on) {
    grouped_->setChecked(on);
}

void ProblemBar::setTextHint(const QString& text) {
    filter_->setPlaceholderText(text);
}

}  // namespace memplan::ui

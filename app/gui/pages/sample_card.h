// SPDX-License-Identifier: GPL-3.0-or-later
// One card of the start page: picture, title, the question the sample answers, size (UX 4.2).
#pragma once

#include "engine/io/samples.h"
#include "engine/plan/plan.h"

#include <QAbstractButton>

namespace memplan::app {

/// What a card learns from planning its sample.
struct CardFacts {
    PlanPtr plan;
    QString measured;  ///< ideal ratios beside measured medians, may be empty
};

class SampleCard final : public QAbstractButton {
    Q_OBJECT
public:
    explicit SampleCard(io::SampleInfo sample, QWidget* parent = nullptr);
    [[nodiscard]] const io::SampleInfo& sample() const { return sample_; }
    void setFacts(CardFacts facts);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    io::SampleInfo sample_;
    CardFacts facts_;
};

}  // namespace memplan::app

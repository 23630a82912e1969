// SPDX-License-Identifier: GPL-3.0-or-later
// The plan as a whole, beside the lanes (user-experience 8.7, 8.8): suggestions that were compiled, what each part of
// the policy gained, failed chains, and its layouts as a string or a module at one click.
#pragma once

#include "widgets/views/chains/data/chain_answers.h"
#include "widgets/views/chains/side_page.h"

#include <QPointer>

class QPushButton;
class QScrollArea;

namespace memplan::ui {

class ChainOverview final : public SidePage {
    Q_OBJECT
public:
    ChainOverview(ChainView* view, QWidget* parent);
    void refresh() override;
    void setAdvice(const ChainAdvice& advice);
    void setParts(const ChainParts& parts);
    [[nodiscard]] const ChainAdvice& advice() const { return advice_; }
    [[nodiscard]] const ChainParts& parts() const { return parts_; }

signals:
    void offerTaken(int offer);  ///< of ChainAdvice::offers
    void trialsRequested();
    void partsRequested();
    void partChosen(int row);  ///< is to become current
    void overridesRequested();
    void moduleRequested();
    void laneRequested(int lane);

private:
    void fillAdvice(QVBoxLayout* into, QWidget* content);
    [[nodiscard]] bool isSaidBefore(std::size_t offer) const;
    /// Of all offers of that change.
    [[nodiscard]] QString findingsOf(const ChainOffer& offer) const;
    void addOffer(int offer, QVBoxLayout* into, QWidget* content);
    void fillParts(QVBoxLayout* into, QWidget* content);
    void fillFailed(QVBoxLayout* into, QWidget* content);
    QPushButton* addButton(const QString& text, const QString& name, QVBoxLayout* into, QWidget* content);

    QScrollArea* scroll_;
    ChainAdvice advice_;
    QPointer<QLabel> adviceState_;  ///< its words on the page
    ChainParts parts_;
    bool showsAll_ = false;  ///< findings that brought nothing too
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the problems table: why the selected buffer is off chip, the evidence in numbers, and the changes that were
// found to bring it on chip, each one click away (user-experience 7.5, 15.2, 15.3).
#pragma once

#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/views/inspector/inspector_content.h"

#include <QScrollArea>

#include <vector>

class QLabel;
class QPushButton;

namespace memplan::ui {

/// Everything the pane says about one refused buffer.
struct Refusal {
    QString title;                   ///< name of the buffer
    QString code;                    ///< "LX-018"
    QString message;                 ///< of the problem, plain text; empty where there is none
    QString sentence;                ///< the reason, plain text
    bool messageSaysReason = false;  ///< the message is that of the reason's own code and ends with it
    QString advice;                  ///< what the problem says to do; empty = nothing
    std::vector<InspectorRow> evidence;
    std::vector<FixOffer> fixes;
    QString state;       ///< one line about the search: "7 changes tried", "trying change 3 of 12"
    QString searchText;  ///< button of the search: "Stop", "Try changes"; empty = none
    QString fixAllText;  ///< "Fix all 12 of LX-018"; empty = none
};

class RefusalPane final : public QScrollArea {
    Q_OBJECT
public:
    explicit RefusalPane(QWidget* parent = nullptr);
    void show(const Refusal& refusal);
    void setState(const QString& text);  ///< the line alone, while a search runs
    [[nodiscard]] const Refusal& refusal() const { return refusal_; }

signals:
    void fixApplied(int index);
    void fixPreviewed(int index);
    void searchClicked();
    void fixAllClicked();
    void linkActivated(const QString& link);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* evidenceColumn(QWidget* parent);
    [[nodiscard]] QWidget* fixColumn(QWidget* parent);

    Refusal refusal_;
    QLabel* state_ = nullptr;
};

}  // namespace memplan::ui

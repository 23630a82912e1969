// SPDX-License-Identifier: GPL-3.0-or-later
// The field of a hint's value: a list where the values can be enumerated, typed text with completion where not
// (user-experience 11.3).
#pragma once

#include "engine/hints/validate.h"
#include "widgets/plan/hints/hint_text.h"

#include <QComboBox>

namespace memplan::ui {

class TokenCompleter;

class HintValueField final : public QComboBox {
    Q_OBJECT
public:
    explicit HintValueField(QWidget* parent = nullptr);

    /// Another kind or other subjects: the list is filled anew, the text is kept when it is still a value.
    void setKind(const hints::KindInfo* kind, const hints::AllowedValues& allowed);
    [[nodiscard]] const hints::KindInfo* kind() const { return kind_; }
    /// Addresses are written in hex; both ways are read. A value that stands in the field is written anew.
    void setHexAddresses(bool on);
    void setValue(const HintValue& value);
    [[nodiscard]] ReadValue value() const;
    /// Shows the text as wrong; the sentence stands beside the field, not in it.
    void setWrong(bool wrong);

signals:
    void valueEdited();

private:
    void fill(const hints::AllowedValues& allowed);

    const hints::KindInfo* kind_ = nullptr;
    TokenCompleter* names_ = nullptr;
    bool hexAddresses_ = false;
};

}  // namespace memplan::ui

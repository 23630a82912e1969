// SPDX-License-Identifier: GPL-3.0-or-later
// The form that makes or changes one hint (user-experience 11.1, 11.3): kind in the window's words, subject with
// completion, typed value. A wrong value cannot be committed; the reason is in check().
#pragma once

#include "widgets/plan/selection_hub.h"
#include "widgets/tools/hints/editor/hint_context.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;
#include <optional>

namespace memplan::ui {

class HintValueField;
class TokenCompleter;

class HintEditor final : public QWidget {
    Q_OBJECT
public:
    explicit HintEditor(HintContext& context, QWidget* parent = nullptr);

    /// A new hint on these items; `key` may be empty. Several items of one hint share it.
    void startNew(const std::vector<ItemId>& items, const QString& key, const std::optional<HintValue>& value = {});
    /// Changes the hint at a row.
    void startEdit(int row, const Hint& hint);
    [[nodiscard]] int row() const { return row_; }
    void unitsChanged();  ///< of the context
    /// The hints that are there already: an equal one is not made twice.
    void setExisting(std::vector<Hint> hints) { existing_ = std::move(hints); }

    /// The hint as the fields stand; meaningful when check().ok.
    [[nodiscard]] Hint hint() const;
    [[nodiscard]] const HintCheck& check() const { return check_; }
    void commit();  ///< does nothing while check() is not ok

signals:
    void committed(int row, const memplan::Hint& hint);  ///< row -1: a new one
    void cancelled();
    void checked();  ///< check() is new

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void build();
    void fillKinds(const QString& key);
    void kindChosen();
    void subjectEdited();
    void refreshValue();
    void refreshCheck();
    [[nodiscard]] const hints::KindInfo* kind() const;
    [[nodiscard]] std::vector<hints::Scope> subjectsOfItems(const hints::KindInfo& kind) const;
    [[nodiscard]] bool isGiven(const hints::KindInfo& kind) const;
    [[nodiscard]] HintCheck judge() const;

    HintContext& context_;
    QComboBox* kinds_ = nullptr;
    QLineEdit* subject_ = nullptr;
    TokenCompleter* subjects_ = nullptr;
    HintValueField* value_ = nullptr;
    QLineEdit* comment_ = nullptr;
    QPushButton* commit_ = nullptr;
    std::vector<ItemId> items_;
    std::vector<Hint> existing_;
    Hint base_;  ///< what the fields do not show: unknown members, enabled
    int row_ = -1;
    bool ownSubject_ = false;  ///< the user has written the subject
    bool filling_ = false;
    HintCheck check_;
};

}  // namespace memplan::ui

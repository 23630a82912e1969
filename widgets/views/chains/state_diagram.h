// SPDX-License-Identifier: GPL-3.0-or-later
// The small state diagram of a chain (user-experience 8.2): in build, built, resolved, completed, and failed, with the
// path that the chain took.
#pragma once

#include "engine/ttnn/machine/chains.h"

#include <QWidget>

#include <optional>

namespace memplan::ui {

class StateDiagram final : public QWidget {
    Q_OBJECT
public:
    explicit StateDiagram(QWidget* parent = nullptr);
    void setState(std::optional<ttnn::ChainState> state);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<ttnn::ChainState> state_;
};

}  // namespace memplan::ui

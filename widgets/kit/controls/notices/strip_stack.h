// SPDX-License-Identifier: GPL-3.0-or-later
// One place for all notices (architecture 9.1a): of the strips that have something to say the most important one is
// seen, an error before the others, then in the order they were added.
#pragma once

#include <QWidget>

#include <vector>

namespace memplan::ui {

class Strip;

class StripStack final : public QWidget {
    Q_OBJECT
public:
    explicit StripStack(QWidget* parent = nullptr);
    /// Takes the strip; it shows and hides itself as before.
    void add(Strip* strip);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] const Strip* front() const;  ///< null while none has something to say

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();

    std::vector<Strip*> strips_;
};

}  // namespace memplan::ui

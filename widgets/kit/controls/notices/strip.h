// SPDX-License-Identifier: GPL-3.0-or-later
// Notice strip of a view or window, 24 px: state colour, icon, sentence, actions as links at the
// right (design-system 6.5).
#pragma once

#include <QWidget>

class QHBoxLayout;

namespace memplan::ui {

class Strip final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Info, Warning, Error, Grey };

    explicit Strip(QWidget* parent = nullptr);  ///< hidden until show(...)
    void setNotice(Kind kind, const QString& iconName, const QString& text);
    /// Adds a link at the right; triggered(key) is emitted on click.
    void addAction(const QString& text, const QString& key);
    void clearActions();
    [[nodiscard]] const QString& text() const { return text_; }
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void triggered(const QString& key);
    void changed();  ///< another notice

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind kind_ = Kind::Info;
    QString icon_, text_;
    QHBoxLayout* actions_;
};

}  // namespace memplan::ui

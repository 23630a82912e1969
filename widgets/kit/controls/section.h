// SPDX-License-Identifier: GPL-3.0-or-later
// A collapsible section: 26 px head with chevron, name and count, then its content (design-system
// 5.4). Closed sections stay as heads.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace memplan::ui {

class SectionHead final : public QWidget {
    Q_OBJECT
public:
    explicit SectionHead(const QString& name, QWidget* parent = nullptr);
    void setCount(const QString& count);
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const { return open_; }
    [[nodiscard]] const QString& name() const { return name_; }
    /// The name as it stands in the head: where it has no room it ends in an ellipsis, and the tooltip has the whole.
    [[nodiscard]] QString shownName() const;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void toggled(bool open);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRect nameRoom() const;
    QString name_, count_;
    bool open_ = true;
};

class Section final : public QWidget {
    Q_OBJECT
public:
    explicit Section(const QString& name, QWidget* parent = nullptr);
    [[nodiscard]] SectionHead* head() const { return head_; }
    /// Replaces the content; the section takes it. nullptr empties it.
    void setContent(QWidget* content);
    [[nodiscard]] QWidget* content() const { return content_; }
    void setOpen(bool open);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    SectionHead* head_;
    QVBoxLayout* column_;
    QWidget* content_ = nullptr;
};

}  // namespace memplan::ui

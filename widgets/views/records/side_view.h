// SPDX-License-Identifier: GPL-3.0-or-later
// The dock of compiler records: the attached files with how much of them the plan on screen has, and what the chosen
// one says as a whole and of its kernels. What it says of single items stands in the inspector.
#pragma once

#include "engine/plan/side_info.h"

#include <QWidget>

#include <memory>

class QPushButton;
class QStandardItemModel;
class QTableView;

namespace memplan::ui {

class EmptyBlock;

class SideView final : public QWidget {
    Q_OBJECT
public:
    explicit SideView(QWidget* parent = nullptr);
    /// `paths`: the attached file of each source, in order (a log may hold two of them); fewer where a plan file
    /// brought its own. `side` is what they say of the plan on screen, null while that is being found out.
    void setSide(const QStringList& paths, std::shared_ptr<const SideInformation> side);
    void setFailed();  ///< nobody will find that out: the files say so
    [[nodiscard]] QTableView* sources() const { return sources_; }
    [[nodiscard]] QTableView* facts() const { return facts_; }
    [[nodiscard]] int count() const;

signals:
    void attachRequested();
    void removeRequested(const QString& path);

private:
    [[nodiscard]] QWidget* buildBar();
    void showFacts();
    void refreshButtons();
    /// The attached file that a row is from, empty for what a plan file brought along.
    [[nodiscard]] QString pathOf(int row) const;

    QStringList paths_;
    std::shared_ptr<const SideInformation> side_;
    QStandardItemModel* sourceRows_;
    QStandardItemModel* factRows_;
    QTableView* sources_;
    QTableView* facts_;
    EmptyBlock* empty_;
    QWidget* body_;
    QPushButton* remove_ = nullptr;
};

}  // namespace memplan::ui

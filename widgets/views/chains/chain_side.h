// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the lanes (user-experience 8.2, 8.4 to 8.10): the plan as a whole, a chain with its states and its story, the
// path matrix of an edge, the layouts of an operation, the memory at a position, the steps of the solver.
#pragma once

#include "widgets/views/chains/chain_layouts.h"
#include "widgets/views/chains/chain_memory_page.h"
#include "widgets/views/chains/chain_overview.h"
#include "widgets/views/chains/chain_steps_page.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTabBar;

namespace memplan::ui {

class PathMatrix;

class ChainSide final : public QWidget {
    Q_OBJECT
public:
    enum Page { Overview, Chain, Paths, Configurations, Memory, Steps };

    explicit ChainSide(ChainView* view, QWidget* parent = nullptr);
    void showPage(Page page);
    [[nodiscard]] PathMatrix* matrix() const { return matrix_; }
    [[nodiscard]] const QStandardItemModel* configurations() const { return layouts_->configurations(); }
    [[nodiscard]] ChainOverview* overview() const { return overview_; }
    [[nodiscard]] ChainLayouts* layouts() const { return layouts_; }
    [[nodiscard]] ChainMemoryPage* memory() const { return memory_; }
    [[nodiscard]] ChainStepsPage* steps() const { return steps_; }
    /// Suggestions stand on the first page; those of a failed chain beside its story too.
    void setAdvice(const ChainAdvice& advice);

signals:
    void proposed(const memplan::ui::ChainProposal& proposal);
    void recompileRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildPaths();
    void refresh();
    void fillChain();
    void addOffers(int chain, QVBoxLayout* column, QWidget* content);
    [[nodiscard]] bool wasTried(const ChainProposal& proposal) const;
    void fillPaths();
    [[nodiscard]] int edgeOf(OpId op) const;

    ChainView* view_;
    QTabBar* tabs_;
    QStackedWidget* stack_;
    ChainOverview* overview_;
    QScrollArea* chain_;
    QLabel* pathsTitle_;
    QPushButton* recompile_;
    PathMatrix* matrix_;
    ChainLayouts* layouts_;
    ChainMemoryPage* memory_;
    ChainStepsPage* steps_;
};

}  // namespace memplan::ui

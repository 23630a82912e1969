// SPDX-License-Identifier: GPL-3.0-or-later
// The Hints dock (user-experience 11): table, editor, templates, import and export. It changes nothing itself: every
// edit goes out as a list of hints with the text of its undo step, and comes back by setHints().
#pragma once

#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/editor/hint_context.h"
#include "widgets/tools/hints/hint_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
#include <optional>

namespace memplan::ui {

class CheckLine;
class EmptyBlock;
class HintEditor;
class SortFilterModel;

class HintsView final : public QWidget {
    Q_OBJECT
public:
    explicit HintsView(SelectionHub* hub, QWidget* parent = nullptr);

    void setDocument(const TargetId& target, const Settings& settings, std::shared_ptr<const Graph> graph);
    /// Why the document takes no hints, which the empty list says; empty = it does.
    void setRefused(const QString& why);
    void setSettings(const Settings& settings);
    void setUnits(const Units& units);
    /// All plans of the document; from those without a hint it says what the hint changed.
    void setPlans(std::vector<PlanPtr> plans);
    /// A sentence below the table until another row is chosen: what a paste took and what not.
    void showRemark(const QString& text, bool isWarning);
    /// `fixed`: those of the graph file, shown first and not editable.
    void setHints(const std::vector<Hint>& fixed, const std::vector<Hint>& own);
    /// How many hints of the graph file the user took over: they can be given back.
    void setTakenOver(int count) { takenOver_ = count; }
    /// Opens the editor for a new hint on these items; `key` and value may be empty.
    void startHint(const std::vector<ItemId>& items, const QString& key, const std::optional<HintValue>& value = {});
    /// Changes the hint at a row of the list, file hints first.
    void editRow(int row);
    /// Adds hints at once, without the editor, as one step. A hint of the same kind on the same subjects takes the new
    /// value instead. False when all of them are there already.
    bool putHints(const std::vector<Hint>& hints, const QString& text);
    /// Takes these subjects out of every enabled hint of these kinds, and hints without a subject out of the list;
    /// false when there was none.
    bool removeHints(const std::vector<std::string>& scopes, const std::vector<std::string>& keys);

    /// Puts these subjects in place of those that the document does not have, as one step. False when the hint has
    /// none such, or would not be allowed on them.
    bool retarget(int row, const std::vector<std::string>& scopes);
    [[nodiscard]] QTableView* table() const { return table_; }
    [[nodiscard]] HintModel* model() const { return model_; }
    [[nodiscard]] HintEditor* editor() const { return editor_; }
    [[nodiscard]] HintContext& context() { return context_; }
    [[nodiscard]] int count() const { return model_->rowCount(); }

signals:
    void edited(const QString& text, const std::vector<memplan::Hint>& hints, const QString& mergeKey);
    void countChanged();
    void importRequested();
    void exportRequested();
    void copyRequested(const QString& form);  ///< "command-line", "environment", "override"
    void pasteRequested(const QString& text);
    /// The hints of the graph file from this one on are to become the user's.
    void takeOverRequested(int first);
    void giveBackRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildBar();
    void buildTable();
    void planReplaced();
    void refreshBar();
    void refreshLine();
    void fillTemplates(QMenu& menu);
    void fillMore(QMenu& menu);
    void openMenu(const QPoint& position);
    void addRowActions(QMenu& menu);
    void addTakeOver(QMenu& menu, int first);
    void addFileActions(QMenu& menu);
    void addPaste(QMenu& menu);
    bool paste();
    void addRetarget(QMenu& menu, int row);
    void commit(int row, const Hint& hint);
    void closeEditor();
    void editCurrent();
    void selectItems();
    void showSelection();
    void moveRows(int direction);
    [[nodiscard]] bool tableKey(int key, Qt::KeyboardModifiers modifiers);
    [[nodiscard]] std::vector<int> selectedRows() const;  ///< of the model, ascending
    void restoreSelection(const std::vector<int>& rows, int current);

    SelectionHub* hub_;
    HintContext context_;
    HintModel* model_;
    SortFilterModel* sorted_;
    QTableView* table_;
    HintEditor* editor_;
    CheckLine* line_;
    EmptyBlock* empty_;
    QLabel* summary_ = nullptr;
    QLineEdit* filter_ = nullptr;
    bool busy_ = false;
    QString remark_;  ///< of showRemark(), until a row is chosen
    bool isRemarkWarning_ = false;
    int takenOver_ = 0;
    QString refused_;
    bool selectLast_ = false;  ///< the next list has a new hint at its end: show it
};

}  // namespace memplan::ui

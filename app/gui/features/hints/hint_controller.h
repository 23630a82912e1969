// SPDX-License-Identifier: GPL-3.0-or-later
// Ties hints together: the Hints dock and the open document, requests of views ("Add hint...", P, U, pencils, a drag in
// the Gantt, fixes of the core grid), marks in graph and Gantt, hint files and copies (UX 11, 7.8, 5.11).
#pragma once

#include "app/gui/document/document_controller.h"
#include "widgets/plan/selection_hub.h"

#include <QObject>

namespace memplan::hints {
struct FileContext;
}

namespace memplan::ui {
class HintsView;
struct ChainProposal;
struct SplitProposal;
}  // namespace memplan::ui

namespace memplan::app {

class FixController;
class WindowServices;
class Workspace;

class HintController final : public QObject {
    Q_OBJECT
public:
    HintController(DocumentController& controller, WindowServices& window, QObject* parent);
    [[nodiscard]] FixController& fixes() { return *fixes_; }

    /// Adds the hints of a file to the document's, as one step; the message says what came, or why nothing did.
    bool importFile(const QString& path);
    /// Takes variables, a command line or the text of a hint file into settings and hints, as one step; says what came
    /// and names what could not be taken (UX 11.5).
    bool paste(const QString& text);
    /// Writes all hints of the document, those of its graph file first.
    bool exportFile(const QString& path);
    /// The text of "command-line" or "environment"; empty when there is nothing to copy.
    [[nodiscard]] QString copyText(const QString& form) const;

    /// Fixes every buffer on chip at the lowest address that the order of their addresses allows (scratchpad
    /// 14.8), as one step.
    void compactAddresses();
    /// Writes the order that re-ordering found as the hint op_order (14.2), as one step.
    void keepOrder();

private:
    void connectFiles();
    void connectViews();
    void documentOpened();
    void hintsChanged();
    void planChanged();
    void showMarks();
    void answer(ui::ItemId item, const QString& key);
    void editPlanHint(int index);
    void sliceLoop(int loop);
    [[nodiscard]] QString addedText(ui::ItemId item) const;
    void pin(const std::vector<ui::ItemId>& items);
    void unpin(const std::vector<ui::ItemId>& items);
    void propose(BufferId buffer, const QString& key, qint64 address);
    void proposeForChain(const ui::ChainProposal& proposal);
    void proposeForGraph(const std::string& key, const QString& json);
    void split(const std::vector<ui::SplitProposal>& proposals);
    // hint_paste.cpp
    struct Pasted;
    void pasteHints(const QString& text, Pasted& pasted) const;
    void pasteLines(const QString& text, Pasted& pasted) const;
    bool pasteOwnForm(const QString& text, Pasted& pasted) const;
    /// Hints in the form of the machine's own compiler; empty: it has none, or none of them has one there.
    [[nodiscard]] Result<std::string> overrideText(const Document& document) const;
    [[nodiscard]] QString whyNoOverride() const;
    void reportPasted(const Pasted& pasted, bool isNew);
    void report(const QString& text);
    /// What a hint file is read against: the open document.
    [[nodiscard]] hints::FileContext fileContext() const;
    [[nodiscard]] Hint hintOn(const std::string& scope, const std::string& key, HintValue value) const;
    [[nodiscard]] std::vector<ui::ItemId> withSelection(ui::ItemId item) const;

    DocumentController& controller_;
    Workspace& workspace_;
    WindowServices& window_;
    FixController* fixes_;
    ui::HintsView* view_;
    QString lastFile_;  ///< hint file written or read last, for "Copy as command line"
};

}  // namespace memplan::app

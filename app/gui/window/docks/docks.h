// SPDX-License-Identifier: GPL-3.0-or-later
// The docks of the window, made from the table of docks: how they come up, float and close, what their titles count,
// and which of them a kind of document has (UX 2.1, 3.3).
#pragma once

#include "app/gui/document/parts/document_parts.h"
#include "app/gui/workspace/dock_info.h"

#include <QObject>
#include <QPoint>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

class QDockWidget;
class QMainWindow;
class QMenu;

namespace memplan::ui {
class DockTitleBar;
}

namespace memplan::app {

class Docks final : public QObject {
    Q_OBJECT
public:
    explicit Docks(QMainWindow* window);

    /// `count` goes into the title; without it the title is the name alone. The first dock at the bottom has the others
    /// there as tabs, but for those that stand beside it by themselves.
    QDockWidget* add(DockId id, QWidget* content, std::function<int()> count = {});
    void followText();   ///< it has another size
    void showAsBuilt();  ///< all of them are there: the sizes and what is hidden at first
    void removeAll();
    [[nodiscard]] QDockWidget* dock(DockId id) const;
    [[nodiscard]] std::vector<QDockWidget*> all() const;
    [[nodiscard]] std::optional<DockId> focused() const;
    [[nodiscard]] std::optional<DockId> idOf(const QDockWidget* dock) const;

    void raise(DockId id);
    void show(DockId id);  ///< even when it was closed
    void setScope(DockId id, const QString& scope);
    void showCounts();
    void setCount(DockId id, int count);  ///< of a dock that does not count itself
    /// Hides what makes no sense for the kind or the target; its entry in the menu goes too.
    void fitTo(DocumentKind kind, std::string_view target);
    void forgetAway();  ///< another arrangement knows itself which docks it has
    /// As that of the window, with what the kind of the document and a comparison hide: they come back.
    [[nodiscard]] QByteArray saveState(int version = 0) const;
    void setWaiting(bool on);  ///< there is nothing yet that a dock could change
    void addToMenu(QMenu& menu) const;
    void floatFocused();
    void closeFocused();
    [[nodiscard]] std::vector<QWidget*> contentsOnScreen() const;
    /// The menu of the dock behind a tab at this place of the window; false where there is none.
    bool openMenuAt(QPoint position, QPoint global);
    /// Where text is large two maps side by side need the room of the docks at the sides; they come back afterwards.
    void makeRoomToCompare(bool on);
    /// Pages without a document have no docks: the arrangement comes back with the document's page.
    void setShown(bool on);
    [[nodiscard]] bool areShown() const { return areShown_; }

private:
    struct Entry {
        const DockInfo* info = nullptr;
        QDockWidget* dock = nullptr;
        ui::DockTitleBar* bar = nullptr;  ///< of a dock at a side
        std::function<int()> count;
        bool isWaiting = false, isAside = false;
        bool isUnfit = false;  ///< shown as soon as a document comes that it makes sense for
    };
    [[nodiscard]] const Entry* entry(DockId id) const;
    void floatOrDock(QDockWidget* dock);
    void fitRoom();

    QMainWindow* window_;
    bool isComparing_ = false;
    bool areShown_ = true;        ///< at first as they were built
    QByteArray arrangement_;      ///< while they are not shown
    std::vector<Entry> entries_;  ///< in the order of the table, as far as they were added
};

}  // namespace memplan::app

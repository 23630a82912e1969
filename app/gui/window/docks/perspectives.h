// SPDX-License-Identifier: GPL-3.0-or-later
// Arrangements of the window for a job (user-experience 3.3): Explore, Tune, Passes, Review, and up to
// five that the user saved. What a shipped one shows says the table of docks.
#pragma once

#include "app/gui/workspace/workspace.h"

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QToolButton>

#include <vector>

class QDockWidget;
class QHBoxLayout;
class QMainWindow;

namespace memplan::app {

class Docks;
class DockSizes;

class Perspectives final : public QObject {
    Q_OBJECT
public:
    static constexpr int kShipped = 4;
    static constexpr int kReview = 3;
    static constexpr int kMost = 9;  ///< with the shipped ones

    Perspectives(QMainWindow* window, Docks& docks, Workspace& workspace);

    /// The window as it was built; every arrangement starts from it.
    void setShippedState(const QByteArray& state) { shipped_ = state; }
    [[nodiscard]] QStringList names() const;  ///< shipped ones first
    [[nodiscard]] int current() const { return current_; }
    void show(int index);
    void reset();  ///< the current one as it was shipped or saved
    /// Saves the window as it is; false when there is no free place or the name is empty.
    bool save(const QString& name);
    void rename(int index, const QString& name);  ///< saved ones only
    void remove(int index);
    /// Keeps the window as it is for the next start: the perspective, its docks and its centre.
    void storeLast(int layoutVersion);
    /// The window as the last run left it; false, and nothing changed, when it left nothing that fits this version.
    [[nodiscard]] bool showLast(int layoutVersion);
    [[nodiscard]] bool isFull() const { return names().size() >= kMost; }

    /// The focused view alone, or everything as it was before (3.4).
    void toggleMaximised();
    [[nodiscard]] bool isMaximised() const { return !maximisedFrom_.isEmpty(); }
    void leaveMaximised();

signals:
    void currentChanged(int index);
    void namesChanged();

private:
    struct Saved {
        QString name;
        QByteArray state;
        Workspace::Centre centre;
        QString view;
    };
    void load();
    void store() const;
    void arrange(int index);
    void arrangeShipped(int index);
    void expectSizes(int index);
    void passFocus(const QPointer<QWidget>& before);
    void setCentreShown(bool shown);
    void fitCentre();
    bool eventFilter(QObject* watched, QEvent* event) override;

    QMainWindow* window_;
    Docks& docks_;
    Workspace& workspace_;
    DockSizes* sizes_;
    QByteArray shipped_;
    std::vector<Saved> saved_;
    int current_ = 0;
    QByteArray maximisedFrom_;
    Workspace::Centre centreBefore_;
};

/// The names as words in the toolbar, the current one pressed.
class PerspectiveBar final : public QWidget {
    Q_OBJECT
public:
    explicit PerspectiveBar(Perspectives* perspectives, QWidget* parent = nullptr);

private:
    void rebuild();
    void showCurrent();
    void showMenu(int index, QPoint at);

    Perspectives* perspectives_;
    QHBoxLayout* row_;
    std::vector<QToolButton*> buttons_;
};

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// Which two plans are compared (user-experience 16.1): A from the history, a file, or what was saved; B is the plan on
// screen, or one of the history that stands there while two plans are compared. Knows no view; the document's own plan
// stays its current one.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"

#include <QObject>
#include <QStringList>

#include <vector>

namespace memplan::app {

struct FileToPlan;
class WindowServices;

class ComparePair final : public QObject {
    Q_OBJECT
public:
    struct Side {
        PlanPtr plan;  ///< null: there is none yet
        QString name;
    };
    ComparePair(DocumentController& controller, WindowServices& services, QObject* parent);

    [[nodiscard]] const Side& a() const { return a_; }
    [[nodiscard]] Side b() const;
    /// What A can be, in the order of chooseA(); the last ones are commands.
    [[nodiscard]] QStringList choicesOfA() const;
    [[nodiscard]] int chosenOfA() const;  ///< -1: none of them
    [[nodiscard]] int indexOfB() const;   ///< in the document's plans

    /// Both, as far as the user did not say what A is. The earlier plan is A.
    void pick();
    void swap();
    void chooseA(int row);
    void setA(Side side);
    void setB(int index);
    void compareWithPlan(int index);
    void compareCurrentWith(int index);
    void compareWithFile(const QString& path);
    void compareWithDisk();
    void compareWithSaved();
    void askFile();
    /// The document's own plan is on screen again.
    void giveBack();
    void dropB() { broughtB_ = {}; }  ///< somebody else has put something on screen
    void forget();                    ///< another document, or none

signals:
    void chosen();  ///< somebody said what A is: it is to be compared with
    void changed();
    void failed(const QString& words);

private:
    void plan(FileToPlan file, const QString& name);
    void refuse(const QString& what, const Error& error);
    void bring(int index);

    DocumentController& controller_;
    WindowServices& services_;
    std::vector<Side> files_;  ///< opened for comparison
    Side a_, broughtB_;
    bool isChosen_ = false;  ///< the user said what A is
    BackgroundTask task_{this};
};

}  // namespace memplan::app

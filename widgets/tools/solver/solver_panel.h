// SPDX-License-Identifier: GPL-3.0-or-later
// The Solver dock (user-experience 12): choice with a description, parameters, what the run of the current plan
// found, and a race of several solvers. It starts nothing itself: requests go out, rows come in.
#pragma once

#include "engine/settings/settings.h"
#include "widgets/tools/solver/charts/race_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace memplan::ui {

class Chart;
class GainView;
class JointView;
class OutcomeBar;
class ParameterList;
class Section;

struct SolverChoice {
    QString id;    ///< value of the setting
    QString name;  ///< of settings.md 5
    QString title;
    QString help;                     ///< one line
    std::vector<QString> parameters;  ///< settings that it reads
};

class SolverPanel final : public QWidget {
    Q_OBJECT
public:
    explicit SolverPanel(QWidget* parent = nullptr);

    /// Why neither solver nor parameters can be chosen and no race be started; empty = they can.
    void setFixed(const QString& why);
    /// `key`: the setting that chooses; `common`: settings that every choice reads.
    void setChoices(const QString& key, std::vector<SolverChoice> choices, std::vector<QString> common);
    void setSettings(const Settings& settings);
    /// The name of a choice.
    [[nodiscard]] QString nameOf(const QString& id) const;
    void setPlan(PlanPtr plan);
    void setRacing(bool on);
    [[nodiscard]] RaceModel* race() const { return race_; }
    [[nodiscard]] QTableView* raceTable() const { return table_; }
    /// What the run of the plan found, one sentence a line (12.2).
    [[nodiscard]] static QString resultText(const Plan& plan, const std::vector<RaceFigure>& figures = {});
    /// What would let the run of the plan go on (12.2); empty when nothing would.
    [[nodiscard]] static QString continueText(const Plan& plan);
    /// Why there is no curve over a search; empty where there is one, or nothing was placed.
    [[nodiscard]] static QString onePassText(const Plan& plan);
    [[nodiscard]] JointView* joint() const { return joint_; }
    [[nodiscard]] GainView* gains() const { return gains_; }
    [[nodiscard]] Chart* chartOfSearch() const { return chart_; }
    [[nodiscard]] Chart* chartOfRace() const { return raceChart_; }

signals:
    void settingChanged(const QString& key, const QString& value);
    void raceRequested(const QStringList& solvers);
    void raceCancelled();
    void makeCurrentRequested(int row);
    void compareRequested(int row);
    /// An operation of the co-optimisation was chosen: its committed division beside its present one.
    void divisionChosen(const QString& op, const QString& committed);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    [[nodiscard]] QWidget* buildRace();
    [[nodiscard]] QWidget* buildResult();
    void refreshResult();
    void refreshButtons();
    void refreshRows();
    void fitRaceTable();
    [[nodiscard]] int selectedRow() const;

    QString key_;
    QString fixed_;
    std::vector<SolverChoice> choices_;
    std::vector<QString> common_;
    PlanPtr plan_;
    RaceModel* race_;
    QTableView* table_ = nullptr;
    Chart* raceChart_ = nullptr;
    QComboBox* solver_ = nullptr;
    QLabel* help_ = nullptr;
    QLabel* result_ = nullptr;
    Chart* chart_ = nullptr;
    QLabel* onePass_ = nullptr;
    OutcomeBar* outcome_ = nullptr;
    QLabel* goOn_ = nullptr;
    QPushButton* goOnButton_ = nullptr;
    GainView* gains_ = nullptr;
    Section* gainSection_ = nullptr;
    JointView* joint_ = nullptr;
    Section* jointSection_ = nullptr;
    ParameterList* parameters_ = nullptr;
    QPushButton* start_ = nullptr;
    QPushButton* current_ = nullptr;
    QPushButton* compare_ = nullptr;
    bool racing_ = false;
    bool filling_ = false;
};

}  // namespace memplan::ui

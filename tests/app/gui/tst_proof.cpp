// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of the plan on screen (proof-and-search A14): the badge in the status bar and the faults in Problems.
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/workspace/workspace.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/record/execution_record.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QDir>
#include <QTableView>
#include <QToolButton>

using namespace memplan;
using namespace memplan::app;

class ProofTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("proof"); }
    void cleanup() { window_.reset(); }
    void softmax_isProvedByItself();
    void damagedRecord_isWrongWithALinkInProblems();
    void otherPlan_hasItsOwnResult();
    void off_isNotExecutedUntilAskedFor();
    void plansWithoutRecord_areNotProvedAndSayWhy();
    void changedSetting_isStale();
    void bufferList_hasNoBadge();

private:
    void open(const char* automatic = nullptr) {
        window_ = std::make_unique<MainWindow>(samples_);
        OpenRequest request = sampleRequest(*io::findSample(samples_, "S1"), "stage 4");
        if (automatic != nullptr) request.settings.emplace_back("sim.auto", automatic);
        window_->resize(1600, 1000);
        window_->show();
        window_->open(request);
        QVERIFY(waitForPlan(*window_));
    }
    [[nodiscard]] QToolButton* badge() const { return window_->findChild<QToolButton*>(QStringLiteral("proofBadge")); }
    [[nodiscard]] bool waitFor(const char* text) const {
        return QTest::qWaitFor([&] { return badge()->isVisible() && badge()->text() == QLatin1String(text); }, 180000);
    }
    /// The same plan, whose first op that reads LX takes it from one stick further.
    [[nodiscard]] PlanPtr damaged() const {
        auto plan = std::make_shared<Plan>(*document().current()->plan);
        auto record = std::make_shared<sim::ExecutionRecord>(spyre::executionRecord(*plan));
        for (sim::RecordOp& op : record->ops) {
            for (sim::RecordArg& a : op.args) {
                if (!a.isInput || a.memory != sim::RecordMemory::Lx) continue;
                a.base += 128;
                plan->execution = record;
                return plan;
            }
        }
        return nullptr;
    }
    [[nodiscard]] int faultRow() const {
        const ui::ProblemModel& model = *window_->workspace().problems()->model();
        for (int row = 0; row < model.rowCount(); ++row)
            if (model.isBeside(row) && model.problem(row).code.starts_with("VER-")) return row;
        return -1;
    }
};

void ProofTest::softmax_isProvedByItself() {
    open();
    QVERIFY(waitFor("proved"));
    QVERIFY(badge()->toolTip().contains(QStringLiteral("level tokens, seed 0")));
    QVERIFY(badge()->toolTip().contains(QStringLiteral("output elements checked")));
    QCOMPARE(badge()->accessibleName(), QStringLiteral("Proof of the plan: proved"));
    QVERIFY((badge()->focusPolicy() & Qt::TabFocus) != 0);
    QCOMPARE(faultRow(), -1);
}

void ProofTest::damagedRecord_isWrongWithALinkInProblems() {
    open();
    const PlanPtr plan = damaged();
    QVERIFY(plan);
    document().addPlan(plan);
    QVERIFY(QTest::qWaitFor([this] { return badge()->text().startsWith(QStringLiteral("wrong: ")); }, 180000));
    const int row = faultRow();
    QVERIFY(row >= 0);
    auto* problems = window_->workspace().problems();
    const Diagnostic& d = problems->model()->problem(row);
    QVERIFY(!d.ops.empty() || !d.buffers.empty());
    const QVariant link = problems->model()->index(row, ui::ProblemModel::Item).data(ui::LinkRole);
    QVERIFY(link.isValid());
    auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("problemsDock"));
    dock->hide();
    badge()->click();
    QVERIFY(dock->isVisible());
    for (int r = 0; r < problems->table()->model()->rowCount(); ++r) {
        const auto code = problems->table()->model()->index(r, ui::ProblemModel::Code).data().toString();
        if (code == QString::fromStdString(d.code)) problems->table()->selectRow(r);
    }
    QVERIFY(hub().state().isSelected(d.buffers.empty() ? ui::ItemId::of(d.ops.front())
                                                       : ui::ItemId::of(d.buffers.front())));
}

void ProofTest::otherPlan_hasItsOwnResult() {
    open();
    QVERIFY(waitFor("proved"));
    document().addPlan(damaged());
    QVERIFY(QTest::qWaitFor([this] { return faultRow() >= 0; }, 180000));
    document().setCurrent(document().currentIndex() - 1);
    QCOMPARE(badge()->text(), QStringLiteral("proved"));
    QCOMPARE(faultRow(), -1);
    document().setCurrent(document().currentIndex() + 1);
    QVERIFY(badge()->text().startsWith(QStringLiteral("wrong: ")));
    QVERIFY(faultRow() >= 0);
}

void ProofTest::off_isNotExecutedUntilAskedFor() {
    open("off");
    QVERIFY(!window_->findChild<ProofController*>()->isRunning());
    QCOMPARE(badge()->text(), QStringLiteral("not executed"));
    QVERIFY(window_->trigger(QStringLiteral("plan.prove")));
    QVERIFY(waitFor("proved"));
    bool hasKey = false;
    for (const QAction* action : window_->findChildren<QAction*>())
        hasKey = hasKey || action->shortcut() == QKeySequence(QStringLiteral("Ctrl+F5"));
    QVERIFY(hasKey);
}

void ProofTest::plansWithoutRecord_areNotProvedAndSayWhy() {
    open("off");
    auto plan = std::make_shared<Plan>(*document().current()->plan);
    editSpyreData(*plan).opSpecs.reset();
    document().addPlan(plan);
    QVERIFY(window_->trigger(QStringLiteral("plan.prove")));
    QVERIFY(waitFor("not proved"));
    QVERIFY(badge()->toolTip().contains(QStringLiteral("no execution record")));
}

void ProofTest::changedSetting_isStale() {
    open();
    QVERIFY(waitFor("proved"));
    window_->controller().setAutomatic(false);
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("2"));
    QCOMPARE(badge()->text(), QStringLiteral("proof stale"));
}

void ProofTest::bufferList_hasNoBadge() {
    open();
    QVERIFY(waitFor("proved"));
    const QString path = QDir::temp().filePath(QStringLiteral("proof-list.csv"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("id,lower,upper,size\na,0,3,4\nb,2,5,4\n");
    file.close();
    window_->openFile(path);
    QVERIFY(QTest::qWaitFor([this] { return document().kind() == DocumentKind::BufferList; }, 20000));
    QVERIFY(waitForAnyPlan(window_->controller()));
    QVERIFY(badge()->isHidden());
}

MEMPLAN_WINDOW_TEST(ProofTest)
#include "tst_proof.moc"

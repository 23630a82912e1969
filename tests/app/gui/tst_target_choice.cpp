// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of the machine in the toolbar (architecture 8.13): which machines can plan a document and why others
// cannot, one undoable change, the plan that it makes stale, and what a command line says of it.
#include "app/gui/document/document_controller.h"
#include "app/gui/document/workspace_document.h"
#include "app/gui/features/export/command_line.h"
#include "app/gui/targets/target_choice.h"
#include "app/gui/window/bars/target_switcher.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"

#include <QStandardItemModel>
#include <QtTest>

using namespace memplan;
using namespace memplan::app;

namespace {

/// A machine that is only asked what it plans.
class NamedTarget final : public Target {
public:
    NamedTarget(std::string_view id, std::vector<std::string_view> formats) {
        info_.id = id;
        info_.title = id;
        info_.formats = std::move(formats);
    }
    [[nodiscard]] const TargetInfo& info() const override { return info_; }
    [[nodiscard]] PassList passes() const override { return {}; }
    [[nodiscard]] Result<std::unique_ptr<Compilation>> begin(const CompileRequest&) const override {
        return makeError("INT-001", "", "never run", "");
    }
    [[nodiscard]] std::vector<Diagnostic> verify(const Plan&) const override { return {}; }

private:
    TargetInfo info_;
};

struct Boxes final : Source {
    [[nodiscard]] std::string_view kind() const override { return "boxes"; }
    [[nodiscard]] std::string_view target() const override { return "boxes"; }
    [[nodiscard]] std::size_t opCount() const override { return 0; }
};

}  // namespace

class TargetChoiceTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init() { QVERIFY(showWindow()); }
    void cleanup() { window_.reset(); }
    void choices_nameWhatAMachineCannot();
    void switcher_isThereWithTwoMachines();
    void oneMachine_hidesTheChoice();
    void change_isUndoable_andMakesThePlanStale();

private:
    [[nodiscard]] bool openSoftmax() {
        window_->controller().open(sampleRequest(*io::findSample(samples_, "S1")));
        return QTest::qWaitFor([&] { return window_->controller().document() != nullptr; }) && settled();
    }
    const NamedTarget other_{"other", {"graph"}}, models_{"models", {"onnx"}}, boxes_{"boxes", {"boxes"}};
    const std::vector<const Target*> all_{allTargets().front(), &other_, &models_};
};

void TargetChoiceTest::choices_nameWhatAMachineCannot() {
    const auto choices = targetChoices({"graph", nullptr, {}}, all_);
    QCOMPARE(choices.size(), std::size_t{3});
    QVERIFY(choices[0].whyNot.isEmpty() && choices[1].whyNot.isEmpty());
    QCOMPARE(choices[2].whyNot, QStringLiteral("models plans onnx; this file is graph."));
    QVERIFY(targetChoices({"graph", nullptr, {}}, std::span(all_).first(1)).empty());
    const Boxes program;
    const std::vector<const Target*> two{&other_, &boxes_};
    QVERIFY(targetChoices({"boxes", &program, {}}, two).empty());  // one of them alone can plan it
    const auto machine =
        targetChoices({"graph", nullptr, "other"}, std::vector<const Target*>{&other_, &other_, all_[0]});
    QVERIFY(machine[2].whyNot.contains(QStringLiteral("figures of other")));
}

void TargetChoiceTest::switcher_isThereWithTwoMachines() {
    QVERIFY(openSoftmax());
    TargetSwitcher switcher;
    QVERIFY(switcher.offer(document(), all_));
    QCOMPARE(switcher.count(), 3);
    QCOMPARE(switcher.currentData().toString(), QString::fromStdString(document().target()));
    const auto* rows = qobject_cast<const QStandardItemModel*>(switcher.model());
    QVERIFY(rows->item(1)->isEnabled() && !rows->item(2)->isEnabled());
    QVERIFY(rows->item(2)->toolTip().startsWith(QStringLiteral("models plans onnx")));
    window_->controller().setAutomatic(false);
    emit switcher.activated(1);
    QCOMPARE(document().target(), std::string("other"));
}

void TargetChoiceTest::oneMachine_hidesTheChoice() {
    QVERIFY(openSoftmax());
    auto* switcher = window_->findChild<TargetSwitcher*>();
    QVERIFY(switcher != nullptr);
    QTRY_VERIFY2(!switcher->visibleRegion().isEmpty(), "several machines plan a neutral graph");
    window_->openFile(QStringLiteral(MEMPLAN_TEST_DATA "/torchwright/unit_add_wide.graph.json"));
    QVERIFY(settled());
    test::finishLayouts();
    QVERIFY2(switcher->visibleRegion().isEmpty(), "a program in the form of one machine");
}

void TargetChoiceTest::change_isUndoable_andMakesThePlanStale() {
    QVERIFY(openSoftmax());
    window_->controller().setAutomatic(false);
    const std::string own = document().target();
    const std::string hash = document().inputHash();
    QSignalSpy changed(&document(), &Document::targetChanged);
    document().changeTarget(own);
    QCOMPARE(changed.count(), 0);
    document().changeTarget("other");
    QCOMPARE(changed.count(), 1);
    QCOMPARE(document().request().target, std::string("other"));
    QCOMPARE(document().state(), PlanState::Stale);
    QVERIFY(document().inputHash() != hash);
    QVERIFY(document().isModified());
    QVERIFY(document().undoStack().undoText().startsWith(QStringLiteral("Plan for")));
    QVERIFY(document().unsavedChanges().join(u' ').contains(QStringLiteral("Planned for other instead of")));
    const QString command =
        compileCommand(document(), window_->controller().lastRequest(), QStringLiteral("plan.json"));
    QVERIFY2(command.contains(QStringLiteral("--target other")), qPrintable(command));
    document().undoStack().undo();
    QCOMPARE(document().target(), own);
    QCOMPARE(document().inputHash(), hash);
    QCOMPARE(document().state(), PlanState::Fresh);
    document().undoStack().redo();
    QCOMPARE(document().target(), std::string("other"));
}

MEMPLAN_WINDOW_TEST(TargetChoiceTest)
#include "tst_target_choice.moc"

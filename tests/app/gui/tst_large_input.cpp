// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked before an input opens: the question over a limit (user-experience 19.8), the part that is opened, what
// a workspace keeps of it, the hard limits; sizes that a model leaves open.
#include "app/gui/document/bindings_text.h"
#include "app/gui/document/large_input.h"
#include "app/gui/document/workspace_document.h"
#include "app/gui/pages/error_page.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStringView>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::app;

class LargeInputTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void passed_namesTheLimit();
    void passed_hardLimit_cannotBeRaised();
    void passed_otherErrors_areNot();
    void part_isAnInputOfItsOwn();
    void part_ofNothing_isAnError();
    void workspace_keepsThePart();
    void window_asksAndOpensAPart();
    void window_cancel_goesBack();
    void window_hardLimit_isAPage();
    void errorPage_asksForWhatTheModelLeavesOpen();
    void sizesThatNobodyChose_areShownAndChanged();

private:
    [[nodiscard]] OpenRequest request(const char* limit) const;
    QTemporaryDir folder_;
    QString path_;
    std::vector<io::SampleInfo> samples_;
};

void LargeInputTest::initTestCase() {
    samples_ = prepareProgram("tst_large_input");
    QSettings().clear();
    path_ = folder_.filePath(QStringLiteral("model.json"));
    QVERIFY(io::writeFileAtomically(path_.toStdString(), io::writeGraphJson(generateChainModel(40, 1))));
}

/// The model has 40 operations; the limit stands in for the default one.
OpenRequest LargeInputTest::request(const char* limit) const {
    OpenRequest request;
    request.path = path_;
    request.settings = {{"limits.graph_ops", limit}};
    return request;
}

void LargeInputTest::passed_namesTheLimit() {
    const OpenRequest wanted = request("10");
    const Opened opened = openDocument(wanted, RunControl{});
    QVERIFY(opened.error);
    const auto limit = passedLimit(path_, *opened.error, wanted.settings);
    QVERIFY(limit);
    QCOMPARE(limit->key, QStringLiteral("limits.graph_ops"));
    QCOMPARE(limit->limit, 10);
    QCOMPARE(limit->hardMaximum, 2000000);
    QCOMPARE(limit->found, std::optional<qint64>(40));
    QVERIFY(limit->canBeRaised());
    QVERIFY(limit->sentence().contains(QStringLiteral("40 operations")));
    OpenRequest bytes = request("100000");
    bytes.settings.emplace_back("limits.json_bytes", "1000");
    const Opened tooLong = openDocument(bytes, RunControl{});
    QVERIFY(tooLong.error);
    const auto size = passedLimit(path_, *tooLong.error, bytes.settings);
    QVERIFY(size);
    QCOMPARE(size->key, QStringLiteral("limits.json_bytes"));
    QCOMPARE(size->found, std::optional(QFileInfo(path_).size()));
}

void LargeInputTest::passed_hardLimit_cannotBeRaised() {
    const Error error =
        makeError("MPG-110", "/ops", "2 000 001 entries, the limit is 2 000 000", "raise limits.graph_ops");
    const auto atMaximum = passedLimit(path_, error, {{"limits.graph_ops", "2000000"}});
    QVERIFY(atMaximum && !atMaximum->canBeRaised());
    QVERIFY(atMaximum->refusal().contains(QStringLiteral("limits.graph_ops")));
    // Known at the first try already.
    const auto beyond = passedLimit(path_, error, {});
    QVERIFY(beyond && !beyond->canBeRaised());
}

void LargeInputTest::passed_otherErrors_areNot() {
    QVERIFY(!passedLimit(path_, makeError("MPG-011", "", "syntax"), {}));
    QVERIFY(!passedLimit(path_, makeError("IN-906", "", "no progress", "raise limits.idle_seconds"), {}));
}

void LargeInputTest::part_isAnInputOfItsOwn() {
    OpenRequest wanted = request("100000");
    const Opened all = openDocument(wanted, RunControl{});
    QVERIFY(!all.error);
    wanted.cut = {"10", "19", ""};
    const Opened part = openDocument(wanted, RunControl{});
    QVERIFY2(!part.error, part.error ? part.error->primary().message.c_str() : "");
    QCOMPARE(part.input.graph->ops.size(), std::size_t{10});
    QVERIFY(!part.plans.empty());
    QVERIFY(part.input.input.sha256 != all.input.input.sha256);
    QCOMPARE(part.origin.fileSha256.toStdString(), all.input.input.sha256);
    QCOMPARE(openDocument(wanted, RunControl{}).input.input.sha256, part.input.input.sha256);
}

void LargeInputTest::part_ofNothing_isAnError() {
    OpenRequest wanted = request("100000");
    wanted.cut.prefix = "no such layer";
    const Opened opened = openDocument(wanted, RunControl{});
    QVERIFY(opened.error);
    QCOMPARE(opened.error->primary().code, std::string("IN-014"));
}

void LargeInputTest::workspace_keepsThePart() {
    OpenRequest wanted = request("50");
    wanted.cut = {"5", "9", ""};
    Opened part = openDocument(wanted, RunControl{});
    QVERIFY(!part.error);
    ui::SelectionHub hub;
    Document document(std::move(part.input), std::move(part.settings), hub, std::move(part.origin));
    QVERIFY(document.name().endsWith(QStringLiteral("(part)")));
    const QString file = folder_.filePath(QStringLiteral("part.memplan"));
    const io::Workspace workspace = workspaceOf(document, file, {});
    QCOMPARE(workspace.input.cut, wanted.cut);
    QVERIFY(io::writeFileAtomically(file.toStdString(), io::writeWorkspaceJson(workspace)));
    OpenRequest again;
    again.path = file;
    const Opened back = openDocument(again, RunControl{});
    QVERIFY2(!back.error, back.error ? back.error->primary().message.c_str() : "");
    QCOMPARE(back.input.graph->ops.size(), std::size_t{5});
    for (const Diagnostic& d : back.input.diagnostics)
        QVERIFY2(d.code != "WSP-004", d.message.c_str());
}

void LargeInputTest::window_asksAndOpensAPart() {
    MainWindow window(samples_);
    window.show();
    window.open(request("10"));
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<LargeInputDialog*>() != nullptr, 20000);
    auto* dialog = window.findChild<LargeInputDialog*>();
    QVERIFY(dialog->isVisible());
    QCOMPARE(window.controller().document(), nullptr);
    QPushButton* open = nullptr;
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
        if (button->text() == u"Raise and open") open = button;
    }
    // A part without a bound is no part.
    dialog->findChildren<QRadioButton*>().last()->setChecked(true);
    QVERIFY(!open->isEnabled());
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("largeFirst")), QStringLiteral("3"));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(QStringLiteral("largeLast")), QStringLiteral("12"));
    QVERIFY(open->isEnabled());
    open->click();
    QTRY_VERIFY_WITH_TIMEOUT(window.controller().document() != nullptr, 20000);
    const Document& document = *window.controller().document();
    QCOMPARE(document.input().graph->ops.size(), std::size_t{10});
    QCOMPARE(document.settings().integer("limits.graph_ops"), std::int64_t{2000000});
}

void LargeInputTest::window_cancel_goesBack() {
    MainWindow window(samples_);
    window.show();
    window.open(request("10"));
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<LargeInputDialog*>() != nullptr, 20000);
    window.findChild<LargeInputDialog*>()->reject();
    QTRY_VERIFY(window.isVacant());
    QVERIFY(!window.findChild<ErrorPage*>()->isVisible());
}

void LargeInputTest::window_hardLimit_isAPage() {
    MainWindow window(samples_);
    window.show();
    auto* page = window.findChild<ErrorPage*>();
    emit window.controller().openFailed(
        path_, makeError("MPG-110", "/ops", "3 000 000 entries, the limit is 100 000", "raise limits.graph_ops"));
    QVERIFY(page->isVisible());
    QVERIFY(window.findChild<LargeInputDialog*>() == nullptr);
    QString all;
    for (const QLabel* label : page->findChildren<QLabel*>())
        all += label->text();
    QVERIFY(all.contains(QStringLiteral("The hard limit is")));
    QVERIFY(!page->findChild<QPushButton*>(QStringLiteral("raiseLimit"))->isVisible());
}

void LargeInputTest::errorPage_asksForWhatTheModelLeavesOpen() {
    ErrorPage page;
    QSignalSpy given(&page, &ErrorPage::bindingsGiven);
    page.setBindings(QStringLiteral("state:1=1"));
    page.show(QStringLiteral("vad.onnx"),
              makeError("ONNX-043", "graph/node[2]:If_0", "If: the condition of \"If_0\" is known only at run time",
                        "decide it with one of: --bind sr=VALUE, --bind If_0=then, --bind If_0=else"));
    auto* field = page.findChild<QLineEdit*>(QStringLiteral("bindingsField"));
    auto* open = page.findChild<QPushButton*>(QStringLiteral("openWithBindings"));
    QVERIFY(!field->isHidden() && !field->parentWidget()->isHidden());
    QCOMPARE(field->text(), QStringLiteral("state:1=1, sr="));
    open->click();
    QCOMPARE(given.count(), 0);  // a value is missing, and the page says so
    QVERIFY(!page.findChild<QLabel*>(QStringLiteral("bindingsNote"))->text().isEmpty());
    field->setText(QStringLiteral("state:1=1, sr=16000"));
    open->click();
    QCOMPARE(given.count(), 1);
    QCOMPARE(given[0][0].value<BindingPairs>(), (BindingPairs{{"state:1", "1"}, {"sr", "16000"}}));
    // Sizes that the program chose and that do not fit are offered to be changed.
    page.setBindings(QStringLiteral("sr=16000"));
    page.show(QStringLiteral("vad.onnx"),
              makeError("ONNX-042", "graph/node[36]:Conv", "Conv: the window of axis 0 does not fit into 65",
                        "bound dimensions: input:0=1, input:1=1; try others if the model itself is sound"));
    QCOMPARE(field->text(), QStringLiteral("sr=16000, input:0=1, input:1=1"));
    page.setBindings({});
    page.show(QStringLiteral("a.json"), makeError("IN-013", "", "not known", "see the list"));
    QVERIFY(field->parentWidget()->isHidden());
}

void LargeInputTest::sizesThatNobodyChose_areShownAndChanged() {
    MainWindow window(samples_);
    window.show();
    window.openFile(QStringLiteral(MEMPLAN_SOURCE_DIR "/samples/networks/bert_mini_encoder.onnx"));
    QVERIFY(waitForPlan(window));
    const auto stripWith = [&](QStringView words) {
        for (const ui::Strip* strip : window.findChildren<ui::Strip*>())
            if (strip->isVisible() && strip->text().contains(words)) return true;
        return false;
    };
    QVERIFY(stripWith(u"batch=1, sequence=128"));
    takePicture(window, QStringLiteral("chosen-sizes"));
    Document* document = window.controller().document();
    document->setHints(QStringLiteral("Pin"), {pin("any")});
    window.controller().openWith({{"batch", "2"}, {"sequence", "64"}});
    QVERIFY(QTest::qWaitFor([&] { return window.controller().document() != document; }, 30000));
    QVERIFY(waitForPlan(window));
    QVERIFY(!stripWith(u"sequence="));
    document = window.controller().document();
    QCOMPARE(document->hints().size(), std::size_t{1});
    const auto& dims = document->input().graph->dims;
    QCOMPARE(dims.size(), std::size_t{2});
    QCOMPARE(dims[0].value, std::int64_t{2});
    QCOMPARE(dims[1].value, std::int64_t{64});
}

MEMPLAN_WINDOW_TEST(LargeInputTest)
#include "tst_large_input.moc"

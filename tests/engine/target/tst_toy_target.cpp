// SPDX-License-Identifier: Apache-2.0
// A machine is a folder and a line (architecture 5.9): the toy machine is planned, verified, written, read, listed and
// swept by the common code, which does not know it.
#include "app/cli/program/commands.h"
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/sweep/sweep.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "tests/engine/target/toy/toy.h"
#include "tests/support/program.h"

#include <QFile>
#include <QIODevice>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace memplan;

class ToyTargetTest : public QObject {
    Q_OBJECT

private slots:
    void init() { write("toy boxes\na 40 0 3\nb 32 1 2\nc 24 1 4\n"); }
    void file_isRecognisedByItsContent();
    void compile_placesTheBoxes();
    void compile_stopsAfterItsFirstPass();
    void compile_aGraphForIt_isRefused();
    void compile_itsProgramForAnother_isRefused();
    void compile_unknownTarget_namesThoseThatThereAre();
    void plan_comesBackFromItsFile();
    void verify_findsDamagesOfTheFile_data();
    void verify_findsDamagesOfTheFile();
    void list_showsTargetPassesAndFormat();
    void commands_planVerifyAndSweepIt();
    void commands_whatItDoesNotHave_isRefused();
    void sweep_plansEachCell();

private:
    QTemporaryDir folder_;

    [[nodiscard]] std::string path(const char* name = "boxes.txt") const {
        return folder_.filePath(QString::fromLatin1(name)).toStdString();
    }
    void write(const char* text) const {
        QFile file(QString::fromStdString(path()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    [[nodiscard]] CompileRequest request() const {
        auto opened = io::openInput(path(), {}, {});
        if (!opened) qFatal("%s", opened.error().primary().message.c_str());
        const io::OpenedInput& input = opened.value();
        return requestFor(graphOf(*input.program, input.input.name), input.program, input.input, Settings(), {});
    }
    [[nodiscard]] PlanPtr plan() const { return compile(request(), {}).plan; }
    static int run(const cli::Args& args, std::string& out) {
        std::ostringstream text;
        std::ostringstream errors;
        const int status = cli::runProgram(args, cli::Streams{text, errors, false, false, {}, "memplan"});
        out = text.str() + errors.str();
        return status;
    }
};

void ToyTargetTest::file_isRecognisedByItsContent() {
    QCOMPARE(io::recognise("toy boxes\na 1 0 1\n").id, std::string_view("toy-boxes"));
    write("toy boxes\na one 0 1\n");
    const auto broken = io::openInput(path(), {}, {});
    QVERIFY(!broken);
    QCOMPARE(broken.error().primary().where, std::string("line 2"));
}

void ToyTargetTest::compile_placesTheBoxes() {
    const PlanPtr made = plan();
    QVERIFY(made);
    QCOMPARE(made->target, std::string("toy"));
    QCOMPARE(made->buffers[0].address, std::optional<Address>(0));
    QVERIFY(!made->buffers[1].address);  // 40 + 32 do not fit into 64
    QCOMPARE(made->buffers[2].address, std::optional<Address>(40));
    QCOMPARE(made->memory.peak, Bytes{64});
    QCOMPARE(made->passes.size(), std::size_t{2});
    QCOMPARE(made->passes[0].snapshot->text, std::string("a\nb\nc\n"));
    QCOMPARE(targetDataAs<toy::ToyData>(made->targetData)->order, (std::vector<std::string>{"a", "b", "c"}));
}

void ToyTargetTest::compile_stopsAfterItsFirstPass() {
    CompileRequest first = request();
    first.stopAfter = "order_boxes";
    const PlanPtr made = compile(first, {}).plan;
    QVERIFY(made);
    QCOMPARE(made->passes.size(), std::size_t{1});
    QVERIFY(!made->buffers[0].address);
}

void ToyTargetTest::compile_aGraphForIt_isRefused() {
    CompileRequest graph;
    graph.target = "toy";
    graph.graph = std::make_shared<const Graph>();
    const CompileOutcome outcome = compile(graph, {});
    QVERIFY(!outcome.plan && outcome.failure);
    QCOMPARE(outcome.failure->error.primary().code, std::string("IN-013"));
}

void ToyTargetTest::compile_itsProgramForAnother_isRefused() {
    CompileRequest other = request();
    QCOMPARE(other.target, std::string("toy"));
    other.target = "spyre";
    const CompileOutcome outcome = compile(other, {});
    QVERIFY(!outcome.plan && outcome.failure);
    QCOMPARE(outcome.failure->error.primary().code, std::string("IN-013"));
    QVERIFY(outcome.failure->error.primary().message.find("boxes of the toy machine") != std::string::npos);
}

void ToyTargetTest::compile_unknownTarget_namesThoseThatThereAre() {
    CompileRequest other = request();
    other.target = "abacus";
    const CompileOutcome outcome = compile(other, {});
    QVERIFY(outcome.failure);
    QVERIFY(outcome.failure->error.primary().hint.find("spyre, toy") != std::string::npos);
}

void ToyTargetTest::plan_comesBackFromItsFile() {
    const PlanPtr made = plan();
    const std::string text = io::writePlanJson(*made);
    const auto back = io::readPlanJson(text);
    QVERIFY2(back.ok(), back ? "" : back.error().primary().message.c_str());
    QCOMPARE(io::writePlanJson(back.value()), text);
    QCOMPARE(targetDataAs<toy::ToyData>(back.value().targetData)->order, (std::vector<std::string>{"a", "b", "c"}));
    QVERIFY(verifyPlan(back.value()).empty());
}

void ToyTargetTest::verify_findsDamagesOfTheFile_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("overlap") << QByteArray("\"address\": 40") << QByteArray("\"address\": 8") << QByteArray("VER-003");
    QTest::newRow("outside") << QByteArray("\"address\": 40") << QByteArray("\"address\": 48") << QByteArray("VER-002");
    QTest::newRow("peak") << QByteArray("\"peak\": 64") << QByteArray("\"peak\": 63") << QByteArray("VER-013");
    QTest::newRow("own data") << QByteArray("[\"a\", \"b\", \"c\"]") << QByteArray("[\"a\", \"b\"]")
                              << QByteArray("VER-013");
}

void ToyTargetTest::verify_findsDamagesOfTheFile() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, code);
    QByteArray text = QByteArray::fromStdString(io::writePlanJson(*plan()));
    QVERIFY(text.contains(from));
    text.replace(from, to);
    const auto damaged = io::readPlanJson(text.toStdString());
    QVERIFY2(damaged.ok(), damaged ? "" : damaged.error().primary().message.c_str());
    const std::vector<Diagnostic> found = verifyPlan(damaged.value());
    QVERIFY(!found.empty());
    QCOMPARE(QByteArray::fromStdString(found.front().code), code);
}

void ToyTargetTest::list_showsTargetPassesAndFormat() {
    std::string out;
    QCOMPARE(run({"list", "targets"}, out), 0);
    QVERIFY2(out.find("a shelf of 64 bytes") != std::string::npos, out.c_str());
    QCOMPARE(run({"list", "passes"}, out), 0);
    QVERIFY2(out.find("stack_boxes") != std::string::npos, out.c_str());
    QCOMPARE(run({"list", "formats"}, out), 0);
    QVERIFY2(out.find("toy-boxes") != std::string::npos, out.c_str());
}

void ToyTargetTest::commands_planVerifyAndSweepIt() {
    std::string out;
    QCOMPARE(run({"compile", path(), "--out", path("plan.json")}, out), 0);
    QCOMPARE(run({"verify", path("plan.json")}, out), 0);
    QCOMPARE(run({"explain", path("plan.json"), "--stats"}, out), 0);
    QVERIFY2(out.find("toy") != std::string::npos, out.c_str());
    QCOMPARE(run({"sweep", path(), "--vary", "toy.shelf=64,128", "--out", path("sweep.csv")}, out), 0);
    QFile csv(QString::fromStdString(path("sweep.csv")));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QCOMPARE(csv.readAll().count(",ok,"), 2);
}

/// Asked for what the machine does not have, the program says so and ends with an error.
void ToyTargetTest::commands_whatItDoesNotHave_isRefused() {
    std::string out;
    QVERIFY(run({"compile", path(), "--out", path("plan.json"), "--export", path("files")}, out) != 0);
    QVERIFY2(out.find("EXP-006 the target toy has no files of its own to export") != std::string::npos, out.c_str());
    QVERIFY(!QFile::exists(QString::fromStdString(path("files"))));
    QCOMPARE(run({"sweep", path(), "--vary", "spyre.cores=1,2", "--out", path("sweep.csv")}, out), 2);
    QVERIFY2(out.find("\"spyre.cores\" is a setting of spyre, and this sweep plans for toy") != std::string::npos,
             out.c_str());
}

void ToyTargetTest::sweep_plansEachCell() {
    sweep::SweepRequest many;
    many.base = request();
    many.axes = {{"toy.shelf", {"32", "64", "128"}}};
    const auto cells = sweep::runSweep(many, {});
    QVERIFY(cells.ok());
    QCOMPARE(cells.value().size(), std::size_t{3});
    for (const sweep::SweepCell& cell : cells.value()) {
        QVERIFY2(cell.isOk(), cell.message.c_str());
        QCOMPARE(cell.plan->target, std::string("toy"));
    }
    QVERIFY(!cells.value()[0].plan->buffers[0].address);  // 40 bytes on a shelf of 32
    QCOMPARE(cells.value()[2].plan->memory.peak, Bytes{96});
}

MEMPLAN_TEST(ToyTargetTest)
#include "tst_toy_target.moc"

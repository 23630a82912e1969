// SPDX-License-Identifier: Apache-2.0
// Buffer lists and allocation instances: reading with every code of inputs-and-interchange 4.1, and
// writing back.
#include "engine/io/input.h"
#include "engine/io/instances/instances.h"
#include "engine/solve/renaming.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/program.h"

#include <QDir>
#include <QTest>

#include <algorithm>

using namespace memplan;

namespace {

constexpr const char* kExample = "id,lower,upper,size,alignment\n"
                                 "x,0,2,1048576,128\n"
                                 "max,0,2,1024,128\n"
                                 "sub,1,3,1048576,128\n"
                                 "exp,2,5,1048576,128\n"
                                 "sum,3,5,1024,128\n"
                                 "y,4,5,1048576,128\n";

Result<io::BufferList> read(std::string_view text, const io::Limits& limits = {}) {
    return io::readBufferCsv(text, limits, RunControl{});
}

/// Bytes live at a time.
Bytes liveAt(const solve::Problem& p, Step t) {
    Bytes sum = 0;
    for (const solve::Item& i : p.items)
        sum += i.start <= t && t < i.end ? i.size : 0;
    return sum;
}

}  // namespace

class TestInstances : public QObject {
    Q_OBJECT
private slots:
    void example();
    void codes_data();
    void codes();
    void warnings_data();
    void warnings();
    void columnVariants();
    void gaps();
    void writesOnlyWhatIsNeeded();
    void extraColumnsComeBack();
    void rowLimit();
    void longLine();
    void bytesThatAreNoUtf8_areRefused();
    void sharedBenchmarks();
    void jsonLines();
    void jsonLinesParents_onceEach_unknownIgnored();
    void jsonLinesOverwrites();
    void jsonLinesErrors_data();
    void jsonLinesErrors();
};

void TestInstances::example() {
    const auto list = read(kExample);
    QVERIFY(list.ok());
    const solve::Problem& p = list.value().problem;
    QCOMPARE(p.items.size(), std::size_t{6});
    QCOMPARE(p.items[3].name, std::string("exp"));
    QCOMPARE(p.items[3].alignment, Bytes{128});
    const std::vector<Bytes> live = {1'049'600, 2'098'176, 2'097'152, 1'049'600, 2'098'176};
    for (Step t = 0; t < 5; ++t)
        QCOMPARE(liveAt(p, t), live[static_cast<std::size_t>(t)]);
    QCOMPARE(io::writeBufferCsv(list.value(), {}), std::string(kExample));
    const solve::Addresses packing = {0, 2'097'152, 1'048'576, 0, 2'097'152, 1'048'576};
    const std::string placed = io::writeBufferCsv(list.value(), packing);
    QVERIFY(
        placed.starts_with("id,lower,upper,size,alignment,offset\nx,0,2,1048576,128,0\nmax,0,2,1024,128,2097152\n"));
    const auto again = read(placed);
    QVERIFY(again.ok());
    QVERIFY(again.value().diagnostics.empty());  // the packing is valid
    QCOMPARE(*again.value().problem.items[1].givenAddress, Address{2'097'152});
}

void TestInstances::codes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* name, const char* text, const char* code, const char* where) {
        QTest::newRow(name) << text << code << where;
    };
    row("empty", "", "CSV-001", "1:1");
    row("no header", "\nx,0,1,2\n", "CSV-001", "1:1");
    row("missing column", "id,lower,upper\n", "CSV-001", "1:1");
    row("column twice", "id,lower,start,upper,size\n", "CSV-002", "1:10");
    row("fields", "id,lower,upper,size\na,0,1\n", "CSV-003", "2:1");
    row("no integer", "id,lower,upper,size\na,0,1,5x\n", "CSV-004", "2:7");
    row("beyond 64 bits", "id,lower,upper,size\na,0,1,99999999999999999999\n", "CSV-004", "2:7");
    row("end", "id,lower,upper,size\na,3,3,5\n", "CSV-005", "2:5");
    row("size", "id,lower,upper,size\na,0,1,0\n", "CSV-006", "2:7");
    row("alignment", "id,lower,upper,size,alignment\na,0,1,1,0\n", "CSV-006", "2:9");
    row("id twice", "id,lower,upper,size\na,0,1,1\na,1,2,1\n", "CSV-007", "3:1");
    row("gap outside", "id,lower,upper,size,gaps\na,0,4,8,2-5\n", "CSV-008", "2:9");
    row("gap malformed", "id,lower,upper,size,gaps\na,0,4,8,1-2 3\n", "CSV-008", "2:13");
    row("gaps overlap", "id,lower,upper,size,gaps\na,0,9,8,1-4 3-5\n", "CSV-008", "2:13");
    row("gap window", "id,lower,upper,size,gaps\na,0,9,8,1-4@2:9\n", "CSV-008", "2:9");
}

void TestInstances::codes() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    QFETCH(QString, where);
    const auto result = read(text.toStdString());
    QVERIFY(!result.ok());
    QCOMPARE(QString::fromStdString(result.error().primary().code), code);
    QCOMPARE(QString::fromStdString(result.error().primary().where), where);
}

void TestInstances::warnings_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("rows");
    QTest::newRow("empty line") << "id,lower,upper,size\na,0,1,1\n\nb,0,1,1\n"
                                << "CSV-009" << 1;
    QTest::newRow("unknown column") << "id,lower,upper,size,colour\na,0,1,1,red\n"
                                    << "CSV-010" << 1;
    QTest::newRow("overlap") << "id,lower,upper,size,offset\na,0,2,8,0\nb,1,3,8,4\n"
                             << "CSV-011" << 2;
}

void TestInstances::warnings() {
    QFETCH(QString, text);
    QFETCH(QString, code);
    QFETCH(int, rows);
    const auto result = read(text.toStdString());
    QVERIFY(result.ok());
    QCOMPARE(static_cast<int>(result.value().problem.items.size()), rows);
    QCOMPARE(result.value().diagnostics.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(result.value().diagnostics[0].code), code);
    QCOMPARE(result.value().diagnostics[0].severity, Severity::Warning);
}

void TestInstances::columnVariants() {
    const auto list = read("size,buffer_id,end,begin,hint,gaps,offset\r\n7,a b,9,0,-1,2-3,\r\n8,c,9,1,64,,16\r\n");
    QVERIFY(list.ok());
    const auto& items = list.value().problem.items;
    QCOMPARE(items[0].name, std::string("a b"));
    QCOMPARE(items[0].end, Step{10});  // an included end
    QCOMPARE(items[0].gaps[0].to, Step{4});
    QVERIFY(!items[0].givenAddress);
    QCOMPARE(*items[1].givenAddress, Address{16});
    QVERIFY(!list.value().hints[0]);
    QCOMPARE(*list.value().hints[1], Address{64});
    const auto touching = read("id,lower,upper,size,offset\na,0,2,8,0\nb,2,3,8,0\n");
    QVERIFY(touching.value().diagnostics.empty());  // an end equal to a start is no overlap
}

void TestInstances::gaps() {
    const char* text = "id,lower,upper,size,gaps\na,0,9,8,1-2 4-6@0:4\nb,0,9,8,\n";
    const auto list = read(text);
    QVERIFY(list.ok());
    QCOMPARE(list.value().problem.items[0].gaps.size(), std::size_t{2});
    QCOMPARE(list.value().problem.items[0].gaps[1].hi, Bytes{4});
    QCOMPARE(io::writeBufferCsv(list.value(), {}), std::string(text));
    // b lies where a is dead: the upper half during [4,6), nothing else overlaps.
    const auto apart = read("id,lower,upper,size,gaps,offset\na,0,9,8,4-6@0:4,0\nb,4,6,4,,4\n");
    QVERIFY(apart.value().diagnostics.empty());
    const auto overlap = read("id,lower,upper,size,gaps,offset\na,0,9,8,4-6@0:4,0\nb,4,6,4,,3\n");
    QCOMPARE(overlap.value().diagnostics.size(), std::size_t{1});
    QVERIFY(overlap.value().diagnostics[0].message.find("[3, 4)") != std::string::npos);
}

void TestInstances::writesOnlyWhatIsNeeded() {
    const auto list = read("id,lower,upper,size,alignment,gaps\na,0,1,3,1,\n");
    QCOMPARE(io::writeBufferCsv(list.value(), {}), std::string("id,lower,upper,size\na,0,1,3\n"));
    QCOMPARE(io::writeBufferCsv(list.value(), {std::nullopt}), std::string("id,lower,upper,size\na,0,1,3\n"));
}

void TestInstances::extraColumnsComeBack() {
    const auto list = read("colour,id,lower,upper,size\nred,=a,0,1,3\n,b,0,1,4\n");
    QVERIFY(list.ok());
    QCOMPARE(io::writeBufferCsv(list.value(), {}), std::string("id,lower,upper,size,colour\n=a,0,1,3,red\nb,0,1,4,\n"));
}

void TestInstances::rowLimit() {
    io::Limits limits;
    limits.csvRows = 2;
    const auto result = read("id,lower,upper,size\na,0,1,1\nb,0,1,1\nc,0,1,1\n", limits);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().primary().code, std::string("CSV-012"));
    limits = {};
    limits.csvBytes = 10;
    QCOMPARE(read(kExample, limits).error().primary().code, std::string("CSV-012"));
}

void TestInstances::longLine() {
    const auto result = read("id,lower,upper,size\n" + std::string(2 << 20, 'a') + ",0,1,1\n");
    QVERIFY(!result.ok());
    QCOMPARE(result.error().primary().code, std::string("CSV-013"));
}

/// Names that are no text would be written as other ones; the place is reported, in the header and in rows.
void TestInstances::bytesThatAreNoUtf8_areRefused() {
    const auto rows = read("id,lower,upper,size\na,0,1,1\nb\xFF,0,1,1\n\xC3(,0,1,1\n");
    QVERIFY(!rows.ok());
    QCOMPARE(rows.error().diagnostics.size(), std::size_t{2});
    QCOMPARE(rows.error().primary().code, std::string("CSV-014"));
    QCOMPARE(rows.error().primary().where, std::string("3:2"));
    QCOMPARE(rows.error().primary().message, std::string("the byte \\xFF is no UTF-8"));
    QCOMPARE(rows.error().diagnostics[1].where, std::string("4:1"));
    const auto header = read("id,lower,upper,size,no\xE9\na,0,1,1,x\n");
    QVERIFY(!header.ok());
    QCOMPARE(header.error().primary().where, std::string("1:23"));
    const auto zero = read(std::string("id,lower,upper,size\na\0b,0,1,1\n", 31));
    QVERIFY(!zero.ok());
    QCOMPARE(zero.error().primary().message, std::string("the byte \\x00 is no text"));
    const auto text = read("id,lower,upper,size\n\xC3\xA9t\xC3\xA9,0,1,1\n");
    QVERIFY(text.ok());
    QCOMPARE(text.value().problem.items.front().name, std::string("\xC3\xA9t\xC3\xA9"));
}

void TestInstances::sharedBenchmarks() {
    const QDir folder(QStringLiteral(MEMPLAN_SOURCE_DIR "/../shared/vectors/minimalloc"));
    if (!folder.exists()) QSKIP("the shared placement benchmarks are not here");
    const std::vector<std::pair<const char*, std::size_t>> rows = {
        {"A.1048576.csv", 154}, {"C.1048576.csv", 203}, {"K.1048576.csv", 454}, {"input.12.csv", 5}};
    for (const auto& [name, count] : rows) {
        const auto bytes = io::readFile(folder.filePath(name).toStdString(), 1 << 26, "X");
        const auto list = read(bytes.value());
        QVERIFY(list.ok());
        QCOMPARE(list.value().problem.items.size(), count);
        QCOMPARE(io::writeBufferCsv(list.value(), {}), bytes.value());
    }
}

void TestInstances::jsonLines() {
    const std::string text =
        R"({"name":"one","capacity":1000,"alignment":128,"buffers":[{"name":"a","size":100,"start":0,"end":2,"in_place_parents":[],"uses":[0,1],"first_use_is_read":true},{"name":"b","size":90,"start":1,"end":3,"in_place_parents":["a"],"uses":[1,2],"first_use_is_read":false}],"expected":{}})"
        "\n\n"
        R"({"name":"two","capacity":5,"buffers":[]})"
        "\n";
    const auto problems = io::readInstances(text, {}, RunControl{});
    QVERIFY(problems.ok());
    QCOMPARE(problems.value().size(), std::size_t{2});
    const solve::Problem& p = problems.value()[0];
    QCOMPARE(p.capacity, Bytes{1000});
    QCOMPARE(p.alignment, Bytes{128});
    QVERIFY(p.items[0].firstUseIsRead);
    QCOMPARE(p.items[1].inPlaceParents, (std::vector<int>{0}));
    const std::string written = io::writeInstances(problems.value());
    QCOMPARE(std::count(written.begin(), written.end(), '\n'), std::ptrdiff_t{2});
    const auto again = io::readInstances(written, {}, RunControl{});
    QVERIFY(again.ok());
    QVERIFY(again.value() == problems.value());
}

void TestInstances::jsonLinesParents_onceEach_unknownIgnored() {
    const auto problems = io::readInstances(
        R"({"capacity":10,"alignment":1,"buffers":[{"name":"p","size":5,"start":0,"end":3,"uses":[0,2]},{"name":"q","size":5,"start":1,"end":3,"uses":[1,2]},{"name":"c","size":5,"start":2,"end":4,"in_place_parents":["p","gone","q","p","q"],"uses":[2,3]}]})",
        {}, RunControl{});
    QVERIFY(problems.ok());
    const solve::Problem& p = problems.value().front();
    QCOMPARE(p.items[2].inPlaceParents, (std::vector<int>{0, 1}));
    for (const solve::Solver* solver : solve::allSolvers()) {
        const auto solution = solver->solve(p, {}, RunControl{});
        QVERIFY(solution.ok());
        QVERIFY2(solve::validate(p, solution.value().addresses).empty(), solver->id().data());
        QVERIFY(solution.value().addresses[2].has_value());
    }
}

/// An overwrite ends the content behind the use before it.
void TestInstances::jsonLinesOverwrites() {
    const auto problems = io::readInstances(
        R"({"capacity":9,"buffers":[{"name":"a","size":4,"start":0,"end":8,"uses":[0,1,3,4,7],"overwrites":[0,3,4]}]})",
        {}, RunControl{});
    QVERIFY(problems.ok());
    const solve::Problem& p = problems.value().front();
    QCOMPARE(p.items.front().gaps, (std::vector<solve::Item::Gap>{{2, 3, 0, 0}, {4, 4, 0, 0}}));
    const solve::Problem parts = solve::withFreeRenaming(p);
    QCOMPARE(parts.items.size(), std::size_t{3});
    QCOMPARE(parts.items[0].name, std::string("a.0"));
    QCOMPARE(parts.items[0].end, Step{2});
    QCOMPARE(parts.items[2].start, Step{4});
    QCOMPARE(parts.items[2].uses, (std::vector<Step>{4, 7}));
    QCOMPARE(solve::withoutEmptyGaps(p).items.front().gaps.size(), std::size_t{1});
}

void TestInstances::jsonLinesErrors_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("where");
    QTest::newRow("syntax") << "{\"capacity\":1,\n"
                            << "1:15";
    QTest::newRow("syntax behind") << "\n{\"capacity\":1,\"buffers\":[]}\nnot json\n"
                                   << "3:2";
    QTest::newRow("no buffers") << "{\"name\":\"a\",\"capacity\":1}"
                                << "1:";
    QTest::newRow("overwrite") << "{\"capacity\":1,\"buffers\":[{\"name\":\"a\",\"size\":1,\"start\":0,\"end\":3,"
                                  "\"uses\":[0,2],\"overwrites\":[1]}]}"
                               << "1:/buffers/0/overwrites/0";
    QTest::newRow("no end") << "\n{\"capacity\":1,\"buffers\":[{\"name\":\"a\",\"size\":1,\"start\":0}]}"
                            << "2:/buffers/0";
    QTest::newRow("parent") << "{\"capacity\":1,\"buffers\":[{\"name\":\"a\",\"size\":1,\"start\":0,\"end\":1,\"in_"
                               "place_parents\":[7]}]}"
                            << "1:/buffers/0/in_place_parents/0";
    QTest::newRow("size") << "{\"capacity\":1,\"buffers\":[{\"name\":\"a\",\"size\":1.5,\"start\":0,\"end\":1}]}"
                          << "1:/buffers/0/size";
    QTest::newRow("nothing") << "\n"
                             << "1:";
}

void TestInstances::jsonLinesErrors() {
    QFETCH(QString, text);
    QFETCH(QString, where);
    const auto problems = io::readInstances(text.toStdString(), {}, RunControl{});
    QVERIFY(!problems.ok());
    QCOMPARE(QString::fromStdString(problems.error().primary().code), QStringLiteral("IN-008"));
    QCOMPARE(QString::fromStdString(problems.error().primary().where), where);
}

MEMPLAN_TEST(TestInstances)
#include "tst_instances.moc"

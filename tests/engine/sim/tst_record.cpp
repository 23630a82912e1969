// SPDX-License-Identifier: Apache-2.0
// The JSON form of an execution record: round trip, what is left out, refusals with their place (proof-and-search A3).
#include "engine/sim/record/record.h"
#include "engine/sim/record/record_text.h"
#include "tests/engine/sim/record_json.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <limits>
#include <random>

using namespace memplan;
using namespace memplan::sim;

using test::q;

namespace {

RecordBuffer buffer(const char* name, RecordMemory memory, std::int64_t address) {
    RecordBuffer b;
    b.name = name;
    b.role = "intermediate";
    b.hostSize = {128, 256};
    b.deviceSize = {4, 128, 64};
    b.strideMap = {64, 256, 1};
    b.memory = memory;
    b.address = address;
    b.end = 4;
    return b;
}

RecordArg arg(int buffer, bool isInput, std::int64_t base) {
    RecordArg a;
    a.buffer = buffer;
    a.isInput = isInput;
    a.index = {3, {{0, 256}, {1, 1}}};
    a.memory = RecordMemory::Lx;
    a.base = base;
    return a;
}

/// One of everything.
ExecutionRecord sample() {
    ExecutionRecord r;
    r.target = "spyre";
    r.cores = 4;
    r.lxCapacity = 1'677'721;
    r.hasPool = true;
    r.claimedReadBytes = 65'536;
    r.buffers = {buffer("x", RecordMemory::Hbm, 0), buffer("a", RecordMemory::Lx, 128),
                 buffer("b \"quoted\" \xc3\xa9", RecordMemory::Pool, 4096)};
    r.buffers[1].inPlaceOf = 0;
    r.buffers[0].denotes = "x";
    RecordOp op;
    op.name = "sub";
    op.kind = "pointwise";
    op.fn = "sub";
    op.attributes = "alpha=0.5";
    op.source = {"sub_1", "sub_2"};
    op.space = {{"d0", 128, false, 4, 1}, {"d1", 256, true, 2, 64}};
    op.kFirst = true;
    op.cores = 8;
    op.args = {arg(0, true, 1 << 20), arg(1, false, 256)};
    op.args[0].advance = {4096, 0};
    op.args[0].element = LinearIndex{0, {{1, -7}, {0, 1}}};
    op.args[0].elementAdvance = {0, 512};
    op.args[0].isIndirect = true;
    op.args[0].writerSlices = {{1, 4}};
    op.args[0].viewStrides = {1, 256};
    op.args[1].perTileFixed = true;
    RecordOp fill;
    fill.name = "fill";
    fill.kind = "constant";
    fill.fn = "constant";
    fill.role = RecordRole::Fill;
    fill.fillValue = -std::numeric_limits<double>::infinity();
    fill.args = {arg(2, false, 0)};
    fill.args[0].index = {};
    r.ops = {op, fill};
    RecordStep inner;
    inner.count = 3;
    inner.variable = "i1";
    inner.body.resize(1);
    inner.body[0].op = 0;
    RecordStep outer;
    outer.count = 2;
    outer.variable = "i0";
    outer.body = {inner};
    RecordStep last;
    last.op = 1;
    r.steps = {outer, last};
    r.kernels = {{"sdsc_fused_sub_0", {0}, {0, 1}, true}, {"fill", {1}, {}, false}};
    r.outputs = {{"out", 1, {256, 1}, 0}, {"part", 1, {256, 1}, 64}};
    return r;
}

bool areEqual(const ExecutionRecord& a, const ExecutionRecord& b) {
    return a.target == b.target && a.cores == b.cores && a.lxBytes == b.lxBytes && a.lxCapacity == b.lxCapacity &&
           a.alignment == b.alignment && a.hasPool == b.hasPool && a.claimedReadBytes == b.claimedReadBytes &&
           a.claimedWriteBytes == b.claimedWriteBytes && a.buffers == b.buffers && a.ops == b.ops &&
           a.steps == b.steps && a.kernels == b.kernels && a.outputs == b.outputs;
}

/// The sample with one text put in the place of another; the other must be there.
std::string changed(const char* from, const char* to) {
    std::string text = test::recordJson(sample());
    const std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("the record does not hold %s", from);
    return text.replace(at, std::string(from).size(), to);
}

}  // namespace

class TestRecord : public QObject {
    Q_OBJECT
private slots:
    void roundTrip();
    void oneLinePerOpAndBuffer();
    void defaultsAreLeftOut();
    void indices_data();
    void indices();
    void refusals_data();
    void refusals();
    void damage_neverCrashes();
};

void TestRecord::roundTrip() {
    const std::string text = test::recordJson(sample());
    const auto read = test::recordFromJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : qPrintable(q(read.error().primary().where + read.error().primary().message)));
    QVERIFY(areEqual(read.value(), sample()));
    QCOMPARE(test::recordJson(read.value()), text);
}

void TestRecord::oneLinePerOpAndBuffer() {
    const QStringList lines = q(test::recordJson(sample())).split('\n');
    QCOMPARE(lines.filter("\"host_size\"").size(), 3);
    QCOMPARE(lines.filter("\"fn\"").size(), 2);
    for (const QString& line : lines)
        QVERIFY(line.count("\"host_size\"") <= 1 && line.count("\"fn\"") <= 1);
}

void TestRecord::defaultsAreLeftOut() {
    ExecutionRecord r;
    r.target = "spyre";
    r.buffers = {buffer("x", RecordMemory::Hbm, 0)};
    RecordOp op;
    op.name = "exp";
    op.space = {{"d0", 128, false, 1, 1}};
    op.args = {RecordArg{}};
    op.args[0].buffer = 0;
    r.ops = {op};
    const QString text = q(test::recordJson(r));
    for (const char* key :
         {"pool\": true", "in_place_of", "denotes", "attrs", "value", "core_map", "split", "unit", "\"input\"",
          "advance", "element", "per_tile_fixed", "indirect", "view_strides", "writer_slices", "source"})
        QVERIFY2(!text.contains(key), key);
    QVERIFY(areEqual(test::recordFromJson(text.toStdString()).value(), r));
}

void TestRecord::indices_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");  // empty: refused
    const auto row = [](const char* text, const char* canonical) { QTest::newRow(text) << text << canonical; };
    row("0", "0");
    row("5", "5");
    row("-5", "-5");
    row("d0", "d0");
    row("-d1", "-d1");
    row("256*d0+d1", "256*d0+d1");
    row("-2*d1+256*d0-3", "-2*d1+256*d0-3");
    row("1+d0+1", "d0+2");
    row("1*d0", "d0");
    for (const char* bad : {"", "+", "-", "d2", "d0+d0", "2*", "*d0", "2*d0*d1", "d0*2", "d0 + 1", "--d0", "0*d0",
                            "99999999999999999999", "9223372036854775807+1", "d0+", "2*3", "floor(d0/2)"})
        row(bad, "");
}

void TestRecord::indices() {
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    const std::vector<RecordSymbol> space = {{"d0", 4}, {"d1", 8}};
    const auto index = indexFromText(text.toStdString(), space);
    QCOMPARE(index.has_value(), !canonical.isEmpty());
    if (!index) return;
    QCOMPARE(q(indexText(*index, space)), canonical);
    QCOMPARE(indexFromText(indexText(*index, space), space), index);
}

void TestRecord::refusals_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* from, const char* to, const char* where) {
        QTest::addRow("%s", to) << from << to << where;
    };
    row("\"target\": \"spyre\"", "\"target\": \"ttnn\"", "/execution/target");
    row("\"cores\": 4", "\"cores\": 0", "/execution/cores");
    row("\"cores\": 4", "\"cores\": \"4\"", "/execution/cores");
    row("\"cores\": 4", "\"cores\": 18446744073709551615", "/execution/cores");
    row("\"alignment\": 128, ", "", "/execution");
    row("\"bytes\": 2", "\"bytes\": 9", "/execution/buffers/0/bytes");
    row("\"host_size\": [128, 256]", "\"host_size\": [128, -1]", "/execution/buffers/0/host_size/1");
    row("\"host_size\": [128, 256]", "\"host_size\": [99999999999, 99999999999]", "/execution/buffers/0/host_size");
    row("\"host_size\": [128, 256]", "\"host_size\": 128", "/execution/buffers/0/host_size");
    row("\"stride_map\": [64, 256, 1]", "\"stride_map\": [64, 256]", "/execution/buffers/0/layout");
    row("\"device_size\": [4, 128, 64]", "\"device_size\": [4, 0, 64]", "/execution/buffers/0/layout/device_size/1");
    row("\"mem\": \"lx\"", "\"mem\": \"l1\"", "/execution/buffers/1/mem");
    row("\"live\": [0, 4]", "\"live\": [0]", "/execution/buffers/0/live");
    row("\"in_place_of\": 0", "\"in_place_of\": 3", "/execution/buffers/1/in_place_of");
    row("\"role\": \"compute\"", "\"role\": \"magic\"", "/execution/ops/0/role");
    row("[\"d1\", 256, true]", "[\"d0\", 256, true]", "/execution/ops/0/space/1/0");
    row("[\"d1\", 256, true]", "[\"d 1\", 256, true]", "/execution/ops/0/space/1/0");
    row("[\"d1\", 256, true]", "[\"d1\", 0, true]", "/execution/ops/0/space/1/1");
    row("[\"d1\", 256, true]", "[\"d1\"]", "/execution/ops/0/space/1");
    row("\"split\": {\"d0\": 4", "\"split\": {\"d7\": 4", "/execution/ops/0/split/d7");
    row("\"split\": {\"d0\": 4", "\"split\": {\"d0\": 0", "/execution/ops/0/split/d0");
    row("\"core_map\": \"last_first\"", "\"core_map\": \"random\"", "/execution/ops/0/core_map");
    row("\"args\": [{\"buffer\": 0", "\"args\": [{\"buffer\": 3", "/execution/ops/0/args/0/buffer");
    row("\"args\": [{\"buffer\": 0", "\"args\": [{\"buffer\": -1", "/execution/ops/0/args/0/buffer");
    row("\"index\": \"256*d0+d1+3\"", "\"index\": \"256*d9\"", "/execution/ops/0/args/0/index");
    row("\"index\": \"256*d0+d1+3\"", "\"index\": 3", "/execution/ops/0/args/0/index");
    row("\"advance\": [4096, 0]", "\"advance\": [4096]", "/execution/ops/0");
    row("\"element_advance\": [0, 512]", "\"element_advance\": [1, 2, 3]", "/execution/ops/0");
    row("\"writer_slices\": [[1, 4]]", "\"writer_slices\": [[2, 4]]", "/execution/ops/0/args/0/writer_slices");
    row("\"view_strides\": [1, 256]", "\"view_strides\": [1, -256]", "/execution/ops/0/args/0/view_strides/1");
    row("\"value\": \"-inf\"", "\"value\": \"minus\"", "/execution/ops/1/value");
    row("{\"op\": 0}", "{\"op\": 2}", "/execution/steps/0/loop/body/0/loop/body/0/op");
    row("{\"op\": 0}", "{}", "/execution/steps/0/loop/body/0/loop/body/0");
    row("{\"op\": 1}", "{\"op\": 0}", "/execution/steps/1");
    row("\"var\": \"i1\"", "\"var\": \"i0\"", "/execution/steps/0/loop/body/0/loop");
    row("\"count\": 3", "\"count\": -3", "/execution/steps/0/loop/body/0/loop/count");
    row("\"ops\": [0], \"arguments\": [0, 1]", "\"ops\": [5], \"arguments\": [0, 1]", "/execution/kernels/0/ops/0");
    row("\"arguments\": [0, 1]", "\"arguments\": [0, 4]", "/execution/kernels/0/arguments/1");
    row("\"buffer\": 1, \"strides\"", "\"buffer\": 9, \"strides\"", "/execution/outputs/0/buffer");
    row("\"steps\"", "\"stepz\"", "/execution");
}

void TestRecord::refusals() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, where);
    const auto read = test::recordFromJson(changed(qPrintable(from), qPrintable(to)));
    QVERIFY(!read.ok());
    QCOMPARE(q(read.error().primary().code), QStringLiteral("IN-008"));
    QCOMPARE(q(read.error().primary().where), where);
    QVERIFY(!read.error().primary().message.empty());
}

void TestRecord::damage_neverCrashes() {
    const std::string sound = test::recordJson(sample());
    QVERIFY(!test::recordFromJson("").ok());
    QVERIFY(!test::recordFromJson("[]").ok());
    QVERIFY(!test::recordFromJson("{}").ok());
    std::mt19937 random(1);  // NOLINT: the same damage each time
    const std::string alphabet = "0123456789-[]{}\",:ax";
    for (int round = 0; round < 4000; ++round) {
        std::string text = sound;
        for (int k = 0; k < 3; ++k)
            text[random() % text.size()] = alphabet[random() % alphabet.size()];
        const auto read = test::recordFromJson(text);
        if (!read) QVERIFY(q(read.error().primary().where).startsWith("/execution"));
    }
}

MEMPLAN_TEST(TestRecord)
#include "tst_record.moc"

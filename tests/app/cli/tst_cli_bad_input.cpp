// SPDX-License-Identifier: Apache-2.0
// Hostile and broken inputs (inputs-and-interchange 7): status 3, one clear line, no crash.
#include "tests/app/cli/cli_support.h"
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <functional>

using namespace cli_test;

namespace {

/// The softmax graph after a change to its JSON.
QByteArray changedGraph(const std::function<void(QJsonObject&)>& change) {
    QJsonObject root = parsed(softmaxGraph());
    change(root);
    return QJsonDocument(root).toJson();
}

void setIn(QJsonObject& root, const char* list, int index, const char* key, const QJsonValue& value) {
    QJsonArray array = root[list].toArray();
    QJsonObject entry = array[index].toObject();
    entry[key] = value;
    array[index] = entry;
    root[list] = array;
}

int tensorIndex(const QJsonObject& root, const QString& id) {
    const QJsonArray tensors = root["tensors"].toArray();
    for (int i = 0; i < tensors.size(); ++i) {
        if (tensors[i].toObject()["id"].toString() == id) return i;
    }
    return -1;
}

}  // namespace

class TestCliBadInput : public QObject {
    Q_OBJECT

private slots:
    void badFile_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        QTest::newRow("empty json") << "e.json" << QByteArray() << "MPG-001";
        QTest::newRow("empty onnx") << "e.onnx" << QByteArray() << "ONNX-001";
        QTest::newRow("empty csv") << "e.csv" << QByteArray() << "CSV-001";
        QTest::newRow("noise") << "n.bin" << QByteArray("\xde\xad\xbe\xef hello") << "IN-001";
        QTest::newRow("truncated onnx") << "t.onnx" << QByteArray("\x08\x07\x3a\x7f\x0a\x05") << "ONNX-01";
        QTest::newRow("pickle") << "p.pickle" << QByteArray("\x80\x04\x95rest") << "IN-010";
        QTest::newRow("tflite") << "m.tflite" << QByteArray("\x1c\0\0\0TFL3....", 12) << "IN-011";
        QTest::newRow("json syntax") << "s.json" << QByteArray("{\"format\": \"memplan-graph\",}") << "MPG-011";
        QTest::newRow("million brackets") << "d.json" << QByteArray(1'000'000, '[') << "MPG-012";
        QTest::newRow("million objects") << "d.json" << QByteArray("{\"a\":").repeated(200'000) << "MPG-012";
        QTest::newRow("duplicate names") << "g.mpg.json"
                                         << changedGraph([](QJsonObject& g) { setIn(g, "tensors", 1, "id", "x"); })
                                         << "MPG-201";
        QTest::newRow("cyclic graph") << "g.mpg.json" << changedGraph([](QJsonObject& g) {
            setIn(g, "ops", 1, "inputs", QJsonArray{"exp", "max"});
            setIn(g, "ops", 2, "inputs", QJsonArray{"sub"});
        }) << "MPG-304";
        QTest::newRow("dimension of 2^40") << "g.mpg.json" << changedGraph([](QJsonObject& g) {
            setIn(g, "tensors", tensorIndex(g, "x"), "shape", QJsonArray{1099511627776.0, 1});
        }) << "MPG-107";
        QTest::newRow("product over 2^48") << "g.mpg.json" << changedGraph([](QJsonObject& g) {
            setIn(g, "tensors", tensorIndex(g, "x"), "shape", QJsonArray{2147483647, 2147483647, 2147483647});
        }) << "MPG-3";
        QTest::newRow("negative size") << "g.mpg.json" << changedGraph([](QJsonObject& g) {
            setIn(g, "tensors", tensorIndex(g, "x"), "shape", QJsonArray{-1, 4});
        }) << "MPG-107";
        QTest::newRow("unknown tensor") << "g.mpg.json" << changedGraph([](QJsonObject& g) {
            setIn(g, "ops", 0, "inputs", QJsonArray{"nobody"});
        }) << "MPG-203";
        QTest::newRow("newer version") << "g.mpg.json" << changedGraph([](QJsonObject& g) { g["version"] = 9; })
                                       << "MPG-102";
        QTest::newRow("csv end before start") << "b.csv" << QByteArray("id,lower,upper,size\na,5,5,10\n") << "CSV-005";
    }
    void badFile() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write(name, bytes), "--out", folder.path("out.json")});
        QVERIFY2(f.status == 3,
                 qPrintable(QString("status %1: %2").arg(f.status).arg(QString::fromUtf8(f.err.left(500)))));
        QVERIFY2(QString::fromUtf8(f.err).contains(code), f.err.left(500).constData());
        QVERIFY(f.err.startsWith("memplan: error: "));
        QVERIFY(f.out.isEmpty());
        QVERIFY(!folder.has("out.json"));
        for (const char* raw : {"std::", "terminate", "nlohmann", "assert", "Sanitizer"})
            QVERIFY2(!f.err.contains(raw), raw);
    }

    void notAFile_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("directory") << "/";
        QTest::newRow("missing") << "/no/such/file.onnx";
        QTest::newRow("device") << "/dev/zero";
        QTest::newRow("name with escapes") << "no\nsuch\x1b[31m.json";
    }
    void notAFile() {
        QFETCH(QString, path);
        for (const char* command : {"compile", "verify"}) {
            const Finished f = runMemplan({command, path});
            QVERIFY2(f.status == 3, f.err.constData());
            QVERIFY2(f.err.contains("IN-904"), f.err.constData());
            QCOMPARE(f.errLines().size(), 1);
            QVERIFY(!f.err.contains('\x1b'));
        }
    }

    void limits_areSettings() {
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", input, "--set", "limits.json_bytes=100"});
        QCOMPARE(f.status, 3);
        QVERIFY(f.err.contains("MPG-002") && f.err.contains("limits.json_bytes"));
    }

    void hintFile_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no json") << QByteArray("hello");
        QTest::newRow("other format") << QByteArray("{\"format\":\"memplan-plan\",\"version\":1}");
        QTest::newRow("newer version") << QByteArray("{\"format\":\"memplan-hints\",\"version\":2,\"hints\":[]}");
        QTest::newRow("deep") << QByteArray(100'000, '[');
    }
    void hintFile() {
        QFETCH(QByteArray, bytes);
        const Folder folder;
        const QString input = folder.write("s.mpg.json", softmaxGraph());
        const Finished f = runMemplan({"compile", input, "--hints", folder.write("h.json", bytes)});
        QVERIFY2(f.status == 3, f.err.constData());
        QVERIFY2(f.err.contains("HNT-010"), f.err.constData());
    }

    /// Each error line ends with its mend in brackets.
    void errors_sayHowToMend_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("code");
        const auto hints = [](const char* row, const QByteArray& list) {
            QTest::newRow(row) << "h.json"
                               << "{\"format\": \"memplan-hints\", \"version\": 1, \"hints\": " + list + "}"
                               << QByteArray("HNT-010");
        };
        const QByteArray most = "[{\"target\": \"spyre\", \"scope\": \"graph\", \"value\": 1, ";
        hints("no list", "3");
        hints("graph is no object", "[], \"graph\": 5");
        hints("no object", "[3]");
        hints("no target", "[{}]");
        hints("no text", most + "\"key\": 3}]");
        hints("no flag", most + "\"key\": \"max_cores\", \"enabled\": 3}]");
        QTest::newRow("no number") << "b.csv" << QByteArray("id,lower,upper,size\na,0,x,4\n") << QByteArray("CSV-004");
        QTest::newRow("no life") << "b.csv" << QByteArray("id,lower,upper,size\na,5,5,10\n") << QByteArray("CSV-005");
        QTest::newRow("no instance") << "i.jsonl" << QByteArray("{\"capacity\": 9, \"buffers\": []}\nnot json\n")
                                     << QByteArray(":2:2: IN-008");
    }
    void errors_sayHowToMend() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, code);
        const Folder folder;
        const QString input = folder.write(name, bytes);
        const Finished f = name == "h.json"
                               ? runMemplan({"compile", folder.write("g.json", softmaxGraph()), "--hints", input})
                               : runMemplan({"solve", input, "--solver", "greedy", "--capacity", "9"});
        QVERIFY2(f.status == 3, f.err.constData());
        for (const QByteArray& line : f.errLines())
            QVERIFY2(line.contains(code) && line.endsWith(')') && !line.contains("line 1,"), line.constData());
    }

    /// What is wrong with the file itself is not mended by a hint of another form.
    void hintFileErrors_haveTheirOwnMend_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("mend");
        const QByteArray head = "{\"format\": \"memplan-hints\", \"version\": 1, \"hints\": ";
        QTest::newRow("list") << head + "3}" << QByteArray("\"hints\" lists the hints of the file");
        QTest::newRow("graph") << head + "[], \"graph\": 5}" << QByteArray("leave \"graph\" out");
        QTest::newRow("json") << head + "[}" << QByteArray("check the commas");
        QTest::newRow("hint") << head + "[3]}" << QByteArray("a hint is {");
    }
    void hintFileErrors_haveTheirOwnMend() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, mend);
        const Folder folder;
        const Finished f =
            runMemplan({"compile", folder.write("g.json", softmaxGraph()), "--hints", folder.write("h.json", bytes)});
        QCOMPARE(f.status, 3);
        QVERIFY2(f.err.contains(mend), f.err.constData());
        QCOMPARE(f.err.contains("a hint is {"), mend == "a hint is {");
    }

    void planFile_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing in it") << QByteArray("{\"format\":\"memplan-plan\",\"version\":1}");
        QTest::newRow("other version") << QByteArray("{\"format\":\"memplan-plan\",\"version\":2}");
        QTest::newRow("wrong types") << QByteArray("{\"format\":\"memplan-plan\",\"version\":1,\"ops\":3}");
        QTest::newRow("cut off") << QByteArray("{\"format\":\"memplan-plan\",\"version\":1,\"ops\":[");
    }
    void planFile() {
        QFETCH(QByteArray, bytes);
        const Folder folder;
        const QString plan = folder.write("p.json", bytes);
        for (const QStringList& args : {QStringList{"verify", plan}, QStringList{"explain", plan, "--stats"}}) {
            const Finished f = runMemplan(args);
            QVERIFY2(f.status == 3, f.err.constData());
            QCOMPARE(f.errLines().size(), 1);
        }
    }
};

MEMPLAN_TEST(TestCliBadInput)
#include "tst_cli_bad_input.moc"

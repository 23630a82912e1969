// SPDX-License-Identifier: Apache-2.0
// Machines as data, with figures of no real machine (architecture 4.5).
#include "engine/machine/machine_json.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <array>

using namespace memplan;

using test::q;

namespace {

constexpr std::array<MachineField, 3> kFields{{
    {"room", "bytes", 4096, 64, 65'536, 64, "what there is"},
    {"kept", "bytes", 0, 0, 65'536, 1, "what is kept of it"},
    {"arms", "arms", 2, 1, 8, 1, "how many work"},
}};

MachineKind::Conflict keptIsLess(const MachineDescription& machine) {
    if (figureOf(machine, kFields[1]) < figureOf(machine, kFields[0])) return {};
    return {"kept", "nothing is left of the room", "keep less"};
}

constexpr MachineKind kKind{"toy", kFields, keptIsLess};

std::string fileWith(const std::string& members) {
    return R"({"format": "memplan-machine", "version": 1, "target": "toy")" + members + "}";
}

}  // namespace

class TestMachineJson : public QObject {
    Q_OBJECT

private slots:
    void figures_thatTheFileLeavesOut_areTheDefaults() {
        const auto read = readMachine(fileWith(R"(, "name": "wide", "values": {"arms": 4})"), kKind);
        QVERIFY(read.ok());
        QCOMPARE(q(read.value().name), QString("wide"));
        QVERIFY(!read.value().isBuiltIn());
        QCOMPARE(figureOf(read.value(), kFields[0]), std::int64_t{4096});
        QCOMPARE(figureOf(read.value(), kFields[2]), std::int64_t{4});
    }

    void defaultFigures_areTheBuiltInMachine() {
        for (const char* members : {"", R"(, "values": {})", R"(, "name": "as it is", "values": {"arms": 2})"}) {
            const auto read = readMachine(fileWith(members), kKind);
            QVERIFY2(read.ok(), members);
            QVERIFY2(read.value() == MachineDescription(), members);
            QVERIFY(machineKey(read.value()).empty());
        }
    }

    void writtenMachine_readsBackEqual_withEveryFigure() {
        const auto read = readMachine(fileWith(R"(, "values": {"kept": 64, "room": 128}, "name": "small")"), kKind);
        QVERIFY(read.ok());
        const std::string text = machineText(read.value(), kKind);
        QCOMPARE(q(text), QString("{\n  \"format\": \"memplan-machine\",\n  \"version\": 1,\n  \"target\": \"toy\",\n"
                                  "  \"name\": \"small\",\n  \"values\": {\n    \"room\": 128,\n    \"kept\": 64,\n"
                                  "    \"arms\": 2\n  }\n}\n"));
        const auto again = readMachine(text, kKind);
        QVERIFY(again.ok());
        QVERIFY(again.value() == read.value());
        QVERIFY(machineKey(again.value()) == machineKey(read.value()));
    }

    void wrongFile_isOneErrorWithPlaceAndFix_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("message");
        const auto with = [](const char* members) { return q(fileWith(members)); };
        QTest::newRow("empty") << ""
                               << ""
                               << "empty";
        QTest::newRow("no JSON") << "{\"format\": "
                                 << "1:"
                                 << "";
        QTest::newRow("no object") << "[1]"
                                   << ""
                                   << "an array";
        QTest::newRow("no format") << R"({"version": 1, "target": "toy"})"
                                   << ""
                                   << "\"format\"";
        QTest::newRow("other format") << R"({"format": "memplan-hints", "version": 1, "target": "toy"})"
                                      << "/format"
                                      << "memplan-hints";
        QTest::newRow("other version") << R"({"format": "memplan-machine", "version": 7, "target": "toy"})"
                                       << "/version"
                                       << "version 7";
        QTest::newRow("other target") << R"({"format": "memplan-machine", "version": 1, "target": "ttnn"})"
                                      << "/target"
                                      << "ttnn";
        QTest::newRow("format is no text") << R"({"format": 3, "version": 1, "target": "toy"})"
                                           << "/format"
                                           << "an integer";
        QTest::newRow("unknown member") << with(R"(, "value": {"arms": 4})") << "/value"
                                        << "\"value\"";
        QTest::newRow("unknown figure") << with(R"(, "values": {"legs": 4})") << "/values/legs"
                                        << "\"legs\"";
        QTest::newRow("figure is text") << with(R"(, "values": {"arms": "4"})") << "/values/arms"
                                        << "a string";
        QTest::newRow("figure is broken") << with(R"(, "values": {"arms": 4.5})") << "/values/arms"
                                          << "whole number";
        QTest::newRow("figure is null") << with(R"(, "values": {"arms": null})") << "/values/arms"
                                        << "null";
        QTest::newRow("too large") << with(R"(, "values": {"arms": 9})") << "/values/arms"
                                   << "out of range";
        QTest::newRow("negative") << with(R"(, "values": {"room": -64})") << "/values/room"
                                  << "out of range";
        QTest::newRow("no multiple") << with(R"(, "values": {"room": 65})") << "/values/room"
                                     << "no multiple of 64";
        QTest::newRow("beyond 64 bits") << with(R"(, "values": {"room": 99999999999999999999})") << ""
                                        << "";
        QTest::newRow("twice") << with(R"(, "values": {"arms": 3, "arms": 4})") << ""
                               << "";
        QTest::newRow("forbidden by another") << with(R"(, "values": {"kept": 4096})") << "/values/kept"
                                              << "nothing is left";
        QTest::newRow("name of two lines") << with(R"(, "name": "a\nb")") << "/name"
                                           << "name";
        const std::string endless(300, 'x');
        QTest::newRow("endless name") << with((", \"name\": \"" + endless + "\"").c_str()) << "/name"
                                      << "name";
        QTest::newRow("values is a list") << with(R"(, "values": [1])") << "/values"
                                          << "an array";
    }
    void wrongFile_isOneErrorWithPlaceAndFix() {
        QFETCH(const QString, text);
        QFETCH(const QString, where);
        QFETCH(const QString, message);
        const auto read = readMachine(text.toStdString(), kKind);
        QVERIFY(!read.ok());
        QCOMPARE(read.error().diagnostics.size(), std::size_t{1});
        const Diagnostic& d = read.error().primary();
        QCOMPARE(q(d.code), QString("MCH-001"));
        QVERIFY2(q(d.where).startsWith(where), d.where.c_str());
        QVERIFY2(q(d.message).contains(message), d.message.c_str());
        QVERIFY2(!d.hint.empty() || where.isEmpty() || where.startsWith("1:"), d.message.c_str());
    }

    void targetWithoutFigures_saysSo() {
        const auto read = readMachine(fileWith(""), MachineKind());
        QVERIFY(!read.ok());
        QCOMPARE(q(read.error().primary().code), QString("MCH-001"));
        QCOMPARE(q(read.error().primary().message), QString("the target has no machine figures"));
    }

    void unknownFigure_namesTheNearest() {
        for (const char* figure : {"rooms", "oom", "ro"}) {
            const auto read = readMachine(fileWith(", \"values\": {\"" + std::string(figure) + "\": 128}"), kKind);
            QVERIFY(!read.ok());
            QVERIFY2(q(read.error().primary().hint).contains("mean \"room\""), read.error().primary().hint.c_str());
        }
    }
};

MEMPLAN_TEST(TestMachineJson)
#include "tst_machine_json.moc"

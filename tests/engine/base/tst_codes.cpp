// SPDX-License-Identifier: Apache-2.0
// Reason codes and diagnostic codes (codes.md): complete, unique, with the right exit status.
#include "engine/plan/reasons.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace memplan;

using test::q;

namespace {

/// The reason codes in the order of codes.md 1, written down by hand.
const char* const kReasons =
    "planning_off off_by_hint op_not_allowed unsized mutation_target tiled_advancing read_by_restickify extern_user "
    "indirect_access graph_output graph_input output_is_view partial_read core_div_mismatch never_read back_gap "
    "larger_than_memory no_room partner_unplaced solver_stopped not_shardable no_legal_layout chain_failed "
    "chain_end_spilled fork_rejected merge_rejected op_not_modelled has_no_columns";

/// Families with their first and last number where codes.md numbers them without a hole.
struct Family {
    const char* prefix;
    int first;
    int last;
};
constexpr Family kFamilies[] = {
    {"SET", 1, 4},     {"HNT", 1, 11},    {"LAY", 1, 9},     {"PAD", 1, 1},     {"NAM", 1, 3},      {"SPN", 1, 4},
    {"WDV", 1, 6},     {"CT", 1, 11},     {"CT", 20, 26},    {"LX", 1, 22},     {"RES", 1, 7},      {"LXI", 1, 11},
    {"TT", 1, 4},      {"TT", 10, 15},    {"TT", 20, 24},    {"TT", 30, 33},    {"TT", 40, 40},     {"TT", 50, 64},
    {"TW", 1, 21},     {"TW", 100, 117},  {"TW", 140, 148},  {"VER", 1, 27},    {"MPG", 1, 3},      {"MPG", 11, 14},
    {"MPG", 101, 110}, {"MPG", 201, 206}, {"MPG", 210, 210}, {"MPG", 301, 314}, {"ONNX", 1, 8},     {"ONNX", 10, 12},
    {"ONNX", 20, 28},  {"ONNX", 30, 32},  {"ONNX", 40, 45},  {"ONNX", 50, 52},  {"ONNX", 901, 907}, {"CSV", 1, 14},
    {"MLIR", 1, 8},    {"IN", 1, 3},      {"IN", 10, 13},    {"IN", 900, 900},  {"IN", 904, 907}};

QSet<QString> listedCodes() {
    QSet<QString> codes;
    for (const DiagnosticInfo& d : allDiagnostics())
        codes.insert(q(d.code));
    return codes;
}

}  // namespace

class TestCodes : public QObject {
    Q_OBJECT

private slots:
    void reasons_standInOrderOfPrecedence() {
        QStringList actual;
        for (const ReasonInfo& r : allReasons())
            actual << q(r.name);
        QCOMPARE(actual, q(kReasons).split(' '));
    }

    void reason_eachCodeFindsItself() {
        for (const ReasonInfo& r : allReasons()) {
            QVERIFY(!r.condition.empty() && !r.family.empty() && !r.target.empty());
            QCOMPARE(&reasonInfo(r.code), &r);
            QCOMPARE(reasonFromName(r.name), std::optional<ReasonCode>(r.code));
        }
        QVERIFY(!reasonFromName("nonsense"));
    }

    void reason_diagnosticsAreListed() {
        const QSet<QString> codes = listedCodes();
        for (const ReasonInfo& r : allReasons())
            QVERIFY2(codes.contains(q(r.diagnostic)), r.diagnostic.data());
    }

    void diagnostics_areUniqueAndWellFormed() {
        static const QRegularExpression kForm("^([A-Z0-9]{2,4}-[0-9]{3}|CANCELLED)$");
        QSet<QString> seen;
        for (const DiagnosticInfo& d : allDiagnostics()) {
            QVERIFY2(kForm.match(q(d.code)).hasMatch(), d.code.data());
            QVERIFY2(!seen.contains(q(d.code)), d.code.data());
            QVERIFY(!d.title.empty());
            seen.insert(q(d.code));
        }
    }

    void diagnostics_everyNumberedFamilyIsComplete() {
        const QSet<QString> codes = listedCodes();
        for (const Family& family : kFamilies) {
            for (int n = family.first; n <= family.last; ++n) {
                const QString code = QString("%1-%2").arg(family.prefix).arg(n, 3, 10, QChar('0'));
                QVERIFY2(codes.contains(code), qPrintable(code));
            }
        }
    }

    /// Codes of the program's own say in the help what they mean and what to do.
    void diagnostics_ofOurOwnHaveAHelpText() {
        QFile file(QStringLiteral(MEMPLAN_SOURCE_DIR "/resources/help/codes.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString help = QString::fromUtf8(file.readAll());
        for (const DiagnosticInfo& d : allDiagnostics()) {
            const QString code = q(d.code);
            const QString family = code.section('-', 0, 0);
            static const QStringList kOwn{"WSP", "BND", "EXP", "CAL", "MCH", "CLI"};
            const bool isAdvice = family == "TW" && code.section('-', 1).toInt() >= 100;
            if (!kOwn.contains(family) && !isAdvice) continue;
            QVERIFY2(help.contains("\n## " + code + '\n'), d.code.data());
            const QString drawing = code.toLower() + ".svg";
            QVERIFY2(!isAdvice || help.contains("](drawings/" + drawing + ")\n"), d.code.data());
            QVERIFY2(!isAdvice || QFile::exists(MEMPLAN_SOURCE_DIR "/resources/help/drawings/" + drawing),
                     d.code.data());
        }
    }

    void exitStatus_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("status");
        QTest::newRow("input") << "IN-904" << 3;
        QTest::newRow("graph") << "MPG-304" << 3;
        QTest::newRow("limit") << "ONNX-903" << 3;
        QTest::newRow("stale plan") << "EXP-001" << 1;
        QTest::newRow("write") << "EXP-002" << 4;
        QTest::newRow("setting") << "SET-002" << 2;
        QTest::newRow("hint file") << "HNT-010" << 3;
        QTest::newRow("option string") << "TT-012" << 2;
        QTest::newRow("target") << "TT-002" << 3;
        QTest::newRow("no progress") << "TW-014" << 1;
        QTest::newRow("no form") << "TW-001" << 3;
        QTest::newRow("unknown node") << "TW-021" << 2;
        QTest::newRow("violation") << "VER-003" << 1;
        QTest::newRow("not proved") << "VER-025" << 1;
        QTest::newRow("memory of a simulation") << "VER-026" << 3;
        QTest::newRow("surviving mutant") << "VER-027" << 70;
        QTest::newRow("defect") << "INT-001" << 70;
        QTest::newRow("cancelled") << "CANCELLED" << 130;
        QTest::newRow("usage") << "CLI-001" << 2;
        QTest::newRow("code of a known family") << "MPG-999" << 3;
        QTest::newRow("code of no family") << "???" << 70;
    }
    void exitStatus() {
        QFETCH(QString, code);
        QTEST(exitStatusOf(code.toStdString()), "status");
    }

    void exitStatus_ofWarnings_isZeroInTheTable() {
        for (const DiagnosticInfo& d : allDiagnostics()) {
            const bool onlyWarns = d.code.starts_with("LX-") || d.code.starts_with("RES-");
            if (onlyWarns) QCOMPARE(d.exitStatus, 0);
        }
    }
};

MEMPLAN_TEST(TestCodes)
#include "tst_codes.moc"

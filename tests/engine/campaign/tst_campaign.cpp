// SPDX-License-Identifier: Apache-2.0
// Random graphs with random hints and settings: whatever is compiled holds what a plan promises. 200 seeds;
// MEMPLAN_CAMPAIGN=nightly takes 2 000, MEMPLAN_CAMPAIGN=17 or =17-99 those seeds.
#include "tests/engine/campaign/case_check.h"
#include "tests/support/program.h"

#include <QFile>
#include <QIODevice>
#include <QTest>

#include <map>

using namespace memplan::test;

class CampaignTest : public QObject {
    Q_OBJECT

private slots:
    void everyCase_holds_data();
    void everyCase_holds();
    void cleanupTestCase();

private:
    int compiled_ = 0;
    int refused_ = 0;
    int unproved_ = 0;
};

namespace {

const int kShrinkTries = qEnvironmentVariableIsSet("MEMPLAN_CAMPAIGN") ? 400 : 40;

struct Seeds {
    quint64 first = 0, end = 200;
};

/// Instrumented code takes ten times as long: the small graphs, and a few of the others.
Seeds wantedSeeds() {
    const QStringList wanted = qEnvironmentVariable("MEMPLAN_CAMPAIGN").split('-', Qt::SkipEmptyParts);
    if (wanted.isEmpty()) return {};
    if (wanted[0] == "nightly") return {0, 2000};
    return {wanted.first().toULongLong(), wanted.last().toULongLong() + 1};
}

bool isLeftOut(quint64 seed) {
#ifdef MEMPLAN_INSTRUMENTED
    return qEnvironmentVariableIsEmpty("MEMPLAN_CAMPAIGN") && seed % 12 != 0;
#else
    Q_UNUSED(seed)
    return false;
#endif
}

/// Seeds that are known to fail, with the kind of the fault: every line is a defect that is still open.
const std::map<quint64, QString>& openCases() {
    static const std::map<quint64, QString> kCases = [] {
        std::map<quint64, QString> cases;
        QFile file(QStringLiteral(MEMPLAN_TEST_DATA "/campaign/open_cases.txt"));
        if (!file.open(QIODevice::ReadOnly)) return cases;
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
            if (!line.startsWith('#')) cases[line.section(' ', 0, 0).toULongLong()] = line.section(' ', 1);
        }
        return cases;
    }();
    return kCases;
}

/// The word before the colon and the code: a smaller case must fail in the same way.
std::string kindOf(const std::string& fault) {
    const std::size_t colon = fault.find(": ");
    return fault.substr(0, colon == std::string::npos ? colon : fault.find(' ', colon + 2));
}

}  // namespace

void CampaignTest::everyCase_holds_data() {
    QTest::addColumn<quint64>("seed");
    const Seeds seeds = wantedSeeds();
    for (quint64 seed = seeds.first; seed < seeds.end; ++seed) {
        if (!isLeftOut(seed)) QTest::addRow("seed %llu", seed) << seed;
    }
}

void CampaignTest::everyCase_holds() {
    QFETCH(quint64, seed);
    const RandomCase c = randomCase(seed);
    const CaseResult result = checkCase(c);
    ++compiled_;
    if (!result.refusal.empty()) {
        ++refused_;
        qInfo("refused: %s", result.refusal.c_str());
    }
    if (!result.unproved.empty()) {
        ++unproved_;
        qInfo("not proved: %s", result.unproved.c_str());
    }
    const auto open = openCases().find(seed);
    if (open != openCases().end()) {
        if (!result.fault.empty()) qInfo("open: %s", result.fault.c_str());
        // What is fixed must leave the list.
        QEXPECT_FAIL("", qPrintable(open->second), Continue);
        QVERIFY2(result.fault.empty(), result.fault.c_str());
        return;
    }
    if (result.fault.empty()) return;
    const std::string kind = kindOf(result.fault);
    const RandomCase small = shrunkCase(
        c, [&](const RandomCase& s) { return kindOf(checkCase(s).fault) == kind; }, kShrinkTries);
    const std::string reported = checkCase(small).fault + "\n  with " + keepCase(small);
    QFAIL(reported.c_str());
}

/// A campaign that the target mostly refuses would say nothing.
void CampaignTest::cleanupTestCase() {
    qInfo("%d cases, %d refused, %d not proved", compiled_, refused_, unproved_);
    QVERIFY2(refused_ * 5 <= compiled_, "more than a fifth of the cases is refused");
}

MEMPLAN_TEST(CampaignTest)
#include "tst_campaign.moc"

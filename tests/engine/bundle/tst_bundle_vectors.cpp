// SPDX-License-Identifier: Apache-2.0
// The recorded figures about bundles (spyre-coarse-tiling-and-bundle 18), line by line.
#include "tests/probe/bundle_kinds.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"

#include <QFloat16>
#include <QTest>

#include <set>

using memplan::probe::Registry;
using nlohmann::json;

namespace {

const std::set<std::string> kKinds = {"byte_stride", "unroll",        "bundle_mlir", "sdsc_json",
                                      "core_map",    "opspec_source", "arg_binding"};

}  // namespace

class TestBundleVectors : public QObject {
    Q_OBJECT

private slots:
    void recorded_data() {
        const auto isOfBundles = [](const json& query) { return kKinds.contains(query.at("kind").get<std::string>()); };
        QCOMPARE(memplan::test::addRecordedRows("spyre-coarse-tiling.jsonl", isOfBundles), 51);
    }

    void recorded() {
        QFETCH(QString, line);
        Registry registry;
        memplan::probe::registerBundle(registry);
        // The line is sent as it stands: the order of the keys of an iteration space matters.
        const json answer = registry.answer(line.toStdString());
        const json query = json::parse(line.toStdString());
        const json want = query.at("expected");
        if (want.contains("error")) {
            QVERIFY2(answer.contains("error"), answer.dump().c_str());
            QCOMPARE(answer.at("error").at("code"), want.at("error"));
            return;
        }
        QVERIFY2(answer.contains("output"), answer.dump().c_str());
        const std::string why = memplan::test::difference(want, answer.at("output"));
        QVERIFY2(why.empty(), why.c_str());
    }

    /// What the writer of wrapper source writes, the reader reads back to the same tree (18).
    void sourceReadsBack() {
        Registry registry;
        memplan::probe::registerBundle(registry);
        int compared = 0;
        for (const std::string& line : memplan::test::recordedLines("spyre-coarse-tiling.jsonl")) {
            const json query = json::parse(line);
            if (query.at("kind") != "opspec_source") continue;
            const json answer = registry.answer(line);
            const std::string why =
                memplan::test::difference(query.at("input").at("specs"), answer.at("output").at("specs"));
            QVERIFY2(why.empty(), (query.at("name").get<std::string>() + why).c_str());
            ++compared;
        }
        QCOMPARE(compared, 4);
    }
};

MEMPLAN_TEST(TestBundleVectors)
#include "tst_bundle_vectors.moc"

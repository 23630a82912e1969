// SPDX-License-Identifier: Apache-2.0
// The recorded figures about bundles (spyre-coarse-tiling-and-bundle 18), line by line.
#include "bundle_kinds.h"

#include <QtTest>

#include <fstream>
#include <set>

using memplan::probe::Registry;
using nlohmann::json;

namespace {

const std::set<std::string> kKinds = {"byte_stride", "unroll",        "bundle_mlir", "sdsc_json",
                                      "core_map",    "opspec_source", "arg_binding"};

/// First difference between a recorded and a computed value, empty when every recorded part is there.
std::string difference(const json& want, const json& got, const std::string& path) {
    if (want.is_object() && got.is_object()) {
        for (const auto& [key, value] : want.items()) {
            if (!got.contains(key)) return path + "/" + key + ": missing";
            std::string inner = difference(value, got.at(key), path + "/" + key);
            if (!inner.empty()) return inner;
        }
        return {};
    }
    if (want.is_array() && got.is_array() && got.size() == want.size()) {
        for (std::size_t i = 0; i < want.size(); ++i) {
            std::string inner = difference(want[i], got[i], path + "/" + std::to_string(i));
            if (!inner.empty()) return inner;
        }
        return {};
    }
    return want == got ? std::string() : path + ": expected " + want.dump() + ", got " + got.dump();
}

}  // namespace

class TestBundleVectors : public QObject {
    Q_OBJECT

private slots:
    void recorded_data() {
        QTest::addColumn<QString>("line");
        std::ifstream file(MEMPLAN_TEST_DATA "/spyre-coarse-tiling.jsonl");
        std::string line;
        int count = 0;
        while (std::getline(file, line)) {
            const json query = json::parse(line);
            if (!kKinds.contains(query.at("kind").get<std::string>())) continue;
            QTest::newRow(query.at("name").get<std::string>().c_str()) << QString::fromStdString(line);
            ++count;
        }
        QCOMPARE(count, 51);
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
        const std::string why = difference(want, answer.at("output"), "");
        QVERIFY2(why.empty(), why.c_str());
    }

    /// What the writer of wrapper source writes, the reader reads back to the same tree (18).
    void sourceReadsBack() {
        Registry registry;
        memplan::probe::registerBundle(registry);
        std::ifstream file(MEMPLAN_TEST_DATA "/spyre-coarse-tiling.jsonl");
        std::string line;
        int compared = 0;
        while (std::getline(file, line)) {
            const json query = json::parse(line);
            if (query.at("kind") != "opspec_source") continue;
            const json answer = registry.answer(line);
            const std::string why = difference(query.at("input").at("specs"), answer.at("output").at("specs"), "");
            QVERIFY2(why.empty(), (query.at("name").get<std::string>() + why).c_str());
            ++compared;
        }
        QCOMPARE(compared, 4);
    }
};

QTEST_APPLESS_MAIN(TestBundleVectors)
#include "tst_bundle_vectors.moc"

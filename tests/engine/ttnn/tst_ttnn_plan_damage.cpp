// SPDX-License-Identifier: Apache-2.0
// A plan of TTNN that is damaged in every way that a file can be is refused by the validator (codes.md 7).
#include "engine/io/plan/plan_json.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/plan_damage.h"
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QTest>

#include <algorithm>
#include <functional>

using namespace memplan;
using namespace memplan::ttnn;
using namespace memplan::test;

namespace {

void addRows(const std::vector<PlanDamage>& list) {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < list.size(); ++i)
        QTest::newRow(list[i].name) << static_cast<int>(i);
}

void verifySeen(Plan plan, const PlanDamage& damage) {
    TtnnData& data = editTargetData<TtnnData>(plan.targetData);
    damage.damage(plan, data);
    std::string all;
    bool isNamed = false;
    for (const Diagnostic& d : verify::ttnn::checkFile(plan)) {
        const std::string text = d.code + " " + d.where + ": " + d.message;
        isNamed = isNamed || text.starts_with(damage.finding);
        all += "\n  " + text;
    }
    QVERIFY2(isNamed, (std::string("no finding begins with: ") + damage.finding + all).c_str());
}

/// The text with `from`, the first behind `behind`, replaced.
std::string replaced(std::string text, std::string_view behind, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from, text.find(behind, text.find("\"target_data\"")));
    if (at == std::string::npos) qFatal("the file has no such text");
    return text.replace(at, from.size(), to);
}

bool isRefused(const QJsonObject& file) {
    const Result<Plan> read = io::readPlanJson(QJsonDocument(file).toJson(QJsonDocument::Compact).toStdString());
    return !read.ok() || !verify::ttnn::checkFile(read.value()).empty();
}

/// Nothing depends on it: how long passes took, how many threads worked.
bool isFree(const QString& kind) {
    return kind == "/passes/*/seconds" || kind == "/settings/engine.threads";
}

QJsonValue changedLeaf(const QJsonValue& leaf) {
    switch (leaf.type()) {
    case QJsonValue::Bool:
        return !leaf.toBool();
    case QJsonValue::Double:
        return leaf.toDouble() + 1;
    case QJsonValue::String:
        return leaf.toString() + 'x';
    default:
        return 0;
    }
}

using Visit = std::function<void(const QString& kind, const QJsonValue& changed)>;

/// Calls `visit` with the whole in which one leaf was changed, for each; positions in lists are one kind.
void changeLeaves(const QJsonValue& whole, const QString& kind, const Visit& visit) {
    if (whole.isObject()) {
        const QJsonObject object = whole.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            QJsonObject copy = object;
            changeLeaves(it.value(), kind + '/' + it.key(), [&](const QString& k, const QJsonValue& changed) {
                copy[it.key()] = changed;
                visit(k, copy);
            });
        }
    } else if (whole.isArray()) {
        const QJsonArray array = whole.toArray();
        for (qsizetype i = 0; i < array.size(); ++i) {
            QJsonArray copy = array;
            changeLeaves(array[i], kind + "/*", [&](const QString& k, const QJsonValue& changed) {
                copy[i] = changed;
                visit(k, copy);
            });
        }
    } else {
        visit(kind, changedLeaf(whole));
    }
}

class TestTtnnPlanDamage : public QObject {
    Q_OBJECT

private slots:
    void damageIsSeen_data() { addRows(planDamages()); }
    void damageIsSeen() {
        QFETCH(int, index);
        verifySeen(sketchPlan(), planDamages()[static_cast<std::size_t>(index)]);
    }

    void joinedPlanIsSound() {
        const ChainRecord& record = ttnnData(joinedPlan()).record;
        QVERIFY(verify::ttnn::checkPlan(joinedPlan()).empty());
        QVERIFY(std::ranges::count(record.merges, true, &MergeInfo::isAccepted) > 0);
        QVERIFY(std::ranges::any_of(record.merges, [](const MergeInfo& m) { return !m.isAccepted && m.needed > 0; }));
        QVERIFY(std::ranges::count(record.edges, true, &EdgeInfo::isResharded) > 0);
    }
    void damagedRecordIsSeen_data() { addRows(recordDamages()); }
    void damagedRecordIsSeen() {
        QFETCH(int, index);
        verifySeen(joinedPlan(), recordDamages()[static_cast<std::size_t>(index)]);
    }

    void damagedWorkIsSeen_data() { addRows(workDamages()); }
    void damagedWorkIsSeen() {
        QFETCH(int, index);
        verifySeen(joinedPlan(), workDamages()[static_cast<std::size_t>(index)]);
    }
    void damagedPassIsSeen_data() { addRows(passDamages()); }
    void damagedPassIsSeen() {
        QFETCH(int, index);
        verifySeen(joinedPlan(), passDamages()[static_cast<std::size_t>(index)]);
    }
    void damagedOverridesAreSeen_data() { addRows(overrideDamages()); }
    void damagedOverridesAreSeen() {
        QFETCH(int, index);
        verifySeen(forcedPlan(), overrideDamages()[static_cast<std::size_t>(index)]);
    }
    void changeWithoutATraceIsSeen_data() { addRows(hashDamages()); }
    void changeWithoutATraceIsSeen() {
        QFETCH(int, index);
        verifySeen(joinedPlan(), hashDamages()[static_cast<std::size_t>(index)]);
    }
    void damagedFailureIsSeen_data() { addRows(failureDamages()); }
    void damagedFailureIsSeen() {
        QFETCH(int, index);
        verifySeen(failedPlan(), failureDamages()[static_cast<std::size_t>(index)]);
    }
    void soundPlansHaveNoFinding() {
        for (const Plan* plan : {&sketchPlan(), &joinedPlan(), &failedPlan(), &forcedPlan()}) {
            const std::vector<Diagnostic> found = verify::ttnn::checkFile(*plan);
            QVERIFY2(found.empty(), found.empty() ? "" : (found.front().where + ": " + found.front().message).c_str());
        }
    }

    /// Each figure and word of a file, two of a kind, is changed by hand.
    void everyLeafOfAFileIsSeen() {
        QMap<QString, int> seen;
        for (const Plan* plan : {&joinedPlan(), &failedPlan(), &forcedPlan()}) {
            const QJsonDocument file = QJsonDocument::fromJson(QByteArray::fromStdString(io::writePlanJson(*plan)));
            QVERIFY(!isRefused(file.object()));  // written with its keys in another order
            QStringList missed;
            changeLeaves(file.object(), {}, [&](const QString& kind, const QJsonValue& changed) {
                if (seen[kind]++ < 2 && !isFree(kind) && !isRefused(changed.toObject())) missed << kind;
            });
            QVERIFY2(missed.isEmpty(), qPrintable(missed.join('\n')));
        }
        QVERIFY(seen.size() > 200);
    }

    /// A file of a version that made no hashes is sound; one that was made of fewer settings cannot say theirs.
    void olderFilesAreSound() {
        Plan plan = joinedPlan();
        editTargetData<TtnnData>(plan.targetData).hashes.clear();
        QVERIFY(verify::ttnn::checkFile(plan).empty());
        QJsonObject file = QJsonDocument::fromJson(QByteArray::fromStdString(io::writePlanJson(joinedPlan()))).object();
        QVERIFY(!isRefused(file));  // laid out anew, its keys in another order
        QJsonObject settings = file["settings"].toObject();
        settings.remove("ttnn.advice_trials");
        file["settings"] = settings;
        QVERIFY(!isRefused(file));
    }

    /// A conversion that moves nothing ended the program, which follows values through conversions.
    void conversionWithoutTensorsIsRefused() {
        for (const bool isResult : {true, false}) {
            Plan plan = joinedPlan();
            TtnnOp& op = find(editTargetData<TtnnData>(plan.targetData),
                              [](const TtnnOp& o) { return o.conversion != TtnnConversion::None; });
            (isResult ? op.results : op.operands).clear();
            const Result<Plan> read = io::readPlanJson(io::writePlanJson(plan));
            QVERIFY(!read.ok());
            const Diagnostic& d = read.error().primary();
            QVERIFY2(d.where.starts_with("/target_data/layouts/") && !d.hint.empty(), d.where.c_str());
        }
    }

    /// What a plan file says twice is read twice.
    void copiesInTheFileAgree() {
        const std::string text = io::writePlanJson(joinedPlan());
        QVERIFY(io::readPlanJson(text).ok());
        const std::string second = joinedPlan().ops[1].name;
        const std::string order = replaced(text, "\"schedule\"", "\"" + second + "\", ", "");
        const std::string reshard = replaced(text, "\"reshards\"", "\"operand\": 0", "\"operand\": 1");
        for (const auto& [file, message] : {std::pair(order, "schedule"), std::pair(reshard, "reshards")}) {
            const Result<Plan> read = io::readPlanJson(file);
            QVERIFY(!read.ok());
            QVERIFY(read.error().primary().message.find(message) != std::string::npos);
        }
    }

    /// Lists that run beside the operations have one entry for each, and words that are known.
    void listsBesideTheOperationsAreWhole() {
        const std::string text = io::writePlanJson(sketchPlan());
        const std::string shorter = replaced(text, "\"chain_of\"", "[0, ", "[");
        const std::string unknown = replaced(text, "\"not_in_a_chain\"", "not_shardable", "not_sharable");
        for (const std::string& file : {shorter, unknown}) {
            const Result<Plan> read = io::readPlanJson(file);
            QVERIFY(!read.ok());
            QVERIFY(read.error().primary().message.find("chain") != std::string::npos);
        }
    }

    /// A value that is freed is read by nobody any more.
    void freedValueIsNotRead() {
        FunctionBuilder b;
        const ValueId root = b.add("abs", {b.argument({64, 96})}, {64, 96});
        b.giveBack(b.add("neg", {root}, {64, 96}));
        b.giveBack(b.add("exp", {root}, {64, 96}));
        Operation free;
        free.name = "ttnn.deallocate";
        free.operands = {root};
        free.properties = {{"force", "false"}};
        b.function.order.push_back(b.function.addOperation(std::move(free)));
        const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.optimization_level", "0"}});
        verifyFound(outcome);
        Plan early = *outcome.plan;
        TtnnData& data = editTargetData<TtnnData>(early.targetData);
        std::swap(data.ops[2], data.ops[3]);
        std::swap(early.ops[2], early.ops[3]);
        const std::vector<Diagnostic> found = verify::ttnn::checkPlan(early);
        QVERIFY(std::ranges::any_of(found, [](const Diagnostic& d) {
            return d.code == "VER-011" && d.message.find("which is freed before") != std::string::npos;
        }));
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnPlanDamage)
#include "tst_ttnn_plan_damage.moc"

// SPDX-License-Identifier: Apache-2.0
// What a plan file says of its plan is recomputed: every kind of damage is seen by the reader or by verify, which names
// the place, and no plan of this program is accused.
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/target/verify.h"
#include "tests/engine/pipeline/damages.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTest>

#include <map>
#include <regex>
#include <set>

using namespace memplan;
using namespace memplan::test;

class DamagesTest : public QObject {
    Q_OBJECT

private slots:
    void damage_isSeenAtItsPlace_data();
    void damage_isSeenAtItsPlace();
    void freeChange_isNotAccused_data();
    void freeChange_isNotAccused();
    void missingKey_hasItsDefaultOrARule();
    void damages_areManyKinds();
    void slotOfAnotherIndex_isRefused();
    void anyFigure_changed_isSeen_data();
    void anyFigure_changed_isSeen();
    void soundPlans_haveNoFinding_data();
    void soundPlans_haveNoFinding();
    void compiledCheck_isPartOfTheWhole();
};

namespace {

PlanPtr made(Subject s) {
    switch (s) {
    case Subject::OneCore:
        return planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    case Subject::Cores:
        return planOf(softmax(1024, 2048, 1), {{"spyre.cores", "4"}});
    case Subject::Mismatch:
        return planOf(softmax(512, 1024, 0), {{"spyre.cores", "32"}});
    case Subject::Tiled:
        return plan(addMul(), addMulHints());
    case Subject::Kernels:
        return planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}, {"spyre.fusion", "false"}});
    case Subject::Searched:
        break;
    }
    return planOf(softmax(512, 1024, 0), {{"spyre.cores", "4"}, {"spyre.co_optimize", "true"}});
}

/// The plan file of a subject, written once.
const Json& fileOf(Subject s) {
    static std::map<Subject, Json> files;
    const auto [it, isNew] = files.try_emplace(s);
    if (isNew) {
        const PlanPtr plan = made(s);
        if (plan) it->second = Json::parse(io::writePlanJson(*plan));
    }
    return it->second;
}

/// Place and message of every finding; of the reader's refusal where it does not take the file.
std::vector<std::string> findingsOf(const Json& file) {
    const auto read = io::readPlanJson(file.dump());
    if (!read) return {"refused: " + read.error().primary().where + ": " + read.error().primary().message};
    std::vector<std::string> found;
    for (const Diagnostic& d : verifyPlan(read.value()))
        found.push_back(d.where + ": " + d.message);
    return found;
}

bool names(const std::vector<std::string>& findings, const std::string& place) {
    return std::any_of(findings.begin(), findings.end(), [&](const std::string& f) {
        return f.starts_with("refused") || f.find(place) != std::string::npos;
    });
}

/// Without the keys that start with x_.
Json withoutExtras(Json value) {
    if (value.is_object()) {
        Json kept = Json::object();
        for (auto& [key, member] : value.items()) {
            if (!key.starts_with("x_")) kept[key] = withoutExtras(std::move(member));
        }
        return kept;
    }
    if (value.is_array()) {
        for (Json& item : value)
            item = withoutExtras(std::move(item));
    }
    return value;
}

/// Every member of every object, one of each kind: list items are alike.
void collectMembers(const Json& value, const std::string& path, std::map<std::string, std::string>& pathOfKind) {
    if (!value.is_structured()) return;
    for (const auto& [key, member] : value.items()) {
        const std::string at = path + "/" + key;
        if (value.is_object())
            pathOfKind.try_emplace(std::regex_replace(at.substr(1), std::regex("/[0-9]+"), "/*"), at);
        collectMembers(member, at, pathOfKind);
    }
}

std::string joined(const std::vector<std::string>& findings) {
    std::string all;
    for (const std::string& f : findings)
        all += "\n" + f;
    return all;
}

}  // namespace

void DamagesTest::damage_isSeenAtItsPlace_data() {
    QTest::addColumn<int>("number");
    const std::vector<Damage> all = allDamages();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
}

/// With the graph in the file and without it: the rest of the plan says the same things a second time.
void DamagesTest::damage_isSeenAtItsPlace() {
    QFETCH(int, number);
    static const std::vector<Damage> all = allDamages();
    const Damage& damage = all[static_cast<std::size_t>(number)];
    for (const bool hasGraph : {true, false}) {
        if (!hasGraph && damage.needsGraph) continue;
        Json file = fileOf(damage.subject);
        QVERIFY(!file.is_null());
        if (!hasGraph) file.erase("execution");
        const std::vector<std::string> before = findingsOf(file);
        QVERIFY2(before.empty(), joined(before).c_str());
        const Json sound = file;
        damage.apply(file);
        QVERIFY2(file != sound, "nothing was damaged");
        const std::vector<std::string> found = findingsOf(file);
        QVERIFY2(names(found, damage.place),
                 ((hasGraph ? "with its graph:" : "without its graph:") + joined(found)).c_str());
    }
}

void DamagesTest::freeChange_isNotAccused_data() {
    QTest::addColumn<int>("number");
    const std::vector<FreeChange> all = freeChanges();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
}

/// What verify lets pass has a reason, and the table of reasons holds nothing that is seen.
void DamagesTest::freeChange_isNotAccused() {
    QFETCH(int, number);
    const FreeChange change = freeChanges()[static_cast<std::size_t>(number)];
    QVERIFY(!change.why.empty());
    Json file = fileOf(change.subject);
    const Json sound = file;
    change.apply(file);
    QVERIFY2(file != sound, "nothing was changed");
    const std::vector<std::string> found = findingsOf(file);
    QVERIFY2(found.empty(), joined(found).c_str());
}

/// A key that is not there is seen, or the plan is the same because the key had its default, or a rule lets it lack.
void DamagesTest::missingKey_hasItsDefaultOrARule() {
    std::vector<std::string> unruled;
    std::set<std::string> used;
    std::set<std::string> ruled;  // kinds that are not tried in a further plan
    for (const Subject s :
         {Subject::OneCore, Subject::Cores, Subject::Mismatch, Subject::Tiled, Subject::Kernels, Subject::Searched}) {
        const Json& sound = fileOf(s);
        const std::string written = io::writePlanJson(io::readPlanJson(sound.dump()).value());
        std::map<std::string, std::string> pathOfKind;
        collectMembers(sound, "", pathOfKind);
        for (const auto& [kind, path] : pathOfKind) {
            if (ruled.contains(kind)) continue;
            Json file = sound;
            const Json::json_pointer at(path);
            file.at(at.parent_pointer()).erase(at.back());
            const auto read = io::readPlanJson(file.dump());
            if (!read || !verifyPlan(read.value()).empty() || io::writePlanJson(read.value()) == written) continue;
            bool isRuled = false;
            for (const DeletionRule& rule : deletionRules()) {
                if (isRuled || !std::regex_match(kind, std::regex(rule.pattern))) continue;
                isRuled = true;
                used.insert(rule.pattern);
                ruled.insert(kind);
            }
            if (!isRuled) unruled.push_back(kind);
        }
    }
    QVERIFY2(unruled.empty(), joined(unruled).c_str());
    for (const DeletionRule& rule : deletionRules())
        QVERIFY2(used.contains(rule.pattern), rule.pattern);
}

void DamagesTest::damages_areManyKinds() {
    QVERIFY(allDamages().size() >= 80);
}

/// q = p + transpose of p: an operation that reads its parent by another index than it writes would overwrite it.
void DamagesTest::slotOfAnotherIndex_isRefused() {
    const PlanPtr plan = planOf(softmax(512, 512, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    Plan broken = *plan;
    for (PlanOp& op : broken.ops) {
        if (op.name == "exp") std::reverse(op.accesses[0].coefficients.begin(), op.accesses[0].coefficients.end());
    }
    for (const std::vector<Diagnostic>& found : {verifyPlan(broken), verifyCompiled(broken)}) {
        QVERIFY(std::any_of(found.begin(), found.end(), [](const Diagnostic& d) {
            return d.code == "VER-004" && d.where == "buffer exp" &&
                   d.message.find("another index") != std::string::npos;
        }));
    }
}

void DamagesTest::anyFigure_changed_isSeen_data() {
    QTest::addColumn<int>("subject");
    QTest::newRow("one core") << static_cast<int>(Subject::OneCore);
    QTest::newRow("slices") << static_cast<int>(Subject::Cores);
    QTest::newRow("mismatches") << static_cast<int>(Subject::Mismatch);
    QTest::newRow("loops") << static_cast<int>(Subject::Tiled);
}

/// Every number and flag in the file is changed, one after the other. Left out is what says nothing of the plan: times,
/// counts and diagnostics of passes, decisions, evidence of reasons, the input and the graph itself.
void DamagesTest::anyFigure_changed_isSeen() {
    QFETCH(int, subject);
    static const std::regex kSaysNothing(
        "/(input|settings|passes|x_decisions|x_problems|hints|version)(/.*)?|/execution/graph/.*|.*/reason/.*|"
        ".*/stated_error_percent|.*/op_info/.*|.*/terms_ns/.*"
        "|.*/x_tensor");
    const Json& sound = fileOf(static_cast<Subject>(subject));
    std::vector<std::string> unseen;
    std::map<std::string, int> tried;
    const Json flat = sound.flatten();
    for (const auto& [path, value] : flat.items()) {
        if (!(value.is_number() || value.is_boolean()) || std::regex_match(path, kSaysNothing)) continue;
        // A few of each kind: the items of a list are alike.
        const std::string kind = std::regex_replace(path, std::regex("/[0-9]+"), "/*");
        if (++tried[kind] > 3) continue;
        Json file = sound;
        Json& at = file[Json::json_pointer(path)];
        if (value.is_boolean())
            at = !value.get<bool>();
        else if (value.is_number_integer())
            at = value.get<std::int64_t>() + 1;
        else
            at = value.get<double>() + 0.25;
        if (findingsOf(file).empty()) unseen.push_back(path);
    }
    QVERIFY2(unseen.empty(), joined(unseen).c_str());
    QVERIFY(tried.size() > 80);
}

void DamagesTest::soundPlans_haveNoFinding_data() {
    QTest::addColumn<QString>("input");
    for (const char* name : {"softmax-512x1024/graph.json", "softmax-1024x2048/graph.json", "split-mismatch/graph.json",
                             "matmul-span/graph.json", "coarse-tiling/graph.json", "networks/bert_mini_encoder.onnx",
                             "networks/llama_gqa_2l_decoder_kv.onnx"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void DamagesTest::soundPlans_haveNoFinding() {
    QFETCH(QString, input);
    io::OpenOptions options;
    options.bindWithSuggestions = true;
    const auto opened =
        io::openInput(std::string(MEMPLAN_SOURCE_DIR) + "/samples/" + input.toStdString(), options, RunControl{});
    QVERIFY(opened && opened.value().graph);
    const bool isLarge = input.contains("networks");
    std::vector<Pairs> choices{{},
                               {{"preset", "seed"}, {"spyre.lx_planning", "true"}, {"spyre.coarse_tiling", "true"}},
                               {{"spyre.lx_planning", "false"}},
                               {{"spyre.layout_solver", "firstfit"}},
                               {{"spyre.fusion", "false"}, {"spyre.hbm_pool", "false"}},
                               {{"spyre.safe_boundaries", "true"}}};
    if (!isLarge) {
        choices.insert(choices.end(), {{{"preset", "best"}},
                                       {{"spyre.layout_solver", "exact"}},
                                       {{"spyre.layout_solver", "annealing"}},
                                       {{"spyre.eviction", "true"}, {"spyre.free_renaming", "true"}},
                                       {{"spyre.ring_transfers", "true"}, {"spyre.boundary_clones", "true"}},
                                       {{"spyre.co_optimize", "true"}, {"spyre.lx_size_rule", "max_users"}}});
    }
    for (const Pairs& choice : choices) {
        for (const char* cores : {"1", "4", "32"}) {
            Pairs settings = choice;
            settings.emplace_back("spyre.cores", cores);
            CompileRequest request;
            request.graph = opened.value().graph;
            request.hints = opened.value().graph->hints;
            request.settings = Settings::fromPairs(settings).value();
            const CompileOutcome outcome = compile(request, RunControl{});
            QVERIFY2(outcome.plan, (choice.empty() ? "product" : choice.front().first.c_str()));
            const std::string file = io::writePlanJson(*outcome.plan);
            // As made, as written, and with the keys of the contract alone.
            for (const int form : {0, 1, 2}) {
                const auto read = form == 0
                                      ? Result<Plan>(*outcome.plan)
                                      : io::readPlanJson(form == 1 ? file : withoutExtras(Json::parse(file)).dump());
                QVERIFY(read);
                std::vector<std::string> found;
                for (const Diagnostic& d : verifyPlan(read.value()))
                    found.push_back(d.where + ": " + d.message);
                QVERIFY2(found.empty(), (std::string(cores) + " cores, " +
                                         (choice.empty() ? "product" : choice.front().first) + joined(found))
                                            .c_str());
            }
        }
    }
}

/// A compile runs a part of the checks; nothing that this part finds is missing in the whole.
void DamagesTest::compiledCheck_isPartOfTheWhole() {
    int compared = 0;
    for (const Damage& damage : allDamages()) {
        Json file = fileOf(damage.subject);
        damage.apply(file);
        const auto read = io::readPlanJson(file.dump());
        if (!read) continue;
        ++compared;
        const std::vector<Diagnostic> whole = verifyPlan(read.value());
        for (const Diagnostic& d : verifyCompiled(read.value()))
            QVERIFY2(std::find(whole.begin(), whole.end(), d) != whole.end(), damage.name.c_str());
    }
    QVERIFY(compared > 20);
}

MEMPLAN_TEST(DamagesTest)
#include "tst_damages.moc"

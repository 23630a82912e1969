// SPDX-License-Identifier: Apache-2.0
// The table of hint kinds, scopes, checks before a compile and the values an editor offers (hints.md 2, 4).
#include "engine/graph/builder.h"
#include "engine/hints/validate.h"
#include "engine/target/compile.h"
#include "tests/support/hint_support.h"
#include "tests/support/plan_lookup.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::hints;

using test::q;

namespace {

/// x (512, 1024) -> y = exp(x) -> z = y + w
Graph chain() {
    GraphBuilder b("chain");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId w = b.input("w", {512, 1024});
    const TensorId y = b.pointwise("y", "exp", {x});
    b.output(b.pointwise("z", "add", {y, w}));
    return b.build();
}

Hint hint(std::string key, std::string scope, std::string value, std::string target = "spyre") {
    Hint h;
    h.target = std::move(target);
    h.key = std::move(key);
    h.scopes = {std::move(scope)};
    h.value = test::hintValue(value);
    return h;
}

/// Graph, settings and plan of the chain on 32 cores.
struct Document {
    std::shared_ptr<const Graph> graph = std::make_shared<const Graph>(chain());
    Settings settings;
    PlanPtr plan;
    std::vector<Hint> hints;

    Document() {
        CompileRequest request;
        request.graph = graph;
        plan = compile(request, {}).plan;
        hints.push_back(hint("dim_sizes", "graph", R"({"A": 512, "B": 1024})"));
    }
    [[nodiscard]] World world(bool withPlan = true) const {
        World w;
        w.target = "spyre";
        w.settings = &settings;
        w.graph = graph.get();
        w.plan = withPlan ? plan.get() : nullptr;
        w.hints = hints;
        return w;
    }
};

QStringList codes(const std::vector<Diagnostic>& list) {
    QStringList out;
    for (const Diagnostic& d : list)
        out << q(d.code) + q(d.where);
    return out;
}

}  // namespace

class TestHints : public QObject {
    Q_OBJECT

private slots:
    void table_isTheCanonicalOne() {
        QCOMPARE(allKinds().size(), std::size_t{27});
        std::set<std::pair<std::string_view, std::string_view>> keys;
        for (const KindInfo& k : allKinds()) {
            QVERIFY2(keys.insert({k.target, k.key}).second, k.key.data());
            QVERIFY(!k.title.empty() && !k.help.empty() && !k.pass.empty() && !k.value.empty() && !k.scopes.empty());
            QVERIFY(k.type != ValueType::Choice || !k.choices.empty());
        }
        QCOMPARE(q(findKind("spyre", "pin")->title), "Pin on chip");
        QVERIFY(findKind("ttnn", "pin") == nullptr);
        QVERIFY(kindOf(hint("spill", "op:y", "\"dram\"", "any"), "ttnn") != nullptr);
        QVERIFY(kindOf(hint("spill", "op:y", "\"dram\"", "any"), "spyre") == nullptr);
        QCOMPARE(kindsFor("spyre", ScopeKind::Tensor).size(), std::size_t{7});
        QCOMPARE(q(kindsFor("spyre", ScopeKind::Op).front()->key), "split");
    }

    /// A level that cuts none of 20 000 operations: looked up one after the other in the graph they took 12 s.
    void groupsOfManyOperations_areCheckedSoon() {
        GraphBuilder b("long");
        TensorId x = b.input("x", {8});
        std::string ids;
        for (int i = 0; i < 20'000; ++i) {
            const std::string id = "y" + std::to_string(i);
            x = b.pointwise(id, "exp", {x});
            ids += (i > 0 ? ", \"" : "\"") + id + "\"";
        }
        b.output(x);
        const Graph graph = b.build();
        const Settings settings;
        World world;
        world.target = "spyre";
        world.settings = &settings;
        world.graph = &graph;
        const Hint all =
            hint("manual_groups", "graph", R"([{"ops": [)" + ids + R"(], "levels": [{"count": 2, "dims": [5]}]}])");
        const double before = test::processorSeconds();
        const std::vector<Diagnostic> found = validateHint(all, world);
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
        QCOMPARE(codes(found), QStringList{"HNT-003/value/0/levels/0/dims"});
    }

    /// The sizes of names are numbers of the user: the largest ones take no longer than others.
    void sizesOfNames_areBounded() {
        Document doc;
        doc.hints = {hint("dim_sizes", "graph", R"({"A": 9223372036854775783, "B": 9223372036854775807})")};
        const double before = test::processorSeconds();
        QCOMPARE(codes(validateHint(doc.hints.front(), doc.world())),
                 (QStringList{"HNT-003/value/A", "HNT-003/value/B"}));
        const auto cut = validateHint(hint("slices", "op:y_op", R"({"A": 4})"), doc.world());
        QVERIFY(test::processorSeconds() - before < test::kHostileSeconds);
        QVERIFY(!cut.empty());
        doc.hints = {hint("dim_sizes", "graph", R"({"A": 281474976710656})")};
        QVERIFY(validateHint(doc.hints.front(), doc.world()).empty());
        doc.hints = {hint("dim_sizes", "graph", R"({"A": 897612484786617600})")};
        const auto many = validateHint(hint("slices", "op:y_op", R"({"A": 47})"), doc.world());
        QVERIFY(!many.empty());
        QVERIFY(many.front().hint.size() < 10'000);
    }

    void everyPass_isAPassOfThePipeline() {
        QStringList ids;
        for (const PassInfo& p : passList("spyre"))
            ids << q(p.id);
        for (const KindInfo& k : allKinds()) {
            if (k.target == "spyre" && k.isRead) QVERIFY2(ids.contains(q(k.pass)), k.pass.data());
        }
    }

    void scopes_areTextAndBack() {
        for (const char* text : {"graph", "op:a:b", "tensor:x", "group:g", "annotation:a/b"}) {
            const auto scope = parseScope(text);
            QVERIFY2(scope.has_value(), text);
            QCOMPARE(q(scopeText(*scope)), text);
        }
        QCOMPARE(q(parseScope("op:a:b")->id), "a:b");
        for (const char* text : {"", "op", "op:", "ops:x", "Graph", "graph:x"})
            QVERIFY2(!parseScope(text), text);
        Subjects s;
        s.add(ScopeKind::Annotation, "net/block1/att");
        QVERIFY(s.has({ScopeKind::Annotation, "net/block1"}));
        QVERIFY(!s.has({ScopeKind::Annotation, "net/block"}));
    }

    void goodHints_haveNoFindings() {
        const Document d;
        for (const Hint& h : {hint("pin", "tensor:y", "true"), hint("address", "tensor:y", "128"),
                              hint("in_place", "tensor:z", "\"forbid\""), hint("clone_input", "tensor:w", "false"),
                              hint("split", "op:y", R"({"d0": 4, "d1": 8})"), hint("max_cores", "op:y", "32"),
                              hint("slices", "op:y", R"({"A": 2})"), hint("dim_names", "tensor:x", R"(["A", "B"])"),
                              hint("named_dims", "op:y", R"(["A", "B"])"), hint("op_order", "graph", R"(["y", "z"])"),
                              hint("lx_eligible", "op:y", "true", "any"), hint("split", "op:y", R"({"B": 16})"),
                              hint("manual_groups", "graph", R"([{"ops":["y"],"levels":[{"count":2,"dims":[0]}]}])")}) {
            for (const bool withPlan : {true, false}) {
                const auto found = validateHint(h, d.world(withPlan));
                QVERIFY2(found.empty(),
                         qPrintable(q(h.key) + ": " + (found.empty() ? QString() : q(found.front().message))));
            }
        }
    }

    void badHints_areRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("fix");
        const auto row = [](const char* name, const char* key, const char* scope, const char* value, const char* code,
                            const char* fix) { QTest::newRow(name) << key << scope << value << code << fix; };
        row("key", "pinn", "tensor:y", "true", "HNT-001/key", "nearest: pin");
        row("other target's key", "spill", "op:y", "\"dram\"", "HNT-001/key", "allowed: pin");
        row("type", "pin", "tensor:y", "1", "HNT-002/value", "expected: true");
        row("false", "pin", "tensor:y", "false", "HNT-003/value", "disable");
        row("scope kind", "pin", "op:y", "true", "HNT-004/scope", "allowed: tensor");
        row("no scope", "pin", "y", "true", "HNT-004/scope", "tensor:<id>");
        row("no input", "clone_input", "tensor:y", "true", "HNT-004/scope", "allowed: x, w");
        row("unknown", "pin", "tensor:yy", "true", "HNT-005/scope", "nearest: y");
        row("unknown op", "split", "op:zz", "{\"d0\":2}", "HNT-005/scope", "nearest: z");
        row("three slices", "split", "op:y", "{\"d0\":3}", "HNT-003/value/d0", "allowed: 1, 2, 4, 8, 16, 32");
        row("sticks", "split", "op:y", "{\"d1\":32}", "HNT-003/value/d1", "allowed: 1, 2, 4, 8, 16");
        row("product", "split", "op:y", "{\"d0\":32,\"d1\":2}", "HNT-003/value", "at most 32");
        row("loop", "split", "op:y", "{\"k\":2}", "HNT-003/value/k", "d0 (512)");
        row("zero", "split", "op:y", "{\"d0\":0}", "HNT-003/value/d0", "at least 1");
        row("fraction", "split", "op:y", "{\"d0\":1.5}", "HNT-002/value/d0", "a whole number");
        row("200 cores", "max_cores", "op:y", "200", "HNT-003/value", "allowed: 1 to 32 cores");
        row("outside", "address", "tensor:y", "16777216", "HNT-003/value", "allowed: 0 to");
        row("unaligned", "address", "tensor:y", "100", "HNT-003/value", "nearest: 0 and 128");
        row("negative", "address_limit", "tensor:y", "-128", "HNT-003/value", "allowed: 0 bytes or more");
        row("unaligned limit", "address_limit", "tensor:y", "100", "HNT-003/value", "nearest: 0 and 128");
        row("word", "in_place", "tensor:y", "\"never\"", "HNT-003/value", "allowed: force, forbid");
        row("two dims", "slices", "op:y", "{\"A\":2,\"B\":2}", "HNT-003/value", "one hint for each");
        row("undeclared", "slices", "op:y", "{\"C\":2}", "HNT-003/value/C", "A (512)");
        row("not dividing", "slices", "op:y", "{\"A\":3}", "HNT-003/value/A", "allowed: 1, 2, 4");
        row("elements", "dim_names", "tensor:x", "[\"A\"]", "HNT-003/value", "multiply to");
        row("names", "named_dims", "op:y", "[\"A\"]", "HNT-003/value", "one declared name for each");
        row("order", "op_order", "graph", "[\"z\",\"y\"]", "HNT-003/value/0", "comes first");
        row("order short", "op_order", "graph", "[\"y\"]", "HNT-003/value", "every operation");
        row("groups", "manual_groups", "graph", "[{\"ops\":[\"q\"],\"levels\":[]}]", "HNT-003/value/0/ops/0",
            "allowed");
        row("no such dimension", "manual_groups", "graph", R"([{"ops":["y"],"levels":[{"count":4,"dims":[7]}]}])",
            "HNT-003/value/0/levels/0/dims", "0 to 1");
        row("nothing cut", "manual_groups", "graph", R"([{"ops":["y","z"],"levels":[{"count":4,"dims":[]}]}])",
            "HNT-003/value/0/levels/0/dims", "0 to 1");
        row("group", "manual_groups", "graph", "[{\"ops\":[]}]", "HNT-002/value/0", "levels");
    }
    void badHints_areRefused() {
        QFETCH(QString, key);
        QFETCH(QString, scope);
        QFETCH(QString, value);
        QFETCH(QString, code);
        QFETCH(QString, fix);
        const Document d;
        const auto found = validateHint(hint(key.toStdString(), scope.toStdString(), value.toStdString()), d.world());
        QVERIFY2(codes(found).contains(code), qPrintable(codes(found).join(' ')));
        const auto& one = found[static_cast<std::size_t>(codes(found).indexOf(code))];
        QVERIFY2(q(one.hint).replace(QChar(0x202F), "").contains(fix), one.hint.c_str());
        QCOMPARE(one.severity, code.startsWith("HNT-005") ? Severity::Warning : Severity::Error);
    }

    void droppedDown_splits() {
        const Document d;
        const AllowedValues v = allowedValues(*findKind("spyre", "split"), {*parseScope("op:y")}, d.world());
        QCOMPARE(v.dims.size(), std::size_t{2});
        QCOMPARE(v.dims[0].counts, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32}));
        QVERIFY(v.dims[1].inSticks);
        QCOMPARE(v.dims[1].adjusted, std::int64_t{16});
        QCOMPARE(v.maxProduct, std::int64_t{32});
        QCOMPARE(q(v.list.front().value.json()), "{\"d0\":2}");
        for (const AllowedValue& one : v.list)
            QVERIFY(validateHint(hint("split", "op:y", one.value.json()), d.world()).empty());
    }

    void droppedDown_maxCoresLimitsSplits() {
        Document d;
        d.hints.push_back(hint("max_cores", "op:y", "4"));
        const AllowedValues v = allowedValues(*findKind("spyre", "split"), {*parseScope("op:y")}, d.world());
        QCOMPARE(v.maxProduct, std::int64_t{4});
        QCOMPARE(v.dims[0].counts.back(), std::int64_t{4});
    }

    void addressLimit_hasNoUpperBound() {
        const Document d;
        for (const bool withPlan : {true, false})
            QVERIFY(validateHint(hint("address_limit", "tensor:y", "999999872"), d.world(withPlan)).empty());
    }

    void droppedDown_addresses() {
        const Document d;
        const AllowedValues v = allowedValues(*findKind("spyre", "address"), {*parseScope("tensor:y")}, d.world());
        const PlanBuffer& y = d.plan->buffer(test::bufferNamed(*d.plan, "y"));
        QVERIFY(v.range.has_value());
        QCOMPARE(v.range->step, std::int64_t{128});
        QVERIFY(v.range->max + y.sizePerCore <= d.plan->memory.capacity);
        QVERIFY(v.range->max + 128 + y.sizePerCore > d.plan->memory.capacity);
    }

    void everyEnumeratedValue_isValid() {
        const Document d;
        int offered = 0;
        for (const KindInfo& k : allKinds()) {
            if (k.target != "spyre") continue;
            for (const char* scope : {"graph", "op:y", "tensor:x"}) {
                if (!k.takes(parseScope(scope)->kind)) continue;
                for (const AllowedValue& v : allowedValues(k, {*parseScope(scope)}, d.world()).list) {
                    ++offered;
                    const auto found = validateHint(hint(std::string(k.key), scope, v.value.json()), d.world());
                    QVERIFY2(found.empty(), (std::string(k.key) + " " + v.value.json()).c_str());
                }
            }
        }
        QVERIFY2(offered > 20, qPrintable(QString::number(offered)));
    }

    /// One payload for each value, by what it is; what is none of them stays a tree.
    void values_areTypedOnce_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("payload");
        QTest::newRow("true") << "true"
                              << "boolean";
        QTest::newRow("number") << "-7"
                                << "integer";
        QTest::newRow("word") << "\"force\""
                              << "word";
        QTest::newRow("counts") << R"({"A":2,"B":-1})"
                                << "counts";
        QTest::newRow("no counts") << "{}"
                                   << "counts";
        QTest::newRow("names") << R"(["A","B"])"
                               << "names";
        QTest::newRow("nothing") << "[]"
                                 << "names groups";
        QTest::newRow("groups") << R"([{"ops":["x"],"levels":[{"count":2,"dims":[0]}]}])"
                                << "groups";
        QTest::newRow("groups with other dims")
            << R"([{"note":1,"levels":[{"dims":[],"dims_of":{"x":[1]},"count":2}],"ops":["x"]}])"
            << "groups";
        QTest::newRow("fraction") << "2.50"
                                  << "";
        QTest::newRow("null") << "null"
                              << "";
        QTest::newRow("mixed counts") << R"({"A":2,"B":"2"})"
                                      << "";
        QTest::newRow("mixed list") << R"(["A",1])"
                                    << "";
        QTest::newRow("positions") << "[0,1]"
                                   << "";
        QTest::newRow("group without levels") << R"([{"ops":["x"]}])"
                                              << "";
        QTest::newRow("dimension far out") << R"([{"ops":["x"],"levels":[{"count":2,"dims":[65]}]}])"
                                           << "";
    }
    void values_areTypedOnce() {
        QFETCH(const QString, json);
        QFETCH(const QString, payload);
        const HintValue value = test::hintValue(json.toStdString());
        QStringList is;
        if (value.boolean() != nullptr) is << "boolean";
        if (value.integer() != nullptr) is << "integer";
        if (value.word() != nullptr) is << "word";
        if (value.counts() != nullptr) is << "counts";
        if (value.names() != nullptr) is << "names";
        if (value.groups() != nullptr) is << "groups";
        QCOMPARE(is.join(' '), payload);
        QCOMPARE(q(value.json()), json);  // as it was written, to the last digit
    }

    void madeValues_areThoseOfTheirText() {
        QVERIFY(HintValue(true) == test::hintValue("true"));
        QVERIFY(HintValue(Bytes{4096}) == test::hintValue("4096"));
        QVERIFY(HintValue("force") == test::hintValue("\"force\""));
        QVERIFY(HintValue(NamedCounts{{"d0", 4}, {"d1", 2}}) == test::hintValue(R"({"d0": 4, "d1": 2})"));
        QVERIFY(HintValue(NameList{"a", "b\"c"}) == test::hintValue("[\"a\", \"b\\\"c\"]"));
        QVERIFY(HintValue() == test::hintValue("null"));
        const TilingGroups groups{{{"x", "y"}, {{2, {0}, {{"y", {1}}}}, {4, {}, {}}}}};
        const HintValue made(groups);
        QCOMPARE(q(made.json()), QString(R"([{"ops":["x","y"],"levels":[{"count":2,"dims":[0],"dims_of":{"y":[1]}},)"
                                         R"({"count":4,"dims":[]}]}])"));
        QCOMPARE(test::hintValue(made.json()).groups()->front().levels.front().dimsOf.at("y"), std::vector<int>{1});
    }

    void values_areParsed() {
        const auto v = io::parseJsonValue(R"({"a": [1, 2.5, "t", null, true]})");
        QVERIFY(v && v->is(JsonKind::Object));
        QCOMPARE(v->find("a")->items.size(), std::size_t{5});
        QCOMPARE(v->find("a")->items[0].integer, std::int64_t{1});
        QVERIFY(v->find("b") == nullptr);
        QCOMPARE(io::parseJsonValue("7")->integer, std::int64_t{7});
        QVERIFY(!io::parseJsonValue("") && !io::parseJsonValue("{") && !io::parseJsonValue("1 2"));
    }
};

MEMPLAN_TEST(TestHints)
#include "tst_hints.moc"

// SPDX-License-Identifier: Apache-2.0
// Every Spyre hint in a compile: what it does, its state, its problem (hints.md 3, 4.1; spyre-scratchpad 4.1).
#include "engine/solve/solver.h"
#include "tests/support/compile_support.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;

using test::q;

namespace {

Hint hint(std::string key, std::vector<std::string> scopes, std::string value) {
    Hint h;
    h.target = "spyre";
    h.key = std::move(key);
    h.scopeIsArray = scopes.size() != 1;
    h.scopes = std::move(scopes);
    h.value = test::hintValue(value);
    return h;
}

PlanPtr compiled(const Graph& graph, std::vector<Hint> hints, const test::Pairs& settings) {
    CompileRequest request;
    request.graph = std::make_shared<const Graph>(graph);
    request.hints = std::move(hints);
    for (const auto& [key, value] : settings) {
        if (!request.settings.set(key, value)) qFatal("setting %s", key.c_str());
    }
    const CompileOutcome outcome = compile(request, {});
    if (outcome.failure) qWarning("%s", outcome.failure->error.primary().message.c_str());
    return outcome.plan;
}

const test::Pairs kOneCore{{"spyre.cores", "1"}};

/// S1 on one core: every intermediate is on chip without hints.
PlanPtr softmaxPlan(std::vector<Hint> hints, test::Pairs settings = kOneCore) {
    return compiled(test::softmax(512, 1024, 0), std::move(hints), settings);
}

QString stateOf(const Plan& plan, std::size_t i = 0) {
    return test::ungrouped(plan.hintStates[i]);
}

/// First problem with this code, null when there is none.
const Diagnostic* problem(const Plan& plan, std::string_view code) {
    for (const Diagnostic& d : plan.problems) {
        if (d.code == code) return &d;
    }
    return nullptr;
}

const PlanBuffer& buffer(const Plan& plan, const std::string& name) {
    const PlanBuffer* b = test::findBuffer(plan, name);
    if (b == nullptr) qFatal("no buffer %s", name.c_str());
    return *b;
}

}  // namespace

class TestHintStates : public QObject {
    Q_OBJECT

private slots:
    void pin_isApplied_inEverySolver() {
        for (const solve::Solver* solver : solve::allSolvers()) {
            const test::Pairs settings{{"spyre.cores", "1"},
                                       {"spyre.layout_solver", std::string(solver->id())},
                                       {"spyre.allow_all_ops_in_lx", "false"},
                                       {"spyre.lx_ops", "max"}};
            const PlanPtr without = softmaxPlan({}, settings);
            QCOMPARE(test::ungrouped(test::reasonName(*without, "sub")), "op_not_allowed");
            const PlanPtr plan = softmaxPlan({hint("pin", {"tensor:sub"}, "true")}, settings);
            QCOMPARE(stateOf(*plan), "applied");
            QVERIFY(buffer(*plan, "sub").address.has_value());
            QVERIFY(problem(*plan, "HNT-008") == nullptr);
        }
    }

    void pin_ofWhatIsTooLarge_isImpossible() {
        const PlanPtr plan = compiled(test::softmax(2048, 1024, 0), {hint("pin", {"tensor:sub"}, "true")}, kOneCore);
        QCOMPARE(stateOf(*plan), "impossible");
        const Diagnostic* d = problem(*plan, "HNT-008");
        QVERIFY(d != nullptr);
        QVERIFY2(test::ungrouped(d->message).contains("needs 4194304 B"), d->message.c_str());
        QVERIFY2(test::ungrouped(d->hint).contains("1677721"), d->hint.c_str());
        QVERIFY2(test::ungrouped(plan->hintStateReasons[0]).endsWith("(" + test::ungrouped(d->hint) + ")"),
                 plan->hintStateReasons[0].c_str());
        QVERIFY(!d->buffers.empty());
        QCOMPARE(test::ungrouped(d->pass), "scratchpad_planning");
    }

    void pin_ofAnInput_pinsItsClone() {
        const PlanPtr plan =
            softmaxPlan({hint("pin", {"tensor:x"}, "true")}, {{"spyre.cores", "1"}, {"spyre.clone_inputs", "false"}});
        QCOMPARE(stateOf(*plan), "applied");
        QVERIFY(buffer(*plan, "clone_x").address.has_value());
    }

    void pin_ofAMismatch_isImpossible() {
        const PlanPtr plan = softmaxPlan({hint("pin", {"tensor:exp"}, "true")}, {{"spyre.cores", "32"}});
        QCOMPARE(stateOf(*plan), "impossible");
        QVERIFY(test::ungrouped(plan->hintStateReasons[0]).contains("divides it"));
    }

    /// Softmax over rows: max and sum slice columns, the others rows.
    void fixOfAMismatch_namesThoseWhoDiffer() {
        const PlanPtr pinned =
            compiled(test::softmax(512, 1024, 0), {hint("pin", {"tensor:exp"}, "true")}, {{"spyre.cores", "8"}});
        const Diagnostic* d = problem(*pinned, "HNT-008");
        QVERIFY(d != nullptr);
        QVERIFY2(test::ungrouped(d->hint).contains("give \"exp\", \"sum\" the same split"), d->hint.c_str());
        const PlanPtr cloned =
            compiled(test::softmax(512, 1024, 0), {hint("clone_input", {"tensor:x"}, "true")}, {{"spyre.cores", "8"}});
        d = problem(*cloned, "HNT-008");
        QVERIFY(d != nullptr);
        QVERIFY2(test::ungrouped(d->message).contains("one split for all its readers") &&
                     test::ungrouped(d->message).contains("\"sub\""),
                 d->message.c_str());
        QVERIFY2(test::ungrouped(d->hint).contains("\"max\"") && !test::ungrouped(d->hint).contains("room"),
                 d->hint.c_str());
    }

    void fixOfAnOutsideKernel_isNoRoom() {
        GraphBuilder b("outside");
        const TensorId w = b.parameter("w", {64, 64});
        b.output(b.fallback("k", "outside", {b.input("x", {64, 64}), w}, {64, 64}));
        const PlanPtr plan = compiled(b.build(), {hint("pin", {"tensor:w"}, "true")}, kOneCore);
        QCOMPARE(stateOf(*plan), "impossible");
        const Diagnostic* d = problem(*plan, "HNT-008");
        QVERIFY2(test::ungrouped(d->message).contains("extern kernel"), d->message.c_str());
        QVERIFY2(!test::ungrouped(d->hint).contains("free room"), d->hint.c_str());
    }

    void keepOffChip_isApplied() {
        const PlanPtr plan = softmaxPlan({hint("keep_off_chip", {"tensor:sub"}, "true")});
        QCOMPARE(stateOf(*plan), "applied");
        QCOMPARE(test::ungrouped(test::reasonName(*plan, "sub")), "off_by_hint");
        QVERIFY(sentence(*buffer(*plan, "sub").reason).find("keep_off_chip") != std::string::npos);
    }

    void keepOffChip_ofAnInput_meansNoClone() {
        const PlanPtr plan = softmaxPlan({hint("keep_off_chip", {"tensor:x"}, "true")});
        QCOMPARE(stateOf(*plan), "applied");
        QVERIFY(test::findBuffer(*plan, "clone_x") == nullptr);
    }

    void address_isKept_inEverySolver() {
        for (const solve::Solver* solver : solve::allSolvers()) {
            const PlanPtr plan =
                softmaxPlan({hint("address", {"tensor:max"}, "1048704")},
                            {{"spyre.cores", "1"}, {"spyre.layout_solver", std::string(solver->id())}});
            QCOMPARE(stateOf(*plan), "applied");
            QCOMPARE(buffer(*plan, "max").address, std::optional<Address>(1'048'704));
        }
    }

    void address_outsideTheMemory_isImpossible() {
        const PlanPtr far = softmaxPlan({hint("address", {"tensor:max"}, "16777216")});
        QCOMPARE(stateOf(*far), "impossible");
        // The end of the range is that of this buffer, as it was compiled.
        QVERIFY(test::ungrouped(problem(*far, "HNT-003")->hint).contains("allowed: 0 to 1675648"));
        // Inside the memory, but the buffer would reach over its end: known when its size is.
        const PlanPtr end = softmaxPlan({hint("address", {"tensor:max"}, "1677696")});
        QCOMPARE(stateOf(*end), "impossible");
        QVERIFY(test::ungrouped(problem(*end, "HNT-008")->hint).contains("0 to 1675648"));
        QVERIFY(buffer(*end, "max").address.has_value());  // goes on as an ordinary buffer
    }

    void addressLimit_isKept() {
        const PlanPtr plan = softmaxPlan({hint("address_limit", {"tensor:max"}, "0")});
        QCOMPARE(stateOf(*plan), buffer(*plan, "max").address ? "applied" : "ignored");
        const PlanPtr pinned =
            softmaxPlan({hint("address_limit", {"tensor:max"}, "0"), hint("pin", {"tensor:max"}, "true")});
        QCOMPARE(stateOf(*pinned, 0), "applied");
        QCOMPARE(stateOf(*pinned, 1), "applied");
        QCOMPARE(buffer(*pinned, "max").address, std::optional<Address>(0));
    }

    void inPlace_forceAndForbid() {
        const PlanPtr forbidden = softmaxPlan({hint("in_place", {"tensor:exp"}, "\"forbid\"")});
        QCOMPARE(stateOf(*forbidden), "applied");
        QVERIFY(!buffer(*forbidden, "exp").inPlaceOf.isValid());
        const PlanPtr forced = softmaxPlan({hint("in_place", {"tensor:exp"}, "\"force\"")});
        QCOMPARE(stateOf(*forced), "applied");
        QVERIFY(buffer(*forced, "exp").inPlaceOf.isValid());
        const PlanPtr none = softmaxPlan({hint("in_place", {"tensor:max"}, "\"force\"")});
        QCOMPARE(stateOf(*none), "impossible");
        QVERIFY(!buffer(*none, "max").address);
    }

    void cloneInput_alwaysAndNever() {
        const PlanPtr never = softmaxPlan({hint("clone_input", {"tensor:x"}, "false")});
        QCOMPARE(stateOf(*never), "applied");
        QVERIFY(test::findBuffer(*never, "clone_x") == nullptr);
        const PlanPtr always = softmaxPlan({hint("clone_input", {"tensor:x"}, "true")},
                                           {{"spyre.cores", "1"}, {"spyre.clone_inputs", "false"}});
        QVERIFY2(stateOf(*always) == "applied", always->hintStateReasons[0].c_str());
        QVERIFY(buffer(*always, "clone_x").address.has_value());
        // The pass clone_inputs did not run: the copy names the one that made it, and verify finds that one.
        const PlanOp* maker = test::findOp(*always, "clone_x");
        QVERIFY(maker != nullptr);
        QCOMPARE(test::ungrouped(maker->addedBy), "scratchpad_planning.buffers");
        QCOMPARE(test::fileFault(*always), std::string());
        const PlanPtr large =
            compiled(test::softmax(2048, 1024, 0), {hint("clone_input", {"tensor:x"}, "true")}, kOneCore);
        QCOMPARE(stateOf(*large), "impossible");
        QVERIFY(test::findBuffer(*large, "clone_x") == nullptr);
    }

    void lxEligible_bothWays() {
        const PlanPtr off = softmaxPlan({hint("lx_eligible", {"op:sub"}, "false")});
        QCOMPARE(stateOf(*off), "applied");
        QCOMPARE(test::ungrouped(test::reasonName(*off, "sub")), "off_by_hint");
        const PlanPtr on =
            softmaxPlan({hint("lx_eligible", {"op:sub"}, "true")},
                        {{"spyre.cores", "1"}, {"spyre.allow_all_ops_in_lx", "false"}, {"spyre.lx_ops", "max"}});
        QCOMPARE(stateOf(*on), "applied");
        QVERIFY(buffer(*on, "sub").address.has_value());
    }

    void opOrder_isApplied() {
        GraphBuilder b("two");
        const TensorId x = b.input("x", {64, 64});
        const TensorId l = b.pointwise("l", "exp", {x});
        const TensorId r = b.pointwise("r", "neg", {x});
        b.output(b.pointwise("o", "add", {l, r}));
        const Graph graph = b.build();
        const PlanPtr plan = compiled(graph, {hint("op_order", {"graph"}, R"(["r","l","o"])")}, kOneCore);
        QCOMPARE(stateOf(*plan), "applied");
        std::vector<std::string> names;
        for (const PlanOp& op : plan->ops) {
            if (op.addedBy.empty()) names.push_back(op.name);
        }
        QCOMPARE(names, (std::vector<std::string>{"r", "l", "o"}));
        const PlanPtr wrong = compiled(graph, {hint("op_order", {"graph"}, R"(["o","l","r"])")}, kOneCore);
        QCOMPARE(stateOf(*wrong), "impossible");
        QVERIFY(problem(*wrong, "HNT-003") != nullptr);
    }

    void splitAndMaxCores_areApplied() {
        const PlanPtr plan = softmaxPlan(
            {hint("split", {"op:exp"}, R"({"d1": 4})"), hint("max_cores", {"op:sub"}, "2")}, {{"spyre.cores", "32"}});
        QCOMPARE(stateOf(*plan, 0), "applied");
        QCOMPARE(stateOf(*plan, 1), "applied");
        QCOMPARE(test::findOp(*plan, "exp")->cores, std::int64_t{4});
        QVERIFY(test::findOp(*plan, "sub")->cores <= 2);
    }

    void names_areApplied() {
        const PlanPtr plan =
            softmaxPlan({hint("dim_sizes", {"graph"}, R"({"R": 512, "C": 1024})"),
                         hint("dim_names", {"tensor:x"}, R"(["R", "C"])"), hint("split", {"op:sub"}, R"({"R": 8})")},
                        {{"spyre.cores", "32"}});
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(stateOf(*plan, i), "applied");
        QCOMPARE(test::findOp(*plan, "sub")->cores, std::int64_t{8});
    }

    /// Of three sizes of A the last counts: the first says the same, the second another one.
    void sizesOfAName_areComparedWithTheLast() {
        const PlanPtr plan = softmaxPlan(
            {hint("dim_sizes", {"graph"}, R"({"A": 1024, "B": 4096})"), hint("dim_sizes", {"graph"}, R"({"A": 512})"),
             hint("dim_sizes", {"graph"}, R"({"A": 1024})"), hint("dim_sizes", {"graph"}, R"({"B": 2048})")},
            {{"spyre.cores", "32"}});
        const auto reason = [&](std::size_t i) { return q(plan->hintStateReasons[i]); };
        QVERIFY2(reason(0).contains("the later hint 4") && reason(0).contains("another size of \"B\""),
                 qPrintable(reason(0)));
        QVERIFY2(reason(1).contains("the later hint 3") && reason(1).contains("another size of \"A\""),
                 qPrintable(reason(1)));
        QVERIFY2(!reason(2).contains("later"), qPrintable(reason(2)));
        const PlanPtr two =
            softmaxPlan({hint("dim_sizes", {"graph"}, R"({"A": 1024})"), hint("dim_sizes", {"graph"}, R"({"A": 512})"),
                         hint("dim_sizes", {"graph"}, R"({"A": 1024})")},
                        {{"spyre.cores", "32"}});
        QVERIFY2(two->hintStates[0] != "conflicting", two->hintStateReasons[0].c_str());
        QCOMPARE(stateOf(*two, 1), "conflicting");
    }

    void split_takesTheNameOfAReducedDimension() {
        GraphBuilder b("product");
        b.output(b.matmul("y", b.input("x", {512, 1024}), b.parameter("w", {1024, 256})));
        std::vector<Hint> hints{hint("dim_sizes", {"graph"}, R"({"M": 512, "K": 1024, "N": 256})"),
                                hint("dim_names", {"tensor:x"}, R"(["M", "K"])"),
                                hint("dim_names", {"tensor:w"}, R"(["K", "N"])"),
                                hint("split", {"op:y"}, R"({"K": 2, "M": 4})")};
        const PlanPtr plan = compiled(b.build(), hints, {{"spyre.cores", "32"}});
        QVERIFY2(stateOf(*plan, 3) == "applied", plan->hintStateReasons[3].c_str());
        for (const IterationDim& d : test::findOp(*plan, "y")->iterationSpace)
            QCOMPARE(d.slices, std::int64_t{d.isReduction ? 2 : d.extent == 512 ? 4 : 1});
        hints[3].value = test::hintValue(R"({"Q": 2})");
        const PlanPtr wrong = compiled(b.build(), hints, {{"spyre.cores", "32"}});
        const Diagnostic* d = problem(*wrong, "HNT-008");
        QVERIFY(d != nullptr);
        for (const char* name : {" = M (", " = N (", " = K ("})
            QVERIFY2(test::ungrouped(d->hint).contains(name), d->hint.c_str());
    }

    void threeSlices_areImpossible_withTheAllowedCounts() {
        const PlanPtr plan = softmaxPlan({hint("split", {"op:exp"}, R"({"d1": 3})")}, {{"spyre.cores", "32"}});
        QCOMPARE(stateOf(*plan), "impossible");
        const Diagnostic* d = problem(*plan, "HNT-008");
        QVERIFY2(test::ungrouped(d->hint).contains("d1 (16 sticks): 1, 2, 4, 8, 16"), d->hint.c_str());
        QVERIFY(!d->ops.empty());
    }

    void twoHundredCores_areImpossible() {
        const PlanPtr plan = softmaxPlan({hint("max_cores", {"op:exp"}, "200")}, {{"spyre.cores", "32"}});
        QCOMPARE(stateOf(*plan), "impossible");
        QVERIFY(test::ungrouped(problem(*plan, "HNT-003")->hint).contains("allowed: 1 to 32 cores"));
    }

    void unknownNames_areUnmatched() {
        const PlanPtr plan =
            softmaxPlan({hint("pin", {"tensor:subb"}, "true"), hint("split", {"op:qqqqqq"}, R"({"d0":2})")});
        QCOMPARE(stateOf(*plan, 0), "unmatched");
        QCOMPARE(stateOf(*plan, 1), "unmatched");
        // A name that nothing resembles gets no proposal.
        QStringList fixes;
        for (const Diagnostic& d : plan->problems)
            if (d.code == "HNT-005") fixes << test::ungrouped(d.hint);
        QCOMPARE(fixes.size(), 2);
        QCOMPARE(fixes.filter(QStringLiteral("nearest: ")), QStringList{QStringLiteral("nearest: sub")});
    }

    void decomposedOp_namesItsParts() {
        GraphBuilder b("g");
        const TensorId x = b.input("x", {512, 1024});
        const TensorId m = b.reduction("m", "max", x, {1});
        b.output(b.pointwise("s", "sub", {x, m}));
        b.group("soft", "softmax", {"m", "s"});
        const PlanPtr plan = compiled(b.build(), {hint("split", {"op:soft"}, R"({"d0":2})")}, kOneCore);
        QCOMPARE(stateOf(*plan), "unmatched");
        const QString fix = test::ungrouped(problem(*plan, "HNT-005")->hint);
        QVERIFY2(fix.contains("op:m, op:s") && fix.contains("group:soft"), qPrintable(fix));
    }

    void view_hasNothingToDecide() {
        GraphBuilder b("g");
        const TensorId x = b.input("x", {512, 1024});
        const TensorId v = b.reshape("v", x, {1024, 512});
        b.output(b.pointwise("y", "exp", {v}));
        const PlanPtr plan =
            compiled(b.build(), {hint("split", {"op:v"}, R"({"d0":2})"), hint("pin", {"tensor:v"}, "true")},
                     {{"spyre.cores", "32"}});
        QCOMPARE(stateOf(*plan, 0), "ignored");
        QVERIFY(test::ungrouped(plan->hintStateReasons[0]).contains("is a view"));
        QCOMPARE(stateOf(*plan, 1), "ignored");
        QVERIFY(problem(*plan, "HNT-007") != nullptr);
    }

    /// The way out: what the view stands for, written by an operation or brought by the graph.
    void view_namesWhatToHintInstead() {
        GraphBuilder b("g");
        const TensorId x = b.input("x", {512, 1024});
        const TensorId e = b.pointwise("e", "exp", {b.reshape("u", x, {1024, 512})});
        b.output(b.pointwise("y", "abs", {b.reshape("w", b.reshape("v", e, {512, 1024}), {1024, 512})}));
        const PlanPtr plan = compiled(b.build(),
                                      {hint("split", {"op:w"}, R"({"d0":2})"), hint("pin", {"tensor:w"}, "true"),
                                       hint("split", {"op:u"}, R"({"d0":2})")},
                                      {{"spyre.cores", "32"}});
        std::vector<QString> fixes(3);
        for (const Diagnostic& d : plan->problems) {
            for (std::size_t i = 0; i < fixes.size(); ++i)
                if (d.where == "/hints/" + std::to_string(i)) fixes[i] = q(d.hint);
        }
        QVERIFY2(fixes[0].contains("\"op:e\""), qPrintable(fixes[0]));
        QVERIFY2(fixes[1].contains("\"tensor:e\""), qPrintable(fixes[1]));
        QVERIFY2(fixes[2].contains("\"op:e\"") && fixes[2].contains("\"x\""), qPrintable(fixes[2]));
    }

    void severalSubjects_arePartlyApplied() {
        const PlanPtr plan = softmaxPlan({hint("pin", {"tensor:sub", "tensor:out"}, "true")});
        QCOMPARE(stateOf(*plan), "partly_applied");
        const Diagnostic* d = problem(*plan, "HNT-007");
        QVERIFY2(test::ungrouped(d->message).contains("tensor:out"), d->message.c_str());
        QVERIFY(!test::ungrouped(d->message).contains("tensor:sub:"));
    }

    void conflicts_useTheLater() {
        const PlanPtr plan =
            softmaxPlan({hint("pin", {"tensor:sub"}, "true"), hint("keep_off_chip", {"tensor:sub"}, "true"),
                         hint("max_cores", {"op:exp"}, "1"), hint("split", {"op:exp"}, R"({"d0":4})"),
                         hint("split", {"op:sub"}, R"({"d0":4})"), hint("split", {"op:sub"}, R"({"d0":2})")},
                        {{"spyre.cores", "32"}});
        QCOMPARE(stateOf(*plan, 0), "conflicting");
        QCOMPARE(stateOf(*plan, 1), "applied");
        QCOMPARE(stateOf(*plan, 2), "conflicting");
        QCOMPARE(stateOf(*plan, 3), "applied");
        QCOMPARE(stateOf(*plan, 4), "conflicting");
        QCOMPARE(stateOf(*plan, 5), "applied");
        const auto names = [&](const Diagnostic& d) {
            return d.code == "HNT-006" && test::ungrouped(d.message).contains("later hint 2");
        };
        QVERIFY(std::any_of(plan->problems.begin(), plan->problems.end(), names));
        QCOMPARE(test::findOp(*plan, "sub")->cores, std::int64_t{2});
    }

    void disabledAndIgnored() {
        std::vector<Hint> hints{hint("pin", {"tensor:sub"}, "true"), hint("pin", {"tensor:exp"}, "true")};
        hints[0].enabled = false;
        const PlanPtr off = softmaxPlan(hints, {{"spyre.cores", "1"}, {"spyre.lx_planning", "false"}});
        QCOMPARE(stateOf(*off, 0), "disabled");
        QCOMPARE(stateOf(*off, 1), "ignored");
        QVERIFY(test::ungrouped(off->hintStateReasons[1]).contains("did not run"));
        const PlanPtr ignored =
            softmaxPlan({hint("split", {"op:exp"}, R"({"d0":2})")}, {{"spyre.ignore_hints", "true"}});
        QCOMPARE(stateOf(*ignored), "ignored");
        QVERIFY(problem(*ignored, "HNT-007") != nullptr);
    }

    void wrongTypes_areProblemsAndNoErrors() {
        const PlanPtr plan = softmaxPlan(
            {hint("pin", {"tensor:sub"}, "3"), hint("pinn", {"tensor:sub"}, "true"), hint("pin", {"op:sub"}, "true")});
        QVERIFY(plan != nullptr);
        for (const char* code : {"HNT-001", "HNT-002", "HNT-004"})
            QVERIFY2(problem(*plan, code) != nullptr, code);
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(stateOf(*plan, i), "ignored");
    }

    void sameHints_sameBytes() {
        const std::vector<Hint> hints{hint("pin", {"tensor:sub"}, "true"), hint("address", {"tensor:max"}, "1048704")};
        QCOMPARE(softmaxPlan(hints)->planHash, softmaxPlan(hints)->planHash);
    }
};

MEMPLAN_TEST(TestHintStates)
#include "tst_hint_states.moc"

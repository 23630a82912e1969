// SPDX-License-Identifier: Apache-2.0
// Op suite and generated coverage (spyre-scratchpad 17.7, 17.8): every op kind with every tail, at two
// sizes, on 1, 4 and 32 cores, with every solver, planning on and off. Checked: it compiles, the
// validator is clean, and planning never costs traffic.
#include "engine/target/verify.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"

#include <QTest>

#include <functional>

using namespace memplan;
using namespace memplan::test;

class CoverageTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindWithEveryTail_data();
    void everyKindWithEveryTail();
    void cleanupTestCase();

private:
    int graphs_ = 0;
    int compiles_ = 0;
};

namespace {

/// Instrumented code takes ten times as long; the tests without it go through all of them.
#ifdef MEMPLAN_INSTRUMENTED
constexpr const char* kCores[] = {"4"};
#else
constexpr const char* kCores[] = {"1", "4", "32"};
#endif

using Size = std::int64_t;
/// Adds ops that end in a [rows, columns] tensor.
using Head = std::function<TensorId(GraphBuilder&, Size rows, Size columns)>;
using Tail = std::function<TensorId(GraphBuilder&, TensorId, Size rows, Size columns)>;

TensorId input(GraphBuilder& b, Size rows, Size columns, const char* name = "x") {
    return b.input(name, {rows, columns});
}

std::vector<std::pair<const char*, Head>> heads() {
    std::vector<std::pair<const char*, Head>> list;
    for (const char* fn : {"exp", "relu", "neg", "sqrt", "sigmoid", "tanh", "erf", "cast", "clamp"}) {
        list.emplace_back(fn, [fn](GraphBuilder& b, Size r, Size c) { return b.pointwise("h", fn, {input(b, r, c)}); });
    }
    for (const char* fn : {"add", "sub", "mul", "div", "max", "min", "pow", "eq", "lt"}) {
        list.emplace_back(fn, [fn](GraphBuilder& b, Size r, Size c) {
            return b.pointwise("h", fn, {input(b, r, c), input(b, r, c, "y")});
        });
    }
    list.emplace_back("where", [](GraphBuilder& b, Size r, Size c) {
        return b.pointwise("h", "where", {input(b, r, c, "m"), input(b, r, c), input(b, r, c, "y")});
    });
    list.emplace_back("scalar", [](GraphBuilder& b, Size r, Size c) {
        return b.pointwise("h", "mul", {input(b, r, c), b.constant("half", 0.5)});
    });
    list.emplace_back("row vector", [](GraphBuilder& b, Size r, Size c) {
        return b.pointwise("h", "add", {input(b, r, c), b.parameter("v", {1, c})});
    });
    list.emplace_back("column vector", [](GraphBuilder& b, Size r, Size c) {
        return b.pointwise("h", "add", {input(b, r, c), b.parameter("v", {r, 1})});
    });
    for (const char* fn : {"sum", "max", "min", "mean", "prod", "argmax"}) {
        list.emplace_back(fn, [fn](GraphBuilder& b, Size r, Size c) {
            return b.reduction("h", fn, b.input("x", {4, r, c}), {0}, false);
        });
    }
    list.emplace_back("reduce last", [](GraphBuilder& b, Size r, Size c) {
        return b.reduction("h", "sum", b.input("x", {r, c, 64}), {2}, false);
    });
    list.emplace_back("reduce first", [](GraphBuilder& b, Size r, Size c) {
        return b.reduction("h", "sum", b.input("x", {64, r, c}), {0}, false);
    });
    list.emplace_back("matmul", [](GraphBuilder& b, Size r, Size c) {
        return b.matmul("h", b.input("x", {r, 128}), b.parameter("w", {128, c}));
    });
    list.emplace_back("matmul ragged k", [](GraphBuilder& b, Size r, Size c) {
        return b.matmul("h", b.input("x", {r, 100}), b.parameter("w", {100, c}));
    });
    list.emplace_back("bmm", [](GraphBuilder& b, Size r, Size c) {
        const TensorId y = b.matmul("mm", b.input("x", {2, r, 128}), b.input("w", {2, 128, c}));
        return b.reduction("h", "sum", y, {0}, false);
    });
    list.emplace_back("transpose", [](GraphBuilder& b, Size r, Size c) {
        return b.transpose("h", b.pointwise("e", "exp", {b.input("x", {c, r})}), {1, 0});
    });
    list.emplace_back("reshape", [](GraphBuilder& b, Size r, Size c) {
        return b.reshape("h", b.pointwise("e", "exp", {b.input("x", {2, r / 2, c})}), {r, c});
    });
    list.emplace_back("reshape across sticks", [](GraphBuilder& b, Size r, Size c) {
        return b.reshape("h", b.pointwise("e", "exp", {b.input("x", {r * 4, c / 4})}), {r, c});
    });
    list.emplace_back("fallback", [](GraphBuilder& b, Size r, Size c) {
        return b.fallback("h", "resize", {input(b, r, c)}, {r, c});
    });
    list.emplace_back("shared input", [](GraphBuilder& b, Size r, Size c) {
        const TensorId x = input(b, r, c);
        return b.pointwise("h", "mul", {b.pointwise("e", "exp", {x}), x});
    });
    return list;
}

std::vector<std::pair<const char*, Tail>> tails() {
    return {
        {"none", [](GraphBuilder&, TensorId h, Size, Size) { return h; }},
        {"row reduction", [](GraphBuilder& b, TensorId h, Size, Size) { return b.reduction("t", "sum", h, {1}); }},
        {"column reduction", [](GraphBuilder& b, TensorId h, Size, Size) { return b.reduction("t", "sum", h, {0}); }},
        {"pointwise unary", [](GraphBuilder& b, TensorId h, Size, Size) { return b.pointwise("t", "exp", {h}); }},
        {"broadcast vector",
         [](GraphBuilder& b, TensorId h, Size, Size c) {
             return b.pointwise("t", "add", {h, b.parameter("vec", {1, c})});
         }},
        {"second reader",
         [](GraphBuilder& b, TensorId h, Size, Size) {
             const TensorId t = b.pointwise("t", "exp", {h});
             return b.pointwise("u", "mul", {t, h});
         }},
    };
}

}  // namespace

Q_DECLARE_METATYPE(Head)

void CoverageTest::everyKindWithEveryTail_data() {
    QTest::addColumn<Head>("head");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    for (const auto& [name, head] : heads()) {
        // 256 x 512 fp16 is 256 KiB and fits a core; 2048 x 4096 is 16 MiB and does not fit one.
        QTest::addRow("%s fits", name) << head << 256 << 512;
        QTest::addRow("%s does not fit", name) << head << 2048 << 4096;
    }
}

void CoverageTest::everyKindWithEveryTail() {
    QFETCH(Head, head);
    QFETCH(int, rows);
    QFETCH(int, columns);
    for (const auto& [tailName, tail] : tails()) {
        GraphBuilder b(tailName);
        b.output(tail(b, head(b, rows, columns), rows, columns));
        const Graph graph = b.build();
        ++graphs_;
        for (const char* cores : kCores) {
            for (const char* preset : {"product", "seed"}) {
                const PlanPtr off =
                    planOf(graph, {{"preset", preset}, {"spyre.cores", cores}, {"spyre.lx_planning", "0"}});
                QVERIFY2(off, tailName);
                Bytes greedy = 0;
                for (const char* solver : {"greedy", "firstfit", "bestfit"}) {
                    const PlanPtr on = planOf(graph, {{"preset", preset},
                                                      {"spyre.cores", cores},
                                                      {"spyre.lx_planning", "1"},
                                                      {"spyre.layout_solver", solver}});
                    QVERIFY2(on, tailName);
                    compiles_ += 1;
                    QVERIFY2(verifyPlan(*on).empty(), tailName);
                    QVERIFY2(traffic(*on) <= traffic(*off), tailName);
                    if (std::string_view(solver) == "greedy") greedy = traffic(*on);
                }
                Pairs more{{"preset", preset},           {"spyre.cores", cores},
                           {"spyre.lx_planning", "1"},   {"spyre.layout_solver", "greedy"},
                           {"spyre.free_renaming", "1"}, {"spyre.eviction", "1"}};
                const PlanPtr moved = planOf(graph, more);
                QVERIFY2(moved && verifyPlan(*moved).empty(), tailName);
                QVERIFY2(traffic(*moved) <= greedy, tailName);
                Pairs all = more;
                for (const char* key : {"spyre.reorder_ops", "spyre.solver_clones", "spyre.boundary_clones"})
                    all.emplace_back(key, "1");
                const PlanPtr everything = planOf(graph, all);
                QVERIFY2(everything && verifyPlan(*everything).empty(), tailName);
                QVERIFY2(traffic(*everything) <= greedy, tailName);
                more.emplace_back("spyre.safe_boundaries", "1");
                const PlanPtr safe = planOf(graph, more);
                QVERIFY2(safe && verifyPlan(*safe).empty(), tailName);
                QVERIFY2(traffic(*safe) <= traffic(*off), tailName);
            }
        }
    }
}

void CoverageTest::cleanupTestCase() {
    qInfo("%d graphs, %d compiles with planning on", graphs_, compiles_);
}

MEMPLAN_TEST(CoverageTest)
#include "tst_coverage.moc"

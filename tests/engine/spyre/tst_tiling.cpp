// SPDX-License-Identifier: Apache-2.0
// Coarse tiling without a program: the recorded figures (spyre-coarse-tiling-and-bundle 18) of the kinds that
// belong to it, and what they leave open.
#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/groups.h"
#include "engine/spyre/tiling/hbm_pool.h"
#include "engine/spyre/tiling/kernel_fusion.h"
#include "engine/spyre/tiling/loop_tree.h"
#include "engine/spyre/tiling/propagation.h"
#include "tests/probe/tiling_kinds.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"

#include <QTest>

#include <set>

using memplan::probe::Registry;
using nlohmann::json;
using namespace memplan::spyre;

namespace {

const std::set<std::string> kKinds = {"hint_groups", "coarse_tile", "propagation", "loop_tree", "fuse", "hbm_pool"};

bool holds(const json& want, const json& got) {
    if (!want.is_object()) return want == got;
    for (const auto& [key, value] : want.items()) {
        if (!got.is_object() || !got.contains(key) || !holds(value, got.at(key))) return false;
    }
    return true;
}

DimHint dimHint(int id, std::optional<int> dim, bool reduction = false) {
    DimHint h;
    h.hintId = id;
    h.splitCount = 2;
    h.dimIndex = dim;
    h.isReduction = reduction;
    return h;
}

}  // namespace

class TestTiling : public QObject {
    Q_OBJECT

private slots:
    void recorded_data() {
        const auto isOfTiling = [](const json& query) { return kKinds.contains(query.at("kind").get<std::string>()); };
        QCOMPARE(memplan::test::addRecordedRows("spyre-coarse-tiling.jsonl", isOfTiling), 37);
    }
    void recorded() {
        QFETCH(QString, line);
        json query = json::parse(line.toStdString());
        const json want = query.at("expected");
        query.erase("expected");
        Registry registry;
        memplan::probe::registerTiling(registry);
        const json answer = registry.answer(query.dump());
        if (want.contains("error")) {
            QVERIFY2(answer.contains("error"), answer.dump().c_str());
            QCOMPARE(answer.at("error").at("code").dump(), want.at("error").dump());
        } else {
            QVERIFY2(answer.contains("output") && holds(want, answer.at("output")), answer.dump().c_str());
        }
    }

    void withoutReductionLevels_aRunOfOnlyThoseMakesNoGroup() {
        const std::vector<DimHint> both = {dimHint(1, 0), dimHint(2, 1, true)};
        const std::vector<DimHint> reduced = {dimHint(1, 0, true)};
        const HintGroups kept = hintsToCoarseTileGroups({&both}, false);
        QCOMPARE(kept.groups.size(), std::size_t{1});
        QCOMPARE(kept.groups[0].levels.size(), std::size_t{1});
        const HintGroups none = hintsToCoarseTileGroups({&reduced}, false);
        QVERIFY(none.groups.empty());
        QCOMPARE(none.ignored.size(), std::size_t{1});
    }

    void opsThatAreNotComputed_endNoRun_unhintedOnesDo() {
        const std::vector<DimHint> hinted = {dimHint(1, 0)};
        const std::vector<DimHint> plain;
        QCOMPARE(hintsToCoarseTileGroups({&hinted, nullptr, &hinted}, false).groups.size(), std::size_t{1});
        QCOMPARE(hintsToCoarseTileGroups({&hinted, &plain, &hinted}, false).groups.size(), std::size_t{2});
    }

    void reorder_movesInFront_orBehind_orStays() {
        const std::vector<DimHint> hinted = {dimHint(1, 0)};
        const std::vector<DimHint> plain;
        const auto op = [&](const char* name, bool h, std::vector<std::string> reads) {
            return OrderedOp{name, h ? &hinted : &plain, std::move(reads), {name}};
        };
        QCOMPARE(reorderInterlopers({op("a", true, {"x"}), op("u", false, {"x"}), op("b", true, {"a"})}).order,
                 (std::vector<int>{1, 0, 2}));
        QCOMPARE(reorderInterlopers({op("a", true, {"x"}), op("u", false, {"a"}), op("b", true, {"a"})}).order,
                 (std::vector<int>{0, 2, 1}));
        QCOMPARE(reorderInterlopers({op("a", true, {"x"}), op("b", true, {"a"}), op("u", false, {"b"})}).order,
                 (std::vector<int>{0, 1, 2}));
        const Reordered stuck = reorderInterlopers({op("a", true, {"x"}), op("u", false, {"a"}), op("b", true, {"u"}),
                                                    op("v", false, {"x"}), op("c", true, {"b"})});
        QCOMPARE(stuck.order, (std::vector<int>{0, 1, 3, 2, 4}));  // the next run is put in order all the same
        QCOMPARE(stuck.stuck.size(), std::size_t{1});
        QCOMPARE(stuck.stuck[0].op, 1);
        QCOMPARE(stuck.stuck[0].run, std::vector<int>{0});
        QCOMPARE(stuck.stuck[0].hintIds, std::vector<int>{1});
    }

    void checks_nameWhatIsWrong() {
        const auto missing = checkGroup(3, {"a", "b"}, {0, -1});
        QCOMPARE(missing->code, std::string("CT-001"));
        const auto apart = checkGroup(3, {"a", "b"}, {4, 1});
        QCOMPARE(apart->code, std::string("CT-002"));
        QVERIFY(apart->why.find("1, 4") != std::string::npos);
        QCOMPARE(apart->error().primary().message, apart->word + ": " + apart->why);
        std::vector<std::int64_t> ranges{10};
        QCOMPARE(divideRanges("a", {4, {0}}, ranges)->code, std::string("CT-003"));
        QCOMPARE(checkReduction("r", false, 1, {{0}, {1}})->code, std::string("CT-005"));
    }

    void layout_keepsItsStick_andStaysSparse() {
        StickLayout transposed;  // [128, 256] with the stick on dimension 0
        transposed.deviceSize = {2, 256, 64};
        transposed.strideMap = {64 * 256, 1, 256};
        // The strides of the tile decide: no dimension has stride 256 any more, so the last one is the stick.
        QCOMPARE(layoutOfSize(transposed, {128, 256}).value().deviceSize, (std::vector<std::int64_t>{2, 256, 64}));
        StickLayout sparse;
        sparse.deviceSize = {1, 1, 256, 64};
        sparse.strideMap = {-1, -1, 1, -1};
        const StickLayout tile = layoutOfSize(sparse, {64, 1}).value();
        QCOMPARE(tile.deviceBytes(), 8192);
        QCOMPARE(tile.deviceSize.size(), std::size_t{4});
    }

    void copyCase_andLatePolicy() {
        const std::vector<TiledNode> nodes = {
            {"p", {"x"}, 0, true}, {"q", {"p"}, 0, true}, {"r", {"p", "q"}, -1, true}};
        const PropagationPlan plan = planPropagation(nodes, {"r"}, false, {"buf7"});
        QCOMPARE(plan.decisions.size(), std::size_t{2});
        QVERIFY(plan.decisions[0].kind == PropagationCase::Copy && !plan.decisions[0].perTileFixed);
        QCOMPARE(plan.decisions[0].fullBuffer, std::string("buf8"));
        QVERIFY(plan.decisions[1].kind == PropagationCase::Rewire);
        QCOMPARE(plan.order.size(), std::size_t{6});  // two allocations, p, its copy, q, r
        const std::vector<TiledNode> seed = {{"y", {"a"}, 0, true}, {"z", {"y"}, 0, true}};
        const PropagationPlan late = planPropagation(seed, {"z"}, true, {});
        QVERIFY(late.decisions[1].kind == PropagationCase::Copy && late.decisions[1].perTileFixed);
    }

    void innerRunsOfOneKey_mayFormTwoLoops_countsMayNotBeMissing() {
        const std::vector<TripCount> two{{2, {}}, {3, {}}};
        const std::vector<TripCount> one{{2, {}}};
        const auto tree = buildLoopTree({{"a", std::vector<int>{0, 0}, two, memplan::OpId{0}},
                                         {"o", std::vector<int>{0}, one, memplan::OpId{1}},
                                         {"b", std::vector<int>{0, 0}, two, memplan::OpId{2}}});
        QVERIFY(tree);
        QCOMPARE(tree.value().front().body.size(), std::size_t{3});
        const auto short1 = buildLoopTree({{"a", std::vector<int>{0, 0}, one, memplan::OpId{0}}});
        QCOMPARE(short1.error().primary().code, std::string("CT-007"));
    }

    void aLoopOverTheLimit_isAnError_fusionOffKeepsNodesApart() {
        using Kind = FusionNode::Kind;
        const auto loop = fuseNodes({{"L", Kind::Loop, {1, 2, 3, 4, 5, 6, 7}}}, false, true);
        QCOMPARE(loop.error().primary().code, std::string("CT-009"));
        const std::vector<FusionNode> ops = {{"a", Kind::Op, {1}}, {"b", Kind::Op, {1}}};
        QCOMPARE(fuseNodes(ops, false, false).value().size(), std::size_t{2});
        QCOMPARE(fuseNodes(ops, false, true).value().size(), std::size_t{1});
    }

    void pool_reusesBlocksOnlyAfterTheirLastStep() {
        const PoolLayout layout = allocatePool({{"a", {0, 3}, 128}, {"b", {2, 4}, 128}, {"c", {3, 5}, 128}});
        QCOMPARE(layout.offsets, (std::vector<memplan::Address>{0, 128, 0}));
        QCOMPARE(layout.size, 256);
        QCOMPARE(layout.peak, 256);
    }

    void pool_namesTheLargestBufferOfItsPeak() {
        // The highest offset is that of "half"; "late" comes when the peak is over.
        const PoolLayout layout = allocatePool({{"big", {0, 2}, 1024}, {"half", {1, 4}, 512}, {"late", {3, 5}, 900}});
        QCOMPARE(layout.offsets, (std::vector<memplan::Address>{0, 1024, 0}));
        QCOMPARE(layout.peak, 1536);
        QCOMPARE(layout.largestAtPeak, std::optional<std::size_t>(0));
        QCOMPARE(allocatePool({}).largestAtPeak, std::optional<std::size_t>());
    }
};

MEMPLAN_TEST(TestTiling)
#include "tst_tiling.moc"

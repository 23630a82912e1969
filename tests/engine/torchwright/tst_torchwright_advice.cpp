// SPDX-License-Identifier: Apache-2.0
// Advice about graphs (torchwright.md 19.3): for every code a small graph that raises it and a near miss that does not.
#include "engine/torchwright/advice/intervals.h"
#include "engine/torchwright/advice/shapes.h"
#include "tests/engine/torchwright/op_library.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace memplan;
using namespace memplan::torchwright;
using test::AdviceSetting;
using test::Advised;
using test::advised;
using test::OpSketch;
using test::optionsOf;
using test::q;

namespace {

constexpr int kTrials = 20;

AdviceSetting withTrials(LocalRouting routing = LocalRouting::Never) {
    AdviceSetting setting;
    setting.options = optionsOf(256, 256, routing);
    setting.trials = kTrials;
    return setting;
}

AdviceSetting always() {
    AdviceSetting setting;
    setting.options = optionsOf(256, 256, LocalRouting::Always);
    return setting;
}

/// The finding was tried, the rewritten graph gives the same values and is better.
void verifyGain(const Finding& finding, int layers) {
    QVERIFY(finding.trial.outcome == TrialOutcome::Better);
    QVERIFY(finding.trial.areValuesCompared && finding.trial.rewritten);
    QCOMPARE(finding.trial.gain(), layers);
    QVERIFY(finding.trial.after.isBetterThan(finding.trial.before));
}

/// Booleans that are +1 or -1 and hardly ever between them.
std::vector<NodeId> booleans(OpSketch& s, int count) {
    std::vector<NodeId> all;
    for (int i = 0; i < count; ++i)
        all.push_back(s.compare(s.inputIn(1, -1000, 1000), 0));
    return all;
}

NodeGraph anyTrueGraph(bool lacksOne) {
    OpSketch s;
    std::vector<NodeId> operands = booleans(s, 3), outputs;
    for (NodeId& operand : operands)
        outputs.push_back(s.boolNot(operand));
    if (lacksOne) outputs.pop_back();
    return s.graph(s.anyTrue(operands), outputs);
}

NodeGraph productGraph(bool isDeep, int otherMost) {
    OpSketch s;
    const NodeId a = s.inputIn(1, 0, 4), b = s.inputIn(1, 0, 4);
    const NodeId plus = s.square(s.add(a, b), 4, isDeep);
    const NodeId minus = s.square(s.add(a, s.scale(b, -1)), otherMost, isDeep);
    return s.graph(s.scale(s.add(plus, s.scale(minus, -1)), 0.25F));
}

/// A chain whose breakpoints stand at 0, 1, 2, ...
NodeGraph ramps(double low, double high, int count) {
    OpSketch s;
    test::Matrix in(1), out;
    std::vector<float> bias;
    for (int i = 0; i < count; ++i) {
        in[0].push_back(1);
        bias.push_back(static_cast<float>(-i));
        out.push_back({1});
    }
    return s.graph(s.lrl(s.inputIn(1, low, high), in, bias, out));
}

/// Chains one after the other.
NodeId sequence(OpSketch& s, NodeId x, int chains) {
    for (int i = 0; i < chains; ++i)
        x = s.chain(x, 4, 4);
    return x;
}

/// An early value waits for the end of a sequence.
NodeGraph waitingGraph(int chains, Columns width) {
    OpSketch s;
    const NodeId x = s.input(8);
    const NodeId early = s.chain(x, 8, width);
    return s.build(s.linear(s.concatenate({early, sequence(s, s.chain(x, 4, 4), chains)}), 2));
}

NodeGraph manyNodes(int count, int annotated) {
    OpSketch s;
    NodeId x = s.input(2);
    std::vector<NodeId> named;
    for (int i = 0; i < count - 2; ++i) {
        x = s.linear(x, 2);
        if (i < annotated) named.push_back(x);
    }
    s.annotate("part", named);
    return s.build(x);
}

}  // namespace

class TestTorchwrightAdvice : public QObject {
    Q_OBJECT

private slots:
    void codes_areThoseOfTheList() {
        QCOMPARE(adviceCodes().size(), std::size_t{26});
        QCOMPARE(q(adviceCode(101)->word), QString("affine_run"));
        QCOMPARE(adviceCode("TW-148")->number, 148);
        QVERIFY(adviceCode(118) == nullptr && adviceCode("TW-014") == nullptr);
        QCOMPARE(q(leverName(adviceCode(107)->lever)), QString("bounds"));
    }

    // ---- TW-100, TW-101, TW-102 ---------------------------------------------------------------------------------

    void tensors_missing_areNamed() {
        OpSketch s;
        const NodeGraph graph = s.build(s.linear(s.input(2), 2));
        QCOMPARE(advised(graph).report.skipped, (std::vector<int>{103, 104, 105, 106, 107, 113, 114}));
        QVERIFY(advised(test::withWeights(graph)).report.skipped.empty());
    }

    void affineRun_withSeveralReaders() {
        OpSketch s;
        const NodeId x = s.inputIn(4, -1, 1);
        const NodeId first = s.affine(x, test::Matrix(4, std::vector<float>(6, 0.5F)), {1, 2, 3, 4, 5, 6});
        const NodeId a = s.affine(first, test::Matrix(6, {1, 2}), {1, 0}), b = s.affine(first, test::Matrix(6, {3}));
        const Advised found = advised(s.graph(s.concatenate({a, b})), withTrials());
        QCOMPARE(Advised::number(found.first(101).what, 1), 2);
        verifyGain(found.first(101), 1);
        const Advised miss = advised(s.graph(s.concatenate({a, b, s.relu(first)})));
        QVERIFY(!miss.has(101));
    }

    void affineRun_throughAConcatenate() {
        OpSketch s;
        const NodeId x = s.inputIn(2, -1, 1), y = s.inputIn(3, -1, 1);
        const NodeId part = s.affine(x, {{1, 2, 3}, {4, 5, 6}}, {1, 0, -1});
        const NodeId out = s.affine(s.concatenate({y, part}), test::Matrix(6, {1, -2}), {0.5F, 0});
        const Advised found = advised(s.graph(out), withTrials());
        verifyGain(found.first(101), 1);
        QVERIFY(!advised(s.graph(out, {part})).has(101));
    }

    /// Sizes alone, with has_bias.
    void affineRun_withoutTensors_isTried() {
        OpSketch s;
        const NodeId part = s.linear(s.input(2), 3, true);
        const Advised found = advised(s.build(s.linear(s.concatenate({s.input(3), part}), 2)), withTrials());
        const Trial trial = found.first(101).trial;
        QVERIFY(trial.outcome == TrialOutcome::Better && !trial.areValuesCompared);
        const auto joined = std::ranges::find(trial.rewritten->nodes, NodeKind::Linear, &Node::kind);
        QVERIFY(joined->linear().hasBias && joined->linear().inputWidth == 5);
    }

    void affineRun_thatInflates_isOnlyShown() {
        OpSketch s;
        const Advised found = advised(s.build(s.linear(s.linear(s.input(8), 1), 8)), withTrials());
        const Finding finding = found.first(101);
        QCOMPARE(Advised::number(finding.what, 2), 8 + 1 + 8 + 8);
        QCOMPARE(Advised::number(finding.what, 3), 8 * 8 + 8);
        QVERIFY(finding.trial.outcome == TrialOutcome::NotTried && !found.has(102));
        QVERIFY(!advised(s.build(s.linear(s.linear(s.input(8), 8), 8))).has(101));
    }

    void affineRun_thatAHintKeeps_isNamed() {
        OpSketch s;
        const NodeId x = s.input(4), first = s.linear(x, 4), out = s.linear(first, 4), other = s.linear(x, 4);
        s.at(other).after = {first};
        AdviceSetting fused;
        fused.isFusing = true;
        QVERIFY(advised(s.build(s.concatenate({out, other})), fused).has(101));
        s.at(other).after.clear();
        QVERIFY(!advised(fuseLinears(s.build(s.concatenate({out, other})), {}).graph, fused).has(101));
    }

    void fusionOff() {
        OpSketch s;
        const NodeGraph graph = s.graph(s.scale(s.scale(s.inputIn(4, -1, 1), 2), 3));
        const Advised found = advised(graph, withTrials());
        QCOMPARE(Advised::number(found.first(102).what, 0), 1);
        QCOMPARE(found.first(102).trial.gain(), 1);
        QCOMPARE(found.first(102).proposal.setting.first, std::string("torchwright.fuse"));
        AdviceSetting fused;
        fused.isFusing = true;
        QVERIFY(!advised(fuseLinears(graph, {}).graph, fused).has(102));
    }

    // ---- TW-103, TW-114 -----------------------------------------------------------------------------------------

    void anyTrue_overKnownNegations() {
        const Advised found = advised(anyTrueGraph(false), withTrials());
        QCOMPARE(Advised::number(found.first(103).what, 1), 3);
        QCOMPARE(Advised::number(found.first(103).why, 0), 4);
        QCOMPARE(Advised::number(found.first(103).why, 1), 8);
        verifyGain(found.first(103), 0);
        QVERIFY(found.first(103).trial.after.slotCount < found.first(103).trial.before.slotCount);
        QVERIFY(!advised(anyTrueGraph(true)).has(103));
    }

    void chainedAllTrue() {
        OpSketch s;
        const std::vector<NodeId> b = booleans(s, 4);
        const NodeId inner = s.allTrue({b[0], b[1]}), middle = s.allTrue({inner, b[2]});
        const NodeId out = s.allTrue({middle, b[3]});
        const Advised found = advised(s.graph(out), withTrials());
        QCOMPARE(found.all(114).size(), std::size_t{1});
        QCOMPARE(Advised::number(found.first(114).what, 1), 2);
        QCOMPARE(Advised::number(found.first(114).why, 0), 3);
        verifyGain(found.first(114), 4);
        QCOMPARE(advised(s.graph(out, {middle, inner})).all(114).size(), std::size_t{0});
    }

    void compare_isRecognisedByItsWeights() {
        OpSketch s;
        const NodeId end = s.compare(s.inputIn(1, -9, 9), 2.5F, 7, 3);
        const Advised a = advised(s.graph(end));
        const AdviceFacts facts({a.graph, a.schedule, {}, {}, {}, {}, nullptr, 0, {}});
        const auto compare = compareOf(facts, facts.chains.front());
        QVERIFY(compare && compare->isAt(2.5) && compare->hasLevels(3, 7) && !compare->isNot());
        OpSketch other;
        const NodeId ramp = other.lrl(other.inputIn(1, -9, 9), {{10, 5}}, {-1, -2}, {{1}, {-1}});
        const Advised b = advised(other.graph(ramp));
        const AdviceFacts none({b.graph, b.schedule, {}, {}, {}, {}, nullptr, 0, {}});
        QVERIFY(!compareOf(none, none.chains.front()));
    }

    // ---- TW-104, TW-105, TW-106 ---------------------------------------------------------------------------------

    void recomputedValue() {
        OpSketch s;
        const NodeId x = s.inputIn(1, -9, 9), y = s.inputIn(1, -9, 9);
        const NodeId a = s.compare(x, 1), b = s.compare(x, 1), c = s.compare(x, 2);
        const Advised found = advised(s.graph(s.concatenate({s.add(a, y), s.add(b, c)})), withTrials());
        QCOMPARE(found.all(104).size(), std::size_t{1});  // the chain's end stands for its members
        QCOMPARE(Advised::number(found.first(104).what, 1), 2);
        QCOMPARE(Advised::number(found.first(104).why, 2), 2);
        verifyGain(found.first(104), 0);
        QVERIFY(!advised(s.graph(s.concatenate({s.add(a, y), s.add(s.compare(y, 1), c)}))).has(104));
    }

    void recomputedOutput_stays() {
        OpSketch s;
        const NodeId x = s.inputIn(2, -1, 1);
        const NodeId a = s.scale(x, 2), b = s.scale(x, 2);
        QVERIFY(!advised(s.graph(a, {b}), withTrials()).has(104));
    }

    void workAfterReads() {
        OpSketch s;
        const NodeId x = s.inputIn(4, -1, 1);
        const NodeId a = s.read(s.position(), s.position(), x, 1), b = s.read(s.position(), s.position(), x, 2);
        const NodeId out = s.concatenate({s.scale(a, 3), s.scale(b, 3)});
        const Advised found = advised(s.graph(out));
        QCOMPARE(Advised::number(found.first(105).what, 0), 2);
        QCOMPARE(Advised::number(found.first(105).why, 1), 8);
        QVERIFY(!advised(s.graph(s.concatenate({s.scale(a, 3), s.scale(b, 4)}))).has(105));
    }

    void mergeableReads() {
        OpSketch s;
        const NodeId x = s.inputIn(4, -1, 1), y = s.inputIn(4, -1, 1);
        const NodeId a = s.read(s.position(), s.position(), x), b = s.read(s.position(), s.position(), y, 1, 0.5F);
        const NodeId out = s.concatenate({s.compare(s.sum({s.affine(a, test::Matrix(4, {1}))}), 1), s.scale(b, 3)});
        const Advised found = advised(s.graph(out), withTrials());
        QCOMPARE(Advised::number(found.first(106).why, 0), 2);
        QCOMPARE(Advised::number(found.first(106).why, 1), 1);
        QVERIFY(found.first(106).trial.areValuesCompared);
        const NodeId other = s.read(s.position(), s.position(), y, 2);
        QVERIFY(!advised(s.graph(s.concatenate({a, other}))).has(106));
        const NodeId wide = s.read(s.position(), s.position(), s.inputIn(16, -1, 1));
        QVERIFY(!advised(s.graph(s.concatenate({wide, s.read(s.position(), s.position(), s.inputIn(16, -1, 1))})))
                     .has(106));
    }

    // ---- TW-107 -------------------------------------------------------------------------------------------------

    void looseBounds() {
        const Advised found = advised(ramps(0, 4.5, 12));
        QCOMPARE(Advised::number(found.first(107).what, 2), 7);  // never active: breakpoints 5 to 11
        QCOMPARE(Advised::number(found.first(107).what, 3), 1);  // the one at 0
        QCOMPARE(*found.first(107).why.fact<double>(0), 1.0);
        QCOMPARE(*found.first(107).why.fact<double>(1), 4.5 / 11);
        QVERIFY(!advised(ramps(-1, 9.5, 12)).has(107));
        QVERIFY(!advised(ramps(0, 1, 7)).has(107));
    }

    void intervals_followTheGraph() {
        OpSketch s;
        const NodeId x = s.inputIn(1, -2, 3);
        const NodeId out = s.relu(s.add(s.affine(x, {{-2}}, {1}), s.literal({0.5F})));
        const NodeId position = s.read(s.position(), s.position(), s.concatenate({out, s.position()}));
        const NodeGraph graph = s.graph(position);
        const auto ranges = valueRanges(graph);
        QCOMPARE(ranges[graph.find(s.at(out).number).at()].front(), (ValueRange{0, 5.5}));
        const auto& read = ranges[graph.output.at()];
        QCOMPARE(read[0], (ValueRange{0, 5.5}));
        QCOMPARE(read[1], (ValueRange{-1, 1}));
        QCOMPARE(read[15].high, std::numeric_limits<double>::infinity());
    }

    // ---- TW-108, TW-109, TW-111 ---------------------------------------------------------------------------------

    void concatLifetimes() {
        const Advised found = advised(waitingGraph(10, 8));
        QCOMPARE(Advised::number(found.first(108).what, 1), 8 * 10);
        QCOMPARE(Advised::number(found.first(108).what, 3), 10);
        QVERIFY(!advised(waitingGraph(1, 1)).has(108));
    }

    void longHeldWideValue() {
        const Advised found = advised(waitingGraph(10, 8));
        QCOMPARE(Advised::number(found.first(109).what, 1), 8);
        QCOMPARE(Advised::number(found.first(109).what, 4), 8 * 11);
        QVERIFY(!advised(waitingGraph(10, 7)).has(109));
        QVERIFY(!advised(waitingGraph(5, 8)).has(109));
    }

    void liveAdd() {
        OpSketch s;
        const NodeId x = s.input(4), y = s.input(4);
        const NodeId a = s.chain(x, 4, 4), b = s.chain(y, 4, 4);
        const NodeId sum = s.add(a, b);
        const Advised found = advised(s.build(s.concatenate({sum, a, b})));
        QCOMPARE(Advised::number(found.first(111).why, 2), 1);
        QVERIFY(!advised(s.build(s.concatenate({sum, a}))).has(111));
    }

    // ---- TW-110, TW-112, TW-113 ---------------------------------------------------------------------------------

    void addAsLinear() {
        OpSketch s;
        const NodeId x = s.inputIn(4, -1, 1), y = s.inputIn(4, -1, 1);
        const NodeId negative = s.scale(y, -1);
        const NodeId out = s.add(x, negative);
        AdviceSetting setting = withTrials(LocalRouting::Always);
        verifyGain(advised(s.graph(out), setting).first(110), 1);
        QVERIFY(!advised(s.graph(out, {negative})).has(110));
        QVERIFY(!advised(s.graph(s.add(x, s.relu(y)))).has(110));
    }

    void addAsLinear_alikePlacesAreOneRow() {
        OpSketch s;
        std::vector<NodeId> sums;
        for (int i = 0; i < 3; ++i)
            sums.push_back(s.add(s.inputIn(4, -1, 1), s.scale(s.inputIn(4, -1, 1), -1)));
        const Advised found = advised(s.graph(s.concatenate(sums)), withTrials());
        QCOMPARE(found.all(110).size(), std::size_t{1});
        QCOMPARE(found.first(110).places, 3);
        verifyGain(found.first(110), 1);
    }

    void nestedSelects() {
        OpSketch s;
        const std::vector<NodeId> c = booleans(s, 2);
        const NodeId x = s.inputIn(3, -1, 1), y = s.inputIn(3, -1, 1), z = s.inputIn(3, -1, 1);
        const NodeId inner = s.select(c[0], x, y), out = s.select(c[1], z, s.concatenate({inner}));
        const Advised found = advised(s.graph(out));
        QCOMPARE(found.all(112).size(), std::size_t{1});
        QCOMPARE(Advised::number(found.first(112).what, 0), 2);
        QCOMPARE(Advised::number(found.first(112).what, 2), 12);
        QVERIFY(!advised(s.graph(s.select(c[1], z, s.relu(inner)))).has(112));
    }

    void deepMultiplication() {
        const Advised deep = advised(productGraph(true, 4));
        QCOMPARE(deep.all(113).size(), std::size_t{1});
        QVERIFY(deep.text(113).find("after an abs") != std::string::npos);
        QCOMPARE(Advised::number(deep.first(113).why, 0), 2 * (2 + 4));
        const Advised shallow = advised(productGraph(false, 4));
        QVERIFY(shallow.text(113).find("after an abs") == std::string::npos);
        QVERIFY(!advised(productGraph(true, 3)).has(113));
    }

    // ---- TW-115, TW-116, TW-117 ---------------------------------------------------------------------------------

    void smallLinears() {
        OpSketch s;
        std::vector<NodeId> parts;
        for (int i = 0; i < 4; ++i)
            parts.push_back(s.linear(s.input(2), 2));
        AdviceSetting setting = always();
        setting.trials = kTrials;
        const Advised found = advised(s.build(s.concatenate(parts)), setting);
        QCOMPARE(Advised::number(found.first(115).what, 2), 4);
        QCOMPARE(Advised::number(found.first(115).what, 3), 1);
        QVERIFY(found.first(115).trial.outcome != TrialOutcome::NotTried);
        QVERIFY(!advised(s.build(s.concatenate(parts))).has(115));  // in the MLP
        parts.pop_back();
        QVERIFY(!advised(s.build(s.concatenate(parts)), always()).has(115));
    }

    void smallLinears_ofDifferentLayers_areAddedUp() {
        OpSketch s;
        NodeId x = s.input(4);
        for (int i = 0; i < 4; ++i)
            x = s.linear(x, 4);
        QVERIFY(advised(s.build(s.linear(x, 4)), always()).has(115));
        OpSketch wide;
        x = wide.input(5);
        for (int i = 0; i < 4; ++i)
            x = wide.linear(x, 5);
        QVERIFY(!advised(wide.build(wide.linear(x, 5)), always()).has(115));
    }

    void thinAnnotation() {
        const auto graph = [](Columns width) {
            OpSketch s;
            const NodeId x = s.input(width), out = s.linear(x, width);
            s.annotate("thin", {out});
            return s.build(out);
        };
        const Advised found = advised(graph(2), always());
        QCOMPARE(q(*found.first(116).what.fact<std::string>(0)), QString("thin"));
        QCOMPARE(Advised::number(found.first(116).what, 3), 1);
        QVERIFY(!advised(graph(64), always()).has(116));
    }

    void unannotated() {
        AdviceSetting setting;
        setting.options.maxLayers = 1000;
        const Advised found = advised(manyNodes(200, 0), setting);
        QCOMPARE(Advised::number(found.first(117).what, 1), 200);
        QVERIFY(!advised(manyNodes(199, 0), setting).has(117));
        QVERIFY(!advised(manyNodes(200, 170), setting).has(117));
    }

    // ---- rows and order -----------------------------------------------------------------------------------------

    void trials_areCounted() {
        OpSketch s;
        const NodeId x = s.inputIn(4, -1, 1);
        const NodeId sum = s.add(x, s.scale(s.inputIn(4, -1, 1), -1));
        const NodeGraph graph = s.graph(s.scale(s.scale(sum, 2), 3));
        AdviceSetting setting;
        QCOMPARE(advised(graph, setting).report.compiles, 0);
        setting.trials = 1;
        const Advised one = advised(graph, setting);
        QCOMPARE(one.report.compiles, 1);
        QCOMPARE(std::ranges::count_if(one.report.findings,
                                       [](const Finding& f) { return f.trial.outcome != TrialOutcome::NotTried; }),
                 1);
    }

    void rows_beyondFifty_areCounted() {
        OpSketch s;
        std::vector<NodeId> sums;
        for (Columns width = 1; width <= 53; ++width) {
            const NodeId linear = s.linear(s.input(width), width);
            sums.push_back(s.add(s.input(width), linear));
        }
        AdviceSetting setting;
        setting.options = optionsOf(8192, 8192, LocalRouting::Never);
        const Advised found = advised(s.build(s.concatenate(sums)), setting);
        QCOMPARE(found.all(110).size(), std::size_t{50});
        QVERIFY(std::ranges::find(found.report.left, std::pair(110, 3)) != found.report.left.end());
    }

    /// A rewrite that is wrong for this graph is dropped: these booleans lie between -1 and +1.
    void finding_withOtherValues_isDropped() {
        OpSketch s;
        std::vector<NodeId> operands, outputs;
        for (int i = 0; i < 3; ++i) {
            operands.push_back(s.inputIn(1, -0.05, 0.05));
            outputs.push_back(s.boolNot(operands.back()));
        }
        const NodeGraph graph = s.graph(s.anyTrue(operands), outputs);
        QVERIFY(advised(graph).has(103));
        const Advised tried = advised(graph, withTrials());
        QVERIFY(!tried.has(103));
        QCOMPARE(tried.report.dropped, 1);
    }
};

MEMPLAN_TEST(TestTorchwrightAdvice)
#include "tst_torchwright_advice.moc"

// SPDX-License-Identifier: Apache-2.0
// Schedule, chains and their states (ttnn-optimizer 4).
#include "engine/ttnn/chains/build_chains.h"
#include "engine/ttnn/chains/op_kinds.h"
#include "tests/engine/ttnn/function_builder.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::ttnn;
using test::FunctionBuilder;
using test::q;

namespace {

/// "name = kind operands" in lines; "-" is an argument, "return" gives values back, "*" before the kind: no sharded
/// configuration.
struct Program {
    explicit Program(const QString& text) {
        for (const QString& line : text.split(';', Qt::SkipEmptyParts))
            add(line.simplified());
    }

    FunctionBuilder builder;
    std::vector<bool> hasSharded;
    QMap<QString, ValueId> values;
    QStringList names;

private:
    void add(const QString& line) {
        QStringList words = line.split(' ');
        if (words.front() == "return") {
            for (const QString& name : words.mid(1))
                builder.giveBack(values.value(name));
            return;
        }
        QString kind = words.at(2);
        hasSharded.push_back(!kind.startsWith('*'));
        std::vector<ValueId> operands;
        for (const QString& name : words.mid(3))
            operands.push_back(name == "-" ? builder.argument({64, 64}) : values.value(name));
        const ValueId result = builder.add(kind.remove('*').toStdString(), std::move(operands), {64, 64});
        values[words.front()] = result;
        names << words.front();
        if (kind == "deallocate") builder.function.operations.back().results.clear();
    }
};

Chaining chained(const Program& program, const ChainHints& hints = {}, bool concatChains = true) {
    const Flow flow(program.builder.function);
    return buildChains(flow, {program.hasSharded, concatChains, &hints});
}

QString scheduleOf(const Program& program, const Chaining& chaining) {
    QStringList list;
    for (const OpId op : chaining.schedule)
        list << program.names.at(op.index);
    return list.join(' ');
}

/// "[a b] fork": operations and why each chain ends, with the operation and operand it ends at.
QString chainsOf(const Program& program, const Chaining& chaining) {
    QStringList list;
    for (const Chain& chain : chaining.chains) {
        QStringList ops;
        for (const OpId op : chain.ops())
            ops << program.names.at(op.index);
        QString text = "[" + ops.join(' ') + "] " + q(wordOf(chain.info().endedBy));
        if (chain.info().endedAt.isValid()) text += " " + program.names.at(chain.info().endedAt.index);
        if (chain.info().endedOperand != 0) text += QString(" %1").arg(chain.info().endedOperand);
        list << text;
    }
    return list.join("; ");
}

QString leftOut(const Program& program, const Chaining& chaining) {
    QStringList list;
    for (std::size_t i = 0; i < chaining.notChained.size(); ++i)
        if (chaining.notChained[i])
            list << program.names.at(static_cast<int>(i)) + " " + q(wordOf(*chaining.notChained[i]));
    return list.join("; ");
}

Result<void> call(Chain& chain, const QString& name) {
    const OpConfig config{Layout{}, {}};
    if (name == "add") return chain.add(OpId::of(chain.ops().size()));
    if (name == "build") return chain.build();
    if (name == "solved") return chain.resolve(true);
    if (name == "unsolved") return chain.resolve(false);
    if (name == "resolve") return chain.resolve();
    if (name == "fail") return chain.fail({});
    if (name == "complete") return chain.complete(std::vector<OpConfig>(chain.ops().size(), config));
    if (name == "halfway") return chain.complete({});
    if (name == "update") return chain.updateConfig(chain.last(), config);
    return chain.updateConfig(OpId::of(99), config);
}

}  // namespace

class TestTtnnChains : public QObject {
    Q_OBJECT
private slots:
    void ends_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QString>("chains");
        QTest::addColumn<QString>("others");
        const auto row = [](const char* name, const char* text, const char* schedule, const char* chains,
                            const char* others = "") {
            QTest::newRow(name) << QString(text) << QString(schedule) << QString(chains) << QString(others);
        };
        row("returned", "a = relu -; b = neg a; return b", "a b", "[a b] returned");
        row("fork", "a = relu -; b = neg a; c = gelu a; return b; return c", "a b c",
            "[a] fork; [b] returned; [c] returned");
        row("a value used twice forks", "a = relu -; b = add a a; return b", "a b", "[a] fork; [b] returned");
        row("return is a use", "a = relu -; b = neg a; return a b", "a b", "[a] returned; [b] returned");
        row("no reader", "a = relu -; b = neg -; return b", "a b", "[a] no_next; [b] returned");
        row("reader waits", "a = relu -; b = gelu -; c = add a b; return c", "a b c",
            "[a] no_next; [b] not_first_operand c 1; [c] returned");
        row("other kind", "a = relu -; s = softmax a; b = neg s; return b", "a s b",
            "[a] not_shardable s; [b] returned", "s not_shardable");
        row("no configuration", "a = relu -; s = *neg a; return s", "a s", "[a] no_legal_config s",
            "s no_legal_config");
        row("concat", "a = relu -; c = concat a -; b = neg c; return b", "a c b",
            "[a] concat c; [c] concat; [b] returned");
        row("conversion first", "a = relu -; t = to_layout -; b = add t a; return b", "t a b",
            "[a] not_first_operand b 1; [b] returned", "t not_shardable");
        row("conversion behind a chain", "a = relu -; t = to_layout a; return t", "a t", "[a] not_shardable t",
            "t not_shardable");
        row("blocked successor first", "a = gelu -; b = neg -; c = relu -; d = add b c; return a d", "b a c d",
            "[b] no_next; [a] returned; [c] not_first_operand d 1; [d] returned");
        row("last ready reader", "a = relu -; b = neg a; c = multiply - a; return b c", "a b c",
            "[a] fork; [b] returned; [c] returned");
        row("not scheduled", "d = get_device; e = empty d; a = relu e; return a", "a", "[a] returned");
        row("in place", "a = softmax -; b = neg a; d = deallocate a; c = softmax -; return b c", "a b d c",
            "[b] returned", "a not_shardable; d not_shardable; c not_shardable");
    }
    void ends() {
        QFETCH(QString, text);
        const Program program(text);
        const Chaining chaining = chained(program);
        QTEST(scheduleOf(program, chaining), "schedule");
        QTEST(chainsOf(program, chaining), "chains");
        QTEST(leftOut(program, chaining), "others");
    }

    void concatChainsOff() {
        const Program program("a = relu -; c = concat a -; b = neg c; return b");
        const Chaining chaining = chained(program, {}, false);
        QCOMPARE(chainsOf(program, chaining), QString("[a] concat c; [b] returned"));
        QCOMPARE(leftOut(program, chaining), QString("c not_shardable"));
    }

    void breakHints_data() {
        QTest::addColumn<bool>("isBefore");
        QTest::addColumn<QString>("location");
        QTest::addColumn<QString>("chains");
        QTest::newRow("after") << false << "relu_0"
                               << "[a] hint b; [b c] returned";
        QTest::newRow("before") << true << "neg_1"
                                << "[a] hint b; [b c] returned";
        QTest::newRow("before the first") << true << "relu_0"
                                          << "[a b c] returned";
        QTest::newRow("unknown") << true << "relu_7"
                                 << "[a b c] returned";
    }
    void breakHints() {
        QFETCH(bool, isBefore);
        QFETCH(QString, location);
        const Program program("a = relu -; b = neg a; c = gelu b; return c");
        ChainHints hints;
        (isBefore ? hints.breakBefore : hints.breakAfter) = {location.toStdString()};
        QTEST(chainsOf(program, chained(program, hints)), "chains");
    }

    /// A result of a dialect that is not scheduled keeps its readers behind what it reads.
    void waitsThroughOthers() {
        Program program("a = softmax -; c = call a; b = softmax c; e = softmax -; return b e");
        program.builder.function.operations[1].name = "func.call";
        QCOMPARE(scheduleOf(program, chained(program)), QString("a b e"));
    }

    void states_data() {
        QTest::addColumn<QString>("calls");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* calls, const char* expected) {
            QTest::newRow(calls) << QString(calls) << QString(expected);
        };
        row("add build solved complete update", "InBuild Built Resolved Completed Completed");
        row("add build resolve complete", "InBuild Built Resolved Completed");
        row("add build unsolved", "InBuild Built Failed");
        row("build", "Built");
        row("add fail fail", "InBuild Failed Failed");
        row("add build fail", "InBuild Built Failed");
        row("add build solved fail", "InBuild Built Resolved Failed");
        row("add build add", "InBuild Built ERROR");
        row("add build build", "InBuild Built ERROR");
        row("add solved", "InBuild ERROR");
        row("add resolve", "InBuild ERROR");
        row("add complete", "InBuild ERROR");
        row("add build complete", "InBuild Built ERROR");
        row("add build update", "InBuild Built ERROR");
        row("add build solved update", "InBuild Built Resolved ERROR");
        row("add build solved solved", "InBuild Built Resolved ERROR");
        row("add build solved add", "InBuild Built Resolved ERROR");
        row("add build solved halfway", "InBuild Built Resolved ERROR");
        row("add build solved complete fail", "InBuild Built Resolved Completed ERROR");
        row("add build solved complete complete", "InBuild Built Resolved Completed ERROR");
        row("add build solved complete build", "InBuild Built Resolved Completed ERROR");
        row("add build solved complete stranger", "InBuild Built Resolved Completed ERROR");
        row("add fail build", "InBuild Failed ERROR");
        row("add build unsolved complete", "InBuild Built Failed ERROR");
        row("add build unsolved resolve", "InBuild Built Failed ERROR");
    }
    void states() {
        QFETCH(QString, calls);
        Chain chain;
        QStringList states;
        for (const QString& name : calls.split(' ')) {
            const ChainState before = chain.state();
            const auto done = call(chain, name);
            states << (done.ok() ? q(wordOf(chain.state())) : QString("ERROR"));
            if (done.ok()) continue;
            QCOMPARE(q(done.error().primary().code), QString("illegal_transition"));
            QCOMPARE(chain.state(), before);
        }
        QTEST(states.join(' '), "expected");
    }

    void words() {
        for (const std::string_view word : {"InBuild", "Built", "Resolved", "Completed", "Failed"})
            QCOMPARE(wordOf(*chainStateOf(word)), word);
        for (const std::string_view word : {"none", "l1_interleaved", "dram"})
            QCOMPARE(wordOf(*spillLocationOf(word)), word);
        for (const std::string_view word : {"hint", "concat", "returned", "fork", "no_next", "not_first_operand",
                                            "not_shardable", "no_legal_config", "scheduled_elsewhere"})
            QCOMPARE(wordOf(*endedByOf(word)), word);
        for (const std::string_view word : {"simple", "three_way", "concat"})
            QCOMPARE(wordOf(*mergeKindOf(word)), word);
        for (const std::string_view word : {"forced", "override", "proactive"})
            QCOMPARE(wordOf(*reshardOriginOf(word)), word);
        QVERIFY(!chainStateOf("built") && !traceKindOf(""));
        QCOMPARE(*traceKindOf("bits_narrowed"), TraceKind::BitsNarrowed);
    }
};

MEMPLAN_TEST(TestTtnnChains)
#include "tst_ttnn_chains.moc"

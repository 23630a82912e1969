// SPDX-License-Identifier: Apache-2.0
// What writer and reader do to one buffer is said in the dimensions of that buffer, by one name each.
#include "engine/plan/dimension_name.h"
#include "engine/spyre/scratchpad/split_words.h"
#include "tests/engine/spyre/spyre_fixture.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::spyre;
using namespace memplan::spyre::test;

class TestSplitWords : public QObject {
    Q_OBJECT
private slots:
    void name_byPositionOrDeclaration();
    void clause_loopOfAnotherOrder_namesTheBuffersDimension();
    void clause_broadcastReader_readsItWhole();
    void clause_blocksAndMergedLoops();
    void clause_partOfTheCores();
    void clause_declaredNames();
    void reduction_isNamedByItsOperand();
};

namespace {

/// z = x (rows x columns) + a row vector v; r sums x over its columns.
struct Small {
    Small() {
        b.input("x", {512, 1024});
        b.input("v", {1024});
        b.buffer("z", {1024, 512});
        b.buffer("r", {512});
        // The loops of z are columns first.
        z = b.op({"z", "add", {1024, 512}, 0, {{"x", {1, 0}}, {"v", {0}}}, {0, 1}});
        r = b.op({"r", "sum", {512, 1024}, 1, {{"x", {0, 1}}}, {0}, OpClass::Reduction});
        b.program.divisions.resize(b.program.ops.size());
    }
    void split(OpId op, Splits splits) { b.program.divisions[op.at()].splits = std::move(splits); }
    [[nodiscard]] std::string clause(OpId op, const char* buffer) const {
        return sentence(divisionClause(b.program, op, b.find(buffer)));
    }
    ProgramBuilder b;
    OpId z, r;
};

}  // namespace

void TestSplitWords::name_byPositionOrDeclaration() {
    QCOMPARE(dimensionName(0, 1), std::string("elements"));
    QCOMPARE(dimensionName(3, 4), std::string("columns"));
    QCOMPARE(dimensionName(2, 4), std::string("rows"));
    QCOMPARE(dimensionName(1, 4), std::string("dimension 1"));
    QCOMPARE(dimensionName(1, 2, {"batch", "hidden"}), std::string("hidden"));
    QCOMPARE(dimensionName(1, 2, {"batch"}), std::string("columns"));  // does not name each dimension
    QCOMPARE(dimensionName(1, 2, {"batch", "_untracked_64"}), std::string("columns"));
}

void TestSplitWords::clause_loopOfAnotherOrder_namesTheBuffersDimension() {
    Small s;
    s.split(s.z, {4, 1});
    s.split(s.r, {1, 4});
    QCOMPARE(s.clause(s.z, "x"), std::string("divides it into 4 pieces along columns (1\u202f024)"));
    QCOMPARE(s.clause(s.r, "x"), std::string("divides it into 4 pieces along columns (1\u202f024)"));
    QCOMPARE(s.clause(s.z, "z"), std::string("divides it into 4 pieces along rows (1\u202f024)"));
}

void TestSplitWords::clause_broadcastReader_readsItWhole() {
    Small s;
    s.split(s.z, {1, 8});
    QCOMPARE(s.clause(s.z, "v"), std::string("reads it whole on each of 8 cores"));
    s.split(s.z, {1, 1});
    QCOMPARE(s.clause(s.z, "v"), std::string("reads it whole on one core"));
    QCOMPARE(s.clause(s.z, "z"), std::string("writes it whole on one core"));
}

void TestSplitWords::clause_blocksAndMergedLoops() {
    // (1, 128, 384) read as 12 heads of 32: the head loop moves in blocks of the columns.
    ProgramBuilder b;
    b.input("h", {1, 128, 384});
    b.buffer("o", {12, 128, 32});
    const OpId op = b.op({"o", "copy", {12, 128, 32}, 0, {{"h", {-1, 1, 2}}}, {0, 1, 2}});
    b.program.ops[op.at()].reads.front().index.coefficients = {32, 384, 1};
    b.program.divisions.resize(1);
    b.program.divisions[0].splits = {12, 2, 1};
    QCOMPARE(sentence(divisionClause(b.program, op, b.find("h"))),
             std::string("divides it into 12 pieces along columns (384) and 2 pieces along rows (128)"));
    // One loop over heads and rows together.
    spyre::Op& flat = b.program.ops[op.at()];
    flat.loops = {{"d0", 1536, false}, {"d1", 32, false}};
    flat.write.index.coefficients = {32, 1};
    b.program.divisions[0].splits = {32, 1};
    QCOMPARE(sentence(divisionClause(b.program, op, b.find("o"))),
             std::string("divides it into 32 pieces along dimension 0 x rows (12 x 128)"));
}

void TestSplitWords::clause_partOfTheCores() {
    Small s;
    s.split(s.z, {2, 16});
    QCOMPARE(s.clause(s.z, "v"), std::string("divides it into 2 pieces along elements (1\u202f024), each on 16 cores"));
}

void TestSplitWords::clause_declaredNames() {
    Small s;
    s.b.program.namedDims.resize(s.b.program.buffers.size());
    s.b.program.namedDims[s.b.find("x").at()] = {"tokens", "hidden"};
    s.split(s.z, {4, 1});
    QCOMPARE(s.clause(s.z, "x"), std::string("divides it into 4 pieces along hidden (1\u202f024)"));
}

void TestSplitWords::reduction_isNamedByItsOperand() {
    Small s;
    s.split(s.r, {2, 4});
    QCOMPARE(sentence(splitReductions(s.b.program, s.r).at(0)),
             std::string("4 pieces of the reduced columns of \"x\" (1\u202f024)"));
}

MEMPLAN_TEST(TestSplitWords)
#include "tst_split_words.moc"

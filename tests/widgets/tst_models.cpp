// SPDX-License-Identifier: GPL-3.0-or-later
// Table models over a plan, sorting and filtering, table <-> selection.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/models/table_text.h"
#include "widgets/plan/plan_look.h"

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>
#include <QAbstractTableModel>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QHeaderView>
#include <QModelIndex>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

namespace {

/// A million rows without memory: row r shows (r * 7919) mod a million.
class HugeModel final : public QAbstractTableModel {
public:
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1000000; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
    QVariant data(const QModelIndex& index, int role) const override {
        const qint64 value = static_cast<qint64>(index.row()) * 7919 % 1000000;
        if (role == RawRole) return value;
        return role == Qt::DisplayRole ? QVariant(QString::number(value)) : QVariant();
    }
};

}  // namespace

class TestModels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void models_passTheTester_data();
    void models_passTheTester();
    void buffers_softmax_showTheNumbersOfTheSpecification();
    void buffers_csv_isExact();
    void buffers_ofAList_haveNoProducer();
    void sort_numbers_sortAsNumbers();
    void filter_text_andRows();
    void sort_millionRows_runsInTheBackground();
    void binding_rowsAndHub_agree();
    void range_leavesTheRowsOfItsSteps();
    void units_areOnScreen_filesStayBytes();
    void copy_ofRows_isPlainWithHeads();
    void narrowTable_scrollsAndKeepsItsWords();
};

void TestModels::models_passTheTester_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("buffers") << 0;
    QTest::newRow("ops") << 1;
    QTest::newRow("problems") << 2;
    QTest::newRow("passes") << 3;
}

void TestModels::models_passTheTester() {
    QFETCH(int, which);
    std::unique_ptr<PlanTableModel> model;
    if (which == 0) model = std::make_unique<BufferModel>();
    if (which == 1) model = std::make_unique<OpModel>();
    if (which == 2) model = std::make_unique<ProblemModel>();
    if (which == 3) model = std::make_unique<PassModel>();
    QAbstractItemModelTester tester(model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    SortFilterModel sorted;
    sorted.setSourceModel(model.get());
    QAbstractItemModelTester proxyTester(&sorted, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model->rowCount(), 0);
    model->setPlan(fixture::encoderLayer());
    QVERIFY(model->rowCount() > 0);
    sorted.sort(1, Qt::DescendingOrder);
    sorted.setTextFilter(QStringLiteral("s"));
    model->setPlan(fixture::softmaxStage4());
    model->setPlan(nullptr);
    QCOMPARE(sorted.rowCount(), 0);
}

void TestModels::buffers_softmax_showTheNumbersOfTheSpecification() {
    BufferModel model;
    model.setPlan(fixture::softmaxStage4());
    QCOMPARE(model.rowCount(), 7);
    const auto raw = [&](int row, int column) { return model.index(row, column).data(RawRole); };
    const QList<qint64> addresses{0, 1048576, 0, 0, 1048576};  // clone, max, sub, exp, sum
    for (int i = 0; i < 5; ++i)
        QCOMPARE(raw(i + 1, BufferModel::Address).toLongLong(), addresses[i]);
    QCOMPARE(raw(4, BufferModel::Slot).toString(), QStringLiteral("from sub"));
    QCOMPARE(model.index(4, BufferModel::Space).data(BadgeRole).value<BadgeText>().letter, QStringLiteral("I"));
    QCOMPARE(model.index(0, BufferModel::Reason).data().toString(), QStringLiteral("graph input"));
    // The words of the lane below the Gantt chart.
    PlanBuffer parameter = model.plan()->buffers.front();
    parameter.role = BufferRole::Parameter;
    QCOMPARE(whyOffChip(parameter), QStringLiteral("parameter"));
    const auto changed = std::make_shared<Plan>(*model.plan());
    changed->buffers.front() = parameter;
    BufferModel other;
    other.setPlan(changed);
    QCOMPARE(other.index(0, BufferModel::Reason).data().toString(), QStringLiteral("parameter"));
    QVERIFY(model.index(4, BufferModel::BytesPerCore).data(NumericRole).toBool());
    QCOMPARE(model.index(4, 0).data(IdRole).value<ItemId>(), (ItemId{ItemKind::Buffer, 4}));
    QVERIFY(model.headerData(BufferModel::Address, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
}

void TestModels::buffers_csv_isExact() {
    BufferModel model;
    model.setPlan(fixture::softmaxStage4());
    const QByteArray csv = tableToCsv(model);
    QVERIFY(csv.startsWith(
        "Buffer,Space,Producer,Bytes per core,Address,Start,End,Slot,Reason when off chip,Traffic saved\n"));
    QVERIFY(csv.contains("\nexp,in place,exp,1048576,0,3,6,from sub,,3145728\n"));
    QCOMPARE(csv.count('\n'), 8);
    QCOMPARE(tableToCsv(model), csv);
    QCOMPARE(tableToTsv(model).split('\n')[1].count('\t'), 9);
}

void TestModels::buffers_ofAList_haveNoProducer() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    BufferModel model;
    model.setPlan(plan);
    QCOMPARE(model.index(0, BufferModel::Producer).data().toString(), QStringLiteral("graph input"));
    auto list = std::make_shared<Plan>(*plan);
    list->ops.clear();
    for (PlanBuffer& b : list->buffers)
        b.producer = {};
    model.setPlan(list);
    QCOMPARE(model.index(0, BufferModel::Producer).data().toString(), QStringLiteral("in the list"));
}

void TestModels::sort_numbers_sortAsNumbers() {
    BufferModel model;
    SortFilterModel sorted;
    sorted.setSourceModel(&model);
    model.setPlan(fixture::softmaxStage4());
    sorted.sort(BufferModel::BytesPerCore, Qt::AscendingOrder);
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("max"));
    sorted.sort(BufferModel::Start, Qt::DescendingOrder);
    QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("out"));
    QCOMPARE(sorted.mapFromSource(model.index(6, 0)).row(), 0);
    QCOMPARE(sorted.headerData(BufferModel::Start, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Start"));
}

void TestModels::filter_text_andRows() {
    BufferModel model;
    SortFilterModel sorted;
    sorted.setSourceModel(&model);
    model.setPlan(fixture::softmaxStage4());
    sorted.setTextFilter(QStringLiteral("SUB"));
    QCOMPARE(sorted.rowCount(), 2);  // sub itself, and exp "from sub"
    sorted.setRowFilter([](const QAbstractItemModel&, int row) { return row == 4; });
    QCOMPARE(sorted.rowCount(), 1);
    QVERIFY(!sorted.mapFromSource(model.index(3, 0)).isValid());
    sorted.setRowFilter({});
    sorted.setTextFilter({});
    QCOMPARE(sorted.rowCount(), 7);
}

void TestModels::sort_millionRows_runsInTheBackground() {
    HugeModel model;
    SortFilterModel sorted;
    QSignalSpy done(&sorted, &SortFilterModel::filterChanged);
    sorted.setSourceModel(&model);
    QVERIFY(done.wait(120000));
    const auto before = done.count();
    sorted.sort(0, Qt::AscendingOrder);
    QVERIFY2(done.count() == before, "the window thread must not wait for the sort");
    QVERIFY(done.wait(120000));
    QCOMPARE(sorted.index(0, 0).data(RawRole).toLongLong(), 0);
    QCOMPARE(sorted.index(999999, 0).data(RawRole).toLongLong(), 999999);
}

void TestModels::binding_rowsAndHub_agree() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    BufferModel model;
    model.follow(&hub);
    SortFilterModel sorted;
    sorted.setSourceModel(&model);
    QTableView table;
    table.setModel(&sorted);
    setUpTable(&table, BufferModel::Reason);
    bindSelection(&table, &hub);
    QCOMPARE(table.verticalHeader()->defaultSectionSize(), 24);
    hub.select({ItemKind::Op, 3});  // exp: its output's row
    QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
    QCOMPARE(table.selectionModel()->selectedRows().front().data().toString(), QStringLiteral("exp"));
    table.sortByColumn(BufferModel::BytesPerCore, Qt::AscendingOrder);
    QCOMPARE(table.selectionModel()->selectedRows().front().data().toString(), QStringLiteral("exp"));
    table.selectRow(0);
    QCOMPARE(hub.selection(), (std::vector<ItemId>{{ItemKind::Buffer, 2}}));
}

void TestModels::range_leavesTheRowsOfItsSteps() {
    SelectionHub hub;
    BufferModel model;
    model.follow(&hub);
    SortFilterModel sorted;
    sorted.setSourceModel(&model);
    auto* scope = new RowScope(&hub, &sorted);
    const PlanPtr plan = fixture::softmaxStage4();
    hub.setPlan(plan);
    QCOMPARE(sorted.rowCount(), static_cast<int>(plan->buffers.size()));
    const StepRange steps{1, 3};
    hub.setRange(steps);
    QStringList alive;
    for (int row = 0; row < sorted.rowCount(); ++row)
        alive << sorted.index(row, 0).data().toString();
    QCOMPARE(alive, (QStringList{"clone", "max", "sub"}));
    QCOMPARE(scope->rangeText(), QStringLiteral("steps 1 to 2"));
    scope->setItems(std::vector<ItemId>{{ItemKind::Buffer, 0}});
    QCOMPARE(sorted.rowCount(), 0);  // x is gone after step 0
    hub.escape();
    QCOMPARE(sorted.rowCount(), 1);
    scope->setItems(std::nullopt);
    QCOMPARE(sorted.rowCount(), static_cast<int>(plan->buffers.size()));
    QVERIFY(isInSteps(*plan, {ItemKind::Op, 2}, steps) && !isInSteps(*plan, {ItemKind::Op, 3}, steps));
}

void TestModels::units_areOnScreen_filesStayBytes() {
    BufferModel buffers;
    SortFilterModel sorted;
    sorted.setSourceModel(&buffers);
    buffers.setPlan(fixture::softmaxStage4());
    const QByteArray csv = tableToCsv(sorted);
    QSignalSpy heads(&sorted, &QAbstractItemModel::headerDataChanged);
    Units units;
    units.unit = ByteUnit::KiB;
    units.hexAddresses = true;
    buffers.setUnits(units);
    QCOMPARE(heads.count(), 1);
    const auto head = [&](int column) { return sorted.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(); };
    QCOMPARE(head(BufferModel::BytesPerCore), QStringLiteral("KiB per core"));
    QCOMPARE(head(BufferModel::Address), QStringLiteral("Address"));
    const QModelIndex sum = buffers.index(5, 0);
    QCOMPARE(sum.data().toString(), QStringLiteral("sum"));
    QCOMPARE(sum.siblingAtColumn(BufferModel::Address).data().toString(), QStringLiteral("0x100000"));
    QCOMPARE(buffers.index(4, BufferModel::BytesPerCore).data().toString(), QStringLiteral("1\u202F024"));
    QCOMPARE(buffers.index(4, BufferModel::BytesPerCore).data(Qt::ToolTipRole).toString(),
             QStringLiteral("1\u202F048\u202F576\u202FB"));
    QCOMPARE(tableToCsv(sorted), csv);
    OpModel ops;
    ops.setPlan(buffers.plan());
    ops.setUnits(units);
    QCOMPARE(ops.headerData(OpModel::Read, Qt::Horizontal, Qt::DisplayRole).toString(),
             QStringLiteral("Read from main memory, KiB"));
    QCOMPARE(ops.headerData(OpModel::Cores, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Cores"));
}

void TestModels::copy_ofRows_isPlainWithHeads() {
    SelectionHub hub;
    BufferModel model;
    QTableView table;
    table.setModel(&model);
    setUpTable(&table, BufferModel::Reason);
    model.setPlan(fixture::softmaxStage4());
    model.setUnits({ByteUnit::KiB, true});
    table.show();
    table.setFocus();
    table.selectRow(4);
    QVERIFY(QTest::qWaitForWindowActive(&table));
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split(u'\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith(QStringLiteral("Buffer\tSpace\tProducer\tBytes per core\tAddress\t")));
    QCOMPARE(lines[1].split(u'\t').value(3), QStringLiteral("1048576"));
    QCOMPARE(lines[1].split(u'\t').value(4), QStringLiteral("0"));
}

/// 22.4: no column is squeezed to less than its words need while the others have theirs.
void TestModels::narrowTable_scrollsAndKeepsItsWords() {
    OpModel model;
    model.setPlan(fixture::encoderLayer());
    QTableView table;
    table.setModel(&model);
    setUpTable(&table, OpModel::Kind);
    table.resize(1600, 300);
    table.show();
    sizeColumns(&table);
    const QHeaderView& head = *table.horizontalHeader();
    QCOMPARE(head.length(), table.viewport()->width());  // the rest of a wide table
    int widest = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        widest =
            std::max(widest, table.fontMetrics().horizontalAdvance(model.index(row, OpModel::Kind).data().toString()));
    table.resize(240, 300);
    QCoreApplication::processEvents();
    QVERIFY(head.sectionSize(OpModel::Kind) >= std::min(widest, 110));
    QVERIFY(head.length() > table.viewport()->width() && table.horizontalScrollBar()->maximum() > 0);
    table.resize(1600, 300);
    QCoreApplication::processEvents();
    QCOMPARE(head.length(), table.viewport()->width());
}

MEMPLAN_WINDOW_TEST(TestModels)
#include "tst_models.moc"

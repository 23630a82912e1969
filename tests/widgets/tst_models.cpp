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
#include "widgets/views/problems/code_groups.h"
#include "widgets/views/problems/problems_view.h"

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>
#include <QAbstractTableModel>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QModelIndex>
#include <QRect>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWidget>

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
    void problems_counts_filters_selection();
    void range_leavesTheRowsOfItsSteps();
    void problems_groups_openCloseAndCount();
    void problems_selectingARow_selectsItsItems();
    void problems_detail_goesWithItsRow();
    void problems_detail_isReadAsAWhole();
    void problems_ofAHint_leadToItByKeyAndMenu();
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

void TestModels::problems_counts_filters_selection() {
    SelectionHub hub;
    ProblemsView view(&hub);
    QCOMPARE(view.countText(), QStringLiteral("no problems"));
    hub.setPlan(fixture::encoderLayer());
    QCOMPARE(view.countText(), QStringLiteral("3 warnings, 2 notes"));
    QCOMPARE(view.table()->model()->rowCount(), 5);
    const auto severity = [&view](int row) { return view.table()->model()->index(row, 0).data(RawRole).toInt(); };
    for (int row = 0; row < 5; ++row)
        QCOMPARE(severity(row), static_cast<int>(row < 3 ? Severity::Warning : Severity::Note));
    view.setSeverityShown(Severity::Note, false);
    QCOMPARE(view.table()->model()->rowCount(), 3);
    view.setTextFilter(QStringLiteral("LX-014"));
    QCOMPARE(view.table()->model()->rowCount(), 1);
    view.setTextFilter({});
    view.setPassFilter(QStringLiteral("scratchpad_planning"));
    QCOMPARE(view.table()->model()->rowCount(), 3);
    view.setGroupedByCode(true);
    QCOMPARE(view.groups()->headAt(0), view.table()->model()->index(1, ProblemModel::Code).data().toString());
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

void TestModels::problems_groups_openCloseAndCount() {
    SelectionHub hub;
    ProblemsView view(&hub);
    hub.setPlan(fixture::encoderLayer());
    view.setGroupedByCode(true);
    const QAbstractItemModel& model = *view.table()->model();
    CodeGroups& groups = *view.groups();
    QCOMPARE(model.rowCount(), 5 + groups.groupCount());
    const QString code = groups.headAt(0);
    QVERIFY(!code.isEmpty());
    int below = 0;
    while (below + 1 < model.rowCount() && groups.headAt(below + 1).isEmpty()) {
        ++below;
        QCOMPARE(model.index(below, ProblemModel::Code).data().toString(), code);
    }
    QVERIFY(below > 0);
    QCOMPARE(model.index(0, ProblemModel::Message).data().toString(),
             plural(below, QStringLiteral("problem"), QStringLiteral("problems")));
    QVERIFY(model.index(0, ProblemModel::Severity).data(BadgeRole).isValid());
    // Closed by key, counted all the same; a head selects nothing by itself.
    hub.select({ItemKind::Buffer, 5});
    view.table()->setCurrentIndex(model.index(0, ProblemModel::Code));
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Buffer, 5}));
    QTest::keyClick(view.table(), Qt::Key_Space);
    QVERIFY(!groups.isOpen(code));
    QCOMPARE(model.rowCount(), 5 + groups.groupCount() - below);
    QTest::keyClick(view.table(), Qt::Key_Right);
    QCOMPARE(model.rowCount(), 5 + groups.groupCount());
    // Left on a problem closes its group and stays at the head.
    view.table()->setCurrentIndex(model.index(1, ProblemModel::Code));
    QTest::keyClick(view.table(), Qt::Key_Left);
    QVERIFY(!groups.isOpen(code));
    QCOMPARE(view.table()->currentIndex().row(), 0);
    QSignalSpy help(&view, &ProblemsView::helpRequested);
    QTest::keyClick(view.table(), Qt::Key_F1);
    QCOMPARE(help.value(0).value(0).toString(), code);
    // A filter leaves heads of what it shows only; a new plan keeps what is closed.
    view.setSeverityShown(Severity::Note, false);
    hub.setPlan(fixture::encoderLayer());
    QVERIFY(!groups.isOpen(code));
    groups.setAllOpen(true);
    QCOMPARE(model.rowCount(), 3 + groups.groupCount());
    view.setGroupedByCode(false);
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(groups.headAt(0).isEmpty());
}

void TestModels::problems_selectingARow_selectsItsItems() {
    SelectionHub hub;
    ProblemsView view(&hub);
    hub.setPlan(fixture::encoderLayer());
    view.table()->selectRow(3);
    QCOMPARE(hub.selection(),
             (std::vector<ItemId>{{ItemKind::Buffer, 7}, {ItemKind::Buffer, 8}, {ItemKind::Buffer, 10}}));
    hub.select({ItemKind::Buffer, 5});
    QCOMPARE(view.table()->selectionModel()->selectedRows().front().row(), 0);
    QSignalSpy help(&view, &ProblemsView::helpRequested);
    view.table()->setCurrentIndex(view.table()->model()->index(2, 0));
    QTest::keyClick(view.table(), Qt::Key_F1);
    QCOMPARE(help.value(0).value(0).toString(), QStringLiteral("LX-014"));
}

namespace {

const QWidget* detailOf(const ProblemsView& view) {
    return view.findChild<QWidget*>(QStringLiteral("problemDetail"));
}

}  // namespace

void TestModels::problems_detail_goesWithItsRow() {
    SelectionHub hub;
    ProblemsView view(&hub);
    view.resize(1000, 200);
    view.show();
    hub.setPlan(fixture::encoderLayer());
    const QWidget* detail = detailOf(view);
    const auto choose = [&] {
        hub.clearSelection();
        view.table()->selectRow(3);
        return QTest::qWaitFor([&] { return detail->isVisible(); });
    };
    QVERIFY(choose());
    hub.setPlan(fixture::softmaxStage4());
    QVERIFY(!detail->isVisible());
    hub.setPlan(fixture::encoderLayer());
    QVERIFY(choose());
    view.setSeverityShown(Severity::Note, false);  // row 3 is a note
    QVERIFY(!detail->isVisible());
    view.setSeverityShown(Severity::Note, true);
    QVERIFY(choose());
    view.setGroupedByCode(true);
    view.groups()->setAllOpen(false);
    QVERIFY(!detail->isVisible());
    view.groups()->setAllOpen(true);
    QVERIFY(detail->isVisible());  // its items are selected all the same
}

void TestModels::problems_detail_isReadAsAWhole() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    plan->problems.front().message = QStringLiteral("word ").repeated(300).toStdString();
    SelectionHub hub;
    ProblemsView view(&hub);
    view.resize(1000, 160);
    view.show();
    hub.setPlan(plan);
    view.table()->selectRow(0);
    const auto* detail = qobject_cast<const QLabel*>(detailOf(view));
    QTRY_VERIFY(detail->isVisible());
    QTRY_VERIFY(detail->height() >= detail->heightForWidth(detail->width()));
    QVERIFY(detail->height() > view.height());
    const auto* area = view.findChild<QScrollArea*>(QStringLiteral("problemDetailArea"));
    QVERIFY(area->verticalScrollBar()->maximum() > 0);
    const int margin = detail->margin();
    auto* style = qobject_cast<StudioStyle*>(QApplication::style());
    style->setTheme(Theme(ThemeKind::Light, 2.0));
    QCOMPARE(detail->margin(), 2 * margin);
    style->setTheme(Theme(ThemeKind::Light));
}

void TestModels::problems_ofAHint_leadToItByKeyAndMenu() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    Diagnostic d;
    d.code = "HNT-003";
    d.where = "/hints/2/value";
    d.message = "not allowed";
    plan->problems.insert(plan->problems.begin(), d);
    SelectionHub hub;
    ProblemsView view(&hub);
    view.resize(1000, 200);
    view.show();
    hub.setPlan(plan);
    QSignalSpy asked(&view, &ProblemsView::hintRequested);
    view.table()->setCurrentIndex(view.table()->model()->index(0, ProblemModel::Message));
    // In a plan that is only read nothing asks for a hint that nobody can edit.
    QTest::keyClick(view.table(), Qt::Key_F2);
    QCOMPARE(asked.size(), 0);
    hub.setOffersHints(true);
    QTest::keyClick(view.table(), Qt::Key_F2);
    QCOMPARE(asked.value(0).value(0).toInt(), 2);
    const auto menuHas = [&](int row) {
        const QRect cell = view.table()->visualRect(view.table()->model()->index(row, ProblemModel::Message));
        emit view.table()->customContextMenuRequested(cell.center());
        QMenu* menu = view.findChildren<QMenu*>().constLast();
        const QList<QAction*> actions = menu->actions();
        const auto found = std::ranges::find_if(
            actions, [](const QAction* a) { return a->text().startsWith(QStringLiteral("Edit hint 3")); });
        const bool has = found != actions.end();
        if (has) (*found)->trigger();
        delete menu;
        return has;
    };
    QVERIFY(menuHas(0));
    QCOMPARE(asked.count(), 2);
    QCOMPARE(asked.value(1).value(0).toInt(), 2);
    QVERIFY(!menuHas(1));
    view.table()->setCurrentIndex(view.table()->model()->index(1, ProblemModel::Message));
    QTest::keyClick(view.table(), Qt::Key_F2);
    QCOMPARE(asked.count(), 2);
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

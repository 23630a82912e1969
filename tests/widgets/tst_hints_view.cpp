// SPDX-License-Identifier: GPL-3.0-or-later
// Hints in the window: checks while typing, the table's edits, the editor, templates.
#include "tests/support/hint_support.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/plan_lookup.h"
#include "tests/support/program.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/tools/hints/editor/check_line.h"
#include "widgets/tools/hints/editor/hint_editor.h"
#include "widgets/tools/hints/editor/hint_value_field.h"
#include "widgets/tools/hints/hint_templates.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/coregrid/data/split_fix.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPoint>
#include <QPointF>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWidget>

using namespace memplan;
using namespace memplan::ui;

namespace {

Hint makeHint(const std::string& scope, const std::string& key, const std::string& value) {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {scope};
    hint.key = key;
    hint.value = test::hintValue(value);
    return hint;
}

const hints::KindInfo& kindOf(const TargetId& target, const char* key) {
    return *hints::findKind(target, key);
}

/// Drags over a widget and lets go there; true when it took the data. Qt delivers no drop without the drag before it.
bool dropOn(QWidget& widget, const QMimeData& data) {
    QDragEnterEvent enter(QPoint(40, 40), Qt::LinkAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(&widget, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent drop(QPointF(40, 40), Qt::LinkAction, &data, Qt::LeftButton, Qt::NoModifier);
    drop.ignore();
    QApplication::sendEvent(&widget, &drop);
    return drop.isAccepted();
}

}  // namespace

class TestHints : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void init();
    void cleanup();
    void states_areThoseOfThePlan_orPending();
    void editor_wrongValue_cannotBeCommitted();
    void editor_newHint_comesOutAsOneStep();
    void editor_unknownSubject_isRefused();
    void editor_twin_isRefused();
    void editor_kindsOfTheItem_comeFirst();
    void kinds_standInTheWindowsOrder();
    void addresses_followTheSwitch();
    void table_toggleRemoveDuplicateMove_areSteps();
    void table_keys_doTheSame();
    void table_fileHints_areNotEditable();
    void view_put_replacesTheSameKind();
    void view_remove_takesOneSubjectOut();
    void view_escape_closesTheEditor();
    void editor_lowViewWithLargeText_keepsItsFields();
    void templates_pinTheGroup();
    void drop_ofAnItem_opensTheEditorOnIt();
    void drop_ofSomethingElse_isRefused();

private:
    void give(std::vector<Hint> own, std::vector<Hint> fixed = {});
    std::unique_ptr<SelectionHub> hub_;
    std::unique_ptr<HintsView> view_;
    std::vector<Hint> own_;
    QStringList steps_;
};

void TestHints::initTestCase() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
}

void TestHints::init() {
    hub_ = std::make_unique<SelectionHub>();
    hub_->setOffersHints(true);
    view_ = std::make_unique<HintsView>(hub_.get());
    own_.clear();
    steps_.clear();
    // The part of the document: takes the list and gives it back.
    connect(view_.get(), &HintsView::edited, this, [this](const QString& text, const std::vector<Hint>& hints) {
        steps_ << text;
        own_ = hints;
        view_->setHints({}, own_);
    });
    hub_->setPlan(fixture::softmaxStage4());
    view_->setDocument("spyre", Settings(), nullptr);
    view_->resize(900, 260);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
}

void TestHints::cleanup() {
    view_.reset();
    hub_.reset();
}

void TestHints::give(std::vector<Hint> own, std::vector<Hint> fixed) {
    own_ = std::move(own);
    view_->setHints(fixed, own_);
}

void TestHints::states_areThoseOfThePlan_orPending() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    plan->hints = {makeHint("tensor:exp", "pin", "true"), makeHint("tensor:sub", "address", "128")};
    plan->hints[1].comment = "mine";
    plan->hintStates = {"applied", "impossible"};
    plan->hintStateReasons = {"", "sub would end above the limit"};
    hub_->setPlan(plan);
    Hint off = makeHint("tensor:max", "pin", "true");
    off.enabled = false;
    give({plan->hints[1], plan->hints[0], makeHint("tensor:sum", "pin", "true"), off});
    const HintModel& model = *view_->model();
    QCOMPARE(QString::fromStdString(model.row(0).state), QStringLiteral("impossible"));
    QCOMPARE(QString::fromStdString(model.row(1).state), QStringLiteral("applied"));
    QCOMPARE(QString::fromStdString(model.row(2).state), QStringLiteral("pending"));
    QCOMPARE(QString::fromStdString(model.row(3).state), QStringLiteral("disabled"));
    QCOMPARE(model.summary(), QStringLiteral("1 impossible, 1 not compiled yet"));
    QCOMPARE(model.index(0, HintModel::Reason).data().toString(), QStringLiteral("sub would end above the limit"));
    QCOMPARE(model.index(0, HintModel::Comment).data().toString(), QStringLiteral("mine"));
}

void TestHints::editor_wrongValue_cannotBeCommitted() {
    view_->startHint({{ItemKind::Buffer, 4}}, QStringLiteral("address"));
    auto* value = view_->findChild<HintValueField*>();
    auto* commit = view_->findChild<QPushButton*>(QStringLiteral("hintCommit"));
    auto* line = view_->findChild<CheckLine*>();
    QVERIFY(value && commit && line);
    value->setEditText(QStringLiteral("100"));
    QVERIFY(!commit->isEnabled());
    QVERIFY(line->isVisible() && line->check().text.contains(QStringLiteral("128")));
    view_->editor()->commit();
    QVERIFY(own_.empty() && steps_.isEmpty());
    value->setEditText(QStringLiteral("128"));
    QVERIFY(commit->isEnabled());
    QVERIFY(line->check().ok);
    if (kindOf("spyre", "address").isRead)
        QVERIFY(line->check().text.contains(QStringLiteral("below the limit")));
    else
        QVERIFY(line->check().isWarning);  // no pass would read it: said before any compile
}

void TestHints::editor_newHint_comesOutAsOneStep() {
    view_->startHint({{ItemKind::Buffer, 4}}, QStringLiteral("address"));
    view_->findChild<HintValueField*>()->setEditText(QStringLiteral("0x200"));
    view_->findChild<QLineEdit*>(QStringLiteral("hintComment"))->setText(QStringLiteral("why"));
    QTest::keyClick(view_->editor(), Qt::Key_Return);
    QCOMPARE(own_.size(), std::size_t{1});
    QCOMPARE(own_[0].scopes, (std::vector<std::string>{"tensor:exp"}));
    QCOMPARE(own_[0].value.json(), std::string("512"));
    QCOMPARE(own_[0].comment, std::string("why"));
    QCOMPARE(own_[0].target, std::string("spyre"));
    QCOMPARE(steps_, (QStringList{QStringLiteral("Pin exp at 512")}));
    QVERIFY(view_->editor()->isHidden());
    QCOMPARE(view_->table()->currentIndex().row(), 0);
}

void TestHints::editor_unknownSubject_isRefused() {
    view_->startHint({}, QStringLiteral("pin"));
    auto* subject = view_->findChild<QLineEdit*>(QStringLiteral("hintSubject"));
    QVERIFY(!view_->editor()->check().ok);
    QTest::keyClicks(subject, QStringLiteral("nobody"));
    QVERIFY(!view_->editor()->check().ok);
    subject->clear();
    QTest::keyClicks(subject, QStringLiteral("exp, sub"));
    QVERIFY2(view_->editor()->check().ok, qPrintable(view_->editor()->check().text));
    QCOMPARE(view_->editor()->hint().scopes, (std::vector<std::string>{"tensor:exp", "tensor:sub"}));
    QVERIFY(view_->editor()->hint().scopeIsArray);
}

void TestHints::editor_twin_isRefused() {
    give({makeHint("tensor:exp", "pin", "true")});
    view_->startHint({{ItemKind::Buffer, 4}}, QStringLiteral("pin"));
    QVERIFY(!view_->editor()->check().ok);
    QVERIFY(view_->editor()->check().text.contains(QStringLiteral("already")));
}

void TestHints::kinds_standInTheWindowsOrder() {
    // hints.md 5, and what it does not name behind it.
    const QStringList order{"pin",         "keep_off_chip", "address",     "address_limit", "in_place",
                            "clone_input", "split",         "max_cores",   "slices",        "dim_sizes",
                            "dim_names",   "named_dims",    "lx_eligible", "manual_groups", "op_order"};
    view_->startHint({}, {});
    auto* kinds = view_->findChild<QComboBox*>(QStringLiteral("hintKind"));
    QStringList listed;
    for (int i = 0; i < kinds->count(); ++i)
        if (kinds->itemData(i).isValid()) listed << kinds->itemData(i).toString();
    QCOMPARE(listed, order);
    // For an operation those that fit first, in the same order.
    view_->startHint({{ItemKind::Op, 3}}, {});
    QVERIFY(kinds->findData(QStringLiteral("split")) < kinds->findData(QStringLiteral("lx_eligible")));
    QVERIFY(kinds->findData(QStringLiteral("slices")) < kinds->findData(QStringLiteral("lx_eligible")));
    // The table sorted by kind goes the same way.
    give({makeHint("op:exp", "lx_eligible", "true"), makeHint("op:exp", "split", "{\"m\": 2}"),
          makeHint("tensor:exp", "pin", "true")});
    view_->table()->sortByColumn(HintModel::Kind, Qt::AscendingOrder);
    QStringList sorted;
    for (int row = 0; row < 3; ++row)
        sorted << view_->table()->model()->index(row, HintModel::Kind).data().toString();
    QCOMPARE(sorted, (QStringList{"Pin on chip", "Force a split", "Include or exclude from LX"}));
}

void TestHints::addresses_followTheSwitch() {
    give({makeHint("tensor:exp", "address", "16384"), makeHint("op:exp", "max_cores", "16")});
    const auto value = [this](int row) {
        return view_->table()->model()->index(row, HintModel::Value).data().toString();
    };
    QCOMPARE(value(0), QStringLiteral("16\u202f384"));
    Units units;
    units.hexAddresses = true;
    view_->setUnits(units);
    QCOMPARE(value(0), QStringLiteral("0x4000"));
    QCOMPARE(value(1), QStringLiteral("16"));  // a count is no address
    view_->editRow(0);
    auto* field = view_->editor()->findChild<HintValueField*>();
    QCOMPARE(field->currentText(), QStringLiteral("0x4000"));
    QVERIFY(field->value().value == HintValue(Bytes{16384}));
    view_->setUnits({});
    QCOMPARE(field->currentText(), QStringLiteral("16\u202f384"));
}

void TestHints::editor_kindsOfTheItem_comeFirst() {
    view_->startHint({{ItemKind::Buffer, 4}}, {});
    auto* kinds = view_->findChild<QComboBox*>(QStringLiteral("hintKind"));
    const auto all = hints::allKinds();
    const auto spyre = std::count_if(all.begin(), all.end(), [](const auto& k) { return k.target == "spyre"; });
    QCOMPARE(kinds->count(), static_cast<int>(spyre) + 1);  // and a separator
    QVERIFY(kinds->findData(QStringLiteral("pin")) < kinds->findData(QStringLiteral("dim_sizes")));
    QVERIFY(kinds->findData(QStringLiteral("pin")) < kinds->findData(QStringLiteral("clone_input")));
    QCOMPARE(view_->findChild<QLineEdit*>(QStringLiteral("hintSubject"))->text(), QStringLiteral("exp"));
}

void TestHints::table_toggleRemoveDuplicateMove_areSteps() {
    give({makeHint("tensor:exp", "pin", "true"), makeHint("tensor:sub", "pin", "true"),
          makeHint("tensor:max", "keep_off_chip", "true")});
    HintModel& model = *view_->model();
    QVERIFY(model.setData(model.index(1, HintModel::On), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(!own_[1].enabled);
    model.move({2}, 0);
    QCOMPARE(own_[0].scopes.front(), std::string("tensor:max"));
    model.duplicate({0});
    QCOMPARE(own_.size(), std::size_t{4});
    QVERIFY(own_[0].enabled && !own_[1].enabled);
    model.remove({0, 1});
    QCOMPARE(own_.size(), std::size_t{2});
    QVERIFY(!model.setData(model.index(0, HintModel::Value), QStringLiteral("7"), Qt::EditRole));
    QVERIFY(model.setData(model.index(0, HintModel::Comment), QStringLiteral("because"), Qt::EditRole));
    QCOMPARE(own_[0].comment, std::string("because"));
    QCOMPARE(steps_,
             (QStringList{QStringLiteral("Switch off: Pin sub on chip"), QStringLiteral("Move hint: Keep max off chip"),
                          QStringLiteral("Duplicate hint: Keep max off chip"), QStringLiteral("Remove 2 hints"),
                          QStringLiteral("Comment on exp")}));
}

void TestHints::table_keys_doTheSame() {
    give({makeHint("tensor:exp", "pin", "true"), makeHint("tensor:sub", "pin", "true")});
    view_->table()->setFocus();
    view_->table()->selectRow(0);
    QCOMPARE(hub_->selection(), (std::vector<ItemId>{{ItemKind::Buffer, 4}}));
    QTest::keyClick(view_->table(), Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(own_[1].scopes.front(), std::string("tensor:exp"));
    QCOMPARE(view_->table()->currentIndex().row(), 1);
    QTest::keyClick(view_->table(), Qt::Key_Space);
    QVERIFY(!own_[1].enabled);
    QTest::keyClick(view_->table(), Qt::Key_Return);
    QVERIFY(view_->editor()->isVisible());
    QCOMPARE(view_->editor()->row(), 1);
    QTest::keyClick(view_->editor(), Qt::Key_Escape);
    QTest::keyClick(view_->table(), Qt::Key_Delete);
    QCOMPARE(own_.size(), std::size_t{1});
    QCOMPARE(own_[0].scopes.front(), std::string("tensor:sub"));
}

void TestHints::table_fileHints_areNotEditable() {
    give({makeHint("tensor:sub", "pin", "true")}, {makeHint("tensor:exp", "pin", "true")});
    HintModel& model = *view_->model();
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(!(model.flags(model.index(0, HintModel::On)) & Qt::ItemIsUserCheckable));
    model.remove({0});
    QVERIFY(steps_.isEmpty());
    model.remove({0, 1});
    QVERIFY(own_.empty());
    QCOMPARE(steps_.size(), 1);
}

void TestHints::view_put_replacesTheSameKind() {
    give({makeHint("tensor:exp", "address", "128")});
    QVERIFY(view_->putHints({makeHint("tensor:exp", "address", "256")}, QStringLiteral("move")));
    QCOMPARE(own_.size(), std::size_t{1});
    QCOMPARE(own_[0].value.json(), std::string("256"));
    QVERIFY(!view_->putHints({makeHint("tensor:exp", "address", "256")}, QStringLiteral("again")));
    QCOMPARE(steps_, (QStringList{QStringLiteral("move")}));
}

void TestHints::view_remove_takesOneSubjectOut() {
    Hint both = makeHint("tensor:exp", "pin", "true");
    both.scopes.push_back("tensor:sub");
    both.scopeIsArray = true;
    give({both});
    QVERIFY(view_->removeHints({"tensor:exp"}, {"pin"}));
    QCOMPARE(own_.size(), std::size_t{1});
    QCOMPARE(own_[0].scopes, (std::vector<std::string>{"tensor:sub"}));
    QVERIFY(view_->removeHints({"tensor:sub"}, {"pin", "address"}));
    QVERIFY(own_.empty());
    QVERIFY(!view_->removeHints({"tensor:sub"}, {"pin"}));
}

void TestHints::view_escape_closesTheEditor() {
    view_->startHint({{ItemKind::Buffer, 4}}, QStringLiteral("pin"));
    QVERIFY(view_->editor()->isVisible());
    QTest::keyClick(view_->editor(), Qt::Key_Escape);
    QVERIFY(view_->editor()->isHidden());
    QVERIFY(steps_.isEmpty());
}

void TestHints::editor_lowViewWithLargeText_keepsItsFields() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light, 2)));
    view_ = std::make_unique<HintsView>(hub_.get());
    view_->setDocument("spyre", Settings(), nullptr);
    view_->resize(930, 194);
    view_->show();
    QVERIFY(view_->table()->isVisible());
    const auto isWhole = [this] {
        QCoreApplication::processEvents();
        for (const QWidget* field : view_->editor()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (field->isVisible() && field->height() < field->minimumSizeHint().height()) return false;
        return view_->editor()->geometry().bottom() < view_->height();
    };
    view_->startHint({{ItemKind::Buffer, 4}}, QStringLiteral("address"));
    QVERIFY(isWhole());
    view_->findChild<HintValueField*>()->setEditText(QStringLiteral("100"));
    QVERIFY(isWhole());
    QVERIFY(view_->findChild<QWidget*>(QStringLiteral("hintCheck"))->isVisible());
    // With room the list is there, and it comes back when the editor goes.
    view_->resize(930, 500);
    QVERIFY(isWhole() && view_->table()->isVisible());
    view_->resize(930, 194);
    QVERIFY(isWhole() && !view_->table()->isVisible());
    emit view_->editor()->cancelled();
    QVERIFY(view_->table()->isVisible());
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
}

void TestHints::templates_pinTheGroup() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    std::vector<ItemId> items;
    for (std::size_t i = 0; i < plan->ops.size() && items.empty(); ++i)
        if (!plan->ops[i].groupPath.empty()) items.push_back(ItemId::of(OpId::of(i)));
    QVERIFY(!items.empty());
    const auto some = hintTemplates(*plan, items);
    const auto pin = std::find_if(some.begin(), some.end(),
                                  [](const HintTemplate& t) { return t.title == u"Pin everything in this group"; });
    QVERIFY(pin != some.end());
    QVERIFY2(pin->isPossible(), qPrintable(pin->why));
    QCOMPARE(pin->hints.size(), std::size_t{1});
    const std::string& path = plan->op(OpId{items[0].index}).groupPath;
    for (const ItemId item : itemsOf(*plan, pin->hints[0]))
        QCOMPARE(plan->op(plan->buffer(BufferId{item.index}).producer).groupPath, path);
    for (const HintTemplate& t : hintTemplates(*plan, {}))
        QVERIFY(!t.isPossible() && !t.why.isEmpty());
}

/// What a drag of the graph view or the Gantt carries (7.8, 11): an item becomes the subject of a new hint.
void TestHints::drop_ofAnItem_opensTheEditorOnIt() {
    const BufferId exp = test::bufferNamed(*hub_->plan(), "exp");
    QVERIFY(exp.isValid());
    QMimeData data;
    data.setData(kItemMime, "buffer:" + QByteArray::number(exp.index));
    QVERIFY(dropOn(*view_, data));
    QVERIFY(view_->editor()->isVisible());
    QCOMPARE(view_->editor()->hint().scopes, std::vector<std::string>{"tensor:exp"});
    QVERIFY(own_.empty());  // a drop offers the hint; committing makes it
    QTest::keyClick(view_->editor(), Qt::Key_Escape);
    QVERIFY(own_.empty());
    data.setData(kItemMime, "op:1");
    dropOn(*view_, data);
    QVERIFY(view_->editor()->isVisible());
    QCOMPARE(view_->editor()->hint().scopes.size(), std::size_t{1});
}

void TestHints::drop_ofSomethingElse_isRefused() {
    for (const char* text : {"", "buffer", "buffer:x", "buffer:9999", "buffer:-1", "op:9999", "op:1:2", "core:1"}) {
        QMimeData data;
        data.setData(kItemMime, text);
        QVERIFY2(!dropOn(*view_, data), text);
        QVERIFY2(!view_->editor()->isVisible(), text);
    }
    QMimeData words;
    words.setText(QStringLiteral("exp"));
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &words, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(view_.get(), &enter);
    QVERIFY(!enter.isAccepted());
}

MEMPLAN_WINDOW_TEST(TestHints)
#include "tst_hints_view.moc"

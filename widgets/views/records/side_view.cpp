// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/records/side_view.h"

#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/pane/legend_bar.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::ui {

namespace {

constexpr int kMostFacts = 2000;
constexpr int kPathRole = Qt::UserRole + 80;
constexpr int kSourceRole = Qt::UserRole + 81;  ///< position in SideInformation::sources, -1 = not joined yet

QStandardItem* cell(const QString& text, bool numeric = false) {
    auto* item = new QStandardItem(text);
    item->setToolTip(text);
    item->setEditable(false);
    if (numeric) item->setData(true, NumericRole);
    return item;
}

QStandardItem* named(QStandardItem* kind, const QString& path, int source) {
    kind->setData(path, kPathRole);
    kind->setData(source, kSourceRole);
    kind->setData(true, StrongRole);
    return kind;
}

QString foundText(const SideSource& source) {
    const QString found = SideView::tr("%1 of %2 names").arg(groupedText(source.matched), groupedText(source.records));
    return source.byOrder ? SideView::tr("%1, operations taken in order").arg(found) : found;
}

}  // namespace

SideView::SideView(QWidget* parent)
    : QWidget(parent), sourceRows_(new QStandardItemModel(this)), factRows_(new QStandardItemModel(this)),
      sources_(new QTableView(this)), facts_(new QTableView(this)), empty_(new EmptyBlock(this)),
      body_(new QSplitter(Qt::Horizontal, this)) {
    setObjectName(QStringLiteral("sideView"));
    setAccessibleName(tr("Compiler records"));
    sourceRows_->setHorizontalHeaderLabels({tr("Kind"), tr("File"), tr("Found in this plan"), tr("Not found")});
    sources_->setModel(sourceRows_);
    sources_->setObjectName(QStringLiteral("sideSources"));
    sources_->setAccessibleName(tr("Attached files"));
    setUpTable(sources_, 3);
    sources_->setSortingEnabled(false);
    sources_->setSelectionMode(QAbstractItemView::SingleSelection);
    factRows_->setHorizontalHeaderLabels({tr("Of"), tr("Field"), tr("Recorded")});
    facts_->setModel(factRows_);
    facts_->setObjectName(QStringLiteral("sideFacts"));
    facts_->setAccessibleName(tr("What the file says as a whole"));
    setUpTable(facts_, 2);
    facts_->setSortingEnabled(false);
    auto* halves = static_cast<QSplitter*>(body_);
    halves->addWidget(sources_);
    halves->addWidget(facts_);
    halves->setChildrenCollapsible(false);
    halves->setSizes({themeOf(this).px(620), themeOf(this).px(560)});
    empty_->setText({QStringLiteral("file"), tr("No compiler records"),
                     tr("Attach what the original compiler recorded of the same kernels: a provenance sidecar, a pass "
                        "log or a cost dump. It stands beside the plan and never changes it."),
                     tr("Attach file..."), QStringLiteral("attach")});
    connect(empty_, &EmptyBlock::triggered, this, &SideView::attachRequested);
    connect(sources_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showFacts();
        refreshButtons();
    });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar());
    column->addWidget(empty_, 1);
    column->addWidget(body_, 1);
    setSide({}, nullptr);
}

QWidget* SideView::buildBar() {
    auto* bar = new ViewBar(this);
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(8, 0, 8, 1);
    line->setSpacing(6);
    auto* attach = new QPushButton(tr("Attach file..."), bar);
    attach->setObjectName(QStringLiteral("sideAttach"));
    remove_ = new QPushButton(tr("Remove"), bar);
    remove_->setObjectName(QStringLiteral("sideRemove"));
    remove_->setToolTip(tr("Take the chosen file away; the file itself stays as it is"));
    for (QPushButton* button : {attach, remove_}) {
        setScaledSize(button, -1, 24);
        line->addWidget(button);
    }
    line->addStretch(1);
    auto* about = new QLabel(tr("Recorded by the original compiler; the plan does not depend on it"), bar);
    about->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(about);
    connect(attach, &QPushButton::clicked, this, &SideView::attachRequested);
    connect(remove_, &QPushButton::clicked, this, [this] {
        const QString path = pathOf(sources_->currentIndex().row());
        if (!path.isEmpty()) emit removeRequested(path);
    });
    return bar;
}

int SideView::count() const {
    return sourceRows_->rowCount();
}

QString SideView::pathOf(int row) const {
    const QStandardItem* item = sourceRows_->item(row, 0);
    return item == nullptr ? QString() : item->data(kPathRole).toString();
}

void SideView::setFailed() {
    for (int row = 0; row < sourceRows_->rowCount(); ++row)
        sourceRows_->item(row)->setText(tr("not joined"));
}

void SideView::setSide(const QStringList& paths, std::shared_ptr<const SideInformation> side) {
    const int shown = std::max(0, sources_->currentIndex().row());
    paths_ = paths;
    side_ = std::move(side);
    sourceRows_->removeRows(0, sourceRows_->rowCount());
    if (side_) {
        for (int i = 0; i < static_cast<int>(side_->sources.size()); ++i) {
            const SideSource& source = side_->sources[static_cast<std::size_t>(i)];
            QStringList missing;
            for (const std::string& name : source.unmatched)
                missing << fromStd(name);
            sourceRows_->appendRow({named(cell(fromStd(std::string(sideKindTitle(source.kind)))), paths_.value(i), i),
                                    cell(fromStd(source.file)), cell(foundText(source)),
                                    cell(missing.join(QStringLiteral(", ")))});
        }
    } else {
        for (const QString& path : paths_)
            sourceRows_->appendRow(
                {named(cell(tr("joining...")), path, -1), cell(QFileInfo(path).fileName()), cell({}), cell({})});
    }
    sizeColumns(sources_, 200);
    body_->setVisible(count() > 0);
    empty_->setVisible(count() == 0);
    if (count() > 0) sources_->selectRow(std::min(shown, count() - 1));
    showFacts();
    refreshButtons();
}

void SideView::showFacts() {
    factRows_->removeRows(0, factRows_->rowCount());
    const QStandardItem* chosen = sourceRows_->item(sources_->currentIndex().row(), 0);
    const int source = chosen == nullptr ? -1 : chosen->data(kSourceRole).toInt();
    if (!side_ || source < 0 || source >= static_cast<int>(side_->sources.size())) return;
    const auto add = [this](const QString& of, const SideFact& fact) {
        if (factRows_->rowCount() >= kMostFacts) return;
        auto* name = cell(of);
        name->setData(true, StrongRole);
        factRows_->appendRow({name, cell(fromStd(fact.key).replace(u'_', u' ')), cell(fromStd(fact.text))});
    };
    const SideSource& s = side_->sources[static_cast<std::size_t>(source)];
    for (const SideFact& fact : s.facts)
        add(tr("file"), fact);
    add(tr("file"), textFact("sha-256", s.sha256));
    for (const auto& [name, records] : side_->kernels)
        for (const SideRecord& record : records)
            for (const SideFact& fact : record.facts)
                if (record.source == source) add(fromStd(name), fact);
    sizeColumns(facts_, 220);
}

void SideView::refreshButtons() {
    remove_->setEnabled(!pathOf(sources_->currentIndex().row()).isEmpty());
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/annotation_view.h"

#include "engine/torchwright/trial/stub_out.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"
#include "widgets/views/stream/data/concurrency_report.h"

#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace tw = torchwright;

namespace {

constexpr const char* kStub = "torchwright.stub";
constexpr const char* kCuts[]{kStub, "torchwright.isolate", "torchwright.as_inputs"};

std::vector<ReportHead> heads() {
    const auto tr = [](const char* text) { return AnnotationView::tr(text); };
    return {{tr("Annotation")},
            {tr("Nodes"), true},
            {tr("Neurons"), true, tr("Sum of the widths of its ReLUs")},
            {tr("Heads"), true, tr("That the schedule gave to its nodes")},
            {tr("Slots"), true},
            {tr("Layers"), false, tr("First and last layer with one of its nodes, and how many have one")},
            {tr("Span"), false,
             tr("Bound by scheduling: its layers lie more than one and a half times as far apart as "
                "its depth asks for")},
            {tr("Graph"), true, tr("Parameters of its nodes, dense")},
            {tr("Allocated"), true, tr("Parameters of its heads and slots")},
            {tr("Share"), true, tr("Of all allocated parameters")},
            {tr("Density"), true, tr("Graph parameters for each allocated one")},
            {tr("In plateaus"), true, tr("Columns that it holds on average in layers of plateaus")},
            {tr("Reach"), true, tr("Layers by which the bound falls if its nodes took no time")},
            {tr("Without it"), true, tr("Layers of the plan with zeros in its place: compiled on demand")}};
}

}  // namespace

AnnotationView::AnnotationView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), table_(new ReportTree(tr("Annotations"), hub, this)), sum_(wrappedLabel({}, this)),
      all_(new LinkLabel(tr("Layers without each"), this)), whole_(new LinkLabel(tr("Whole graph again"), this)) {
    setObjectName(QStringLiteral("annotationView"));
    setAccessibleName(tr("Annotations"));
    table_->setObjectName(QStringLiteral("annotationTable"));
    table_->setHeads(heads());
    table_->setMenu([this](QMenu& menu, const QString& key) { fillMenu(menu, key); });
    all_->setToolTip(tr("Compiles the graph once for each annotation, with zeros in its place"));
    whole_->setToolTip(tr("Takes stubs, isolation and inputs back"));
    auto* bar = new QHBoxLayout;
    setScaledMargins(bar, {10, 4, 10, 4}, 14);
    bar->addWidget(sum_, 1);
    bar->addWidget(whole_);
    bar->addWidget(all_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(table_, 1);
    setFocusProxy(table_);
    connect(hub_, &SelectionHub::planChanged, this, &AnnotationView::refresh);
    connect(all_, &QAbstractButton::clicked, this, [this] {
        QStringList annotations;
        for (const AnnotationLine& line : annotationLines(plan_)) {
            if (line.isNamed()) annotations << line.annotation;
            for (const AnnotationLine& part : line.parts)
                if (part.isNamed() && part.annotation != line.annotation) annotations << part.annotation;
        }
        stubOut(annotations);
    });
    connect(whole_, &QAbstractButton::clicked, this, [this] {
        for (const char* key : kCuts)
            if (!plan_->settings.text(key).empty())
                emit proposed({tr("Whole graph again"), QString::fromLatin1(key), QString()});
    });
    refresh();
}

ReportCell AnnotationView::withoutCell(const QString& annotation) const {
    const auto at = without_.find(annotation);
    if (at == without_.end()) return {QStringLiteral("\u2013"), QVariant(-1)};
    return {at->second.text, QVariant(at->second.layers), at->second.help};
}

ReportRow AnnotationView::rowOf(const AnnotationLine& line) const {
    ReportRow row{line.annotation, {}, line.items, !line.parts.empty(), {}};
    const ReportCell reach = line.reach ? numberCell(*line.reach) : ReportCell{QString(), QVariant(-1)};
    row.cells = {{line.annotation},
                 numberCell(line.nodes),
                 numberCell(line.neurons),
                 numberCell(line.heads),
                 numberCell(line.slotCount),
                 {line.layersText(), QVariant(line.first)},
                 {line.spanOutcome},
                 numberCell(line.graphParams),
                 numberCell(line.allocated, tr("The original's estimate: %1").arg(groupedText(line.estimate))),
                 shareCell(line.share),
                 {QString::number(line.density(), 'f', 4), QVariant(line.density())},
                 {QString::number(line.plateauColumns, 'f', 1), QVariant(line.plateauColumns)},
                 reach,
                 line.isNamed() ? withoutCell(line.annotation) : ReportCell{QString(), QVariant(-1)}};
    for (const AnnotationLine& part : line.parts) {
        row.parts.push_back(rowOf(part));
        // The sum and its first part may have the same name.
        if (part.annotation == line.annotation) row.parts.back().key += u'/';
    }
    return row;
}

void AnnotationView::refresh() {
    if (hub_->plan() != plan_) without_.clear();
    plan_ = hub_->plan();
    const std::vector<AnnotationLine> lines = annotationLines(plan_);
    std::vector<ReportRow> rows;
    count_ = 0;
    for (const AnnotationLine& line : lines) {
        rows.push_back(rowOf(line));
        count_ += static_cast<int>(std::max<std::size_t>(1, line.parts.size()));
    }
    table_->setRows(rows);
    const AnnotationLine sum = annotationSum(lines);
    const bool isThere = !lines.empty();
    sum_->setText(isThere ? tr("%1, %2 heads, %3 slots, graph %4, allocated %5, density %6")
                                .arg(plural(sum.nodes, tr("node"), tr("nodes")), groupedText(sum.heads),
                                     groupedText(sum.slotCount), groupedText(sum.graphParams),
                                     groupedText(sum.allocated), QString::number(sum.density(), 'f', 4))
                          : tr("Annotations are counted when all layers are there."));
    all_->setEnabled(isThere);
    const bool isCut =
        isThere && std::ranges::any_of(kCuts, [this](const char* key) { return !plan_->settings.text(key).empty(); });
    whole_->setVisible(isCut && hub_->offersHints());
}

void AnnotationView::stubOut(const QStringList& annotations) {
    if (streamDataOf(plan_) == nullptr || annotations.isEmpty()) return;
    StreamJob job;
    job.title = annotations.size() == 1 ? tr("Compiling without %1").arg(annotations.front())
                                        : tr("Compiling without each annotation");
    job.work = [self = QPointer<AnnotationView>(this), plan = plan_,
                annotations](const CompileRequest&, const RunControl& control) -> StreamJob::Finish {
        const TorchwrightData& record = *streamDataOf(plan);
        std::map<QString, Counted> found;
        for (const QString& annotation : annotations) {
            control.progress("annotation", static_cast<double>(found.size()), static_cast<double>(annotations.size()));
            const auto stub = tw::stubOut(*record.graph, record.schedule, annotation.toStdString(), control);
            if (control.cancelled()) return {};
            if (!stub) {
                found[annotation] = {tr("not possible"), fromStd(stub.error().primary().message), -1};
                continue;
            }
            const tw::StubOut& s = stub.value();
            const QString result = fromStd(std::string(tw::resultName(s.result))).replace(u'_', u' ');
            const QString text = s.result == tw::ScheduleResult::Ok
                                     ? tr("%1, %2 fewer").arg(s.layersAfter).arg(groupedText(s.delta()))
                                     : tr("%1 after %2").arg(result).arg(s.layersAfter);
            found[annotation] = {text,
                                 tr("%1 nodes are left; peak %2 columns, zeros in its place among them")
                                     .arg(groupedText(s.nodesAfter), groupedText(s.peakOccupiedAfter)),
                                 s.layersAfter};
        }
        return [self, plan, found] {
            if (self == nullptr || self->plan_ != plan) return;
            for (const auto& [annotation, without] : found)
                self->without_[annotation] = without;
            self->refresh();
        };
    };
    emit jobRequested(job);
}

/// Beside what is stubbed already.
StreamProposal AnnotationView::stubProposal(const QString& annotation) const {
    QString list = fromStd(plan_->settings.text(kStub));
    if (!list.split(u',').contains(annotation)) list += (list.isEmpty() ? QString() : QStringLiteral(",")) + annotation;
    return {tr("Stub out %1").arg(annotation), QString::fromLatin1(kStub), list};
}

void AnnotationView::compareWithout(const QString& annotation) {
    StreamJob job;
    job.title = tr("Compiling without %1").arg(annotation);
    job.work = [self = QPointer<AnnotationView>(this), change = stubProposal(annotation),
                annotation](CompileRequest request, const RunControl& control) -> StreamJob::Finish {
        (void)request.settings.set(change.setting.toStdString(), change.value.toStdString());
        const CompileOutcome outcome = compile(request, control);
        if (control.cancelled()) return {};
        if (!outcome.plan)
            return [self, error = fromStd(outcome.failure->error.primary().message)] {
                if (self != nullptr) self->sum_->setText(error);
            };
        return [self, plan = outcome.plan, annotation] {
            if (self != nullptr) emit self->planMade(plan, tr("without %1").arg(annotation));
        };
    };
    emit jobRequested(job);
}

void AnnotationView::fillMenu(QMenu& menu, const QString& key) {
    const QString annotation = key.endsWith(u'/') ? key.chopped(1) : key;
    if (annotation.startsWith(u'(') || streamDataOf(plan_) == nullptr) return;
    menu.addAction(tr("Count layers without it"), this, [this, annotation] { stubOut({annotation}); });
    if (!hub_->offersHints()) return;
    menu.addAction(tr("Compare with and without"), this, [this, annotation] { compareWithout(annotation); });
    menu.addSeparator();
    menu.addAction(tr("Stub out"), this, [this, annotation] { emit proposed(stubProposal(annotation)); });
    menu.addAction(tr("Compile only this"), this, [this, annotation] {
        QStringList numbers;
        for (const std::int64_t number : resultsOf(plan_, annotation))
            numbers << QString::number(number);
        emit proposed(
            {tr("Compile only %1").arg(annotation), QStringLiteral("torchwright.isolate"), numbers.join(u',')});
    });
    const auto clusters = chainClusters(plan_);
    const int cluster = clusterUnder(clusters, annotation);
    if (cluster < 0) return;
    const ChainCluster& chains = clusters[static_cast<std::size_t>(cluster)];
    const int start = startK(plan_, chains.join);
    menu.addSeparator();
    menu.addAction(tr("Limit concurrency here, K = %1 to start").arg(start), this, [this, chains, start] {
        const auto [scope, json] = concurrencyHint(chains, start);
        emit proposed({tr("Limit concurrency to %1").arg(start), {}, {}, scope, QStringLiteral("concurrency"), json});
    });
    menu.addAction(tr("Find the best K..."), this, [this, annotation] { emit concurrencyRequested(annotation); });
}

}  // namespace memplan::ui

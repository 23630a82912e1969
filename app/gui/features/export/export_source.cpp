// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/export_source.h"

#include "app/gui/features/export/command_line.h"
#include "app/gui/features/export/plan_forms.h"
#include "app/gui/features/export/shipped_view.h"
#include "app/gui/features/export/zip_file.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/view_info.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/models/table_text.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QTableView>

#include <algorithm>
#include <memory>

namespace memplan::app {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Export", text);
}

OtherForm formOf(ExportWhat what) {
    if (what == ExportWhat::Trace) return OtherForm::Trace;
    return what == ExportWhat::ModelExplorer ? OtherForm::ModelExplorer : OtherForm::Dot;
}

QByteArray bytesOf(const std::string& text) {
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

const ui::Theme& greyTheme() {
    static const ui::Theme kGrey = [] {
        ui::Theme theme(ui::ThemeKind::Light);
        theme.setMonochrome(true);
        return theme;
    }();
    return kGrey;
}

}  // namespace

Error exportGone(const QString& where) {
    return makeError("EXP-002", where.toStdString(), "what was chosen is not there any more", "choose something else");
}

ExportSource::ExportSource(const DocumentController& controller, const Workspace& workspace, ui::GraphicView* current)
    : controller_(controller), workspace_(workspace), key_(current == nullptr ? QString() : current->viewKey()),
      front_(current == nullptr ? QSize() : current->size()) {}

ExportSource::View ExportSource::viewOf(const QString& key) const {
    const PicturedView* pictured = workspace_.pictured(key);
    return {key, workspace_.view(key), pictured != nullptr && pictured->isThere() ? pictured : nullptr};
}

/// A list without operations has neither graph nor cores; the others are there when they have something to show.
std::vector<ExportSource::View> ExportSource::allViews() const {
    std::vector<View> list;
    const bool hasOps = hasDocument() && controller_.document()->kind() != DocumentKind::BufferList;
    for (const ui::GraphicView* v : workspace_.views())
        if (workspace_.isOffered(v) && (hasOps || !viewInfo(v->viewKey())->needsOps))
            list.push_back(viewOf(v->viewKey()));
    for (const PicturedView& v : workspace_.picturedViews())
        if (v.isThere()) list.push_back(viewOf(v.key));
    return list;
}

std::vector<ExportSource::View> ExportSource::views(bool all) const {
    if (all) return allViews();
    const View view = viewOf(key_);
    return view.isThere() ? std::vector{view} : std::vector<View>{};
}

std::vector<ExportSource::ViewName> ExportSource::viewNames() const {
    std::vector<ViewName> names;
    for (const View& view : allViews())
        names.push_back({view.key, view.graphic != nullptr ? view.graphic->viewName() : view.pictured->title});
    return names;
}

void ExportSource::setView(const QString& key) {
    const std::vector<View> there = allViews();
    if (std::ranges::find(there, key, &View::key) != there.end()) key_ = key;
}

bool ExportSource::hasMarks() const {
    const View view = viewOf(key_);
    return view.graphic != nullptr || (view.pictured != nullptr && view.pictured->hasMarks);
}

bool ExportSource::hasLegend() const {
    return viewOf(key_).graphic != nullptr;
}

bool ExportSource::isFolder(ExportWhat what) {
    return what == ExportWhat::AllViews || what == ExportWhat::AllTables || what == ExportWhat::Bundle ||
           what == ExportWhat::PlanFolder || what == ExportWhat::Snapshots;
}

bool ExportSource::hasDocument() const {
    return controller_.document() != nullptr;
}

const TargetUi& ExportSource::target() const {
    const Document* document = controller_.document();
    return targetUi(document == nullptr ? TargetId() : document->target());
}

bool ExportSource::has(ExportWhat what) const {
    const Document* document = controller_.document();
    if (document == nullptr) return false;
    const bool hasPlan = document->current() != nullptr;
    switch (what) {
    case ExportWhat::CurrentView:
    case ExportWhat::CurrentTable:
        return hasPlan && viewOf(key_).isThere();
    case ExportWhat::Hints:
        return document->kind() == DocumentKind::Graph && !document->request().hints.empty();
    case ExportWhat::Bundle:
        return hasPlan && targetDataOf(*document->current()->plan).hasArtefacts();
    case ExportWhat::Trace:
    case ExportWhat::ModelExplorer:
    case ExportWhat::Dot:
        return hasPlan && !document->current()->plan->ops.empty();
    case ExportWhat::Snapshots:
        return hasPlan && !changedSnapshots(*document->current()->plan).empty();
    case ExportWhat::PlanFolder:
    case ExportWhat::PlanZip:
        return hasPlan && document->input().graph != nullptr && (what != ExportWhat::PlanZip || canWriteZip());
    default:
        return hasPlan;
    }
}

bool ExportSource::isStale(ExportWhat what) const {
    const Document* document = controller_.document();
    return document != nullptr && what != ExportWhat::Hints && document->isStale();
}

QString ExportSource::base() const {
    QString name = controller_.document()->name();
    // A name of an input is no path.
    for (QChar& c : name)
        if (c == u'/' || c == u'\\' || c.unicode() < 32) c = u'_';
    return name;
}

QString ExportSource::stem(ExportWhat what) const {
    return isStale(what) ? base() + QStringLiteral("-old-plan") : base();
}

QString ExportSource::suggestedName(ExportWhat what, const PictureChoice& picture) const {
    switch (what) {
    case ExportWhat::CurrentView:
        return QStringLiteral("%1-%2.%3").arg(stem(what), key_, picture.format);
    case ExportWhat::CurrentTable:
        return QStringLiteral("%1-%2.csv").arg(stem(what), key_);
    case ExportWhat::AllViews:
        return stem(what) + QStringLiteral("-views");
    case ExportWhat::AllTables:
        return stem(what) + QStringLiteral("-tables");
    case ExportWhat::Plan:
        return stem(what) + QStringLiteral(".plan.json");
    case ExportWhat::Hints:
        return stem(what) + QStringLiteral(".hints.json");
    case ExportWhat::PlanFolder:
        return stem(what) + QStringLiteral("-bundle");
    case ExportWhat::PlanZip:
        return stem(what) + QStringLiteral("-bundle.zip");
    case ExportWhat::Trace:
        return stem(what) + QStringLiteral(".trace.json");
    case ExportWhat::ModelExplorer:
        return stem(what) + QStringLiteral(".model-explorer.json");
    case ExportWhat::Dot:
        return stem(what) + QStringLiteral(".dot");
    case ExportWhat::Snapshots:
        return stem(what) + QStringLiteral("-passes");
    case ExportWhat::Bundle:
        break;
    }
    return stem(what) + u'-' + ui::fromStd(controller_.document()->target());
}

QString ExportSource::footer() const {
    const Document& document = *controller_.document();
    const PlanEntry& entry = *document.current();
    const PlanPtr& shown = controller_.hub().plan();
    if (document.isOfFailure(shown))
        return tr("%1; the compile failed, there is no plan of it").arg(workspace_.planName());
    const auto named = [](const QString& name, const Plan& plan) {
        return tr("%1, plan %2").arg(name, ui::fromStd(plan.planHash));
    };
    if (shown && shown != entry.plan) return named(workspace_.planName(), *shown);  // a what-if
    QString text = named(entry.name, *entry.plan);
    if (document.isStale()) text += tr(" \u2014 older than the hints or settings of the document");
    return text;
}

/// A view behind a tab has not been laid out: it gets the size of the one in front.
QSize ExportSource::sizeOf(const ui::GraphicView& view, const PictureChoice& picture) const {
    const bool isWhole = picture.render.scope == ui::RenderOptions::Scope::All && view.isVisible();
    if (isWhole) return view.wholePictureSize();
    return view.isVisible() || front_.isEmpty() ? view.size() : front_;
}

ui::PictureRequest ExportSource::requestFor(const ui::PictureSource& source, QSize size,
                                            const PictureChoice& picture) const {
    ui::PictureRequest request;
    request.size = size;
    request.title = picture.title;
    request.legend = picture.legend;
    if (picture.asOnScreen) request.theme = &ui::themeOf(&workspace_);
    if (picture.grey) request.theme = &greyTheme();
    // A picture of an old plan always says so.
    if (picture.footer || controller_.document()->isStale()) request.footer = footer();
    request.scale = picture.scale;
    request.widthMm = picture.widthMm;
    constexpr double kMmPerInch = 25.4;
    const double wanted = picture.widthMm > 0 ? picture.widthMm / kMmPerInch * picture.dpi : picture.widthPx;
    if (wanted > 0) request.scale = wanted / ui::fullPictureSize(source, request).width();
    return request;
}

template <class Use> auto ExportSource::pictured(const View& view, const PictureChoice& picture, const Use& use) const {
    if (view.graphic != nullptr) {
        const ui::PictureRequest request = requestFor(*view.graphic, sizeOf(*view.graphic, picture), picture);
        const ui::RenderOptionsScope rendering(*view.graphic, picture.render);
        return use(*view.graphic, request);
    }
    // What has no canvas is as large as what it shows, and has its legend inside.
    const std::unique_ptr<ui::PictureSource> source = view.pictured->picture(picture.render);
    ui::PictureRequest request = requestFor(*source, source->pictureSize(), picture);
    request.legend = false;
    return use(*source, request);
}

int ExportSource::naturalWidth(const PictureChoice& picture) const {
    const View view = viewOf(key_);
    if (!view.isThere()) return 0;
    return pictured(view, picture, [](const ui::PictureSource& source, const ui::PictureRequest& request) {
        return ui::fullPictureSize(source, request).width();
    });
}

std::size_t ExportSource::denseShapes(ExportWhat what, const PictureChoice& picture) const {
    const bool isPicture = what == ExportWhat::CurrentView || what == ExportWhat::AllViews;
    if (!isPicture || picture.format == u"png" || !hasDocument()) return 0;
    std::size_t count = 0;
    for (const View& view : views(what == ExportWhat::AllViews))
        count += pictured(view, picture, [](const ui::PictureSource& source, const ui::PictureRequest& request) {
            return source.denseShapes(request.size);
        });
    return count;
}

ExportFile ExportSource::pictureFile(const View& view, const PictureChoice& picture) const {
    const QString name = QStringLiteral("%1-%2.%3").arg(stem(ExportWhat::AllViews), view.key, picture.format);
    return {name, [this, name, view, picture]() -> Result<QByteArray> {
                if (!viewOf(view.key).isThere()) return exportGone(name);
                return pictured(view, picture, [&](const ui::PictureSource& source, const ui::PictureRequest& request) {
                    if (picture.format == u"svg") return ui::pictureSvg(source, request);
                    return picture.format == u"pdf" ? ui::picturePdf(source, request) : ui::picturePng(source, request);
                });
            }};
}

QByteArray ExportSource::csvOf(const View& view) const {
    return view.graphic != nullptr ? workspace_.tableCsv(view.graphic) : view.pictured->csv();
}

/// Those beside the twins of the views: operations and hints. The memory map's twin has the buffers.
void ExportSource::addDockTables(std::vector<ExportFile>& list) const {
    for (const Workspace::Table& table : workspace_.tables()) {
        const QString key = QString::fromLatin1(dockInfo(table.dock).table);
        const QTableView* view = table.view;
        if (key.isEmpty() || view == nullptr || table.count() == 0) continue;
        const QString name = QStringLiteral("%1-%2.csv").arg(stem(ExportWhat::AllTables), key);
        list.push_back(
            {name, [view]() -> Result<QByteArray> { return ui::tableToCsv(ui::unfiltered(*view->model())); }});
    }
}

std::vector<ExportFile> ExportSource::files(ExportWhat what, const PictureChoice& picture) const {
    std::vector<ExportFile> list;
    if (!has(what)) return list;
    const Document& document = *controller_.document();
    switch (what) {
    case ExportWhat::CurrentView:
    case ExportWhat::AllViews:
        for (const View& v : views(what == ExportWhat::AllViews))
            list.push_back(pictureFile(v, picture));
        break;
    case ExportWhat::CurrentTable:
    case ExportWhat::AllTables:
        for (const View& v : views(what == ExportWhat::AllTables)) {
            const QString name = QStringLiteral("%1-%2.csv").arg(stem(what), v.key);
            list.push_back({name, [this, name, v]() -> Result<QByteArray> {
                                if (!viewOf(v.key).isThere()) return exportGone(name);
                                return csvOf(v);
                            }});
        }
        if (what == ExportWhat::AllTables) addDockTables(list);
        break;
    case ExportWhat::Plan:
        list.push_back({suggestedName(what, picture),
                        [plan = document.current()->plan, old = document.isStale(),
                         beside = document.sideJob(document.current()->plan)]() -> Result<QByteArray> {
                            const SideInformation side = beside ? beside().side : SideInformation();
                            const SideInformation* shown = beside ? &side : nullptr;
                            return bytesOf(old ? io::writePlanJson(markedStale(*plan), shown)
                                               : io::writePlanJson(*plan, shown));
                        }});
        break;
    case ExportWhat::Hints:
        list.push_back({suggestedName(what, picture), [&document]() -> Result<QByteArray> {
                            return bytesOf(
                                hints::hintFileText({document.name().toStdString(), document.input().input.sha256},
                                                    document.request().hints));
                        }});
        break;
    case ExportWhat::Trace:
    case ExportWhat::ModelExplorer:
    case ExportWhat::Dot:
        list.push_back({suggestedName(what, picture), [what, plan = document.current()->plan]() -> Result<QByteArray> {
                            if (auto sound = requireSound(*plan); !sound) return std::move(sound).error();
                            return planInForm(*plan, formOf(what));
                        }});
        break;
    case ExportWhat::Snapshots:
        for (const auto& [name, run] : changedSnapshots(*document.current()->plan))
            list.push_back({name, [text = run->snapshot]() -> Result<QByteArray> { return bytesOf(text->text); }});
        break;
    case ExportWhat::Bundle:
    case ExportWhat::PlanFolder:
    case ExportWhat::PlanZip:
        break;
    }
    return list;
}

std::function<Result<std::vector<io::FolderFile>>()> ExportSource::bundle(ExportWhat what) const {
    const Document& document = *controller_.document();
    return [plan = document.current()->plan, graph = document.input().graph, imported = document.input().program,
            isWhole = what != ExportWhat::Bundle, old = document.isStale()]() -> Result<std::vector<io::FolderFile>> {
        if (!isWhole) return filesOfItsTarget(*plan);
        // The graph of an imported program is a picture of it, nothing to plan from.
        return bundleFiles(*plan, imported ? nullptr : graph.get(), old);
    };
}

QImage ExportSource::picture(const PictureChoice& picture, QSize size) const {
    const View view = viewOf(key_);
    if (!view.isThere()) return {};
    return pictured(view, picture, [&](const ui::PictureSource& source, ui::PictureRequest request) {
        const QSizeF full = ui::fullPictureSize(source, request);
        const double fits = std::min(size.width() / full.width(), size.height() / full.height());
        request.scale = std::clamp(fits, 1.0, 8.0);
        return ui::pictureImage(source, request).scaled(size, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    });
}

/// The picture has something that only this window knows: a zoom, a selection, a cursor or notes.
bool ExportSource::showsState(const PictureChoice& picture) const {
    const ui::RenderOptions& render = picture.render;
    const ui::SelectionHub& hub = controller_.hub();
    const ui::SelectionState& state = hub.state();
    return render.scope != ui::RenderOptions::Scope::All || (render.selection && state.primary) ||
           (hasMarks() && ((render.timeCursor && state.timeCursor) || (render.notes && !hub.notes()->isEmpty())));
}

bool ExportSource::looksAsOpened(const View& view) const {
    return view.graphic != nullptr ? app::looksAsOpened(*view.graphic) : view.pictured->looksAsOpened();
}

QString ExportSource::pictureLine(ExportWhat what, const PictureChoice& picture, const QString& path) const {
    const View view = viewOf(key_);
    const Document& document = *controller_.document();
    if (!view.isThere() || !whyNoPictureCommand(document, controller_.hub().plan()).isEmpty()) return {};
    // The command marks what is chosen, and a list of passes always has one that is.
    const bool isUnmarked = what == ExportWhat::CurrentView && !picture.render.selection;
    if (view.pictured != nullptr && (isUnmarked || !looksAsOpened(view))) return {};
    QStringList options;
    if (what == ExportWhat::CurrentView) {
        const ui::Theme& screen = ui::themeOf(&workspace_);
        const bool isPlain = !picture.grey && picture.title && (picture.legend || !hasLegend()) && !picture.footer &&
                             picture.widthPx == 0 && picture.widthMm == 0 && !showsState(picture) &&
                             looksAsOpened(view);
        const bool hasTheme = !picture.asOnScreen || (screen.fontFactor() == 1.0 && !screen.isMonochrome());
        if (!isPlain || !hasTheme) return {};
        if (picture.asOnScreen) options << themeOption(screen.kind());
        if (picture.format == u"png") options << QStringLiteral("scale=%1").arg(picture.scale);
        if (picture.render.allShapes && denseShapes(what, picture) > 0) options << QStringLiteral("vector=force");
    }
    const QSize size = pictured(
        view, picture, [](const ui::PictureSource&, const ui::PictureRequest& request) { return request.size; });
    if (!ui::isPictureSize(size)) return {};
    return pictureCommand(document, controller_.lastRequest(), key_, size, options, path);
}

/// A plan that was read is in a file already; no command makes a plan of a list of buffers.
QString ExportSource::convertLine(ExportWhat what, const QString& path) const {
    const bool isOther = what == ExportWhat::Trace || what == ExportWhat::ModelExplorer || what == ExportWhat::Dot;
    if (!isOther || controller_.document()->kind() != DocumentKind::PlanFile) return {};
    return QStringLiteral("memplan convert ") + shellWord(controller_.lastRequest().path) + u' ' + shellWord(path) +
           QStringLiteral(" --to ") + formName(formOf(what));
}

QString ExportSource::commandLine(ExportWhat what, const PictureChoice& picture, const QString& path) const {
    const Document* document = controller_.document();
    // A part of a file has no name on a command line.
    if (document == nullptr || isStale(what) || !document->origin().cut.isEmpty()) return {};
    const OpenRequest& opened = controller_.lastRequest();
    QString compile = compileCommand(*document, opened, what == ExportWhat::Plan ? path : QStringLiteral("/dev/null"));
    const bool isView = what == ExportWhat::CurrentView || what == ExportWhat::CurrentTable;
    if (!isView && document->kind() != DocumentKind::Graph) return convertLine(what, path);
    const QString withHints = hintOptions(*document, suggestedName(ExportWhat::Hints, picture));
    compile += withHints;
    switch (what) {
    case ExportWhat::Plan:
        return compile;
    case ExportWhat::Bundle:
        return compile + QStringLiteral(" --export ") + shellWord(path);
    case ExportWhat::Trace:
    case ExportWhat::ModelExplorer:
    case ExportWhat::Dot: {
        const QString plan = suggestedName(ExportWhat::Plan, picture);
        return compileCommand(*document, opened, plan) + withHints + QStringLiteral(" && memplan convert ") +
               shellWord(plan) + u' ' + shellWord(path) + QStringLiteral(" --to ") + formName(formOf(what));
    }
    case ExportWhat::PlanFolder: {
        const QString plan = suggestedName(ExportWhat::Plan, picture);
        return compileCommand(*document, opened, plan) + withHints + QStringLiteral(" && memplan convert ") +
               shellWord(plan) + u' ' + shellWord(path) + QStringLiteral(" --to bundle");
    }
    case ExportWhat::CurrentView:
    case ExportWhat::CurrentTable:
        return pictureLine(what, picture, path);
    default:
        return {};
    }
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/screenshot.h"

#include "app/batch/given_hints.h"
#include "app/cli/program/reporter.h"
#include "app/gui/document/document_controller.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/window/main_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/base/suggestion.h"
#include "engine/io/input.h"
#include "engine/io/samples.h"
#include "engine/plan/given_name.h"
#include "engine/target/explain.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/canvas/view_picture.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/views/graph/graph_view.h"
#include "widgets/views/passes/passes_view.h"

#include <QApplication>
#include <QBuffer>
#include <QDialog>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QPainter>
#include <QTimer>

#include <cstdio>
#include <optional>

namespace memplan::app {
namespace {

/// Turns the event loop until `done` or the time is up.
template <class Done> bool waitFor(Done done, int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (!done()) {
        if (clock.elapsed() > milliseconds) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    }
    return true;
}

class Session {
public:
    Session(const StudioArguments& options, const std::vector<io::SampleInfo>& samples, const cli::Streams& streams)
        : options_(withText(options)), reporter_(streams), window_(samples) {
        window_.resize(options.size);
        // A picture depends neither on how quick the machine is nor on what its user prefers.
        if (auto* graph = qobject_cast<ui::GraphView*>(window_.workspace().view(QStringLiteral("graph"))))
            graph->arranger().setLimits(ui::GraphArranger::kMostNodes, ui::LayoutClient::kAnywayMs);
    }

    ~Session() { GuardedApplication::setFaultHandler({}); }

    int run(std::vector<Hint> hints) {
        // Nobody sees the page of a fault here, and nothing that the program waits for may come any more.
        GuardedApplication::setFaultHandler([this](const QString& text) { fault(text); });
        QObject::connect(&window_.controller(), &DocumentController::openFailed, &window_,
                         [&](const QString& path, const Error& error) {
                             status_ = reporter_.fail(path.toStdString(), error);
                             failed_ = true;
                         });
        QObject::connect(&window_.controller(), &DocumentController::compileFailed, &window_, [&] {
            status_ = reporter_.fail(options_.files.front(), window_.controller().document()->failure()->error);
            failed_ = true;
        });
        window_.controller().open(openRequest(std::move(hints)));
        window_.show();
        constexpr int kLongestMs = 300000;
        const bool there = waitFor([&] { return failed_ || hasPlan(); }, kLongestMs);
        if (failed_) return status_;
        if (!there) {
            return reporter_.fail(options_.files.front(),
                                  makeError("IN-906", "", "no plan was there after 300 seconds",
                                            "plan it with `memplan compile` and open the plan"));
        }
        for (const Shot& shot : options_.shots) {
            if (const int bad = take(shot)) return bad;
        }
        return 0;
    }

private:
    const StudioArguments& options_;
    cli::Reporter reporter_;
    MainWindow window_;
    bool failed_ = false;
    int status_ = 0;  ///< of the failure

    void fault(const QString& text) {
        if (failed_) return;
        status_ = reporter_.fail(options_.files.front(), makeError("INT-001", "", text.toStdString(),
                                                                   "report it with the input; `memplan compile` shows "
                                                                   "whether the plan alone can be made"));
        failed_ = true;
    }

    static void setText(const Shot& shot) {
        if (auto* style = qobject_cast<ui::StudioStyle*>(QApplication::style()))
            style->setTheme(ui::Theme(shot.theme, shot.labelPercent / 100.0));
    }

    /// The window is built with the text of the first picture, as a window of that preference is.
    static const StudioArguments& withText(const StudioArguments& options) {
        setText(options.shots.front());
        return options;
    }

    [[nodiscard]] bool hasPlan() {
        const Document* d = window_.controller().document();
        return d != nullptr && d->current() != nullptr && !window_.controller().task().isRunning();
    }

    [[nodiscard]] OpenRequest openRequest(std::vector<Hint> hints) const {
        OpenRequest request;
        request.path = QString::fromStdString(options_.files.front());
        request.settings = options_.settings;
        request.bindings = options_.bindings;
        request.machine = options_.machine;
        request.hints = std::move(hints);
        request.target = options_.target;
        const std::vector<io::SampleInfo> samples = io::listSamples();
        if (const io::SampleInfo* sample = io::findSample(samples, options_.files.front())) {
            request.sample = *sample;
            request.path = QString::fromStdString(sample->path);
        }
        return request;
    }

    int take(const Shot& shot) {
        setText(shot);
        window_.setTheme(shot.theme);
        window_.resize(options_.size);
        Document& document = *window_.controller().document();
        const int count = static_cast<int>(document.plans().size());
        if (shot.plan > count) {
            return usage("plan", QStringLiteral("there is no plan %1").arg(shot.plan),
                         QStringLiteral("the plans are 1 to %1").arg(count));
        }
        document.setCurrent((shot.plan > 0 ? shot.plan : count) - 1);
        window_.workspace().setPlanName(planName());
        if (!select(shot.select)) {
            return usage("select", QStringLiteral("no buffer or operation is named \"%1\"").arg(shot.select),
                         nearestName(*window_.controller().hub().plan(), shot.select));
        }
        const bool isDrawing = window_.workspace().viewKeys().contains(shot.view);
        if (isDrawing) window_.workspace().showView(shot.view);
        for (const QString& id : shot.actions) {
            std::optional<int> pictured;
            if (!trigger(id, shot, pictured))
                return usage("do", QStringLiteral("no action that can be used now is called \"%1\"").arg(id),
                             QStringLiteral("the help lists the actions"));
            if (pictured) return *pictured;
            QCoreApplication::processEvents();
        }
        waitFor([&] { return failed_ || window_.workspace().isSettled(); }, 2 * ui::LayoutClient::kAnywayMs);
        // What would help a selected buffer belongs to a picture of the window that shows it.
        constexpr int kLongestSearchMs = 60000;
        if (shot.view == u"window") waitFor([&] { return failed_ || window_.fixes().isSettled(); }, kLongestSearchMs);
        // A picture cannot be scrolled: it shows everything.
        if (isDrawing) window_.workspace().view(shot.view)->fitAll();
        if (shot.view == u"passes") window_.workspace().passes()->showPassToOpenWith();
        const PicturedView* chart = window_.workspace().pictured(shot.view);
        if (chart != nullptr && chart->whyNot && !chart->isThere())
            return usage("--screenshot", QStringLiteral("this plan has no such chart"), chart->whyNot());
        if (shot.view == u"compare") {
            if (document.plans().size() < 2) {
                return usage("compare", QStringLiteral("there is one plan only, and nothing to compare it with"),
                             QStringLiteral("a sample with several plans, such as S1, or a saved workspace has them"));
            }
            window_.comparing().setOn(true);
            waitFor([&] { return failed_ || window_.comparing().comparison() != nullptr; }, 60000);
        }
        // A bar that takes another row moves what is below it a turn later, and that may hold bars of its own.
        constexpr int kLayoutTurns = 4;
        for (int turn = 0; turn < kLayoutTurns; ++turn)
            QCoreApplication::processEvents();
        if (failed_) return status_;
        const int status = write(shot);
        if (shot.view == u"compare") window_.comparing().setOn(false);
        return status;
    }

    [[nodiscard]] int usage(std::string_view where, const QString& what, const QString& fix) const {
        return reporter_.usage(where, what.toStdString(), fix.toStdString());
    }

    static QString nearestName(const Plan& plan, const QString& name) {
        return QString::fromStdString(didYouMean(name.toStdString(), explainableNames(plan)));
    }

    /// A dialog that waits for its answer is pictured while it waits, and then cancelled.
    bool trigger(const QString& id, const Shot& shot, std::optional<int>& pictured) {
        QTimer watch;
        QObject::connect(&watch, &QTimer::timeout, &window_, [&] {
            QWidget* waiting = QApplication::activeModalWidget();
            if (waiting == nullptr) return;
            watch.stop();
            pictured = write(shot);
            waiting->close();
        });
        constexpr int kSettledMs = 200;
        watch.start(kSettledMs);
        return window_.trigger(id);
    }

    /// What the window manager would draw around a dialog: its title and an edge.
    static void paintDialog(QPixmap& picture, QDialog& dialog, QPoint at) {
        const ui::Theme& theme = ui::themeOf(&dialog);
        const QRect title(at.x(), at.y() - theme.px(28), dialog.width(), theme.px(28));
        dialog.ensurePolished();
        dialog.render(&picture, at);
        QPainter painter(&picture);
        painter.fillRect(title, dialog.palette().color(QPalette::Button));
        painter.setFont(theme.font(ui::TextStyle::BodyStrong));
        painter.setPen(dialog.palette().color(QPalette::WindowText));
        painter.drawText(title.adjusted(theme.px(10), 0, -theme.px(10), 0), Qt::AlignVCenter | Qt::AlignLeft,
                         dialog.windowTitle());
        painter.setPen(dialog.palette().color(QPalette::Mid));
        painter.drawRect(title.united(QRect(at, dialog.size())).adjusted(0, 0, -1, -1));
    }

    bool select(const QString& name) {
        ui::SelectionHub& hub = window_.controller().hub();
        hub.clearSelection();
        if (name.isEmpty()) return true;
        const Plan& plan = *hub.plan();
        const auto buffer = bufferNamed(plan, name.toStdString());
        const auto op = std::ranges::find(plan.ops, name.toStdString(), &PlanOp::name);
        // The name of an operation is nearer than the one that a tensor has in the graph's file alone.
        const bool isOps = op != plan.ops.end() && (!buffer || plan.buffer(*buffer).name != name.toStdString());
        if (isOps) {
            hub.select(ui::ItemId::of(OpId::of(static_cast<std::size_t>(op - plan.ops.begin()))));
            return true;
        }
        if (buffer) {
            hub.select(ui::ItemId::of(*buffer));
            if (!plan.buffer(*buffer).uses.empty()) hub.setTimeCursor(plan.buffer(*buffer).life.begin);
            return true;
        }
        // "loop:0.1": the loop with this path.
        const auto& loops = hub.loops().groups;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            if (!QString::fromStdString(loops[i].name).startsWith(QString(name).replace(u':', u' ') + u' ')) continue;
            hub.select({ui::ItemKind::Loop, static_cast<int>(i)});
            return true;
        }
        return false;
    }

    int write(const Shot& shot) {
        const QByteArray bytes = bytesOf(shot);
        const auto written = io::writeFileAtomically(
            shot.file.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        return written ? 0 : reporter_.fail(shot.file.toStdString(), written.error());
    }

    QByteArray bytesOf(const Shot& shot) {
        if (shot.view == u"window") return windowPng(shot);
        const bool isTable = shot.file.endsWith(u".csv", Qt::CaseInsensitive);
        if (const PicturedView* pictured = window_.workspace().pictured(shot.view)) {
            if (isTable) return pictured->csv();
            ui::RenderOptions render;
            render.scope = ui::RenderOptions::Scope::All;
            const auto picture = pictured->picture(render);
            const bool hasOwnSize = shot.view == u"compare";
            return pictureOf(*picture, shot, hasOwnSize ? picture->pictureSize() : options_.size);
        }
        ui::GraphicView* view = window_.workspace().view(shot.view);
        if (isTable) return window_.workspace().tableCsv(view);
        // Larger text is a larger picture of less: the whole is enlarged to the wanted size.
        const double enlarged = qMax(1.0, shot.labelPercent / 100.0);
        const ui::Theme theme(shot.theme, shot.labelPercent / 100.0 / enlarged);
        ui::PictureRequest request;
        request.size = (QSizeF(options_.size) / enlarged).toSize();
        request.scale = shot.scale * enlarged;
        request.theme = &theme;
        request.title = true;
        request.legend = true;
        ui::RenderOptions render;
        render.allShapes = shot.allShapes;
        const ui::RenderOptionsScope rendering(*view, render);
        return inForm(*view, request, shot.file);
    }

    static QByteArray inForm(const ui::PictureSource& source, const ui::PictureRequest& request, const QString& file) {
        if (file.endsWith(u".svg", Qt::CaseInsensitive)) return ui::pictureSvg(source, request);
        if (file.endsWith(u".pdf", Qt::CaseInsensitive)) return ui::picturePdf(source, request);
        return ui::picturePng(source, request);
    }

    /// What is made of widgets or has a size of its own: the text is as large as that of the application.
    static QByteArray pictureOf(const ui::PictureSource& source, const Shot& shot, QSize size) {
        const ui::Theme theme(shot.theme, shot.labelPercent / 100.0);
        ui::PictureRequest request;
        request.size = size;
        request.scale = shot.scale;
        request.theme = &theme;
        request.title = true;
        return inForm(source, request, shot.file);
    }

    [[nodiscard]] QString planName() {
        return options_.planName.isEmpty() ? window_.controller().document()->current()->name : options_.planName;
    }

    QByteArray windowPng(const Shot& shot) {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        QPixmap picture(window_.size() * shot.scale);
        picture.setDevicePixelRatio(shot.scale);
        window_.render(&picture);
        // A dialog that an action opened stands over the window's middle.
        for (QDialog* dialog : window_.findChildren<QDialog*>()) {
            if (!dialog->isVisible()) continue;
            paintDialog(picture, *dialog,
                        QPoint((window_.width() - dialog->width()) / 2, (window_.height() - dialog->height()) / 2));
        }
        picture.save(&buffer, "PNG");
        return png;
    }
};

}  // namespace

int runScreenshots(const QStringList& arguments, const cli::Streams& streams) {
    if (arguments.contains(QStringLiteral("--list-views"))) {
        for (const QString& view : pictureViews())
            std::puts(qPrintable(view));
        return 0;
    }
    const cli::Reporter reporter(streams);
    const auto options = readStudioArguments(arguments);
    if (!options) return reporter.fail("command line", options.error());
    if (options.value().shots.empty())
        return reporter.usage("--screenshot", "no picture is named", "memplan-studio --help names the forms");
    if (const auto aside = leftAside(options.value())) reporter.print("command line", *aside);
    std::vector<Hint> hints;
    if (const int bad = readGivenHints(options.value(), streams, hints)) return bad;
    return Session(options.value(), io::listSamples(), streams).run(std::move(hints));
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/screenshot.h"

#include "core/graphic_view.h"
#include "core/studio_style.h"
#include "core/theme.h"
#include "core/units.h"
#include "document_controller.h"
#include "export/picture_export.h"
#include "io/input.h"
#include "io/samples.h"
#include "main_window.h"
#include "plan/reasons.h"
#include "workspace.h"

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

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Shot {
    QString view;
    QString file;
    QString select;
    QString plan;         ///< number of the plan from 1, empty = the last
    QStringList actions;  ///< ids triggered before the picture of the window is taken
    ui::ThemeKind theme = ui::ThemeKind::Light;
    double scale = 1;
    int labelPercent = 100;  ///< size of text, as the preference of that name
};

struct Options {
    std::vector<Shot> shots;
    QSize size{1600, 1000};
    Pairs settings, bindings;
    QString input;
};

int usage(const QString& what) {
    std::fprintf(stderr, "memplan-studio: error: %s (memplan-studio --help lists the options)\n", qPrintable(what));
    return 2;
}

QStringList allViews() {
    return Workspace::viewKeys() + QStringList{QStringLiteral("window")};
}

bool readShotOption(Shot& shot, const QString& option) {
    const qsizetype at = option.indexOf(QLatin1Char('='));
    const QString key = option.left(at);
    const QString value = option.mid(at + 1);
    if (key == u"select")
        shot.select = value;
    else if (key == u"plan")
        shot.plan = value;
    else if (key == u"do")
        shot.actions = value.split(QLatin1Char('+'));
    else if (key == u"scale")
        shot.scale = qBound(1.0, value.toDouble(), 4.0);
    else if (key == u"label_percent")
        shot.labelPercent = qBound(75, value.toInt(), 300);
    else if (key == u"theme" && value == u"light")
        shot.theme = ui::ThemeKind::Light;
    else if (key == u"theme" && value == u"dark")
        shot.theme = ui::ThemeKind::Dark;
    else if (key == u"theme" && value == u"high-contrast")
        shot.theme = ui::ThemeKind::HighContrast;
    else if (!(key == u"zoom" && value == u"fit"))
        return false;
    return true;
}

/// "gantt:select=y,theme=dark=OUT.png": the file follows the last "=".
std::optional<Shot> readShot(const QString& text) {
    const qsizetype cut = text.lastIndexOf(QLatin1Char('='));
    if (cut < 1) return std::nullopt;
    Shot shot;
    shot.file = text.mid(cut + 1);
    const QString head = text.left(cut);
    const qsizetype colon = head.indexOf(QLatin1Char(':'));
    shot.view = colon < 0 ? head : head.left(colon);
    if (!allViews().contains(shot.view) || shot.file.isEmpty()) return std::nullopt;
    if (colon < 0) return shot;
    for (const QString& option : head.mid(colon + 1).split(QLatin1Char(','))) {
        if (!readShotOption(shot, option)) return std::nullopt;
    }
    return shot;
}

std::optional<QString> readOptions(const QStringList& arguments, Options& options) {
    const auto pair = [](const QString& text) {
        const qsizetype at = text.indexOf(QLatin1Char('='));
        return std::make_pair(text.left(at).toStdString(), text.mid(at + 1).toStdString());
    };
    bool taking = false;
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        const QString& a = arguments[i];
        const bool last = i + 1 >= arguments.size();
        if (a == u"--screenshot") {
            taking = true;
        } else if (a == u"--size" && !last) {
            const QStringList parts = arguments[++i].split(QLatin1Char('x'));
            if (parts.size() != 2 || parts[0].toInt() < 100 || parts[1].toInt() < 100)
                return QStringLiteral("--size wants WxH, at least 100x100");
            options.size = {qMin(parts[0].toInt(), 8000), qMin(parts[1].toInt(), 8000)};
        } else if (a == u"--set" && !last) {
            options.settings.push_back(pair(arguments[++i]));
        } else if (a == u"--bind" && !last) {
            options.bindings.push_back(pair(arguments[++i]));
        } else if (a.startsWith(u"--")) {
            return QStringLiteral("unknown option or missing value: %1").arg(a);
        } else if (auto shot = taking && a.contains(QLatin1Char('=')) ? readShot(a) : std::nullopt) {
            options.shots.push_back(*shot);
        } else if (taking && a.contains(QLatin1Char('=')) && !QFile::exists(a)) {
            return QStringLiteral("no such view or view option: %1; the views are %2")
                .arg(a, allViews().join(QStringLiteral(", ")));
        } else if (options.input.isEmpty()) {
            options.input = a;
        } else {
            return QStringLiteral("one INPUT only: %1").arg(a);
        }
    }
    if (options.shots.empty()) return QStringLiteral("--screenshot wants VIEW=FILE");
    if (options.input.isEmpty()) return QStringLiteral("INPUT is missing");
    return std::nullopt;
}

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

int fail(const QString& path, const Error& error) {
    for (const Diagnostic& d : error.diagnostics) {
        if (d.severity != Severity::Error) continue;
        std::fprintf(stderr, "memplan-studio: error: %s:%s: %s (%s)\n", qPrintable(path), d.where.c_str(),
                     d.message.c_str(), d.hint.c_str());
        break;
    }
    return exitStatusOf(error.primary().code);
}

class Session {
public:
    Session(const Options& options, const std::vector<io::SampleInfo>& samples)
        : options_(withText(options)), window_(samples) {
        window_.resize(options.size);
    }

    int run() {
        int status = 0;
        QObject::connect(&window_.controller(), &DocumentController::openFailed, &window_,
                         [&](const QString& path, const Error& error) {
                             status = fail(path, error);
                             failed_ = true;
                         });
        QObject::connect(&window_.controller(), &DocumentController::compileFailed, &window_, [&] {
            status = fail(options_.input, window_.controller().document()->failure()->error);
            failed_ = true;
        });
        window_.controller().open(openRequest());
        window_.show();
        const bool there = waitFor([&] { return failed_ || hasPlan(); }, 300000);
        if (failed_ || !there) return failed_ ? status : 70;
        for (const Shot& shot : options_.shots) {
            if (const int bad = take(shot)) return bad;
        }
        return 0;
    }

private:
    const Options& options_;
    MainWindow window_;
    bool failed_ = false;

    static void setText(const Shot& shot) {
        if (auto* style = qobject_cast<ui::StudioStyle*>(QApplication::style()))
            style->setTheme(ui::Theme(shot.theme, shot.labelPercent / 100.0));
    }

    /// The window is built with the text of the first picture, as a window of that preference is.
    static const Options& withText(const Options& options) {
        setText(options.shots.front());
        return options;
    }

    [[nodiscard]] bool hasPlan() {
        const Document* d = window_.controller().document();
        return d != nullptr && d->current() != nullptr && !window_.controller().task().isRunning();
    }

    [[nodiscard]] OpenRequest openRequest() const {
        OpenRequest request;
        request.path = options_.input;
        request.settings = options_.settings;
        request.bindings = options_.bindings;
        for (const io::SampleInfo& sample : io::listSamples()) {
            if (QString::fromStdString(sample.id) != options_.input) continue;
            request.sample = sample;
            request.path = QString::fromStdString(sample.path);
        }
        return request;
    }

    int take(const Shot& shot) {
        setText(shot);
        window_.setTheme(shot.theme);
        window_.resize(options_.size);
        Document& document = *window_.controller().document();
        const int count = static_cast<int>(document.plans().size());
        document.setCurrent(shot.plan.isEmpty() ? count - 1 : qBound(0, shot.plan.toInt() - 1, count - 1));
        if (!select(shot.select)) return usage(QStringLiteral("no buffer or op is named \"%1\"").arg(shot.select));
        if (shot.view != u"window") window_.workspace().showView(shot.view);
        for (const QString& id : shot.actions) {
            std::optional<int> pictured;
            if (!trigger(id, shot, pictured))
                return usage(QStringLiteral("no action that can be used now is called \"%1\"").arg(id));
            if (pictured) return *pictured;
            QCoreApplication::processEvents();
        }
        waitFor([&] { return window_.workspace().isSettled(); }, 5000);
        // One more turn, so that what the layout moved is painted where it is now.
        QCoreApplication::processEvents();
        return write(shot);
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
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            if (plan.buffers[i].name != name.toStdString()) continue;
            hub.select(ui::ItemId::of(BufferId::of(i)));
            if (!plan.buffers[i].uses.empty()) hub.setTimeCursor(plan.buffers[i].life.begin);
            return true;
        }
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            if (plan.ops[i].name != name.toStdString()) continue;
            hub.select(ui::ItemId::of(OpId::of(i)));
            return true;
        }
        return false;
    }

    int write(const Shot& shot) {
        Result<void> written;
        if (shot.view == u"window") {
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
            written = io::writeFileAtomically(shot.file.toStdString(),
                                              std::string_view(png.constData(), static_cast<std::size_t>(png.size())));
        } else {
            ui::GraphicView* view = window_.workspace().view(shot.view);
            if (shot.file.endsWith(u".csv")) {
                const QByteArray csv = window_.workspace().tableCsv(view);
                written = io::writeFileAtomically(
                    shot.file.toStdString(), std::string_view(csv.constData(), static_cast<std::size_t>(csv.size())));
            } else {
                // Larger text is a larger picture of less: the whole is enlarged to the wanted size.
                const double enlarged = qMax(1.0, shot.labelPercent / 100.0);
                const ui::Theme theme(shot.theme, shot.labelPercent / 100.0 / enlarged);
                ui::PictureRequest request;
                request.size = (QSizeF(options_.size) / enlarged).toSize();
                request.scale = shot.scale * enlarged;
                request.theme = &theme;
                request.title = true;
                request.legend = true;
                written = ui::exportPicture(*view, request, shot.file);
            }
        }
        if (written) return 0;
        fail(shot.file, written.error());
        return 4;
    }
};

}  // namespace

int runScreenshots(const QStringList& arguments) {
    if (arguments.contains(QStringLiteral("--list-views"))) {
        for (const QString& view : allViews())
            std::puts(qPrintable(view));
        return 0;
    }
    Options options;
    if (const auto wrong = readOptions(arguments, options)) return usage(*wrong);
    const auto checked = Settings::fromPairs(options.settings);
    if (!checked) return fail(QStringLiteral("--set"), checked.error()), 2;
    return Session(options, io::listSamples()).run();
}

}  // namespace memplan::app

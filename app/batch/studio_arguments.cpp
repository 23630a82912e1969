// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/studio_arguments.h"

#include "app/cli/program/common_options.h"
#include "app/gui/workspace/workspace.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/io/machine_file.h"
#include "engine/settings/settings.h"
#include "engine/target/target.h"
#include "widgets/canvas/picture/picture_export.h"

#include <QFile>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

namespace memplan::app {
namespace {

constexpr const char* kSeeHelp = "memplan-studio --help lists the options";

/// A setting with a value, of the machine that plans first.
QString exampleOfSetting() {
    const std::string_view key = allTargets().front()->info().settings.cores;
    return (key.empty() ? QStringLiteral("engine.seed") : QString::fromStdString(std::string(key))) +
           QStringLiteral("=8");
}

Error wrong(const QString& where, const QString& what, const QString& fix = QString::fromLatin1(kSeeHelp)) {
    return makeError("CLI-001", where.toStdString(), what.toStdString(), fix.toStdString());
}

bool readTheme(const QString& name, ui::ThemeKind& into) {
    if (name == u"light")
        into = ui::ThemeKind::Light;
    else if (name == u"dark")
        into = ui::ThemeKind::Dark;
    else if (name == u"high-contrast")
        into = ui::ThemeKind::HighContrast;
    else
        return false;
    return true;
}

/// False when the text is no number, or outside the range.
bool readNumber(const QString& text, std::pair<double, double> range, double& into) {
    bool isNumber = false;
    into = text.toDouble(&isNumber);
    return isNumber && into >= range.first && into <= range.second;
}

bool readWhole(const QString& text, std::pair<int, int> range, int& into) {
    bool isNumber = false;
    into = text.toInt(&isNumber);
    return isNumber && into >= range.first && into <= range.second;
}

bool readShotOption(Shot& shot, const QString& option) {
    const qsizetype at = option.indexOf(QLatin1Char('='));
    const QString key = option.left(at);
    const QString value = option.mid(at + 1);
    if (key == u"theme") return readTheme(value, shot.theme);
    if (key == u"scale") return readNumber(value, {1.0, 4.0}, shot.scale);
    if (key == u"label_percent") return readWhole(value, {75, 300}, shot.labelPercent);
    if (key == u"plan") return readWhole(value, {1, std::numeric_limits<int>::max()}, shot.plan);
    if (key == u"zoom") return value == u"fit";
    if (key == u"vector") {
        shot.allShapes = value == u"force";
        return shot.allShapes;
    }
    if (key == u"select")
        shot.select = value;
    else if (key == u"do")
        shot.actions = value.split(QLatin1Char('+'));
    else
        return false;
    return true;
}

/// The file follows the last "=".
Result<Shot> readShot(const QString& text) {
    const qsizetype cut = text.lastIndexOf(QLatin1Char('='));
    Shot shot;
    shot.file = text.mid(cut + 1);
    const QString head = text.left(cut);
    const qsizetype colon = head.indexOf(QLatin1Char(':'));
    shot.view = colon < 0 ? head : head.left(colon);
    if (!pictureViews().contains(shot.view)) {
        return wrong(QStringLiteral("--screenshot"), QStringLiteral("there is no view \"%1\"").arg(shot.view),
                     QStringLiteral("the views are ") + pictureViews().join(QStringLiteral(", ")));
    }
    if (shot.file.isEmpty()) {
        return wrong(QStringLiteral("--screenshot"), QStringLiteral("\"%1\" names no file").arg(text),
                     QStringLiteral("for instance %1=%1.png").arg(shot.view));
    }
    const QStringList endings = shot.view == u"window" ? QStringList{QStringLiteral(".png")}
                                                       : QStringList{QStringLiteral(".png"), QStringLiteral(".svg"),
                                                                     QStringLiteral(".pdf"), QStringLiteral(".csv")};
    const bool isKnown = std::any_of(endings.begin(), endings.end(), [&](const QString& ending) {
        return shot.file.endsWith(ending, Qt::CaseInsensitive);
    });
    if (!isKnown) {
        return wrong(QStringLiteral("--screenshot"),
                     QStringLiteral("the ending of \"%1\" names no format").arg(shot.file),
                     QStringLiteral("\"%1\" is written as ").arg(shot.view) + endings.join(QStringLiteral(", ")));
    }
    if (colon < 0) return shot;
    for (const QString& option : head.mid(colon + 1).split(QLatin1Char(','))) {
        if (readShotOption(shot, option)) continue;
        return wrong(QStringLiteral("--screenshot"),
                     QStringLiteral("\"%1\" is no option of a picture, or has no such value").arg(option));
    }
    return shot;
}

class Reader {
public:
    explicit Reader(const QStringList& arguments) : arguments_(arguments) {}

    Result<StudioArguments> run() {
        for (at_ = 1; at_ < arguments_.size(); ++at_) {
            const QString& a = arguments_[at_];
            const auto read = a.startsWith(u'-') && a.size() > 1 ? option(a) : argument(a);
            if (!read) return Error(read.error());
        }
        if (isBatch_) {
            if (const auto ok = checkBatch(); !ok) return Error(ok.error());
        }
        const auto settings = Settings::fromPairs(out_.settings);
        if (!settings) return Error(settings.error());
        return std::move(out_);
    }

private:
    const QStringList& arguments_;
    qsizetype at_ = 1;
    bool isBatch_ = false;
    StudioArguments out_;

    Result<void> option(const QString& given) {
        // A value follows its option, or stands behind "=" in the same word.
        const qsizetype sign = given.indexOf(QLatin1Char('='));
        const QString name = given.left(sign);
        static const QStringList kFlags{QStringLiteral("--clean"), QStringLiteral("--screenshot")};
        static const QStringList kValues{QStringLiteral("--theme"),     QStringLiteral("--size"),
                                         QStringLiteral("--set"),       QStringLiteral("--bind"),
                                         QStringLiteral("--hints"),     QStringLiteral("--machine"),
                                         QStringLiteral("--plan-name"), QStringLiteral("--target")};
        if (kFlags.contains(given)) {
            isBatch_ = isBatch_ || given == u"--screenshot";
            out_.clean = out_.clean || given == u"--clean";
            return {};
        }
        if (!kValues.contains(name)) {
            std::vector<std::string> known;
            for (const QString& k : kFlags + kValues)
                known.push_back(k.toStdString());
            return wrong(name, QStringLiteral("unknown option"),
                         QString::fromStdString(didYouMean(name.toStdString(), known, kSeeHelp)));
        }
        if (sign < 0 && at_ + 1 >= arguments_.size()) return wrong(name, QStringLiteral("its value is missing"));
        return value(name, sign < 0 ? arguments_[++at_] : given.mid(sign + 1));
    }

    Result<void> value(const QString& name, const QString& value) {
        if (name == u"--size") return size(value);
        if (name == u"--theme") {
            ui::ThemeKind ignored = ui::ThemeKind::Light;
            if (readTheme(value, ignored)) return {};
            return wrong(name, QStringLiteral("\"%1\" is no theme").arg(value),
                         QStringLiteral("light, dark or high-contrast"));
        }
        if (name == u"--hints") {
            if (value.isEmpty()) return wrong(name, QStringLiteral("the name of a file is empty"));
            out_.hints = value;
            return {};
        }
        if (name == u"--target") {
            if (value.isEmpty()) return wrong(name, QStringLiteral("the name is empty"));
            auto target = cli::targetFrom(value.toStdString());
            if (!target) return std::move(target).error();
            out_.target = std::move(target).value();
            return {};
        }
        if (name == u"--machine") return machine(value.toStdString());
        if (name == u"--plan-name") {
            if (value.isEmpty()) return wrong(name, QStringLiteral("the name is empty"));
            out_.planName = value;
            return {};
        }
        const qsizetype sign = value.indexOf(QLatin1Char('='));
        if (sign < 1) {
            return wrong(name, QStringLiteral("\"%1\" has no form NAME=VALUE").arg(value),
                         QStringLiteral("for instance %1 %2")
                             .arg(name, name == u"--bind" ? QStringLiteral("batch=1") : exampleOfSetting()));
        }
        auto& list = name == u"--set" ? out_.settings : out_.bindings;
        list.emplace_back(value.left(sign).toStdString(), value.mid(sign + 1).toStdString());
        return {};
    }

    Result<void> machine(const std::string& file) {
        auto read = io::readMachineFile(file);
        if (read) {
            out_.machine = std::move(read).value();
            return {};
        }
        Error error = std::move(read).error();
        for (Diagnostic& d : error.diagnostics)
            d.where = "--machine " + file + (d.where.empty() ? "" : ":" + d.where);
        return error;
    }

    Result<void> size(const QString& value) {
        const QStringList parts = value.split(QLatin1Char('x'));
        const bool isPair = parts.size() == 2;
        const QSize size = isPair ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
        if (!ui::isPictureSize(size)) {
            return wrong(QStringLiteral("--size"), QStringLiteral("\"%1\" is no size").arg(value),
                         QStringLiteral("WIDTHxHEIGHT, from 100x100 to 8000x8000, for instance 1600x900"));
        }
        out_.size = size;
        return {};
    }

    Result<void> argument(const QString& a) {
        if (a.isEmpty()) return wrong(QStringLiteral("FILE"), QStringLiteral("the name of a file is empty"));
        const bool isShot = isBatch_ && a.contains(QLatin1Char('=')) && !QFile::exists(a);
        if (!isShot) {
            out_.files.push_back(a.toStdString());
            return {};
        }
        auto shot = readShot(a);
        if (!shot) return Error(shot.error());
        out_.shots.push_back(std::move(shot).value());
        return {};
    }

    /// No picture takes the place of what it is made of.
    [[nodiscard]] Result<void> keepInputs() const {
        for (const Shot& shot : out_.shots) {
            for (const std::string& input : {out_.files.front(), out_.hints.toStdString()}) {
                std::error_code none;  // what does not exist is no input
                if (!std::filesystem::equivalent(shot.file.toStdString(), input, none)) continue;
                return wrong(QStringLiteral("--screenshot"),
                             QStringLiteral("\"%1\" is an input of this command").arg(shot.file),
                             QStringLiteral("name another file"));
            }
        }
        return {};
    }

    [[nodiscard]] Result<void> checkBatch() const {
        if (out_.shots.empty()) {
            return wrong(QStringLiteral("--screenshot"), QStringLiteral("no picture is named"),
                         QStringLiteral("for instance --screenshot gantt=gantt.png INPUT"));
        }
        if (out_.files.empty()) return wrong(QStringLiteral("INPUT"), QStringLiteral("the input is missing"));
        if (out_.files.size() > 1) {
            return wrong(QStringLiteral("INPUT"), QStringLiteral("one input is expected, and \"%1\" is another one")
                                                      .arg(QString::fromStdString(out_.files[1])));
        }
        return keepInputs();
    }
};

}  // namespace

QStringList pictureViews() {
    return Workspace::viewKeys() +
           QStringList{QStringLiteral("passes"),  QStringLiteral("problems"),  QStringLiteral("sizes"),
                       QStringLiteral("search"),  QStringLiteral("gains"),     QStringLiteral("annotations"),
                       QStringLiteral("tiers"),   QStringLiteral("occupancy"), QStringLiteral("bindings"),
                       QStringLiteral("compare"), QStringLiteral("window")};
}

std::optional<Diagnostic> leftAside(const StudioArguments& arguments) {
    const std::string given = !arguments.settings.empty()      ? "--set"
                              : !arguments.bindings.empty()    ? "--bind"
                              : !arguments.hints.isEmpty()     ? "--hints"
                              : !arguments.machine.isBuiltIn() ? "--machine"
                                                               : "";
    for (const std::string& file : arguments.files) {
        if (given.empty() || !file.ends_with(".memplan")) continue;
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = "CLI-001";
        d.where = given;
        d.message =
            "the workspace \"" + file + "\" brings settings, sizes, hints and a machine of its own, which count";
        d.hint = "change them in the window, or name the graph";
        return d;
    }
    return std::nullopt;
}

Result<StudioArguments> readStudioArguments(const QStringList& arguments) {
    return Reader(arguments).run();
}

}  // namespace memplan::app

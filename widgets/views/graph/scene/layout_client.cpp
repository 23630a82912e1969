// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/layout_client.h"

#include "widgets/graphlayout/layered_layout.h"
#include "widgets/graphlayout/protocol.h"
#include "widgets/kit/controls/notices/fault.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFileInfo>
#include <QProcess>
#include <QThread>

namespace memplan::ui {
namespace {

constexpr int kCacheEntries = 64;
constexpr int kEndMs = 2000;  // a killed program is gone at once; the bound is for a machine that stands still
constexpr std::size_t kInlineNodes = 600;  // the built-in layout takes a few ms up to here

QString secondsText(int ms) {
    return QString::number(ms / 1000.0, 'g', 3);
}

}  // namespace

LayoutClient::LayoutClient(QObject* parent)
    : QObject(parent),
      builtIn_([](const graphlayout::LayoutGraph& graph) { return graphlayout::layeredLayout(graph); }) {
    deadline_.setSingleShot(true);
    connect(&deadline_, &QTimer::timeout, this, [this] {
        dropProcess();
        fallBack(tr("dot took more than %1 s; built-in layout used").arg(secondsText(deadline_.interval())));
    });
}

LayoutClient::~LayoutClient() {
    dropProcess();
    dropWorker();
    // Whoever was killed and not yet collected is collected here: no event loop will do it any more.
    for (QProcess* process : findChildren<QProcess*>(QString(), Qt::FindDirectChildrenOnly)) {
        process->disconnect();
        if (process->state() == QProcess::NotRunning) continue;
        process->kill();
        process->waitForFinished(kEndMs);
    }
}

QString LayoutClient::findProgram() {
    const QString here = QCoreApplication::applicationDirPath();
    for (const QString& folder : {here, here + QStringLiteral("/../libexec")}) {
        const QFileInfo file(folder + QStringLiteral("/memplan-layout"));
        if (file.isExecutable()) return file.canonicalFilePath();
    }
    return {};
}

void LayoutClient::setDeadlines(int automaticMs, int anywayMs) {
    automaticMs_ = automaticMs;
    anywayMs_ = anywayMs;
}

void LayoutClient::request(graphlayout::LayoutGraph graph, LayoutPatience patience) {
    cancel();
    auto job = std::make_shared<Job>();
    job->request = QByteArray::fromStdString(graphlayout::encodeRequest(graph));
    job->key = QCryptographicHash::hash(job->request, QCryptographicHash::Sha1);
    job->graph = std::move(graph);
    job->number = nextNumber_++;
    job_ = job;
    if (const auto hit = cache_.constFind(job->key); hit != cache_.constEnd()) {
        const LayoutOutcome outcome = *hit;
        QMetaObject::invokeMethod(
            this, [this, outcome, n = job->number] { deliver(outcome, n); }, Qt::QueuedConnection);
        return;
    }
    const QString program = program_.isEmpty() ? findProgram() : program_;
    const auto later = [this, n = job->number](const QString& note) {
        QMetaObject::invokeMethod(
            this,
            [this, n, note] {
                if (job_ && job_->number == n) fallBack(note);
            },
            Qt::QueuedConnection);
    };
    if (job->graph.nodes.empty()) return later({});
    if (program.isEmpty()) return later(tr("memplan-layout was not found; built-in layout used"));
    if (patience == LayoutPatience::Automatic && job->graph.nodes.size() > kLargestForDot)
        return later(tr("more than %1 boxes; built-in layout used").arg(kLargestForDot));
    startProgram(program, patience == LayoutPatience::Automatic ? automaticMs_ : anywayMs_);
}

void LayoutClient::startProgram(const QString& program, int deadlineMs) {
    process_ = new QProcess(this);
    connect(process_, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus status) { readAnswer(code, status == QProcess::CrashExit); });
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // everything else ends in finished()
        dropProcess();
        fallBack(tr("memplan-layout could not be started; built-in layout used"));
    });
    deadline_.start(deadlineMs);
    process_->start(program, QStringList());
    if (process_ == nullptr) return;  // failed at once
    process_->write(job_->request);
    process_->closeWriteChannel();
}

void LayoutClient::readAnswer(int exitCode, bool crashed) {
    deadline_.stop();
    const QByteArray answer = process_->readAllStandardOutput();
    const QString message = QString::fromUtf8(process_->readAllStandardError()).section(QLatin1Char('\n'), 0, 0);
    dropProcess();
    if (crashed) return fallBack(tr("the layout program ended early; built-in layout used"));
    if (exitCode != 0) return fallBack(tr("%1; built-in layout used").arg(message));
    auto parsed = graphlayout::parseAnswer({answer.constData(), static_cast<std::size_t>(answer.size())}, job_->graph);
    if (!parsed.value) return fallBack(tr("the layout program gave a broken answer; built-in layout used"));
    deliver({std::move(*parsed.value), QString(), false}, job_->number);
}

void LayoutClient::fallBack(const QString& note) {
    const std::shared_ptr<const Job> job = job_;
    const auto layOut = [job, note, builtIn = builtIn_](LayoutOutcome& outcome) -> std::exception_ptr {
        try {
            outcome = {builtIn(job->graph), note, true};
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    };
    if (job->graph.nodes.size() <= kInlineNodes) {
        LayoutOutcome outcome;
        if (const auto fault = layOut(outcome)) return giveUp(fault);
        return deliver(std::move(outcome), job->number);
    }
    dropWorker();
    auto outcome = std::make_shared<std::pair<LayoutOutcome, std::exception_ptr>>();
    worker_ = QThread::create([layOut, outcome] { outcome->second = layOut(outcome->first); });
    connect(worker_, &QThread::finished, this, [this, outcome, n = job->number] {
        if (!job_ || job_->number != n) return;
        dropWorker();
        if (outcome->second) return giveUp(outcome->second);
        deliver(std::move(outcome->first), n);
    });
    connect(worker_, &QThread::finished, worker_, &QObject::deleteLater);
    worker_->start();
}

void LayoutClient::giveUp(const std::exception_ptr& fault) {
    job_.reset();
    reportFault(fault);
    emit failed();
}

void LayoutClient::deliver(LayoutOutcome outcome, quint64 number) {
    if (!job_ || job_->number != number) return;
    // A layout that was cut off by the clock may succeed next time; only what depends on the graph alone is kept.
    if (!outcome.isBuiltIn && !cache_.contains(job_->key)) {
        cache_.insert(job_->key, outcome);
        cacheOrder_.append(job_->key);
        if (cacheOrder_.size() > kCacheEntries) cache_.remove(cacheOrder_.takeFirst());
    }
    job_.reset();
    emit finished(outcome);
}

void LayoutClient::cancel() {
    job_.reset();
    dropProcess();
    dropWorker();
}

void LayoutClient::dropProcess() {
    deadline_.stop();
    if (process_ == nullptr) return;
    QProcess* process = process_;
    process_ = nullptr;
    process->disconnect(this);
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    // The layout library cannot be interrupted; the process is killed and collected when it is gone.
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
}

void LayoutClient::dropWorker() {
    if (worker_ == nullptr) return;
    // It holds shared values only, so it may run on by itself; its result goes nowhere.
    worker_->disconnect(this);
    worker_ = nullptr;
}

}  // namespace memplan::ui

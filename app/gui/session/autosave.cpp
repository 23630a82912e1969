// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/autosave.h"

#include "engine/io/input.h"
#include "engine/io/workspace/workspace_json.h"
#include "widgets/plan/units.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

QString lockOf(const QString& folder) {
    return folder + QStringLiteral("/lock");
}

std::optional<RecoverableCopy> readCopy(const QFileInfo& file) {
    auto bytes = io::readFile(file.absoluteFilePath().toStdString(), std::int64_t{1} << 28, "WSP-001");
    if (!bytes) return std::nullopt;
    const auto read = io::readWorkspaceJson(bytes.value());
    if (!read) return std::nullopt;
    const io::Workspace& w = read.value().workspace;
    RecoverableCopy copy;
    copy.path = file.absoluteFilePath();
    copy.name = fromStd(w.document.empty() ? w.input.name : w.document);
    if (!w.document.empty()) copy.name = QFileInfo(copy.name).fileName();
    copy.time = file.lastModified();
    copy.hints = static_cast<qsizetype>(w.hints.size());
    copy.notes = static_cast<qsizetype>(w.notes.size());
    return copy;
}

}  // namespace

AutosaveFolder::AutosaveFolder(const QString& root) : root_(root) {
    if (root_.isEmpty())
        root_ = QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + QStringLiteral("/autosave");
    own_ = root_ + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
    QDir().mkpath(own_);
    lock_ = std::make_unique<QLockFile>(lockOf(own_));
    lock_->setStaleLockTime(0);  // only the death of its process makes a lock stale
    lock_->tryLock(0);
}

AutosaveFolder::~AutosaveFolder() {
    lock_->unlock();
    QDir(own_).removeRecursively();
}

QString AutosaveFolder::newCopyPath() {
    return QStringLiteral("%1/%2.memplan").arg(own_).arg(++next_);
}

QList<RecoverableCopy> AutosaveFolder::recoverable() const {
    QList<RecoverableCopy> copies;
    for (const QFileInfo& folder : QDir(root_).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (folder.absoluteFilePath() == QFileInfo(own_).absoluteFilePath()) continue;
        QLockFile lock(lockOf(folder.absoluteFilePath()));
        lock.setStaleLockTime(0);
        if (!lock.tryLock(0)) continue;  // that program is running
        qsizetype found = 0;
        for (const QFileInfo& file :
             QDir(folder.absoluteFilePath()).entryInfoList({QStringLiteral("*.memplan")}, QDir::Files)) {
            ++found;
            if (auto copy = readCopy(file)) copies << *copy;
        }
        lock.unlock();
        if (found == 0) QDir(folder.absoluteFilePath()).removeRecursively();
    }
    std::stable_sort(copies.begin(), copies.end(),
                     [](const RecoverableCopy& a, const RecoverableCopy& b) { return a.time > b.time; });
    return copies;
}

void AutosaveFolder::discard(const QString& copyPath) {
    QFile::remove(copyPath);
    QDir().rmdir(QFileInfo(copyPath).absolutePath());  // the last copy takes its folder along
}

Autosaver::Autosaver(AutosaveFolder& folder, std::function<std::string()> content, QObject* parent)
    : QObject(parent), content_(std::move(content)), path_(folder.newCopyPath()) {
    timer_.setInterval(kIntervalMs);
    connect(&timer_, &QTimer::timeout, this, &Autosaver::saveNow);
    timer_.start();
}

Autosaver::~Autosaver() {
    QFile::remove(path_);
}

void Autosaver::setInterval(int milliseconds) {
    if (milliseconds <= 0) return timer_.stop();
    timer_.start(milliseconds);
}

void Autosaver::touch() {
    changed_ = true;
}

bool Autosaver::saveNow() {
    if (!changed_) return QFile::exists(path_);
    changed_ = false;
    const std::string text = content_();
    if (text.empty()) {
        QFile::remove(path_);
        return false;
    }
    // A full disk must not get between the user and the work; the next round tries again.
    if (!io::writeFileAtomically(path_.toStdString(), text)) changed_ = true;
    return !changed_;
}

void Autosaver::forget() {
    changed_ = false;
    QFile::remove(path_);
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/document_keeper.h"

#include "app/gui/document/save_question.h"
#include "app/gui/document/workspace_document.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/session/recent_files.h"
#include "engine/base/hash.h"
#include "engine/io/input.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/plan/units.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

#include <limits>

namespace memplan::app {

using ui::fromStd;

DocumentKeeper::DocumentKeeper(DocumentController& controller, std::function<QByteArray()> viewJson, QWidget* window)
    : QObject(window), controller_(controller), viewJson_(std::move(viewJson)), window_(window),
      strip_(new ui::Strip(window)) {
    strip_->setObjectName(QStringLiteral("fileStrip"));
    strip_->hide();
    settle_.setSingleShot(true);
    settle_.setInterval(300);
    connect(&controller_, &DocumentController::documentOpened, this, &DocumentKeeper::documentOpened);
    connect(&controller_, &DocumentController::documentReady, this, &DocumentKeeper::documentReady);
    connect(&controller_, &DocumentController::documentClosed, this, &DocumentKeeper::forget);
    connect(&controller_, &DocumentController::aboutToCompile, this, &DocumentKeeper::saveCopy);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &DocumentKeeper::fileChanged);
    connect(&settle_, &QTimer::timeout, this, &DocumentKeeper::compareWithDisk);
    connect(strip_, &ui::Strip::triggered, this, &DocumentKeeper::stripAction);
    connect(&Preferences::instance(), &Preferences::changed, this, [this](const QString& key) {
        if (key == u"files/autosave_seconds") setInterval();
    });
}

DocumentKeeper::~DocumentKeeper() = default;

void DocumentKeeper::setInterval() {
    const int seconds = Preferences::instance().value(QStringLiteral("files/autosave_seconds")).toInt();
    if (autosaver_) autosaver_->setInterval(seconds * 1000);
}

void DocumentKeeper::setAutosaveFolder(AutosaveFolder* folder) {
    folder_ = folder;
}

/// A sample stands on the start page anyway.
void DocumentKeeper::documentOpened() {
    const Document& document = *controller_.document();
    if (!document.origin().workspacePath.isEmpty()) {
        RecentFiles::add(document.origin().workspacePath);
    } else if (!controller_.lastRequest().sample) {
        RecentFiles::add(fromStd(document.input().input.path));
    }
}

void DocumentKeeper::documentReady() {
    Document& document = *controller_.document();
    strip_->hide();
    keptSha_.clear();
    autosaver_.reset();
    watch();
    if (folder_ == nullptr) return;
    autosaver_ = std::make_unique<Autosaver>(*folder_, [this] {
        const Document* now = controller_.document();
        return now != nullptr && now->isModified() ? copyText() : std::string();
    });
    setInterval();
    Autosaver* saver = autosaver_.get();
    connect(&document, &Document::hintsChanged, saver, &Autosaver::touch);
    connect(&document, &Document::notesChanged, saver, &Autosaver::touch);
    connect(&document, &Document::sideChanged, saver, &Autosaver::touch);
    connect(&document, &Document::settingsChanged, saver, &Autosaver::touch);
    connect(&document, &Document::instanceChanged, saver, &Autosaver::touch);
    if (!document.isModified()) return;
    saver->touch();
    saver->saveNow();
    // The work is in a copy of this run now; the one that it came from has served.
    const OpenRequest& from = controller_.lastRequest();
    if (from.from == OpenFrom::AutosavedCopy) AutosaveFolder::discard(from.path);
}

bool DocumentKeeper::saveCopy() {
    return autosaver_ && autosaver_->saveNow();
}

void DocumentKeeper::forget() {
    autosaver_.reset();
    strip_->hide();
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
}

std::string DocumentKeeper::copyText() const {
    const Document& document = *controller_.document();
    io::Workspace copy = workspaceOf(document, {}, viewJson_());
    copy.document = document.origin().workspacePath.toStdString();
    return io::writeWorkspaceJson(copy);
}

std::string DocumentKeeper::sessionText() const {
    const Document& document = *controller_.document();
    if (!document.isModified()) return copyText();
    io::Workspace copy = savedWorkspaceOf(document, viewJson_());
    copy.document = document.origin().workspacePath.toStdString();
    return io::writeWorkspaceJson(copy);
}

// ---- saving ----------------------------------------------------------------------------------------------

QString DocumentKeeper::suggestedPath() const {
    const Document& document = *controller_.document();
    if (!document.origin().workspacePath.isEmpty()) return document.origin().workspacePath;
    const QString folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    const QString name = document.name() + QStringLiteral(".memplan");
    if (!document.origin().sample.isEmpty()) return folder.isEmpty() ? name : folder + QLatin1Char('/') + name;
    return QFileInfo(fromStd(document.input().input.path)).absolutePath() + QLatin1Char('/') + name;
}

bool DocumentKeeper::save() {
    if (controller_.document() == nullptr) return false;
    const QString& path = controller_.document()->origin().workspacePath;
    return path.isEmpty() ? saveAs() == Saving::Done : saveTo(path);
}

Saving DocumentKeeper::saveAs() {
    if (controller_.document() == nullptr) return Saving::Cancelled;
    QString path = QFileDialog::getSaveFileName(window_, tr("Save workspace"), suggestedPath(),
                                                tr("Workspaces (*.memplan);;All files (*)"));
    if (path.isEmpty()) return Saving::Cancelled;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".memplan");
    return saveTo(path) ? Saving::Done : Saving::Failed;
}

bool DocumentKeeper::saveTo(const QString& path) {
    Document& document = *controller_.document();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const std::string text = io::writeWorkspaceJson(workspaceOf(document, absolute, viewJson_()));
    const auto written = io::writeFileAtomically(absolute.toStdString(), text);
    strip_->clearActions();
    if (!written) {
        strip_->setNotice(ui::Strip::Kind::Error, QStringLiteral("error"),
                          tr("Not saved: %1").arg(fromStd(written.error().primary().message)));
        strip_->addAction(tr("Save as..."), QStringLiteral("saveAs"));
        strip_->show();
        return false;
    }
    strip_->hide();
    document.setSavedAs(absolute);
    if (autosaver_) autosaver_->forget();
    RecentFiles::add(absolute);
    return true;
}

bool DocumentKeeper::mayClose() {
    const Document* document = controller_.document();
    if (document == nullptr || !document->isModified()) return true;
    switch (askToSave(window_, {{document->name(), document->unsavedChanges()}})) {
    case SaveAnswer::Save:
        return save();
    case SaveAnswer::Discard:
        return true;
    case SaveAnswer::Cancel:
        break;
    }
    return false;
}

// ---- the file on disk --------------------------------------------------------------------------------------

void DocumentKeeper::watch() {
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    const QString path = fromStd(controller_.document()->input().input.path);
    if (QFileInfo(path).isFile()) watcher_.addPath(path);
}

void DocumentKeeper::fileChanged() {
    settle_.start();
}

void DocumentKeeper::compareWithDisk() {
    if (controller_.document() == nullptr) return;
    // A file that is replaced by another of its name has to be watched again.
    const std::string path = controller_.document()->input().input.path;
    if (watcher_.files().isEmpty()) watcher_.addPath(fromStd(path));
    hash_.start(tr("Comparing with disk"), [this, path](const RunControl&) -> BackgroundTask::Finish {
        const auto bytes = io::readFile(path, std::numeric_limits<std::int64_t>::max(), "IN-904");
        const QString sha = bytes ? QString::fromStdString(sha256Hex(bytes.value())) : QString();
        return [this, sha] { showChanged(sha); };
    });
}

void DocumentKeeper::showChanged(const QString& sha256) {
    const Document* document = controller_.document();
    const QString opened = document == nullptr                       ? QString()
                           : document->origin().fileSha256.isEmpty() ? fromStd(document->input().input.sha256)
                                                                     : document->origin().fileSha256;
    if (document == nullptr || sha256 == opened || sha256 == keptSha_) {
        if (document != nullptr && sha256 == opened) strip_->hide();
        return;
    }
    keptSha_ = sha256;
    const QString name = QFileInfo(fromStd(document->input().input.path)).fileName();
    strip_->clearActions();
    strip_->setNotice(ui::Strip::Kind::Info, QStringLiteral("reload"),
                      sha256.isEmpty() ? tr("\"%1\" is gone from disk or cannot be read").arg(name)
                                       : tr("\"%1\" changed on disk").arg(name));
    if (!sha256.isEmpty()) strip_->addAction(tr("Reload"), QStringLiteral("reload"));
    strip_->addAction(tr("Keep"), QStringLiteral("keep"));
    if (!sha256.isEmpty() && document->kind() != DocumentKind::BufferList)
        strip_->addAction(tr("Compare"), QStringLiteral("compare"));
    strip_->show();
}

void DocumentKeeper::stripAction(const QString& key) {
    if (key == u"compare") return emit compareRequested();  // what to do about it is asked on
    strip_->hide();
    if (key == u"reload") controller_.reload();
    if (key == u"saveAs") saveAs();
}

}  // namespace memplan::app

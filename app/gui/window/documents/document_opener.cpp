// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/documents/document_opener.h"

#include "app/gui/document/bindings_text.h"
#include "app/gui/document/large_input.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/help/template_dialog.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/start_page.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/window/documents/document_host.h"
#include "app/gui/workspace/window_services.h"
#include "widgets/plan/units.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QSettings>

namespace memplan::app {

using ui::fromStd;

DocumentOpener::DocumentOpener(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services), window_(window) {
    connect(&controller_, &DocumentController::openFailed, this, &DocumentOpener::openFailed);
}

void DocumentOpener::setBeside(RecordsController* records, CompareController* compare) {
    records_ = records;
    compare_ = compare;
}

void DocumentOpener::follow(const StartPage& start, const ErrorPage& error) {
    connect(&start, &StartPage::openRequested, this, &DocumentOpener::ask);
    connect(&start, &StartPage::sampleRequested, this, &DocumentOpener::openSample);
    connect(&start, &StartPage::fileRequested, this, &DocumentOpener::openFile);
    connect(&start, &StartPage::templateRequested, this, &DocumentOpener::newFromTemplate);
    connect(&start, &StartPage::recoverRequested, this, [this](const QString& copy) {
        OpenRequest recover;
        recover.path = copy;
        recover.from = OpenFrom::AutosavedCopy;
        open(recover);
    });
    connect(&error, &ErrorPage::openAnother, this, &DocumentOpener::ask);
    connect(&error, &ErrorPage::tryAgain, &controller_, &DocumentController::reload);
    connect(&error, &ErrorPage::bindingsGiven, this, [this](const BindingPairs& bindings) {
        OpenRequest again = controller_.lastRequest();
        again.bindings = bindings;
        controller_.open(again);
    });
    connect(&error, &ErrorPage::raiseLimitRequested, this, [this](const QString& key, const QString& value) {
        OpenRequest again = controller_.lastRequest();
        again.settings.emplace_back(key.toStdString(), value.toStdString());
        controller_.open(again);
    });
}

void DocumentOpener::open(const OpenRequest& request) {
    if (host_ != nullptr) return host_->open(request);
    emit wanted(request);
}

void DocumentOpener::openFile(const QString& path) {
    if (records_->takes(path)) return records_->attach({path});
    OpenRequest wanted;
    wanted.path = path;
    wanted.settings = compileDefaults();
    open(wanted);
}

void DocumentOpener::openSample(const io::SampleInfo& sample) {
    OpenRequest wanted;
    wanted.path = fromStd(sample.path);
    wanted.sample = sample;
    open(wanted);
}

void DocumentOpener::ask() {
    QString folder = Preferences::instance().value(QStringLiteral("files/open_folder")).toString();
    if (folder.isEmpty()) folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    const QString path = services_.askFile(
        tr("Open"), folder,
        tr("Everything that opens (*.onnx *.json *.jsonl *.csv *.memplan);;Workspaces (*.memplan);;ONNX models "
           "(*.onnx);;Neutral graphs and plans (*.json);;Buffer lists (*.csv *.jsonl);;"
           "All files (*)"));
    if (path.isEmpty()) return;
    QSettings().setValue(QStringLiteral("lastFolder"), QFileInfo(path).absolutePath());
    openFile(path);
}

/// A folder that a compile or this window wrote: bundle.mlir with its files, or output_code.py (CTB 17.1).
void DocumentOpener::askBundle() {
    QString folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    folder = QFileDialog::getExistingDirectory(window_, tr("Open bundle folder"), folder);
    if (folder.isEmpty()) return;
    QSettings().setValue(QStringLiteral("lastFolder"), QFileInfo(folder).absolutePath());
    openFile(folder);
}

void DocumentOpener::newFromTemplate() {
    auto* dialog = new TemplateDialog(window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TemplateDialog::created, this, &DocumentOpener::openFile);
    dialog->open();
}

void DocumentOpener::askSizes(const QString& shown) {
    bool isGiven = false;
    const QString text = QInputDialog::getText(window_, tr("Sizes of the model"), tr("NAME=VALUE, NAME=VALUE"),
                                               QLineEdit::Normal, shown, &isGiven);
    if (!isGiven) return;
    if (const auto bindings = bindingsFromText(text)) return controller_.openWith(*bindings);
    services_.message(tr("\"%1\" is no list of NAME=VALUE").arg(text));
}

void DocumentOpener::planAgain() {
    const Document& document = *controller_.document();
    const Plan& plan = *document.current()->plan;
    OpenRequest wanted;
    wanted.path = document.origin().graphPath;
    wanted.hints = plan.hints;
    wanted.machine = plan.machine;
    wanted.hintsAreAll = true;
    for (const SettingInfo& info : allSettings()) {
        if (plan.settings.isExplicit(info.key))
            wanted.settings.emplace_back(std::string(info.key), plan.settings.textOf(info.key));
    }
    open(wanted);
}

void DocumentOpener::drop(QDropEvent& event) {
    QStringList beside;
    for (const QUrl& url : event.mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        event.acceptProposedAction();
        const bool asBaseline = event.modifiers().testFlag(Qt::ControlModifier) && controller_.document() != nullptr;
        if (asBaseline) return compare_->pair().compareWithFile(url.toLocalFile());
        if (records_->takes(url.toLocalFile())) {
            beside << url.toLocalFile();
            continue;
        }
        openFile(url.toLocalFile());
        if (host_ == nullptr) return;  // room for one only
    }
    records_->attach(beside);
}

void DocumentOpener::openFailed(const QString& path, const Error& error) {
    const OpenRequest last = controller_.lastRequest();
    const auto limit = passedLimit(path, error, last.settings);
    if (limit && limit->canBeRaised()) return askToRaise(path, *limit, last);
    emit failed(path, error, limit ? limit->refusal() : QString());
}

/// What is on screen stays there until the answer; the setting goes with the document.
void DocumentOpener::askToRaise(const QString& path, const PassedLimit& limit, const OpenRequest& last) {
    auto* dialog = new LargeInputDialog(path, limit, last.cut, window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, last] {
        OpenRequest request = last;
        request.settings.push_back(dialog->raised());
        request.cut = dialog->cut();
        controller_.open(request);
    });
    connect(dialog, &QDialog::rejected, this, &DocumentOpener::turnedAway);
    dialog->open();
}

}  // namespace memplan::app

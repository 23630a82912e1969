// SPDX-License-Identifier: GPL-3.0-or-later
// The export dialog writes: files one by one, a bundle as a folder or as one archive (user-experience 17.7).
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/features/export/zip_file.h"
#include "engine/io/input.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <atomic>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr std::string_view kMaking = "Making the bundle", kWriting = "Writing the bundle";

/// "name (2).png" for the first number that is free.
QString freeName(const QString& path) {
    const QFileInfo info(path);
    const QString end = info.completeSuffix().isEmpty() ? QString() : QLatin1Char('.') + info.completeSuffix();
    for (int i = 2;; ++i) {
        const QString next = QStringLiteral("%1/%2 (%3)%4").arg(info.path(), info.baseName()).arg(i).arg(end);
        if (!QFileInfo::exists(next)) return next;
    }
}

/// The worker's last question before it writes: once `begun` is set a cancel comes too late.
bool mayWrite(const RunControl& control, std::atomic<bool>& begun) {
    begun = true;
    if (control.cancelled()) return false;
    control.progress(kWriting, 1, 2);
    return true;
}

}  // namespace

// ---- writing ---------------------------------------------------------------------------------------------

void ExportDialog::run() {
    if (!export_->isEnabled()) return;
    if (path_->text().trimmed().isEmpty()) return say(tr("Name a file or a folder to write to."));
    // The document may have changed while the dialog stood open.
    if (source_.isStale(what()) && !old_->isChecked()) return refresh();
    if (!source_.has(what())) return fail(exportGone(destination()));
    say({});
    QSettings().setValue(QStringLiteral("exportFolder"), QFileInfo(destination()).path());
    if (what() == ExportWhat::PlanZip) return writeZip();
    if (isBundle(what())) return writeBundle();
    writeFiles();
}

ExportDialog::Answer ExportDialog::ask(const QString& path, bool several) {
    if (question_) return question_(path, several);
    QMessageBox box(QMessageBox::Question, tr("File exists"),
                    tr("%1 exists already.").arg(QDir::toNativeSeparators(path)), QMessageBox::NoButton, this);
    QPushButton* replace = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    QPushButton* rename = box.addButton(tr("Rename"), QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    auto* all = new QCheckBox(tr("For all"), &box);
    if (several) box.setCheckBox(all);
    box.exec();
    if (box.clickedButton() == replace) return {Overwrite::Replace, all->isChecked()};
    if (box.clickedButton() == rename) return {Overwrite::Rename, all->isChecked()};
    return {};
}

void ExportDialog::writeFiles() {
    const std::vector<ExportFile> files = source_.files(what(), picture());
    const bool isFolder = ExportSource::isFolder(what());
    if (isFolder && !QDir().mkpath(destination()))
        return fail(
            makeError("EXP-002", destination().toStdString(), "the folder cannot be made", "choose another folder"));
    std::optional<Overwrite> always;
    int count = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        QString path = isFolder ? destination() + QLatin1Char('/') + files[i].name : destination();
        if (!isFolder && QFileInfo(path).suffix().isEmpty()) path += files[i].name.mid(files[i].name.lastIndexOf(u'.'));
        if (QFileInfo::exists(path)) {
            const Answer answer = always ? Answer{*always, true} : ask(path, i + 1 < files.size());
            if (answer.forAll) always = answer.choice;
            if (answer.choice == Overwrite::Cancel) {
                say(count == 0 ? tr("Nothing was written.")
                               : tr("Stopped after %1.").arg(ui::plural(count, tr("file"), tr("files"))));
                return;
            }
            if (answer.choice == Overwrite::Rename) path = freeName(path);
        }
        const Result<QByteArray> bytes = files[i].make();
        if (!bytes) return fail(bytes.error());
        const auto written = io::writeFileAtomically(
            path.toStdString(),
            std::string_view(bytes.value().constData(), static_cast<std::size_t>(bytes.value().size())));
        if (!written) return fail(written.error());
        ++count;
        if (!isFolder) setDestination(path);
    }
    finish(isFolder ? tr("%1 written to %2").arg(ui::plural(count, tr("file"), tr("files")), destination())
                    : tr("Written to %1").arg(destination()));
}

void ExportDialog::writeBundle() {
    export_->setEnabled(false);
    say(tr("Writing..."));
    isWriting_ = true;
    hasBegun_ = std::make_shared<std::atomic<bool>>(false);
    task_.start(tr("Writing the bundle"),
                [this, begun = hasBegun_, make = source_.bundle(what()), folder = destination().toStdString(),
                 force = force_->isChecked()](const RunControl& control) -> BackgroundTask::Finish {
                    std::optional<Error> error;
                    std::size_t count = 0;
                    control.progress(kMaking, 0, 2);
                    if (auto files = make(); !files) {
                        error = std::move(files).error();
                    } else if (mayWrite(control, *begun)) {
                        count = files.value().size();
                        if (auto ok = io::writeFolder(folder, files.value(), force); !ok) error = std::move(ok).error();
                    }
                    return [this, error, count] {
                        export_->setEnabled(true);
                        if (error) return fail(*error);
                        finish(
                            tr("Bundle of %1 written to %2")
                                .arg(ui::plural(static_cast<qint64>(count), tr("file"), tr("files")), destination()));
                    };
                });
}

void ExportDialog::writeZip() {
    QString path = destination();
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".zip");
    if (QFileInfo::exists(path)) {
        const Answer answer = ask(path, false);
        if (answer.choice == Overwrite::Cancel) return say(tr("Nothing was written."));
        if (answer.choice == Overwrite::Rename) path = freeName(path);
    }
    setDestination(path);
    export_->setEnabled(false);
    say(tr("Writing..."));
    isWriting_ = true;
    hasBegun_ = std::make_shared<std::atomic<bool>>(false);
    task_.start(tr("Writing the bundle"),
                [this, begun = hasBegun_, make = source_.bundle(what()),
                 path = destination().toStdString()](const RunControl& control) -> BackgroundTask::Finish {
                    std::optional<Error> error;
                    control.progress(kMaking, 0, 2);
                    auto files = make();
                    if (!files) {
                        error = std::move(files).error();
                    } else if (auto zip = zipOf(files.value()); !zip) {
                        error = std::move(zip).error();
                    } else if (mayWrite(control, *begun)) {
                        const std::string_view bytes(zip.value().constData(),
                                                     static_cast<std::size_t>(zip.value().size()));
                        if (auto ok = io::writeFileAtomically(path, bytes); !ok) error = std::move(ok).error();
                    }
                    return [this, error] {
                        export_->setEnabled(true);
                        if (error) return fail(*error);
                        finish(tr("Bundle written to %1").arg(destination()));
                    };
                });
}

/// Cancelled in the status bar: the dialog can be used again.
void ExportDialog::stopped() {
    const bool isLate = isWriting_ && hasBegun_ && hasBegun_->load();
    if (!isWriting_) showText(QString());
    isWriting_ = false;
    export_->setEnabled(!source_.isStale(what()) || old_->isChecked());
    say(isLate ? tr("Cancelled while the files were written: they may be there.")
               : tr("Cancelled. Nothing was written."));
}

/// In the colour of plain text, whatever failed before.
void ExportDialog::say(const QString& text) {
    message_->setPalette(QPalette());
    message_->setText(text);
}

void ExportDialog::fail(const Error& error) {
    const Diagnostic& d = error.primary();
    QString text = QStringLiteral("%1 %2").arg(fromStd(d.code), fromStd(d.message));
    if (!d.where.empty()) text = fromStd(d.where) + QStringLiteral(": ") + text;
    if (d.code == "EXP-005")
        text += QStringLiteral(". ") + tr("Choose another folder, or tick the box above.");
    else if (!d.hint.empty())
        text += QStringLiteral(". ") + fromStd(d.hint);
    QPalette palette = message_->palette();
    palette.setColor(QPalette::WindowText, ui::themeOf(this).color(ui::Token::Error));
    message_->setPalette(palette);
    message_->setText(tr("Not written: %1").arg(text));
}

void ExportDialog::finish(const QString& text) {
    emit written(text);
    accept();
}

void ExportDialog::reject() {
    task_.cancel();
    QDialog::reject();
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/export_dialog.h"

#include "app/gui/features/export/picture_options.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/targets/targets.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/units.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr int kPreviewLines = 200;
constexpr qsizetype kPreviewBytes = 24000;

struct Kind {
    ExportWhat what;
    const char* title;
    const char* about;
};

constexpr Kind kKinds[] = {
    {ExportWhat::CurrentView, QT_TRANSLATE_NOOP("Export", "One view"),
     QT_TRANSLATE_NOOP("Export", "One view as a picture: first the one that had the focus.")},
    {ExportWhat::AllViews, QT_TRANSLATE_NOOP("Export", "All views"),
     QT_TRANSLATE_NOOP("Export", "One picture for each view, in a folder.")},
    {ExportWhat::CurrentTable, QT_TRANSLATE_NOOP("Export", "Table of the view"),
     QT_TRANSLATE_NOOP("Export", "The same items as comma-separated values.")},
    {ExportWhat::AllTables, QT_TRANSLATE_NOOP("Export", "All tables"),
     QT_TRANSLATE_NOOP("Export", "One CSV file for each view and table, in a folder.")},
    {ExportWhat::Plan, QT_TRANSLATE_NOOP("Export", "Plan (JSON)"),
     QT_TRANSLATE_NOOP("Export", "The whole plan, for memplan verify, explain and compare.")},
    {ExportWhat::Hints, QT_TRANSLATE_NOOP("Export", "Hints (JSON)"),
     QT_TRANSLATE_NOOP("Export", "A hint file, for this window and for memplan compile --hints.")},
    {ExportWhat::PlanFolder, QT_TRANSLATE_NOOP("Export", "Bundle folder"),
     QT_TRANSLATE_NOOP("Export",
                       "Graph, plan, hints, report and the target's files, with a manifest of their hashes.")},
    {ExportWhat::PlanZip, QT_TRANSLATE_NOOP("Export", "Bundle (zip)"),
     QT_TRANSLATE_NOOP("Export", "The files of the bundle folder as one archive.")},
    {ExportWhat::Trace, QT_TRANSLATE_NOOP("Export", "Chrome trace (JSON)"),
     QT_TRANSLATE_NOOP("Export", "Operations, loops and buffers over the steps, for Perfetto and chrome://tracing.")},
    {ExportWhat::ModelExplorer, QT_TRANSLATE_NOOP("Export", "Model Explorer (JSON)"),
     QT_TRANSLATE_NOOP("Export", "The graph with memory, division and reasons at every node.")},
    {ExportWhat::Dot, QT_TRANSLATE_NOOP("Export", "Graphviz (dot)"),
     QT_TRANSLATE_NOOP("Export", "The graph filled by residence, clusters by group.")},
    {ExportWhat::Snapshots, QT_TRANSLATE_NOOP("Export", "Pass snapshots"),
     QT_TRANSLATE_NOOP("Export", "The program after every pass that changed it, as numbered files in a folder.")},
    {ExportWhat::Bundle, QT_TRANSLATE_NOOP("Export", "%1 files"), ""},
};

QString tr2(const char* text) {
    return QCoreApplication::translate("Export", text);
}

QString startFolder() {
    const QString preferred = Preferences::instance().value(QStringLiteral("files/save_folder")).toString();
    if (!preferred.isEmpty()) return preferred;
    const QString last = QSettings().value(QStringLiteral("exportFolder")).toString();
    return last.isEmpty() ? QDir::homePath() : last;
}

QString firstLines(const QByteArray& bytes) {
    const QString text = QString::fromUtf8(bytes.left(kPreviewBytes));
    const QStringList lines = text.split(u'\n');
    QString shown = lines.mid(0, kPreviewLines).join(u'\n');
    if (bytes.size() > kPreviewBytes || lines.size() > kPreviewLines) shown += QStringLiteral("\n...");
    return shown;
}

QString bundleText(const std::vector<io::FolderFile>& files) {
    QString text;
    const std::string* first = nullptr;
    for (const auto& [name, bytes] : files) {
        text +=
            QStringLiteral("%1  %2\n").arg(fromStd(name), -44).arg(ui::exactBytes(static_cast<Bytes>(bytes.size())));
        if (first == nullptr && name.ends_with("bundle.mlir")) first = &bytes;
    }
    if (first != nullptr)
        text += QLatin1Char('\n') + firstLines(QByteArray(first->data(), static_cast<qsizetype>(first->size())));
    return text;
}

}  // namespace

ExportDialog::ExportDialog(const DocumentController& controller, const Workspace& workspace, ui::GraphicView* current,
                           QWidget* parent)
    : QDialog(parent), source_(controller, workspace, current), folder_(startFolder()) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    build();
    const Preferences& p = Preferences::instance();
    PictureChoice choice;
    choice.format = p.value(QStringLiteral("export/format")).toString();
    choice.scale = p.value(QStringLiteral("export/scale")).toInt();
    choice.asOnScreen = p.value(QStringLiteral("export/theme")).toString() == u"screen";
    choice.grey = p.value(QStringLiteral("export/theme")).toString() == u"grey";
    choice.title = p.value(QStringLiteral("export/title")).toBool();
    choice.legend = p.value(QStringLiteral("export/legend")).toBool();
    setPicture(choice);
    list_->setCurrentRow(0);
    refresh();
}

// ---- construction ----------------------------------------------------------------------------------------

void ExportDialog::build() {
    const ui::Theme& theme = ui::themeOf(this);
    buildList();
    auto* halves = new QHBoxLayout;
    halves->setSpacing(theme.px(14));
    halves->addWidget(list_);
    halves->addLayout(buildChoices(), 1);
    QHBoxLayout* where = buildDestination();
    QDialogButtonBox* buttons = buildButtons();
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(theme.px(16), theme.px(14), theme.px(16), theme.px(12));
    all->setSpacing(theme.px(10));
    all->addLayout(halves, 1);
    all->addLayout(where);
    all->addWidget(force_);
    all->addWidget(old_);
    all->addWidget(message_);
    all->addWidget(buttons);
    ui::setScaledWindowSize(this, 820, 600);
    connect(list_, &QListWidget::currentRowChanged, this, &ExportDialog::choose);
    connect(old_, &QCheckBox::toggled, this, &ExportDialog::refresh);
    connect(&task_, &LongTask::cancelled, this, &ExportDialog::stopped);
    connect(&task_, &LongTask::failed, this, [this] {
        stopped();
        fail(makeError("INT-001", "", "the program failed unexpectedly; the log says how"));
    });
}

void ExportDialog::buildList() {
    const ui::Theme& theme = ui::themeOf(this);
    list_ = new QListWidget(this);
    list_->setObjectName(QStringLiteral("exportWhat"));
    list_->setAccessibleName(tr("What to export"));
    list_->setFixedWidth(theme.px(168));
    for (const Kind& kind : kKinds) {
        if (!source_.has(kind.what)) continue;
        const QString title = tr2(kind.title);
        auto* item =
            new QListWidgetItem(kind.what == ExportWhat::Bundle ? title.arg(titleOf(source_.target())) : title, list_);
        item->setData(Qt::UserRole, static_cast<int>(kind.what));
        item->setSizeHint(QSize(0, theme.px(28)));
    }
}

/// What is exported and how, above a preview.
QVBoxLayout* ExportDialog::buildChoices() {
    const ui::Theme& theme = ui::themeOf(this);
    about_ = new QLabel(this);
    about_->setWordWrap(true);
    about_->setForegroundRole(QPalette::PlaceholderText);
    options_ = new PictureOptions(this);
    buildViews();
    connect(options_, &PictureOptions::changed, this, &ExportDialog::refresh);
    force_ = new QCheckBox(tr("Write into a folder that is not empty; files of the same name are replaced"), this);
    force_->setObjectName(QStringLiteral("exportForce"));
    preview_ = new QStackedWidget(this);
    preview_->setMinimumSize(theme.px(300), theme.px(96));  // large text leaves it little room
    image_ = new QLabel(preview_);
    image_->setAlignment(Qt::AlignCenter);
    image_->setAccessibleName(tr("Preview"));
    image_->setFrameShape(QFrame::StyledPanel);
    text_ = new QPlainTextEdit(preview_);
    text_->setObjectName(QStringLiteral("exportText"));
    text_->setReadOnly(true);
    text_->setFont(theme.font(ui::TextStyle::Fixed));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setAccessibleName(tr("Preview"));
    preview_->addWidget(image_);
    preview_->addWidget(text_);
    auto* right = new QVBoxLayout;
    right->setSpacing(theme.px(8));
    right->addWidget(about_);
    right->addWidget(options_);
    right->addWidget(preview_, 1);
    return right;
}

QHBoxLayout* ExportDialog::buildDestination() {
    path_ = new QLineEdit(this);
    path_->setObjectName(QStringLiteral("exportPath"));
    auto* pathLabel = new QLabel(tr("Write to"), this);
    pathLabel->setBuddy(path_);
    auto* browse = new QPushButton(tr("Browse..."), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(path_, &QLineEdit::textEdited, this, [this] {
        isOwnPath_ = true;
        say({});
    });
    auto* where = new QHBoxLayout;
    where->addWidget(pathLabel);
    where->addWidget(path_, 1);
    where->addWidget(browse);
    return where;
}

/// With what is said above them.
QDialogButtonBox* ExportDialog::buildButtons() {
    old_ = new QCheckBox(tr("Export the old plan anyway: it is older than the hints or settings"), this);
    old_->setObjectName(QStringLiteral("exportOld"));
    message_ = new QLabel(this);
    message_->setObjectName(QStringLiteral("exportMessage"));
    message_->setWordWrap(true);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QDialogButtonBox(this);
    copy_ = buttons->addButton(tr("Copy command line"), QDialogButtonBox::ActionRole);
    copy_->setObjectName(QStringLiteral("exportCopy"));
    export_ = buttons->addButton(tr("Export"), QDialogButtonBox::AcceptRole);
    export_->setObjectName(QStringLiteral("exportButton"));
    buttons->addButton(QDialogButtonBox::Close);
    ui::setPrimary(export_);
    export_->setDefault(true);
    connect(export_, &QPushButton::clicked, this, &ExportDialog::run);
    connect(buttons, &QDialogButtonBox::rejected, this, &ExportDialog::reject);
    connect(copy_, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(source_.commandLine(what(), picture(), destination()));
        say(tr("Copied."));
    });
    return buttons;
}

/// Which view, where one is exported.
void ExportDialog::buildViews() {
    view_ = new QComboBox(options_);
    view_->setObjectName(QStringLiteral("exportView"));
    options_->addViewRow(view_);
    connect(view_, &QComboBox::currentIndexChanged, this, [this] {
        source_.setView(view_->currentData().toString());
        choose();
    });
    fillViews();
}

/// A comparison comes and goes; the view that was chosen stays so while it is there.
void ExportDialog::fillViews() {
    const QSignalBlocker quiet(view_);
    view_->clear();
    for (const ExportSource::ViewName& name : source_.viewNames())
        view_->addItem(name.title, name.key);
    view_->setCurrentIndex(std::max(0, view_->findData(source_.viewKey())));
    source_.setView(view_->currentData().toString());
}

void ExportDialog::setView(const QString& key) {
    if (const int row = view_->findData(key); row >= 0) view_->setCurrentIndex(row);
}

// ---- what and how ----------------------------------------------------------------------------------------

ExportWhat ExportDialog::what() const {
    const QListWidgetItem* item = list_->currentItem();
    return item == nullptr ? ExportWhat::Plan : static_cast<ExportWhat>(item->data(Qt::UserRole).toInt());
}

void ExportDialog::setWhat(ExportWhat what) {
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(Qt::UserRole).toInt() == static_cast<int>(what)) list_->setCurrentRow(i);
}

PictureChoice ExportDialog::picture() const {
    return options_->choice();
}

void ExportDialog::setPicture(const PictureChoice& picture) {
    options_->setChoice(picture);
}

void ExportDialog::setDestination(const QString& path) {
    isOwnPath_ = true;
    path_->setText(QDir::toNativeSeparators(path));
}

QString ExportDialog::destination() const {
    return QDir::cleanPath(QDir::fromNativeSeparators(path_->text().trimmed()));
}

QString ExportDialog::error() const {
    return message_->text();
}

/// Another kind has another name.
void ExportDialog::choose() {
    if (isOwnPath_) folder_ = QFileInfo(destination()).path();
    isOwnPath_ = false;
    say({});
    refresh();
}

void ExportDialog::refresh() {
    if (list_->currentItem() == nullptr) return;
    const ExportWhat kind = what();
    const bool isPicture = kind == ExportWhat::CurrentView || kind == ExportWhat::AllViews;
    for (const Kind& k : kKinds)
        if (k.what == kind) about_->setText(tr2(k.about));
    if (kind == ExportWhat::Bundle) about_->setText(QCoreApplication::translate("Target", source_.target().files));
    const bool isOneView = kind == ExportWhat::CurrentView;
    options_->showRows(isOneView || kind == ExportWhat::CurrentTable, isPicture);
    options_->setIsOneView(isOneView);
    options_->setOffers(!isOneView || source_.hasLegend(), !isOneView || source_.hasMarks());
    options_->setNaturalWidth(source_.naturalWidth(picture()));
    options_->setDenseShapes(source_.denseShapes(kind, picture()));
    force_->setVisible(isBundle(kind) && ExportSource::isFolder(kind));
    const bool isStale = source_.isStale(kind);
    old_->setVisible(isStale);
    export_->setEnabled(!isStale || old_->isChecked());
    if (!isOwnPath_)
        path_->setText(QDir::toNativeSeparators(folder_ + QLatin1Char('/') + source_.suggestedName(kind, picture())));
    const QString command = source_.commandLine(kind, picture(), destination());
    copy_->setEnabled(!command.isEmpty());
    copy_->setToolTip(command.isEmpty() ? tr("No command makes the same bytes") : command);
    refreshPreview();
}

void ExportDialog::refreshPreview() {
    if (list_->currentItem() == nullptr) return;
    const ExportWhat kind = what();
    if (kind == ExportWhat::CurrentView || kind == ExportWhat::AllViews) {
        const QSize room = preview_->size().expandedTo(preview_->minimumSize()) - QSize(8, 8);
        const qreal ratio = devicePixelRatioF();
        QImage image = source_.picture(picture(), room * ratio);
        image.setDevicePixelRatio(ratio);
        image_->setPixmap(QPixmap::fromImage(image));
        preview_->setCurrentWidget(image_);
        return;
    }
    preview_->setCurrentWidget(text_);
    if (isBundle(kind)) {
        showText(tr("Making the files..."));
        isWriting_ = false;
        task_.start(tr("Making the bundle"),
                    [this, kind, make = source_.bundle(kind)](const RunControl& control) -> BackgroundTask::Finish {
                        control.progress("Making the bundle", 0, 0);
                        auto files = std::make_shared<Result<std::vector<io::FolderFile>>>(make());
                        return [this, kind, files] {
                            if (what() != kind) return;
                            if (*files) return showText(bundleText(files->value()));
                            showText(QString());
                            fail(files->error());
                        };
                    });
        return;
    }
    QString shown;
    for (const ExportFile& file : source_.files(kind, picture())) {
        const Result<QByteArray> bytes = file.make();
        if (!bytes) continue;
        if (ExportSource::isFolder(kind)) shown += QStringLiteral("--- %1\n").arg(file.name);
        shown += firstLines(bytes.value()) + QLatin1Char('\n');
    }
    showText(shown);
}

/// The preview was made before its room was known.
void ExportDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    const ExportWhat kind = what();
    if (kind == ExportWhat::CurrentView || kind == ExportWhat::AllViews)
        QMetaObject::invokeMethod(this, &ExportDialog::refreshPreview, Qt::QueuedConnection);
}

void ExportDialog::planChanged() {
    const bool isBusyWriting = task_.isRunning() && isWriting_;
    if (!source_.hasDocument() || isBusyWriting) return;
    fillViews();
    refresh();
}

void ExportDialog::showText(const QString& text) {
    text_->setPlainText(text);
}

void ExportDialog::browse() {
    const ExportWhat kind = what();
    QString path;
    if (ExportSource::isFolder(kind)) {
        path = QFileDialog::getExistingDirectory(this, tr("Export into"), QFileInfo(destination()).path());
        // A folder that was there holds the new one, as a file would be put into it.
        if (!path.isEmpty() && !QDir(path).isEmpty()) path += QLatin1Char('/') + source_.suggestedName(kind, picture());
    } else {
        path = QFileDialog::getSaveFileName(this, tr("Export"), destination(), QString(), nullptr,
                                            QFileDialog::DontConfirmOverwrite);
    }
    if (!path.isEmpty()) setDestination(path);
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/preferences/settings_dialog.h"

#include "app/gui/preferences/action_table.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace memplan::app {
namespace {

using Kind = PreferenceRow::Kind;

QLabel* quiet(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QString plainText(const QString& menuText) {
    return QString(menuText).remove(QLatin1Char('&'));
}

}  // namespace

// ---- shortcuts -------------------------------------------------------------------------------------------------

ShortcutsPage::ShortcutsPage(const ActionTable& actions, QWidget* parent) : QWidget(parent), actions_(actions) {
    auto* column = new QVBoxLayout(this);
    ui::setScaledMargins(column, {}, 8);
    table_ = new QTableWidget(0, 3, this);
    table_->setObjectName(QStringLiteral("shortcutTable"));
    table_->setAccessibleName(tr("Shortcuts"));
    table_->setHorizontalHeaderLabels({tr("Action"), tr("Keys"), QString()});
    table_->verticalHeader()->hide();
    ui::withScale(table_, [this](const ui::Theme& theme) {
        table_->verticalHeader()->setDefaultSectionSize(theme.px(30));
        for (int row = 0; row < table_->rowCount(); ++row)
            table_->setRowHeight(row, theme.px(30));
    });
    table_->setShowGrid(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionMode(QAbstractItemView::NoSelection);
    table_->setFocusPolicy(Qt::NoFocus);
    table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    table_->setColumnWidth(1, ui::themeOf(this).px(210));
    table_->setColumnWidth(2, ui::themeOf(this).px(34));
    conflicts_ = new QLabel(this);
    conflicts_->setObjectName(QStringLiteral("shortcutConflicts"));
    conflicts_->setWordWrap(true);
    conflicts_->setTextFormat(Qt::PlainText);
    column->addWidget(quiet(tr("Click a field and press the new keys. Single letters act in the graphic views only "
                               "and are listed in the keyboard map."),
                            this));
    column->addWidget(table_, 1);
    column->addWidget(conflicts_);
    fill();
}

void ShortcutsPage::fill() {
    table_->setRowCount(0);
    for (const ActionRow& row : actions_.rows()) {
        const int at = table_->rowCount();
        table_->insertRow(at);
        const QString name = row.menu.isEmpty()
                                 ? plainText(row.text)
                                 : QStringLiteral("%1 \u203a %2").arg(plainText(row.menu), plainText(row.text));
        table_->setItem(at, 0, new QTableWidgetItem(name));
        auto* edit = new QKeySequenceEdit(table_);
        edit->setAccessibleName(tr("Keys of %1").arg(plainText(row.text)));
        const QString now = Preferences::instance().shortcut(row.id, row.shortcut);
        const QStringList all = now.split(QStringLiteral("; "), Qt::SkipEmptyParts);
        edit->setKeySequence(QKeySequence(all.value(0), QKeySequence::PortableText));
        const QStringList others = all.mid(1);
        if (!others.isEmpty()) edit->setToolTip(tr("Also %1").arg(others.join(QStringLiteral(", "))));
        connect(edit, &QKeySequenceEdit::editingFinished, this, [this, edit, row, others] {
            QStringList keys{edit->keySequence().toString(QKeySequence::PortableText)};
            keys.removeAll(QString());
            keys << others;
            Preferences::instance().setShortcut(row.id, keys.join(QStringLiteral("; ")), row.shortcut);
            showConflicts();
        });
        auto* reset = new QToolButton(table_);
        reset->setIcon(ui::icon(QStringLiteral("reset")));
        reset->setAutoRaise(true);
        reset->setToolTip(tr("Back to %1").arg(row.shortcut.isEmpty() ? tr("no keys") : row.shortcut));
        reset->setAccessibleName(tr("Reset keys of %1").arg(plainText(row.text)));
        ui::setScaledSize(reset, 24, 24);
        connect(reset, &QToolButton::clicked, this, [this, edit, row] {
            Preferences::instance().setShortcut(row.id, row.shortcut, row.shortcut);
            edit->setKeySequence(
                QKeySequence(row.shortcut.section(QStringLiteral("; "), 0, 0), QKeySequence::PortableText));
            showConflicts();
        });
        table_->setCellWidget(at, 1, edit);
        table_->setCellWidget(at, 2, reset);
    }
    showConflicts();
}

QString ShortcutsPage::conflictText() const {
    QHash<QString, QStringList> users;
    QStringList order;
    for (const ActionRow& row : actions_.rows()) {
        const QString now = Preferences::instance().shortcut(row.id, row.shortcut);
        for (const QString& key : now.split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
            if (!users.contains(key)) order << key;
            users[key] << plainText(row.text);
        }
    }
    QStringList lines;
    for (const QString& key : order) {
        if (users[key].size() > 1) lines << tr("%1 is used by %2").arg(key, users[key].join(tr(" and by ")));
    }
    return lines.join(QLatin1Char('\n'));
}

void ShortcutsPage::showConflicts() {
    const QString text = conflictText();
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText,
                     ui::themeOf(this).color(text.isEmpty() ? ui::Token::Text3 : ui::Token::Error));
    conflicts_->setPalette(colours);
    conflicts_->setText(text.isEmpty() ? tr("No two actions share keys.") : text);
}

// ---- the dialog ------------------------------------------------------------------------------------------------

SettingsDialog::SettingsDialog(const ActionTable& actions, QWidget* parent) : QDialog(parent), actions_(actions) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Pages"));
    ui::setScaledSize(list_, 150, -1);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    stack_ = new QStackedWidget(this);
    auto* row = new QHBoxLayout;
    ui::setScaledMargins(row, {}, 16);
    row->addWidget(list_);
    row->addWidget(stack_, 1);

    auto* where = new QLabel(tr("Kept in %1").arg(Preferences::filePath()), this);
    where->setForegroundRole(QPalette::PlaceholderText);
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    where->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* reset = buttons->addButton(tr("Reset this page"), QDialogButtonBox::ResetRole);
    reset->setObjectName(QStringLiteral("resetPage"));
    auto* importButton = buttons->addButton(tr("Import..."), QDialogButtonBox::ActionRole);
    auto* exportButton = buttons->addButton(tr("Export..."), QDialogButtonBox::ActionRole);
    // Return in a field takes its value; a button that is the default of the dialog would be pressed by it too.
    for (QAbstractButton* button : buttons->buttons())
        if (auto* push = qobject_cast<QPushButton*>(button)) push->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(reset, &QPushButton::clicked, this, &SettingsDialog::resetCurrentPage);
    const QString filter = tr("Settings (*.ini *.conf)");
    connect(exportButton, &QPushButton::clicked, this, [this, filter] {
        const QString path =
            QFileDialog::getSaveFileName(this, tr("Export settings"), QStringLiteral("memplan-studio.ini"), filter);
        if (!path.isEmpty() && !Preferences::instance().exportTo(path))
            QMessageBox::warning(this, tr("Not written"), tr("%1 cannot be written.").arg(path));
    });
    connect(importButton, &QPushButton::clicked, this, [this, filter] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Import settings"), QString(), filter);
        if (path.isEmpty()) return;
        if (!Preferences::instance().importFrom(path))
            QMessageBox::warning(this, tr("Not read"), tr("%1 holds no settings of this program.").arg(path));
        rebuildPages();
    });
    auto* column = new QVBoxLayout(this);
    ui::setScaledMargins(column, {14, 14, 14, 12}, 12);
    column->addLayout(row, 1);
    column->addWidget(where);
    column->addWidget(buttons);
    rebuildPages();
    connect(list_, &QListWidget::currentRowChanged, stack_, &QStackedWidget::setCurrentIndex);
    list_->setCurrentRow(0);
    // The size of text is one of the settings: the dialog follows it, once its parts have.
    const auto fit = [this] { ui::setScaledWindowSize(this, 720, 520); };
    fit();
    ui::withScale(this, [this, fit, last = ui::themeOf(this).fontFactor()](const ui::Theme& theme) mutable {
        if (std::exchange(last, theme.fontFactor()) != last) QTimer::singleShot(0, this, fit);
    });
}

void SettingsDialog::rebuildPages() {
    const int at = qMax(0, list_->currentRow());
    while (stack_->count() > 0)
        delete stack_->widget(0);
    QStringList pages = Preferences::instance().pages();
    for (const QString& page : pages)
        stack_->addWidget(makePage(page));
    pages.insert(pages.size() - 1, tr("Shortcuts"));
    stack_->insertWidget(static_cast<int>(pages.size()) - 2, new ShortcutsPage(actions_, stack_));
    list_->clear();
    list_->addItems(pages);
    list_->setCurrentRow(at);
    stack_->setCurrentIndex(at);
}

void SettingsDialog::showPage(const QString& page) {
    for (int i = 0; i < list_->count(); ++i) {
        if (list_->item(i)->text() == page) list_->setCurrentRow(i);
    }
}

QWidget* SettingsDialog::makePage(const QString& page) {
    auto* scroll = new QScrollArea(stack_);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    auto* body = new QWidget(scroll);
    auto* grid = new QGridLayout(body);
    ui::withScale(grid, [grid](const ui::Theme& theme) {
        grid->setContentsMargins(0, 0, theme.px(8), 0);
        grid->setHorizontalSpacing(theme.px(16));
        grid->setVerticalSpacing(theme.px(6));
    });
    grid->setColumnStretch(1, 1);
    int line = 0;
    for (const PreferenceRow& row : Preferences::instance().rows()) {
        if (row.page != page) continue;
        QWidget* editor = makeEditor(row, body);
        editor->setObjectName(row.key);
        editor->setAccessibleName(row.label);
        editor->setAccessibleDescription(row.help);
        if (row.kind == Kind::Bool) {
            grid->addWidget(editor, line++, 0, 1, 2);
        } else {
            auto* label = new QLabel(row.label, body);
            label->setBuddy(editor);
            grid->addWidget(label, line, 0);
            grid->addWidget(editor, line++, 1, row.kind == Kind::Folder ? Qt::Alignment() : Qt::AlignLeft);
        }
        if (!row.help.isEmpty()) grid->addWidget(quiet(row.help, body), line++, row.kind == Kind::Bool ? 0 : 1, 1, 2);
        grid->setRowMinimumHeight(line++, ui::themeOf(this).px(6));
    }
    grid->setRowStretch(line, 1);
    scroll->setWidget(body);
    return scroll;
}

QWidget* SettingsDialog::makeEditor(const PreferenceRow& row, QWidget* parent) {
    Preferences& store = Preferences::instance();
    const QString key = row.key;
    const auto set = [key](const QVariant& value) { Preferences::instance().set(key, value); };
    switch (row.kind) {
    case Kind::Bool: {
        auto* box = new QCheckBox(row.label, parent);
        box->setChecked(store.value(key).toBool());
        connect(box, &QCheckBox::toggled, this, set);
        return box;
    }
    case Kind::Int:
    case Kind::Real: {
        auto* spin = new QSpinBox(parent);
        spin->setRange(static_cast<int>(row.least), static_cast<int>(row.most));
        spin->setSuffix(row.suffix);
        spin->setKeyboardTracking(false);
        ui::setScaledMinimumWidth(spin, 150);
        spin->setValue(store.value(key).toInt());
        connect(spin, &QSpinBox::valueChanged, this, set);
        return spin;
    }
    case Kind::Choice: {
        auto* combo = new QComboBox(parent);
        combo->addItems(row.titles);
        ui::setScaledMinimumWidth(combo, 200);
        combo->setCurrentIndex(static_cast<int>(row.choices.indexOf(store.value(key).toString())));
        connect(combo, &QComboBox::activated, this, [set, row](int at) { set(row.choices.value(at)); });
        return combo;
    }
    case Kind::Folder: {
        auto* edit = new QLineEdit(store.value(key).toString(), parent);
        QAction* pick = edit->addAction(ui::icon(QStringLiteral("open")), QLineEdit::TrailingPosition);
        pick->setToolTip(tr("Choose a folder"));
        connect(edit, &QLineEdit::editingFinished, this, [set, edit] { set(edit->text()); });
        connect(pick, &QAction::triggered, this, [this, set, edit] {
            const QString folder = QFileDialog::getExistingDirectory(this, tr("Choose a folder"), edit->text());
            if (folder.isEmpty()) return;
            edit->setText(folder);
            set(folder);
        });
        return edit;
    }
    }
    return new QWidget(parent);
}

void SettingsDialog::resetCurrentPage() {
    const QString page = list_->currentItem() == nullptr ? QString() : list_->currentItem()->text();
    if (page == tr("Shortcuts"))
        Preferences::instance().resetShortcuts();
    else
        Preferences::instance().resetPage(page);
    rebuildPages();
}

}  // namespace memplan::app

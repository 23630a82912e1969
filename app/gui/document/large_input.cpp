// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/large_input.h"

#include "engine/settings/settings.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <array>

namespace memplan::app {

using ui::fromStd;
using ui::groupedText;

namespace {

struct Counted {
    const char* key;
    const char* unit;
};

/// The limits that a person may want to raise for a large input; the others guard against hostile ones.
constexpr std::array<Counted, 9> kCounted{{{"limits.graph_ops", QT_TR_NOOP("operations")},
                                           {"limits.graph_tensors", QT_TR_NOOP("tensors")},
                                           {"limits.csv_rows", QT_TR_NOOP("rows")},
                                           {"limits.csv_bytes", QT_TR_NOOP("bytes")},
                                           {"limits.json_bytes", QT_TR_NOOP("bytes")},
                                           {"limits.text_bytes", QT_TR_NOOP("bytes")},
                                           {"limits.nodes", QT_TR_NOOP("nodes")},
                                           {"limits.values", QT_TR_NOOP("values")},
                                           {"limits.import_memory_bytes", QT_TR_NOOP("bytes of memory")}}};

/// Which of them the error names.
const Counted* namedIn(const Diagnostic& d) {
    static const QRegularExpression kName(QStringLiteral("\\blimits\\.\\w+"));
    const QRegularExpressionMatch m = kName.match(fromStd(d.hint + " " + d.message));
    for (const Counted& c : kCounted) {
        if (m.hasMatch() && m.captured() == QLatin1String(c.key)) return &c;
    }
    return nullptr;
}

/// The count that the message begins with: "120 000 entries, ...".
std::optional<qint64> leadingCount(const QString& message) {
    QString digits;
    for (const QChar c : message) {
        if (c.isDigit())
            digits += c;
        else if (!c.isSpace() && c != u',' && c != QChar(0x202F))
            break;
    }
    bool ok = false;
    const qint64 count = digits.toLongLong(&ok);
    return ok ? std::optional(count) : std::nullopt;
}

}  // namespace

QString PassedLimit::sentence() const {
    const QString most = groupedText(limit);
    if (!found) return QObject::tr("More than %1 %2, the limit (%3)").arg(most, unit, key);
    return QObject::tr("%1 %2, the limit is %3 (%4)").arg(groupedText(*found), unit, most, key);
}

QString PassedLimit::refusal() const {
    return QObject::tr(
               "The hard limit is %1 %2: %3 cannot be raised further. Export a part of the model and open that.")
        .arg(groupedText(hardMaximum), unit, key);
}

std::optional<PassedLimit> passedLimit(const QString& path, const Error& error,
                                       const std::vector<std::pair<std::string, std::string>>& settings) {
    const Diagnostic& first = error.primary();
    const Counted* counted = namedIn(first);
    const SettingInfo* info = counted == nullptr ? nullptr : findSetting(counted->key);
    const auto given = Settings::fromPairs(settings);
    if (info == nullptr || !given) return std::nullopt;
    PassedLimit limit;
    limit.key = QString::fromLatin1(counted->key);
    limit.unit = QObject::tr(counted->unit);
    limit.limit = given.value().integer(counted->key);
    limit.hardMaximum = static_cast<qint64>(info->max);
    const qint64 fileBytes = QFileInfo(path).size();
    const bool isOfFile = limit.key.endsWith(u"_bytes") && limit.key != u"limits.import_memory_bytes";
    if (isOfFile && fileBytes > limit.limit) limit.found = fileBytes;
    if (!isOfFile) {
        const auto count = leadingCount(fromStd(first.message));
        if (count && *count > limit.limit) limit.found = count;
    }
    return limit;
}

LargeInputDialog::LargeInputDialog(const QString& path, const PassedLimit& limit, const GraphCut& before,
                                   QWidget* parent)
    : QDialog(parent), limit_(limit) {
    setObjectName(QStringLiteral("largeInput"));
    setWindowTitle(tr("Large input"));
    const ui::Theme& theme = ui::themeOf(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(20), theme.px(18), theme.px(20), theme.px(16));
    column->setSpacing(theme.px(10));
    const auto words = [&](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        column->addWidget(label);
        return label;
    };
    words(tr("%1 is over a limit").arg(QFileInfo(path).fileName()))->setFont(theme.font(ui::TextStyle::ObjectTitle));
    words(limit.sentence());
    if (limit.key.startsWith(u"limits.csv"))
        words(tr("Open all of it? That may take long and need much memory."));
    else
        buildChoice(column, before);
    QLabel* raise = words(tr("%1 is raised to %2 for this document.").arg(limit.key, groupedText(limit.hardMaximum)));
    raise->setForegroundRole(QPalette::PlaceholderText);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    open_ = buttons->addButton(tr("Raise and open"), QDialogButtonBox::AcceptRole);
    ui::setPrimary(open_);
    open_->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(theme.px(480));
    offer();
}

void LargeInputDialog::buildChoice(QVBoxLayout* column, const GraphCut& before) {
    const ui::Theme& theme = ui::themeOf(this);
    all_ = new QRadioButton(tr("Open all of it; that may take long and need much memory"), this);
    part_ = new QRadioButton(tr("Open a part:"), this);
    (before.isEmpty() ? all_ : part_)->setChecked(true);
    column->addWidget(all_);
    column->addWidget(part_);
    auto* form = new QFormLayout;
    form->setContentsMargins(theme.px(24), 0, 0, 0);
    const auto field = [&](const QString& label, const QString& empty, const char* name, const std::string& value) {
        auto* edit = new QLineEdit(fromStd(value), this);
        edit->setObjectName(QString::fromLatin1(name));
        edit->setPlaceholderText(empty);
        edit->setAccessibleName(label);
        form->addRow(label, edit);
        connect(edit, &QLineEdit::textEdited, this, [this] { part_->setChecked(true), offer(); });
        return edit;
    };
    first_ = field(tr("First operation"), tr("number from 0, or id; empty: the first"), "largeFirst", before.first);
    last_ = field(tr("Last operation"), tr("number or id; empty: the last"), "largeLast", before.last);
    prefix_ = field(tr("Annotation begins with"), tr("layer3/attention; empty: any"), "largePrefix", before.prefix);
    column->addLayout(form);
    auto* note = new QLabel(tr("The file is read as a whole, the part alone is planned: tensors that other operations "
                               "make become its inputs, those that others read its outputs."),
                            this);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(note);
    connect(part_, &QRadioButton::toggled, this, &LargeInputDialog::offer);
}

void LargeInputDialog::offer() {
    const bool isPart = part_ != nullptr && part_->isChecked();
    if (open_ != nullptr) open_->setEnabled(!isPart || !cut().isEmpty());
}

GraphCut LargeInputDialog::cut() const {
    if (part_ == nullptr || !part_->isChecked()) return {};
    return {first_->text().trimmed().toStdString(), last_->text().trimmed().toStdString(),
            prefix_->text().trimmed().toStdString()};
}

std::pair<std::string, std::string> LargeInputDialog::raised() const {
    return {limit_.key.toStdString(), std::to_string(limit_.hardMaximum)};
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/help/template_dialog.h"

#include "engine/graph/dtype.h"
#include "engine/graph/templates.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "widgets/kit/controls/window_size.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

namespace memplan::app {
namespace {

QString view(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

const TemplateInfo& infoAt(int index) {
    return graphTemplates()[static_cast<std::size_t>(index)];
}

}  // namespace

TemplateDialog::TemplateDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("templateDialog"));
    setWindowTitle(tr("New from template"));
    const ui::Theme& theme = ui::themeOf(this);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Templates"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFixedWidth(theme.px(170));
    for (const TemplateInfo& info : graphTemplates())
        list_->addItem(view(info.title));
    auto* side = new QVBoxLayout;
    side->setSpacing(theme.px(10));
    sentence_ = new QLabel(this);
    sentence_->setWordWrap(true);
    form_ = new QWidget(this);
    new QFormLayout(form_);
    facts_ = new QLabel(this);
    facts_->setObjectName(QStringLiteral("templateFacts"));
    facts_->setForegroundRole(QPalette::PlaceholderText);
    facts_->setWordWrap(true);
    error_ = new QLabel(this);
    error_->setWordWrap(true);
    QPalette red = palette();
    red.setColor(QPalette::WindowText, theme.color(ui::Token::Error));
    error_->setPalette(red);
    side->addWidget(sentence_);
    side->addWidget(form_);
    side->addWidget(facts_);
    side->addWidget(error_);
    side->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme.px(16));
    row->addWidget(list_);
    row->addLayout(side, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    create_ = buttons->addButton(tr("Save and open..."), QDialogButtonBox::AcceptRole);
    ui::setPrimary(create_);
    connect(create_, &QPushButton::clicked, this, &TemplateDialog::askAndWrite);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(14), theme.px(14), theme.px(14), theme.px(12));
    column->setSpacing(theme.px(12));
    column->addLayout(row, 1);
    column->addWidget(buttons);
    connect(list_, &QListWidget::currentRowChanged, this, &TemplateDialog::showTemplate);
    list_->setCurrentRow(0);
    ui::setScaledWindowSize(this, 560, 360);
}

void TemplateDialog::choose(const QString& id) {
    for (int i = 0; i < list_->count(); ++i) {
        if (view(infoAt(i).id) == id) list_->setCurrentRow(i);
    }
}

void TemplateDialog::showTemplate(int index) {
    if (index < 0) return;
    at_ = index;
    const TemplateInfo& info = infoAt(index);
    sentence_->setText(view(info.sentence));
    auto* form = qobject_cast<QFormLayout*>(form_->layout());
    while (form->rowCount() > 0)
        form->removeRow(0);
    fields_.clear();
    for (const TemplateParameter& p : info.parameters) {
        auto* field = new QSpinBox(form_);
        field->setRange(static_cast<int>(p.least), static_cast<int>(p.most));
        field->setValue(static_cast<int>(p.byDefault));
        field->setAccessibleName(view(p.label));
        field->setMinimumWidth(ui::themeOf(this).px(130));
        connect(field, &QSpinBox::valueChanged, this, &TemplateDialog::showFacts);
        form->addRow(view(p.label), field);
        fields_.push_back(field);
    }
    showFacts();
}

std::vector<std::int64_t> TemplateDialog::values() const {
    std::vector<std::int64_t> list;
    for (const QSpinBox* field : fields_)
        list.push_back(field->value());
    return list;
}

void TemplateDialog::showFacts() {
    error_->clear();
    const auto graph = makeTemplate(infoAt(at_).id, values());
    create_->setEnabled(graph.ok());
    if (!graph) {
        error_->setText(ui::fromStd(graph.error().primary().message));
        return;
    }
    double largest = 0;
    for (const Tensor& t : graph.value().tensors) {
        double bytes = dtypeBits(t.dtype) / 8.0;
        for (const std::int64_t e : t.shape)
            bytes *= static_cast<double>(e);
        largest = std::max(largest, bytes);
    }
    facts_->setText(tr("%1 operations, %2 tensors, fp16; the largest tensor has %3")
                        .arg(graph.value().ops.size())
                        .arg(graph.value().tensors.size())
                        .arg(ui::humanBytes(static_cast<Bytes>(largest))));
}

void TemplateDialog::askAndWrite() {
    const QString folder = QSettings().value(QStringLiteral("lastFolder")).toString();
    const QString name = view(infoAt(at_).id) + QStringLiteral(".mpg.json");
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save graph"), folder.isEmpty() ? name : folder + QLatin1Char('/') + name,
                                     tr("Neutral graphs (*.json)"));
    if (!path.isEmpty() && writeTo(path)) accept();
}

bool TemplateDialog::writeTo(const QString& path) {
    const auto graph = makeTemplate(infoAt(at_).id, values());
    if (!graph) return false;
    const auto written = io::writeFileAtomically(path.toStdString(), io::writeGraphJson(graph.value()));
    if (!written) {
        error_->setText(ui::fromStd(written.error().primary().message));
        return false;
    }
    emit created(path);
    return true;
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison as files: one picture of outcome, metrics, maps and changes, and the change table (user-experience
// 16.6, 17.1).
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/shipped_view.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/workspace/window_services.h"
#include "engine/io/files.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/compare/compare_header.h"
#include "widgets/tools/compare/compare_picture.h"
#include "widgets/views/gantt/gantt_view.h"

namespace memplan::app {
namespace {

QString saveFolder() {
    const QString folder = Preferences::instance().value(QStringLiteral("files/save_folder")).toString();
    return folder.isEmpty() ? QString() : folder + QLatin1Char('/');
}

/// Both maps with the same part and the same marks.
class DressedComparison final : public ui::PictureSource {
public:
    DressedComparison(ui::ComparedPtr compared, ui::GanttView& a, ui::GanttView& b, const ui::RenderOptions& dress)
        : mapOfA_(a, dress), mapOfB_(b, dress), picture_(std::move(compared), &mapOfA_, &mapOfB_) {}
    [[nodiscard]] QString viewName() const override { return picture_.viewName(); }
    [[nodiscard]] QString scopeText() const override { return picture_.scopeText(); }
    [[nodiscard]] QSize pictureSize() const override { return picture_.pictureSize(); }
    void paintPicture(QPainter& painter, QSize size, const ui::Theme& theme) const override {
        picture_.paintPicture(painter, size, theme);
    }

private:
    ui::ViewPicture mapOfA_, mapOfB_;
    ui::ComparePicture picture_;
};

}  // namespace

std::unique_ptr<ui::PictureSource> CompareController::picture(const ui::RenderOptions& dress) const {
    if (!compared_) return nullptr;
    return std::make_unique<DressedComparison>(compared_, *ganttOfA(), *ganttOfB(), dress);
}

bool CompareController::looksAsOpened() const {
    const Document* document = controller_.document();
    const auto& sample = controller_.lastRequest().sample;
    if (!compared_ || document == nullptr || !sample || document->isModified()) return false;
    const auto& plans = document->plans();
    const bool isAsShipped = plans.size() > 1 && plans.size() == sample->variants.size();
    if (!isAsShipped || compared_->b != plans.back().plan || compared_->a != plans[plans.size() - 2].plan) return false;
    return header_->form() == ui::CompareHeader::Form::SideBySide && hasShippedToggles(*ganttOfA()) &&
           hasShippedToggles(*ganttOfB());
}

PicturedView CompareController::pictured() {
    PicturedView view;
    view.key = QStringLiteral("compare");
    view.title = tr("Comparison");
    view.widget = changes_;
    view.hasMarks = true;  // in its maps
    view.isThere = [this] { return compared_ != nullptr; };
    view.picture = [this](const ui::RenderOptions& dress) { return picture(dress); };
    view.csv = [this] { return QByteArray::fromStdString(compare::changesCsv(compared_->result)); };
    view.looksAsOpened = [this] { return looksAsOpened(); };
    return view;
}

void CompareController::saveCsv() {
    if (!compared_) return;
    const QString path = services_.askNewFile(
        tr("Save the change table"), saveFolder() + controller_.document()->name() + QStringLiteral("-changes.csv"),
        tr("CSV table (*.csv)"));
    if (path.isEmpty()) return;
    const auto written = io::writeFileAtomically(path.toStdString(), compare::changesCsv(compared_->result));
    if (!written) failed(path, written.error());
}

void CompareController::savePages() {
    if (!compared_) return;
    const QString path = services_.askNewFile(
        tr("Save the comparison"), saveFolder() + controller_.document()->name() + QStringLiteral("-comparison.pdf"),
        tr("PDF page (*.pdf);;PNG picture (*.png);;SVG drawing (*.svg)"));
    if (path.isEmpty()) return;
    const auto shown = picture({});
    ui::PictureRequest request;
    request.size = shown->pictureSize();
    request.scale = path.endsWith(u".png", Qt::CaseInsensitive) ? 2 : 1;
    request.title = true;
    if (const auto written = ui::exportPicture(*shown, request, path); !written) failed(path, written.error());
}

}  // namespace memplan::app

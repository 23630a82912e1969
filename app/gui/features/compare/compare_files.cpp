// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/compare_files.h"

#include "app/gui/features/export/shipped_view.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/workspace/window_services.h"
#include "engine/io/files/files.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/tools/compare/compare_picture.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/residual/residual_view.h"

#include <QCoreApplication>

namespace memplan::app {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("CompareFiles", text);
}

QString saveFolder() {
    const QString folder = Preferences::instance().value(QStringLiteral("files/save_folder")).toString();
    return folder.isEmpty() ? QString() : folder + QLatin1Char('/');
}

QString marksOfA(const ui::GraphicView& mapOfB) {
    if (qobject_cast<const ui::GanttView*>(&mapOfB) != nullptr) return tr("dashed: places in A");
    const auto* residual = qobject_cast<const ui::ResidualView*>(&mapOfB);
    return residual != nullptr && residual->state().showsPeerLine ? tr("line: occupied columns of A") : QString();
}

/// Both maps with the same part and the same marks.
class RenderedComparison final : public ui::PictureSource {
public:
    RenderedComparison(const ShownComparison& shown, const ui::RenderOptions& render)
        : mapOfA_(*shown.mapOfA, render), mapOfB_(*shown.mapOfB, render),
          picture_(shown.compared, {&mapOfA_, &mapOfB_, marksOfA(*shown.mapOfB)}) {}
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

std::unique_ptr<ui::PictureSource> comparisonPicture(const ShownComparison& shown, const ui::RenderOptions& render) {
    return std::make_unique<RenderedComparison>(shown, render);
}

bool looksAsOpened(const ShownComparison& shown, const DocumentController& controller) {
    const Document* document = controller.document();
    const auto& sample = controller.lastRequest().sample;
    if (!shown.compared || document == nullptr || !sample || document->isModified()) return false;
    const auto& plans = document->plans();
    const bool isAsShipped = plans.size() > 1 && plans.size() == sample->variants.size();
    if (!isAsShipped || shown.compared->b != plans.back().plan || shown.compared->a != plans[plans.size() - 2].plan)
        return false;
    const auto isShipped = [](ui::GraphicView* view) {
        const auto* gantt = qobject_cast<ui::GanttView*>(view);
        return gantt != nullptr ? hasShippedToggles(*gantt) : looksAsOpened(*view);
    };
    return shown.isInFirstForm && isShipped(shown.mapOfA) && isShipped(shown.mapOfB);
}

Result<void> saveChanges(const ui::Compared& compared, const QString& document, WindowServices& services) {
    const QString path = services.askNewFile(
        tr("Save the change table"), saveFolder() + document + QStringLiteral("-changes.csv"), tr("CSV table (*.csv)"));
    if (path.isEmpty()) return {};
    return io::writeFileAtomically(path.toStdString(), compare::changesCsv(compared.result));
}

Result<void> savePages(const ShownComparison& shown, const QString& document, WindowServices& services) {
    const QString path =
        services.askNewFile(tr("Save the comparison"), saveFolder() + document + QStringLiteral("-comparison.pdf"),
                            tr("PDF page (*.pdf);;PNG picture (*.png);;SVG drawing (*.svg)"));
    if (path.isEmpty()) return {};
    const auto picture = comparisonPicture(shown, {});
    ui::PictureRequest request;
    request.size = picture->pictureSize();
    request.scale = path.endsWith(u".png", Qt::CaseInsensitive) ? 2 : 1;
    request.title = true;
    return ui::exportPicture(*picture, request, path);
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// What can be exported of a document, as names and bytes (user-experience 17.1, 17.7). Asks nobody and writes nothing.
#pragma once

#include "app/gui/document/document_controller.h"
#include "engine/base/result.h"
#include "engine/io/files/folder.h"
#include "widgets/canvas/view_picture.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <vector>

namespace memplan::ui {
class GraphicView;
class PictureSource;
struct PictureRequest;
}  // namespace memplan::ui

namespace memplan::app {

class Workspace;
struct PicturedView;
struct TargetUi;

/// Bundle: the target's own files; PlanFolder and PlanZip: the plan with all that belongs to it under a manifest with
/// hashes (inputs-and-interchange 5.1).
enum class ExportWhat {
    CurrentView,
    AllViews,
    CurrentTable,
    AllTables,
    Plan,
    Hints,
    Bundle,
    PlanFolder,
    PlanZip,
    Trace,
    ModelExplorer,
    Dot,
    Snapshots
};
/// Made on a worker, all its files at once.
[[nodiscard]] inline bool isBundle(ExportWhat what) {
    return what == ExportWhat::Bundle || what == ExportWhat::PlanFolder || what == ExportWhat::PlanZip;
}

struct PictureChoice {
    QString format = QStringLiteral("png");  ///< png, svg, pdf
    int scale = 2;                           ///< png only, while no width is given
    int widthPx = 0;                         ///< png only; 0 = by scale
    double widthMm = 0;                      ///< on paper; 0 = a px is 1/96 inch
    int dpi = 300;                           ///< png with a width on paper
    bool asOnScreen = false;                 ///< else light, for paper
    bool grey = false;                       ///< light without colours: patterns alone distinguish residences
    bool title = true, legend = true, footer = false;
    ui::RenderOptions render;
};

/// One file to come: its name, and its bytes when asked for.
struct ExportFile {
    QString name;
    std::function<Result<QByteArray>()> make;
};

/// What was chosen has gone before it was written: a comparison ends while the dialog stands open.
[[nodiscard]] Error exportGone(const QString& where);

class ExportSource {
public:
    /// `current` is the view in front until another is chosen.
    ExportSource(const DocumentController& controller, const Workspace& workspace, ui::GraphicView* current);

    struct ViewName {
        QString key, title;
    };
    /// What can be exported as the one view, those with a canvas first.
    [[nodiscard]] std::vector<ViewName> viewNames() const;
    /// Unknown keys, and views that are not there, change nothing.
    void setView(const QString& key);
    [[nodiscard]] QString viewKey() const { return key_; }
    [[nodiscard]] bool hasMarks() const;   ///< the view shows a time cursor and notes
    [[nodiscard]] bool hasLegend() const;  ///< one that can be left out

    [[nodiscard]] static bool isFolder(ExportWhat what);  ///< the destination is a folder
    [[nodiscard]] bool hasDocument() const;
    [[nodiscard]] const TargetUi& target() const;  ///< whose own files can be exported
    /// False for what this document has none of.
    [[nodiscard]] bool has(ExportWhat what) const;
    /// The plan is older than the hints or settings, and what is exported shows the plan.
    [[nodiscard]] bool isStale(ExportWhat what) const;
    /// Name without folder: "softmax-gantt.png", "softmax-bundle"; an old plan is named as such.
    [[nodiscard]] QString suggestedName(ExportWhat what, const PictureChoice& picture) const;
    /// Files of everything but a bundle; `make` reads views, so it belongs to the window's thread.
    [[nodiscard]] std::vector<ExportFile> files(ExportWhat what, const PictureChoice& picture) const;
    /// The files of a bundle of the plan on screen; may run on any thread.
    [[nodiscard]] std::function<Result<std::vector<io::FolderFile>>()> bundle(ExportWhat what) const;
    /// The picture that the preview shows.
    [[nodiscard]] QImage picture(const PictureChoice& picture, QSize size) const;
    /// Width of that picture at scale 1, px; pictures of a quarter to eight times of it are made.
    [[nodiscard]] int naturalWidth(const PictureChoice& picture) const;
    /// Rectangles that a vector picture embeds as an image unless all are to be kept; of one view or of all.
    [[nodiscard]] std::size_t denseShapes(ExportWhat what, const PictureChoice& picture) const;
    /// The command that makes the same bytes; empty when there is none.
    [[nodiscard]] QString commandLine(ExportWhat what, const PictureChoice& picture, const QString& path) const;

private:
    /// A view that is a widget with a canvas, or one that is pictured without.
    struct View {
        QString key;
        ui::GraphicView* graphic = nullptr;
        const PicturedView* pictured = nullptr;
        [[nodiscard]] bool isThere() const { return graphic != nullptr || pictured != nullptr; }
    };
    /// Neither of both where there is no view of this key, or none any more.
    [[nodiscard]] View viewOf(const QString& key) const;
    [[nodiscard]] std::vector<View> allViews() const;
    [[nodiscard]] std::vector<View> views(bool all) const;
    [[nodiscard]] QString base() const;
    [[nodiscard]] QString stem(ExportWhat what) const;
    [[nodiscard]] QString footer() const;
    [[nodiscard]] QSize sizeOf(const ui::GraphicView& view, const PictureChoice& picture) const;
    [[nodiscard]] ui::PictureRequest requestFor(const ui::PictureSource& source, QSize size,
                                                const PictureChoice& picture) const;
    /// Calls `use` with the view's picture, rendered as chosen, and the request for it.
    template <class Use> auto pictured(const View& view, const PictureChoice& picture, const Use& use) const;
    void addDockTables(std::vector<ExportFile>& list) const;
    [[nodiscard]] bool showsState(const PictureChoice& picture) const;
    [[nodiscard]] bool looksAsOpened(const View& view) const;
    [[nodiscard]] QString convertLine(ExportWhat what, const QString& path) const;
    [[nodiscard]] QString pictureLine(ExportWhat what, const PictureChoice& picture, const QString& path) const;
    [[nodiscard]] ExportFile pictureFile(const View& view, const PictureChoice& picture) const;
    [[nodiscard]] QByteArray csvOf(const View& view) const;

    const DocumentController& controller_;
    const Workspace& workspace_;
    QString key_;
    QSize front_;  ///< of the view that was in front: views behind tabs have no size of their own
};

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/status/zoom_fact.h"

#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"

#include <QApplication>

namespace memplan::app {
namespace {

QString zoomOf(const ui::GraphicView& view) {
    return view.plan() ? view.zoomText() : QString();
}

}  // namespace

ZoomFact::ZoomFact(const QWidget& window, const Workspace& workspace, const Perspectives& perspectives,
                   StatusFacts* facts)
    : QObject(facts), window_(window), workspace_(workspace), facts_(*facts) {
    for (ui::GraphicView* view : workspace_.views()) {
        const auto show = [this, view] {
            if (workspace_.focusedView() == view && view->isVisible()) facts_.showZoom(zoomOf(*view));
        };
        connect(view, &ui::GraphicView::viewportChanged, this, show);
        connect(view, &ui::GraphicView::scopeChanged, this, show);
    }
    connect(&perspectives, &Perspectives::currentChanged, this, &ZoomFact::showFocused);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        const auto* view = qobject_cast<ui::GraphicView*>(now);
        if (view != nullptr && window_.isAncestorOf(view)) facts_.showZoom(zoomOf(*view));
    });
}

void ZoomFact::showFocused() {
    const ui::GraphicView& view = *workspace_.focusedView();
    facts_.showZoom(view.isVisible() ? zoomOf(view) : QString());
}

}  // namespace memplan::app

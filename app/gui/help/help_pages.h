// SPDX-License-Identifier: GPL-3.0-or-later
// Help as Markdown (user-experience 15.4): written pages from the resources, and for every diagnostic
// code a page made of the engine's tables, a written explanation and what the current plan says.
#pragma once

#include "engine/plan/plan.h"

#include <QString>
#include <QStringList>

namespace memplan::app {

struct HelpTopic {
    QString id;  ///< "gantt.md", "code:LX-014", "codes"
    QString title;
};

/// Written pages, then one topic for each diagnostic code of the engine.
[[nodiscard]] std::vector<HelpTopic> helpTopics();
/// Topic that a link of a page leads to. Links are those of the files, which are read elsewhere too: the section of a
/// code in codes.md stands for the page that is made of it.
[[nodiscard]] QString helpTopicOf(const QString& link);
/// Markdown of a topic or link; empty for an unknown one. `plan` may be null.
[[nodiscard]] QString helpPage(const QString& link, const Plan* plan = nullptr);
/// Page of a view by its key, or of a dock by its object name: "gantt" -> "gantt.md".
[[nodiscard]] QString helpIdOf(const QString& viewOrDock);

}  // namespace memplan::app

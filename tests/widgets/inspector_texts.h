// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says of a selection, for tests.
#pragma once

#include "widgets/plan/selection_hub.h"
#include "widgets/views/inspector/inspector_content.h"

namespace memplan::ui {

inline InspectorContent contentOf(SelectionHub& hub) {
    return inspectorContent({hub.plan(), hub.state(), {}, false});
}

inline const InspectorSection* section(const InspectorContent& c, const QString& key) {
    for (const InspectorSection& s : c.sections)
        if (s.key == key) return &s;
    return nullptr;
}

inline QString value(const InspectorContent& c, const QString& key, const QString& label) {
    const InspectorSection* s = section(c, key);
    for (std::size_t i = 0; s && i < s->rows.size(); ++i)
        if (s->rows[i].label == label) return s->rows[i].copy.isEmpty() ? s->rows[i].html : s->rows[i].copy;
    return {};
}

}  // namespace memplan::ui

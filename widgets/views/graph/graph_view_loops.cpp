// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of the graph and the one selection (user-experience 2.4, 5.2): a box of the grouping by loops is the loop
// itself, any other box stands for the operations in it.
#include "widgets/views/graph/graph_view.h"

#include <algorithm>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

int GraphView::loopOfGroup(int group) const {
    if (arranger_.grouping() != Grouping::Loop || group < 0) return -1;
    return hub()->loops().withTreePath(shown_->tree->group(group).path);
}

int GraphView::groupOfLoop(int loop) const {
    if (arranger_.grouping() != Grouping::Loop || !shown_ || !shown_->tree || shown_->model->plan != plan()) return -1;
    return shown_->tree->find(hub()->loops().group(loop).treePath);
}

/// The group that keys act on and that is outlined: the selected loop, else the one that was clicked.
int GraphView::currentGroup() const {
    const auto primary = hub()->primary();
    return primary && primary->kind == ItemKind::Loop ? groupOfLoop(primary->index) : focusedGroup_;
}

void GraphView::selectGroup(int group) {
    if (const int loop = loopOfGroup(group); loop >= 0) {
        hub()->select({ItemKind::Loop, loop});
        return update();
    }
    std::vector<ItemId> items;
    for (const int node : shown_->tree->membersOf(group))
        if (shown_->model->nodes[at(node)].kind == GraphNodeKind::Op)
            items.push_back(ItemId::of(shown_->model->nodes[at(node)].op));
    hub()->setSelection(std::move(items));
    focusedGroup_ = group;  // after the selection, which forgets the group before
    update();
}

/// Closed groups that hold something selected or related, by scene node; empty when there are none.
std::vector<char> GraphView::groupsWithSelected() const {
    std::vector<char> marked;
    if (shown_->groupCount() == 0 || shown_->model->plan != plan()) return marked;
    marked.assign(shown_->nodes.size(), 0);
    const SelectionState& s = hub()->state();
    for (const auto* ids : {&s.items, &s.twins, &s.related})
        for (const ItemId id : *ids) {
            const int node = modelNodeOf(id);
            const int box = node < 0 ? -1 : shown_->visible.visibleOfNode[at(node)];
            if (box >= 0 && shown_->node(box).isGroup()) marked[at(box)] = 1;
        }
    return marked;
}

/// On screen: the box or frame of the loop, else what encloses the boxes of its operations.
QRectF GraphView::loopRect(int loop) const {
    if (!shown_ || shown_->model->plan != plan()) return {};
    const SceneFrameTransform view = sceneTransform(viewport());
    if (const int group = groupOfLoop(loop); group >= 0) return view.toScreen(groupRect(*shown_, group));
    QRectF all;
    for (const OpId op : hub()->loops().group(loop).ops) {
        const int node = shown_->model->nodeFor(op);
        const int box = node < 0 ? -1 : shown_->visible.visibleOfNode[at(node)];
        if (box >= 0) all |= shown_->rectOf(box);
    }
    return all.isNull() ? QRectF() : view.toScreen(all);
}

}  // namespace memplan::ui

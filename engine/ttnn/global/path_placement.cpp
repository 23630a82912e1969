// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/path_placement.h"

#include <algorithm>
#include <limits>

namespace memplan::ttnn {
namespace {

/// A configuration of one operation of the path, and the cheapest way to it.
struct Node {
    Option option;
    double ns = 0;         ///< of everything up to it, with what other operations read from it
    int before = -1;       ///< node of the operation before
    LayoutId input = -1;   ///< in which the operation reads the path's value
    LayoutId others = -1;  ///< to which its other operands in L1 are converted; -1: they stay as they are
};

class Placement {
public:
    Placement(Evaluator& evaluator, AssignmentEditor& editor, const std::vector<OperationId>& path)
        : evaluator_(evaluator), editor_(editor), path_(path), cost_(evaluator) {}

    bool run(double leastGain) {
        const double present = presentNs();
        for (std::size_t i = 0; i < path_.size(); ++i) {
            layers_.emplace_back();
            expand(i);
            if (layers_.back().empty()) return false;
        }
        return apply() && editor_.change().ns < -leastGain * present;
    }

private:
    [[nodiscard]] const Assignment& a() const { return editor_.assignment(); }
    [[nodiscard]] bool isOnPath(std::size_t i, const TensorOperand& operand) const {
        return i > 0 && operand.producer == path_[i - 1];
    }
    /// Layouts in which the path's value may be read, with the cheapest way to each.
    struct Source {
        LayoutId layout = -1;
        double ns = 0;
        int before = -1;
    };
    [[nodiscard]] std::vector<Source> sources(std::size_t i);
    void expand(std::size_t i);
    void expandFrom(std::size_t i, const Source& source, LayoutId others);
    void addNode(std::size_t i, Node node);
    /// What operations outside the path pay to read this result as they do now.
    [[nodiscard]] double sideNs(std::size_t i, LayoutId output);
    bool apply();
    /// Of its operations as they are, without conversions.
    [[nodiscard]] double presentNs() const {
        double sum = 0;
        for (const OperationId op : path_) {
            const OpChoice& choice = a().ops[op.at()];
            sum += evaluator_.ask(op, cost_.inputs(a(), op), choice.output, choice.attrs).ns;
        }
        return sum;
    }

    Evaluator& evaluator_;
    AssignmentEditor& editor_;
    const std::vector<OperationId>& path_;
    AssignmentCost cost_;
    std::vector<std::vector<Node>> layers_;
};

std::vector<Placement::Source> Placement::sources(std::size_t i) {
    if (i == 0) return {{-1, 0, -1}};
    const ValueId value = evaluator_.function().resultOf(path_[i - 1]);
    std::vector<Source> found;
    const auto add = [&](LayoutId layout, double ns, int before) {
        for (Source& source : found) {
            if (source.layout != layout) continue;
            if (ns < source.ns) source = {layout, ns, before};
            return;
        }
        found.push_back({layout, ns, before});
    };
    const auto& layer = layers_[i - 1];
    for (std::size_t n = 0; n < layer.size(); ++n) {
        const LayoutId own = layer[n].option.answer.output;
        const int before = static_cast<int>(n);
        add(own, layer[n].ns, before);
        std::vector<LayoutId> targets = evaluator_.targets(value, own);
        if (evaluator_.isInL1(own)) targets.push_back(evaluator_.interleavedL1Of(value, own));
        for (const LayoutId target : targets) {
            if (target == own) continue;
            const Answer conversion = evaluator_.convert(value, own, target);
            if (conversion.isLegal) add(target, layer[n].ns + conversion.ns, before);
        }
    }
    return found;
}

void Placement::addNode(std::size_t i, Node node) {
    for (Node& other : layers_[i]) {
        if (other.option.answer.output != node.option.answer.output) continue;
        if (node.ns < other.ns) other = node;
        return;
    }
    layers_[i].push_back(node);
}

void Placement::expandFrom(std::size_t i, const Source& source, LayoutId others) {
    const OperationId op = path_[i];
    const auto& operands = evaluator_.flow().operands(op);
    std::vector<LayoutId> inputs = cost_.inputs(a(), op);
    double ns = source.ns;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const EdgeChoice& edge = a().ops[op.at()].edges[k];
        const LayoutId from = cost_.source(a(), operands[k], edge);
        if (isOnPath(i, operands[k])) {
            inputs[k] = source.layout;
            continue;
        }
        const bool isTurned = others >= 0 && from >= 0 && evaluator_.isInL1(from) && from != others &&
                              evaluator_.function().typeOf(operands[k].value).shape ==
                                  evaluator_.function().typeOf(evaluator_.function().resultOf(path_[i - 1])).shape;
        if (isTurned) inputs[k] = others;
        if (from >= 0 && inputs[k] != from) ns += evaluator_.convert(operands[k].value, from, inputs[k]).ns;
    }
    for (const Option& option : evaluator_.options(op, inputs)) {
        Node node;
        node.option = option;
        node.ns = ns + option.answer.ns + sideNs(i, option.answer.output);
        node.before = source.before;
        node.input = source.layout;
        node.others = others;
        addNode(i, node);
    }
}

void Placement::expand(std::size_t i) {
    const bool hasOthers = evaluator_.flow().operands(path_[i]).size() > 1;
    for (const Source& source : sources(i)) {
        expandFrom(i, source, -1);
        if (i > 0 && hasOthers && source.layout >= 0 && evaluator_.isSharded(source.layout))
            expandFrom(i, source, source.layout);
    }
}

double Placement::sideNs(std::size_t i, LayoutId output) {
    const OperationId op = path_[i];
    const ValueId value = evaluator_.function().resultOf(op);
    double sum = 0;
    bool needsCopy = evaluator_.flow().isReturned(op);
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (operands[k].producer != op || (i + 1 < path_.size() && reader == path_[i + 1])) continue;
            const EdgeChoice& edge = a().ops[reader.at()].edges[k];
            const LayoutId wanted = edge.reshard >= 0 ? edge.reshard : cost_.source(a(), operands[k], edge);
            if (edge.fromCopy) needsCopy = true;
            if (edge.fromCopy || wanted < 0 || wanted == output) continue;
            sum += evaluator_.convert(value, output, wanted).ns;
        }
    }
    if (needsCopy && evaluator_.isInL1(output))
        sum += evaluator_.convert(value, output, evaluator_.dramOf(value, output)).ns;
    return sum;
}

bool Placement::apply() {
    const auto& last = layers_.back();
    const auto best =
        std::min_element(last.begin(), last.end(), [](const Node& a, const Node& b) { return a.ns < b.ns; });
    std::vector<const Node*> chosen(path_.size(), nullptr);
    const Node* node = &*best;
    for (std::size_t i = path_.size(); i-- > 0;) {
        chosen[i] = node;
        if (node->before >= 0) node = &layers_[i - 1][static_cast<std::size_t>(node->before)];
    }
    for (std::size_t i = 0; i < path_.size(); ++i) {
        const auto& operands = evaluator_.flow().operands(path_[i]);
        std::vector<EdgeChoice> edges = a().ops[path_[i].at()].edges;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if (isOnPath(i, operands[k])) {
                const LayoutId own = chosen[i - 1]->option.answer.output;
                edges[k] = {false, chosen[i]->input == own ? -1 : chosen[i]->input};
                continue;
            }
            const LayoutId from = cost_.source(a(), operands[k], edges[k]);
            const bool isTurned = i > 0 && chosen[i]->others >= 0 && from >= 0 && evaluator_.isInL1(from) &&
                                  from != chosen[i]->others &&
                                  evaluator_.function().typeOf(operands[k].value).shape ==
                                      evaluator_.function().typeOf(evaluator_.function().resultOf(path_[i - 1])).shape;
            if (isTurned) edges[k].reshard = chosen[i]->others;
        }
        editor_.place(path_[i], chosen[i]->option, edges, i + 1 < path_.size() ? path_[i + 1] : OperationId{});
    }
    return editor_.isChanged();
}

}  // namespace

std::vector<std::vector<OperationId>> pathsOf(Evaluator& evaluator) {
    std::vector<std::vector<OperationId>> paths;
    const Function& f = evaluator.function();
    std::vector<bool> isTaken(f.operations.size(), false);
    const auto isFree = [&](OperationId op) {
        const ValueId result = f.resultOf(op);
        return !isTaken[op.at()] && !evaluator.isUndecided(op) && result.isValid() && evaluator.given(result) >= 0 &&
               !evaluator.isHopeless(op);
    };
    for (const OperationId start : f.order) {
        if (!isFree(start)) continue;
        std::vector<OperationId> path;
        for (OperationId op = start; op.isValid();) {
            isTaken[op.at()] = true;
            path.push_back(op);
            OperationId next;
            for (const OperationId reader : evaluator.flow().readers(op))
                if (!next.isValid() && isFree(reader)) next = reader;
            op = next;
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

bool placePath(Evaluator& evaluator, AssignmentEditor& editor, const std::vector<OperationId>& path, double leastGain) {
    return Placement(evaluator, editor, path).run(leastGain);
}

}  // namespace memplan::ttnn

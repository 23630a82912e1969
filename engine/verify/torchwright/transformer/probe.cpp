// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/transformer/probe.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::verify::transformer {
namespace {

struct Difference {
    double error = 0;
    std::size_t position = 0, component = 0;
    double expected = 0, got = 0;
};

/// Largest difference between values of the graph and columns of the stream.
Difference worstOf(const Table& expected, const Table& stream, const ColumnList& columns) {
    Difference worst;
    worst.error = -1;
    for (std::size_t p = 0; p < expected.rows; ++p) {
        for (std::size_t c = 0; c < expected.columns; ++c) {
            const double got = stream.at(p, static_cast<std::size_t>(columns[c])), wanted = expected.at(p, c);
            double error = std::abs(got - wanted);
            if (std::isnan(error)) error = INFINITY;
            if (error > worst.error) worst = {error, p, c, wanted, got};
        }
    }
    worst.error = std::max(worst.error, 0.0);
    return worst;
}

template <class At> Spread spreadOf(std::size_t rows, std::size_t columns, At at) {
    Spread spread{INFINITY, -INFINITY, 0};
    for (std::size_t p = 0; p < rows; ++p) {
        for (std::size_t c = 0; c < columns; ++c) {
            const double value = at(p, c);
            spread.least = std::min(spread.least, value);
            spread.most = std::max(spread.most, value);
            spread.mean += value;
        }
    }
    const auto count = static_cast<double>(rows * columns);
    if (count == 0) return {};
    spread.mean /= count;
    return spread;
}

bool isInputLike(const std::string& type) {
    return type == "InputNode" || type == "LiteralValue" || type == "PosEncoding" || type == "Embedding";
}

class Comparer {
public:
    Comparer(const Bundle& bundle, const Run& run) : bundle_(bundle), run_(run) {
        for (const Held& held : bundle.held)
            held_.emplace(held.node, &held);
    }

    void compare(const Expectation& expectation, ProbeReport& into) const {
        const auto node = bundle_.nodes.find(expectation.node);
        if (node == bundle_.nodes.end()) {
            into.skipped.push_back({expectation.node, "the export does not know the node"});
            return;
        }
        const std::string& type = node->second.type;
        if (isInputLike(type) || type == "Concatenate" || type == "Placeholder") return;
        const auto held = held_.find(expectation.node);
        if (held == held_.end() || held->second->firstLayer < 0) {
            into.skipped.push_back({expectation.node, "inside of a chain: it never owns columns"});
        } else if (held->second->lastLayer < held->second->firstLayer) {
            into.skipped.push_back({expectation.node, "its columns are cleared in the layer that computes it"});
        } else {
            into.compared.push_back(compareHeld(*held->second, expectation.values));
        }
    }

    [[nodiscard]] OutputComparison compareOutput(const BundleOutput& output, const Table& expected) const {
        const Difference worst = worstOf(expected, run_.streams.back(), output.columns);
        return {output.node, worst.error, worst.position, worst.component, worst.expected, worst.got};
    }

private:
    [[nodiscard]] Comparison compareHeld(const Held& held, const Table& expected) const {
        const Difference first = worstOf(expected, streamAfter(held.firstLayer), held.columns);
        const Difference last = worstOf(expected, streamAfter(held.lastLayer), held.columns);
        const bool isFirstWorse = first.error >= last.error;
        const Difference& worst = isFirstWorse ? first : last;
        Comparison out;
        out.node = held.node;
        out.layer = isFirstWorse ? held.firstLayer : held.lastLayer;
        out.op = opOf(held);
        out.columns = held.columns;
        out.maxError = worst.error;
        out.position = worst.position;
        out.component = worst.component;
        out.expected = worst.expected;
        out.got = worst.got;
        const Table& stream = streamAfter(out.layer);
        out.expectedSpread =
            spreadOf(expected.rows, expected.columns, [&](std::size_t p, std::size_t c) { return expected.at(p, c); });
        out.gotSpread = spreadOf(expected.rows, expected.columns, [&](std::size_t p, std::size_t c) {
            return stream.at(p, static_cast<std::size_t>(held.columns[c]));
        });
        return out;
    }

    [[nodiscard]] const Table& streamAfter(int layer) const {
        return run_.streams[static_cast<std::size_t>(layer + 1)];
    }

    [[nodiscard]] std::string opOf(const Held& held) const {
        const std::vector<BundleOp>& ops = bundle_.layers[static_cast<std::size_t>(held.firstLayer)].ops;
        const auto found = std::ranges::find_if(ops, [&held](const BundleOp& op) { return op.node == held.node; });
        return found == ops.end() ? "nothing" : found->op;
    }

    const Bundle& bundle_;
    const Run& run_;
    std::map<std::int64_t, const Held*> held_;
};

std::string labelOf(const Bundle& bundle, std::int64_t id) {
    const auto node = bundle.nodes.find(id);
    const bool isNamed = node != bundle.nodes.end() && !node->second.name.empty();
    return std::to_string(id) + (isNamed ? " (" + text::escaped(node->second.name) + ')' : std::string());
}

/// "3-5, 9"
std::string columnText(const ColumnList& columns) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < columns.size();) {
        std::size_t end = begin + 1;
        while (end < columns.size() && columns[end] == columns[end - 1] + 1)
            ++end;
        const std::string first = std::to_string(columns[begin]);
        parts.push_back(end - begin == 1 ? first : first + '-' + std::to_string(columns[end - 1]));
        begin = end;
    }
    return text::join(parts, ", ");
}

std::string valuesText(double expected, double got, std::pair<double, double> errorAndTolerance) {
    return "the graph gives " + text::number(expected) + ", the transformer " + text::number(got) + ": " +
           text::number(errorAndTolerance.first) + " apart, " + text::number(errorAndTolerance.second) +
           " is tolerated";
}

}  // namespace

const Comparison* ProbeReport::firstDivergence() const {
    const auto found = std::ranges::find_if(compared, [this](const Comparison& c) { return c.maxError > tolerance; });
    return found == compared.end() ? nullptr : &*found;
}

std::vector<Comparison> ProbeReport::worst(std::size_t count) const {
    std::vector<Comparison> sorted = compared;
    std::ranges::stable_sort(sorted, std::ranges::greater{}, &Comparison::maxError);
    if (sorted.size() > count) sorted.resize(count);
    return sorted;
}

double ProbeReport::maxError() const {
    double most = 0;
    for (const Comparison& c : compared)
        most = std::max(most, c.maxError);
    for (const OutputComparison& o : outputs)
        most = std::max(most, o.maxError);
    return most;
}

bool ProbeReport::passes() const {
    return maxError() <= tolerance;
}

ProbeReport compareRun(const Bundle& bundle, const Run& run, const std::vector<Expectation>& expected,
                       double tolerance) {
    ProbeReport report;
    report.tolerance = tolerance;
    const Comparer comparer(bundle, run);
    for (const Expectation& expectation : expected)
        comparer.compare(expectation, report);
    for (const BundleOutput& output : bundle.outputs) {
        const auto found = std::ranges::find(expected, output.node, &Expectation::node);
        if (found != expected.end()) report.outputs.push_back(comparer.compareOutput(output, found->values));
    }
    return report;
}

std::vector<Diagnostic> probeFindings(const Bundle& bundle, const ProbeReport& report, const std::string& setup) {
    Diagnostic found;
    found.code = "TW-018";
    const std::string suffix = setup.empty() ? std::string() : " (" + setup + ')';
    if (const Comparison* c = report.firstDivergence(); c != nullptr) {
        found.where = "layer " + std::to_string(c->layer) + ", node " + labelOf(bundle, c->node);
        found.message = "first divergence: " + c->op + " of node " + labelOf(bundle, c->node) + " in columns " +
                        columnText(c->columns) + ", after layer " + std::to_string(c->layer) + ", position " +
                        std::to_string(c->position) + ", column " + std::to_string(c->columns[c->component]) + ": " +
                        valuesText(c->expected, c->got, {c->maxError, report.tolerance}) + suffix;
        return {found};
    }
    for (const OutputComparison& o : report.outputs) {
        if (o.maxError <= report.tolerance) continue;
        found.where = "output, node " + labelOf(bundle, o.node);
        found.message = "the output differs at position " + std::to_string(o.position) + ", component " +
                        std::to_string(o.component) + ": " +
                        valuesText(o.expected, o.got, {o.maxError, report.tolerance}) + suffix;
        return {found};
    }
    return {};
}

}  // namespace memplan::verify::transformer

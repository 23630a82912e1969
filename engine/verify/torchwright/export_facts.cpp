// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/export_facts.h"

#include "engine/verify/torchwright/export_schedule.h"
#include "engine/verify/torchwright/replay.h"
#include "engine/verify/torchwright/weight_demand.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;
using transformer::Array;
using transformer::Bundle;
using transformer::BundleLayer;

constexpr std::int64_t kMostNamed = 20;  ///< entries that are reported one by one
constexpr double kRounding = 1e-6;       ///< of a sum, relative to its parts

/// An array of an export, with words for the operations that write it.
struct Subject {
    std::string where;
    const Array& array;
    std::function<std::string(int op)> writer;
};

class EntryCheck {
public:
    explicit EntryCheck(Report& report) : report_(report) {}

    void compare(const Subject& subject, Demand demand) {
        const auto place = [](const auto& entry) { return std::tuple(entry.row, entry.column); };
        std::ranges::stable_sort(demand.parts, {}, place);
        auto entry = subject.array.entries.begin();
        const auto end = subject.array.entries.end();
        for (auto part = demand.parts.begin(); part != demand.parts.end();) {
            for (; entry != end && place(*entry) < place(*part); ++entry)
                differs(subject, {entry->row, entry->column, 0}, entry->value);
            Demand::Part sum = *part;
            double size = 0;
            const auto first = part;
            for (sum.value = 0; part != demand.parts.end() && place(*part) == place(sum); ++part)
                sum.value += part->value, size += std::abs(part->value);
            const bool isThere = entry != end && place(*entry) == place(sum);
            const double got = isThere ? static_cast<double>(entry->value) : 0;
            const double room = part - first == 1 ? 0 : kRounding * size;
            const double wanted = static_cast<double>(static_cast<float>(sum.value));
            if (!(std::abs(got - wanted) <= room)) differs(subject, sum, got);
            if (isThere) ++entry;
        }
        for (; entry != end; ++entry)
            differs(subject, {entry->row, entry->column, 0}, entry->value);
    }

    void finish() {
        if (count_ > kMostNamed)
            report_.add("VER-020", "weights", text::grouped(count_ - kMostNamed) + " more entries differ");
    }

private:
    void differs(const Subject& subject, const Demand::Part& wanted, double got) {
        if (++count_ > kMostNamed) return;
        const std::string writer = wanted.op < 0 ? "nothing is written there" : subject.writer(wanted.op);
        report_.add("VER-020", subject.where,
                    "row " + std::to_string(wanted.row) + ", column " + std::to_string(wanted.column) + " holds " +
                        text::number(got) + ", the graph demands " + text::number(wanted.value) + ": " + writer);
    }

    Report& report_;
    std::int64_t count_ = 0;
};

class ExportFacts {
public:
    ExportFacts(const Program& program, const Schedule& schedule, const Bundle& bundle, Report& report)
        : p_(program), g_(program.graph), s_(schedule), bundle_(bundle), report_(report), entries_(report) {}

    void checkPlaces() {
        std::vector<const Holding*> initial;
        for (const Holding& h : s_.holdings)
            if (h.firstLayer < 0) initial.push_back(&h);
        const bool isSame =
            std::ranges::equal(bundle_.start, initial, [this](const transformer::Start& start, const Holding* h) {
                return g_.find(start.node) == h->owner && start.type == kindName(g_.at(h->owner).kind) &&
                       std::ranges::equal(start.columns, h->columns.expanded());
            });
        if (!isSame) report_.add("VER-020", "start", "it is not what owns columns before layer 0");
        const std::vector<NodeId> outputs = g_.outputs();
        const bool areOutputs =
            std::ranges::equal(bundle_.outputs, outputs, [this](const transformer::BundleOutput& output, NodeId id) {
                return g_.find(output.node) == id && std::ranges::equal(output.columns, columnsOf(id).expanded());
            });
        if (!areOutputs) report_.add("VER-020", "outputs", "they are not the outputs of the graph in their columns");
    }

    /// Sizes, against the settings that the manifest states.
    void checkSizes() {
        const auto check = [this](const char* key, std::int64_t real, std::int64_t ofNone) {
            const auto setting = bundle_.settings.find(key);
            if (setting == bundle_.settings.end()) return;
            const std::int64_t stated = text::parseInt(setting->second).value_or(-1);
            report_.expect(std::string("config ") + key, stated == 0 ? ofNone : stated, real);
        };
        check("torchwright.d", bundle_.d, 0);
        check("torchwright.d_head", bundle_.dHead, 0);
        check("torchwright.d_hidden", bundle_.slotsMost, bundle_.d);
        const auto routing = bundle_.settings.find("torchwright.local_in_attention");
        if (routing != bundle_.settings.end() && routing->second != bundle_.routing)
            report_.add("VER-020", "config", "local_in_attention is not that of the settings");
    }

    void checkWeights() {
        checkStart();
        for (std::size_t i = 0; i < s_.layers.size(); ++i)
            checkLayer(i);
        entries_.finish();
    }

private:
    const Program& p_;
    const NodeGraph& g_;
    const Schedule& s_;
    const Bundle& bundle_;
    Report& report_;
    EntryCheck entries_;

    [[nodiscard]] ColumnList columnsOf(NodeId id) const {
        ColumnList columns;
        for (const NodeId leaf : p_.ownLeaves[id.at()])
            if (const int at = s_.holdingOf(leaf); at >= 0)
                columns.append(s_.holdings[static_cast<std::size_t>(at)].columns);
        return columns;
    }

    void checkStart() {
        Demand constants;
        for (const transformer::Start& start : bundle_.start) {
            const NodeId id = g_.find(start.node);
            const Node& node = g_.at(id);
            if (node.is(NodeKind::LiteralValue))
                for (std::size_t i = 0; i < start.columns.size(); ++i)
                    constants.add(0, start.columns[i], node.literal().value[i], id.index);
            if (node.is(NodeKind::Embedding)) checkTable(start, node);
        }
        const auto literal = [this](int node) { return "the literal of node " + g_.label(NodeId{node}); };
        entries_.compare({"start, constant_values", bundle_.constants, literal}, std::move(constants));
    }

    void checkTable(const transformer::Start& start, const Node& node) {
        const std::string where = "start, table of node " + std::to_string(node.number);
        const memplan::torchwright::Tensor& table = *node.embedding().table;
        report_.expect(where + " rows", start.table.rows, table.rows);
        Demand demand;
        for (const memplan::torchwright::Tensor::Entry& e : table.entries)
            demand.add(table.rowOf(e), table.columnOf(e), e.value, 0);
        entries_.compare({where, start.table, [](int) { return "a row of the graph's table"; }}, std::move(demand));
    }

    template <class Op> [[nodiscard]] std::string textOf(const Op& op) const {
        return std::string(opName(op.kind)) + (op.node.isValid() ? " of node " + g_.label(op.node) : "");
    }

    void checkLayer(std::size_t index) {
        const Layer& layer = s_.layers[index];
        const BundleLayer& real = bundle_.layers[index];
        LayerDemand demand = demandOf(p_, s_, layer);
        const std::string where = "layer " + std::to_string(index);
        const std::int64_t slots = std::max({std::int64_t{1}, demand.first.columnsUsed(), demand.second.rowsUsed()});
        report_.expect(where + ", mlp, slots of W1 and W2", real.first.columns, slots);
        // A bias alone, behind the last slot that reads or writes, does nothing and is cut off with its slot.
        std::erase_if(demand.firstBias.parts, [slots](const Demand::Part& part) { return part.column >= slots; });
        const auto attention = [&](int op) { return textOf(layer.attention[static_cast<std::size_t>(op)]); };
        const auto mlp = [&](int op) { return textOf(layer.mlp[static_cast<std::size_t>(op)]); };
        entries_.compare({where + ", attention, WQ", real.query, attention}, std::move(demand.query));
        entries_.compare({where + ", attention, WK", real.key, attention}, std::move(demand.key));
        entries_.compare({where + ", attention, WV", real.value, attention}, std::move(demand.value));
        entries_.compare({where + ", attention, WO", real.output, attention}, std::move(demand.output));
        entries_.compare({where + ", mlp, W1", real.first, mlp}, std::move(demand.first));
        entries_.compare({where + ", mlp, b1", real.firstBias, mlp}, std::move(demand.firstBias));
        entries_.compare({where + ", mlp, W2", real.second, mlp}, std::move(demand.second));
        entries_.compare({where + ", mlp, b2", real.secondBias, mlp}, std::move(demand.secondBias));
    }
};

void compareWithPlan(const Schedule& exported, const Schedule& planned, Report& report) {
    if (exported.holdings != planned.holdings) report.add("VER-020", "columns", "they are not those of the plan");
    report.expect("layers", std::int64_t{exported.layerCount()}, std::int64_t{planned.layerCount()});
    for (int i = 0; i < std::min(exported.layerCount(), planned.layerCount()); ++i) {
        const Layer& a = exported.layers[static_cast<std::size_t>(i)];
        const Layer& b = planned.layers[static_cast<std::size_t>(i)];
        if (a.attention != b.attention || a.mlp != b.mlp)
            report.add("VER-020", "layer " + std::to_string(i), "its operations are not those of the plan");
    }
}

}  // namespace

std::vector<Diagnostic> checkExport(const NodeGraph& graph, const Bundle& bundle, const Schedule* planned) {
    const auto exported = exportedSchedule(graph, bundle);
    if (!exported) return exported.error().diagnostics;
    const Schedule& schedule = exported.value();
    const Plan none;
    Report report(none);
    const Program program(graph);
    if (!program.isWhole) return {finding("VER-011", "graph", "a node waits for itself")};
    if (bundle.result != resultName(schedule.result))
        report.add("VER-020", "result", "an export with weights is one of a complete schedule");
    if (planned != nullptr) compareWithPlan(schedule, *planned, report);
    replayExport(program, schedule, report);
    ExportFacts facts(program, schedule, bundle, report);
    facts.checkPlaces();
    facts.checkSizes();
    std::vector<Diagnostic> found = report.take();
    if (!found.empty() || !bundle.hasWeights()) return found;
    facts.checkWeights();
    return report.take();
}

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
// The table of settings.md 1 (general, limits) and the assembly of the whole table.
#include "engine/settings/settings_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace memplan {

namespace detail {

namespace {

Row makeRow(SettingType type, std::string_view key, std::string_view defaultValue, std::string_view help) {
    SettingInfo info;
    info.key = key;
    info.type = type;
    info.defaultValue = defaultValue;
    info.help = help;
    return Row(std::move(info));
}

/// A limit on input; the hard maximum is the end of the range (inputs-and-interchange 7).
Row limit(std::string_view key, std::string_view defaultValue, double hardMaximum, std::string_view help) {
    return whole(key, defaultValue, help).range(1, hardMaximum);
}

}  // namespace

Row Row::seed(std::string_view value) const {
    Row row = *this;
    row.info_.seedValue = value;
    return row;
}

Row Row::best(std::string_view value) const {
    Row row = *this;
    row.info_.bestValue = value;
    return row;
}

Row Row::original(std::string_view name) const {
    Row row = *this;
    row.info_.originalName = name;
    return row;
}

Row Row::unit(std::string_view unit) const {
    Row row = *this;
    row.info_.unit = unit;
    return row;
}

Row Row::range(double min, double max) const {
    Row row = *this;
    row.info_.min = min;
    row.info_.max = max;
    return row;
}

Row Row::withoutUse() const {
    Row row = *this;
    row.info_.inUse = false;
    return row;
}

std::vector<SettingInfo> withoutUse(std::vector<SettingInfo> rows) {
    for (SettingInfo& row : rows)
        row.inUse = false;
    return rows;
}

Row flag(std::string_view key, std::string_view defaultValue, std::string_view help) {
    return makeRow(SettingType::Bool, key, defaultValue, help);
}

Row whole(std::string_view key, std::string_view defaultValue, std::string_view help) {
    return makeRow(SettingType::Int, key, defaultValue, help);
}

Row real(std::string_view key, std::string_view defaultValue, std::string_view help) {
    return makeRow(SettingType::Num, key, defaultValue, help);
}

Row words(std::string_view key, std::string_view defaultValue, std::string_view help) {
    return makeRow(SettingType::Text, key, defaultValue, help);
}

Row file(std::string_view key, std::string_view help) {
    return makeRow(SettingType::Path, key, "", help);
}

Row choice(std::string_view key, std::string_view defaultValue, std::vector<std::string_view> allowed,
           std::string_view help) {
    SettingInfo info = makeRow(SettingType::Enum, key, defaultValue, help);
    info.allowed = std::move(allowed);
    return Row(std::move(info));
}

std::vector<SettingInfo> generalSettings() {
    return {
        choice("preset", "product", {"product", "seed", "best"},
               "starting values, applied before every other setting: what users run today, the original system, or "
               "every improving pass on"),
        whole("engine.threads", "0", "worker threads, 0 = all hardware threads; never changes a result")
            .range(0, 256)
            .unit("threads"),
        whole("engine.seed", "0", "seed of every random choice").range(0, 4294967295.0),
        real("engine.time_limit_seconds", "0",
             "time limit of a compile, 0 = none; the best plan so far is kept (that of a preset: of one solver "
             "run)")
            .range(0, 86400)
            .unit("s")
            .best("2"),
        choice("engine.snapshots", "changed", {"off", "changed", "all"},
               "after which passes the program is kept for looking at and comparing: none, those that changed it, or "
               "each with a text of its own"),
        flag("plan.execution", "true",
             "a plan file holds the graph and what its code does, so that `memplan verify --simulate` can run it"),
        whole("sim.memory_bytes", "1073741824", "most memory of a simulation; it stops with VER-026 above")
            .range(1048576, 1099511627776.0)
            .unit("bytes"),
        choice("sim.auto", "tokens", {"off", "tokens"},
               "simulation that the window runs behind each compile of a plan that is not too large"),
    };
}

std::vector<SettingInfo> limitSettings() {
    return {
        limit("limits.json_bytes", "67108864", 1073741824, "largest JSON file that is read").unit("bytes"),
        limit("limits.onnx_bytes", "2147483647", 2147483647, "largest ONNX file that is read").unit("bytes"),
        limit("limits.text_bytes", "67108864", 536870912, "largest text input (MLIR, Inductor, XLA, wrapper source)")
            .unit("bytes"),
        limit("limits.csv_bytes", "268435456", 1073741824, "largest CSV file that is read").unit("bytes"),
        limit("limits.csv_rows", "1000000", 10000000, "most rows of a CSV file").unit("rows"),
        limit("limits.nesting", "64", 256, "deepest nesting of JSON, brackets and messages").unit("levels"),
        limit("limits.graph_tensors", "200000", 4000000, "most tensors of a graph").unit("entries"),
        limit("limits.graph_ops", "100000", 2000000, "most operations of a graph").unit("entries"),
        limit("limits.nodes", "200000", 2000000, "most nodes of an imported model").unit("nodes"),
        limit("limits.values", "1000000", 4000000, "most values of an imported model").unit("values"),
        limit("limits.node_attributes", "256", 65536, "most attributes of one node").unit("entries"),
        limit("limits.node_operands", "4096", 65536, "most inputs or outputs of one node").unit("entries"),
        limit("limits.folded_elements", "4096", 65536, "largest value that is kept for shape computation")
            .unit("elements"),
        limit("limits.folded_bytes", "67108864", 268435456, "all values kept for shape computation").unit("bytes"),
        limit("limits.import_memory_bytes", "1073741824", 8589934592.0, "memory of an import beyond the mapped file")
            .unit("bytes"),
        limit("limits.idle_seconds", "30", 86400, "longest time of an import without progress").unit("s"),
        limit("limits.import_seconds", "300", 86400, "longest time of an import").unit("s"),
        limit("limits.name_bytes", "1024", 65536, "longest name").unit("bytes"),
        limit("limits.splice_depth", "16", 64, "deepest nesting of functions and If branches").unit("levels"),
    };
}

}  // namespace detail

const std::vector<SettingInfo>& allSettings() {
    static const std::vector<SettingInfo> kAll = [] {
        std::vector<SettingInfo> all;
        const auto add = [&all](std::vector<SettingInfo> part) { std::ranges::move(part, std::back_inserter(all)); };
        add(detail::generalSettings());
        add(detail::limitSettings());
        for (const MachineSettings* machine : machineSettings())
            add(machine->rows());
        return all;
    }();
    return kAll;
}

}  // namespace memplan

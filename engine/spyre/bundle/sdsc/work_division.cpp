// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/work_division.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::bundle {
namespace {

constexpr std::string_view kKey = "work_division";

PyValue symbolValue(const std::string& symbol) {
    PyValue call;
    call.kind = PyKind::Call;
    call.text = "sympify";
    call.items = {PyValue::ofText(symbol)};
    call.keywords = {""};
    return call;
}

/// 'c0' or sympify('c0').
const std::string* symbolOf(const PyValue& v) {
    if (v.kind == PyKind::Str) return &v.text;
    const bool isCall = v.kind == PyKind::Call && v.text == "sympify" && v.items.size() == 1;
    return isCall && v.items.front().kind == PyKind::Str ? &v.items.front().text : nullptr;
}

bool isInLx(const TensorArg& arg) {
    return arg.allocation && arg.allocation->space == Space::Lx;
}

WorkDivision sorted(WorkDivision division) {
    std::sort(division.begin(), division.end(),
              [](const DividedSymbol& a, const DividedSymbol& b) { return a.symbol < b.symbol; });
    return division;
}

}  // namespace

std::optional<WorkDivision> workDivisionOf(const TensorArg& arg) {
    const auto found =
        std::find_if(arg.extra.begin(), arg.extra.end(), [](const auto& pair) { return pair.first == kKey; });
    if (found == arg.extra.end() || found->second.kind != PyKind::Dict) return std::nullopt;
    WorkDivision out;
    const std::vector<PyValue>& items = found->second.items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const std::string* symbol = symbolOf(items[i]);
        const PyValue& pair = items[i + 1];
        if (symbol == nullptr || pair.kind != PyKind::Tuple || pair.items.size() != 2) return std::nullopt;
        const DividedSymbol part{*symbol, pair.items[0].integer, pair.items[1].integer};
        if (part.slices < 2 || part.every < 1) return std::nullopt;
        out.push_back(part);
    }
    return out;
}

void setWorkDivision(TensorArg& arg, const WorkDivision& division) {
    PyValue dict = PyValue::dict();
    for (const DividedSymbol& part : division) {
        PyValue pair;
        pair.kind = PyKind::Tuple;
        pair.items = {PyValue::ofInt(part.slices), PyValue::ofInt(part.every)};
        dict.items.push_back(symbolValue(part.symbol));
        dict.items.push_back(std::move(pair));
    }
    std::erase_if(arg.extra, [](const auto& pair) { return pair.first == kKey; });
    arg.extra.emplace_back(kKey, std::move(dict));
}

WorkDivision workDivisionOf(const OpSpec& op) {
    WorkDivision out;
    std::int64_t before = 1;
    for (const IterationEntry& e : op.iterationSpace) {
        if (e.split <= 1) continue;
        out.push_back({e.symbol, e.split, before});
        before = saturatedMul(before, e.split);
    }
    return out;
}

std::int64_t slicesOf(const OpSpec& op, std::size_t arg, std::size_t position) {
    const IterationEntry& e = op.iterationSpace[position];
    const auto own = workDivisionOf(op.args[arg]);
    if (!own) return e.split;
    for (const DividedSymbol& part : *own) {
        if (part.symbol == e.symbol) return part.slices;
    }
    return 1;
}

std::int64_t coresOf(const WorkDivision& division) {
    std::int64_t cores = 1;
    for (const DividedSymbol& part : division)
        cores = saturatedMul(cores, part.slices);
    return cores;
}

bool isShuffle(const OpSpec& op) {
    if (op.op == "lx_relayout") return true;
    if (op.op != "identity" || op.args.size() != 2 || !isInLx(op.args[0]) || !isInLx(op.args[1])) return false;
    const auto from = workDivisionOf(op.args[0]);
    return from && sorted(*from) != sorted(workDivisionOf(op));
}

bool isMatmulOp(std::string_view op) {
    return op == "matmul" || op == "batchmatmul" || op == "batchmatmulfp8";
}

}  // namespace memplan::bundle

// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/work_division_kinds_input.h"

#include "engine/spyre/lower/strided_view.h"
#include "tests/probe/input_checks.h"

#include <algorithm>

namespace memplan::probe {

using nlohmann::json;
using namespace memplan::spyre;

int Loops::find(const std::string& name) const {
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i].name == name) return static_cast<int>(i);
    }
    return -1;
}

std::vector<TensorUse> OpInput::uses() const {
    std::vector<TensorUse> out;
    for (std::size_t i = 0; i < reads.size(); ++i)
        out.push_back({reads[i].get(), &op.reads[i].index});
    out.push_back({write.get(), &op.write.index});
    return out;
}

Loops readLoops(const json& loops) {
    Loops out;
    require(loops.is_array() && loops.size() < 64, "loops: no list of fewer than 64");
    for (const json& l : loops) {
        LoopVar v{l.at(0).get<std::string>(), wholeNumber(l.at(1), 1, kMostElements, "extent of a loop"), false};
        const bool isNew =
            std::none_of(out.all.begin(), out.all.end(), [&](const LoopVar& other) { return other.name == v.name; });
        require(isNew, "two loops have the name " + v.name);
        out.keptAt.push_back(v.extent == 1 ? -1 : static_cast<int>(out.kept.size()));
        out.all.push_back(v);
        if (v.extent != 1) out.kept.push_back(std::move(v));
    }
    return out;
}

Index readIndex(const json& index, const Loops& loops) {
    Index out;
    out.coefficients.assign(loops.kept.size(), 0);
    if (index.contains("offset")) out.offset = wholeNumber(index.at("offset"), -kMostElements, kMostElements, "offset");
    for (const json& term : index.at("terms")) {
        const int v = loops.find(term.at(0).get<std::string>());
        if (v < 0) continue;
        std::int64_t& coefficient = out.coefficients[static_cast<std::size_t>(v)];
        coefficient += wholeNumber(term.at(1), -kMostElements, kMostElements, "coefficient");
        const std::int64_t reach = kMostElements / loops.kept[static_cast<std::size_t>(v)].extent;
        require(coefficient >= -reach && coefficient <= reach, "an index reaches too far");
    }
    return out;
}

HostType readType(const json& name) {
    const auto type = hostTypeFromName(name.get<std::string>());
    if (!type) throw ProbeError{"bad_input", "unknown dtype '" + name.get<std::string>() + "'"};
    return *type;
}

TensorInput readTensor(const json& t, const Loops& loops) {
    TensorInput out;
    out.buffer.name = t.value("name", std::string());
    out.buffer.dtype = readType(t.at("dtype"));
    out.buffer.size = sizesOf(t.at("size"), "size");
    out.buffer.stride = t.contains("stride") && !t.at("stride").is_null()
                            ? wholeNumbers(t.at("stride"), -kMostElements, "stride")
                            : rowMajorStrides(out.buffer.size);
    require(out.buffer.stride.size() == out.buffer.size.size(), "size and stride differ in length");
    if (t.contains("device_size") && !t.at("device_size").is_null()) {
        StickLayout layout;
        layout.deviceSize = sizesOf(t.at("device_size"), "device_size");
        layout.strideMap = wholeNumbers(t.at("stride_map"), -kMostElements, "stride_map");
        require(!layout.deviceSize.empty() && layout.deviceSize.size() == layout.strideMap.size(),
                "device_size and stride_map differ in length");
        layout.dtype = out.buffer.dtype;
        out.buffer.layout = std::move(layout);
    }
    if (t.contains("index")) out.index = readIndex(t.at("index"), loops);
    out.index.coefficients.resize(loops.kept.size());
    return out;
}

OpInput readOp(const json& o) {
    OpInput out;
    out.loops = readLoops(o.at("loops"));
    const std::string kind = o.at("kind").get<std::string>();
    require(kind == "reduction" || kind == "pointwise", "unknown kind of operation '" + kind + "'");
    out.op.kind = kind == "reduction" ? OpClass::Reduction : OpClass::Pointwise;
    for (const char* key : {"reduction_type", "fn"}) {
        if (o.contains(key) && o.at(key).is_string()) out.op.fn = o.at(key).get<std::string>();
    }
    out.op.loops = out.loops.kept;
    if (o.contains("reduction_vars")) {
        for (const json& name : o.at("reduction_vars")) {
            const int v = out.loops.find(name.get<std::string>());
            if (v >= 0) out.op.loops[static_cast<std::size_t>(v)].isReduction = true;
        }
    }
    const auto add = [&](const json& tensor, Access& access) {
        TensorInput t = readTensor(tensor, out.loops);
        access.index = std::move(t.index);
        return std::make_unique<Buffer>(std::move(t.buffer));
    };
    for (const json& r : o.at("reads")) {
        Access access;
        out.reads.push_back(add(r, access));
        out.op.reads.push_back(std::move(access));
    }
    const std::size_t least = out.op.fn == "batchmatmul" ? 2 : kind == "reduction" ? 1 : 0;
    require(out.reads.size() >= least, "an operation reads too little");
    out.write = add(o.at("write"), out.op.write);
    out.op.name = out.write->name;
    return out;
}

Splits readSplits(const json& splits, const Loops& loops) {
    Splits out(loops.kept.size(), 1);
    for (const auto& [name, count] : splits.items()) {
        const int v = loops.find(name);
        if (v >= 0) out[static_cast<std::size_t>(v)] = wholeNumber(count, 1, kMostElements, "split of " + name);
    }
    return out;
}

json splitsJson(const Splits& splits, const Loops& loops, std::int64_t least) {
    json out = json::object();
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] >= least) out[loops.kept[v].name] = splits[v];
    }
    return out;
}

json encodingJson(const SplitEncoding& e) {
    json output = json::object();
    json reduction = json::object();
    for (const auto& [c, s] : e.output)
        output[std::to_string(c)] = s;
    for (const auto& [c, s] : e.reduction)
        reduction[std::to_string(c)] = s;
    return {{"output", output}, {"reduction", reduction}};
}

void throwError(const Error& error) {
    const Diagnostic& d = error.primary();
    if (d.code == "LAY-001" || d.code == "LAY-002" || d.code == "WDV-004") throw ProbeError{"RuntimeError", d.message};
    if (d.code == "LAY-007") throw ProbeError{"NotImplementedError", d.message};
    if (d.code == "NAM-001") throw ProbeError{"KeyError", d.message};
    if (d.code == "INT-001") throw ProbeError{"assertion", d.message};
    throw ProbeError{"Unsupported", d.message};
}

}  // namespace memplan::probe

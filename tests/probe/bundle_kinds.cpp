// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/bundle_kinds.h"

#include "engine/json/json_sax.h"
#include "engine/spyre/bundle/bundle.h"
#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/bundle/sdsc/sdsc_writer.h"
#include "engine/spyre/bundle/spec_json.h"
#include "engine/spyre/bundle/unroll.h"

namespace memplan::probe {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using namespace memplan::bundle;

/// The words of the schema for the codes of the engine.
[[noreturn]] void throwBundleError(const Error& error) {
    const Diagnostic& d = error.primary();
    const std::string code = d.code == "CT-010"   ? "ValueError"
                             : d.code == "CT-011" ? "NotImplementedError"
                             : d.code == "CT-009" ? "too_many_tensors"
                                                  : "bad_input";
    throw ProbeError{code, d.where + ": " + d.message};
}

template <class T> T valueOf(Result<T> result) {
    if (!result) throwBundleError(result.error());
    return std::move(result).value();
}

SpecTree specsOf(const ordered_json& specs) {
    const std::string text = specs.dump();
    const io::Tape tape = valueOf(io::readTape(text, io::kGraphCodes, io::Limits{}, RunControl{}));
    return valueOf(readSpecs(tape, 0));
}

OpSpec opOf(const ordered_json& spec) {
    SpecTree tree = specsOf(ordered_json::array({spec}));
    if (tree.size() != 1 || tree.front().kind != SpecKind::Op) throw ProbeError{"bad_input", "an op is expected"};
    return std::move(tree.front().op);
}

StrideModel modelOf(const ordered_json& in) {
    const auto model = strideModelNamed(in.at("stride_model").get<std::string>());
    if (!model) throw ProbeError{"bad_input", "stride_model"};
    return *model;
}

json byteStrideKind(const ordered_json& in) {
    ordered_json arg = in.at("arg");
    arg["is_input"] = true;
    const ordered_json op = {{"type", "op"},
                             {"op", "probe"},
                             {"is_reduction", false},
                             {"iteration_space", ordered_json::object()},
                             {"args", ordered_json::array({arg})}};
    const OpSpec spec = opOf(op);
    const auto symbol = in.at("symbol").get<std::string>();
    const auto range = in.at("tile_range").get<std::int64_t>();
    json out;
    for (const StrideModel m : {StrideModel::HostStrideMap, StrideModel::DeviceRowMajor})
        out[std::string(strideModelName(m))] = valueOf(byteStride(spec.args.front(), symbol, range, m));
    return out;
}

json allocationJson(const TensorArg& a) {
    json out = json::object();
    if (a.allocation) out[std::string(spaceKey(a.allocation->space))] = a.allocation->address;
    return out;
}

json unrollKind(const ordered_json& in) {
    Diagnostics notes;
    const SpecTree flat = valueOf(unrolled(specsOf(in.at("specs")), modelOf(in), notes));
    json ops = json::array();
    for (const SpecNode& node : flat) {
        if (node.kind == SpecKind::Unimplemented) {
            ops.push_back({{"op", "unimplemented:" + node.name}});
            continue;
        }
        json args = json::array();
        for (const TensorArg& a : node.op.args)
            args.push_back({{"allocation", allocationJson(a)}, {"device_size", a.deviceSize}});
        ops.push_back({{"op", node.op.op}, {"tiled_symbols", node.op.tiledSymbols}, {"args", args}});
    }
    return {{"ops", ops}};
}

json bundleMlirKind(const ordered_json& in) {
    BundleOptions options;
    options.strideModel = modelOf(in);
    const auto mode = addressModeNamed(in.at("address_mode").get<std::string>());
    if (!mode) throw ProbeError{"bad_input", "address_mode"};
    options.addressMode = *mode;
    Diagnostics notes;
    const SpecTree tree = specsOf(in.at("specs"));
    json files = json::array();
    for (std::size_t i = 0; i < opsOf(tree).size(); ++i)
        files.push_back("sdsc_" + std::to_string(i) + ".json");
    return {{"text", valueOf(bundleMlir(tree, options, notes))}, {"sdsc_files", files}};
}

json summaryJson(const SdscOp& op) {
    json slices = json::object();
    json space = json::object();
    for (const SdscDim& d : op.dims) {
        slices[std::string(d.label)] = d.split;
        space[std::string(d.label)] = d.extent;
    }
    json strides = json::array();
    json scales = json::array();
    json gaps = json::array();
    for (const SdscArg& a : op.args) {
        json stride = json::object();
        json scale = json::object();
        for (const SdscArgDim& d : a.dims) {
            stride[std::string(d.label)] = d.extentStride;
            scale[std::string(d.label)] = d.scale;
        }
        strides.push_back(stride);
        scales.push_back(scale);
        json gap = json::object();
        for (const auto& [label, elements] : a.backGap)
            gap[std::string(label)] = elements;
        gaps.push_back(gap);
    }
    return {{"num_cores", op.coreCount()},           {"work_slices", slices},    {"iteration_space", space},
            {"per_arg_dim_extent_strides", strides}, {"per_arg_scales", scales}, {"back_gap", gaps}};
}

json sdscKind(const ordered_json& in) {
    const OpSpec spec = opOf(in.at("spec"));
    const SdscOp op = valueOf(sdscOp(spec, {}));
    std::optional<SymbolIds> ids;
    json out;
    if (in.at("use_symbols").get<bool>()) {
        const auto before = in.at("symbol_id_offset").get<std::size_t>();
        OpSymbols symbols = valueOf(registerSymbols(spec, op, AddressMode::PerCoreConstants, before));
        out["symbols"] = symbols.values;
        ids = std::move(symbols.ids);
    }
    out["json"] = json::parse(valueOf(sdscJson(in.at("index").get<std::size_t>(), spec, op, ids)));
    out["summary"] = summaryJson(op);
    return out;
}

json opspecSourceKind(const ordered_json& in) {
    const SpecTree tree = specsOf(in.at("specs"));
    const std::string text = specListText(tree);
    Diagnostics notes;
    const SpecTree back = valueOf(readSpecList(text, notes));
    io::JsonWriter w;
    writeSpecs(w, back);
    return {{"text", text}, {"specs", json::parse(w.finish())}};
}

json argBindingKind(const ordered_json& in) {
    const auto order = in.at("kernel_argument_order").get<std::vector<std::string>>();
    const auto pool = in.at("pool_size").get<std::int64_t>();
    json bound = json::array();
    for (const ordered_json& entry : in.at("tensor_args")) {
        TensorArg arg;
        const ordered_json& given = entry.at("allocation");
        if (given.contains("lx")) arg.allocation = Allocation{Space::Lx, given.at("lx").get<std::int64_t>()};
        if (given.contains("pool")) arg.allocation = Allocation{Space::Pool, given.at("pool").get<std::int64_t>()};
        const auto name = entry.at("tensor").get<std::string>();
        if (auto done = bindArgument(arg, name, order, pool); !done) throwBundleError(done.error());
        bound.push_back({{"tensor", name}, {"arg_index", arg.argIndex}, {"allocation", allocationJson(arg)}});
    }
    return {{"bound", bound}};
}

json coreMapByDims(const json& in) {
    const auto dims = in.at("dims").get<std::vector<std::string>>();
    std::vector<std::int64_t> splits;
    std::int64_t cores = 1;
    for (const std::string& d : dims) {
        splits.push_back(in.at("splits").at(d).get<std::int64_t>());
        if (splits.back() < 1 || splits.back() > 4096) throw ProbeError{"bad_input", "a split is out of range"};
        cores *= splits.back();
        if (cores > 4096) throw ProbeError{"bad_input", "too many cores"};
    }
    const CoreMap map = coreMap(splits, in.at("k_fast").get<bool>());
    json slices = json::object();
    for (std::size_t core = 0; core < map.size(); ++core) {
        for (std::size_t d = 0; d < dims.size(); ++d)
            slices[std::to_string(core)][dims[d]] = map[core][d];
    }
    return {{"num_cores", map.size()}, {"coreIdToWkSlice_", slices}};
}

}  // namespace

void registerBundle(Registry& registry) {
    registry.addOrdered("byte_stride", byteStrideKind);
    registry.addOrdered("unroll", unrollKind);
    registry.addOrdered("bundle_mlir", bundleMlirKind);
    registry.addOrdered("sdsc_json", sdscKind);
    registry.addOrdered("opspec_source", opspecSourceKind);
    registry.addOrdered("arg_binding", argBindingKind);
    registry.addForm("core_map", "dims", coreMapByDims);
}

}  // namespace memplan::probe

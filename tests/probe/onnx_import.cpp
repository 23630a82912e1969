// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/onnx_import.h"

#include "engine/io/onnx/resolve/onnx_reader.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace memplan::probe {

namespace {

using io::onnx::Model;
using io::onnx::Node;
using io::onnx::Value;
using nlohmann::json;

std::string opKey(const Node& node) {
    return node.domain.empty() ? node.op : node.domain + "::" + node.op;
}

json declaredShape(const io::onnx::BoundInput& input) {
    json out = json::array();
    for (const auto& dim : input.declared) {
        if (const auto* fixed = std::get_if<std::int64_t>(&dim))
            out.push_back(*fixed);
        else if (const auto* symbol = std::get_if<std::string>(&dim))
            out.push_back(*symbol);
        else
            out.push_back(nullptr);
    }
    return out;
}

json inputsOf(const Model& model) {
    json out = json::array();
    for (const io::onnx::BoundInput& input : model.inputs) {
        const Value& value = model.values[static_cast<std::size_t>(input.value)];
        out.push_back({{"name", value.name},
                       {"elem_type", value.elemType},
                       {"declared", declaredShape(input)},
                       {"bound", value.shape}});
    }
    return out;
}

json outputsOf(const Model& model) {
    json out = json::object();
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
        out[model.outputNames[i]] = model.values[static_cast<std::size_t>(model.outputs[i])].shape;
    }
    return out;
}

/// The file as given, in the models folder beside the repository, or among the samples.
std::string contentOf(const std::string& file) {
    namespace fs = std::filesystem;
    const fs::path source = MEMPLAN_SOURCE_DIR;
    const fs::path models = source / ".." / "shared" / "models" / "onnx";
    for (const fs::path& path :
         {fs::path(file), models / file, models / fs::path(file).filename(), source / "samples" / "networks" / file}) {
        std::error_code none;
        if (!fs::is_regular_file(path, none)) continue;
        std::ifstream stream(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(stream), {});
    }
    throw ProbeError{"bad_input", "no file '" + file + "'"};
}

json onnxImport(const json& input) {
    const std::string bytes = contentOf(input.at("file").get<std::string>());
    io::OpenOptions options;
    options.bindings = bindingsOf(input);
    const auto read = io::onnx::readOnnx(bytes, options, {});
    if (!read.ok()) {
        const Diagnostic& error = read.error().primary();
        throw ProbeError{error.code, error.where + ": " + error.message};
    }
    return summaryOf(read.value().model);
}

}  // namespace

io::Bindings bindingsOf(const json& input) {
    io::Bindings bindings;
    for (const char* member : {"bind", "values"}) {
        const auto at = input.find(member);
        if (at == input.end() || at->is_null()) continue;
        for (const auto& [key, value] : at->items()) {
            bindings.raw.emplace_back(key, value.is_string() ? value.get<std::string>()
                                                             : std::to_string(value.get<std::int64_t>()));
        }
    }
    return bindings;
}

json summaryOf(const Model& model) {
    std::int64_t count = 0, total = 0, largest = -1;
    std::string largestName;
    json histogram = json::object(), largestValue;
    for (const Node& node : model.nodes) {
        if (node.folded) continue;
        ++count;
        json& entry = histogram[opKey(node)];
        entry = entry.is_null() ? 1 : entry.get<int>() + 1;
        for (const int output : node.outputs) {
            if (output < 0) continue;
            const Value& value = model.values[static_cast<std::size_t>(output)];
            const std::int64_t bytes = tensorBytes(value.dtype, value.shape).value_or(0);
            total += bytes;
            // Of equally large values the figures name the last one by name.
            if (bytes < largest || (bytes == largest && value.name <= largestName)) continue;
            largestName = value.name;
            largest = bytes;
            largestValue = {{"bytes", bytes}, {"value", value.name}, {"shape", value.shape}};
        }
    }
    return {{"ir_version", model.irVersion},
            {"opsets", model.opsets},
            {"nodes_top_level", model.nodesTopLevel},
            {"nodes_all_subgraphs", model.nodesAllSubgraphs},
            {"compute_nodes_after_folding", count},
            {"activation_bytes", total},
            {"largest_activation", largestValue},
            {"inputs", inputsOf(model)},
            {"outputs", outputsOf(model)},
            {"histogram_after_folding", histogram}};
}

void registerOnnxImport(Registry& registry) {
    registry.add("onnx_import", onnxImport);
}

}  // namespace memplan::probe

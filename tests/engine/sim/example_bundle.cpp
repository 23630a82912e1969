// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/sim/example_bundle.h"

#include <nlohmann/json.hpp>

namespace memplan::test {

using sim::artefact::BundleText;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kSegment = 17179869184;

Json folds(std::int64_t perCore, std::int64_t cores, bool isStick) {
    std::vector<std::int64_t> alpha{perCore, 0, 0, 1};
    std::vector<std::int64_t> factor{cores, 1, 1, perCore};
    if (isStick) {
        alpha = {perCore, 0, 0, 64, 1};
        factor = {cores, 1, 1, perCore / 64, 64};
    }
    Json j;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        j["folds"]["dim_prop_func"].push_back({{"Affine", {{"alpha_", alpha[i]}, {"beta_", 0}}}});
        j["folds"]["dim_prop_attr"].push_back({{"factor_", factor[i]}, {"label_", "fold"}});
    }
    return j;
}

}  // namespace

std::string descriptor(int number, const std::string& function, std::int64_t rows, std::int64_t columns,
                       std::int64_t cores, const std::vector<Operand>& tensors) {
    Json body;
    Json dsc;
    body["coreFoldProp_"]["factor_"] = cores;
    body["numCoresUsed_"] = cores;
    body["numWkSlicesPerDim_"] = {{"mb", cores}, {"out", 1}};
    dsc["numCoresUsed_"] = cores;
    for (std::int64_t c = 0; c < cores; ++c) {
        body["coreIdToWkSlice_"][std::to_string(c)] = {{"mb", c}, {"out", 0}};
        dsc["coreIdsUsed_"].push_back(c);
    }
    dsc["N_"] = {{"name_", "n"}, {"mb_", rows}, {"out_", columns}};
    const Json stage = {{"name_", "core"}, {"mb_", rows / cores}, {"out_", columns}};
    dsc["dataStageParam_"]["0"] = {{"ss_", stage}, {"el_", stage}};
    dsc["coordinateMasking_"] = Json::object();
    dsc["maskingConstId_"] = -1;
    dsc["primaryDsInfo_"]["OUTPUT"] = {
        {"layoutDimOrder_", {"mb", "out"}}, {"stickDimOrder_", {"out"}}, {"stickSize_", {64}}};
    dsc["constantInfo_"] = "{}";
    Json inputs = Json::array();
    for (std::size_t t = 0; t < tensors.size(); ++t) {
        const std::string name = "Tensor" + std::to_string(t);
        const std::string memory = tensors[t].isLx ? "lx" : "hbm";
        Json data = {{"ldsIdx_", t}, {"dsName_", name}, {"dsType_", "OUTPUT"}, {"scale_", {1, 1}}, {"wordLength", 2}};
        data["memOrg_"][memory] = {{"isPresent", 1}};
        Json node = {
            {"nodeType_", "allocate"}, {"name_", "allocate-" + name + "_" + memory}, {"ldsIdx_", t},
            {"component_", memory},    {"layoutDimOrder_", {"mb", "out"}},           {"maxDimSizes_", {-1, -1}}};
        if (!tensors[t].isLx) node["isStartAddrSymbolic_"] = 1;
        for (std::int64_t c = 0; c < cores; ++c) {
            node["startAddressCoreCorelet_"]["data_"]["[" + std::to_string(c) + ", 0, 0]"] =
                std::to_string(tensors[t].isLx ? 0 : tensors[t].id);
        }
        if (tensors[t].rowGap > 0) node["backGapCore_"]["mb"]["-1"] = std::to_string(tensors[t].rowGap);
        node["coordinates_"]["coordInfo"]["mb"] = folds(rows / cores, cores, false);
        node["coordinates_"]["coordInfo"]["out"] = folds(columns, 1, true);
        node["coordinates_"]["coreIdToWkSlice_"] = Json::object();
        dsc["labeledDs_"].push_back(data);
        dsc["scheduleTree_"].push_back(node);
        if (t + 1 < tensors.size()) inputs.push_back(name + "-idx" + std::to_string(t));
    }
    const std::string result = std::to_string(tensors.size() - 1);
    dsc["computeOp_"] = Json::array({{{"opFuncName", function},
                                      {"inputLabeledDs", inputs},
                                      {"outputLabeledDs", {"Tensor" + result + "-idx" + result}}}});
    body["dscs_"] = Json::array({{{function, dsc}}});
    return Json{{std::to_string(number) + "_" + function, body}}.dump(2);
}

BundleText seedExample(std::int64_t rows, std::int64_t columns) {
    const std::string map = std::to_string(rows) + "*d0 + " + std::to_string(columns) + "*d1";
    const auto executed = [](int first, int file) {
        const auto n = [](int i) { return std::to_string(i); };
        return "%addr_" + n(first) + " = affine.apply #map_0(%i_0, %i_1)[%sym_" + n(first + 1) + "]\n%addr_" +
               n(first + 1) + " = affine.apply #map_0(%i_0, %i_1)[%sym_" + n(first + 2) +
               "]\nsdscbundle.sdsc_execute (%addr_" + n(first) + ", %addr_" + n(first + 1) +
               ") {sdsc_filename=\"sdsc_" + n(file) + ".json\", \"symbol_ids\"=[-" + n(first + 1) + ", -" +
               n(first + 2) + "]}\n";
    };
    std::string mlir = "#map_0 = affine_map<(d0, d1)[s0] -> (s0 + " + map +
                       ")>\nmodule {\nfunc.func @sdsc_bundle() {\n"
                       "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                       "%loop_bound_0 = arith.constant 2 : index\n%loop_bound_1 = arith.constant 4 : index\n";
    for (int i = 0; i < 4; ++i)
        mlir += "%sym_" + std::to_string(i + 1) + " = arith.constant " + std::to_string(i * kSegment) + " : index\n";
    mlir += "scf.for %i_0 = %c0 to %loop_bound_0 step %c1 {\nscf.for %i_1 = %c0 to %loop_bound_1 step %c1 {\n" +
            executed(0, 0) + executed(2, 1) + "}\n}\nreturn\n}\n}\n";
    return {{"bundle.mlir", mlir},
            {"sdsc_0.json", descriptor(0, "add", 512, 1024, 32, {{false, -1, 512}, {false, -2, 512}, {true, 0, 0}})},
            {"sdsc_1.json", descriptor(1, "mul", 512, 1024, 32, {{true, 0, 0}, {false, -3, 512}, {false, -4, 512}})}};
}

}  // namespace memplan::test

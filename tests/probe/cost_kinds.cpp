// SPDX-License-Identifier: Apache-2.0
// cost_op, cost_kernel, cost_report, to_fixed_us.
#include "tests/probe/cost_kinds.h"

#include "engine/spyre/cost/report.h"
#include "tests/probe/registry.h"

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::spyre::cost;

template <class T> void take(const json& object, const char* key, T& into) {
    const auto it = object.find(key);
    if (it != object.end() && !it->is_null()) into = it->get<T>();
}

template <class T> void take(const json& object, const char* key, std::optional<T>& into) {
    const auto it = object.find(key);
    if (it != object.end() && !it->is_null()) into = it->get<T>();
}

ArgFeatures readArg(const json& in) {
    ArgFeatures a;
    take(in, "name", a.name);
    const std::string role = in.at("role").get<std::string>();
    if (role != "input" && role != "output") throw ProbeError{"bad_input", "role is neither input nor output"};
    a.role = role == "input" ? Role::Input : Role::Output;
    if (in.contains("mem")) {
        a.memory = in.at("mem").get<std::string>() == "lx" ? Memory::Lx : Memory::Hbm;
    } else {
        a.memory = in.value("is_lx", false) ? Memory::Lx : Memory::Hbm;
    }
    take(in, "elems", a.elements);
    take(in, "dims", a.deviceDims);
    take(in, "logical", a.shape);
    take(in, "broadcast", a.broadcast);
    take(in, "loop_factor", a.loopFactor);
    take(in, "is_boundary", a.isBoundary);
    take(in, "owns_boundary_charge", a.ownsBoundaryCharge);
    take(in, "replication", a.replication);
    take(in, "read_run_bytes", a.readRunBytes);
    return a;
}

OpFeatures readFeatures(const json& in) {
    OpFeatures op;
    take(in, "name", op.name);
    take(in, "is_reduction", op.isReduction);
    take(in, "out_elems", op.outElements);
    take(in, "cores", op.cores);
    take(in, "dtype_bytes", op.dtypeBytes);
    for (const json& a : in.at("args"))
        op.args.push_back(readArg(a));
    take(in, "reduction_cores", op.reductionCores);
    take(in, "loop_trip", op.loopTrip);
    take(in, "tiles_output_dim", op.tilesOutputDim);
    take(in, "tiles_reduction_dim", op.tilesReductionDim);
    take(in, "tile_rows_per_core", op.tileRowsPerCore);
    take(in, "is_matmul", op.isMatmul);
    take(in, "matmul_macs", op.matmulMacs);
    take(in, "matmul_rows_per_core", op.matmulRowsPerCore);
    take(in, "matmul_cols_per_core", op.matmulColsPerCore);
    take(in, "matmul_a_bytes", op.matmulABytes);
    take(in, "matmul_b_bytes", op.matmulBBytes);
    take(in, "matmul_m_split", op.matmulMSplit);
    take(in, "matmul_n_split", op.matmulNSplit);
    take(in, "hbm_pattern", op.hbmPattern);
    take(in, "transport_read_run_bytes", op.transportReadRunBytes);
    take(in, "transport_tile_elems", op.transportTileElements);
    take(in, "is_lx_relayout", op.isLxRelayout);
    take(in, "relayout_run_elems", op.relayoutRunElements);
    take(in, "relayout_split", op.relayoutSplit);
    take(in, "is_indirect_store", op.isIndirectStore);
    return op;
}

json priceJson(const std::vector<OpFeatures>& ops, Edition edition) {
    Model model;
    model.edition = edition;
    const KernelPrice p = priceKernel(ops, model);
    json out = {{"total_ns", p.totalNs},
                {"read_bytes", p.bytes.read},
                {"write_bytes", p.bytes.write},
                {"branch", branchName(p.branch)},
                {"mem_ns", p.memNs},
                {"eff", p.eff},
                {"derate", p.derate},
                {"mem_total_ns", p.memTotalNs},
                {"compute_ns", p.computeNs},
                {"split_ns", p.splitNs}};
    if (edition == Edition::A) {
        out["spill_bytes"] = p.spillBytes;
        return out;
    }
    out["compute_side_ns"] = p.computeSideNs;
    out["replicated_ns"] = p.replicatedNs;
    out["relayout_ns"] = p.relayoutNs;
    out["clone_ns"] = p.cloneNs;
    out["loop_repeat_ns"] = p.loopRepeatNs;
    out["transport_ns"] = p.transportNs;
    out["burst_ns"] = p.burstNs;
    if (p.fusedReductionNs) out["fused_reduction_ns"] = *p.fusedReductionNs;
    return out;
}

json costKind(const json& in) {
    std::vector<OpFeatures> ops;
    for (const json& op : in.at("ops"))
        ops.push_back(readFeatures(op));
    return {{"A", priceJson(ops, Edition::A)}, {"B", priceJson(ops, Edition::B)}};
}

std::vector<int> readLoopGroup(const json& op) {
    const auto it = op.find("loop_group");
    if (it == op.end() || it->is_null()) return {};
    if (it->is_array()) return it->get<std::vector<int>>();
    return {it->get<int>()};
}

json costReport(const json& in) {
    std::vector<ReportOp> ops;
    for (const json& op : in.at("ops"))
        ops.push_back({readFeatures(op), op.value("modellable", true), readLoopGroup(op)});
    Model model;
    model.edition = in.at("edition").get<std::string>() == "A" ? Edition::A : Edition::B;
    const Report report = makeReport(ops, groupKernels(ops, in.at("bundle_symbolic_args").get<bool>()), model);
    json kernels = json::array();
    for (const KernelReport& k : report.kernels) {
        json names = json::array();
        json shares = json::array();
        for (const OpShare& s : k.attribution) {
            names.push_back(s.name);
            shares.push_back({{"name", s.name},
                              {"hbm_bytes", s.hbmBytes},
                              {"lx_bytes", s.lxBytes},
                              {"predicted_us", s.microseconds},
                              {"trip", s.trip},
                              {"hbm_per_iter", s.hbmPerIteration},
                              {"reread_bytes", s.rereadBytes}});
        }
        kernels.push_back({{"index", kernels.size()},
                           {"ops", names},
                           {"predicted_us", k.microseconds},
                           {"loop_trip", k.loopTrip},
                           {"loop_group_ids", k.loopGroupIds},
                           {"attribution", shares}});
    }
    return {{"total_us", report.totalMicroseconds}, {"kernels", kernels}};
}

json toFixedKind(const json& in) {
    json ticks = json::array();
    for (const json& us : in.at("us")) {
        const auto t = toFixed(us.get<double>());
        if (!t) throw ProbeError{"ValueError", t.error().primary().message};
        ticks.push_back(t.value());
    }
    return {{"ticks", ticks}};
}

}  // namespace

void registerCost(Registry& registry) {
    registry.add("cost_op", costKind);
    registry.add("cost_kernel", costKind);
    registry.add("cost_report", costReport);
    registry.add("to_fixed_us", toFixedKind);
}

}  // namespace memplan::probe

// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/pipeline/damages.h"

#include <stdexcept>
#include <utility>

namespace memplan::test {
namespace {

Json& named(Json& list, const char* key, const std::string& name) {
    for (Json& item : list) {
        if (item.at(key) == name) return item;
    }
    throw std::runtime_error("no " + name);
}

void collect(Json& nodes, std::vector<Json*>& out) {
    for (Json& n : nodes) {
        if (n.at("type") == "loop")
            collect(n.at("body"), out);
        else
            out.push_back(&n);
    }
}

Json& targetOf(Json& plan, const std::string& op) {
    return plan.at("target_data").at("ops").at(op);
}

void flip(Json& value) {
    value = !value.get<bool>();
}

class List {
public:
    std::vector<Damage> all;

    void add(std::string name, Subject s, std::string place, std::function<void(Json&)> apply) {
        all.push_back({std::move(name), s, std::move(apply), std::move(place), false});
    }
    void ofGraph(std::string name, Subject s, std::string place, std::function<void(Json&)> apply) {
        all.push_back({std::move(name), s, std::move(apply), std::move(place), true});
    }
};

void addOps(List& l) {
    using enum Subject;
    l.add("op removed", OneCore, "exp", [](Json& p) { p["ops"].erase(3); });
    l.add("op twice", OneCore, "ops", [](Json& p) { p["ops"].push_back(p["ops"][3]); });
    l.add("ops swapped", OneCore, "exp", [](Json& p) { std::swap(p["ops"][2], p["ops"][3]); });
    l.add("op renamed", OneCore, "name", [](Json& p) { opOf(p, "exp")["id"] = "other"; });
    l.add("function", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["type"] = "sin"; });
    l.add("kind", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["kind"] = "reduction"; });
    l.add("kind of a reduction", OneCore, "op sum", [](Json& p) { opOf(p, "sum")["kind"] = "pointwise"; });
    l.add("unknown kind", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["kind"] = "magic"; });
    l.add("operands swapped", OneCore, "op sub", [](Json& p) { swapFirst(opOf(p, "sub")["inputs"]); });
    l.add("operand replaced", OneCore, "op div", [](Json& p) { opOf(p, "div")["inputs"][0] = "clone_x"; });
    l.add("operand missing", OneCore, "op sub", [](Json& p) { opOf(p, "sub")["inputs"].erase(1); });
    l.add("output replaced", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["outputs"][0] = "sum"; });
    l.add("extent", OneCore, "d0", [](Json& p) { raise(opOf(p, "exp")["iteration_space"]["d0"]); });
    l.add("extent in both forms", OneCore, "op exp", [](Json& p) {
        opOf(p, "exp")["iteration_space"]["d0"] = 256;
        opOf(p, "exp")["x_loops"][0]["extent"] = 256;
        opOf(p, "exp")["x_loops"][0]["adjusted"] = 256;
    });
    l.add("splits", Cores, "d0", [](Json& p) { opOf(p, "exp")["splits"]["d0"] = 2; });
    l.add("splits in both forms", Cores, "op exp", [](Json& p) {
        opOf(p, "exp")["splits"]["d0"] = 2;
        opOf(p, "exp")["x_loops"][0]["slices"] = 2;
    });
    l.add("cores", Cores, "op exp", [](Json& p) { opOf(p, "exp")["cores"] = 2; });
    l.add("reduced flag", OneCore, "op sum", [](Json& p) { flip(opOf(p, "sum")["x_loops"][1]["reduction"]); });
    l.add("sticks", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["x_loops"][1]["elems_per_stick"] = 32; });
    l.add("sticks counted", OneCore, "op exp", [](Json& p) { raise(opOf(p, "exp")["x_loops"][1]["adjusted"]); });
    l.add("coefficient", OneCore, "exp", [](Json& p) { opOf(p, "exp")["x_accesses"][0]["coefficients"] = {1, 512}; });
    l.add("offset", OneCore, "exp", [](Json& p) { raise(opOf(p, "exp")["x_accesses"][0]["offset"]); });
    l.add("direction of an access", OneCore, "op exp", [](Json& p) { flip(opOf(p, "exp")["x_accesses"][0]["write"]); });
    l.add("sliced dimension", Cores, "op exp",
          [](Json& p) { opOf(p, "exp")["x_accesses"][0]["slice_dims"][0][0] = 0; });
    l.add("slices of cores", Cores, "op exp",
          [](Json& p) { swapFirst(opOf(p, "exp")["x_accesses"][0]["core_slots"][0]); });
    l.add("core order", Cores, "op exp", [](Json& p) { flip(opOf(p, "exp")["x_k_adjacent"]); });
    l.add("bytes read", OneCore, "op clone_x", [](Json& p) { raise(opOf(p, "clone_x")["x_off_chip_read"]); });
    l.add("bytes written", OneCore, "op div", [](Json& p) { raise(opOf(p, "div")["x_off_chip_write"]); });
    l.add("span", OneCore, "op exp", [](Json& p) { raise(opOf(p, "exp")["x_max_span"]); });
    l.add("pass that added it", OneCore, "op clone_x", [](Json& p) { opOf(p, "clone_x")["x_added_by"] = "nobody"; });
    l.add("loop path", Tiled, "op mul", [](Json& p) { opOf(p, "mul")["loop_path"] = {1, 0}; });
    l.add("trip counts", Tiled, "op mul", [](Json& p) { opOf(p, "mul")["loop_counts"] = {2, 8}; });
}

void addBuffers(List& l) {
    using enum Subject;
    l.add("buffer renamed", OneCore, "name", [](Json& p) { bufferOf(p, "exp")["name"] = "other"; });
    l.add("size", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["size"], 128); });
    l.add("size on a core", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["size_per_core"], 128); });
    l.add("start", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["start"], -1); });
    l.add("end", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["end"]); });
    l.add("put off chip", OneCore, "exp", [](Json& p) { bufferOf(p, "exp")["space"] = "hbm"; });
    l.add("foreign space", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["space"] = "l1"; });
    l.add("address", OneCore, "max", [](Json& p) { raise(bufferOf(p, "max")["address"], 128); });
    l.add("address misaligned", OneCore, "buffer max", [](Json& p) { raise(bufferOf(p, "max")["address"], 64); });
    l.add("address missing", OneCore, "buffer max", [](Json& p) { bufferOf(p, "max")["address"] = nullptr; });
    l.add("address off chip", OneCore, "buffer x", [](Json& p) { bufferOf(p, "x")["address"] = 128; });
    l.add("slot of another", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["in_place_of"] = "max"; });
    l.add("slot not taken", OneCore, "exp", [](Json& p) { bufferOf(p, "exp")["in_place_of"] = nullptr; });
    l.add("slot taken off chip", OneCore, "is off chip and says that it takes the slot", [](Json& p) {
        for (Json& b : p["buffers"]) {
            if (b["x_role"] == "graph_output") b["in_place_of"] = "exp";
        }
    });
    l.add("reason missing", OneCore, "buffer x", [](Json& p) { bufferOf(p, "x")["reason"] = nullptr; });
    l.add("reason wrong", OneCore, "buffer x", [](Json& p) { bufferOf(p, "x")["reason"]["code"] = "no_room"; });
    l.add("reason of another target", OneCore, "buffer x",
          [](Json& p) { bufferOf(p, "x")["reason"]["code"] = "chain_failed"; });
    l.add("further reasons in another order", Tiled, "buffer a",
          [](Json& p) { swapFirst(bufferOf(p, "a")["reason"]["x_others"]); });
    l.add("reason on chip", OneCore, "buffer exp", [](Json& p) {
        bufferOf(p, "exp")["reason"] = {{"code", "no_room"}, {"text", "no"}};
    });
    l.add("mismatch called lost", Mismatch, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["reason"]["code"] = "no_room"; });
    l.add("mismatch called unread", Mismatch, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["reason"]["code"] = "never_read"; });
    l.add("planning said to be off", Mismatch, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["reason"]["code"] = "planning_off"; });
    l.add("shape", OneCore, "buffer exp", [](Json& p) { swapFirst(bufferOf(p, "exp")["shape"]); });
    l.add("shape and layout", OneCore, "buffer exp", [](Json& p) {
        bufferOf(p, "exp")["shape"] = {256, 1024};
        bufferOf(p, "exp")["layout"]["size"] = {256, 1024};
    });
    l.add("type", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["dtype"] = "f32"; });
    l.add("layout missing", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["layout"] = nullptr; });
    l.add("layout's shape", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["layout"]["size"][0]); });
    l.add("host stride", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["layout"]["stride"][0]); });
    l.add("device size", OneCore, "buffer exp",
          [](Json& p) { swapFirst(bufferOf(p, "exp")["layout"]["device_size"]); });
    l.add("stride map", OneCore, "exp", [](Json& p) { swapFirst(bufferOf(p, "exp")["layout"]["stride_map"]); });
    l.add("device type", OneCore, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["layout"]["device_dtype"] = "IEEE_FP32"; });
    l.add("arrangement", OneCore, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["layout"]["element_arrangement"] = "LOOSE"; });
    l.add("tile of a whole", Tiled, "c", [](Json& p) { bufferOf(p, "c")["layout"]["per_tile_fixed"] = true; });
    l.add("whole of a tile", Tiled, "add", [](Json& p) { bufferOf(p, "add")["layout"]["per_tile_fixed"] = false; });
    l.add("intermediate called input", OneCore, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["x_role"] = "graph_input"; });
    l.add("intermediate called output", OneCore, "buffer exp",
          [](Json& p) { bufferOf(p, "exp")["x_role"] = "graph_output"; });
    l.add("input called intermediate", OneCore, "buffer x",
          [](Json& p) { bufferOf(p, "x")["x_role"] = "intermediate"; });
    l.ofGraph("input called parameter", OneCore, "buffer x", [](Json& p) { bufferOf(p, "x")["x_role"] = "parameter"; });
    l.ofGraph("other tensor", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["x_tensor"] = 1; });
    l.add("producer", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["op"] = "sub"; });
    l.add("users", OneCore, "buffer exp", [](Json& p) { bufferOf(p, "exp")["x_uses"].erase(0); });
    l.add("cores that divide it", Cores, "buffer exp", [](Json& p) { bufferOf(p, "exp")["x_cores"] = 2; });
    l.add("copy of another", OneCore, "clone_x", [](Json& p) { bufferOf(p, "clone_x")["x_clone_of"] = "exp"; });
    l.add("saved bytes", OneCore, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["x_traffic_saved"]); });
    l.add("pool offset", Mismatch, "buffer exp", [](Json& p) { raise(bufferOf(p, "exp")["x_pool_offset"], 64); });
    l.add("pool offset missing", Mismatch, "buffer exp", [](Json& p) { bufferOf(p, "exp").erase("x_pool_offset"); });
    l.add("pool overlap", Mismatch, "pool",
          [](Json& p) { bufferOf(p, "exp")["x_pool_offset"] = bufferOf(p, "sub").value("x_pool_offset", 0) + 128; });
}

void addFigures(List& l) {
    using enum Subject;
    for (const char* key : {"capacity", "alignment", "peak", "live_peak", "x_physical"}) {
        const std::string name = std::string(key) == "x_physical" ? "physical" : key;
        l.add(std::string("memory ") + key, OneCore, name, [key](Json& p) { raise(p["memory"][key], 128); });
    }
    l.add("occupancy", OneCore, "occupancy", [](Json& p) { raise(p["memory"]["occupancy"][2]["bytes"], 128); });
    l.add("occupancy missing", OneCore, "occupancy", [](Json& p) { p["memory"]["occupancy"].erase(2); });
    l.add("bound of a step", OneCore, "bound_per_step",
          [](Json& p) { raise(p["memory"]["x_bound_per_step"][1], 128); });
    l.add("step of the live peak", OneCore, "live_peak", [](Json& p) { p["memory"]["x_live_peak_step"] = 0; });
    for (const char* key : {"main_memory_read_bytes", "main_memory_write_bytes", "main_memory_elements", "pinned_bytes",
                            "unpinned_bytes", "upper_bound_bytes", "peak_lower_bound", "spill_lower_bound",
                            "buffers_on_chip", "buffers_total", "mismatches", "ops_below_half", "ops_over_span"})
        l.add(std::string("metric ") + key, Mismatch, key, [key](Json& p) { raise(p["metrics"][key]); });
    for (const char* key : {"core_utilisation", "padding_share", "restickify_share", "fragmentation_max"}) {
        l.add(std::string("metric ") + key, Mismatch, key,
              [key](Json& p) { p["metrics"][key] = p["metrics"][key].get<double>() / 2 + 0.1; });
    }
    l.add("estimated time", Mismatch, "estimated_microseconds",
          [](Json& p) { p["metrics"]["estimated_microseconds"] = 1.0; });
    l.add("proved flag", OneCore, "proved_optimal", [](Json& p) { flip(p["metrics"]["proved_optimal"]); });
    l.add("solver", OneCore, "x_solver", [](Json& p) { p["x_solver"] = "exact"; });
    l.add("hash of the plan", OneCore, "x_plan_hash", [](Json& p) { p["x_plan_hash"] = "0123456789abcdef"; });
    l.add("stopped", OneCore, "x_stopped_after", [](Json& p) { p["x_stopped_after"] = "sometime"; });
    l.add("pass missing", OneCore, "build_op_specs", [](Json& p) {
        Json& passes = p["passes"];
        for (std::size_t i = 0; i < passes.size(); ++i) {
            if (passes[i]["name"] == "build_op_specs") return passes.erase(i), void();
        }
    });
    l.add("total of the estimate", OneCore, "cost_estimate",
          [](Json& p) { estimateOf(p)["total_microseconds"] = 1.0; });
    l.add("estimate of a kernel", OneCore, "cost_estimate kernel 0",
          [](Json& p) { estimateOf(p)["kernels"][0]["microseconds"] = 1.0; });
    l.add("trip of a share", Tiled, "cost_estimate kernel 0",
          [](Json& p) { raise(estimateOf(p)["kernels"][0]["shares"][0]["trip"]); });
    l.add("bytes of a share", OneCore, "cost_estimate kernel 0",
          [](Json& p) { estimateOf(p)["kernels"][0]["shares"][0]["hbm_bytes"] = 0; });
    l.add("one byte more of a share", OneCore, "hbm_bytes",
          [](Json& p) { raise(estimateOf(p)["kernels"][0]["shares"][0]["hbm_bytes"]); });
    l.add("bytes read again", OneCore, "reread_bytes",
          [](Json& p) { raise(estimateOf(p)["kernels"][0]["shares"][0]["reread_bytes"]); });
    l.add("branch of a kernel", OneCore, "branch",
          [](Json& p) { estimateOf(p)["kernels"][0]["branch"] = "reduction"; });
    l.add("category of a kernel", OneCore, "category",
          [](Json& p) { estimateOf(p)["kernels"][0]["category"] = "pointwise"; });
    l.add("share missing", OneCore, "cost_estimate kernel 0",
          [](Json& p) { estimateOf(p)["kernels"][0]["shares"].erase(1); });
    l.add("combinations", Searched, "co_optimization",
          [](Json& p) { raise(p["target_data"]["co_optimization"]["combinations"]); });
    l.add("change of a division", Searched, "co_optimization",
          [](Json& p) { p["target_data"]["co_optimization"]["changes"][0]["to"] = "sd0/3"; });
}

void addTarget(List& l) {
    using enum Subject;
    l.add("ranges", OneCore, "target_data op exp", [](Json& p) { swapFirst(targetOf(p, "exp")["ranges"]); });
    l.add("reduction ranges", OneCore, "target_data op sum",
          [](Json& p) { raise(targetOf(p, "sum")["reduction_ranges"][0]); });
    l.add("code of the splits", Cores, "target_data op exp", [](Json& p) {
        targetOf(p, "exp")["op_it_space_splits"]["output"] = {{"1", 4}};
    });
    l.add("code of the splits missing", Cores, "target_data op exp",
          [](Json& p) { targetOf(p, "exp")["op_it_space_splits"]["output"] = Json::object(); });
    l.add("committed split", Cores, "target_data op exp", [](Json& p) {
        targetOf(p, "exp")["committed_splits"] = {{"d0", 3}};
    });
    l.add("entry of an op", OneCore, "target_data op exp", [](Json& p) { p["target_data"]["ops"].erase("exp"); });
    l.add("tiled dimensions", Tiled, "target_data op mul",
          [](Json& p) { swapFirst(targetOf(p, "mul")["loop_tiled_dims"]); });
    l.add("tiled symbols", Tiled, "target_data op mul",
          [](Json& p) { swapFirst(targetOf(p, "mul")["tiled_symbols"]); });
    l.add("named dimensions", Tiled, "target_data op mul",
          [](Json& p) { swapFirst(targetOf(p, "mul")["named_dims"]); });
    l.add("slices of a name", Tiled, "target_data op mul",
          [](Json& p) { raise(targetOf(p, "mul")["dim_hints"][0]["split_count"]); });
    l.add("dimension of a hinted cut", Tiled, "op mul",
          [](Json& p) { raise(targetOf(p, "mul")["dim_hints"][0]["dim_index"]); });
    l.add("loop of a hinted cut", Tiled, "op mul",
          [](Json& p) { targetOf(p, "mul")["dim_hints"][0]["loop_var"] = "d1"; });
    l.add("hint of a cut", Tiled, "op mul", [](Json& p) { raise(targetOf(p, "mul")["dim_hints"][0]["hint_id"]); });
    l.add("hint of a cut that is not there", Tiled, "op mul",
          [](Json& p) { raise(targetOf(p, "mul")["dim_hints"][1]["hint_id"]); });
    l.add("state of a hint", Tiled, "hints[2]", [](Json& p) { p["hints"][2]["state"] = "ignored"; });
    l.add("reason of a hint", Tiled, "hints[2]", [](Json& p) { p["hints"][2]["state_reason"] = "why not"; });
    l.add("unknown state", Tiled, "hints[2]", [](Json& p) { p["hints"][2]["state"] = "maybe"; });
    l.add("value of a hint", Tiled, "op mul", [](Json& p) { p["hints"][2]["value"] = {{"A", 4}}; });
    l.add("case of a tile", Tiled, "propagation of add",
          [](Json& p) { p["target_data"]["propagation"][0]["case"] = "copy"; });
    l.add("full buffer", Tiled, "propagation",
          [](Json& p) { p["target_data"]["propagation"][1]["full_buffer"] = "a"; });
    l.add("propagation missing", Tiled, "propagation", [](Json& p) { p["target_data"]["propagation"].erase(1); });
    l.add("count of the loop tree", Tiled, "op add", [](Json& p) { raise(p["target_data"]["loops"][0]["count"]); });
    l.add("path of the loop tree", Tiled, "loops", [](Json& p) { p["target_data"]["loops"][0]["path"] = {3}; });
    l.add("order of the loop tree", Tiled, "op add",
          [](Json& p) { swapFirst(p["target_data"]["loops"][0]["body"][0]["body"]); });
    l.add("op missing in the loop tree", OneCore, "op ", [](Json& p) { p["target_data"]["loops"].erase(2); });
    l.add("ops of a kernel", OneCore, "kernel ", [](Json& p) { swapFirst(kernelOf(p)["ops"]); });
    l.add("op missing in a kernel", OneCore, "div", [](Json& p) { kernelOf(p)["ops"].erase(5); });
    l.add("arguments of a kernel", OneCore, "kernel ", [](Json& p) { swapFirst(kernelOf(p)["arguments"]); });
    l.add("argument missing", OneCore, "kernel ", [](Json& p) { kernelOf(p)["arguments"].erase(0); });
    l.add("external tensors", OneCore, "kernel ", [](Json& p) { raise(kernelOf(p)["external_tensors"]); });
    l.add("tensor limit", OneCore, "kernel ", [](Json& p) { raise(kernelOf(p)["tensor_limit"]); });
    l.add("name of a kernel", OneCore, "kernel ", [](Json& p) { kernelOf(p)["name"] = "sdsc_other_0"; });
    l.add("kernel missing", Kernels, "kernel", [](Json& p) { p["target_data"]["kernels"].erase(1); });
    l.add("live across", Kernels, "kernel ", [](Json& p) { kernelOf(p)["live_across"] = Json::array(); });
    l.add("non terminal", Kernels, "kernel ", [](Json& p) { flip(kernelOf(p)["non_terminal"]); });
    l.add("pool size", Mismatch, "pool size", [](Json& p) { raise(p["target_data"]["pool"]["size"], 128); });
    l.add("pool peak", Mismatch, "pool peak", [](Json& p) { raise(p["target_data"]["pool"]["peak"], 128); });
    for (const char* key : {"propagation", "loops", "kernels", "op_specs", "pool"})
        l.add(std::string("missing ") + key, OneCore, key, [key](Json& p) { p["target_data"].erase(key); });
}

void addSpecs(List& l) {
    using enum Subject;
    const auto spec = [&](const char* name, Subject s, const char* place, std::size_t at,
                          std::function<void(Json&)> f) {
        l.add(name, s, place, [at, f = std::move(f)](Json& p) { f(specOf(p, at)); });
    };
    spec("OpSpec of another function", OneCore, "op_specs op exp", 3, [](Json& o) { o["op"] = "sin"; });
    spec("OpSpec reduces", OneCore, "op_specs op exp", 3, [](Json& o) { flip(o["is_reduction"]); });
    spec("OpSpec extent", OneCore, "op_specs op exp", 3, [](Json& o) { raise(o["iteration_space"]["c0"][0]); });
    spec("OpSpec split", Cores, "op_specs op exp", 3, [](Json& o) { o["iteration_space"]["c0"][1] = 2; });
    spec("OpSpec without a loop", OneCore, "op_specs op exp", 3, [](Json& o) { o["iteration_space"].erase("c1"); });
    spec("OpSpec without a tensor", OneCore, "op_specs op div", 5, [](Json& o) { o["args"].erase(1); });
    spec("OpSpec operands swapped", OneCore, "op_specs op sub", 2, [](Json& o) { swapFirst(o["args"]); });
    spec("OpSpec direction", OneCore, "op_specs op exp", 3, [](Json& o) { flip(o["args"][0]["is_input"]); });
    spec("OpSpec device size", OneCore, "op_specs op exp", 3, [](Json& o) { raise(o["args"][0]["device_size"][0]); });
    spec("OpSpec stride map", OneCore, "op_specs op exp", 3, [](Json& o) { raise(o["args"][0]["stride_map"][1]); });
    spec("OpSpec device type", OneCore, "op_specs op exp", 3,
         [](Json& o) { o["args"][0]["device_dtype"] = "IEEE_FP32"; });
    spec("OpSpec coordinate", OneCore, "op_specs op exp", 3,
         [](Json& o) { o["args"][0]["device_coordinates"][0] = "floor(c1/32)"; });
    spec("OpSpec coordinates swapped", OneCore, "op_specs op exp", 3,
         [](Json& o) { swapFirst(o["args"][0]["device_coordinates"]); });
    spec("OpSpec coordinate shifted", OneCore, "op_specs op exp", 3,
         [](Json& o) { o["args"][1]["device_coordinates"][1] = "c0 + 1"; });
    spec("OpSpec address", OneCore, "op_specs op exp", 3,
         [](Json& o) { raise(o["args"][0]["allocation"]["lx"], 128); });
    spec("OpSpec memory", OneCore, "op_specs op exp", 3, [](Json& o) { o["args"][0]["allocation"] = {{"hbm", 0}}; });
    spec("OpSpec segment", OneCore, "op_specs op clone_x", 0,
         [](Json& o) { o["args"][0]["allocation"]["hbm"] = 17179869184; });
    spec("OpSpec slot", OneCore, "op_specs op clone_x", 0, [](Json& o) { raise(o["args"][0]["arg_index"]); });
    spec("OpSpec unbound", OneCore, "op_specs op clone_x", 0,
         [](Json& o) { o["args"][0]["allocation"] = Json::object(); });
    spec("OpSpec one tile", Tiled, "op_specs op add", 0, [](Json& o) { flip(o["args"][2]["per_tile_fixed"]); });
    spec("OpSpec tiled symbols", Tiled, "op_specs op mul", 1, [](Json& o) { swapFirst(o["tiled_symbols"]); });
    spec("OpSpec tiled levels", Tiled, "op_specs op mul", 1, [](Json& o) { swapFirst(o["tiled_symbols_per_level"]); });
    l.add("OpSpec loop count", Tiled, "op_specs op add",
          [](Json& p) { raise(p["target_data"]["op_specs"].front()[0]["count"]); });
    l.add("OpSpec missing", OneCore, "kernel ", [](Json& p) { p["target_data"]["op_specs"].front().erase(3); });
    l.add("OpSpecs swapped", OneCore, "op_specs op exp",
          [](Json& p) { std::swap(p["target_data"]["op_specs"].front()[3], p["target_data"]["op_specs"].front()[4]); });
    l.add("OpSpecs of a kernel missing", Kernels, "kernel ", [](Json& p) {
        Json& specs = p["target_data"]["op_specs"];
        specs.erase(specs.begin());
    });
    l.add("OpSpecs of another kernel", OneCore, "kernel ", [](Json& p) {
        Json& specs = p["target_data"]["op_specs"];
        specs = Json{{"sdsc_other_0", specs.front()}};
    });
}

void addRecord(List& l) {
    using enum Subject;
    const auto record = [&](const char* name, Subject s, const char* place, std::function<void(Json&)> f) {
        l.ofGraph(name, s, place, [f = std::move(f)](Json& p) { f(p.at("execution")); });
    };
    record("record's function", OneCore, "execution op exp", [](Json& e) { e["ops"][3]["fn"] = "sin"; });
    record("record's cores", Cores, "op exp", [](Json& e) { raise(e["ops"][3]["cores"]); });
    record("record's index", OneCore, "op exp", [](Json& e) { e["ops"][3]["args"][0]["index"] = "512*d0+d1"; });
    record("record's address", OneCore, "op exp",
           [](Json& e) { raise(e["ops"][3]["args"][0]["base"]["address"], 128); });
    record("record's advance", Tiled, "execution op add", [](Json& e) { raise(e["ops"][1]["args"][0]["advance"][0]); });
    record("record's stride map", OneCore, "buffer x",
           [](Json& e) { swapFirst(e["buffers"][0]["layout"]["stride_map"]); });
    record("record's lifetime", OneCore, "buffer x", [](Json& e) { raise(e["buffers"][0]["live"][1]); });
    record("record's kernel", OneCore, "kernel ", [](Json& e) { swapFirst(e["kernels"][0]["arguments"]); });
    record("record's steps", OneCore, "execution", [](Json& e) { swapFirst(e["steps"]); });
    record("record's steps without room", Tiled, "execution steps", [](Json& e) { e["steps"].erase(0); });
    record("record's source", OneCore, "execution op exp",
           [](Json& e) { named(e["ops"], "name", "exp")["source"][0] = "div"; });
    record("record's result", OneCore, "execution output", [](Json& e) { raise(e["outputs"][0]["strides"][0]); });
    record("graph's function", OneCore, "exp", [](Json& e) { named(e["graph"]["ops"], "id", "exp")["fn"] = "sin"; });
}

/// Names and orders that follow from what stands beside them.
void addNames(List& l) {
    using enum Subject;
    l.ofGraph("origin", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["origin"]["op"] = "Erf"; });
    l.ofGraph("node of the model", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["origin"]["node"] = "elsewhere"; });
    l.ofGraph("group", OneCore, "op exp", [](Json& p) { opOf(p, "exp")["x_group"] = "attention"; });
    l.add("bytes of a boundary", Kernels, "boundary_bytes", [](Json& p) { raise(kernelOf(p)["boundary_bytes"], 128); });
    l.add("solver of a search", OneCore, "x_solver", [](Json& p) {
        p["settings"]["spyre.layout_solver"] = "exact";
        p["x_solver"] = "bestfit";
    });
    l.add("another solver than was tried", OneCore, "x_solver", [](Json& p) {
        p["settings"]["spyre.layout_solver"] = "annealing";
        p["x_solver"] = "greedy";
    });
    l.ofGraph("elements do not move", Tiled, "element_advance", [](Json& p) {
        for (Json& arg : p["execution"]["ops"][1]["args"])
            arg.erase("element_advance");
    });
    const auto element = [&](const char* name, auto change) {
        l.ofGraph(name, Tiled, "its element", [change](Json& p) {
            for (Json& op : p["execution"]["ops"]) {
                for (Json& arg : op["args"]) {
                    if (arg.contains("element")) return change(arg);
                }
            }
        });
    };
    element("element of an access", [](Json& arg) { arg["element"] = arg["element"].get<std::string>() + "+1"; });
    element("element of another loop", [](Json& arg) { arg["element"] = "d0+d1"; });
    element("element removed", [](Json& arg) { arg.erase("element"); });
    l.add("price of a boundary and its decision", Kernels, "boundary_bytes", [](Json& p) {
        for (Json& kernel : p["target_data"]["kernels"]) {
            if (kernel["boundary_bytes"] == 0) continue;
            raise(kernel["boundary_bytes"], 128);
            break;
        }
        for (Json& decision : p["x_decisions"]) {
            if (decision["kind"] != "boundary_price") continue;
            raise(decision["alternatives"][0][1], 128);
            break;
        }
    });
    l.ofGraph("hint of another value", Tiled, "x_input_hash", [](Json& p) { p["hints"][0]["value"]["A"] = 2048; });
    l.ofGraph("hint of another subject", Tiled, "x_input_hash", [](Json& p) { p["hints"][2]["scope"].erase(0); });
    l.ofGraph("setting", OneCore, "x_input_hash", [](Json& p) { flip(p["settings"]["spyre.k_fast"]); });
    l.add("pool below nothing", OneCore, "pool size", [](Json& p) { p["target_data"]["pool"]["size"] = -1; });
    l.add("score of a kept combination", Searched, "co_optimization", [](Json& p) {
        raise(p["target_data"]["co_optimization"]["kept"].back()["score"], -128);
        raise(p["target_data"]["co_optimization"]["winner_score"], -128);
    });
    l.add("buffer that a kept combination does not pin", Searched, "does not pin",
          [](Json& p) { p["target_data"]["co_optimization"]["kept"][0]["not_pinned"][0] = "other"; });
    l.add("further reason that is none", Tiled, "unknown reason",
          [](Json& p) { bufferOf(p, "a")["reason"]["x_others"][0] = "magic"; });
    l.ofGraph("tile that a loop leaves", Tiled, "propagation of other",
              [](Json& p) { p["target_data"]["propagation"][1]["buffer"] = "other"; });
    l.add("no dimension of a hinted cut", Tiled, "op mul",
          [](Json& p) { targetOf(p, "mul")["dim_hints"][0]["dim_index"] = -1; });
    l.add("order of propagation", Tiled, "propagation of", [](Json& p) { swapFirst(p["target_data"]["propagation"]); });
    l.add("score of the committed divisions", Searched, "co_optimization",
          [](Json& p) { p["target_data"]["co_optimization"]["committed_score"] = 1'000'000'000; });
}

}  // namespace

Json& kernelOf(Json& plan, std::size_t position) {
    return plan.at("target_data").at("kernels").at(position);
}

Json& estimateOf(Json& plan) {
    return plan.at("target_data").at("cost_estimate");
}

void raise(Json& value, std::int64_t by) {
    value = value.get<std::int64_t>() + by;
}

void swapFirst(Json& list) {
    std::swap(list.at(0), list.at(1));
}

Json& opOf(Json& plan, const std::string& id) {
    return named(plan.at("ops"), "id", id);
}

Json& bufferOf(Json& plan, const std::string& name) {
    return named(plan.at("buffers"), "name", name);
}

Json& specOf(Json& plan, std::size_t position) {
    std::vector<Json*> all;
    for (Json& kernel : plan.at("target_data").at("op_specs"))
        collect(kernel, all);
    return *all.at(position);
}

std::vector<Damage> allDamages() {
    List list;
    addOps(list);
    addBuffers(list);
    addFigures(list);
    addTarget(list);
    addSpecs(list);
    addRecord(list);
    addNames(list);
    return std::move(list.all);
}

}  // namespace memplan::test

// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/mutation/mutants.h"

#include "engine/base/text.h"
#include "engine/sim/eval/values.h"
#include "engine/verify/spyre/artefact/mutation/mutant_candidate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;
using std::string;
using Json = nlohmann::ordered_json;

using Candidate = MutantCandidate;

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOtherFunctions = {
    {{"max", "sum"}, {"sum", "max"}, {"exp", "identity"}, {"sub", "realdiv"}, {"add", "mul"}, {"mul", "add"}}};

class Collector {
public:
    Collector(const BundleText& text, const LoadedBundle& bundle) : text_(text), b_(bundle) {}

    std::vector<Candidate> run() {
        for (const auto& [name, kernel] : b_.kernels) {
            const string folder = name.empty() ? "" : name + "/";
            program(folder + "bundle.mlir");
            for (const auto& [file, loaded] : kernel->files)
                descriptor(folder + file);
        }
        if (const auto it = text_.find(kWrapperFile); it != text_.end()) {
            for (Candidate& c : wrapperMutants(it->first, it->second))
                out_.push_back(std::move(c));
        }
        return std::move(out_);
    }

private:
    const BundleText& text_;
    const LoadedBundle& b_;
    std::vector<Candidate> out_;

    void add(string family, const string& file, string what, std::function<string()> make) {
        out_.push_back({std::move(family), file, std::move(what), std::move(make)});
    }

    // ---- bundle.mlir -------------------------------------------------------------------------------

    void program(const string& path) {
        const auto it = text_.find(path);
        if (it == text_.end()) return;
        const string& text = it->second;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            line(path, text, at, end);
            at = end + 1;
        }
    }

    void line(const string& path, const string& text, std::size_t from, std::size_t to) {
        const std::string_view view = std::string_view(text).substr(from, to - from);
        const std::size_t constant = view.find("arith.constant ");
        if (constant != std::string_view::npos) {
            const std::size_t number = from + constant + 15;
            const bool isBound = view.find("%loop_bound") != std::string_view::npos;
            const bool isStep =
                view.find("%c0 ") != std::string_view::npos || view.find("%c1 ") != std::string_view::npos;
            for (const int64_t delta : {isBound ? int64_t{1} : int64_t{128}, isBound ? int64_t{-1} : int64_t{-128}}) {
                if (!isStep) shifted(isBound ? "loop bound" : "symbol", path, text, number, delta);
            }
            return;
        }
        if (view.find("sdscbundle.sdsc_execute") != std::string_view::npos) {
            add("operation", path, "execute line at byte " + std::to_string(from) + " left out",
                [&text, from, to] { return text.substr(0, from) + text.substr(to); });
            return;
        }
        if (view.find("affine_map") == std::string_view::npos) return;
        // Coefficients stand in front of a star.
        for (std::size_t star = view.find('*'); star != std::string_view::npos; star = view.find('*', star + 1)) {
            std::size_t number = star;
            while (number > 0 && std::isdigit(static_cast<unsigned char>(view[number - 1])) != 0)
                --number;
            if (number == star) continue;
            for (const int64_t delta : {int64_t{128}, int64_t{-128}})
                shifted("map", path, text, from + number, delta);
        }
    }

    /// The integer at `at` plus `delta`.
    void shifted(const char* family, const string& path, const string& text, std::size_t at, int64_t delta) {
        std::size_t end = at;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
            ++end;
        const auto value = text::parseInt(std::string_view(text).substr(at, end - at));
        if (!value || *value + delta < 0) return;
        const string now = std::to_string(*value + delta);
        add(family, path, "byte " + std::to_string(at) + ": " + std::to_string(*value) + " -> " + now,
            [&text, at, end, now] { return text.substr(0, at) + now + text.substr(end); });
    }

    // ---- sdsc_<n>.json -----------------------------------------------------------------------------

    using Edit = std::function<void(Json&)>;

    void edit(const char* family, const string& path, string what, Edit change) {
        const string& text = text_.at(path);
        add(family, path, std::move(what), [&text, change = std::move(change)] {
            Json root = Json::parse(text, nullptr, false);
            change(root);
            return root.dump(2);
        });
    }

    static Json& body(Json& root) { return root.begin().value(); }
    static Json& operation(Json& root) { return body(root)["dscs_"][0].begin().value(); }

    void descriptor(const string& path) {
        const Json root = Json::parse(text_.at(path), nullptr, false);
        const Json& own = root.begin().value();
        const Json& dsc = own["dscs_"][0].begin().value();
        for (std::size_t t = 0; t < dsc["scheduleTree_"].size(); ++t)
            tensor(path, dsc["scheduleTree_"][t], t);
        slices(path, own["coreIdToWkSlice_"]);
        if (dsc["computeOp_"][0]["inputLabeledDs"].size() >= 2) operands(path);
        for (const auto& [label, mask] : dsc["coordinateMasking_"].items())
            masks(path, label);
        function(path, dsc["computeOp_"][0]["opFuncName"].get<string>());
    }

    void tensor(const string& path, const Json& node, std::size_t t) {
        const string name = "Tensor" + std::to_string(t);
        const Json& starts = node["startAddressCoreCorelet_"]["data_"];
        const std::size_t cores = starts.size();
        for (const std::size_t core : {std::size_t{0}, cores / 2, cores - 1}) {
            const string key = std::next(starts.begin(), static_cast<std::ptrdiff_t>(core)).key();
            const auto value = text::parseInt(starts[key].get<string>());
            if (!value || *value < 0) continue;
            for (const int64_t delta : {int64_t{128}, int64_t{-128}, int64_t{2}}) {
                if (*value + delta >= 0) start(path, t, key, *value, *value + delta);
            }
        }
        const Json& order = node["layoutDimOrder_"];
        for (std::size_t i = 0; i + 1 < order.size(); ++i) {
            edit("layout order", path, name + ": dimensions " + std::to_string(i) + " and the next exchanged",
                 [t, i](Json& r) {
                     Json& list = operation(r)["scheduleTree_"][t]["layoutDimOrder_"];
                     std::swap(list[i], list[i + 1]);
                 });
        }
        if (!node.contains("backGapCore_")) return;
        for (const auto& [label, gap] : node["backGapCore_"].items()) {
            edit("back gap", path, name + ": gap of " + label + " removed",
                 [t, label = label](Json& r) { operation(r)["scheduleTree_"][t]["backGapCore_"].erase(label); });
        }
    }

    void start(const string& path, std::size_t t, const string& key, int64_t before, int64_t now) {
        edit("start address", path,
             "Tensor" + std::to_string(t) + " " + key + ": " + std::to_string(before) + " -> " + std::to_string(now),
             [t, key, now](Json& r) {
                 operation(r)["scheduleTree_"][t]["startAddressCoreCorelet_"]["data_"][key] = std::to_string(now);
             });
    }

    void slices(const string& path, const Json& map) {
        const std::size_t cores = map.size();
        if (cores < 2) return;
        for (const std::size_t core : {std::size_t{0}, cores / 2, cores - 2}) {
            const string a = std::to_string(core);
            const string b = std::to_string(core + 1);
            if (!map.contains(a) || !map.contains(b)) continue;
            edit("slices", path, "slices of cores " + a + " and " + b + " exchanged", [a, b](Json& r) {
                Json& own = body(r)["coreIdToWkSlice_"];
                std::swap(own[a], own[b]);
            });
            edit("slices", path, "core " + b + " works the slices of core " + a, [a, b](Json& r) {
                Json& own = body(r)["coreIdToWkSlice_"];
                own[b] = own[a];
            });
        }
    }

    void operands(const string& path) {
        edit("operands", path, "operands 0 and 1 exchanged", [](Json& r) {
            Json& list = operation(r)["computeOp_"][0]["inputLabeledDs"];
            std::swap(list[0], list[1]);
        });
        out_.back().swapsOperands = true;
        edit("operands", path, "operand 1 read twice", [](Json& r) {
            Json& list = operation(r)["computeOp_"][0]["inputLabeledDs"];
            list[0] = list[1];
        });
    }

    void masks(const string& path, const string& label) {
        edit("mask", path, "mask of " + label + " one element longer", [label](Json& r) {
            Json& pair = operation(r)["coordinateMasking_"][label][0];
            pair[0] = pair[0].get<int64_t>() - 1;
            pair[1] = pair[1].get<int64_t>() + 1;
        });
        edit("mask", path, "mask of " + label + " one element shorter", [label](Json& r) {
            Json& pair = operation(r)["coordinateMasking_"][label][0];
            pair[0] = pair[0].get<int64_t>() + 1;
            pair[1] = pair[1].get<int64_t>() - 1;
        });
    }

    void function(const string& path, const string& name) {
        for (const auto& [from, to] : kOtherFunctions) {
            if (!name.starts_with(from)) continue;
            const string suffix = name.substr(from.size());
            if (!suffix.empty() && suffix != "nonstick") continue;
            const string other = string(to) + suffix;
            edit("function", path, name + " -> " + other, [name, other](Json& r) {
                operation(r)["computeOp_"][0]["opFuncName"] = other;
                Json dsc = Json::object();
                dsc[other] = operation(r);
                body(r)["dscs_"][0] = std::move(dsc);
                const string title = r.begin().key();
                Json renamed = Json::object();
                renamed[title.substr(0, title.find('_') + 1) + other] = body(r);
                r = std::move(renamed);
            });
        }
    }
};

}  // namespace

std::vector<Mutant> mutantsOf(const BundleText& text, const LoadedBundle& bundle, std::uint64_t seed, int64_t most) {
    std::map<string, std::vector<Candidate>> families;
    for (Candidate& c : Collector(text, bundle).run())
        families[c.family].push_back(std::move(c));
    for (auto& [name, list] : families) {
        const auto key = [seed](const Candidate& c) { return prf(seed, fnv1a(c.file + c.what)); };
        std::stable_sort(list.begin(), list.end(),
                         [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    }
    std::vector<Mutant> out;
    for (std::size_t i = 0; static_cast<int64_t>(out.size()) < most; ++i) {
        bool any = false;
        for (auto& [name, list] : families) {
            if (i >= list.size() || static_cast<int64_t>(out.size()) >= most) continue;
            any = true;
            out.push_back({list[i].family, list[i].file, list[i].what, list[i].make(), list[i].swapsOperands});
        }
        if (!any) break;
    }
    return out;
}

}  // namespace memplan::sim::artefact

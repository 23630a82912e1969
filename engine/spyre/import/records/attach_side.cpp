// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/attach_side.h"

#include "engine/base/text.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace memplan::spyre {

namespace {

constexpr const char* kCode = "BND-110";

bool isComputed(const PlanOp& op) {
    return op.kind != "extern" && op.kind != "constant";
}

/// "<8 hex>_<kernel>_<random>" and "<kernel>_<random>" are folders of the cache (17): the names they may stand for.
std::vector<std::string> kernelNames(const std::string& folder) {
    std::vector<std::string> names{folder};
    std::string name = folder;
    const bool hasHash = name.size() > 9 && name[8] == '_' && std::all_of(name.begin(), name.begin() + 8, [](char c) {
                             return std::isxdigit(static_cast<unsigned char>(c)) != 0;
                         });
    if (hasHash) names.push_back(name = name.substr(9));
    const std::size_t last = name.rfind('_');
    if (last != std::string::npos && last > 0) names.push_back(name.substr(0, last));
    return names;
}

/// Ops of a plan below one kernel by their path in its OpSpec tree.
void addPaths(const bundle::SpecTree& tree, std::vector<std::int64_t>& path,
              std::map<std::vector<std::int64_t>, std::size_t>& positions) {
    for (std::size_t i = 0; i < tree.size(); ++i) {
        path.push_back(static_cast<std::int64_t>(i));
        if (tree[i].kind == bundle::SpecKind::Loop) {
            addPaths(tree[i].body, path, positions);
        } else {
            positions.emplace(path, positions.size());
        }
        path.pop_back();
    }
}

class Attacher {
public:
    explicit Attacher(const Plan& plan) : plan_(plan) {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            ops_.emplace(plan_.ops[i].name, i);
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            buffers_.emplace(plan_.buffers[i].name, i);
    }

    SideAttachment run(const std::vector<SideDocument>& documents) {
        for (const SideDocument& d : documents)
            add(d);
        return {std::move(side_), std::move(problems_)};
    }

private:
    void add(const SideDocument& d) {
        SideSource source;
        source.kind = d.kind;
        source.file = d.file;
        source.sha256 = d.sha256;
        source.facts = d.facts;
        index_ = static_cast<int>(side_.sources.size());
        for (const SideOp& op : d.ops)
            operation(op, source);
        if (source.matched == 0) inOrder(d, source);
        for (const SideKernel& k : d.kernels)
            kernel(k, source);
        report(source);
        side_.sources.push_back(std::move(source));
    }

    static void count(SideSource& source, bool isFound, const std::string& name) {
        constexpr std::size_t kNamed = 32;
        ++source.records;
        source.matched += isFound ? 1 : 0;
        if (!isFound && source.unmatched.size() < kNamed) source.unmatched.push_back(name);
    }

    void put(SideRecords& records, const std::string& name, const SideFacts& facts) {
        if (!facts.empty()) records[name].push_back({index_, facts});
    }

    // ---- operations and tensors --------------------------------------------------------------------------

    void operation(const SideOp& op, SideSource& source) {
        const auto own = ops_.find(op.name);
        const auto buffer = buffers_.find(op.name);
        if (own != ops_.end()) {
            put(side_.ops, op.name, withTensors(op));
        } else if (buffer != buffers_.end() && plan_.buffers[buffer->second].producer.isValid()) {
            // The original names an operation after the buffer that it writes.
            put(side_.ops, plan_.op(plan_.buffers[buffer->second].producer).name, withTensors(op));
        }
        if (buffer != buffers_.end()) put(side_.buffers, op.name, op.facts);
        count(source, own != ops_.end() || buffer != buffers_.end(), op.name);
        for (const SideTensor& t : op.tensors) {
            if (!buffers_.contains(t.name)) continue;
            const auto known = side_.buffers.find(t.name);
            // One tensor stands at every operation that touches it: the first record is kept.
            const bool isThere = known != side_.buffers.end() &&
                                 std::any_of(known->second.begin(), known->second.end(), [&](const SideRecord& r) {
                                     return r.source == index_ && hasKey(r.facts, "residency");
                                 });
            if (!isThere) put(side_.buffers, t.name, t.facts);
        }
    }

    static bool hasKey(const SideFacts& facts, std::string_view key) {
        return std::any_of(facts.begin(), facts.end(), [&](const SideFact& f) { return f.key == key; });
    }

    /// The op's facts, then a line for each of its tensors.
    static SideFacts withTensors(const SideOp& op) {
        SideFacts facts = op.facts;
        for (std::size_t i = 0; i < op.tensors.size(); ++i) {
            std::string line = op.tensors[i].name;
            for (const SideFact& f : op.tensors[i].facts) {
                std::string key = f.key;
                std::replace(key.begin(), key.end(), '_', ' ');
                line += ", " + key + " " + f.text;
            }
            facts.push_back(textFact("tensor_" + std::to_string(i), std::move(line)));
        }
        return facts;
    }

    void inOrder(const SideDocument& d, SideSource& source) {
        std::vector<const SideOp*> theirs;
        for (const SideOp& op : d.ops) {
            if (op.isComputed) theirs.push_back(&op);
        }
        std::vector<const PlanOp*> ours;
        for (const PlanOp& op : plan_.ops) {
            if (isComputed(op)) ours.push_back(&op);
        }
        if (theirs.empty() || theirs.size() != ours.size()) return;
        source.byOrder = true;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            SideFacts facts = withTensors(*theirs[i]);
            facts.insert(facts.begin(), textFact("name", theirs[i]->name));
            put(side_.ops, ours[i]->name, facts);
            ++source.matched;
            std::erase(source.unmatched, theirs[i]->name);
        }
    }

    // ---- kernels -----------------------------------------------------------------------------------------

    void kernel(const SideKernel& k, SideSource& source) {
        const PlanKernel* ours = nullptr;
        if (spyreData(plan_).kernels) {
            for (const PlanKernel& candidate : *spyreData(plan_).kernels) {
                const auto names = kernelNames(candidate.name);
                if (candidate.name == k.name ||
                    (ours == nullptr && std::find(names.begin(), names.end(), k.name) != names.end()))
                    ours = &candidate;
            }
        }
        count(source, ours != nullptr, k.name);
        if (ours == nullptr) return;
        put(side_.kernels, ours->name, k.facts);
        std::map<std::vector<std::int64_t>, std::size_t> positions;
        if (spyreData(plan_).opSpecs) {
            for (const bundle::Kernel& specs : *spyreData(plan_).opSpecs) {
                std::vector<std::int64_t> path;
                if (specs.name == ours->name) addPaths(specs.specs, path, positions);
            }
        }
        for (const auto& [path, facts] : k.ops) {
            const auto at = positions.find(path);
            if (at != positions.end() && at->second < ours->ops.size()) {
                put(side_.ops, plan_.op(ours->ops[at->second]).name, facts);
                continue;
            }
            std::vector<std::string> words;
            for (const std::int64_t p : path)
                words.push_back(std::to_string(p));
            count(source, false, k.name + " [" + text::join(words, ",") + "]");
        }
    }

    void report(const SideSource& source) {
        Diagnostic d;
        d.code = kCode;
        d.where = source.file;
        const std::string what = std::string(sideKindTitle(source.kind));
        if (source.byOrder) {
            d.severity = Severity::Note;
            d.message = "the " + what + " knows none of the names of the plan; its operations were taken in order";
            d.hint = "names stay where the plan comes from the same wrapper source";
        } else if (source.matched < source.records) {
            d.severity = source.matched == 0 ? Severity::Warning : Severity::Note;
            std::vector<std::string> names(source.unmatched.begin(),
                                           source.unmatched.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                                          source.unmatched.size(), 4)));
            for (std::string& name : names)
                name = text::escaped(name);
            d.message = "the plan has " + text::grouped(source.matched) + " of the " + text::grouped(source.records) +
                        " names of the " + what + "; not found: " + text::join(names, ", ") +
                        (source.records - source.matched > static_cast<std::int64_t>(names.size()) ? ", ..." : "");
            d.hint = "choose the file of the same compile";
        } else {
            return;
        }
        problems_.push_back(std::move(d));
    }

    const Plan& plan_;
    std::vector<Diagnostic> problems_;
    std::unordered_map<std::string, std::size_t> ops_, buffers_;
    SideInformation side_;
    int index_ = 0;
};

}  // namespace

SideAttachment attachSide(const Plan& plan, const std::vector<SideDocument>& documents) {
    return Attacher(plan).run(documents);
}

}  // namespace memplan::spyre

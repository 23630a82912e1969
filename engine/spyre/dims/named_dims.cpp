// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/dims/named_dims.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

constexpr std::string_view kUntracked = "_untracked_";

using LoopNames = std::vector<std::pair<int, DimNames>>;

DimNames* find(LoopNames& names, int loop) {
    for (auto& [l, n] : names) {
        if (l == loop) return &n;
    }
    return nullptr;
}

bool isUntracked(const DimNames& names) {
    return std::all_of(names.begin(), names.end(), [](const std::string& n) { return n.rfind(kUntracked, 0) == 0; });
}

std::optional<int> firstLoop(CoordinateView c) {
    if (c.terms.empty()) return std::nullopt;
    return c.terms.front().loop;
}

/// State of one op's propagation.
class Propagation {
public:
    Propagation(const NamedOp& op, DeclaredDims& declared, std::vector<Notice>& notices)
        : op_(op), loops_(op.op->loops), declared_(declared), notices_(notices) {}

    Result<OpNames> run() {
        if (const DimNames* fixed = overriding()) return overridden(*fixed);
        for (const NamedRead& read : op_.reads) {
            Result<LoopNames> found = namesOf(read);
            if (!found) return std::move(found).error();
            merge(std::move(found).value());
        }
        const Coordinates output = hostCoordinates(*op_.output, loops_, op_.op->write.index);
        for (std::size_t d = 0; d < output.size(); ++d) {
            if (const auto loop = firstLoop(output[d]); loop && !find(out_.loops, *loop)) {
                out_.loops.emplace_back(*loop, untracked(*loop));
            }
        }
        if (op_.op->kind == OpClass::Reduction) nameReduction(output);
        noteUnnamed();
        for (std::size_t d = 0; d < output.size(); ++d) {
            const auto loop = firstLoop(output[d]);
            if (!loop) continue;
            const DimNames& names = *find(out_.loops, *loop);
            out_.output.insert(out_.output.end(), names.begin(), names.end());
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] const DimNames* overriding() const {
        for (const HintScope& s : op_.scopes) {
            if (s.namedDims) return &*s.namedDims;
        }
        return nullptr;
    }

    OpNames overridden(const DimNames& names) {
        const Coordinates output = hostCoordinates(*op_.output, loops_, op_.op->write.index);
        out_.output = names;
        for (std::size_t d = 0; d < output.size() && d < names.size(); ++d) {
            const auto loop = output[d].onlyLoop();
            if (!loop) continue;
            if (DimNames* known = find(out_.loops, *loop)) {
                *known = {names[d]};
            } else {
                out_.loops.emplace_back(*loop, DimNames{names[d]});
            }
        }
        return std::move(out_);
    }

    DimNames untracked(int loop) {
        const LoopVar& v = loops_[static_cast<std::size_t>(loop)];
        const std::string name = std::string(kUntracked) + std::to_string(v.extent);
        declared_.emplace(name, v.extent);
        unnamed_.insert(loop);
        return {name};
    }

    /// Of those that an operand left without a name, only the ones to which no other operand gave one.
    void noteUnnamed() {
        for (const int loop : unnamed_) {
            const DimNames* names = find(out_.loops, loop);
            if (names == nullptr || !isUntracked(*names)) continue;
            notices_.push_back({"NAM-002", op_.op->name + ": loop variable " +
                                               loops_[static_cast<std::size_t>(loop)].name +
                                               " has no named dim mapping, " + names->front() + " is used"});
        }
    }

    Result<LoopNames> namesOf(const NamedRead& read) {
        if (read.names != nullptr && !read.names->empty()) return fromNamedShape(read);
        LoopNames found;
        for (std::size_t v = 0; v < std::min(loops_.size(), read.index->coefficients.size()); ++v) {
            if (read.index->coefficients[v] == 0) continue;  // not a variable of this operand
            found.emplace_back(static_cast<int>(v), untracked(static_cast<int>(v)));
        }
        return found;
    }

    /// The named extents taken as a row-major shape; each name goes to the loop of its coordinate.
    Result<LoopNames> fromNamedShape(const NamedRead& read) {
        std::vector<std::int64_t> size;
        for (const std::string& name : *read.names) {
            const auto it = declared_.find(name);
            if (it == declared_.end()) {
                return makeError("NAM-001", read.buffer->name,
                                 "Named dim '" + name + "' used in name_tensor_dims but not declared",
                                 "declare it with dim_sizes");
            }
            size.push_back(it->second);
        }
        std::vector<std::int64_t> stride(size.size(), 1);
        for (std::size_t i = size.size(); i-- > 1;)
            stride[i - 1] = saturatedMul(stride[i], size[i]);
        const Coordinates coords = coordinates(size, stride, loops_, *read.index);
        LoopNames found;
        for (std::size_t d = 0; d < coords.size(); ++d) {
            const auto loop = firstLoop(coords[d]);
            if (!loop) continue;
            if (DimNames* known = find(found, *loop)) {
                known->push_back((*read.names)[d]);
            } else {
                found.emplace_back(*loop, DimNames{(*read.names)[d]});
            }
        }
        for (const auto& [loop, names] : found)
            noteSlices(read, loop, names);
        return found;
    }

    void noteSlices(const NamedRead& read, int loop, const DimNames& names) {
        const LoopVar& v = loops_[static_cast<std::size_t>(loop)];
        std::int64_t product = 1;
        for (const std::string& n : names)
            product = saturatedMul(product, declared_.find(n)->second);
        if (product == v.extent) return;
        notices_.push_back({"NAM-003", read.buffer->name + ": loop variable " + v.name + " has extent " +
                                           std::to_string(v.extent) + " but its names [" + text::join(names, ", ") +
                                           "] cover " + std::to_string(product) + " (partial/sliced dim)"});
    }

    /// The first read wins, except that a real name replaces untracked ones.
    void merge(LoopNames found) {
        for (auto& [loop, names] : found) {
            DimNames* known = find(out_.loops, loop);
            if (!known) {
                out_.loops.emplace_back(loop, std::move(names));
            } else if (isUntracked(*known)) {
                *known = std::move(names);
            }
        }
    }

    void nameReduction(const Coordinates& output) {
        if (op_.reads.empty()) return;
        const NamedRead& x = op_.reads.front();
        const Coordinates input = hostCoordinates(*x.buffer, loops_, *x.index);
        for (std::size_t d = 0; d < input.size(); ++d) {
            const auto loop = firstLoop(input[d]);
            if (!loop || matchingDim(output, input[d])) continue;
            if (!find(out_.loops, *loop)) out_.loops.emplace_back(*loop, untracked(*loop));
            out_.reduction = *find(out_.loops, *loop);
            return;
        }
    }

    const NamedOp& op_;
    std::span<const LoopVar> loops_;
    DeclaredDims& declared_;
    std::vector<Notice>& notices_;
    OpNames out_;
    std::set<int> unnamed_;  ///< loops that an operand left without a name
};

struct Wanted {
    std::int64_t count = 1;
    int level = 0;
    int id = 0;
};

std::map<std::string, Wanted> wantedCounts(const std::vector<HintScope>& scopes) {
    std::map<std::string, Wanted> out;
    for (std::size_t level = 0; level < scopes.size(); ++level) {
        for (const auto& [name, count] : scopes[level].slices) {
            out[name] = {count, static_cast<int>(level), scopes[level].id};
        }
    }
    return out;
}

int positionOf(const NamedOp& op, int loop, int fallback) {
    const Coordinates output = hostCoordinates(*op.output, op.op->loops, op.op->write.index);
    for (std::size_t d = 0; d < output.size(); ++d) {
        if (firstLoop(output[d]) == loop) return static_cast<int>(d);
    }
    return fallback;
}

}  // namespace

const DimNames* OpNames::ofLoop(int loop) const {
    for (const auto& [l, names] : loops) {
        if (l == loop) return &names;
    }
    return nullptr;
}

Result<OpNames> propagateNames(const NamedOp& op, DeclaredDims& declared, std::vector<Notice>& notices) {
    return Propagation(op, declared, notices).run();
}

std::vector<DimHint> assignHints(const NamedOp& op, const OpNames& names, const DeclaredDims& declared) {
    if (names.loops.empty() || op.scopes.empty()) return {};
    const std::map<std::string, Wanted> wanted = wantedCounts(op.scopes);
    std::vector<std::pair<int, DimHint>> found;  // level, hint
    for (std::size_t i = 0; i < names.loops.size(); ++i) {
        const auto& [loop, all] = names.loops[i];
        DimHint hint;
        for (const std::string& n : all) {
            if (declared.count(n) != 0 && wanted.count(n) != 0) hint.dimNames.push_back(n);
        }
        if (hint.dimNames.empty()) continue;
        const Wanted& w = wanted.at(hint.dimNames.front());
        hint.rangeSize = op.op->loops[static_cast<std::size_t>(loop)].extent;
        hint.splitCount = w.count;
        hint.hintId = w.id;
        hint.dimIndex = positionOf(op, loop, static_cast<int>(i));
        hint.isReduction =
            names.reduction && std::any_of(hint.dimNames.begin(), hint.dimNames.end(), [&](const auto& n) {
                return std::find(names.reduction->begin(), names.reduction->end(), n) != names.reduction->end();
            });
        found.emplace_back(w.level, std::move(hint));
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<DimHint> out;
    std::set<int> matched;
    for (auto& [level, hint] : found) {
        matched.insert(hint.hintId);
        out.push_back(std::move(hint));
    }
    for (const HintScope& s : op.scopes) {
        if (s.slices.empty() || matched.count(s.id) != 0) continue;
        DimHint sentinel;
        sentinel.dimNames = {s.slices.front().first};
        sentinel.splitCount = s.slices.front().second;
        sentinel.hintId = s.id;
        out.push_back(std::move(sentinel));
    }
    return out;
}

}  // namespace memplan::spyre

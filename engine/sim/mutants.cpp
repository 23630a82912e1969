// SPDX-License-Identifier: Apache-2.0
#include "sim/mutate.h"
#include "sim/prepared_op.h"
#include "sim/values.h"

#include <algorithm>
#include <optional>
#include <set>

namespace memplan::sim {
namespace {

using std::int64_t;

constexpr int64_t kStick = 128;

/// What a placement checker of its own needs: lives and bytes of the on-chip buffers.
struct Slot {
    int buffer = -1;
    int64_t start = 0, end = 0, bytes = 0;
};

class Maker {
public:
    Maker(const ExecutionRecord& record, const std::vector<bool>& wasRead) : r_(record), wasRead_(wasRead) {
        for (const RecordBuffer& b : r_.buffers)
            layouts_.emplace_back(b.deviceSize, b.strideMap);
        findSteps(r_.steps);
        measure();
    }

    std::vector<Mutant> run() {
        for (const int id : order_) {
            const RecordOp& op = r_.ops[static_cast<std::size_t>(id)];
            if (op.role == RecordRole::Outside || op.role == RecordRole::Allocate || op.args.empty()) continue;
            shiftBases(id, op);
            dropOp(id, op);
            changeSlices(id, op);
            shortenLoops(id, op);
            changeAdvance(id, op);
            changeFunction(id, op);
            copyPlainly(id, op);
            takeLiveSlot(id, op);
        }
        moveBuffers();
        endLivesEarly();
        swapNeighbours(r_.steps, {});
        changeCounts(r_.steps, {});
        return std::move(list_);
    }

private:
    const ExecutionRecord& r_;
    const std::vector<bool>& wasRead_;
    std::vector<DeviceMap> layouts_;
    std::vector<int> order_;                             ///< ops in step order
    std::map<int, std::vector<int>> readers_, writers_;  ///< by buffer
    std::map<int, Slot> slots_;
    std::vector<Mutant> list_;

    void findSteps(const std::vector<RecordStep>& steps) {
        for (const RecordStep& s : steps) {
            if (s.op >= 0) order_.push_back(s.op);
            findSteps(s.body);
        }
    }

    void measure() {
        for (const int id : order_) {
            const RecordOp& op = r_.ops[static_cast<std::size_t>(id)];
            const bool isPlain = op.role != RecordRole::Outside && op.role != RecordRole::Allocate;
            for (std::size_t a = 0; a < op.args.size(); ++a) {
                const RecordArg& arg = op.args[a];
                (arg.isInput ? readers_ : writers_)[arg.buffer].push_back(id);
                if (arg.memory != RecordMemory::Lx || !isPlain) continue;
                std::string misfit;
                const std::vector<CoreWork> work = coreWork(op, misfit);
                const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(arg.buffer)];
                const ArgMap map(op, arg, layouts_[static_cast<std::size_t>(arg.buffer)], work);
                Slot& slot = slots_[arg.buffer];
                slot = {arg.buffer, b.start, b.end, std::max(slot.bytes, map.localElements() * b.itemBytes)};
            }
        }
    }

    const std::string& name(int buffer) const { return r_.buffers[static_cast<std::size_t>(buffer)].name; }

    void add(std::string family, std::string what, std::string equivalent,
             std::function<void(ExecutionRecord&)> damage) {
        list_.push_back({std::move(family), std::move(what), std::move(equivalent), std::move(damage)});
    }

    static RecordArg& argOf(ExecutionRecord& r, int op, std::size_t a) {
        return r.ops[static_cast<std::size_t>(op)].args[a];
    }

    bool isRead(int buffer) const { return readers_.contains(buffer); }
    std::string unreadRule(int op) const {
        return wasRead_[static_cast<std::size_t>(op)] ? "" : "nobody reads what the op writes";
    }

    // ---- M1, M2: one reader's or the writer's base ---------------------------------------------------

    void shiftBases(int id, const RecordOp& op) {
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            const RecordArg& arg = op.args[a];
            if (arg.memory != RecordMemory::Lx) continue;
            if (!arg.isInput && !isRead(arg.buffer)) continue;
            for (const int64_t by : {kStick, -kStick, int64_t{2}, int64_t{-2}}) {
                add(arg.isInput ? "M1" : "M2",
                    "op " + op.name + (arg.isInput ? " reads " : " writes ") + name(arg.buffer) + " " +
                        std::to_string(by) + " bytes off",
                    "", [id, a, by](ExecutionRecord& r) { argOf(r, id, a).base += by; });
            }
        }
    }

    // ---- M3, M4: buffers moved everywhere ------------------------------------------------------------

    bool isAncestor(int parent, int child) const {
        for (std::size_t hops = 0; child >= 0 && hops < r_.buffers.size(); ++hops) {
            child = r_.buffers[static_cast<std::size_t>(child)].inPlaceOf;
            if (child == parent) return true;
        }
        return false;
    }

    /// The rules of a legal placement (spyre-scratchpad 4), over buffers and addresses alone.
    bool isLegal(const std::map<int, int64_t>& moved) const {
        const auto at = [&](int buffer) {
            const auto it = moved.find(buffer);
            return it == moved.end() ? r_.buffers[static_cast<std::size_t>(buffer)].address : it->second;
        };
        for (const auto& [buffer, slot] : slots_) {
            const int64_t a = at(buffer);
            if (a < 0 || a % r_.alignment != 0 || a + slot.bytes > r_.lxCapacity) return false;
            for (const auto& [other, second] : slots_) {
                if (other <= buffer || slot.start >= second.end || second.start >= slot.end) continue;
                const int64_t b = at(other);
                if (a + slot.bytes <= b || b + second.bytes <= a) continue;
                const bool handsOver = a == b && (isAncestor(buffer, other) || isAncestor(other, buffer));
                if (!handsOver) return false;
            }
        }
        return true;
    }

    static void move(ExecutionRecord& r, int buffer, int64_t to) {
        RecordBuffer& b = r.buffers[static_cast<std::size_t>(buffer)];
        const int64_t by = to - b.address;
        b.address = to;
        for (RecordOp& op : r.ops) {
            for (RecordArg& arg : op.args) {
                if (arg.buffer == buffer && arg.memory == RecordMemory::Lx) arg.base += by;
            }
        }
    }

    void addMove(const std::string& family, const std::map<int, int64_t>& moved, const std::string& what) {
        const bool legal = isLegal(moved);
        add(family, what, legal ? "the moved placement is legal" : "", [moved](ExecutionRecord& r) {
            for (const auto& [buffer, to] : moved)
                move(r, buffer, to);
        });
    }

    void moveBuffers() {
        for (const auto& [buffer, slot] : slots_) {
            const int64_t own = r_.buffers[static_cast<std::size_t>(buffer)].address;
            for (const auto& [other, second] : slots_) {
                if (other == buffer || slot.start >= second.end || second.start >= slot.end) continue;
                const int64_t there = r_.buffers[static_cast<std::size_t>(other)].address;
                if (there == own) continue;
                for (const int64_t by : {int64_t{0}, kStick, -kStick})
                    addMove("M3", {{buffer, there + by}}, name(buffer) + " lies at " + std::to_string(there + by));
                if (other > buffer) {
                    addMove("M4", {{buffer, there}, {other, own}}, name(buffer) + " and " + name(other) + " exchanged");
                }
            }
        }
    }

    // ---- M5, M6: order -------------------------------------------------------------------------------

    static bool eraseOp(std::vector<RecordStep>& steps, int op) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].op == op) {
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
            if (steps[i].op < 0 && eraseOp(steps[i].body, op)) return true;
        }
        return false;
    }

    void dropOp(int id, const RecordOp& op) {
        const bool moves = op.fn == "lx_evict" || op.fn == "lx_reload";
        add(moves ? "M15" : "M5", "op " + op.name + " left out", unreadRule(id),
            [id](ExecutionRecord& r) { eraseOp(r.steps, id); });
    }

    struct Bytes {
        RecordMemory memory;
        int64_t begin, end;
        int buffer;
        bool write;
    };

    std::vector<Bytes> bytesOf(const RecordOp& op) const {
        std::vector<Bytes> list;
        for (const RecordArg& a : op.args) {
            const auto slot = slots_.find(a.buffer);
            const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(a.buffer)];
            const int64_t all = layouts_[static_cast<std::size_t>(a.buffer)].elements() * b.itemBytes;
            const int64_t size = a.memory == RecordMemory::Lx && slot != slots_.end() ? slot->second.bytes : all;
            list.push_back({b.memory, b.address, b.address + size, a.buffer, !a.isInput});
        }
        return list;
    }

    bool isIndependent(const RecordOp& a, const RecordOp& b) const {
        for (const Bytes& x : bytesOf(a)) {
            for (const Bytes& y : bytesOf(b)) {
                if (!x.write && !y.write) continue;
                if (x.buffer == y.buffer) return false;
                if (x.memory != y.memory || x.memory == RecordMemory::Hbm) continue;
                if (x.begin < y.end && y.begin < x.end) return false;
            }
        }
        return true;
    }

    void swapNeighbours(const std::vector<RecordStep>& steps, const std::vector<std::size_t>& path) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            std::vector<std::size_t> inner = path;
            inner.push_back(i);
            if (steps[i].op < 0) swapNeighbours(steps[i].body, inner);
            if (i + 1 >= steps.size() || steps[i].op < 0 || steps[i + 1].op < 0) continue;
            const RecordOp& a = r_.ops[static_cast<std::size_t>(steps[i].op)];
            const RecordOp& b = r_.ops[static_cast<std::size_t>(steps[i + 1].op)];
            std::string rule = isIndependent(a, b) ? "no common byte and no dependency" : "";
            if (rule.empty() && !wasRead_[static_cast<std::size_t>(steps[i].op)]) rule = unreadRule(steps[i].op);
            if (rule.empty() && !wasRead_[static_cast<std::size_t>(steps[i + 1].op)])
                rule = unreadRule(steps[i + 1].op);
            if (a.role == RecordRole::Allocate || b.role == RecordRole::Allocate) rule = "room is no work";
            // Two ops that fill different parts of one tensor write no common byte.
            if (rule.empty() && !dependsOn(a, b)) rule = "no common byte and no dependency";
            add("M6", "ops " + a.name + " and " + b.name + " exchanged", rule, [path, i](ExecutionRecord& r) {
                std::vector<RecordStep>* at = &r.steps;
                for (const std::size_t p : path)
                    at = &(*at)[p].body;
                std::swap((*at)[i], (*at)[i + 1]);
            });
        }
    }

    /// One reads what the other writes, or both write the same elements of one buffer.
    bool dependsOn(const RecordOp& a, const RecordOp& b) const {
        for (const RecordArg& x : a.args) {
            for (const RecordArg& y : b.args) {
                if (x.isInput && y.isInput) continue;
                if (x.buffer == y.buffer && (x.isInput || y.isInput)) return true;
                if (x.buffer != y.buffer && slotsMeet(x, y)) return true;
                if (x.buffer == y.buffer && elementsMeet(a, x, b, y)) return true;
            }
        }
        return false;
    }

    bool slotsMeet(const RecordArg& x, const RecordArg& y) const {
        if (x.memory != y.memory || x.memory == RecordMemory::Hbm) return false;
        const auto bytes = [&](const RecordArg& a) {
            const auto slot = slots_.find(a.buffer);
            return slot != slots_.end() ? slot->second.bytes
                                        : layouts_[static_cast<std::size_t>(a.buffer)].elements() *
                                              r_.buffers[static_cast<std::size_t>(a.buffer)].itemBytes;
        };
        return x.base < y.base + bytes(y) && y.base < x.base + bytes(x);
    }

    static std::set<int64_t> elementsOf(const RecordOp& op, const RecordArg& arg) {
        std::set<int64_t> at{arg.index.constant};
        for (const auto& [symbol, coefficient] : arg.index.terms) {
            std::set<int64_t> next;
            for (const int64_t e : at) {
                for (int64_t i = 0; i < op.space[static_cast<std::size_t>(symbol)].extent; ++i)
                    next.insert(e + coefficient * i);
            }
            at = std::move(next);
        }
        return at;
    }

    static bool elementsMeet(const RecordOp& a, const RecordArg& x, const RecordOp& b, const RecordArg& y) {
        if (a.role == RecordRole::Outside || b.role == RecordRole::Outside) return true;
        const std::set<int64_t> first = elementsOf(a, x);
        const std::set<int64_t> second = elementsOf(b, y);
        return std::any_of(first.begin(), first.end(), [&](int64_t e) { return second.contains(e); });
    }

    // ---- M7: lives -----------------------------------------------------------------------------------

    void endLivesEarly() {
        for (const auto& [buffer, slot] : slots_) {
            const int64_t last = slot.end - 1;
            const auto touches = [&, b = buffer](const std::map<int, std::vector<int>>& of) {
                const auto it = of.find(b);
                return it != of.end() && std::find(it->second.begin(), it->second.end(), last) != it->second.end();
            };
            const std::string rule = touches(readers_) ? "" : "the last step does not read the buffer";
            add("M7", name(buffer) + " ends one step earlier", rule,
                [b = buffer](ExecutionRecord& r) { --r.buffers[static_cast<std::size_t>(b)].end; });
        }
    }

    void takeLiveSlot(int id, const RecordOp& op) {
        const std::size_t out = op.args.size() - 1;
        if (op.args[out].memory != RecordMemory::Lx || !isRead(op.args[out].buffer)) return;
        for (std::size_t a = 0; a < out; ++a) {
            const RecordArg& arg = op.args[a];
            if (arg.memory != RecordMemory::Lx || arg.base == op.args[out].base) continue;
            const auto& readers = readers_[arg.buffer];
            const auto isLater = [&](int o) { return o > id; };
            if (std::none_of(readers.begin(), readers.end(), isLater)) continue;
            const int64_t to = arg.base;
            const int buffer = op.args[out].buffer;
            add("M7", name(buffer) + " takes the slot of " + name(arg.buffer) + ", which is still read", "",
                [buffer, to](ExecutionRecord& r) { move(r, buffer, to); });
        }
    }

    // ---- M8, M13: slices -----------------------------------------------------------------------------

    /// The cores see the same parts of every on-chip operand, element by element.
    bool hasSameViews(const RecordOp& before, const RecordOp& after) const {
        std::string misfit;
        const std::vector<CoreWork> first = coreWork(before, misfit);
        const std::vector<CoreWork> second = coreWork(after, misfit);
        if (!misfit.empty()) return false;
        for (std::size_t a = 0; a < before.args.size(); ++a) {
            if (before.args[a].memory != RecordMemory::Lx) continue;
            const DeviceMap& layout = layouts_[static_cast<std::size_t>(before.args[a].buffer)];
            if (partsOf(before, before.args[a], layout, first) != partsOf(after, after.args[a], layout, second))
                return false;
        }
        return true;
    }

    /// Per core: which positions of its slice stand for which elements, as the range of elements that it reaches.
    static std::map<int, std::vector<int64_t>> partsOf(const RecordOp& op, const RecordArg& arg,
                                                       const DeviceMap& layout, const std::vector<CoreWork>& work) {
        const ArgMap map(op, arg, layout, work);
        std::map<int, std::vector<int64_t>> parts;
        for (std::size_t w = 0; w < work.size(); ++w) {
            std::vector<int64_t> part{map.localElements()};
            std::vector<int64_t> low(op.space.size());
            std::vector<int64_t> high(op.space.size());
            for (std::size_t v = 0; v < op.space.size(); ++v) {
                low[v] = work[w].box[v].begin;
                high[v] = std::max(low[v], work[w].box[v].end - 1);
                if (!map.usesSymbol(v)) low[v] = high[v] = 0;
            }
            for (const auto& point : {low, high}) {
                part.push_back(map.hostElement(point));
                part.push_back(map.position(w, point).value_or(-1));
            }
            parts[work[w].core] = std::move(part);
        }
        return parts;
    }

    /// What an op does to bytes, whatever cores and symbols are called: the multiset of (places read, place written)
    /// over all points; a place on chip is one of its core. Nothing for products, whose points are too many.
    std::optional<std::uint64_t> effectOf(const RecordOp& op) const {
        if (op.fn == "matmul") return std::nullopt;
        std::string misfit;
        const std::vector<CoreWork> work = coreWork(op, misfit);
        if (!misfit.empty()) return std::nullopt;
        std::vector<ArgMap> maps;
        for (const RecordArg& a : op.args)
            maps.emplace_back(op, a, layouts_[static_cast<std::size_t>(a.buffer)], work);
        std::uint64_t effect = 0;
        for (std::size_t w = 0; w < work.size(); ++w) {
            std::vector<int64_t> point(op.space.size());
            const bool isEmpty =
                std::any_of(work[w].box.begin(), work[w].box.end(), [](const Range& r) { return r.size() <= 0; });
            if (isEmpty) continue;
            for (std::size_t v = 0; v < point.size(); ++v)
                point[v] = work[w].box[v].begin;
            std::size_t v = 0;
            do {
                effect += effectAt(op, maps, w, work[w].core, point);
                for (v = point.size(); v-- > 0;) {
                    if (++point[v] < work[w].box[v].end) break;
                    point[v] = work[w].box[v].begin;
                }
            } while (v != static_cast<std::size_t>(-1) && !point.empty());
        }
        return effect;
    }

    static std::uint64_t effectAt(const RecordOp& op, const std::vector<ArgMap>& maps, std::size_t w, int core,
                                  const std::vector<int64_t>& point) {
        std::uint64_t hash = 1;
        for (std::size_t a = 0; a < maps.size(); ++a) {
            int64_t at = -1;
            if (maps[a].isPlain(w)) {
                at = maps[a].start(w);
                for (std::size_t v = 0; v < point.size(); ++v)
                    at += maps[a].table(v)[static_cast<std::size_t>(point[v])];
            } else {
                at = maps[a].position(w, point).value_or(-1);
            }
            const bool onChip = op.args[a].memory == RecordMemory::Lx;
            hash = mix(hash ^ static_cast<std::uint64_t>(at)) + (onChip ? static_cast<std::uint64_t>(core) + 1 : 0);
        }
        return mix(hash);
    }

    void addSlices(int id, const RecordOp& op, const std::string& what, const RecordOp& changed) {
        std::string rule = hasSameViews(op, changed) ? "every core sees the same of all on-chip operands" : "";
        if (rule.empty()) {
            const auto before = effectOf(op);
            if (before && before == effectOf(changed)) rule = "the same is done to the same bytes of every memory";
        }
        add("M8", "op " + op.name + ": " + what, rule,
            [id, changed](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)] = changed; });
    }

    void changeSlices(int id, const RecordOp& op) {
        int64_t cores = 1;
        for (const RecordSymbol& s : op.space)
            cores *= s.slices;
        if (cores <= 1) return;
        RecordOp rotated = op;
        rotated.coreShift = 1;
        addSlices(id, op, "core map rotated by one", rotated);
        for (std::size_t v = 0; v < op.space.size(); ++v) {
            const RecordSymbol& s = op.space[v];
            if (s.slices <= 1) continue;
            if (s.slices % 2 == 0) {
                RecordOp halved = op;
                halved.space[v].slices /= 2;
                addSlices(id, op, "half the slices of " + s.name, halved);
            }
            for (std::size_t u = 0; u < op.space.size(); ++u) {
                const RecordSymbol& t = op.space[u];
                const int64_t units = (t.extent + t.unit - 1) / t.unit;
                if (u == v || t.isReduction || s.isReduction || units % (t.slices * s.slices) != 0) continue;
                RecordOp other = op;
                other.space[u].slices *= s.slices;
                other.space[v].slices = 1;
                addSlices(id, op, "slices of " + s.name + " moved to " + t.name, other);
            }
            if (s.isReduction) {
                const int64_t part = (s.extent + s.unit - 1) / s.unit / s.slices * s.unit;
                add("M13", "op " + op.name + ": one slice of " + s.name + " left out", unreadRule(id),
                    [id, v, part](ExecutionRecord& r) {
                        RecordSymbol& k = r.ops[static_cast<std::size_t>(id)].space[v];
                        k.extent -= part;
                        --k.slices;
                    });
                add("M13", "op " + op.name + ": one slice of " + s.name + " counted twice", unreadRule(id),
                    [id](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)].firstPartTwice = true; });
            }
        }
    }

    // ---- M9, M10: loops ------------------------------------------------------------------------------

    void shortenLoops(int id, const RecordOp& op) {
        for (std::size_t v = 0; v < op.space.size(); ++v) {
            const RecordSymbol& s = op.space[v];
            for (const int64_t by : {int64_t{1}, s.unit}) {
                if (s.extent <= by || (by == 1 && s.unit > 1 && s.extent % s.unit == 1)) continue;
                if (by == s.unit && s.unit == 1) continue;
                add("M9", "op " + op.name + ": the last " + std::to_string(by) + " of " + s.name + " missing",
                    unreadRule(id),
                    [id, v, by](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)].space[v].extent -= by; });
            }
        }
    }

    void changeCounts(const std::vector<RecordStep>& steps, const std::vector<std::size_t>& path) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].op >= 0) continue;
            std::vector<std::size_t> inner = path;
            inner.push_back(i);
            for (const int64_t by : {int64_t{-1}, int64_t{1}}) {
                add("M9", "loop " + steps[i].variable + " runs " + std::to_string(steps[i].count + by) + " times", "",
                    [inner, by](ExecutionRecord& r) {
                        std::vector<RecordStep>* at = &r.steps;
                        for (std::size_t k = 0; k + 1 < inner.size(); ++k)
                            at = &(*at)[inner[k]].body;
                        (*at)[inner.back()].count += by;
                    });
            }
            changeCounts(steps[i].body, inner);
        }
    }

    void changeAdvance(int id, const RecordOp& op) {
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            const std::vector<int64_t>& advance = op.args[a].advance;
            for (std::size_t level = 0; level < advance.size(); ++level) {
                if (advance[level] == 0) continue;
                for (const int64_t to : {int64_t{0}, advance[level] + kStick}) {
                    add("M10", "op " + op.name + ", " + name(op.args[a].buffer) + ": advance " + std::to_string(to), "",
                        [id, a, level, to](ExecutionRecord& r) { argOf(r, id, a).advance[level] = to; });
                }
            }
            if (advance.size() == 2 && advance[0] != advance[1]) {
                add("M10", "op " + op.name + ", " + name(op.args[a].buffer) + ": advances exchanged", "",
                    [id, a](ExecutionRecord& r) { std::swap(argOf(r, id, a).advance[0], argOf(r, id, a).advance[1]); });
            }
        }
    }

    // ---- M11, M12, M14: functions and moves -----------------------------------------------------------

    void changeFunction(int id, const RecordOp& op) {
        if (op.role != RecordRole::Compute) return;
        static const std::map<std::string, std::string, std::less<>> kOther = {
            {"max", "sum"}, {"sum", "max"}, {"exp", "identity"}, {"sub", "div"},
            {"div", "sub"}, {"add", "mul"}, {"mul", "add"}};
        const auto it = kOther.find(op.fn);
        std::string to = it == kOther.end() ? "other" : it->second;
        const bool reduces =
            std::any_of(op.space.begin(), op.space.end(), [](const RecordSymbol& s) { return s.isReduction; });
        if (op.fn == "matmul" || (reduces && to == "identity")) to = "other";
        if (op.fn != "matmul") {
            add("M12", "op " + op.name + " computes " + to, unreadRule(id),
                [id, to](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)].fn = to; });
        }
        if (op.args.size() != 3 || op.args[0] == op.args[1]) return;
        static const std::set<std::string, std::less<>> kCommutes = {"add", "mul", "max", "min", "eq",
                                                                     "ne",  "and", "or",  "xor", "matmul"};
        add("M11", "op " + op.name + " with its operands exchanged",
            kCommutes.contains(op.fn) ? "the function does not look at the order" : unreadRule(id),
            [id](ExecutionRecord& r) { std::swap(argOf(r, id, 0), argOf(r, id, 1)); });
    }

    /// A move that copies device memory as it lies: the result has the layout of the source.
    void copyPlainly(int id, const RecordOp& op) {
        if (op.role != RecordRole::Move || op.args.size() != 2) return;
        const RecordBuffer& from = r_.buffers[static_cast<std::size_t>(op.args[0].buffer)];
        const RecordBuffer& to = r_.buffers[static_cast<std::size_t>(op.args[1].buffer)];
        const bool same = from.deviceSize == to.deviceSize && from.strideMap == to.strideMap;
        if (same || op.args[0].index != op.args[1].index) return;
        add("M14", "op " + op.name + " copies sticks as they lie", unreadRule(id), [id](ExecutionRecord& r) {
            RecordArg& in = argOf(r, id, 0);
            RecordArg& out = argOf(r, id, 1);
            RecordBuffer plain = r.buffers[static_cast<std::size_t>(out.buffer)];
            plain.deviceSize = r.buffers[static_cast<std::size_t>(in.buffer)].deviceSize;
            plain.strideMap = r.buffers[static_cast<std::size_t>(in.buffer)].strideMap;
            plain.role = "intermediate";
            r.buffers.push_back(plain);
            out.buffer = static_cast<int>(r.buffers.size() - 1);
        });
    }
};

}  // namespace

std::vector<Mutant> mutantsOf(const ExecutionRecord& record, const std::vector<bool>& wasRead) {
    return Maker(record, wasRead).run();
}

}  // namespace memplan::sim

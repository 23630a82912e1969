// SPDX-License-Identifier: Apache-2.0
#include "engine/io/export/plan_export.h"
#include "engine/json/json_text.h"
#include "engine/target/target.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace memplan::io {

namespace {

constexpr std::int64_t kProcess = 1;
constexpr std::int64_t kOps = 1, kLoops = 2;
/// Viewers read numbers as doubles: beyond 53 bits a number is a text.
constexpr std::int64_t kLargestNumber = std::int64_t{1} << 53;

void bytesMember(JsonWriter& w, std::string_view key, std::int64_t value) {
    if (value > kLargestNumber) {
        w.member(key, std::to_string(value));
    } else {
        w.member(key, value);
    }
}

/// One event with what it is sorted by: time, longer first, process, thread, id.
struct Event {
    Step ts = 0;
    std::int64_t dur = 0;
    std::int64_t thread = 0;
    std::string id;
    std::string json;  ///< the object's text
    friend bool operator<(const Event& a, const Event& b) {
        return std::tie(a.ts, b.dur, a.thread, a.id) < std::tie(b.ts, a.dur, b.thread, b.id);
    }
};

class TraceWriter {
public:
    explicit TraceWriter(const Plan& plan) : p_(plan) {}

    std::string run() {
        for (std::size_t i = 0; i < p_.ops.size(); ++i)
            operation(i);
        loops();
        for (const PlanBuffer& b : p_.buffers)
            buffer(b);
        usage();
        std::stable_sort(events_.begin(), events_.end());
        JsonWriter w;
        w.beginObject();
        w.member("displayTimeUnit", "ns");
        w.key("traceEvents");
        w.beginArray();
        metadata(w);
        for (const Event& e : events_)
            w.raw(e.json);
        w.endArray();
        w.key("otherData");
        w.beginObject();
        w.member("name", p_.input.name);
        w.member("target", p_.target);
        w.member("solver", p_.solver);
        w.member("plan", p_.planHash);
        w.member("unit", "one planner step is one microsecond");
        w.endObject();
        w.endObject();
        return w.finish();
    }

private:
    template <class F> void add(const char* phase, const std::string& name, Event e, std::int64_t thread, F&& more) {
        JsonWriter w;
        w.beginInlineObject();
        w.member("ph", phase);
        w.member("name", name);
        w.member("pid", kProcess);
        w.member("tid", thread);
        w.member("ts", std::int64_t{e.ts});
        more(w);
        w.endObject();
        e.thread = thread;
        e.json = w.finish();
        e.json.pop_back();  // the line end of a document
        events_.push_back(std::move(e));
    }

    void metadata(JsonWriter& w) const {
        const auto one = [&](const char* name, std::int64_t thread, const char* key, const std::string& text,
                             std::int64_t number) {
            w.beginInlineObject();
            w.member("ph", "M");
            w.member("name", name);
            w.member("pid", kProcess);
            if (thread > 0) w.member("tid", thread);
            w.key("args");
            w.beginInlineObject();
            if (text.empty()) {
                w.member(key, number);
            } else {
                w.member(key, text);
            }
            w.endObject();
            w.endObject();
        };
        one("process_name", 0, "name", "plan " + p_.input.name, 0);
        one("thread_name", kOps, "name", "operations", 0);
        one("thread_sort_index", kOps, "sort_index", "", kOps);
        if (!hasLoops_) return;
        one("thread_name", kLoops, "name", "loops", 0);
        one("thread_sort_index", kLoops, "sort_index", "", kLoops);
    }

    void operation(std::size_t i) {
        const PlanOp& op = p_.ops[i];
        add("X", op.name, {static_cast<Step>(i), 1, 0, op.name, {}}, kOps, [&](JsonWriter& w) {
            w.member("dur", 1);
            w.member("cat", op.kind);
            w.key("args");
            w.beginInlineObject();
            w.member("function", op.type);
            bytesMember(w, "read", op.offChipRead);
            bytesMember(w, "written", op.offChipWrite);
            w.member("cores", op.cores);
            w.key("splits");
            w.beginInlineObject();
            for (const IterationDim& d : op.iterationSpace) {
                if (d.slices > 1) w.member(d.name, d.slices);
            }
            w.endObject();
            w.endObject();
        });
    }

    /// Runs of operations that share a path, from the outermost level inwards.
    void loops() {
        std::size_t depth = 0;
        for (const PlanOp& op : p_.ops)
            depth = std::max(depth, std::min(op.loopPath.size(), op.loopCounts.size()));
        for (std::size_t level = 0; level < depth; ++level) {
            for (std::size_t i = 0; i < p_.ops.size();) {
                const auto inside = [&](const PlanOp& op) {
                    return op.loopPath.size() > level && op.loopCounts.size() > level;
                };
                if (!inside(p_.ops[i])) {
                    ++i;
                    continue;
                }
                const auto samePath = [&](const PlanOp& op) {
                    return inside(op) &&
                           std::equal(op.loopPath.begin(), op.loopPath.begin() + static_cast<std::ptrdiff_t>(level) + 1,
                                      p_.ops[i].loopPath.begin());
                };
                std::size_t end = i;
                while (end < p_.ops.size() && samePath(p_.ops[end]))
                    ++end;
                loop(i, end, level);
                i = end;
            }
        }
    }

    void loop(std::size_t begin, std::size_t end, std::size_t level) {
        hasLoops_ = true;
        const std::int64_t count = p_.ops[begin].loopCounts[level];
        const auto dur = static_cast<std::int64_t>(end - begin);
        const std::string name = "loop of " + std::to_string(count);
        // The level in the id keeps an outer loop before an inner one of the same length.
        add("X", name, {static_cast<Step>(begin), dur, 0, std::to_string(level), {}}, kLoops, [&](JsonWriter& w) {
            w.member("dur", dur);
            w.member("cat", "loop");
            w.key("args");
            w.beginInlineObject();
            w.member("count", count);
            w.member("level", static_cast<std::int64_t>(level));
            w.endObject();
        });
    }

    void buffer(const PlanBuffer& b) {
        if (b.life.end <= b.life.begin) return;
        const std::string memory(spaceName(b.space));
        const std::string id = memory + ":" + b.name;
        const auto common = [&](JsonWriter& w) {
            w.member("cat", "buffer");
            w.member("id", id);
        };
        add("b", b.name, {b.life.begin, 0, 0, id, {}}, kOps, [&](JsonWriter& w) {
            common(w);
            w.key("args");
            w.beginInlineObject();
            w.key("offset");
            const auto offset = b.address ? b.address : b.poolOffset;
            if (!offset) {
                w.null();
            } else if (*offset > kLargestNumber) {
                w.string(std::to_string(*offset));
            } else {
                w.integer(*offset);
            }
            bytesMember(w, "size", isOnChip(b.space) ? b.sizePerCore : b.size);
            w.member("tensor", b.name);
            w.member("memory", memory);
            w.endObject();
        });
        // The end of one step is the begin of the next: ends come first, so that nothing seems to overlap.
        add("e", b.name, {b.life.end, 1, 0, id, {}}, kOps, common);
    }

    void usage() {
        const std::string name = onChipName() + " bytes";
        Bytes last = -1;
        const auto point = [&](Step step, Bytes used) {
            if (used == last) return;
            last = used;
            add("C", name, {step, 0, 0, "", {}}, 0, [&](JsonWriter& w) {
                w.key("args");
                w.beginInlineObject();
                bytesMember(w, "used", used);
                bytesMember(w, "capacity", p_.memory.capacity);
                w.endObject();
            });
        };
        for (const OccupancyPoint& o : p_.memory.occupancy)
            point(o.step, o.bytes);
        if (!p_.memory.occupancy.empty()) point(p_.memory.occupancy.back().step + 1, 0);
    }

    std::string onChipName() const {
        const Target* target = findTarget(p_.target);
        return std::string(target != nullptr ? target->info().onChipSpace : "on-chip");
    }

    const Plan& p_;
    std::vector<Event> events_;
    bool hasLoops_ = false;
};

}  // namespace

std::string chromeTrace(const Plan& plan) {
    return TraceWriter(plan).run();
}

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/plan_file/search_data.h"

namespace memplan::spyre {
namespace {

void writeNames(io::JsonWriter& w, std::string_view key, const std::vector<std::string>& names) {
    w.key(key);
    w.beginArray(true);
    for (const std::string& name : names)
        w.string(name);
    w.endArray();
}

std::vector<std::string> readNames(io::PlanFields& f, io::TapeIndex at, std::string_view key) {
    std::vector<std::string> names;
    f.each(f.optional(at, key), [&](io::TapeIndex n) { names.emplace_back(f.tape.text(n)); });
    return names;
}

void writeOptional(io::JsonWriter& w, std::string_view key, const std::optional<double>& value) {
    w.key(key);
    if (value) return w.number(*value);
    w.null();
}

std::optional<double> readOptional(io::PlanFields& f, io::TapeIndex at, std::string_view key) {
    return f.optional(at, key) == 0 ? std::nullopt : std::optional(f.number(at, key, 0));
}

void writeLeaf(io::JsonWriter& w, const CoOptimization::Leaf& leaf) {
    w.beginObject();
    w.key("splits");
    w.beginInlineObject();
    for (const auto& [op, label] : leaf.splits)
        w.member(op, label);
    w.endObject();
    w.member("score", leaf.score);
    writeNames(w, "not_pinned", leaf.notPinned);
    w.endObject();
}

void writeKernel(io::JsonWriter& w, const CostEstimate::Kernel& k) {
    w.beginObject();
    w.member("microseconds", k.microseconds);
    w.member("branch", k.branch);
    w.member("category", k.category);
    writeOptional(w, "stated_error_percent", k.statedErrorPercent);
    w.key("terms_ns");
    w.beginInlineObject();
    for (const auto& [name, ns] : k.termsNs)
        w.member(name, ns);
    w.endObject();
    w.key("shares");
    w.beginArray();
    for (const CostEstimate::Share& s : k.shares) {
        w.beginInlineObject();
        w.member("op", s.op);
        w.member("microseconds", s.microseconds);
        w.member("hbm_bytes", s.hbmBytes);
        w.member("lx_bytes", s.lxBytes);
        w.member("trip", s.trip);
        w.member("reread_bytes", s.rereadBytes);
        w.endObject();
    }
    w.endArray();
    w.endObject();
}

CostEstimate::Kernel readKernel(io::PlanFields& f, io::TapeIndex at) {
    CostEstimate::Kernel k;
    k.microseconds = f.number(at, "microseconds", 0);
    k.branch = f.text(at, "branch", "");
    k.category = f.text(at, "category", "");
    k.statedErrorPercent = readOptional(f, at, "stated_error_percent");
    f.eachMember(f.optional(at, "terms_ns"),
                 [&](io::TapeIndex t) { k.termsNs.emplace_back(std::string(f.tape.key(t)), f.tape.number(t)); });
    f.each(f.optional(at, "shares"), [&](io::TapeIndex s) {
        CostEstimate::Share share;
        share.op = f.text(s, "op", "");
        share.microseconds = f.number(s, "microseconds", 0);
        share.hbmBytes = f.integer(s, "hbm_bytes", 0);
        share.lxBytes = f.integer(s, "lx_bytes", 0);
        share.trip = f.integer(s, "trip", 1);
        share.rereadBytes = f.integer(s, "reread_bytes", 0);
        k.shares.push_back(std::move(share));
    });
    return k;
}

}  // namespace

void writeCoOptimization(io::JsonWriter& w, const CoOptimization& t) {
    w.key("co_optimization");
    w.beginObject();
    w.member("method", t.method);
    w.member("combinations", t.combinations);
    w.member("evaluated", t.evaluated);
    w.member("committed_score", t.committedScore);
    w.member("winner_score", t.winnerScore);
    w.member("committed_traffic", t.committedTraffic);
    w.member("winner_traffic", t.winnerTraffic);
    writeOptional(w, "committed_microseconds", t.committedMicroseconds);
    writeOptional(w, "winner_microseconds", t.winnerMicroseconds);
    w.member("note", t.note);
    w.key("options");
    w.beginArray();
    for (const CoOptimization::Options& o : t.options) {
        w.beginInlineObject();
        w.member("op", o.op);
        writeNames(w, "labels", o.labels);
        w.endObject();
    }
    w.endArray();
    w.key("kept");
    w.beginArray();
    for (const CoOptimization::Leaf& leaf : t.kept)
        writeLeaf(w, leaf);
    w.endArray();
    w.key("changes");
    w.beginArray();
    for (const CoOptimization::Change& c : t.changes) {
        w.beginInlineObject();
        w.member("op", c.op);
        w.member("from", c.from);
        w.member("to", c.to);
        w.endObject();
    }
    w.endArray();
    w.endObject();
}

CoOptimization readCoOptimization(io::PlanFields& f, io::TapeIndex at) {
    CoOptimization t;
    t.method = f.text(at, "method", "");
    t.combinations = f.integer(at, "combinations", 0);
    t.evaluated = f.integer(at, "evaluated", 0);
    t.committedScore = f.integer(at, "committed_score", 0);
    t.winnerScore = f.integer(at, "winner_score", 0);
    t.committedTraffic = f.integer(at, "committed_traffic", 0);
    t.winnerTraffic = f.integer(at, "winner_traffic", 0);
    t.committedMicroseconds = readOptional(f, at, "committed_microseconds");
    t.winnerMicroseconds = readOptional(f, at, "winner_microseconds");
    t.note = f.text(at, "note", "");
    f.each(f.optional(at, "options"), [&](io::TapeIndex o) {
        t.options.push_back({f.text(o, "op", ""), readNames(f, o, "labels")});
    });
    f.each(f.optional(at, "kept"), [&](io::TapeIndex k) {
        CoOptimization::Leaf leaf;
        leaf.score = f.integer(k, "score", 0);
        leaf.notPinned = readNames(f, k, "not_pinned");
        f.eachMember(f.optional(k, "splits"), [&](io::TapeIndex s) {
            leaf.splits.emplace_back(std::string(f.tape.key(s)), std::string(f.tape.text(s)));
        });
        t.kept.push_back(std::move(leaf));
    });
    f.each(f.optional(at, "changes"), [&](io::TapeIndex c) {
        t.changes.push_back({f.text(c, "op", ""), f.text(c, "from", ""), f.text(c, "to", "")});
    });
    return t;
}

void writeCostEstimate(io::JsonWriter& w, const CostEstimate& e) {
    w.key("cost_estimate");
    w.beginObject();
    w.member("purpose", "ranks plans of one graph; no forecast");
    w.member("edition", e.edition);
    w.member("calibration", e.calibration);
    w.member("calibration_sha256", e.calibrationSha256);
    w.member("total_microseconds", e.totalMicroseconds);
    w.key("kernels");
    w.beginArray();
    for (const CostEstimate::Kernel& k : e.kernels)
        writeKernel(w, k);
    w.endArray();
    w.endObject();
}

CostEstimate readCostEstimate(io::PlanFields& f, io::TapeIndex at) {
    CostEstimate e;
    e.edition = f.text(at, "edition", "");
    e.calibration = f.text(at, "calibration", "");
    e.calibrationSha256 = f.text(at, "calibration_sha256", "");
    e.totalMicroseconds = f.number(at, "total_microseconds", 0);
    f.each(f.optional(at, "kernels"), [&](io::TapeIndex k) { e.kernels.push_back(readKernel(f, k)); });
    return e;
}

void writeOperationOrder(io::JsonWriter& w, const OperationOrder& o) {
    w.key("operation_order");
    w.beginObject();
    w.member("method", o.method);
    w.member("traffic_before", o.trafficBefore);
    w.member("traffic_after", o.trafficAfter);
    w.member("peak_load_before", o.peakBefore);
    w.member("peak_load_after", o.peakAfter);
    w.member("distance", o.distance);
    w.member("trials", o.trials);
    writeNames(w, "original", o.original);
    w.key("permutation");
    w.beginArray(true);
    for (const int position : o.permutation)
        w.integer(position);
    w.endArray();
    writeNames(w, "op_order", o.graphOrder);
    w.endObject();
}

OperationOrder readOperationOrder(io::PlanFields& f, io::TapeIndex at) {
    OperationOrder o;
    o.method = f.text(at, "method", "");
    o.trafficBefore = f.integer(at, "traffic_before", 0);
    o.trafficAfter = f.integer(at, "traffic_after", 0);
    o.peakBefore = f.integer(at, "peak_load_before", 0);
    o.peakAfter = f.integer(at, "peak_load_after", 0);
    o.distance = f.integer(at, "distance", 0);
    o.trials = f.integer(at, "trials", 0);
    o.original = readNames(f, at, "original");
    for (const std::int64_t position : f.integers(at, "permutation")) {
        // What is no position at all the validator reports, like a position that stands twice.
        const bool fits = position >= 0 && position < static_cast<std::int64_t>(o.original.size());
        o.permutation.push_back(fits ? static_cast<int>(position) : -1);
    }
    o.graphOrder = readNames(f, at, "op_order");
    return o;
}

}  // namespace memplan::spyre

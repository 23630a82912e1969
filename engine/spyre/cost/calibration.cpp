// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/calibration.h"

#include "engine/base/hash.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/json/json_sax.h"
#include "engine/json/json_text.h"

#include <algorithm>
#include <cmath>

namespace memplan::spyre::cost {
namespace {

using io::JsonType;
using io::Tape;
using io::TapeIndex;

constexpr std::string_view kFormat = "spyre-calibration";
constexpr io::JsonCodes kCodes{"CAL-001", "CAL-001", "CAL-001", "CAL-001", "CAL-001", "CAL-001", "CAL-001"};
constexpr std::int64_t kMaxBytes = 1 << 20;

using Anchors = std::vector<std::pair<std::int64_t, double>>;

class Reader {
public:
    explicit Reader(const Tape& tape) : tape_(tape) {}

    Result<Calibration> run() {
        if (tape_.type(0) != JsonType::Object) return fail(0, "an object is expected");
        readHead();
        if (const TapeIndex constants = member(0, "constants", JsonType::Object)) readConstants(constants);
        if (const TapeIndex tables = member(0, "tables", JsonType::Object)) readTables(tables);
        if (const TapeIndex errors = member(0, "errors", JsonType::Object)) readErrors(errors);
        if (error_) return *error_;
        return std::move(out_);
    }

private:
    const Tape& tape_;
    Calibration out_ = builtInCalibration();
    std::optional<Error> error_;

    Error fail(TapeIndex at, std::string message, std::string hint = {}) {
        if (!error_) error_ = makeError("CAL-001", tape_.pointer(at), std::move(message), std::move(hint));
        return *error_;
    }

    TapeIndex member(TapeIndex object, std::string_view key, JsonType type) {
        const TapeIndex at = tape_.find(object, key);
        if (at != 0 && tape_.type(at) != type) {
            (void)fail(at, std::string(jsonTypeName(type)) + " is expected");
            return 0;
        }
        return at;
    }

    std::string textOf(TapeIndex object, std::string_view key) {
        const TapeIndex at = member(object, key, JsonType::String);
        return at == 0 ? std::string() : std::string(tape_.text(at));
    }

    void readHead() {
        if (textOf(0, "format") != kFormat)
            (void)fail(tape_.find(0, "format"), "the format is not \"spyre-calibration\"");
        const TapeIndex version = tape_.find(0, "version");
        if (version == 0 || tape_.type(version) != JsonType::Integer || tape_.at(version).integer != 1)
            (void)fail(version, "only version 1 is read");
        const std::string edition = textOf(0, "edition");
        if (edition != "A" && edition != "B") (void)fail(tape_.find(0, "edition"), "the edition is neither A nor B");
        out_.model.edition = edition == "A" ? Edition::A : Edition::B;
        out_.name = textOf(0, "name");
        out_.provenance = {};
        if (const TapeIndex p = member(0, "provenance", JsonType::Object)) {
            out_.provenance = {textOf(p, "source"), textOf(p, "date"), textOf(p, "hardware"), textOf(p, "build"),
                               textOf(p, "method")};
        }
    }

    /// A finite number, or an error that names the key.
    std::optional<double> numberOf(TapeIndex at, std::string_view key) {
        const JsonType type = tape_.type(at);
        const bool isNumber = type == JsonType::Integer || type == JsonType::Real;
        if (isNumber && std::isfinite(tape_.number(at))) return tape_.number(at);
        (void)fail(at, text::quoted(key) + " needs a finite number");
        return std::nullopt;
    }

    void readConstants(TapeIndex constants) {
        for (const TapeIndex c : tape_.children(constants)) {
            const std::string_view key = tape_.key(c);
            double* place = constantNamed(out_.model.constants, key);
            if (place == nullptr) {
                std::vector<std::string> names;
                for (const ConstantKey& k : constantKeys())
                    names.emplace_back(k.name);
                (void)fail(c, "there is no constant " + text::quoted(key),
                           didYouMean(key, names, "the constants are " + text::join(names, ", ")));
                return;
            }
            const auto value = numberOf(c, key);
            if (!value) return;
            const auto known = std::find_if(constantKeys().begin(), constantKeys().end(),
                                            [&](const ConstantKey& k) { return k.name == key; });
            if (known->range == ConstantRange::Positive && *value <= 0)
                (void)fail(c, "\"" + std::string(key) + "\" is a rate or a cap and has to be above 0");
            if (known->range == ConstantRange::NonNegative && *value < 0)
                (void)fail(c, "\"" + std::string(key) + "\" may not be negative");
            *place = *value;
        }
    }

    void readTables(TapeIndex tables) {
        for (const TapeIndex t : tape_.children(tables)) {
            const std::string_view key = tape_.key(t);
            if (key == "reduction_cores_g") {
                readAnchors(t, key, out_.model.constants.reductionCores);
            } else if (key == "dma_ns_per_request") {
                readAnchors(t, key, out_.model.constants.dmaNsPerRequest);
            } else {
                (void)fail(t, "there is no table " + text::quoted(key));
            }
        }
    }

    void readAnchors(TapeIndex table, std::string_view key, Anchors& into) {
        if (tape_.type(table) != JsonType::Array) {
            (void)fail(table, "an array of [cores, value] is expected");
            return;
        }
        Anchors anchors;
        for (const TapeIndex row : tape_.children(table)) {
            const bool pair = tape_.type(row) == JsonType::Array && tape_.count(row) == 2;
            const TapeIndex cores = pair ? *tape_.children(row).begin() : 0;
            if (!pair || tape_.type(cores) != JsonType::Integer || tape_.at(cores).integer < 1) {
                (void)fail(row, "an entry is [cores, value] with at least one core");
                return;
            }
            const auto value = numberOf(tape_.at(cores).next, key);
            if (!value) return;
            if (*value <= 0) (void)fail(row, "\"" + std::string(key) + "\" needs values above 0");
            if (!anchors.empty() && anchors.back().first >= tape_.at(cores).integer)
                (void)fail(row, "core counts have to rise");
            anchors.emplace_back(tape_.at(cores).integer, *value);
        }
        into = std::move(anchors);
    }

    void readErrors(TapeIndex errors) {
        out_.errors.clear();
        for (const TapeIndex e : tape_.children(errors)) {
            const auto percent = numberOf(e, tape_.key(e));
            if (percent && *percent < 0) (void)fail(e, "an error in percent may not be negative");
            if (percent) out_.errors.emplace_back(std::string(tape_.key(e)), *percent);
        }
    }
};

void writeAnchors(io::JsonWriter& w, std::string_view key, const Anchors& anchors) {
    w.key(key);
    w.beginArray(true);
    for (const auto& [cores, value] : anchors) {
        w.beginArray(true);
        w.integer(cores);
        w.number(value);
        w.endArray();
    }
    w.endArray();
}

}  // namespace

Calibration builtInCalibration() {
    Calibration c;
    c.name = "built in";
    c.provenance = {"public torch-spyre project", "2026-08 (edition A), autumn 2026 (edition B terms)",
                    "Spyre, 32 cores", "", "fit over a recorded sweep of 1632 configurations"};
    c.errors = {{"broadcast", 5.0}, {"transport", 6.1},           {"reduction", 7.2},       {"pointwise", 8.5},
                {"softmax", 21.1},  {"row-tiled multiply", 25.1}, {"split multiply", 29.8}, {"batched multiply", 40.0}};
    return c;
}

Result<Calibration> readCalibration(std::string_view bytes) {
    io::Limits limits;
    limits.jsonBytes = kMaxBytes;
    auto tape = io::readTape(bytes, kCodes, limits, RunControl{});
    if (!tape) return std::move(tape).error();
    Result<Calibration> calibration = Reader(tape.value()).run();
    if (calibration) calibration.value().sha256 = sha256Hex(bytes);
    return calibration;
}

std::string writeCalibration(const Calibration& c) {
    io::JsonWriter w;
    w.beginObject();
    w.member("format", kFormat);
    w.member("version", 1);
    w.member("edition", c.model.edition == Edition::A ? "A" : "B");
    w.member("name", c.name);
    w.key("provenance");
    w.beginObject();
    w.member("source", c.provenance.source);
    w.member("date", c.provenance.date);
    w.member("hardware", c.provenance.hardware);
    w.member("build", c.provenance.build);
    w.member("method", c.provenance.method);
    w.endObject();
    w.key("constants");
    w.beginObject();
    for (const ConstantKey& key : constantKeys())
        w.member(key.name, *constantNamed(c.model.constants, key.name));
    w.endObject();
    w.key("tables");
    w.beginObject();
    writeAnchors(w, "reduction_cores_g", c.model.constants.reductionCores);
    writeAnchors(w, "dma_ns_per_request", c.model.constants.dmaNsPerRequest);
    w.endObject();
    w.key("errors");
    w.beginObject();
    for (const auto& [category, percent] : c.errors)
        w.member(category, percent);
    w.endObject();
    w.endObject();
    return w.finish();
}

}  // namespace memplan::spyre::cost

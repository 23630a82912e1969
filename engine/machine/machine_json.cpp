// SPDX-License-Identifier: Apache-2.0
#include "engine/machine/machine_json.h"

#include "engine/base/text.h"
#include "engine/json/json_sax.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace memplan {
namespace {

constexpr std::string_view kFormat = "memplan-machine";
constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLongestName = 200;
constexpr std::string_view kCode = "MCH-001";
constexpr io::JsonCodes kCodes{kCode, kCode, kCode, kCode, kCode, kCode, kCode};

Error wrong(std::string where, std::string message, std::string fix) {
    return makeError(std::string(kCode), std::move(where), std::move(message), std::move(fix));
}

std::string rangeText(const MachineField& field) {
    std::string range = text::grouped(field.min) + " to " + text::grouped(field.max) + " " + std::string(field.unit);
    return field.multipleOf > 1 ? range + ", a multiple of " + text::grouped(field.multipleOf) : range;
}

class Reader {
public:
    Reader(const io::Tape& tape, io::TapeIndex at, const MachineKind& kind) : tape_(tape), at_(at), kind_(kind) {}

    Result<MachineDescription> run() {
        if (kind_.fields.empty())
            return wrong("", "the target has no machine figures", "plan without a machine file; see its settings");
        if (tape_.type(at_) != io::JsonType::Object) {
            fail(at_, "a machine is an object, this is " + std::string(io::jsonTypeName(tape_.type(at_))),
                 R"(begin with {"format": "memplan-machine", "version": 1, "target": ...})");
            return std::move(*error_);
        }
        checkKeys();
        readHead();
        readValues();
        checkConflict();
        if (error_) return std::move(*error_);
        // Without a difference it is the built-in machine, whatever the file calls it.
        if (machine_.isBuiltIn()) return MachineDescription{};
        machine_.target = kind_.target;
        return std::move(machine_);
    }

private:
    void fail(io::TapeIndex at, std::string message, std::string fix) {
        if (!error_) error_ = wrong(tape_.pointer(at), std::move(message), std::move(fix));
    }

    void unknown(io::TapeIndex at, const std::vector<std::string>& known) {
        const std::string key(tape_.key(at));
        // Part of a long name is nearer to it than to a short one.
        const auto whole = std::ranges::find_if(known, [&](const std::string& k) { return k.find(key) != k.npos; });
        const std::string near = whole != known.end() && !key.empty() ? *whole : text::nearest(key, known);
        fail(at, "there is no " + text::quoted(key) + " in a machine of " + std::string(kind_.target),
             (near.empty() ? "" : "did you mean " + text::quoted(near) + "? ") + "there are " +
                 text::join(known, ", "));
    }

    void checkKeys() {
        static const std::vector<std::string> kKnown{"format", "version", "target", "name", "values"};
        for (const io::TapeIndex member : tape_.children(at_)) {
            if (std::find(kKnown.begin(), kKnown.end(), tape_.key(member)) == kKnown.end()) unknown(member, kKnown);
        }
    }

    /// 0 after an error.
    io::TapeIndex member(std::string_view key, io::JsonType type, std::string_view example) {
        const io::TapeIndex found = tape_.find(at_, key);
        if (found == 0) {
            fail(at_, "the machine has no " + text::quoted(key), "add " + std::string(example));
            return 0;
        }
        if (tape_.type(found) == type) return found;
        fail(found, text::quoted(key) + " is " + std::string(io::jsonTypeName(tape_.type(found))),
             "write " + std::string(example));
        return 0;
    }

    void readHead() {
        const io::TapeIndex format = member("format", io::JsonType::String, R"("format": "memplan-machine")");
        if (format != 0 && tape_.text(format) != kFormat) {
            fail(format, "the format " + text::quoted(tape_.text(format)) + " is no machine",
                 "a machine has \"format\": \"memplan-machine\"");
        }
        const io::TapeIndex version = member("version", io::JsonType::Integer, R"("version": 1)");
        if (version != 0 && tape_.at(version).integer != kVersion) {
            fail(version, "version " + std::to_string(tape_.at(version).integer) + " is unknown",
                 "this program reads version 1");
        }
        const std::string ours = "\"target\": " + text::quoted(kind_.target);
        const io::TapeIndex target = member("target", io::JsonType::String, ours);
        if (target != 0 && tape_.text(target) != kind_.target) {
            fail(target,
                 "this is a machine of " + text::quoted(tape_.text(target)) + ", the plan is for " +
                     text::quoted(kind_.target),
                 "name a machine file with " + ours);
        }
        if (tape_.find(at_, "name") != 0) readName();
    }

    void readName() {
        const io::TapeIndex name = member("name", io::JsonType::String, "a text");
        if (name == 0) return;
        machine_.name = tape_.text(name);
        const bool isPlain = text::escaped(machine_.name) == machine_.name;
        if (!isPlain || machine_.name.size() > kLongestName) {
            fail(name, "the name is too long or has control characters",
                 "at most " + std::to_string(kLongestName) + " bytes of one line");
        }
    }

    void readValues() {
        if (tape_.find(at_, "values") == 0) return;
        const io::TapeIndex values = member("values", io::JsonType::Object, "an object of figures");
        if (values == 0) return;
        for (const io::TapeIndex figure : tape_.children(values))
            readFigure(figure);
    }

    void readFigure(io::TapeIndex at) {
        const MachineField* field = kind_.find(tape_.key(at));
        if (field == nullptr) {
            std::vector<std::string> known;
            for (const MachineField& f : kind_.fields)
                known.emplace_back(f.key);
            return unknown(at, known);
        }
        const std::string range = "allowed: " + rangeText(*field);
        if (tape_.type(at) != io::JsonType::Integer) {
            return fail(at,
                        std::string(field->key) + " is " + std::string(io::jsonTypeName(tape_.type(at))) +
                            ", not a whole number",
                        range);
        }
        const std::int64_t value = tape_.at(at).integer;
        if (value < field->min || value > field->max)
            return fail(at, text::grouped(value) + " " + std::string(field->unit) + " is out of range", range);
        if (value % field->multipleOf != 0) {
            return fail(at, text::grouped(value) + " is no multiple of " + text::grouped(field->multipleOf), range);
        }
        if (value != field->defaultValue) machine_.values.emplace(field->key, value);
    }

    void checkConflict() {
        if (error_ || kind_.conflict == nullptr) return;
        MachineKind::Conflict found = kind_.conflict(machine_);
        if (found.key.empty()) return;
        const io::TapeIndex values = tape_.find(at_, "values");
        const io::TapeIndex figure = values == 0 ? 0 : tape_.find(values, found.key);
        fail(figure == 0 ? at_ : figure, std::move(found.why), std::move(found.fix));
    }

    const io::Tape& tape_;
    io::TapeIndex at_;
    const MachineKind& kind_;
    MachineDescription machine_;
    std::optional<Error> error_;
};

}  // namespace

Result<MachineDescription> readMachine(const io::Tape& tape, io::TapeIndex at, const MachineKind& kind) {
    return Reader(tape, at, kind).run();
}

Result<MachineDescription> readMachine(std::string_view json, const MachineKind& kind) {
    auto tape = io::readTape(json, kCodes, io::Limits{}, RunControl{});
    if (!tape) return std::move(tape).error();
    return readMachine(tape.value(), 0, kind);
}

void writeMachine(io::JsonWriter& writer, const MachineDescription& machine, const MachineKind& kind) {
    writer.beginObject();
    writer.member("format", kFormat);
    writer.member("version", kVersion);
    writer.member("target", kind.target);
    if (!machine.name.empty()) writer.member("name", machine.name);
    writer.key("values");
    writer.beginObject();
    for (const MachineField& field : kind.fields)
        writer.member(field.key, figureOf(machine, field));
    writer.endObject();
    writer.endObject();
}

std::string machineText(const MachineDescription& machine, const MachineKind& kind) {
    io::JsonWriter writer;
    writeMachine(writer, machine, kind);
    return writer.finish();
}

}  // namespace memplan

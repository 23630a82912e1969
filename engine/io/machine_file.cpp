// SPDX-License-Identifier: Apache-2.0
#include "engine/io/machine_file.h"

#include "engine/base/text.h"
#include "engine/io/files/files.h"
#include "engine/json/json_sax.h"
#include "engine/machine/machine_json.h"
#include "engine/target/target.h"

namespace memplan::io {
namespace {

constexpr std::int64_t kMostBytes = 1 << 20;
constexpr std::string_view kCode = "MCH-001";
constexpr JsonCodes kCodes{kCode, kCode, kCode, kCode, kCode, kCode, kCode};

}  // namespace

Result<MachineDescription> readMachineOf(const Tape& tape, TapeIndex at) {
    const TapeIndex named = tape.type(at) == JsonType::Object ? tape.find(at, "target") : 0;
    // The reader of the first target finds what is wrong with a machine that names none.
    const bool isNamed = named != 0 && tape.type(named) == JsonType::String;
    if (!isNamed) return readMachine(tape, at, allTargets().front()->machineKind());
    const auto target = requireTarget(tape.text(named));
    if (target) return readMachine(tape, at, target.value()->machineKind());
    const Diagnostic& unknown = target.error().primary();
    return makeError(std::string(kCode), tape.pointer(named), unknown.message, unknown.hint);
}

Result<MachineDescription> readMachineFile(const std::string& path) {
    const auto bytes = readFile(path, kMostBytes, kCode);
    if (!bytes) return bytes.error();
    const auto tape = readTape(bytes.value(), kCodes, Limits{}, RunControl{});
    if (!tape) return tape.error();
    return readMachineOf(tape.value(), 0);
}

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
// Formats of a machine's own files: how they are recognised by their content, and how they are read (architecture 5.9).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/pipeline/source.h"
#include "engine/plan/side_info.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// What the beginning of a JSON text says of it.
struct JsonHead {
    std::string format;                ///< value of the outermost key "format"
    std::vector<std::string> keys;     ///< outermost keys
    std::vector<std::string> keysAt3;  ///< keys two levels further down, the first of them

    [[nodiscard]] bool has(std::string_view key) const;
};

/// What a file shows of itself without being read whole.
struct FileGlance {
    std::string_view head;  ///< its first bytes, at most 1 MiB
    bool isText = false;    ///< no zero byte at its start
    bool isMlir = false;    ///< begins as a module of MLIR does
    bool isObject = false;  ///< begins as a JSON object does
    JsonHead json;          ///< of a JSON text that is in none of the common formats
};

struct TargetFile {
    std::string_view bytes;  ///< empty for a folder
    std::string path;        ///< empty for bytes in memory
    std::string name;        ///< last part of the path
};

/// What became of a file: a program, or records of the compiler beside a plan.
struct TargetDocument {
    std::shared_ptr<const Source> program;
    std::vector<SideDocument> records;
    std::string contentKey;         ///< of a folder: text over everything in it, for its hash
    std::vector<Diagnostic> notes;  ///< warnings and notes about the file
};

struct TargetFormat {
    enum class Size { Json, Text };

    std::string_view id, title, extension;
    std::string_view tooLargeCode;  ///< code of a file beyond the limit of its kind
    Size size = Size::Json;         ///< which limit: limits.json_bytes or limits.text_bytes
    bool isRecords = false;         ///< of a compiler, beside a plan; no program
    bool isFolder = false;
    bool isOff = false;                                ///< this build lacks what reads it; reading says what
    std::string_view needs = {};                       ///< what is written in it: "graph", "plan"; empty for nothing
    bool (*isIt)(const FileGlance& glance) = nullptr;  ///< of files
    bool (*isItsFolder)(const std::string& path) = nullptr;  ///< of folders
    Result<TargetDocument> (*read)(const TargetFile& file, const io::Limits& limits,
                                   const RunControl& control) = nullptr;
};

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// Stage C of reading a neutral graph: fields and their types (inputs-and-interchange 2.1 - 2.6),
// from tape pieces into a graph whose references are still names.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/graph/graph.h"
#include "engine/json/json_tape.h"
#include "engine/json/limits.h"

#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// A graph as written: what refers to something else still does so by name.
struct RawGraph {
    Graph graph;                       ///< shapes, aliases, operands, groups and dims are filled in by resolveGraph
    std::vector<std::string> aliases;  ///< per tensor, empty = none

    struct OpRefs {
        std::vector<std::optional<std::string>> inputs;  ///< nullopt = null
        std::vector<std::string> outputs;
        std::optional<std::string> group;
    };
    std::vector<OpRefs> ops;

    struct GroupRefs {
        std::vector<std::string> ops;
        std::optional<std::string> parent;
    };
    std::vector<GroupRefs> groups;
    std::vector<std::string> inputs, outputs;
    std::vector<Diagnostic> expressions;  ///< MPG-308, reported in stage F
};

/// Reads the members of one object of the document and reports what is wrong with their types.
class FieldReader {
public:
    /// Where the tape's outermost value stands: under a top-level key, perhaps as entry of its array.
    struct Place {
        std::string_view key;
        std::optional<std::size_t> entry;
    };

    FieldReader(const Tape& document, Place place, Diagnostics& findings)
        : tape(document), place_(place), findings_(findings) {}

    enum class Unknown { Keep, Refuse };

    const Tape& tape;

    [[nodiscard]] std::string pointer(TapeIndex i) const;
    void error(std::string_view code, TapeIndex i, std::string message, std::string hint = {});
    void errorAt(std::string_view code, std::string where, std::string message, std::string hint = {});

    /// False and MPG-106 when the value has another type.
    bool expect(TapeIndex i, JsonType type);
    /// Positions of the known members (0 = absent). Unknown ones go to `unknown` with warning
    /// MPG-108, or are errors under Refuse. A member that is null counts as given.
    template <std::size_t N>
    std::array<TapeIndex, N> members(TapeIndex object, const std::array<std::string_view, N>& known,
                                     UnknownMembers* unknown, Unknown rule = Unknown::Keep) {
        std::array<TapeIndex, N> found{};
        collect(object, known, found, unknown, rule);
        return found;
    }
    /// MPG-105 for each name whose position is 0; true when all are there.
    bool require(TapeIndex object, std::initializer_list<std::pair<std::string_view, TapeIndex>> fields);

    struct TextRule {
        std::size_t min = 0, max = 0;  ///< bytes
        bool isId = false;             ///< no control characters (MPG-109)
    };
    [[nodiscard]] std::optional<std::string> string(TapeIndex i, TextRule rule);
    [[nodiscard]] std::optional<std::int64_t> integer(TapeIndex i);
    [[nodiscard]] std::optional<std::int64_t> integer(TapeIndex i, std::int64_t min, std::int64_t max);
    [[nodiscard]] std::optional<bool> boolean(TapeIndex i);
    /// Array of strings, each checked by `rule`; wrong entries are left out after their error.
    [[nodiscard]] std::vector<std::string> strings(TapeIndex i, TextRule rule);
    [[nodiscard]] Origin origin(TapeIndex i);

private:
    void collect(TapeIndex object, std::span<const std::string_view> known, std::span<TapeIndex> found,
                 UnknownMembers* unknown, Unknown rule);

    Place place_;
    Diagnostics& findings_;
};

inline constexpr FieldReader::TextRule kIdRule{1, 256, true};
inline constexpr std::int64_t kMaxExtent = 2'147'483'647;

void readTensor(FieldReader& in, RawGraph& out);
void readOp(FieldReader& in, RawGraph& out);
void readGroup(FieldReader& in, RawGraph& out);
/// One hint object (hints.md 1), also used for hint files.
[[nodiscard]] std::optional<Hint> readHint(FieldReader& in, TapeIndex object);
/// Every top-level member but the four long arrays. `key` is the member's name.
void readTopMember(std::string_view key, FieldReader& in, RawGraph& out);

/// `[A-Za-z_][A-Za-z0-9_.]*`, at most 64 bytes
[[nodiscard]] bool isSymbolName(std::string_view s);
/// True when the text holds U+0000..U+001F or a bidirectional control (MPG-109).
[[nodiscard]] bool hasControls(std::string_view s);

}  // namespace memplan::io

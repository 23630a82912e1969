// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/pass_log.h"

#include "engine/base/text.h"
#include "engine/spyre/import/records/side_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

namespace memplan::io {

namespace {

constexpr std::string_view kBefore = "BEFORE PRE-SCHEDULING";
constexpr std::string_view kAfter = "AFTER PRE-SCHEDULING";
constexpr std::string_view kStamped = "coarse_tile: stamped ";
constexpr std::string_view kPropagated = "coarse_tile: propagated ";
constexpr std::string_view kPool = "memory_planning: ";
constexpr std::array<std::string_view, 8> kKeys = {"layout",     "allocation",     "op_it_space_splits",
                                                   "dim_hints",  "loop_info",      "loop_group_id",
                                                   "loop_count", "loop_tiled_dims"};
constexpr std::size_t kMostText = 4096;  ///< bytes of a node's text that are kept
constexpr const char* kFix = "take a whole log, written with SPYRE_INDUCTOR_LOG=1";

bool contains(std::string_view s, std::string_view what) {
    return s.find(what) != std::string_view::npos;
}

/// "[INFO] [torch_spyre._inductor.passes] message"
bool startsMessage(std::string_view line) {
    for (const std::string_view level : {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}) {
        if (line.size() > level.size() + 2 && line[0] == '[' && line.substr(1, level.size()) == level &&
            line.substr(level.size() + 1, 1) == "]")
            return true;
    }
    return false;
}

bool isName(std::string_view s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
        return c == '_' || c == '.' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    });
}

/// "buf0: ComputedBuffer" at the first column.
std::optional<std::pair<std::string, std::string>> blockHead(std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || !isName(line.substr(0, colon))) return std::nullopt;
    const std::string_view kind = trimmed(line.substr(colon + 2));
    if (!isName(kind)) return std::nullopt;
    return std::pair(std::string(line.substr(0, colon)), std::string(kind));
}

class PassLogReader {
public:
    PassLogReader(std::string_view text, const RunControl& control) : lines_(text), control_(control) {}

    Result<SideDocument> run() {
        document_.kind = SideKind::PassLog;
        while (const auto line = lines_.next()) {
            if ((lines_.number() & 1023) == 0 && control_.shouldStop())
                return makeError(kCancelledCode, "", "reading was cancelled");
            if (contains(*line, kBefore) || contains(*line, kAfter)) {
                const bool isAfter = contains(*line, kAfter);
                if (auto read = listing(isAfter); !read) return read.error();
            } else {
                message(*line);
            }
        }
        document_.ops = after_.empty() ? std::move(before_) : std::move(after_);
        addMessages();
        if (document_.ops.empty()) {
            return sideError(listings_ > 0 ? place(1) : "1:1",
                             listings_ > 0 ? "the listing of the log names no operation"
                                           : "the log holds no listing of operations (BEFORE or AFTER PRE-SCHEDULING)",
                             "log with SPYRE_INDUCTOR_LOG=1 and SPYRE_INDUCTOR_LOG_LEVEL=DEBUG");
        }
        document_.facts.push_back(textFact("listing", isAfter_ ? "after pre-scheduling" : "before pre-scheduling"));
        return std::move(document_);
    }

private:
    [[nodiscard]] std::string place(std::size_t column) const {
        return std::to_string(std::max(lines_.number(), 1)) + ":" + std::to_string(column);
    }

    /// Blocks up to the next message. A later listing of the same kind takes the place of an earlier one.
    Result<void> listing(bool isAfter) {
        ++listings_;
        std::vector<SideOp> ops;
        while (const auto line = lines_.peek()) {
            if (startsMessage(*line) || contains(*line, kBefore) || contains(*line, kAfter)) break;
            (void)lines_.next();
            if (const auto head = blockHead(*line)) {
                SideOp op;
                op.name = head->first;
                op.isComputed = head->second == "ComputedBuffer" || head->second == "SchedulerNode";
                op.facts.push_back(textFact("class", head->second));
                ops.push_back(std::move(op));
            } else if (!trimmed(*line).empty() && !ops.empty()) {
                if (auto read = property(*line, ops.back()); !read) return read;
            }
        }
        (isAfter ? after_ : before_) = std::move(ops);
        isAfter_ = isAfter_ || isAfter;
        return {};
    }

    Result<void> property(std::string_view line, SideOp& op) {
        const std::string_view content = trimmed(line);
        const std::size_t equals = content.find('=');
        const auto key = std::find(kKeys.begin(), kKeys.end(), content.substr(0, std::min(equals, content.size())));
        if (equals == std::string_view::npos || key == kKeys.end()) {
            keepText(content, op);
            return {};
        }
        const int number = lines_.number();
        const std::size_t column = static_cast<std::size_t>(content.data() - line.data()) + 1;
        std::string value(content.substr(equals + 1));
        int open = openBrackets(value);
        while (open > 0) {
            const auto more = lines_.peek();
            if (!more || startsMessage(*more)) {
                return sideError(
                    std::to_string(number) + ":" + std::to_string(column),
                    "the value of \"" + std::string(*key) + "\" of " + text::quoted(op.name) + " is not closed", kFix);
            }
            (void)lines_.next();
            value += " " + std::string(trimmed(*more));
            open += openBrackets(*more);
        }
        if (open < 0) {
            return sideError(std::to_string(number) + ":" + std::to_string(column),
                             "the value of \"" + std::string(*key) + "\" of " + text::quoted(op.name) +
                                 " closes a bracket that it does not open",
                             kFix);
        }
        addFact(op.facts, textFact(std::string(*key), std::string(trimmed(value))));
        return {};
    }

    /// The data node: everything that bears no known key.
    static void keepText(std::string_view line, SideOp& op) {
        auto it = std::find_if(op.facts.begin(), op.facts.end(), [](const SideFact& f) { return f.key == "node"; });
        if (it == op.facts.end()) {
            op.facts.push_back(textFact("node", std::string(line.substr(0, kMostText))));
        } else if (it->text.size() < kMostText) {
            it->text += " " + std::string(line.substr(0, kMostText - it->text.size()));
        }
    }

    /// Messages about one operation: name of it and what is said.
    void message(std::string_view line) {
        const auto behind = [&](std::string_view head) -> std::optional<std::string_view> {
            const std::size_t at = line.find(head);
            return at == std::string_view::npos ? std::nullopt : std::optional(line.substr(at + head.size()));
        };
        const auto note = [&](std::string_view rest, const char* key) {
            const std::size_t end = rest.find(' ');
            if (end == std::string_view::npos || !isName(rest.substr(0, end))) return;
            said_.push_back({std::string(rest.substr(0, end)), textFact(key, std::string(trimmed(rest.substr(end))))});
        };
        if (const auto stamped = behind(kStamped)) note(*stamped, "stamped");
        if (const auto propagated = behind(kPropagated)) note(*propagated, "propagated");
        if (const auto pool = behind(kPool)) note(*pool, "memory_planning");
    }

    void addMessages() {
        std::unordered_map<std::string, std::size_t> positions;
        for (std::size_t i = 0; i < document_.ops.size(); ++i)
            positions.emplace(document_.ops[i].name, i);
        for (auto& [name, fact] : said_) {
            const auto [it, isNew] = positions.try_emplace(name, document_.ops.size());
            if (!isNew) {
                addFact(document_.ops[it->second].facts, std::move(fact));
                continue;
            }
            SideOp op;
            op.name = name;
            op.isComputed = false;  // known by name alone, it must not take part in an order
            op.facts.push_back(std::move(fact));
            document_.ops.push_back(std::move(op));
        }
    }

    TextLines lines_;
    const RunControl& control_;
    SideDocument document_;
    std::vector<SideOp> before_, after_;
    std::vector<std::pair<std::string, SideFact>> said_;
    int listings_ = 0;
    bool isAfter_ = false;
};

}  // namespace

bool looksLikePassLog(std::string_view text) {
    for (const std::string_view word : {kBefore, kAfter, kStamped, kPropagated, kPool}) {
        if (contains(text, word)) return true;
    }
    return startsMessage(text.substr(0, text.find('\n')));
}

Result<SideDocument> readPassLog(std::string_view text, const RunControl& control) {
    return PassLogReader(text, control).run();
}

}  // namespace memplan::io

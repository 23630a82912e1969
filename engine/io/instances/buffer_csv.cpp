// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/instances/buffer_overlap.h"
#include "engine/io/instances/instances.h"
#include "engine/json/json_sax.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace memplan::io {

namespace {

using solve::Item;

constexpr std::size_t kMaxLine = 1 << 20;

enum class Column { Id, Lower, Upper, Size, Alignment, Gaps, Offset, Hint, Extra };

struct ColumnName {
    std::string_view name;
    Column column;
    bool included = false;  ///< the end time belongs to the lifetime
};

constexpr std::array kNames = {
    ColumnName{"id", Column::Id},        ColumnName{"buffer", Column::Id},
    ColumnName{"buffer_id", Column::Id}, ColumnName{"lower", Column::Lower},
    ColumnName{"begin", Column::Lower},  ColumnName{"start", Column::Lower},
    ColumnName{"upper", Column::Upper},  ColumnName{"end", Column::Upper, true},
    ColumnName{"size", Column::Size},    ColumnName{"alignment", Column::Alignment},
    ColumnName{"gaps", Column::Gaps},    ColumnName{"offset", Column::Offset},
    ColumnName{"hint", Column::Hint},
};

struct Cell {
    std::string_view text;
    std::size_t column = 1;  ///< 1-based byte column in its line
};

std::vector<Cell> cellsOf(std::string_view line) {
    std::vector<Cell> cells;
    std::size_t begin = 0;
    while (true) {
        const std::size_t comma = line.find(',', begin);
        const std::size_t end = comma == std::string_view::npos ? line.size() : comma;
        cells.push_back({line.substr(begin, end - begin), begin + 1});
        if (comma == std::string_view::npos) return cells;
        begin = comma + 1;
    }
}

std::string_view trimmed(std::string_view s) {
    const std::size_t b = s.find_first_not_of(" \t");
    if (b == std::string_view::npos) return {};
    return s.substr(b, s.find_last_not_of(" \t") - b + 1);
}

class Reader {
public:
    Reader(std::string_view bytes, const Limits& limits, const RunControl& control)
        : rest_(bytes), limits_(limits), control_(control) {
        if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
    }

    Result<BufferList> run() {
        list_.problem.alignment = 1;
        const auto header = nextLine();
        if (!header || trimmed(*header).empty()) {
            error("CSV-001", 1, "the header line is missing", "the first line names the columns: id,lower,upper,size");
        } else {
            readHeader(*header);
        }
        while (!failed() && readRow()) {
        }
        if (findings_.hasErrors()) return Error(findings_.list());
        findOverlaps();
        list_.diagnostics = findings_.list();
        return std::move(list_);
    }

private:
    [[nodiscard]] bool failed() const { return stop_ || findings_.errorCount() >= Diagnostics::kKept; }

    void error(const char* code, std::size_t column, std::string message, std::string hint = {}) {
        findings_.error(code, std::to_string(line_) + ":" + std::to_string(column), std::move(message),
                        std::move(hint));
    }

    std::optional<std::string_view> nextLine() {
        if (rest_.empty()) return std::nullopt;
        ++line_;
        const std::size_t lf = rest_.find('\n');
        std::string_view line = rest_.substr(0, lf);
        rest_.remove_prefix(lf == std::string_view::npos ? rest_.size() : lf + 1);
        if (line.size() > kMaxLine) {
            error("CSV-013", kMaxLine, "the line is longer than 1 MiB", "a buffer list has one short line per buffer");
            stop_ = true;
            return std::nullopt;
        }
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        // Names would come out of here as other ones than went in, two of them perhaps as the same.
        if (const std::size_t bad = firstInvalidUtf8(line); bad != std::string_view::npos) {
            error("CSV-014", bad + 1,
                  "the byte " + text::escaped(line.substr(bad, 1)) + (line[bad] == 0 ? " is no text" : " is no UTF-8"),
                  "save the list as UTF-8");
        }
        return line;
    }

    void readHeader(std::string_view header) {
        std::array<bool, 8> given{};
        for (const Cell& cell : cellsOf(header)) {
            const std::string_view name = trimmed(cell.text);
            const auto known =
                std::find_if(kNames.begin(), kNames.end(), [name](const ColumnName& n) { return n.name == name; });
            if (known == kNames.end()) {
                addExtra(cell, name);
                continue;
            }
            auto& seen = given[static_cast<std::size_t>(known->column)];
            if (seen)
                error("CSV-002", cell.column, "the column \"" + std::string(name) + "\" stands for one given already",
                      "remove one of the two");
            seen = true;
            columns_.push_back(known->column);
            endIsIncluded_ = endIsIncluded_ || known->included;
        }
        constexpr std::array<std::string_view, 4> kRequired = {"id", "lower", "upper", "size"};
        for (std::size_t i = 0; i < kRequired.size(); ++i) {
            if (!given[i])
                error("CSV-001", 1, "the column \"" + std::string(kRequired[i]) + "\" is missing",
                      "add it to the header");
        }
        hasHints_ = given[static_cast<std::size_t>(Column::Hint)];
        stop_ = findings_.hasErrors();
    }

    void addExtra(const Cell& cell, std::string_view name) {
        const auto same = [name](const ExtraColumn& e) { return e.name == name; };
        if (std::any_of(list_.extra.begin(), list_.extra.end(), same)) {
            error("CSV-002", cell.column, "the column " + text::quoted(name) + " is given twice",
                  "remove one of the two");
        }
        columns_.push_back(Column::Extra);
        list_.extra.push_back({std::string(name), {}});
        findings_.warning("CSV-010", "1:" + std::to_string(cell.column),
                          "unknown column " + text::quoted(name) + ", kept and written back");
    }

    bool readRow() {
        const auto line = nextLine();
        if (!line) return false;
        if (trimmed(*line).empty()) {
            const std::size_t more = rest_.find_first_not_of(" \t\r\n");
            if (more != std::string_view::npos) {
                findings_.warning("CSV-009", std::to_string(line_) + ":1",
                                  "an empty line ends the data; more lines follow", "remove the empty line");
            }
            return false;
        }
        constexpr std::size_t kRowsPerPoll = 4096;
        if (list_.problem.items.size() % kRowsPerPoll == 0 && control_.shouldStop()) {
            findings_.error(kCancelledCode, {}, "reading was cancelled");
            return false;
        }
        if (static_cast<std::int64_t>(list_.problem.items.size()) >= limits_.csvRows) {
            error("CSV-012", 1, "more than " + text::grouped(limits_.csvRows) + " rows", "raise limits.csv_rows");
            return false;
        }
        readCells(cellsOf(*line));
        return true;
    }

    void readCells(const std::vector<Cell>& cells) {
        if (cells.size() != columns_.size()) {
            error("CSV-003", 1,
                  std::to_string(cells.size()) + " fields, the header has " + std::to_string(columns_.size()) +
                      " columns",
                  "fields are separated by commas without quoting");
            return;
        }
        Item item;
        item.alignment = 1;
        std::optional<Address> hint;
        Cell gaps, id, upper;
        std::size_t extra = 0;
        std::optional<std::int64_t> lower, end;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Cell& c = cells[i];
            switch (columns_[i]) {
            case Column::Id:
                id = c;
                item.name = c.text;
                break;
            case Column::Lower:
                lower = time(c);
                break;
            case Column::Upper:
                end = time(c);
                upper = c;
                break;
            case Column::Size:
                item.size = atLeastOne(c, "size");
                break;
            case Column::Alignment:
                if (!trimmed(c.text).empty()) item.alignment = atLeastOne(c, "alignment");
                break;
            case Column::Gaps:
                gaps = c;
                break;
            case Column::Offset:
                if (!trimmed(c.text).empty()) item.givenAddress = integer(c);
                break;
            case Column::Hint:
                if (!trimmed(c.text).empty()) hint = integer(c);
                if (hint && *hint < 0) hint.reset();
                break;
            case Column::Extra:
                list_.extra[extra++].cells.emplace_back(c.text);
                break;
            }
        }
        if (lower && end) {
            setLife(static_cast<Step>(*lower), static_cast<Step>(*end + (endIsIncluded_ ? 1 : 0)), upper.column, item);
            readGaps(gaps, item);
        }
        if (!ids_.insert(item.name).second) {
            error("CSV-007", id.column, "the id " + text::quoted(item.name) + " is given twice",
                  "rename one of the two");
        }
        list_.problem.items.push_back(std::move(item));
        if (hasHints_) list_.hints.push_back(hint);
    }

    void setLife(Step start, Step end, std::size_t column, Item& item) {
        item.start = start;
        item.end = end;
        if (end > start) return;
        error("CSV-005", column,
              "buffer " + text::quoted(item.name) + " ends at " + text::number(end) + ", not after its first time " +
                  text::number(start),
              "give an end after the first time");
    }

    std::optional<std::int64_t> integer(const Cell& c) {
        const auto v = text::parseInt(trimmed(c.text));
        if (!v) {
            error("CSV-004", c.column, text::quoted(c.text.substr(0, 40)) + " is no integer of 64 bits",
                  "write a whole number in digits");
        }
        return v;
    }

    /// Times are op positions and fit 32 bits in this program.
    std::optional<std::int64_t> time(const Cell& c) {
        const auto v = integer(c);
        if (!v || (*v > INT32_MIN && *v < INT32_MAX)) return v;
        error("CSV-004", c.column, "the time " + text::grouped(*v) + " does not fit 32 bits",
              "number the times from 0");
        return std::nullopt;
    }

    std::int64_t atLeastOne(const Cell& c, std::string_view what) {
        const auto v = integer(c);
        if (v && *v < 1)
            error("CSV-006", c.column, "the " + std::string(what) + " " + text::grouped(*v) + " is below 1");
        return v.value_or(1);
    }

    void readGaps(const Cell& cell, Item& item) {
        std::size_t at = 0;
        while ((at = cell.text.find_first_not_of(' ', at)) != std::string_view::npos) {
            const std::size_t end = std::min(cell.text.find(' ', at), cell.text.size());
            readGap({cell.text.substr(at, end - at), cell.column + at}, item);
            at = end;
        }
    }

    void readGap(const Cell& cell, Item& item) {
        const std::size_t window = cell.text.find('@');
        const auto times = pairOf(cell.text.substr(0, window), '-');
        auto gap = Item::Gap{};
        bool well = times.has_value();
        if (well) {
            gap.from = static_cast<Step>(times->first);
            gap.to = static_cast<Step>(times->second + (endIsIncluded_ ? 1 : 0));
            well = gap.from >= item.start && gap.from < gap.to && gap.to <= item.end;
        }
        if (well && window != std::string_view::npos) {
            const auto bytes = pairOf(cell.text.substr(window + 1), ':');
            well = bytes && bytes->first <= bytes->second && bytes->second <= item.size;
            if (well) gap.lo = bytes->first, gap.hi = bytes->second;
        }
        for (const Item::Gap& other : item.gaps)
            well = well && (gap.to <= other.from || other.to <= gap.from);
        if (!well) {
            error("CSV-008", cell.column,
                  "the gap " + text::quoted(cell.text.substr(0, 60)) +
                      " is malformed, outside the lifetime or the size, or overlaps another",
                  "write FROM-TO or FROM-TO@LO:HI inside the lifetime");
            return;
        }
        item.gaps.push_back(gap);
    }

    static std::optional<std::pair<std::int64_t, std::int64_t>> pairOf(std::string_view s, char separator) {
        const std::size_t at = s.find(separator, 1);
        if (at == std::string_view::npos) return std::nullopt;
        const auto a = text::parseInt(s.substr(0, at));
        const auto b = text::parseInt(s.substr(at + 1));
        if (!a || !b || *a < 0 || *b < 0) return std::nullopt;
        if (separator == '-' && (*a >= INT32_MAX || *b >= INT32_MAX)) return std::nullopt;
        return std::pair{*a, *b};
    }

    void findOverlaps() {
        constexpr std::size_t kListed = 10;
        for (const GivenOverlap& o : overlapsOfGivenOffsets(list_.problem, kListed)) {
            const auto& items = list_.problem.items;
            findings_.warning("CSV-011", std::to_string(o.second + 2) + ":1",
                              text::quoted(items[o.first].name) + " and " + text::quoted(items[o.second].name) +
                                  " overlap in bytes [" + text::grouped(o.bytes.begin) + ", " +
                                  text::grouped(o.bytes.end) + ") of the given offsets",
                              "the offsets are shown and never trusted");
        }
    }

    std::string_view rest_;
    const Limits& limits_;
    const RunControl& control_;
    std::size_t line_ = 0;
    bool stop_ = false;
    bool endIsIncluded_ = false;
    bool hasHints_ = false;
    std::vector<Column> columns_;
    std::unordered_set<std::string> ids_;
    Diagnostics findings_;
    BufferList list_;
};

}  // namespace

Result<BufferList> readBufferCsv(std::string_view bytes, const Limits& limits, const RunControl& control) {
    if (bytes.empty()) return makeError("CSV-001", "1:1", "the file is empty", "the first line names the columns");
    if (static_cast<std::int64_t>(bytes.size()) > limits.csvBytes) {
        return makeError("CSV-012", {},
                         "the file has " + text::grouped(static_cast<std::int64_t>(bytes.size())) +
                             " bytes, the limit is " + text::grouped(limits.csvBytes),
                         "raise limits.csv_bytes");
    }
    return Reader(bytes, limits, control).run();
}

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/cost_dump.h"

#include "engine/base/text.h"
#include "engine/spyre/import/records/side_text.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::io {

namespace {

constexpr std::string_view kTitle = "Cost model features + prediction";
constexpr std::string_view kFailed = "[SPYRE_DUMP_COST] failed:";
constexpr std::string_view kReport = "predicted total:";
constexpr const char* kFix = "take a whole file of SPYRE_DUMP_COST_FILE, written with SPYRE_DUMP_COST=1";

bool contains(std::string_view s, std::string_view what) {
    return s.find(what) != std::string_view::npos;
}

std::size_t indentOf(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

/// Takes a line apart from its front; fails for good at the first thing that is not as expected.
class Scanner {
public:
    explicit Scanner(std::string_view line) : line_(line) {}

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::size_t column() const { return at_ + 1; }
    [[nodiscard]] bool atEnd() const { return at_ >= line_.size(); }
    [[nodiscard]] std::string_view rest() const { return trimmed(line_.substr(std::min(at_, line_.size()))); }

    void blanks() {
        while (at_ < line_.size() && line_[at_] == ' ')
            ++at_;
    }
    bool take(std::string_view word) {
        blanks();
        if (!ok_ || line_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }
    void expect(std::string_view word) { ok_ = take(word) && ok_; }
    std::string word() {
        blanks();
        const std::size_t end = std::min(line_.find(' ', at_), line_.size());
        if (end == at_) ok_ = false;
        std::string w(line_.substr(at_, end - at_));
        at_ = end;
        return w;
    }
    /// Digits, with commas between groups or without.
    std::int64_t number() {
        blanks();
        std::string digits;
        for (; at_ < line_.size() && (line_[at_] == ',' || (line_[at_] >= '0' && line_[at_] <= '9')); ++at_) {
            if (line_[at_] != ',') digits += line_[at_];
        }
        const auto value = text::parseInt(digits);
        if (!value) ok_ = false;
        return value.value_or(0);
    }
    /// Up to the bracket that closes the one that is opened here.
    std::string bracketed() {
        blanks();
        const std::size_t end = at_ < line_.size() && line_[at_] == '[' ? line_.find(']', at_) : std::string_view::npos;
        if (end == std::string_view::npos) {
            ok_ = false;
            return {};
        }
        std::string out(line_.substr(at_, end - at_ + 1));
        at_ = end + 1;
        return out;
    }

private:
    std::string_view line_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

class CostDumpReader {
public:
    CostDumpReader(std::string_view text, const RunControl& control) : lines_(text), control_(control) {}

    Result<SideDocument> run() {
        document_.kind = SideKind::CostDump;
        while (const auto line = lines_.next()) {
            if ((lines_.number() & 1023) == 0 && control_.shouldStop())
                return makeError(kCancelledCode, "", "reading was cancelled");
            if (auto read = one(*line); !read) return read.error();
        }
        if (!document_.ops.empty() || !document_.kernels.empty()) return std::move(document_);
        if (!failure_.empty())
            return sideError(failureAt_, "the dump says that it failed: " + failure_, "dump the cost model again");
        return sideError("1:1", "the file holds no record of the cost model", kFix);
    }

private:
    enum class Part { Outside, Features, Prediction, Report };

    Error damaged(std::string_view what, std::size_t column) const {
        return sideError(std::to_string(lines_.number()) + ":" + std::to_string(column),
                         "the " + std::string(what) + " is damaged", kFix);
    }

    Result<void> one(std::string_view line) {
        if (line.starts_with(kFailed)) {
            failure_ = text::escaped(trimmed(line.substr(kFailed.size())));
            failureAt_ = std::to_string(lines_.number()) + ":1";
            part_ = Part::Outside;
        } else if (contains(line, kTitle)) {
            part_ = Part::Features;
        } else if (trimmed(line).starts_with(kReport)) {
            part_ = Part::Report;
            addFact(document_.facts,
                    textFact("predicted_total", text::escaped(trimmed(trimmed(line).substr(kReport.size())))));
        } else if (part_ == Part::Features && trimmed(line).starts_with("-- prediction")) {
            part_ = Part::Prediction;
            predict(trimmed(line));
        } else if (line.starts_with("====") || trimmed(line).empty()) {
            return {};
        } else if (part_ == Part::Features) {
            return feature(line);
        } else if (part_ == Part::Prediction) {
            if (indentOf(line) == 0) {
                part_ = Part::Outside;
            } else {
                predict(trimmed(line));
            }
        } else if (part_ == Part::Report) {
            reportRow(line);
        }
        return {};
    }

    Result<void> feature(std::string_view line) {
        const std::size_t indent = indentOf(line);
        if (indent == 2 && contains(line, " read=")) return op(line);
        if (indent == 6 && contains(line, "elems x")) return tensor(line);
        if (indent == 0) {
            part_ = Part::Outside;  // the log goes on
            return {};
        }
        // What looks like a part of a record and is none of its lines was cut off or changed.
        const bool isPiece = indent == 2 || indent == 6;
        return isPiece
                   ? Result<void>(damaged(indent == 2 ? "record of an operation" : "record of a tensor", indent + 1))
                   : Result<void>();
    }

    Result<void> op(std::string_view line) {
        Scanner s(line);
        SideOp op;
        op.name = s.word();
        for (const auto& [word, key] :
             {std::pair("read=", "read_bytes"), {"write=", "write_bytes"}, {"lx=", "lx_bytes"}}) {
            s.expect(word);
            op.facts.push_back(numberFact(key, s.number()));
            s.expect("B");
        }
        if (s.take("loop_trip=")) op.facts.push_back(numberFact("loop_trip", s.number()));
        s.blanks();
        if (s.ok() && !s.atEnd()) op.facts.push_back(textFact("pattern", s.bracketed()));
        if (!s.ok() || !s.rest().empty()) return damaged("record of an operation", s.column());
        const auto [it, isNew] = positions_.try_emplace(op.name, document_.ops.size());
        if (isNew) document_.ops.emplace_back();
        current_ = it->second;
        document_.ops[current_] = std::move(op);
        return {};
    }

    Result<void> tensor(std::string_view line) {
        if (document_.ops.empty()) return damaged("record of a tensor, which has no operation,", indentOf(line) + 1);
        Scanner s(line);
        SideTensor t;
        t.facts.push_back(textFact("role", s.word()));
        t.name = s.word();
        if (s.take("torch")) {
            t.facts.push_back(textFact("torch_size", s.bracketed()));
            s.expect("->");
        }
        s.expect("device");
        t.facts.push_back(textFact("device_size", s.bracketed()));
        s.expect("in");
        const std::string where = s.word();
        t.facts.push_back(textFact("residency", where));
        s.expect("|");
        t.facts.push_back(numberFact("elements", s.number()));
        s.expect("elems x");
        t.facts.push_back(numberFact("bytes_per_element", s.number()));
        s.expect("B =");
        t.facts.push_back(numberFact("bytes", s.number()));
        s.expect("B (hbm counted:");
        t.facts.push_back(numberFact("hbm_counted_bytes", s.number()));
        s.expect("B)");
        if (s.take("xL=")) t.facts.push_back(textFact("loop_factor", s.word()));
        if (s.take("broadcast (loaded once)")) t.facts.push_back(textFact("broadcast", "loaded once"));
        const bool isKnownPlace = where == "HBM" || where == "LX";
        if (!s.ok() || !isKnownPlace || !s.rest().empty()) return damaged("record of a tensor", s.column());
        document_.ops[current_].tensors.push_back(std::move(t));
        return {};
    }

    void predict(std::string_view line) {
        const std::size_t begin = line.find_first_not_of("- ");
        if (begin == std::string_view::npos) return;
        const std::size_t end = line.find_last_not_of("- ");
        constexpr std::size_t kMostText = 4096;
        if (predictions_.size() > kMostText) return;
        predictions_ += predictions_.empty() ? "" : "; ";
        predictions_ += text::escaped(line.substr(begin, end - begin + 1));
        auto it = std::find_if(document_.facts.begin(), document_.facts.end(),
                               [](const SideFact& f) { return f.key == "prediction"; });
        if (it == document_.facts.end()) it = document_.facts.insert(it, textFact("prediction", ""));
        it->text = predictions_;
    }

    /// "sdsc_fused_add_0    12.3    2": kernel, microseconds, ops. Heads and rules of the table are passed over.
    void reportRow(std::string_view line) {
        std::vector<std::string> words;
        for (std::string& w : text::split(trimmed(line), ' ')) {
            if (!w.empty()) words.push_back(std::move(w));
        }
        if (words.size() != 3) return;
        const auto us = text::parseDouble(words[1]);
        const auto ops = text::parseInt(words[2]);
        if (!us || !ops) return;
        SideKernel kernel;
        kernel.name = words[0];
        kernel.facts.push_back(textFact("predicted_us", text::number(*us)));
        kernel.facts.push_back(numberFact("ops", *ops));
        document_.kernels.push_back(std::move(kernel));
    }

    TextLines lines_;
    const RunControl& control_;
    SideDocument document_;
    std::unordered_map<std::string, std::size_t> positions_;  ///< by name
    std::size_t current_ = 0;                                 ///< op whose tensors follow
    Part part_ = Part::Outside;
    std::string failure_, failureAt_, predictions_;
};

}  // namespace

bool looksLikeCostDump(std::string_view text) {
    return contains(text, kTitle) || contains(text, kFailed) || contains(text, kReport);
}

Result<SideDocument> readCostDump(std::string_view text, const RunControl& control) {
    return CostDumpReader(text, control).run();
}

}  // namespace memplan::io

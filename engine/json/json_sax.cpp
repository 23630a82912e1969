// SPDX-License-Identifier: Apache-2.0
#include "engine/json/json_sax.h"

#include "engine/base/text.h"
#include "engine/json/json_frames.h"
#include "engine/json/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>

namespace memplan::io {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kUtf8Bom = "\xEF\xBB\xBF";

/// A byte iterator that publishes how far the parser has read, for progress.
class TrackedByte {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    TrackedByte(const char* p, const char** reached) : p_(p), reached_(reached) {}
    reference operator*() const { return *p_; }
    TrackedByte& operator++() {
        *reached_ = ++p_;
        return *this;
    }
    friend bool operator==(const TrackedByte& a, const TrackedByte& b) { return a.p_ == b.p_; }

private:
    const char* p_;
    const char** reached_;
};

class Handler final : public nlohmann::json_sax<json> {
public:
    Handler(std::string_view bytes, const JsonCodes& codes, const Limits& limits, const RunControl& control)
        : bytes_(bytes), codes_(codes), limits_(limits), control_(control), reached_(bytes.data()),
          begun_(Clock::now()) {}

    void setSink(JsonSink* sink) { sink_ = sink; }
    [[nodiscard]] const char** reached() { return &reached_; }
    [[nodiscard]] std::vector<Diagnostic> takeErrors() { return std::move(errors_); }
    [[nodiscard]] Tape takeTape() { return std::move(tape_); }
    void reserveText(std::size_t bytes) { tape_.reserveText(bytes); }

    bool null() override {
        if (!beginValue()) return false;
        if (!discard_) tape_.addNull();
        return endValue();
    }
    bool boolean(bool v) override {
        if (!beginValue()) return false;
        if (!discard_) tape_.addBool(v);
        return endValue();
    }
    bool number_integer(number_integer_t v) override { return addInteger(v); }
    bool number_unsigned(number_unsigned_t v) override {
        if (v <= static_cast<std::uint64_t>(INT64_MAX)) return addInteger(static_cast<std::int64_t>(v));
        const bool go = addInteger(0);
        outOfRange(std::to_string(v));
        return go;
    }
    bool number_float(number_float_t v, const string_t& asWritten) override {
        if (!beginValue()) return false;
        // An integer beyond 64 bits arrives here as a double (inputs-and-interchange 2.8).
        if (asWritten.find_first_of(".eE") == std::string::npos) outOfRange(asWritten);
        if (!discard_) tape_.addReal(v, asWritten);
        return endValue();
    }
    bool string(string_t& v) override {
        if (!beginValue()) return false;
        if (!discard_) tape_.addString(v);
        return endValue();
    }
    bool binary(binary_t&) override { return false; }

    bool key(string_t& k) override {
        if (!frames_.addKey(k)) {
            error(codes_.duplicateKey, frames_.pointer(frames_.depth()),
                  "the key " + text::quoted(k) + " is given twice", "remove one of the two");
        }
        if (frames_.depth() == 1) topKey_ = k;
        if (!discard_ && frames_.depth() > pieceDepth()) tape_.setKey(k);
        return true;
    }

    bool start_object(std::size_t) override { return startContainer(JsonType::Object); }
    bool end_object() override { return endContainer(); }
    bool start_array(std::size_t) override { return startContainer(JsonType::Array); }
    bool end_array() override { return endContainer(); }

    bool parse_error(std::size_t position, const std::string& lastToken, const json::exception& e) override {
        constexpr int kNumberOverflow = 406;
        if (e.id == kNumberOverflow) {
            // The parser stops before the value is reported, so its place is not counted yet.
            if (frames_.depth() > 0) ++frames_.top().count;
            outOfRange(lastToken);
        } else {
            syntaxError(position, lastToken);
        }
        return false;
    }

private:
    /// Depth at which a value is handed over as a piece of its own; without a sink the whole
    /// document is the piece.
    [[nodiscard]] std::size_t pieceDepth() const { return sink_ == nullptr ? 0 : (inEntries_ ? 2 : 1); }

    bool addInteger(std::int64_t v) {
        if (!beginValue()) return false;
        if (!discard_) tape_.addInteger(v);
        return endValue();
    }

    bool beginValue() {
        constexpr std::uint32_t kValuesPerPoll = 4096;
        if (++polls_ % kValuesPerPoll == 0 && !poll()) return false;
        if (frames_.depth() > 0) ++frames_.top().count;
        if (frames_.depth() == pieceDepth()) tape_.clear();
        return true;
    }

    /// After a whole value: hands it over when it is a piece.
    bool endValue() {
        if (sink_ == nullptr || discard_) return true;
        if (frames_.depth() == 0) {
            sink_->notAnObject(tape_.type(0));
        } else if (frames_.depth() == pieceDepth()) {
            if (inEntries_) {
                sink_->entry(topKey_, frames_.top().count - 1, tape_);
            } else {
                sink_->member(topKey_, tape_);
            }
        }
        return true;
    }

    bool startContainer(JsonType type) {
        if (!beginValue()) return false;
        if (static_cast<std::int64_t>(frames_.depth()) >= limits_.nesting) return tooDeep();
        const std::size_t depth = frames_.depth();
        if (sink_ != nullptr && depth == 0) {
            discard_ = type != JsonType::Object;
            if (discard_) sink_->notAnObject(type);
        } else if (sink_ != nullptr && depth == 1 && type == JsonType::Array && sink_->wantsEntries(topKey_)) {
            inEntries_ = true;
        } else if (!discard_) {
            tape_.open(type);
        }
        frames_.push(type == JsonType::Object);
        return true;
    }

    bool endContainer() {
        const std::size_t count = frames_.top().count;
        frames_.pop();
        if (discard_ || (sink_ != nullptr && frames_.depth() == 0)) return true;
        if (inEntries_ && frames_.depth() == 1) {
            inEntries_ = false;
            sink_->entriesEnd(topKey_, count);
            return true;
        }
        tape_.close();
        return endValue();
    }

    bool poll() {
        if (control_.shouldStop()) {
            error(kCancelledCode, {}, "reading was cancelled", {});
            return false;
        }
        const std::chrono::duration<double> spent = Clock::now() - begun_;
        if (spent.count() > limits_.importSeconds) {
            error("IN-906", {}, "reading took longer than " + text::number(limits_.importSeconds) + " s",
                  "raise limits.import_seconds");
            return false;
        }
        control_.progress("reading", static_cast<double>(reached_ - bytes_.data()), static_cast<double>(bytes_.size()));
        return true;
    }

    bool tooDeep() {
        error(codes_.nesting, frames_.pointer(frames_.depth() - 1),
              "nested deeper than " + text::grouped(limits_.nesting) + " levels",
              "flatten the value or raise limits.nesting");
        return false;
    }

    void outOfRange(const std::string& asWritten) {
        error(codes_.number, frames_.pointer(frames_.depth()),
              "the number " + shortened(asWritten) + " is out of range",
              "integers fit 64 bits, real numbers fit a double");
    }

    void syntaxError(std::size_t position, const std::string& lastToken) {
        const std::size_t at = std::min(position == 0 ? 0 : position - 1, bytes_.size());
        const std::string_view before = bytes_.substr(0, at);
        const auto line = codes_.firstLine + std::count(before.begin(), before.end(), '\n');
        const std::size_t lineBegin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        const std::string lineText = std::to_string(line);
        const std::string column = std::to_string(at - lineBegin + 1);
        const std::string found = at >= bytes_.size() || (lastToken.empty() && position >= bytes_.size())
                                      ? std::string("the file ends too early")
                                      : "unexpected " + shortened(bytes_.substr(at, 1));
        error(codes_.syntax, lineText + ":" + column,
              "not valid JSON at line " + lineText + ", column " + column + ": " + found,
              "check the commas, quotes and brackets there");
    }

    [[nodiscard]] static std::string shortened(std::string_view s) {
        constexpr std::size_t kShown = 40;
        return s.size() <= kShown ? text::escaped(s) : text::escaped(s.substr(0, kShown)) + "...";
    }

    void error(std::string_view code, std::string where, std::string message, std::string hint) {
        if (errors_.size() >= Diagnostics::kKept) return;
        Diagnostic d;
        d.code = code;
        d.where = std::move(where);
        d.message = std::move(message);
        d.hint = std::move(hint);
        errors_.push_back(std::move(d));
    }

    std::string_view bytes_;
    const JsonCodes& codes_;
    const Limits& limits_;
    const RunControl& control_;
    const char* reached_;
    Clock::time_point begun_;
    JsonSink* sink_ = nullptr;
    Tape tape_;
    FrameStack frames_;
    std::string topKey_;
    bool inEntries_ = false;
    bool discard_ = false;
    std::vector<Diagnostic> errors_;
    std::uint32_t polls_ = 0;
};

/// Stage A: size and encoding.
std::optional<Diagnostic> checkBytes(std::string_view bytes, const JsonCodes& codes, const Limits& limits) {
    Diagnostic d;
    if (bytes.empty()) {
        d.code = codes.empty;
        d.message = "the file is empty";
        d.hint = "choose another file";
        return d;
    }
    if (static_cast<std::int64_t>(bytes.size()) > limits.jsonBytes) {
        d.code = codes.tooLarge;
        d.message = "the file has " + text::grouped(static_cast<std::int64_t>(bytes.size())) + " bytes, the limit is " +
                    text::grouped(limits.jsonBytes);
        d.hint = "raise limits.json_bytes";
        return d;
    }
    const std::size_t bad = firstInvalidUtf8(bytes);
    if (bad == std::string_view::npos) return std::nullopt;
    const bool isUtf16 = bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF";
    d.code = codes.utf8;
    d.message = isUtf16 ? std::string("the file starts with a UTF-16 byte order mark, at byte 0")
                        : "invalid UTF-8 at byte " + text::grouped(static_cast<std::int64_t>(bad));
    d.hint = "save the file as UTF-8";
    return d;
}

void parse(std::string_view bytes, Handler& handler) {
    if (bytes.substr(0, kUtf8Bom.size()) == kUtf8Bom) bytes.remove_prefix(kUtf8Bom.size());
    const TrackedByte begin(bytes.data(), handler.reached());
    const TrackedByte end(bytes.data() + bytes.size(), handler.reached());
    json::sax_parse(begin, end, &handler);
}

}  // namespace

std::size_t firstInvalidUtf8(std::string_view bytes) {
    constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    std::size_t i = 0;
    while (i < bytes.size()) {
        // Eight plain bytes at a time: no high bit and no zero byte.
        while (i + 8 <= bytes.size()) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + i, 8);
            if (((word | (word - kOnes)) & kHighBits) != 0) break;
            i += 8;
        }
        if (i >= bytes.size()) break;
        const auto byte = static_cast<unsigned char>(bytes[i]);
        if (byte == 0) return i;
        if (byte < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = byte >= 0xF0 ? 4 : (byte >= 0xE0 ? 3 : 2);
        if (i + length > bytes.size() || !text::isValidUtf8(bytes.substr(i, length))) return i;
        i += length;
    }
    return std::string_view::npos;
}

std::vector<Diagnostic> streamJson(std::string_view bytes, const JsonCodes& codes, const Limits& limits,
                                   const RunControl& control, JsonSink& sink) {
    if (auto bad = checkBytes(bytes, codes, limits)) return {std::move(*bad)};
    Handler handler(bytes, codes, limits, control);
    handler.setSink(&sink);
    parse(bytes, handler);
    return handler.takeErrors();
}

Result<Tape> readTape(std::string_view bytes, const JsonCodes& codes, const Limits& limits, const RunControl& control) {
    if (auto bad = checkBytes(bytes, codes, limits)) return Error(std::move(*bad));
    Handler handler(bytes, codes, limits, control);
    // Keys and texts are a part of the file; without room they would be copied each time that they double.
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    if (bytes.size() > kLarge) handler.reserveText(bytes.size());
    parse(bytes, handler);
    auto errors = handler.takeErrors();
    if (!errors.empty()) return Error(std::move(errors));
    return handler.takeTape();
}

}  // namespace memplan::io

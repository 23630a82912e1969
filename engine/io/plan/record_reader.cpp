// SPDX-License-Identifier: Apache-2.0
// Reading of an execution record: whatever a file says, the record that comes out refers to what is there. The
// simulation itself reads no files.
#include "engine/io/plan/record_reader.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/json/json_sax.h"
#include "engine/sim/record/record.h"
#include "engine/sim/record/record_text.h"
#include "engine/target/target.h"

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace memplan::io {
namespace {

using sim::ExecutionRecord;
using sim::LinearIndex;
using sim::RecordArg;
using sim::RecordBuffer;
using sim::RecordKernel;
using sim::RecordMemory;
using sim::RecordOp;
using sim::RecordOutput;
using sim::RecordRole;
using sim::RecordStep;
using sim::RecordSymbol;

constexpr std::int64_t kLargest = std::int64_t{1} << 48;  ///< sums of a few stay in 64 bits
constexpr std::int64_t kMostCores = 4096;
constexpr std::int64_t kMostIterations = std::int64_t{1} << 31;
constexpr std::size_t kDeepestLoop = 64;
constexpr std::size_t kMostDimensions = 32;

/// A value of the document.
struct At {
    const Tape* tape;
    TapeIndex index;

    [[nodiscard]] JsonType type() const { return tape->type(index); }
    [[nodiscard]] std::size_t size() const { return tape->count(index); }
    [[nodiscard]] At member(const char* name) const { return {tape, tape->find(index, name)}; }
    /// For short lists: those before it are counted.
    [[nodiscard]] At entry(std::size_t i) const {
        auto it = tape->children(index).begin();
        for (; i > 0; --i)
            ++it;
        return {tape, *it};
    }
};

struct Range {
    std::int64_t min = 0, max = kLargest;
};

class ExecutionReader {
public:
    /// `place`: pointer of the tape's outermost value.
    explicit ExecutionReader(std::string_view place) : place_(place) {}

    Result<ExecutionRecord> run(const At& root) {
        readHead(root);
        // Ops refer to buffers, and buffers to each other: how many there are is known first.
        bufferCount_ = count(root, "buffers");
        opCount_ = count(root, "ops");
        each(root, "buffers", [this](const At& at) { record_.buffers.push_back(readBuffer(at)); });
        each(root, "ops", [this](const At& at) { record_.ops.push_back(readOp(at)); });
        depth_.assign(opCount_, -1);
        if (!error_ && has(root, "steps")) record_.steps = readSteps(root.member("steps"), 0);
        if (!error_ && !has(root, "steps")) fail(root, "the key \"steps\" is missing");
        each(root, "kernels", [this](const At& at) { record_.kernels.push_back(readKernel(at)); });
        each(root, "outputs", [this](const At& at) { record_.outputs.push_back(readOutput(at)); });
        checkAdvances(root);
        if (error_) return *error_;
        return std::move(record_);
    }

private:
    // ---- values --------------------------------------------------------------------------------------

    void fail(const At& at, const std::string& message) {
        if (error_) return;
        error_ = makeError("IN-008", at.tape->pointer(at.index, place_), message,
                           "compile the input again to get a sound plan file");
    }

    [[nodiscard]] static bool has(const At& at, const char* key) { return at.tape->find(at.index, key) != 0; }

    std::size_t count(const At& at, const char* key) { return has(at, key) ? at.member(key).size() : 0; }

    template <class F> void each(const At& at, const char* key, F&& f) {
        if (error_) return;
        if (!has(at, key)) return fail(at, "the key " + text::quoted(key) + " is missing");
        eachEntry(at.member(key), f);
    }

    template <class F> void eachEntry(const At& at, F&& f) {
        if (at.type() != JsonType::Array) return fail(at, "an array is expected");
        for (const TapeIndex entry : at.tape->children(at.index)) {
            if (error_) return;
            f(At{at.tape, entry});
        }
    }

    std::int64_t integerOf(const At& at, Range range) {
        if (at.type() != JsonType::Integer) {
            fail(at, "an integer is expected");
            return range.min;
        }
        const std::int64_t v = at.tape->at(at.index).integer;
        if (v >= range.min && v <= range.max) return v;
        fail(at,
             at.tape->json(at.index) + " is not from " + text::grouped(range.min) + " to " + text::grouped(range.max));
        return range.min;
    }

    std::int64_t integer(const At& at, const char* key, Range range) {
        if (has(at, key)) return integerOf(at.member(key), range);
        fail(at, "the key " + text::quoted(key) + " is missing");
        return range.min;
    }
    std::int64_t integer(const At& at, const char* key, Range range, std::int64_t otherwise) {
        return has(at, key) ? integerOf(at.member(key), range) : otherwise;
    }

    std::string textOf(const At& at) {
        if (at.type() == JsonType::String) return std::string(at.tape->text(at.index));
        fail(at, "a string is expected");
        return {};
    }
    std::string text(const At& at, const char* key) {
        if (has(at, key)) return textOf(at.member(key));
        fail(at, "the key " + text::quoted(key) + " is missing");
        return {};
    }
    std::string optionalText(const At& at, const char* key) { return has(at, key) ? textOf(at.member(key)) : ""; }

    bool flag(const At& at, const char* key, bool otherwise) {
        if (!has(at, key)) return otherwise;
        const At member = at.member(key);
        if (member.type() == JsonType::Bool) return member.tape->at(member.index).boolean;
        fail(member, "a boolean is expected");
        return otherwise;
    }

    std::vector<std::int64_t> integers(const At& at, const char* key, Range range) {
        std::vector<std::int64_t> out;
        each(at, key, [&](const At& entry) { out.push_back(integerOf(entry, range)); });
        return out;
    }
    std::vector<std::int64_t> optionalIntegers(const At& at, const char* key) {
        return has(at, key) ? integers(at, key, {-kLargest, kLargest}) : std::vector<std::int64_t>{};
    }

    /// Positions in a list of `size`.
    std::vector<int> positions(const At& at, const char* key, std::size_t size) {
        std::vector<int> out;
        for (const std::int64_t v : integers(at, key, {0, static_cast<std::int64_t>(size) - 1}))
            out.push_back(static_cast<int>(v));
        return out;
    }

    // ---- parts ---------------------------------------------------------------------------------------

    static std::string onlyExecuted() {
        std::vector<std::string> names;
        for (const Target* target : allTargets()) {
            if (target->info().isExecuted) names.push_back(text::quoted(target->info().id));
        }
        return "only " + text::join(names, ", ") + " plans are executed";
    }

    void readHead(const At& at) {
        if (at.type() != JsonType::Object) return fail(at, "an object is expected");
        record_.target = text(at, "target");
        const Target* target = findTarget(record_.target);
        if (!error_ && (target == nullptr || !target->info().isExecuted)) fail(at.member("target"), onlyExecuted());
        record_.cores = integer(at, "cores", {1, kMostCores});
        record_.lxBytes = integer(at, "lx_bytes", {0, std::int64_t{1} << 32});
        record_.lxCapacity = integer(at, "lx_capacity", {0, std::int64_t{1} << 32});
        record_.alignment = integer(at, "alignment", {1, std::int64_t{1} << 20});
        record_.hasPool = flag(at, "pool", false);
        record_.claimedReadBytes = integer(at, "claimed_read_bytes", {0, INT64_MAX});
        record_.claimedWriteBytes = integer(at, "claimed_write_bytes", {0, INT64_MAX});
    }

    /// Extents of a tensor: few, and their product bounded, so that positions in it are numbers.
    std::vector<std::int64_t> sizes(const At& at, const char* key, std::int64_t min) {
        std::vector<std::int64_t> out = integers(at, key, {min, kLargest});
        std::int64_t product = 1;
        for (const std::int64_t extent : out)
            product = saturatedMul(product, std::max<std::int64_t>(extent, 1));
        if (out.size() > kMostDimensions || product > kLargest) fail(at.member(key), "the tensor is too large");
        return out;
    }

    RecordMemory memory(const At& at) {
        const std::string name = text(at, "mem");
        for (const RecordMemory m : {RecordMemory::Lx, RecordMemory::Hbm, RecordMemory::Pool}) {
            if (sim::recordMemoryName(m) == name) return m;
        }
        fail(at, "unknown memory " + text::quoted(name));
        return RecordMemory::Hbm;
    }

    RecordBuffer readBuffer(const At& at) {
        RecordBuffer b;
        b.name = text(at, "name");
        b.role = text(at, "role");
        b.itemBytes = integer(at, "bytes", {1, 8});
        b.hostSize = sizes(at, "host_size", 0);
        if (has(at, "layout")) readLayout(at.member("layout"), b);
        b.memory = memory(at);
        b.address = integer(at, "address", {}, 0);
        const auto live = integers(at, "live", {std::numeric_limits<int>::min(), std::numeric_limits<int>::max()});
        if (live.size() == 2) {
            b.start = live[0];
            b.end = live[1];
        } else {
            fail(at, "\"live\" is [start, end)");
        }
        b.inPlaceOf =
            static_cast<int>(integer(at, "in_place_of", {0, static_cast<std::int64_t>(bufferCount_) - 1}, -1));
        b.denotes = optionalText(at, "denotes");
        return b;
    }

    void readLayout(const At& at, RecordBuffer& b) {
        b.deviceSize = sizes(at, "device_size", 1);
        b.strideMap = integers(at, "stride_map", {-1, kLargest});
        if (b.deviceSize.empty()) fail(at, "a layout has at least one dimension");
        if (b.deviceSize.size() != b.strideMap.size()) fail(at, "device_size and stride_map differ in length");
    }

    RecordOp readOp(const At& at) {
        RecordOp op;
        op.name = text(at, "name");
        op.kind = text(at, "kind");
        op.fn = text(at, "fn");
        op.role = role(at);
        op.attributes = optionalText(at, "attrs");
        if (has(at, "value")) op.fillValue = number(at.member("value"));
        each(at, "space", [&](const At& entry) { op.space.push_back(readSymbol(entry, op.space)); });
        bySymbol(at, "split", op.space, &RecordSymbol::slices);
        bySymbol(at, "unit", op.space, &RecordSymbol::unit);
        const std::string map = optionalText(at, "core_map");
        op.kFirst = map == sim::kLastFirst;
        if (!map.empty() && !op.kFirst) fail(at.member("core_map"), "unknown core map " + text::quoted(map));
        op.cores = integer(at, "cores", {1, kMostCores}, 1);
        each(at, "args", [&](const At& entry) { op.args.push_back(readArg(entry, op.space)); });
        if (has(at, "source")) each(at, "source", [&](const At& entry) { op.source.push_back(textOf(entry)); });
        return op;
    }

    RecordRole role(const At& at) {
        const std::string name = text(at, "role");
        for (const RecordRole r :
             {RecordRole::Compute, RecordRole::Move, RecordRole::Fill, RecordRole::Outside, RecordRole::Allocate}) {
            if (sim::recordRoleName(r) == name) return r;
        }
        fail(at, "unknown role " + text::quoted(name));
        return RecordRole::Compute;
    }

    double number(const At& at) {
        if (at.type() == JsonType::Integer || at.type() == JsonType::Real) return at.tape->number(at.index);
        static constexpr std::array<std::pair<std::string_view, double>, 3> kWords = {
            {{"inf", std::numeric_limits<double>::infinity()},
             {"-inf", -std::numeric_limits<double>::infinity()},
             {"nan", std::numeric_limits<double>::quiet_NaN()}}};
        for (const auto& [word, value] : kWords) {
            if (at.type() == JsonType::String && at.tape->text(at.index) == word) return value;
        }
        fail(at, "a number is expected");
        return 0;
    }

    RecordSymbol readSymbol(const At& at, const std::vector<RecordSymbol>& known) {
        RecordSymbol s;
        const bool isList = at.type() == JsonType::Array && (at.size() == 2 || at.size() == 3);
        if (!isList) {
            fail(at, "[symbol, extent] or [symbol, extent, reduction] is expected");
            return s;
        }
        s.name = textOf(at.entry(0));
        s.extent = integerOf(at.entry(1), {1, kLargest});
        if (at.size() == 3 && at.entry(2).type() != JsonType::Bool) fail(at.entry(2), "a boolean is expected");
        s.isReduction = at.size() == 3 && at.tape->at(at.entry(2).index).boolean;
        const bool isTaken = std::any_of(known.begin(), known.end(), [&](const auto& k) { return k.name == s.name; });
        if (!sim::isSymbolName(s.name) || isTaken) fail(at.entry(0), "a name of its own is expected, such as \"d0\"");
        return s;
    }

    void bySymbol(const At& at, const char* key, std::vector<RecordSymbol>& space, std::int64_t RecordSymbol::*value) {
        if (error_ || !has(at, key)) return;
        const At object = at.member(key);
        if (object.type() != JsonType::Object) return fail(object, "an object is expected");
        for (const TapeIndex entry : at.tape->children(object.index)) {
            const std::string_view name = at.tape->key(entry);
            const auto it = std::find_if(space.begin(), space.end(), [&](const auto& s) { return s.name == name; });
            if (it == space.end()) return fail(object, "the op has no symbol " + text::quoted(name));
            (*it).*value = integerOf({at.tape, entry}, {1, kLargest});
        }
    }

    RecordArg readArg(const At& at, const std::vector<RecordSymbol>& space) {
        RecordArg a;
        a.buffer = static_cast<int>(integer(at, "buffer", {0, static_cast<std::int64_t>(bufferCount_) - 1}));
        a.isInput = flag(at, "input", true);
        if (has(at, "index")) a.index = index(at.member("index"), space);
        if (has(at, "base")) {
            const At base = at.member("base");
            a.memory = memory(base);
            a.base = integer(base, "address", {});
        } else {
            fail(at, "the key \"base\" is missing");
        }
        a.advance = optionalIntegers(at, "advance");
        a.perTileFixed = flag(at, "per_tile_fixed", false);
        a.isIndirect = flag(at, "indirect", false);
        if (has(at, "view_strides")) a.viewStrides = integers(at, "view_strides", {});
        if (a.viewStrides.size() > kMostDimensions) fail(at, "too many dimensions");
        if (has(at, "writer_slices")) {
            each(at, "writer_slices", [&](const At& pair) { a.writerSlices.push_back(writerSlice(pair, space)); });
        }
        if (has(at, "element")) a.element = index(at.member("element"), space);
        a.elementAdvance = optionalIntegers(at, "element_advance");
        return a;
    }

    LinearIndex index(const At& at, const std::vector<RecordSymbol>& space) {
        const std::string written = textOf(at);
        auto read = sim::indexFromText(written, space);
        const bool isInRange = read && std::abs(read->constant) <= kLargest &&
                               std::all_of(read->terms.begin(), read->terms.end(),
                                           [](const auto& t) { return std::abs(t.second) <= kLargest; });
        if (isInRange) return *std::move(read);
        fail(at, text::quoted(written) + " is no sum over the symbols of the op");
        return {};
    }

    std::pair<int, std::int64_t> writerSlice(const At& at, const std::vector<RecordSymbol>& space) {
        if (at.type() != JsonType::Array || at.size() != 2) {
            fail(at, "[symbol, slices] is expected");
            return {0, 1};
        }
        const std::int64_t symbol = integerOf(at.entry(0), {0, static_cast<std::int64_t>(space.size()) - 1});
        return {static_cast<int>(symbol), integerOf(at.entry(1), {1, kMostCores})};
    }

    std::vector<RecordStep> readSteps(const At& at, std::size_t depth) {
        std::vector<RecordStep> steps;
        if (depth > kDeepestLoop) {
            fail(at, "loops are nested too deeply");
            return steps;
        }
        eachEntry(at, [&](const At& entry) { steps.push_back(readStep(entry, depth)); });
        return steps;
    }

    RecordStep readStep(const At& at, std::size_t depth) {
        RecordStep step;
        if (has(at, "op") == has(at, "loop")) {
            fail(at, "a step is an op or a loop");
            return step;
        }
        if (has(at, "op")) {
            step.op = static_cast<int>(integer(at, "op", {0, static_cast<std::int64_t>(opCount_) - 1}));
            if (error_) return step;
            int& known = depth_[static_cast<std::size_t>(step.op)];
            if (known >= 0 && known != static_cast<int>(depth)) fail(at, "the op stands in loops of another depth too");
            known = static_cast<int>(depth);
            return step;
        }
        const At loop = at.member("loop");
        step.count = integer(loop, "count", {0, kMostIterations});
        step.variable = text(loop, "var");
        if (!error_ && !variables_.insert(step.variable).second) fail(loop, "the loop variable is taken");
        if (!error_ && !has(loop, "body")) fail(loop, "the key \"body\" is missing");
        if (!error_) step.body = readSteps(loop.member("body"), depth + 1);
        return step;
    }

    RecordKernel readKernel(const At& at) {
        RecordKernel k;
        k.name = text(at, "name");
        k.ops = positions(at, "ops", opCount_);
        k.arguments = positions(at, "arguments", bufferCount_);
        k.nonTerminal = flag(at, "non_terminal", false);
        return k;
    }

    RecordOutput readOutput(const At& at) {
        RecordOutput o;
        o.tensor = text(at, "tensor");
        o.buffer = static_cast<int>(integer(at, "buffer", {0, static_cast<std::int64_t>(bufferCount_) - 1}));
        o.strides = integers(at, "strides", {});
        o.offset = integer(at, "offset", {}, 0);
        if (o.strides.size() > kMostDimensions) fail(at, "too many dimensions");
        return o;
    }

    /// Advances are per enclosing loop.
    void checkAdvances(const At& root) {
        for (std::size_t i = 0; i < record_.ops.size() && !error_; ++i) {
            const auto depth = static_cast<std::size_t>(std::max(depth_[i], 0));
            for (const RecordArg& a : record_.ops[i].args) {
                const auto fits = [depth](const auto& list) { return list.empty() || list.size() == depth; };
                if (fits(a.advance) && fits(a.elementAdvance)) continue;
                const At ops = root.member("ops");
                return fail(ops.entry(i), "an advance has one entry for each of the " + std::to_string(depth) +
                                              " loops around the op");
            }
        }
    }

    std::string_view place_;
    ExecutionRecord record_;
    std::optional<Error> error_;
    std::size_t bufferCount_ = 0, opCount_ = 0;
    std::vector<int> depth_;  ///< loops around each op, -1 for none of the steps
    std::set<std::string> variables_;
};

}  // namespace

Result<ExecutionRecord> recordFromTape(const Tape& tape, TapeIndex at, std::string_view place) {
    return ExecutionReader(place).run({&tape, at});
}

Result<ExecutionRecord> recordFromJson(std::string_view text) {
    static constexpr JsonCodes kCodes{"IN-008", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};
    Limits limits;
    limits.jsonBytes = std::int64_t{1} << 32;  // the caller has applied its limits to the file
    limits.nesting = 1024;
    const auto tape = readTape(text, kCodes, limits, RunControl{});
    if (!tape) {
        const Diagnostic& d = tape.error().primary();
        const bool hasPlace = d.where.starts_with('/');
        return makeError("IN-008", hasPlace ? "/execution" + d.where : "/execution",
                         hasPlace ? d.message : "this is no JSON");
    }
    return recordFromTape(tape.value(), 0, "/execution");
}

}  // namespace memplan::io

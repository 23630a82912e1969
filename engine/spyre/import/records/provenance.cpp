// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/provenance.h"

#include "engine/base/text.h"
#include "engine/json/json_sax.h"
#include "engine/spyre/import/records/schema.h"
#include "engine/spyre/import/records/side_text.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::io {

namespace {

constexpr JsonCodes kCodes{"BND-108", "BND-108", "BND-108", "BND-108", "BND-108", "BND-108", "BND-108"};
constexpr auto kNone = ClosedSchema::kNone;

bool isIdentity(std::string_view key) {
    return key.size() == 16 &&
           std::all_of(key.begin(), key.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7'); });
}

bool isSha256(std::string_view key) {
    return key.size() == 64 &&
           std::all_of(key.begin(), key.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// One handle: where a piece of the program came from.
struct Handle {
    SideFacts facts;
    std::vector<std::int64_t> fusedFrom;
    TapeIndex at = 0;
};

struct Identity {
    SideFacts facts;
    std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>> bindings;
};

class ProvenanceReader {
public:
    explicit ProvenanceReader(const Tape& tape) : s_(tape) {}

    Result<SideDocument> run() {
        document_.kind = SideKind::Provenance;
        version();
        s_.keys(0, {"schemaVersion", "eventKey", "mergeGeneration", "status", "diagnostics", "handles",
                    "kernelIdentities", "kernelOccurrences", "upstreamProjections"});
        eventKey();
        handles();
        identities();
        projections();
        occurrences();
        status();
        if (s_.error()) return *s_.error();
        return std::move(document_);
    }

private:
    void version() {
        const TapeIndex at = s_.member(0, "schemaVersion", JsonType::Integer);
        if (at == kNone || s_.tape.at(at).integer == 1) return;
        s_.fail(at, "schema version " + std::to_string(s_.tape.at(at).integer) + " is not read, version 1 is");
    }

    void eventKey() {
        const TapeIndex key = s_.member(0, "eventKey", JsonType::Object);
        s_.keys(key, {"version", "algorithm", "width", "stepAttribution"});
        const bool isKnown = s_.integer(key, "version", 0) == 1 && s_.integer(key, "width", 0) == 16 &&
                             s_.text(key, "algorithm") == "sha256-prefix-80-base32-lower" &&
                             s_.text(key, "stepAttribution") == "bundle";
        if (!isKnown) s_.fail(key, "the event keys are of a form that schema 1 does not have");
        document_.facts.push_back(numberFact("merge_generation", s_.integer(0, "mergeGeneration", 1)));
    }

    // ---- handles -----------------------------------------------------------------------------------------

    void handles() {
        const TapeIndex map = s_.member(0, "handles", JsonType::Object);
        s_.each(map, [&](TapeIndex at) {
            const auto id = text::parseInt(s_.tape.key(at));
            s_.keys(at, {"id", "source", "aten_op", "ir_chain", "fused_from", "transform_history"});
            if (!id || s_.integer(at, "id", 0) != *id) return s_.fail(at, "the id of the handle is not its key");
            handles_.emplace(*id, handle(at));
        });
        for (const auto& [id, h] : handles_) {
            for (const std::int64_t origin : h.fusedFrom) {
                if (!handles_.contains(origin))
                    s_.fail(h.at, "handle " + std::to_string(origin) + " in \"fused_from\" does not exist");
            }
        }
    }

    Handle handle(TapeIndex at) {
        Handle h;
        h.at = at;
        if (const auto op = s_.textOrNull(at, "aten_op")) h.facts.push_back(textFact("aten_op", *op));
        source(at, h.facts);
        const auto chain = s_.texts(at, "ir_chain");
        if (!chain.empty()) h.facts.push_back(textFact("ir_chain", text::join(chain, " > ")));
        h.fusedFrom = s_.integers(at, "fused_from");
        std::vector<std::string> steps;
        s_.each(s_.member(at, "transform_history", JsonType::Array), [&](TapeIndex step) {
            s_.keys(step, {"kind", "pass_name", "reason"});
            const std::string kind = s_.text(step, "kind");
            const auto known = {"rewrite", "fusion", "decomposition", "clone", "remap"};
            if (std::find(known.begin(), known.end(), kind) == known.end())
                return s_.fail(step, "the kind " + text::quoted(kind) + " of a transformation is not known");
            const auto reason = s_.textOrNull(step, "reason");
            steps.push_back(kind + " by " + s_.text(step, "pass_name") + (reason ? " (" + *reason + ")" : ""));
        });
        if (!steps.empty()) h.facts.push_back(textFact("history", text::join(steps, "; ")));
        return h;
    }

    void source(TapeIndex at, SideFacts& facts) {
        const TapeIndex source = s_.tape.find(at, "source");
        if (source == 0 || s_.tape.type(source) == JsonType::Null) return;
        s_.keys(source, {"file", "start_line", "start_col", "end_line", "end_col"});
        const std::string file = s_.text(source, "file");
        const std::int64_t line = s_.integer(source, "start_line", 1);
        const std::int64_t column = s_.integer(source, "start_col", 0);
        facts.push_back(textFact("source", file + ":" + std::to_string(line) + ":" + std::to_string(column)));
        for (const char* key : {"end_line", "end_col"}) {
            const TapeIndex end = s_.error() ? 0 : s_.tape.find(source, key);
            if (end != 0 && s_.tape.type(end) != JsonType::Null) (void)s_.integer(source, key, 0);
        }
    }

    /// Facts of a handle; a fused one without a source of its own names those of its origins.
    [[nodiscard]] SideFacts factsOf(std::int64_t id) const {
        const Handle& h = handles_.at(id);
        SideFacts facts = h.facts;
        const bool hasSource =
            std::any_of(facts.begin(), facts.end(), [](const SideFact& f) { return f.key == "source"; });
        if (!hasSource) {
            constexpr std::size_t kShown = 8;
            for (std::size_t i = 0; i < std::min(h.fusedFrom.size(), kShown); ++i) {
                for (const SideFact& f : handles_.at(h.fusedFrom[i]).facts) {
                    if (f.key == "source" || f.key == "aten_op") addFact(facts, textFact("fused_" + f.key, f.text));
                }
            }
        }
        return facts;
    }

    // ---- kernels -----------------------------------------------------------------------------------------

    TapeIndex filledMap(const char* key) {
        const TapeIndex map = s_.member(0, key, JsonType::Object);
        if (map != kNone && s_.tape.count(map) == 0) s_.fail(map, "at least one entry is expected");
        return map;
    }

    void checkHandle(TapeIndex at, std::int64_t id) {
        if (!handles_.contains(id)) s_.fail(at, "handle " + std::to_string(id) + " does not exist");
    }

    void identities() {
        s_.each(filledMap("kernelIdentities"), [&](TapeIndex at) {
            const std::string key(s_.tape.key(at));
            if (!isIdentity(key)) return s_.fail(at, "a key of 16 characters a-z and 2-7 is expected");
            s_.keys(at, {"directHandleIds", "specHandleBindings", "atenOps", "eventNameBase"});
            Identity identity;
            for (const std::int64_t id : s_.integers(at, "directHandleIds"))
                checkHandle(at, id);
            s_.each(s_.member(at, "specHandleBindings", JsonType::Array), [&](TapeIndex binding) {
                s_.keys(binding, {"specPath", "handleId"});
                auto path = s_.integers(binding, "specPath");
                const std::int64_t id = s_.integer(binding, "handleId", 0);
                checkHandle(binding, id);
                if (path.empty() || std::any_of(path.begin(), path.end(), [](std::int64_t p) { return p < 0; }))
                    return s_.fail(binding, "a path of positions from 0 is expected");
                identity.bindings.emplace_back(std::move(path), id);
            });
            const std::string event = s_.text(at, "eventNameBase");
            if (!s_.error() && (!event.starts_with("spyre_kernel_v1_") || !event.ends_with("_" + key)))
                return s_.fail(at, "the event name is not spyre_kernel_v1_<summary>_<key>");
            identity.facts.push_back(textFact("event_name", event));
            const auto ops = s_.texts(at, "atenOps");
            if (!ops.empty()) identity.facts.push_back(textFact("aten_ops", text::join(ops, ", ")));
            identities_.emplace(key, std::move(identity));
        });
    }

    void occurrences() {
        s_.each(filledMap("kernelOccurrences"), [&](TapeIndex at) {
            if (!isSha256(s_.tape.key(at))) return s_.fail(at, "a SHA-256 in hexadecimal digits is expected as key");
            s_.keys(at, {"identityKey", "compileId", "compilerKernelName", "registrations"});
            const auto identity = identities_.find(s_.text(at, "identityKey"));
            if (!s_.error() && identity == identities_.end()) return s_.fail(at, "the kernel identity does not exist");
            SideKernel kernel;
            kernel.name = s_.text(at, "compilerKernelName");
            std::vector<std::string> aliases;
            s_.each(s_.member(at, "registrations", JsonType::Array), [&](TapeIndex r) {
                s_.keys(r, {"ordinal", "alias"});
                const std::string alias = s_.text(r, "alias");
                const std::string wanted = kernel.name + ":" + std::to_string(s_.integer(r, "ordinal", 1));
                if (!s_.error() && alias != wanted) return s_.fail(r, "the alias is not " + text::quoted(wanted));
                aliases.push_back(alias);
            });
            if (s_.error()) return;
            // Compiled again: the same identity under another compile id.
            if (!names_.insert(kernel.name).second) return;
            kernel.facts = identity->second.facts;
            if (!aliases.empty()) kernel.facts.push_back(textFact("registered_as", text::join(aliases, ", ")));
            for (const std::string& alias : aliases) {
                if (const auto trace = traces_.find(alias); trace != traces_.end())
                    addFact(kernel.facts, textFact("graph_nodes", trace->second));
            }
            for (const auto& [path, id] : identity->second.bindings)
                kernel.ops.emplace_back(path, factsOf(id));
            document_.kernels.push_back(std::move(kernel));
        });
    }

    // ---- upstream ----------------------------------------------------------------------------------------

    void projections() {
        s_.each(filledMap("upstreamProjections"), [&](TapeIndex at) {
            if (!isSha256(s_.tape.key(at))) return s_.fail(at, "a SHA-256 in hexadecimal digits is expected as key");
            s_.keys(at, {"source", "version", "producer", "settings", "kernels", "uncollectedKernels",
                         "upstreamProjectionFailed", "upstreamJoin", "preToPost", "postToPre", "cppCodeToPost",
                         "postToCppCode", "kernelStackTraces"});
            if (s_.text(at, "source") != "inductor_provenance_tracking_node_mappings")
                s_.fail(at, "the source of the projection is not known");
            s_.keys(s_.member(at, "producer", JsonType::Object), {"torchSpyreVersion", "torchVersion"});
            s_.keys(s_.member(at, "settings", JsonType::Object), {"provenanceTrackingLevel", "structuredTracing"});
            s_.each(s_.member(at, "kernels", JsonType::Array), [&](TapeIndex k) {
                s_.keys(k, {"compilerKernelName", "identityKey"});
            });
            for (const char* key : {"preToPost", "postToPre", "cppCodeToPost", "postToCppCode"})
                s_.mapping(at, key);
            const std::string join = s_.text(at, "upstreamJoin");
            const auto known = {"ok", "partial", "unavailable-cache-replay", "unavailable-provenance-level-0"};
            if (!s_.error() && std::find(known.begin(), known.end(), join) == known.end())
                return s_.fail(at, "the state " + text::quoted(join) + " of a join is not known");
            allJoined_ = allJoined_ && join == "ok";
            s_.each(s_.member(at, "kernelStackTraces", JsonType::Object), [&](TapeIndex t) {
                s_.keys(t, {"stackTraces", "postGradNodes", "preGradNodes"});
                (void)s_.texts(t, "stackTraces");
                (void)s_.texts(t, "preGradNodes");
                const auto nodes = s_.texts(t, "postGradNodes");
                if (!nodes.empty()) traces_.emplace(std::string(s_.tape.key(t)), text::join(nodes, ", "));
            });
        });
    }

    void status() {
        const TapeIndex diagnostics = s_.member(0, "diagnostics", JsonType::Object);
        s_.keys(diagnostics, {}, {"collection-failure", "upstream-projection-failure"});
        s_.each(diagnostics, [&](TapeIndex c) { (void)s_.is(c, JsonType::Integer); });
        const std::string status = s_.text(0, "status");
        if (s_.error()) return;
        if (status != "complete" && status != "partial")
            return s_.fail(s_.tape.find(0, "status"), "the status is \"complete\" or \"partial\"");
        const bool isComplete = s_.tape.count(diagnostics) == 0 && allJoined_;
        if (isComplete != (status == "complete")) {
            return s_.fail(s_.tape.find(0, "status"),
                           "the status \"" + status + "\" contradicts the diagnostics and joins of the file");
        }
        document_.facts.push_back(textFact("status", status));
    }

    ClosedSchema s_;
    SideDocument document_;
    std::map<std::int64_t, Handle> handles_;
    std::map<std::string, Identity> identities_;
    std::map<std::string, std::string> traces_;  ///< alias -> nodes
    std::set<std::string> names_;                ///< kernels so far
    bool allJoined_ = true;
};

}  // namespace

Result<SideDocument> readProvenance(std::string_view text, const Limits& limits, const RunControl& control) {
    const auto tape = readTape(text, kCodes, limits, control);
    if (!tape) return tape.error();
    return ProvenanceReader(tape.value()).run();
}

}  // namespace memplan::io

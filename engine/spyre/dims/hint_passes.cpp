// SPDX-License-Identifier: Apache-2.0
// Passes 10 and 11: names of dimensions and the hints on them (spyre-layouts-and-work-division 7).
#include "engine/base/text.h"
#include "engine/spyre/dims/named_dims.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

Error hintError(std::string code, const Hint& hint, const std::string& message, std::string fix) {
    return makeError(std::move(code), text::join(hint.scopes, ", "), hint.key + ": " + message, std::move(fix));
}

/// dim_sizes of the document.
Result<DeclaredDims> declaredDims(const ProgramHints& hints) {
    DeclaredDims out;
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "dim_sizes") continue;
        const NamedCounts* sizes = e.hint->value.counts();
        if (sizes == nullptr)
            return hintError("HNT-002", *e.hint, "an object of name and whole number is needed",
                             R"(for instance {"A": 1024})");
        for (const auto& [name, size] : *sizes) {
            if (size < 1)
                return hintError("HNT-003", *e.hint, "size of " + name + " must be at least 1",
                                 "give the size of the dimension");
            out[name] = size;
        }
    }
    return out;
}

/// Scopes of every op, in hint id order.
Result<std::vector<std::vector<HintScope>>> scopesOf(const Program& program, const ProgramHints& hints,
                                                     bool ignoreHints) {
    std::vector<std::vector<HintScope>> out(program.ops.size());
    if (ignoreHints) return out;
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.id == 0) continue;
        HintScope scope;
        scope.id = e.id;
        if (e.hint->key == "slices") {
            const NamedCounts* counts = e.hint->value.counts();
            if (counts == nullptr || counts->empty())
                return hintError("HNT-002", *e.hint, "an object with one name and count is needed",
                                 R"(for instance {"A": 2})");
            if (counts->size() > 1) {
                return hintError("CT-011", *e.hint,
                                 "NotImplementedError: " + std::to_string(counts->size()) +
                                     " dimensions in one hint, only one is allowed",
                                 "write one hint for each");
            }
            if (counts->front().second < 1)
                return hintError("HNT-003", *e.hint, "the count must be at least 1", "1 leaves it in one piece");
            scope.slices = *counts;
        } else {
            const NameList* names = e.hint->value.names();
            if (names == nullptr)
                return hintError("HNT-002", *e.hint, "an array of names is needed", R"(for instance ["A", "B"])");
            scope.namedDims = *names;
        }
        for (const OpId op : e.ops)
            out[op.at()].push_back(scope);
    }
    return out;
}

NamedOp namedOp(const Program& program, const Op& op, std::vector<HintScope> scopes) {
    NamedOp out{&op, {}, &program.buffers[op.write.buffer.at()], std::move(scopes)};
    for (const Access& a : op.reads) {
        const DimNames* names = a.buffer.at() < program.namedDims.size() ? &program.namedDims[a.buffer.at()] : nullptr;
        out.reads.push_back({&program.buffers[a.buffer.at()], &a.index, names});
    }
    return out;
}

/// In-place writes are skipped; constants and fallback kernels have no names.
bool hasNames(const Op& op) {
    return op.kind == OpClass::Pointwise || op.kind == OpClass::Reduction;
}

/// Names that the pass before gave to dimensions without one: "_untracked_<extent>".
void declareUntracked(const Program& program, DeclaredDims& declared) {
    static constexpr std::string_view kPrefix = "_untracked_";
    for (const DimNames& names : program.namedDims) {
        for (const std::string& name : names) {
            if (!name.starts_with(kPrefix)) continue;
            if (const auto extent = text::parseInt(name.substr(kPrefix.size()))) declared.emplace(name, *extent);
        }
    }
}

Result<void> nameInputs(Program& program, const ProgramHints& hints) {
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "dim_names") continue;
        const NameList* names = e.hint->value.names();
        if (names == nullptr)
            return hintError("HNT-002", *e.hint, "an array of names is needed", R"(for instance ["A", "B"])");
        for (const BufferId b : e.buffers)
            program.namedDims[b.at()] = *names;
    }
    return {};
}

void reportDeclared(const ProgramHints& hints, PassContext& context) {
    for (const ProgramHints::Entry& e : hints.entries()) {
        for (const ProgramHints::Part& part : e.parts) {
            const bool named = e.hint->key == "dim_names" && !part.buffers.empty();
            if (named || e.hint->key == "dim_sizes") {
                context.reportHint(*e.hint, part.subject, memplan::hints::Outcome::Applied);
            }
        }
    }
}

/// named_dims is satisfied when the op's result carries its names.
void reportNamed(const Program& program, const ProgramHints& hints, OpId op, PassContext& context) {
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "named_dims") continue;
        for (const ProgramHints::Part& part : e.parts) {
            const bool concerns = std::find(part.ops.begin(), part.ops.end(), op) != part.ops.end();
            const Op& target = program.ops[op.at()];
            if (!concerns || !target.addedBy.empty()) continue;
            const NameList* wanted = e.hint->value.names();
            const DimNames& got = program.namedDims[target.write.buffer.at()];
            if (wanted != nullptr && got == *wanted) {
                context.reportHint(*e.hint, part.subject, memplan::hints::Outcome::Applied);
            } else {
                context.reportHint(*e.hint, part.subject, memplan::hints::Outcome::Impossible,
                                   "the result has the names " + (got.empty() ? "none" : text::join(got, ", ")) +
                                       " by its operands",
                                   "name as many dimensions as the result has, with declared names");
            }
        }
    }
}

void report(PassContext& context, Notice notice, OpId op, const std::string& where) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = std::move(notice.code);
    d.where = where;
    d.message = std::move(notice.message);
    d.ops = {op};
    context.report(std::move(d));
}

void report(PassContext& context, OpId op, const DimHint& hint) {
    Decision d;
    d.op = op;
    d.kind = DecisionKind::DimHint;
    d.chosen = {say::kDimensionSplit, hint.dimNames, hint.splitCount};
    const Wording& found = hint.isReduction ? say::kHintedReduction : say::kHintedDimension;
    d.why = hint.dimIndex ? Statement(found, *hint.dimIndex, hint.rangeSize, hint.hintId) : Statement(say::kNoSuchLoop);
    context.decide(std::move(d));
}

}  // namespace

Result<PassOutcome> propagateNamedDims(State& state, PassContext& context) {
    Program& program = state.program;
    program.namedDims.clear();
    const ProgramHints hints(context.hints, state.graph.get(), program);
    if (!hints.has("dim_names")) return PassOutcome{};
    Result<DeclaredDims> declared = declaredDims(hints);
    if (!declared) return std::move(declared).error();
    Result<std::vector<std::vector<HintScope>>> scopes =
        scopesOf(program, hints, context.settings.boolean("spyre.ignore_hints"));
    if (!scopes) return std::move(scopes).error();
    program.namedDims.assign(program.buffers.size(), {});
    if (Result<void> ok = nameInputs(program, hints); !ok) return ok.error();
    reportDeclared(hints, context);
    std::int64_t named = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (context.cancelled()) return cancelledError();
        const Op& op = program.ops[i];
        if (!hasNames(op)) continue;
        std::vector<Notice> notices;
        Result<OpNames> names =
            propagateNames(namedOp(program, op, std::move(scopes.value()[i])), declared.value(), notices);
        if (!names) return std::move(names).error();
        program.namedDims[op.write.buffer.at()] = std::move(names.value().output);
        reportNamed(program, hints, OpId::of(i), context);
        for (Notice& n : notices)
            report(context, std::move(n), OpId::of(i), op.name);
        ++named;
    }
    return PassOutcome{named > 0, {{"ops_named", named}}};
}

Result<PassOutcome> assignDimHints(State& state, PassContext& context) {
    Program& program = state.program;
    program.dimHints.assign(program.ops.size(), {});
    if (program.namedDims.empty()) return PassOutcome{};
    const ProgramHints hints(context.hints, state.graph.get(), program);
    Result<DeclaredDims> declared = declaredDims(hints);
    if (!declared) return std::move(declared).error();
    Result<std::vector<std::vector<HintScope>>> scopes =
        scopesOf(program, hints, context.settings.boolean("spyre.ignore_hints"));
    if (!scopes) return std::move(scopes).error();
    declareUntracked(program, declared.value());
    std::int64_t count = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (context.cancelled()) return cancelledError();
        if (!hasNames(program.ops[i]) || scopes.value()[i].empty()) continue;
        const NamedOp op = namedOp(program, program.ops[i], std::move(scopes.value()[i]));
        std::vector<Notice> known;  // said by the pass before
        Result<OpNames> names = propagateNames(op, declared.value(), known);
        if (!names) return std::move(names).error();
        program.dimHints[i] = assignHints(op, names.value(), declared.value());
        for (const DimHint& h : program.dimHints[i])
            report(context, OpId::of(i), h);
        count += static_cast<std::int64_t>(program.dimHints[i].size());
    }
    return PassOutcome{count > 0, {{"dim_hints", count}}};
}

}  // namespace memplan::spyre

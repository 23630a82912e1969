// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/validate.h"

#include "engine/base/text.h"
#include "engine/hints/value_checks.h"
#include "engine/hints/world.h"

#include <algorithm>

namespace memplan::hints {
namespace {

Diagnostic finding(Severity severity, std::string code, std::string where, std::string message, std::string fix) {
    Diagnostic d;
    d.severity = severity;
    d.code = std::move(code);
    d.where = std::move(where);
    d.message = std::move(message);
    d.hint = std::move(fix);
    return d;
}

bool isGraphInput(const Graph& graph, const std::string& id) {
    return std::any_of(graph.inputs.begin(), graph.inputs.end(),
                       [&](TensorId in) { return graph.tensor(in).id == id; }) ||
           std::any_of(graph.tensors.begin(), graph.tensors.end(),
                       [&](const Tensor& t) { return t.id == id && t.role == TensorRole::Parameter; });
}

std::string inputList(const Graph& graph) {
    std::vector<std::string> ids;
    for (const TensorId in : graph.inputs) {
        if (ids.size() < 12) ids.push_back(graph.tensor(in).id);
    }
    return ids.empty() ? std::string("the graph has no inputs") : "allowed: " + text::join(ids, ", ");
}

class Validator {
public:
    explicit Validator(const World& world) : world_(world) {
        if (world.subjects == nullptr && world.graph != nullptr) own_ = Subjects(*world.graph);
    }

    std::vector<Diagnostic> check(const Hint& hint) {
        const KindInfo* kind = kindOf(hint, world_.target);
        if (kind == nullptr) {
            unknownKey(hint);
            return std::move(found_);
        }
        const std::vector<Scope> scopes = readScopes(hint, *kind);
        checkValue(*kind, scopes, hint.value.tree());
        return std::move(found_);
    }

private:
    void error(std::string code, std::string where, std::string message, std::string fix) {
        found_.push_back(
            finding(Severity::Error, std::move(code), std::move(where), std::move(message), std::move(fix)));
    }

    void unknownKey(const Hint& hint) {
        std::vector<std::string> keys;
        for (const KindInfo& k : allKinds()) {
            const bool sameTarget = hint.target == "any" ? k.target == world_.target : k.target == hint.target;
            if (sameTarget) keys.emplace_back(k.key);
        }
        const std::string nearest = text::nearest(hint.key, keys);
        error("HNT-001", "/key", text::quoted(hint.key) + " is no hint of the target " + hint.target,
              (nearest.empty() ? "" : "nearest: " + nearest + "; ") + "allowed: " + text::join(keys, ", "));
    }

    std::vector<Scope> readScopes(const Hint& hint, const KindInfo& kind) {
        std::vector<Scope> scopes;
        for (std::size_t i = 0; i < hint.scopes.size(); ++i) {
            const std::string where = hint.scopeIsArray ? "/scope/" + std::to_string(i) : std::string("/scope");
            std::optional<Scope> scope = parseScope(hint.scopes[i]);
            if (!scope) {
                error("HNT-004", where, text::quoted(hint.scopes[i]) + " is no scope",
                      "graph, op:<id>, tensor:<id>, group:<id> or annotation:<path>");
                continue;
            }
            checkScope(kind, *scope, where);
            scopes.push_back(std::move(*scope));
        }
        if (hint.scopes.empty()) error("HNT-004", "/scope", "the hint has no subject", "allowed: " + kind.scopeText());
        return scopes;
    }

    void checkScope(const KindInfo& kind, const Scope& scope, const std::string& where) {
        if (!kind.takes(scope.kind)) {
            error("HNT-004", where, std::string(kind.key) + " cannot be about " + text::quoted(scopeText(scope)),
                  "allowed: " + kind.scopeText());
            return;
        }
        const Subjects* subjects = world_.subjects != nullptr ? world_.subjects : (own_ ? &*own_ : nullptr);
        if (subjects == nullptr) return;
        if (!subjects->has(scope)) {
            const std::string fix = subjects->fixFor(scope);
            found_.push_back(
                finding(Severity::Warning, "HNT-005", where,
                        "the graph has no " + std::string(scopeTitle(scope.kind)) + " " + text::quoted(scope.id),
                        fix.empty() ? std::string("the hint has no effect on it") : fix));
            return;
        }
        if (kind.onlyGraphInputs && world_.graph != nullptr && !isGraphInput(*world_.graph, scope.id)) {
            error("HNT-004", where,
                  text::quoted(scope.id) + " is no graph input, and " + std::string(kind.key) +
                      " is about graph inputs only",
                  inputList(*world_.graph));
        }
    }

    void checkValue(const KindInfo& kind, const std::vector<Scope>& scopes, const Value& value) {
        for (ValueFinding& f : checkValueOf(kind, scopes, value, world_))
            error(f.wrongType ? "HNT-002" : "HNT-003", "/value" + f.pointer, std::move(f.message), std::move(f.fix));
    }

    const World& world_;
    std::optional<Subjects> own_;
    std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> validateHint(const Hint& hint, const World& world) {
    return Validator(world).check(hint);
}

}  // namespace memplan::hints

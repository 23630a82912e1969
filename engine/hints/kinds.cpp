// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/kinds.h"

#include <algorithm>
#include <array>

namespace memplan::hints {
namespace {

using T = ValueType;

const MachineHints* machineOf(std::string_view target) {
    const auto all = machineHints();
    const auto it = std::find_if(all.begin(), all.end(), [&](const MachineHints* m) { return m->target == target; });
    return it == all.end() ? nullptr : *it;
}

}  // namespace

std::string_view valueTypeText(ValueType type) {
    switch (type) {
    case T::True:
        return "true";
    case T::Bool:
        return "true or false";
    case T::Bytes:
    case T::Integer:
        return "a whole number";
    case T::Choice:
        return "a word";
    case T::Splits:
    case T::Slices:
    case T::DimSizes:
        return "an object of name and whole number";
    case T::DimNames:
        return "an array of names";
    case T::Groups:
        return "an array of groups";
    case T::OpOrder:
    case T::OpIds:
        return "an array of ids";
    case T::OperandIndices:
        return "an array of whole numbers";
    case T::OutputLayout:
    case T::ConvConfig:
    case T::Concurrency:
        break;
    }
    return "an object";
}

bool KindInfo::takes(ScopeKind kind) const {
    return std::find(scopes.begin(), scopes.end(), kind) != scopes.end();
}

std::string KindInfo::scopeText() const {
    std::string out;
    for (const ScopeKind s : scopes)
        out += (out.empty() ? "" : " or ") + std::string(scopeWord(s));
    return onlyGraphInputs ? out + " (graph input)" : out;
}

std::span<const KindInfo> allKinds() {
    static const std::vector<KindInfo> kAll = [] {
        std::vector<KindInfo> all;
        for (const MachineHints* machine : machineHints())
            all.insert(all.end(), machine->kinds.begin(), machine->kinds.end());
        return all;
    }();
    return kAll;
}

const KindInfo* findKind(std::string_view target, std::string_view key) {
    const auto all = allKinds();
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const KindInfo& k) { return k.target == target && k.key == key; });
    return it == all.end() ? nullptr : &*it;
}

const KindInfo* kindOf(const Hint& hint, std::string_view target) {
    return findKind(hint.target == "any" ? target : std::string_view(hint.target), hint.key);
}

int windowRank(const KindInfo& kind) {
    const MachineHints* machine = machineOf(kind.target);
    const auto& order = machine->windowOrder;
    if (!order.empty()) return static_cast<int>(std::find(order.begin(), order.end(), kind.key) - order.begin());
    return static_cast<int>(&kind - allKinds().data());
}

HintFigures figuresFor(std::string_view target, const Settings& settings, const MachineDescription& machine) {
    const MachineHints* hints = machineOf(target);
    return hints != nullptr && hints->figures != nullptr ? hints->figures(settings, machine) : HintFigures{};
}

std::string_view hintSwitch(std::string_view target) {
    const MachineHints* machine = machineOf(target);
    return machine != nullptr ? machine->ignoreKey : std::string_view();
}

std::vector<std::string> dimensionNamesOf(const Plan& plan, OpId op) {
    const MachineHints* machine = machineOf(plan.target);
    return machine != nullptr && machine->dimensionNames != nullptr ? machine->dimensionNames(plan, op)
                                                                    : std::vector<std::string>{};
}

bool isTargetWord(std::string_view word) {
    return word == "any" || machineOf(word) != nullptr;
}

std::string targetWords() {
    std::string out;
    for (const MachineHints* machine : machineHints())
        out += (out.empty() ? "" : ", ") + std::string(machine->target);
    return out + " or any";
}

std::vector<const KindInfo*> kindsFor(std::string_view target, ScopeKind scope) {
    std::vector<const KindInfo*> list;
    for (const KindInfo& k : allKinds()) {
        if (k.target == target && k.takes(scope)) list.push_back(&k);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const KindInfo* a, const KindInfo* b) { return windowRank(*a) < windowRank(*b); });
    return list;
}

}  // namespace memplan::hints

// SPDX-License-Identifier: Apache-2.0
// Input rules of the address problem (scratchpad 2; codes.md 4, LXI-001 .. LXI-011).
#include "engine/base/diagnostic.h"
#include "engine/solve/problem/address_problem.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace memplan::solve {

namespace {

std::string quoted(const Item& item) {
    return "'" + item.name + "'";
}

std::string lifetimeText(const Item& item) {
    return "[" + std::to_string(item.start) + ", " + std::to_string(item.liveEnd()) + ")";
}

bool strictlyIncreasing(const std::vector<Step>& uses) {
    return std::adjacent_find(uses.begin(), uses.end(), [](Step a, Step b) { return a >= b; }) == uses.end();
}

/// A buffer must have been read before its slot may go to another one; a graph input is read by its first use.
bool isReadAtLeastOnce(const Item& item) {
    if (item.uses.empty()) return item.end - item.start >= 2;
    return item.uses.size() >= (item.firstUseIsRead ? 1U : 2U);
}

class InputCheck {
public:
    explicit InputCheck(const Problem& problem) : problem_(problem) {}

    Result<void> run() {
        checkAlignment();
        checkNames();
        for (const Item& item : problem_.items)
            checkItem(item);
        for (const Item& item : problem_.items)
            checkParents(item);
        if (!found_.hasErrors()) checkCycles();
        if (found_.hasErrors()) return Error(found_.list());
        return {};
    }

private:
    void report(const char* code, const Item& item, const std::string& message, const std::string& hint) {
        found_.error(code, "buffers/" + item.name, message, hint);
    }

    void checkAlignment() {
        if (problem_.alignment >= 1) return;
        found_.error("LXI-004", "alignment", "alignment " + std::to_string(problem_.alignment) + " is below 1",
                     "give the alignment in bytes, for instance 128");
    }

    void checkNames() {
        std::unordered_map<std::string_view, int> seen;
        seen.reserve(problem_.items.size());
        for (const Item& item : problem_.items) {
            // The second holder of a name is reported, a third one too.
            if (++seen[item.name] == 1) continue;
            report("LXI-001", item, "the name " + quoted(item) + " is used by two buffers",
                   "give each buffer its own name");
        }
    }

    void checkItem(const Item& item) {
        if (item.size < 0) {
            report("LXI-002", item, "buffer " + quoted(item) + " has the size " + std::to_string(item.size) + " bytes",
                   "a size is 0 or more bytes");
        }
        if (item.end <= item.start) {
            report("LXI-003", item,
                   "the lifetime [" + std::to_string(item.start) + ", " + std::to_string(item.end) + ") of buffer " +
                       quoted(item) + " is empty",
                   "the end is exclusive: one more than the last op that touches the buffer");
        }
        if (item.alignment < 0) {
            report("LXI-004", item,
                   "alignment " + std::to_string(item.alignment) + " of buffer " + quoted(item) + " is below 1",
                   "give the alignment in bytes");
        }
        if (!strictlyIncreasing(item.uses)) {
            report("LXI-005", item, "the uses of buffer " + quoted(item) + " do not increase strictly",
                   "list each op that touches the buffer once, in schedule order");
        }
        if (item.endOverride && *item.endOverride < item.end) {
            report("LXI-006", item,
                   "the lifetime override " + std::to_string(*item.endOverride) + " of buffer " + quoted(item) +
                       " is before its own end " + std::to_string(item.end),
                   "an override can only make a lifetime longer");
        }
        if (item.presetAddress) {
            report("LXI-007", item,
                   "buffer " + quoted(item) + " already has the address " + std::to_string(*item.presetAddress),
                   "leave the address out; use a hint to fix one");
        }
    }

    void checkParents(const Item& child) {
        for (const int position : child.inPlaceParents) {
            // Names absent from the list were dropped by the reader; a position outside is ignored alike.
            if (position < 0 || static_cast<std::size_t>(position) >= problem_.items.size()) continue;
            checkPair(problem_.items[static_cast<std::size_t>(position)], child);
        }
    }

    void checkPair(const Item& parent, const Item& child) {
        const std::string pair = "in-place pair " + quoted(parent) + " to " + quoted(child) + ": ";
        if (parent.liveEnd() != child.start + 1) {
            report("LXI-009", child,
                   pair + "the lifetimes " + lifetimeText(parent) + " and " + lifetimeText(child) +
                       " do not meet at exactly one tick",
                   "the parent must end one tick after the child starts");
        }
        if (child.size > parent.size) {
            report("LXI-010", child,
                   pair + "the child is larger, " + std::to_string(child.size) + " > " + std::to_string(parent.size) +
                       " bytes",
                   "only a buffer of at most the parent's size can take its slot");
        }
        if (!isReadAtLeastOnce(parent)) {
            report("LXI-011", child, pair + "the parent is never read", "a slot can be taken over after its last read");
        }
    }

    /// Kahn's algorithm over the declared pairs; what is left over lies on or behind a cycle.
    void checkCycles() {
        const std::size_t n = problem_.items.size();
        std::vector<int> openParents(n, 0);
        std::vector<std::vector<std::size_t>> children;
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < n; ++i) {
            for (const int p : problem_.items[i].inPlaceParents) {
                if (p < 0 || static_cast<std::size_t>(p) >= n) continue;
                if (children.empty()) children.resize(n);
                children[static_cast<std::size_t>(p)].push_back(i);
                ++openParents[i];
            }
        }
        if (children.empty()) return;
        for (std::size_t i = 0; i < n; ++i) {
            if (openParents[i] == 0) ready.push_back(i);
        }
        while (!ready.empty()) {
            const std::size_t i = ready.back();
            ready.pop_back();
            for (const std::size_t child : children[i]) {
                if (--openParents[child] == 0) ready.push_back(child);
            }
        }
        const auto stuck = std::find_if(openParents.begin(), openParents.end(), [](int open) { return open > 0; });
        if (stuck == openParents.end()) return;
        const Item& item = problem_.items[static_cast<std::size_t>(stuck - openParents.begin())];
        report("LXI-008", item, "buffer " + quoted(item) + " is its own ancestor through in-place parents",
               "remove one parent of the cycle");
    }

    const Problem& problem_;
    Diagnostics found_;
};

}  // namespace

Result<void> checkInput(const Problem& problem) {
    return InputCheck(problem).run();
}

}  // namespace memplan::solve

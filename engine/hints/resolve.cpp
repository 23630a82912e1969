// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/resolve.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::hints {
namespace {

/// Kinds whose hints on one subject all count, as long as they are about other dimensions: nested scopes, additional
/// declarations.
bool addsUp(const KindInfo& kind) {
    return kind.type == ValueType::Slices || kind.type == ValueType::DimSizes;
}

/// The dimension that both cut; empty when there is none.
std::string dimensionCutTwice(const Value& a, const Value& b) {
    const auto both =
        std::find_if(a.keys.begin(), a.keys.end(), [&](const std::string& key) { return b.find(key) != nullptr; });
    return both == a.keys.end() ? std::string() : *both;
}

std::int64_t productOf(const Value& counts) {
    std::int64_t product = 1;
    for (const Value& v : counts.items)
        product = saturatedMul(product, v.integer);
    return product;
}

/// A checked hint on one subject.
struct Claim {
    std::size_t hint = 0;  ///< position in the list
    const KindInfo* kind = nullptr;
    const Value* value = nullptr;
    std::string subject;  ///< as written
};

/// What both say on one subject, as a reason why they cannot both be had; empty when they can.
std::string contradiction(const Claim& a, const Claim& b) {
    const auto is = [](const Claim& c, std::string_view key) { return c.kind->key == key; };
    const auto either = [&](std::string_view x, std::string_view y) {
        return (is(a, x) && is(b, y)) || (is(a, y) && is(b, x));
    };
    if (a.kind == b.kind && addsUp(*a.kind)) {
        if (a.kind->type == ValueType::DimSizes) return {};  // name by name, see findOtherSize
        const std::string name = dimensionCutTwice(*a.value, *b.value);
        return name.empty() ? name : "both cut the dimension " + text::quoted(name);
    }
    if (a.kind == b.kind) return *a.value == *b.value ? std::string() : std::string("it gives another value");
    for (const std::string_view key : {"pin", "address", "address_limit"}) {
        if (either(key, "keep_off_chip")) return "a buffer that is kept off chip has no place on chip";
        const Claim& eligible = is(a, "lx_eligible") ? a : b;
        if (either(key, "lx_eligible") && !eligible.value->boolean) return "the result is excluded from LX";
    }
    if (either("in_place", "keep_off_chip")) {
        const Claim& inPlace = is(a, "in_place") ? a : b;
        return inPlace.value->string == "force" ? "a buffer that is kept off chip takes no slot" : std::string();
    }
    if (either("pin", "clone_input") || either("address", "clone_input")) {
        const Claim& clone = is(a, "clone_input") ? a : b;
        return clone.value->boolean ? std::string() : "a graph input can be on chip as a clone only";
    }
    if (either("address", "address_limit")) {
        const Claim& address = is(a, "address") ? a : b;
        const Claim& limit = is(a, "address") ? b : a;
        if (address.value->integer <= limit.value->integer) return {};
        return "the address " + text::grouped(address.value->integer) + " is above the limit " +
               text::grouped(limit.value->integer);
    }
    if (either("split", "max_cores")) {
        const Claim& split = is(a, "split") ? a : b;
        const Claim& cores = is(a, "split") ? b : a;
        if (productOf(*split.value) <= cores.value->integer) return {};
        return "the split needs " + text::grouped(productOf(*split.value)) + " cores, the limit is " +
               text::grouped(cores.value->integer);
    }
    return {};
}

class Resolver {
public:
    Resolver(std::span<const Hint> given, const World& world) : given_(given), world_(world) {
        if (world_.subjects == nullptr && world_.graph != nullptr) {
            own_ = Subjects(*world_.graph);
            world_.subjects = &own_;
        }
        // Limits that other hints set are looked at as conflicts, where the later hint wins.
        for (const Hint& h : given) {
            if (declares(h)) dims_.push_back(h);
        }
        world_.hints = dims_;
        dropped_.resize(given.size());
    }

    InForce run() {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            if (given_[i].enabled) take(i);
        }
        findConflicts();
        for (std::size_t i = 0; i < given_.size(); ++i)
            keepRest(i);
        return std::move(out_);
    }

private:
    /// Sizes of a hint that is left out are no sizes for the others either.
    [[nodiscard]] bool declares(const Hint& h) const {
        const bool isOurs = h.target == "any" || h.target == world_.target;
        return h.key == "dim_sizes" && h.enabled && isOurs && validateHint(h, world_).empty();
    }

    void leaveOut(std::size_t i, const std::string& subject, Outcome outcome, std::string why, std::string fix = {}) {
        dropped_[i].insert(subject);
        out_.outcomes.push_back({i, subject, outcome, std::move(why), std::move(fix)});
    }

    void leaveOutAll(std::size_t i, Outcome outcome, const std::string& why, const std::string& fix = {}) {
        for (const std::string& subject : given_[i].scopes) {
            if (!dropped_[i].contains(subject)) leaveOut(i, subject, outcome, why, fix);
        }
    }

    void take(std::size_t i) {
        const Hint& hint = given_[i];
        if (hint.target != "any" && hint.target != world_.target) {
            return leaveOutAll(i, Outcome::Ignored,
                               "it is for the target " + hint.target + ", this compile is for " +
                                   std::string(world_.target));
        }
        const bool namesDims = hint.key == "dim_sizes" || hint.key == "dim_names";
        const std::string_view offKey = hintSwitch(world_.target);
        if (!offKey.empty() && world_.settings->boolean(offKey) && !namesDims) {
            return leaveOutAll(i, Outcome::Ignored, std::string(offKey) + " is on");
        }
        judge(i, validateHint(hint, world_));
        const KindInfo* kind = kindOf(hint, world_.target);
        for (const std::string& subject : hint.scopes) {
            if (kind == nullptr || dropped_[i].contains(subject)) continue;
            for (const std::string& place : placesOf(*kind, subject))
                claims_[place].push_back({i, kind, &hint.value.tree(), subject});
        }
    }

    /// Findings of the checks as outcomes: what is wrong with the value concerns every subject.
    void judge(std::size_t i, const std::vector<Diagnostic>& findings) {
        const Hint& hint = given_[i];
        for (const Diagnostic& d : findings) {
            const Outcome outcome = d.code == "HNT-005"   ? Outcome::Unmatched
                                    : d.code == "HNT-003" ? Outcome::Impossible
                                                          : Outcome::Ignored;
            if (d.where.starts_with("/scope")) {
                const auto at = text::parseInt(d.where.substr(std::min<std::size_t>(d.where.size(), 7))).value_or(0);
                leaveOut(i, hint.scopes[static_cast<std::size_t>(at)], outcome, d.message, d.hint);
            } else {
                leaveOutAll(i, outcome, d.message, d.hint);
            }
            if (d.code == "HNT-005") continue;  // the state's own diagnostic says it
            Diagnostic problem = d;
            problem.severity = Severity::Warning;
            problem.where = "/hints/" + std::to_string(i) + d.where;
            problem.message = "hint " + hint.key + ": " + d.message;
            out_.problems.push_back(std::move(problem));
        }
    }

    /// Where claims can meet: the subject itself; for an operation's switch also the buffer that it writes.
    [[nodiscard]] std::vector<std::string> placesOf(const KindInfo& kind, const std::string& subject) const {
        std::vector<std::string> places{subject};
        if (kind.key != "lx_eligible" || world_.graph == nullptr) return places;
        for (const memplan::Op& op : world_.graph->ops) {
            if ("op:" + op.id != subject) continue;
            for (const TensorId out : op.outputs) {
                if (out.isValid()) places.push_back("tensor:" + world_.graph->tensor(out).id);
            }
        }
        return places;
    }

    void findConflicts() {
        for (const auto& [place, list] : claims_) {
            for (std::size_t a = 0; a < list.size(); ++a) {
                for (std::size_t b = a + 1; b < list.size(); ++b) {
                    if (dropped_[list[a].hint].contains(list[a].subject)) break;
                    const std::string why = contradiction(list[a], list[b]);
                    if (why.empty()) continue;
                    leaveOut(list[a], list[b], why);
                }
                findOtherSize(list, a);
            }
        }
    }

    /// Of several sizes of a name the last counts, which is the one to name. To declare a size twice alike does no
    /// harm. The hint's other names stay declared: it is reported, and stays in force.
    void findOtherSize(const std::vector<Claim>& list, std::size_t a) {
        if (list[a].kind->type != ValueType::DimSizes) return;
        const Value& sizes = *list[a].value;
        for (std::size_t i = 0; i < sizes.keys.size(); ++i) {
            const Value* inForce = nullptr;
            const auto declares = [&](const Claim& later) {
                inForce = later.kind == list[a].kind ? later.value->find(sizes.keys[i]) : nullptr;
                return inForce != nullptr;
            };
            const auto end = list.rend() - static_cast<std::ptrdiff_t>(a + 1);
            const auto last = std::find_if(list.rbegin(), end, declares);
            if (last == end || sizes.items[i] == *inForce) continue;
            return leaveOut(list[a], *last, "it gives another size of " + text::quoted(sizes.keys[i]));
        }
    }

    void leaveOut(const Claim& claim, const Claim& later, const std::string& contradiction) {
        const Hint& other = given_[later.hint];
        std::string why = "the later hint " + std::to_string(later.hint + 1) + " (" + other.key + " " +
                          text::escaped(other.value.json()) + " on " + text::escaped(later.subject) +
                          ") is used: " + contradiction;
        if (claim.kind->type != ValueType::DimSizes) dropped_[claim.hint].insert(claim.subject);
        out_.outcomes.push_back(
            {claim.hint, claim.subject, Outcome::Conflicting, std::move(why), "disable one of the two"});
    }

    void keepRest(std::size_t i) {
        const Hint& hint = given_[i];
        if (!hint.enabled) return;
        Hint kept = hint;
        std::erase_if(kept.scopes, [&](const std::string& s) { return dropped_[i].contains(s); });
        if (kept.scopes.empty()) return;
        out_.hints.push_back(std::move(kept));
        out_.positions.push_back(i);
    }

    std::span<const Hint> given_;
    World world_;
    Subjects own_;
    std::vector<Hint> dims_;
    std::vector<std::set<std::string>> dropped_;                     ///< subjects left out, per hint
    std::map<std::string, std::vector<Claim>, std::less<>> claims_;  ///< by place, in list order
    InForce out_;
};

}  // namespace

InForce resolve(std::span<const Hint> given, const World& world) {
    return Resolver(given, world).run();
}

std::vector<Diagnostic> problemsOf(std::size_t position, const Hint& hint, const InForce& inForce,
                                   const Conclusion& conclusion) {
    std::vector<Diagnostic> earlier;
    const std::string pointer = "/hints/" + std::to_string(position) + "/";
    for (const Diagnostic& d : inForce.problems) {
        if (hint.enabled && d.where.starts_with(pointer)) earlier.push_back(d);
    }
    const bool saysMore = conclusion.state == state::kUnmatched || conclusion.state == state::kPartlyApplied;
    if (!earlier.empty() && !saysMore) return earlier;
    std::vector<Diagnostic> problems = conclusion.problems;
    problems.insert(problems.end(), earlier.begin(), earlier.end());
    return problems;
}

}  // namespace memplan::hints

// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/outcome.h"

#include "engine/base/text.h"
#include "engine/hints/value.h"

#include <algorithm>
#include <map>

namespace memplan::hints {
namespace {

std::string nameOf(const Hint& hint) {
    return hint.key + " on " + text::escaped(text::join(hint.scopes, ", "));
}

class Concluder {
public:
    Concluder(std::size_t position, const Hint& hint, const std::vector<const SubjectOutcome*>& outcomes)
        : position_(position), hint_(hint) {
        for (const SubjectOutcome* v : outcomes)
            bySubject_[v->subject].push_back(v);
    }

    Conclusion run() {
        std::size_t satisfied = 0;
        for (const auto& [subject, list] : bySubject_) {
            const bool all = std::all_of(list.begin(), list.end(),
                                         [](const SubjectOutcome* v) { return v->outcome == Outcome::Applied; });
            if (all) {
                ++satisfied;
                continue;
            }
            for (const SubjectOutcome* v : list) {
                if (v->outcome != Outcome::Applied) failed_.push_back(v);
            }
        }
        if (failed_.empty()) return {std::string(state::kApplied), "", {}};
        if (satisfied > 0) return partly();
        for (const Outcome o : {Outcome::Impossible, Outcome::Conflicting, Outcome::Ignored}) {
            if (const SubjectOutcome* v = first(o)) return whole(o, *v);
        }
        return whole(Outcome::Unmatched, *failed_.front());
    }

private:
    [[nodiscard]] const SubjectOutcome* first(Outcome o) const {
        const auto it =
            std::find_if(failed_.begin(), failed_.end(), [&](const SubjectOutcome* v) { return v->outcome == o; });
        return it == failed_.end() ? nullptr : *it;
    }

    [[nodiscard]] std::string failures() const {
        std::vector<std::string> parts;
        for (const SubjectOutcome* v : failed_) {
            std::string part = text::escaped(v->subject) + ": " + v->why;
            if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
        }
        return text::join(parts, "; ");
    }

    [[nodiscard]] std::string firstFix() const {
        for (const SubjectOutcome* v : failed_) {
            if (!v->fix.empty()) return v->fix;
        }
        return {};
    }

    Conclusion partly() const {
        std::vector<std::string> subjects;
        Conclusion out{std::string(state::kPartlyApplied), failures(), {}};
        add(out, "HNT-007", "is satisfied for some of its subjects only: " + out.reason);
        return out;
    }

    Conclusion whole(Outcome outcome, const SubjectOutcome& v) const {
        const std::string why = bySubject_.size() > 1 ? failures() : v.why;
        switch (outcome) {
        case Outcome::Impossible: {
            Conclusion out{std::string(state::kImpossible), why, {}};
            add(out, "HNT-008", "is impossible: " + why);
            return out;
        }
        case Outcome::Conflicting: {
            Conclusion out{std::string(state::kConflicting), why, {}};
            add(out, "HNT-006", "is in conflict: " + why);
            return out;
        }
        case Outcome::Unmatched: {
            Conclusion out{std::string(state::kUnmatched), why, {}};
            add(out, "HNT-005", "has no subject: " + why);
            return out;
        }
        case Outcome::Ignored:
        case Outcome::Applied:
            break;
        }
        Conclusion out{std::string(state::kIgnored), why, {}};
        add(out, "HNT-007", "is ignored: " + why);
        return out;
    }

    void add(Conclusion& out, std::string code, const std::string& what) const {
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = std::move(code);
        d.where = "/hints/" + std::to_string(position_);
        d.message = "hint " + nameOf(hint_) + " " + what;
        d.hint = firstFix();
        out.problems.push_back(std::move(d));
    }

    std::size_t position_;
    const Hint& hint_;
    std::map<std::string, std::vector<const SubjectOutcome*>, std::less<>> bySubject_;
    std::vector<const SubjectOutcome*> failed_;
};

bool hasRun(std::string_view pass, const std::vector<std::string>& ran) {
    return std::find(ran.begin(), ran.end(), pass) != ran.end();
}

SubjectOutcome undecided(std::size_t position, const Hint& hint, const std::string& subject, const KindInfo* kind,
                         const std::vector<std::string>& ran, const WhyUndecided& why) {
    SubjectOutcome v{position, subject, Outcome::Ignored, "", ""};
    if (kind == nullptr) {
        v.why = "no pass of this target reads it";
    } else if (!kind->isRead) {
        v.why = "no pass of this version reads the hint \"" + hint.key + "\"";
    } else if (!hasRun(kind->pass, ran)) {
        v.why = "the pass " + std::string(kind->pass) + " that reads it did not run";
    } else {
        Undecided known = why ? why(hint, subject) : Undecided{};
        v.why = std::move(known.why);
        v.fix = std::move(known.fix);
        if (v.why.empty()) v.why = "the pass " + std::string(kind->pass) + " had nothing to decide for it";
    }
    return v;
}

/// A hint that says again what another one says has the other's outcomes: a pass looks at one of them only. Levels of
/// loops are no repetition: the second is inside the first.
class Twins {
public:
    Twins(std::span<const Hint> given, std::span<const SubjectOutcome> outcomes) : given_(given) {
        for (const SubjectOutcome& v : outcomes) {
            if (v.hint < given.size()) judged_[{given[v.hint].key, v.subject}].push_back(&v);
        }
    }

    [[nodiscard]] std::vector<SubjectOutcome> outcomesFor(std::size_t position, const std::string& subject) const {
        const Hint& hint = given_[position];
        const auto at = judged_.find({hint.key, subject});
        if (at == judged_.end() || hint.key == "slices") return {};
        std::vector<SubjectOutcome> found;
        std::optional<std::size_t> twin;
        for (const SubjectOutcome* v : at->second) {
            if (twin && v->hint != *twin) continue;
            if (!twin && !saysTheSame(hint, given_[v->hint])) continue;
            twin = v->hint;
            found.push_back(*v);
            found.back().hint = position;
        }
        return found;
    }

private:
    static bool saysTheSame(const Hint& a, const Hint& b) { return a.enabled && b.enabled && a.value == b.value; }

    std::span<const Hint> given_;
    std::map<std::pair<std::string, std::string>, std::vector<const SubjectOutcome*>> judged_;  ///< by key and subject
};

}  // namespace

std::string reasonWithFix(const Conclusion& c) {
    const auto fixed = std::ranges::find_if(c.problems, [](const Diagnostic& d) { return !d.hint.empty(); });
    return c.reason.empty() || fixed == c.problems.end() ? c.reason : c.reason + " (" + fixed->hint + ")";
}

std::vector<Conclusion> conclude(std::span<const Hint> given, std::span<const SubjectOutcome> outcomes,
                                 const std::vector<std::string>& ranPasses, const TargetId& target,
                                 const WhyUndecided& whyUndecided) {
    std::vector<std::vector<const SubjectOutcome*>> byHint(given.size());
    for (const SubjectOutcome& v : outcomes) {
        if (v.hint < given.size()) byHint[v.hint].push_back(&v);
    }
    const Twins twins(given, outcomes);
    std::vector<Conclusion> out;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Hint& hint = given[i];
        if (!hint.enabled) {
            out.push_back({std::string(state::kDisabled), "", {}});
            continue;
        }
        std::vector<SubjectOutcome> missing;
        for (const std::string& subject : hint.scopes) {
            const bool judged = std::any_of(byHint[i].begin(), byHint[i].end(),
                                            [&](const SubjectOutcome* v) { return v->subject == subject; });
            if (judged) continue;
            std::vector<SubjectOutcome> ofTwin = twins.outcomesFor(i, subject);
            if (ofTwin.empty())
                ofTwin.push_back(undecided(i, hint, subject, kindOf(hint, target), ranPasses, whyUndecided));
            for (SubjectOutcome& v : ofTwin)
                missing.push_back(std::move(v));
        }
        std::vector<const SubjectOutcome*> all = byHint[i];
        for (const SubjectOutcome& v : missing)
            all.push_back(&v);
        out.push_back(Concluder(i, hint, all).run());
    }
    return out;
}

}  // namespace memplan::hints

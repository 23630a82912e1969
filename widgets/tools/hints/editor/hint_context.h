// SPDX-License-Identifier: GPL-3.0-or-later
// What the hint editor knows of the open document: enough to check a hint before any compile (user-experience 11.3)
// and to say what it would mean in the plan on screen.
#pragma once

#include "engine/hints/validate.h"
#include "engine/plan/plan.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace memplan::ui {

struct HintCheck {
    bool ok = true;            ///< false: must not be committed
    bool isWarning = false;    ///< may be committed, but will not do what it says
    bool isUnmatched = false;  ///< a subject does not exist (HNT-005)
    QString text;              ///< the reason, or what the hint means in numbers
    bool isOpen = false;       ///< nothing is wrong yet: a field of the form is still empty
};

class HintContext {
public:
    void setDocument(const TargetId& target, const Settings& settings, std::shared_ptr<const Graph> graph);
    void setSettings(const Settings& settings) { settings_ = settings; }
    void setPlan(PlanPtr plan);
    /// All hints of the document, those of its file first; sizes of named dimensions stand in them.
    void setHints(std::vector<Hint> hints) { hints_ = std::move(hints); }

    /// Addresses in values are written as the window's switch says (2.10).
    void setHexAddresses(bool on) { hexAddresses_ = on; }
    [[nodiscard]] bool hexAddresses() const { return hexAddresses_; }

    [[nodiscard]] TargetId target() const { return target_; }
    [[nodiscard]] const PlanPtr& plan() const { return plan_; }
    [[nodiscard]] const hints::Subjects& subjects() const { return subjects_; }
    [[nodiscard]] hints::World world() const;

    [[nodiscard]] HintCheck check(const Hint& hint) const;
    /// Subjects of the hint that the document does not have; none without a graph.
    [[nodiscard]] std::vector<hints::Scope> missing(const Hint& hint) const;
    [[nodiscard]] hints::AllowedValues allowed(const hints::KindInfo& kind,
                                               const std::vector<hints::Scope>& scopes) const;
    /// Subjects of a kind as one types them, for completion: "exp", "group softmax".
    [[nodiscard]] QStringList subjectNames(const hints::KindInfo& kind) const;
    /// What was typed, as scopes: names parted by commas; a name that exists for no kind is kept as the first kind.
    [[nodiscard]] std::vector<hints::Scope> readSubjects(const hints::KindInfo& kind, const QString& text) const;
    [[nodiscard]] QString subjectText(const hints::KindInfo& kind, const std::vector<hints::Scope>& scopes) const;

private:
    [[nodiscard]] bool isGraphInput(const std::string& tensor) const;
    [[nodiscard]] QString futileText(const Hint& hint) const;
    [[nodiscard]] QString remark(const Hint& hint) const;
    [[nodiscard]] QString addressRemark(const Hint& hint) const;

    TargetId target_;
    Settings settings_;
    std::shared_ptr<const Graph> graph_;
    PlanPtr plan_;
    std::vector<Hint> hints_;
    bool hexAddresses_ = false;
    hints::Subjects subjects_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the window finds out about a plan after it is on screen, by compiling or by asking the operation model
// (user-experience 8.7 to 8.9): suggestions that were tried, what each part gained, what other memory would give.
#pragma once

#include "engine/plan/ttnn_data.h"

#include <QString>

#include <optional>
#include <vector>

namespace memplan::ui {

/// A finding with the change that may lift it.
struct ChainOffer {
    enum class State { Waiting, Better, NoGain, Failed, NoChange };
    QString code;     ///< "TT-051"
    QString finding;  ///< what and why, with numbers
    QString change;   ///< in words; empty: none is known
    QString effect;   ///< of the trial, in numbers
    State state = State::NoChange;
    std::vector<OpId> ops;  ///< where it is
    int chain = -1;         ///< of the record that it is about; -1: none in particular
    int times = 1;          ///< alike findings
    bool canApply = true;   ///< false: it is a change of the source, which is the user's
    bool resolves = false;  ///< the failed chain is completed with it: in the trial, while it waits for the solver
    [[nodiscard]] bool isOffered() const { return state == State::Better && canApply; }
    /// The same change answers another finding.
    [[nodiscard]] bool isSameChange(const ChainOffer& o) const {
        return state == o.state && canApply == o.canApply && resolves == o.resolves && change == o.change &&
               effect == o.effect;
    }
    friend bool operator==(const ChainOffer&, const ChainOffer&) = default;
};

struct ChainAdvice {
    std::vector<ChainOffer> offers;  ///< best first
    QString state;                   ///< "3 of 8 tried"
    std::vector<QString> tried;      ///< names of the changes (nameOfChange) that were compiled
    bool isRunning = false;
    bool canRun = false;  ///< a button begins the trials
    friend bool operator==(const ChainAdvice&, const ChainAdvice&) = default;
};

/// Of a hint "break_chain:matmul_e", of a setting "ttnn.row_major=true": the same change has the same name.
[[nodiscard]] inline QString nameOfChange(const QString& key, const QString& of) {
    return key + (key.contains(u'.') ? u'=' : u':') + of;
}

/// A step of "What each part gained".
struct ChainPartRow {
    QString title;  ///< "+ concat"
    QString why;    ///< of a failed compile
    std::optional<TtnnGoals> goals;
    bool isCurrent = false;
};

struct ChainParts {
    std::vector<ChainPartRow> rows;
    QString state;
    bool isRunning = false;
    bool canRun = false;
};

/// What one kind of memory would give the selected operation.
struct ChainTradeOff {
    QString memory;   ///< "sharded L1"
    QString words;    ///< benefit and cost
    QString layout;   ///< "L1 HS 64x1"; empty: there is none
    QString message;  ///< why it is not possible
    bool isPossible = false, isCurrent = false, canUse = false;
    double ns = 0, conversionNs = 0, totalNs = 0, differenceNs = 0;
    QString boundBy;
    std::int64_t cores = 0;
    Bytes shardBytes = 0, need = 0, room = 0, dramBytes = 0;
    int conversions = 0, accepting = 0, readers = 0;
};

struct ChainTradeOffs {
    OpId op;
    std::vector<ChainTradeOff> rows;
    QString state;  ///< in place of rows
};

}  // namespace memplan::ui

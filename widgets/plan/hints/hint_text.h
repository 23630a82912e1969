// SPDX-License-Identifier: GPL-3.0-or-later
// Hints in the window's words (user-experience 11, hints.md 5): subjects, values as one types them, states, and the
// texts of the undo history.
#pragma once

#include "engine/hints/kinds.h"
#include "widgets/kit/theme/theme.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace memplan::ui {

/// "Pin on chip"; the bare key for a kind that this target does not know.
[[nodiscard]] QString hintKindTitle(const Hint& hint, const TargetId& target);
/// "q, k, v", "document", "group softmax"; operations and buffers by their bare ids.
[[nodiscard]] QString hintSubjectText(const Hint& hint);

/// The value as it is shown and typed: "yes", "16 384", "c0 8, c1 4", "grid 8x8, buffer l1"; JSON where no shorter
/// form exists. `kind` may be null: then the JSON itself. `hexAddresses`: addresses as "0x4000" (2.10).
[[nodiscard]] QString hintValueText(const hints::KindInfo* kind, const HintValue& value, bool hexAddresses = false);

struct ReadValue {
    std::optional<HintValue> value;  ///< empty when the text has no such form
    QString why;                     ///< what is wrong with the text then
};
/// The other way round. Numbers may have separators, 0x, KiB and MiB; text that begins with { or [ is taken as JSON.
[[nodiscard]] ReadValue readHintValue(const hints::KindInfo& kind, const QString& text);

/// Text of the undo history: "Pin y on chip", "Fixed address of y: 16 384".
[[nodiscard]] QString hintCommandText(const Hint& hint, const TargetId& target);

/// How a state looks: glyph, word and colour, never colour alone.
struct HintStateLook {
    QString word;  ///< "applied", "pending", "off", "impossible"
    QString iconName;
    Token token = Token::Text2;
};
/// State not known because no plan was made with the hint as it stands.
inline constexpr std::string_view kPendingHint = "pending";
[[nodiscard]] HintStateLook hintStateLook(std::string_view state);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/setting_words.h"

#include <QCoreApplication>

namespace memplan::ui {
namespace {

struct ValueHelp {
    std::string_view key, value;
    const char* text;
};

/// settings.md 1.
constexpr ValueHelp kHelp[]{
    {"preset", "product", QT_TRANSLATE_NOOP("Setting", "What users of the compiler run today.")},
    {"preset", "seed", QT_TRANSLATE_NOOP("Setting", "The compiler as it began: no planning unless you switch it on.")},
    {"preset", "best",
     QT_TRANSLATE_NOOP("Setting", "Every pass that can improve a plan, the exact solver for up to 2 s. Slower.")},
};

}  // namespace

QString settingValueHelp(std::string_view key, std::string_view value) {
    for (const ValueHelp& help : kHelp)
        if (help.key == key && help.value == value) return QCoreApplication::translate("Setting", help.text);
    return {};
}

}  // namespace memplan::ui

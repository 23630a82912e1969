// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/targets/spyre.h"

#include "widgets/plan/units.h"

#include <QCoreApplication>

namespace memplan::app {
namespace {

constexpr std::string_view kSolver = "spyre.layout_solver";
constexpr SettingWord kSolverWord{kSolver, QT_TRANSLATE_NOOP("Target", "Solver")};
constexpr SettingWord kCores{"spyre.cores", QT_TRANSLATE_NOOP("Target", "Cores")};
constexpr SettingWord kReserve{"spyre.lx_reserved_fraction", QT_TRANSLATE_NOOP("Target", "LX reserve")};

constexpr ToolSetting kToolBar[]{
    {kSolverWord, QT_TRANSLATE_NOOP("Target", "Solver"), "solverCombo", 0, true},
    {kCores, QT_TRANSLATE_NOOP("Target", "Cores"), "coresSpin", 66, false},
    {kReserve, QT_TRANSLATE_NOOP("Target", "Share of LX reserved for the back end"), "reserveSpin", 76, false},
};

constexpr const char* kOrdering[]{"spyre.solver_ordering"};
constexpr const char* kAnnealing[]{"spyre.annealing_start", "spyre.annealing_steps"};
constexpr const char* kExact[]{"spyre.exact_cost"};
constexpr SolverParameters kSolverParameters[]{
    {"firstfit", kOrdering}, {"bestfit", kOrdering}, {"annealing", kAnnealing}, {"exact", kExact}};

constexpr const char* kOfGraphs[]{"preset",
                                  "engine.time_limit_seconds",
                                  "engine.seed",
                                  "spyre.co_optimize",
                                  "spyre.co_optimize_variants",
                                  "spyre.co_optimize_leaves"};
/// A list of buffers has no operations whose division could be searched with.
constexpr const char* kOfLists[]{"preset", "engine.time_limit_seconds", "engine.seed"};

constexpr SettingWord kTrialChoices[]{
    {"preset", QT_TRANSLATE_NOOP("Target", "Preset")},
    kSolverWord,
    {"spyre.lx_capacity_rule", QT_TRANSLATE_NOOP("Target", "Capacity rule")},
    {"spyre.co_optimize", QT_TRANSLATE_NOOP("Target", "Co-optimisation")},
};

constexpr ValueWord kValueWords[]{
    {"spyre.lx_capacity_rule", "seed", QT_TRANSLATE_NOOP("Target", "The reserve is a share of the whole LX memory.")},
    {"spyre.lx_capacity_rule", "reserved64k",
     QT_TRANSLATE_NOOP("Target", "64 KiB are taken first; the reserve is a share of the rest.")},
};

QString planWords(const Plan& plan) {
    if (!plan.settings.boolean("spyre.lx_planning")) return QCoreApplication::translate("Target", "no LX planning");
    return ui::fromStd(plan.settings.text(kSolver));
}

constexpr CodeFamily kCodes[]{
    {"BND", QT_TRANSLATE_NOOP("Target", "Bundles: compiled Spyre kernels, wrapper sources, what belongs beside them, "
                                        "and exported plans.")},
    {"LAY", QT_TRANSLATE_NOOP("Target", "Spyre: layouts in sticks of 128 bytes.")},
    {"PAD", QT_TRANSLATE_NOOP("Target", "Spyre: padding to whole sticks.")},
    {"NAM", QT_TRANSLATE_NOOP("Target", "Spyre: names of dimensions.")},
    {"SPN", QT_TRANSLATE_NOOP("Target", "Spyre: the span of memory that one core may address (256 MiB).")},
    {"WDV", QT_TRANSLATE_NOOP("Target", "Spyre: dividing work over cores.")},
    {"CT", QT_TRANSLATE_NOOP("Target", "Spyre: coarse tiling and loop groups.")},
    {"LX", QT_TRANSLATE_NOOP("Target", "Spyre: why a buffer is not in the LX scratchpad.")},
};

constexpr TargetUi kSpyre{
    "spyre",
    "Spyre",
    kToolBar,
    kSolver,
    kSolverParameters,
    kOfGraphs,
    kOfLists,
    kCores,
    {kReserve.key, QT_TRANSLATE_NOOP("Target", "LX reserved fraction")},
    kTrialChoices,
    &planWords,
    QT_TRANSLATE_NOOP("Target", "neutral graph JSON, ONNX models (opsets 7 to 28), bundle folders, wrapper sources"),
    QT_TRANSLATE_NOOP("Target", "bundle.mlir and the sdsc files of every kernel, with output_code.py."),
    kCodes,
    kValueWords,
};

}  // namespace

const TargetUi& spyreUi() {
    return kSpyre;
}

}  // namespace memplan::app

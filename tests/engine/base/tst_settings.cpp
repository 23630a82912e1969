// SPDX-License-Identifier: Apache-2.0
// The settings table (settings.md): every row, presets, refusals.
#include "engine/settings/settings.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>

using namespace memplan;

using test::q;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Keys as settings.md lists them, written down by hand from its tables.
const char* const kKeys =
    "preset engine.threads engine.seed engine.time_limit_seconds engine.snapshots "
    "plan.execution sim.memory_bytes sim.auto "
    "limits.json_bytes limits.onnx_bytes limits.text_bytes limits.csv_bytes limits.csv_rows limits.nesting "
    "limits.graph_tensors limits.graph_ops limits.nodes limits.values limits.node_attributes limits.node_operands "
    "limits.folded_elements limits.folded_bytes limits.import_memory_bytes limits.idle_seconds limits.import_seconds "
    "limits.name_bytes limits.splice_depth "
    "spyre.cores spyre.global_stick_optimizer spyre.chunk_large_tensors spyre.span_rule spyre.coarse_tiling "
    "spyre.reorder_interlopers spyre.tile_read_copies spyre.tile_read_copies_always spyre.copy_when_input_internal "
    "spyre.ignore_hints spyre.k_fast "
    "spyre.matmul_cost_model spyre.lx_planning spyre.lx_reserved_fraction spyre.lx_capacity_rule spyre.lx_size_rule "
    "spyre.allow_all_ops_in_lx spyre.lx_ops spyre.lx_in_place_ops spyre.lx_eligibility spyre.layout_solver "
    "spyre.solver_ordering spyre.annealing_start spyre.annealing_steps spyre.exact_cost spyre.co_optimize "
    "spyre.co_optimize_variants spyre.co_optimize_leaves spyre.co_optimize_objective "
    "spyre.co_optimize_tilings spyre.calibration "
    "spyre.cost_edition spyre.loop_reread_once spyre.clone_inputs spyre.boundary_clones "
    "spyre.free_renaming spyre.eviction spyre.reorder_ops spyre.solver_clones spyre.ring_transfers "
    "spyre.elide_read_copies spyre.safe_boundaries spyre.hbm_pool spyre.fusion spyre.unroll_loops spyre.stride_model "
    "spyre.address_mode "
    "spyre.seed_listing "
    "ttnn.arch ttnn.system_desc ttnn.optimization_level ttnn.enable_optimizer ttnn.memory_layout_analysis "
    "ttnn.policy ttnn.l1_interleaved_fallback ttnn.memreconfig ttnn.max_legal_layouts ttnn.row_major "
    "ttnn.l1_usage_cap ttnn.l1_reserved_bytes ttnn.insert_memreconfig ttnn.override_output_layout "
    "ttnn.override_conv2d_config ttnn.override_conv3d_config ttnn.function ttnn.mesh_shape ttnn.check_unique_locs "
    "ttnn.fusing "
    "ttnn.strict_l1_accounting ttnn.conservative_matmul_cb ttnn.conversion_op ttnn.concat_chains "
    "ttnn.reshape_reservations ttnn.fork_reservations ttnn.chain_merging ttnn.merge_any_operand "
    "ttnn.validate_op_layouts ttnn.address_simulation ttnn.advice ttnn.advice_trials ttnn.keep_names "
    "ttnn.debug_info "
    "torchwright.d torchwright.d_head torchwright.d_hidden torchwright.max_layers torchwright.local_in_attention "
    "torchwright.pressure_threshold torchwright.assume_zero_init torchwright.admission_control "
    "torchwright.admission_budget_fraction torchwright.admission_min_chains torchwright.admission_min_peak_width "
    "torchwright.optimize torchwright.fuse torchwright.weights torchwright.verify torchwright.verify_tolerance "
    "torchwright.plateau_share torchwright.isolate torchwright.as_inputs torchwright.stub torchwright.advice "
    "torchwright.advice_trials torchwright.plateau_min_layers";

QString codeOf(const Pairs& pairs) {
    const auto settings = Settings::fromPairs(pairs);
    return settings.ok() ? QString("ok") : q(settings.error().primary().code);
}

void addRows() {
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < allSettings().size(); ++i) {
        QTest::newRow(std::string(allSettings()[i].key).c_str()) << static_cast<int>(i);
    }
}

}  // namespace

class TestSettings : public QObject {
    Q_OBJECT

private slots:
    void table_hasExactlyTheKeysOfTheSpecification() {
        const QStringList expected = q(kKeys).split(' ');
        QStringList actual;
        for (const SettingInfo& info : allSettings())
            actual << q(info.key);
        QCOMPARE(actual, expected);
        QCOMPARE(QSet<QString>(actual.begin(), actual.end()).size(), actual.size());
    }

    void row_defaultSeedAndBest_areAccepted_data() { addRows(); }
    void row_defaultSeedAndBest_areAccepted() {
        QFETCH(int, row);
        const SettingInfo& info = allSettings()[static_cast<std::size_t>(row)];
        QVERIFY(!info.help.empty());
        Settings settings;
        QVERIFY2(settings.set(info.key, info.defaultValue).ok(), "default is not in its own range");
        QCOMPARE(q(settings.textOf(info.key)), q(info.defaultValue));
        for (const std::string_view other : {info.seedValue, info.bestValue}) {
            if (!other.empty()) QVERIFY(settings.set(info.key, other).ok());
        }
    }

    void row_valueOutsideItsRange_isSet002_data() { addRows(); }
    void row_valueOutsideItsRange_isSet002() {
        QFETCH(int, row);
        const SettingInfo& info = allSettings()[static_cast<std::size_t>(row)];
        const bool isNumeric = info.type == SettingType::Int || info.type == SettingType::Num;
        if (isNumeric) {
            QVERIFY(info.min < info.max);
            QCOMPARE(codeOf({{std::string(info.key), "-1"}}), "SET-002");
            QCOMPARE(codeOf({{std::string(info.key), "1e301"}}), "SET-002");
            QCOMPARE(codeOf({{std::string(info.key), "nan"}}), "SET-002");
        }
        const bool isText = info.type == SettingType::Text || info.type == SettingType::Path;
        QCOMPARE(codeOf({{std::string(info.key), isText ? "a\nb" : "no such value"}}), "SET-002");
    }

    void bool_acceptsThreeSpellings() {
        Settings s;
        for (const char* on : {"true", "1", "on"}) {
            QVERIFY(s.set("spyre.k_fast", on).ok());
            QVERIFY(s.boolean("spyre.k_fast"));
        }
        for (const char* off : {"false", "0", "off"}) {
            QVERIFY(s.set("spyre.k_fast", off).ok());
            QVERIFY(!s.boolean("spyre.k_fast"));
        }
        QVERIFY(!s.set("spyre.k_fast", "yes").ok());
    }

    void unknownKey_namesTheNearest() {
        const auto settings = Settings::fromPairs(Pairs{{"spyre.core", "8"}});
        QVERIFY(!settings.ok());
        QCOMPARE(q(settings.error().primary().code), "SET-001");
        QVERIFY(q(settings.error().primary().hint).contains("spyre.cores"));
    }

    void solverAliases_becomeCanonical() {
        Settings s;
        QVERIFY(s.set("spyre.layout_solver", "cpsat").ok());
        QCOMPARE(q(s.text("spyre.layout_solver")), "exact");
        QVERIFY(s.set("spyre.layout_solver", "simulated_annealing").ok());
        QCOMPARE(q(s.text("spyre.layout_solver")), "annealing");
        QVERIFY(!canonicalSolverName("simplex"));
    }

    void preset_isAppliedFirst_explicitValuesWin() {
        const auto s = Settings::fromPairs(Pairs{{"spyre.lx_planning", "true"}, {"preset", "seed"}});
        QVERIFY(s.ok());
        QVERIFY(s.value().boolean("spyre.lx_planning"));     // explicit, although seed says false
        QVERIFY(!s.value().boolean("spyre.coarse_tiling"));  // from the preset
        QCOMPARE(q(s.value().text("spyre.lx_size_rule")), "max_users");
        QCOMPARE(q(s.value().text("spyre.lx_in_place_ops")), "exp,sub");
        QCOMPARE(q(s.value().text("torchwright.local_in_attention")), "always");
        QCOMPARE(s.value().integer("ttnn.max_legal_layouts"), 8);
        QVERIFY(s.value().isExplicit("spyre.lx_planning"));
        QVERIFY(!s.value().isExplicit("spyre.coarse_tiling"));
    }

    void preset_best_usesTheExactSolverWithTwoSeconds() {
        const auto s = Settings::fromPairs(Pairs{{"preset", "best"}});
        QVERIFY(s.ok());
        QCOMPARE(q(s.value().text("spyre.layout_solver")), "exact");
        QCOMPARE(s.value().number("engine.time_limit_seconds"), 2.0);
        QVERIFY(s.value().boolean("spyre.co_optimize"));
    }

    void preset_setAgain_resetsWhatWasNotExplicit() {
        Settings s;
        QVERIFY(s.set("spyre.cores", "8").ok());
        QVERIFY(s.set("preset", "seed").ok());
        QVERIFY(s.set("preset", "product").ok());
        QCOMPARE(s.integer("spyre.cores"), 8);
        QVERIFY(s.boolean("spyre.lx_planning"));
    }

    void sameKeyTwice_lastWins() {
        const auto s = Settings::fromPairs(Pairs{{"spyre.cores", "8"}, {"spyre.cores", "16"}});
        QVERIFY(s.ok());
        QCOMPARE(s.value().integer("spyre.cores"), 16);
    }

    void optimizationLevel_fillsOnlyWhatIsNotExplicit() {
        const auto zero = Settings::fromPairs(Pairs{{"ttnn.optimization_level", "0"}});
        QVERIFY(!zero.value().boolean("ttnn.enable_optimizer"));
        const auto one = Settings::fromPairs(Pairs{{"ttnn.optimization_level", "1"}});
        QVERIFY(one.value().boolean("ttnn.enable_optimizer"));
        QVERIFY(!one.value().boolean("ttnn.memory_layout_analysis"));
        const auto kept = Settings::fromPairs(Pairs{{"ttnn.enable_optimizer", "on"}, {"ttnn.optimization_level", "0"}});
        QVERIFY(kept.value().boolean("ttnn.enable_optimizer"));
        QVERIFY(Settings().boolean("ttnn.memory_layout_analysis"));  // level 2 by default
    }

    void forbiddenCombinations_areSet003() {
        QCOMPARE(codeOf({{"torchwright.d", "1000"}, {"torchwright.d_head", "16"}}), "SET-003");
        QCOMPARE(codeOf({{"torchwright.d", "1008"}, {"torchwright.d_head", "16"}}), "ok");
        QCOMPARE(codeOf({{"torchwright.admission_control", "on"}, {"torchwright.optimize", "1"}}), "SET-003");
    }

    void settingsWithoutEffect_isEmpty_everySettingIsRead() {
        QVERIFY(settingsWithoutEffect(Settings()).empty());
        for (const SettingInfo& info : allSettings()) {
            const auto s = Settings::fromPairs(Pairs{{std::string(info.key), std::string(info.defaultValue)}});
            QVERIFY2(s.ok(), info.key.data());
            QVERIFY2(settingsWithoutEffect(s.value()).empty(), info.key.data());
        }
    }

    /// A switch that changes nothing must say so (SET-004), and one that works must not.
    void inUse_saysWhatTheSourcesDo() {
        QByteArray sources;
        for (const char* folder : {"/engine", "/app"}) {
            QDirIterator it(QString(MEMPLAN_SOURCE_DIR) + folder, {"*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
            while (it.hasNext()) {
                QFile file(it.next());
                const bool isTable =
                    file.fileName().contains("/engine/settings/") || file.fileName().endsWith("/settings.cpp");
                if (!isTable && file.open(QIODevice::ReadOnly)) sources += file.readAll();
            }
        }
        QVERIFY(!sources.isEmpty());
        for (const SettingInfo& info : allSettings()) {
            // Read by the settings themselves, and by keys that are put together.
            if (info.key == "preset" || info.key.starts_with("limits.")) continue;
            const bool isRead = sources.contains('"' + QByteArray(info.key.data(), qsizetype(info.key.size())) + '"');
            if (isRead == info.inUse) continue;
            QFAIL(qPrintable(QString("inUse of %1 is %2, the sources say otherwise").arg(q(info.key)).arg(info.inUse)));
        }
    }

    void limits_areBoundedByTheHardMaximum() {
        QCOMPARE(codeOf({{"limits.json_bytes", "1073741824"}}), "ok");
        QCOMPARE(codeOf({{"limits.json_bytes", "1073741825"}}), "SET-002");
        QCOMPARE(codeOf({{"limits.nesting", "257"}}), "SET-002");
    }
};

MEMPLAN_TEST(TestSettings)
#include "tst_settings.moc"

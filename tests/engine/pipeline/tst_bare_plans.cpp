// SPDX-License-Identifier: Apache-2.0
// Plans that state no more than the contract asks for (command-line "Plan file"): no key that starts with x_, no metric
// beyond the six. What is not stated is derived or not judged, never a violation.
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/samples.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "tests/support/graph_samples.h"
#include "tests/support/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <optional>
#include <set>

using namespace memplan;

namespace {

using Pairs = io::SettingPairs;

QJsonValue stripped(const QJsonValue& value) {
    if (value.isArray()) {
        QJsonArray out;
        for (const QJsonValue& item : value.toArray())
            out.append(stripped(item));
        return out;
    }
    if (!value.isObject()) return value;
    QJsonObject out;
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (!it.key().startsWith(QStringLiteral("x_"))) out.insert(it.key(), stripped(it.value()));
    }
    return out;
}

std::string onlyTheContract(const std::string& text, bool withRecord) {
    static const std::set<QString> kMetrics{"main_memory_read_bytes", "main_memory_write_bytes",
                                            "pinned_bytes",           "upper_bound_bytes",
                                            "core_utilisation",       "estimated_microseconds"};
    QJsonObject plan = stripped(QJsonDocument::fromJson(QByteArray::fromStdString(text)).object()).toObject();
    if (!withRecord) plan.remove("execution");
    if (plan.contains("metrics")) {
        QJsonObject metrics = plan["metrics"].toObject();
        for (const QString& key : metrics.keys()) {
            if (!kMetrics.contains(key)) metrics.remove(key);
        }
        plan["metrics"] = metrics;
    }
    return QJsonDocument(plan).toJson().toStdString();
}

PlanPtr compiled(const io::OpenedInput& input, Pairs settings, const std::string& stopAfter) {
    CompileRequest request;
    request.graph = input.graph;
    request.program = input.program;
    request.input = input.input;
    request.hints = input.graph->hints;
    request.settings = Settings::fromPairs(settings).value();
    request.stopAfter = stopAfter;
    return compile(request, {}).plan;
}

/// First violation of the plan written without what the contract does not ask for; nullopt when it cannot be read.
std::optional<QString> violationOf(const Plan& plan) {
    for (const bool withRecord : {false, true}) {
        const auto read = io::readPlanJson(onlyTheContract(io::writePlanJson(plan), withRecord));
        if (!read) return std::nullopt;
        const std::vector<Diagnostic> found = verifyPlan(read.value());
        if (found.empty()) continue;
        return QString::fromStdString(found.front().code + " " + found.front().where + ": " + found.front().message);
    }
    return QString();
}

}  // namespace

class BarePlans : public QObject {
    Q_OBJECT

private slots:
    void samples_data() {
        QTest::addColumn<int>("sample");
        QTest::addColumn<int>("variant");
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            for (std::size_t v = 0; v <= kVariants.size(); ++v)
                QTest::addRow("%s %d", samples_[s].id.c_str(), static_cast<int>(v))
                    << static_cast<int>(s) << static_cast<int>(v);
        }
    }

    void samples() {
        QFETCH(int, sample);
        QFETCH(int, variant);
        const io::SampleInfo& info = samples_[static_cast<std::size_t>(sample)];
        io::OpenOptions options;
        options.bindings.raw = info.bindings;
        const auto input = io::openInput(info.path, options, {});
        QVERIFY(input.ok());
        Pairs settings = info.settings;
        const auto at = static_cast<std::size_t>(variant);
        if (at > 0) settings.insert(settings.end(), kVariants[at - 1].begin(), kVariants[at - 1].end());
        for (const char* stopAfter : {"", "lower_to_spyre", "work_distribution", "scratchpad_planning.solve"}) {
            const PlanPtr plan = compiled(input.value(), settings, stopAfter);
            QVERIFY(plan != nullptr);
            const auto violation = violationOf(*plan);
            QVERIFY(violation.has_value());
            QVERIFY2(violation->isEmpty(), qPrintable(*violation));
        }
    }

    /// What the other keys say is judged as before: a capacity that is passed, two buffers at one place.
    void violationsAreStillFound() {
        const auto input = io::openInput(samples_.front().path, {}, {});
        QVERIFY(input.ok());
        const PlanPtr plan = compiled(input.value(), samples_.front().settings, "");
        QVERIFY(plan != nullptr);
        Plan overlapping = *plan;
        Plan outside = *plan;
        for (PlanBuffer& b : overlapping.buffers) {
            if (b.address) b.address = 0;
        }
        for (PlanBuffer& b : outside.buffers) {
            if (b.address) b.address = *b.address + outside.memory.capacity;
        }
        QVERIFY(violationOf(overlapping)->startsWith("VER-003"));
        QVERIFY(violationOf(outside)->startsWith("VER-00"));
    }

private:
    /// Loops, moves, clones and kernels of their own, as far as a sample has reason for them.
    const std::vector<Pairs> kVariants{
        {{"spyre.cores", "1"}},
        {{"spyre.eviction", "true"}, {"spyre.boundary_clones", "true"}, {"spyre.solver_clones", "true"}},
        {{"spyre.safe_boundaries", "true"}, {"spyre.co_optimize", "true"}, {"spyre.co_optimize_tilings", "true"}},
        {{"spyre.lx_planning", "false"}},
        {{"preset", "seed"}},
    };
    std::vector<io::SampleInfo> samples_ = test::graphSamples();
};

MEMPLAN_TEST(BarePlans)
#include "tst_bare_plans.moc"

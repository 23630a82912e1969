// SPDX-License-Identifier: Apache-2.0
// What the schedule says of the whole graph: TW-116, TW-117, TW-140 to TW-148 (torchwright.md 19.3, 19.4).
#include "engine/torchwright/advice/sources.h"
#include "engine/torchwright/analysis/paths.h"
#include "engine/torchwright/report/annotation_table.h"
#include "engine/torchwright/report/tiers.h"
#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/texts/advice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace memplan::torchwright {
namespace {

double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

std::vector<NodeId> nodesUnder(const NodeGraph& graph, std::string_view annotation) {
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (annotationName(graph.nodes[i]) == annotation) nodes.push_back(NodeId::of(i));
    return nodes;
}

// ---- TW-116 -----------------------------------------------------------------------------------------------------

void findThin(const AdviceFacts& facts, const AnnotationRow& row, std::int64_t allocated, Findings& out) {
    const double share = percent(static_cast<double>(row.scheduledParams), static_cast<double>(allocated));
    const std::vector<NodeId> nodes = nodesUnder(facts.graph, row.annotation);
    if (share < 5 || row.density() >= 0.05 || nodes.empty()) return;
    const auto countOf = [&](NodeKind kind) {
        return std::ranges::count_if(nodes, [&](NodeId id) { return facts.at(id).is(kind); });
    };
    Finding finding = facts.finding(116, nodes);
    finding.what = {say::kThinAnnotation,      row.annotation,         share, row.density(),
                    countOf(NodeKind::Linear), countOf(NodeKind::Attn)};
    finding.why = {say::kThinAnnotationWhy};
    finding.instead = {say::kThinAnnotationInstead};
    out.push_back(std::move(finding));
}

// ---- TW-140, TW-141 ---------------------------------------------------------------------------------------------

std::vector<std::string> reaches(const AdviceFacts& facts, const CriticalPath& path) {
    const AsapQuestion question{facts.graph, facts.relations, facts.chains, facts.schedule.options.localInAttention};
    std::vector<std::string> texts;
    for (const PathRun& run : targetRuns(path)) {
        std::vector<bool> nodes(facts.graph.size(), false);
        for (int i = run.start; i < run.start + run.nodes; ++i)
            nodes[path.example[static_cast<std::size_t>(i)].at()] = true;
        texts.push_back(run.annotation + ' ' + std::to_string(reachOf(question, facts.asap, nodes)));
    }
    if (texts.empty()) texts.emplace_back("none of 3 operations or more");
    return texts;
}

/// The cause that binds most layers; the earlier one of equals: what a setting can change comes first.
Cause largestCause(const std::array<int, 5>& bindings) {
    Cause largest = Cause::Order;
    for (const Cause cause : {Cause::HeadRoom, Cause::ColumnRoom, Cause::SlotRoom, Cause::Admission}) {
        const int count = bindings[static_cast<std::size_t>(cause)], best = bindings[static_cast<std::size_t>(largest)];
        if (count > best || (count == best && count > 0 && largest == Cause::Order)) largest = cause;
    }
    return largest;
}

const Wording& leverOf(Cause cause) {
    switch (cause) {
    case Cause::HeadRoom:
        return say::kHeadsLever;
    case Cause::ColumnRoom:
        return say::kColumnsLever;
    case Cause::SlotRoom:
        return say::kSlotsLever;
    case Cause::Admission:
        return say::kAdmissionLever;
    case Cause::Order:
        break;
    }
    return say::kOrderLever;
}

std::vector<std::string> bindingTexts(const std::array<int, 5>& bindings) {
    std::vector<std::string> texts;
    for (const Cause cause : {Cause::HeadRoom, Cause::ColumnRoom, Cause::SlotRoom, Cause::Admission, Cause::Order}) {
        const int count = bindings[static_cast<std::size_t>(cause)];
        if (count > 0) texts.push_back(std::string(causeName(cause)) + ' ' + std::to_string(count));
    }
    return texts;
}

// ---- TW-142, TW-143 ---------------------------------------------------------------------------------------------

/// The cluster of which the plateau holds most; its conditions.
struct Culprit {
    Cluster cluster;
    ScopeConditions conditions;
};

std::optional<Culprit> culpritOf(const AdviceFacts& facts, const Plateau& plateau,
                                 const std::vector<Cluster>& clusters) {
    std::optional<Culprit> found;
    for (const Cluster& cluster : clusters) {
        ScopeConditions conditions = conditionsOf(facts.graph, facts.schedule, cluster, {plateau});
        if (found && conditions.plateauShare <= found->conditions.plateauShare) continue;
        found = Culprit{cluster, std::move(conditions)};
    }
    return found;
}

bool isOneCulprit(const Plateau& plateau, const std::optional<Culprit>& culprit) {
    return plateau.isDominated() && culprit && culprit->conditions.areParallel() && culprit->conditions.overflow();
}

Finding oneCulprit(const AdviceFacts& facts, const Plateau& plateau, const Culprit& culprit) {
    const ScopeConditions& c = culprit.conditions;
    const Columns d = facts.schedule.options.d;
    std::vector<NodeId> nodes{culprit.cluster.join};
    for (const ClusterChain& chain : culprit.cluster.chains)
        nodes.push_back(chain.terminal);
    Finding finding = facts.finding(142, nodes);
    finding.what = {say::kPlateauOne,
                    plateau.first,
                    plateau.last,
                    plateau.largest().annotation,
                    100 * plateau.largest().share,
                    c.chains,
                    c.peakWidth,
                    facts.label(culprit.cluster.join)};
    finding.why = {say::kPlateauOneWhy, std::int64_t{c.peakWidth} * c.chains, std::llround(c.freeColumns)};
    finding.instead = {say::kPlateauOneInstead, kByFormula(d, c.peakWidth, 1), kByFormula(d, c.peakWidth, 3)};
    finding.proposal.chains = culprit.cluster.chains;
    return finding;
}

Statement mixedWhy(const Plateau& plateau, const std::optional<Culprit>& culprit) {
    if (!plateau.isDominated()) return {say::kPlateauNoDominantWhy};
    const std::string& owner = plateau.largest().annotation;
    if (!culprit || !culprit->conditions.areParallel()) return {say::kPlateauNotParallelWhy, owner};
    const ScopeConditions& c = culprit->conditions;
    return {say::kPlateauFitsWhy, owner, std::int64_t{c.peakWidth} * c.chains, std::llround(c.freeColumns)};
}

Finding mixedPlateau(const AdviceFacts& facts, const Plateau& plateau, const std::optional<Culprit>& culprit) {
    std::vector<Plateau::Contributor> owners = plateau.contributors;
    std::ranges::stable_sort(owners, std::ranges::greater{}, &Plateau::Contributor::columns);
    if (owners.size() > 3) owners.resize(3);
    std::vector<std::string> texts;
    for (const Plateau::Contributor& owner : owners)
        texts.push_back(owner.annotation + ' ' + std::to_string(std::llround(100 * owner.share)) + " %");
    Finding finding = facts.finding(143, nodesUnder(facts.graph, plateau.largest().annotation));
    finding.what = {say::kPlateauMixed, plateau.first, plateau.last, texts};
    finding.why = mixedWhy(plateau, culprit);
    finding.instead = {say::kPlateauMixedInstead};
    return finding;
}

// ---- TW-144 to TW-146 -------------------------------------------------------------------------------------------

Cluster clusterOf(const ConcurrencyScope& scope) {
    Cluster cluster;
    for (std::size_t i = 0; i < scope.terminals.size(); ++i)
        cluster.chains.push_back({scope.terminals[i], 0, scope.members[i]});
    return cluster;
}

/// Layers of one chain alone, at their earliest.
int depthOf(const AdviceFacts& facts, const std::vector<NodeId>& members) {
    std::set<int> layers;
    for (const NodeId id : members)
        if (!isInputLike(facts.at(id).kind) && !facts.at(id).is(NodeKind::Concatenate))
            layers.insert(facts.asap.layerOf(id));
    return layers.empty() ? 0 : *layers.rbegin() - *layers.begin() + 1;
}

std::string layersText(const Schedule& schedule) {
    return schedule.ok() ? std::to_string(schedule.layerCount()) + " layers" : std::string(resultName(schedule.result));
}

void findGatesNothing(const AdviceFacts& facts, const ConcurrencyScope& scope, int natural, Findings& out) {
    const int chains = static_cast<int>(scope.terminals.size());
    Finding finding = facts.finding(144, scope.terminals);
    finding.severity = Severity::Warning;
    finding.what = scope.k >= chains ? Statement(say::kGatesNothingAtAll, scope.k, chains)
                                     : Statement(say::kGatesNothing, scope.k, natural, chains);
    finding.why = {say::kGatesNothingWhy};
    finding.instead = {say::kGatesNothingInstead, std::min(natural, chains)};
    out.push_back(std::move(finding));
}

void findNearNatural(const AdviceFacts& facts, const ConcurrencyScope& scope, int natural, Findings& out) {
    Finding finding = facts.finding(145, scope.terminals);
    finding.what = {say::kNearNatural, scope.k, natural};
    finding.why = {say::kNearNaturalWhy};
    finding.instead = {say::kNearNaturalInstead};
    out.push_back(std::move(finding));
}

void findIsOne(const AdviceFacts& facts, const ConcurrencyScope& scope, const Schedule* without, Findings& out) {
    int depth = 0;
    for (const std::vector<NodeId>& members : scope.members)
        depth = std::max(depth, depthOf(facts, members));
    const int chains = static_cast<int>(scope.terminals.size());
    Finding finding = facts.finding(146, scope.terminals);
    finding.severity = Severity::Warning;
    finding.what = {say::kIsOne, chains, chains * depth};
    finding.why =
        without != nullptr ? Statement(say::kIsOneAgainstWhy, layersText(*without)) : Statement(say::kIsOneWhy);
    finding.instead = {say::kIsOneInstead};
    out.push_back(std::move(finding));
}

/// Widest query or key of the graph.
Columns widestQuestion(const NodeGraph& graph) {
    Columns widest = 0;
    for (const Node& node : graph.nodes)
        if (node.is(NodeKind::Attn)) widest = std::max(widest, node.attn().qk);
    return widest;
}

}  // namespace

void findThinAnnotations(const AdviceFacts& facts, Findings& out) {
    const std::int64_t allocated = tiersOf(facts.graph, facts.schedule).allocated;
    for (const AnnotationRow& row : annotationTable(facts.graph, facts.schedule))
        findThin(facts, row, allocated, out);
}

void findUnannotated(const AdviceFacts& facts, Findings& out) {
    constexpr std::size_t kFewestNodes = 200;
    const auto nodes = static_cast<std::int64_t>(facts.graph.size());
    std::vector<NodeId> without;
    for (std::size_t i = 0; i < facts.graph.size(); ++i)
        if (facts.graph.nodes[i].annotation.empty()) without.push_back(NodeId::of(i));
    const double share = percent(static_cast<double>(without.size()), static_cast<double>(nodes));
    if (facts.graph.size() < kFewestNodes || share <= 20) return;
    Finding finding = facts.finding(117, without);
    finding.what = {say::kUnannotated, static_cast<std::int64_t>(without.size()), nodes, share};
    finding.why = {say::kUnannotatedWhy};
    finding.instead = {say::kUnannotatedInstead};
    out.push_back(std::move(finding));
}

void findTiedPaths(const AdviceFacts& facts, Findings& out) {
    const CriticalPath path = criticalPathOf(facts.graph, facts.relations);
    if (path.tiedPaths <= 1) return;
    Finding finding = facts.finding(140, path.example);
    finding.what = {say::kTiedPaths, path.tiedPaths, percent(path.nodesOnSome, static_cast<double>(facts.graph.size())),
                    reaches(facts, path)};
    finding.why = {say::kTiedPathsWhy};
    finding.instead = {say::kTiedPathsInstead};
    out.push_back(std::move(finding));
}

void findBoundByScheduling(const AdviceFacts& facts, Findings& out) {
    const int layers = facts.schedule.layerCount(), least = facts.asap.layers;
    if (4 * layers < 5 * least || layers - least < 2) return;
    const std::array<int, 5> bindings = bindingsOf(facts.schedule);
    Finding finding = facts.finding(141, {});
    finding.what = {say::kBoundByScheduling, layers, least, bindingTexts(bindings)};
    finding.why = {say::kBoundBySchedulingWhy, layers - least};
    finding.instead = {leverOf(largestCause(bindings))};
    out.push_back(std::move(finding));
}

void findPlateaus(const AdviceFacts& facts, Findings& out) {
    const std::vector<Plateau> plateaus = plateausOf(facts.graph, facts.schedule, facts.question.plateaus);
    if (plateaus.empty()) return;
    const std::vector<Cluster> clusters = clustersOf(facts.graph, facts.relations, facts.question.clusters);
    for (const Plateau& plateau : plateaus) {
        if (plateau.contributors.empty()) continue;
        const auto culprit = culpritOf(facts, plateau, clusters);
        out.push_back(isOneCulprit(plateau, culprit) ? oneCulprit(facts, plateau, *culprit)
                                                     : mixedPlateau(facts, plateau, culprit));
    }
}

void findScopeConcerns(const AdviceFacts& facts, const Schedule* without, Findings& out) {
    for (const ConcurrencyScope& scope : facts.question.scopes) {
        const int chains = static_cast<int>(scope.terminals.size());
        const int natural = without != nullptr ? naturalInFlight(clusterOf(scope), *without) : chains;
        const KConcern concern = concernOf(scope.k, natural, chains);
        if (concern == KConcern::GatesNothing) findGatesNothing(facts, scope, natural, out);
        if (concern == KConcern::NearNatural && without != nullptr) findNearNatural(facts, scope, natural, out);
        if (concern == KConcern::IsOne) findIsOne(facts, scope, without, out);
    }
}

void findCancelShare(const AdviceFacts& facts, Findings& out) {
    const double share = tiersOf(facts.graph, facts.schedule).cancelShare();
    if (share < 0.3) return;
    Finding finding = facts.finding(147, {});
    finding.what = {say::kCancelShare, 100 * share};
    finding.why = {say::kCancelShareWhy};
    finding.instead = {say::kCancelShareInstead};
    out.push_back(std::move(finding));
}

void findHeadWidth(const AdviceFacts& facts, Findings& out) {
    const double used = headWidthUsed(facts.graph, facts.schedule);
    if (facts.schedule.headsTotal == 0 || used >= 0.25) return;
    const Columns half = facts.dHead() / 2, widest = widestQuestion(facts.graph);
    Finding finding = facts.finding(148, {});
    finding.what = {say::kHeadWidth, 100 * used, facts.dHead()};
    finding.why = {say::kHeadWidthWhy};
    const bool fits = half > 0 && facts.schedule.options.d % half == 0 && widest <= half;
    finding.instead = fits ? Statement(say::kHeadWidthInstead, half) : Statement(say::kHeadWidthNoRoom, widest, half);
    if (fits) finding.proposal.setting = {"torchwright.d_head", std::to_string(half)};
    out.push_back(std::move(finding));
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/ttnn/plan_damage.h"

using namespace memplan::ttnn;

namespace memplan::test {
namespace {

MergeInfo& merge(TtnnData& data, bool isAccepted) {
    const auto it = std::ranges::find(data.record.merges, isAccepted, &MergeInfo::isAccepted);
    if (it == data.record.merges.end()) qFatal("no such merge");
    return *it;
}
Reservation& reservation(TtnnData& data) {
    if (data.record.reservations.empty()) qFatal("no reservation");
    return data.record.reservations.front();
}
EdgeInfo& resharded(TtnnData& data) {
    const auto it = std::ranges::find(data.record.edges, true, &EdgeInfo::isResharded);
    if (it == data.record.edges.end()) qFatal("no edge is resharded");
    return *it;
}
/// A merge that was refused for want of room.
MergeInfo& shortOfRoom(TtnnData& data) {
    const auto it =
        std::ranges::find_if(data.record.merges, [](const MergeInfo& m) { return !m.isAccepted && m.needed > 0; });
    if (it == data.record.merges.end()) qFatal("no merge wants room");
    return *it;
}
EdgeInfo& entry(TtnnData& data) {
    return *std::ranges::find_if(data.record.edges, [](const EdgeInfo& e) { return !e.producer.isValid(); });
}
MatmulProgram& program(TtnnData& data) {
    return *std::get<MatmulAttrs>(named(data, "ttnn.matmul").config).program;
}
std::string& written(TtnnOp& op, const char* attribute) {
    const auto it = std::ranges::find(op.attributes, attribute, &std::pair<std::string, std::string>::first);
    if (it == op.attributes.end()) qFatal("it has no such attribute");
    return it->second;
}

}  // namespace

const Plan& joinedPlan() {
    static const PlanPtr kPlan = [] {
        FunctionBuilder b;
        const ValueId x = b.argument({544, 2048});
        const ValueId gate = b.add("matmul", {x, b.argument({2048, 16384})}, {544, 16384});
        const ValueId up = b.add("matmul", {x, b.argument({2048, 16384})}, {544, 16384});
        const ValueId both = b.add("multiply", {gate, up}, {544, 16384});
        b.giveBack(b.add("matmul", {both, b.argument({16384, 2048})}, {544, 2048}));
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        return compileFunction(b.function).plan;
    }();
    return *kPlan;
}

const std::vector<PlanDamage>& recordDamages() {
    static const std::vector<PlanDamage> kCases{
        {"merge that holds is refused", "VER-008 merge into multiply_2: it is accepted and refused, or neither",
         [](Plan&, TtnnData& d) { merge(d, true).isAccepted = false; }},
        {"refused, with a step", "VER-008 reservation of matmul_1: its purpose is merge, the merges say otherwise",
         [](Plan&, TtnnData& d) {
             MergeInfo& held = merge(d, true);
             held.isAccepted = false;
             held.rejectedBy = "range";
         }},
        {"refused merge holds", "VER-008 merge into multiply_2: it is accepted and refused, or neither",
         [](Plan&, TtnnData& d) { merge(d, false).isAccepted = true; }},
        {"held, without a step", "VER-008 merge into multiply_2: it does not read from L1 the output of chain 0",
         [](Plan&, TtnnData& d) {
             merge(d, false).rejectedBy.clear();
             merge(d, false).isAccepted = true;
         }},
        {"refused for no reason", "VER-008 merge into multiply_2: it is accepted and refused, or neither",
         [](Plan&, TtnnData& d) { merge(d, false).rejectedBy.clear(); }},
        {"refused where there is room",
         "VER-008 merge into multiply_2: it is refused for want of room, but needs 1 B of",
         [](Plan&, TtnnData& d) { merge(d, false).needed = 1; }},
        {"bytes of a merge", "VER-013 merge into multiply_2 bytes: says",
         [](Plan&, TtnnData& d) { merge(d, true).bytes += 32; }},
        {"bytes of a refused merge", "VER-013 merge into multiply_2 bytes: says",
         [](Plan&, TtnnData& d) { merge(d, false).bytes -= 32; }},
        {"operand of a merge", "VER-008 merge into multiply_2: its operand 0 is not the output of chain 1",
         [](Plan&, TtnnData& d) { merge(d, true).operand = 0; }},
        {"operand that is not there", "VER-008 merge into multiply_2: its operand 7 is not the output of chain 1",
         [](Plan&, TtnnData& d) { merge(d, true).operand = 7; }},
        {"chain that is merged into", "VER-008 merge into multiply_2: chain 0 does not have it",
         [](Plan&, TtnnData& d) { merge(d, true).target = 0; }},
        {"chain that is merged", "VER-008 merge into multiply_2: it does not read from L1 the output of chain 0",
         [](Plan&, TtnnData& d) { merge(d, true).sources = {0}; }},
        {"operation that joins", "VER-008 merge into matmul_0: chain 2 does not have it",
         [](Plan&, TtnnData& d) { merge(d, true).joinOp = OpId{0}; }},
        {"operation that would join", "VER-008 merge into matmul_0: chain 2 does not have it",
         [](Plan&, TtnnData& d) { merge(d, false).joinOp = OpId{0}; }},
        {"merge left out", "VER-008 reservation of matmul_1: its purpose is merge, the merges say otherwise",
         [](Plan&, TtnnData& d) { d.record.merges.clear(); }},
        {"reservation left out", "VER-008 merge into multiply_2: nothing is reserved for the output of chain 1",
         [](Plan&, TtnnData& d) { d.record.reservations.clear(); }},
        {"reservation that begins early",
         "VER-008 reservation of matmul_1: it holds positions 1 to 3, its value is there for 2 to 3",
         [](Plan&, TtnnData& d) { --reservation(d).positions.begin; }},
        {"reservation that begins late",
         "VER-008 reservation of matmul_1: it holds positions 3 to 3, its value is there for 2 to 3",
         [](Plan&, TtnnData& d) { ++reservation(d).positions.begin; }},
        {"reservation that ends early",
         "VER-008 reservation of matmul_1: it holds positions 2 to 2, its value is there for 2 to 3",
         [](Plan&, TtnnData& d) { --reservation(d).positions.end; }},
        {"reservation that ends late",
         "VER-008 reservation of matmul_1: it holds positions 2 to 4, its value is there for 2 to 3",
         [](Plan&, TtnnData& d) { ++reservation(d).positions.end; }},
        {"bytes of a reservation", "VER-008 reservation of matmul_1: it holds",
         [](Plan&, TtnnData& d) { reservation(d).bytes += 32; }},
        {"purpose of a reservation", "VER-008 reservation of matmul_1: its purpose is fork, the merges say otherwise",
         [](Plan&, TtnnData& d) { reservation(d).purpose = "fork"; }},
        {"layout of a reshard", "VER-008 edge to conv2d_4: its reshard gives l1 height_sharded 1x1 tile bf16, the",
         [](Plan&, TtnnData& d) {
             resharded(d).reshard->grid = {1, 1};
         }},
        {"reshard without a layout", "VER-008 edge to conv2d_4: it is resharded without a layout, or not resharded",
         [](Plan&, TtnnData& d) { resharded(d).reshard.reset(); }},
        {"reshard that is none", "VER-008 edge to conv2d_4: it is resharded without a layout, or not resharded",
         [](Plan&, TtnnData& d) { resharded(d).isResharded = false; }},
        {"reshard left out", "VER-008 op conv2d_4_mem_reconfig: is a forced reshard, but stands on no edge",
         [](Plan&, TtnnData& d) {
             EdgeInfo& edge = resharded(d);
             edge.isResharded = false;
             edge.reshard.reset();
         }},
        {"operand of an edge", "VER-008 edge to conv2d_4: it has no producer, but is not the entry of chain 3",
         [](Plan&, TtnnData& d) { resharded(d).operand = 1; }},
        {"consumer of an edge", "VER-008 edge to matmul_0: it joins other operations than those of chain 3",
         [](Plan&, TtnnData& d) { resharded(d).consumer = OpId{0}; }},
        {"chain of an edge", "VER-008 edge to conv2d_4: it joins other operations than those of chain 0",
         [](Plan&, TtnnData& d) { resharded(d).chain = 0; }},
        {"edge of no chain", "VER-008 target_data: an edge is of no chain or leads to no operation",
         [](Plan&, TtnnData& d) { resharded(d).chain = -1; }},
        {"edges left out", "VER-008 op conv2d_4_mem_reconfig: is a forced reshard, but stands on no edge",
         [](Plan&, TtnnData& d) { d.record.edges.clear(); }},
        {"limit of a refusal", "VER-008 merge into multiply_2: it says",
         [](Plan&, TtnnData& d) { shortOfRoom(d).available += 1; }},
        {"need of a refusal", "VER-008 merge into multiply_2: its message has other figures than",
         [](Plan&, TtnnData& d) { shortOfRoom(d).needed += 1; }},
        {"step of a refusal", "VER-008 merge into multiply_2: it is refused by weather, which is no step",
         [](Plan&, TtnnData& d) { shortOfRoom(d).rejectedBy = "weather"; }},
        {"chains without operations", "VER-008 chain 0: it has no operation",
         [](Plan&, TtnnData& d) {
             for (ChainInfo& chain : d.record.chains)
                 chain.ops.clear();
         }},
        {"pair of an edge", "VER-008 edge to matmul_0: its chosen pair is none of its configurations",
         [](Plan&, TtnnData& d) { d.record.edges.front().selected.first = 3; }},
        {"entry at another operand", "VER-008 edge to matmul_0: it has no producer, but is not the entry of chain 0",
         [](Plan&, TtnnData& d) { entry(d).operand = 1; }},
        {"kind of a program", "VER-008 op matmul_0: matmul_program_config is written with transpose_mcast",
         [](Plan&, TtnnData& d) { program(d).kind = MatmulProgram::Kind::Multicast2d; }},
        {"cores of a program", "VER-008 op matmul_0: matmul_program_config is written with",
         [](Plan&, TtnnData& d) { program(d).gridX -= 1; }},
        {"rows of cores of a program", "VER-008 op matmul_0: matmul_program_config is written with",
         [](Plan&, TtnnData& d) { program(d).gridY -= 1; }},
        {"depth of a program", "VER-008 op matmul_0: matmul_program_config is written with in0_block_w 2, its",
         [](Plan&, TtnnData& d) { program(d).in0BlockW *= 2; }},
        {"sub-block of a program", "VER-008 op matmul_0: matmul_program_config is written with out_subblock_w 8,",
         [](Plan&, TtnnData& d) { program(d).outSubblockW = 1; }},
        {"block of a program", "VER-008 op matmul_0: matmul_program_config is written with out_block_w 8, its",
         [](Plan&, TtnnData& d) { program(d).outBlockW += 1; }},
        {"broadcast of a program", "VER-008 op matmul_0: matmul_program_config is written with mcast_in0 true, its",
         [](Plan&, TtnnData& d) { program(d).mcastIn0 = !program(d).mcastIn0; }},
        {"batches of a program", "VER-008 op matmul_0: matmul_program_config is written with fuse_batch true,",
         [](Plan&, TtnnData& d) { program(d).fuseBatch = false; }},
        {"program left out", "VER-008 op matmul_0: is written with a program, its configuration has none",
         [](Plan&, TtnnData& d) { std::get<MatmulAttrs>(named(d, "ttnn.matmul").config).program.reset(); }},
        {"program that is written", "VER-008 op matmul_0: its program is written as something else",
         [](Plan&, TtnnData& d) { written(named(d, "ttnn.matmul"), "matmul_program_config").back() = 'x'; }},
        {"configuration of a convolution that is written",
         "VER-008 op conv2d_4: conv2d_config is written with deallocate_activation",
         [](Plan&, TtnnData& d) {
             std::string& text = written(named(d, "ttnn.conv2d"), "conv2d_config");
             text.replace(text.find("true"), 4, "false");
         }},
    };
    return kCases;
}

}  // namespace memplan::test

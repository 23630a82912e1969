// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/sdsc/affine_access.h"

#include "engine/base/numeric.h"
#include "engine/base/small_vector.h"
#include "engine/spyre/bundle/sdsc/work_division.h"

#include <algorithm>
#include <optional>

namespace memplan::bundle {
namespace {

using std::int64_t;

/// Elements by which a loop v moves: elements * floor(v / divisor).
struct Move {
    int64_t divisor = 1, elements = 0;
};
/// Each divisor once.
using Moves = SmallVector<Move, 2>;

/// What the access of an arg has to say of one loop.
struct LoopMoves {
    int64_t slices = 1;              ///< 1 outside of LX
    Moves moves;                     ///< of the whole sum of coordinates
    std::optional<std::size_t> dim;  ///< innermost dimension that it moves, that of its stick apart
};

class Reader {
public:
    Reader(const OpSpec& op, std::size_t arg, int stickLoop)
        : op_(op), index_(arg), arg_(op.args[arg]), stick_(stickLoop) {}

    Result<AffineAccess> run() {
        readTerms();
        if (auto ok = units(); !ok) return ok.error();
        for (std::size_t d = arg_.coordinates.size(); d-- > 0;) {
            if (auto ok = dimension(d); !ok) return ok.error();
        }
        access_.stick = stick_;
        for (std::size_t v = 0; v < loops_.size(); ++v) {
            if (loops_[v].moves.empty()) continue;
            if (auto ok = step(v); !ok) return ok.error();
        }
        placeStickOfOneTile();
        std::stable_sort(access_.steps.begin(), access_.steps.end(), [](const LoopStep& a, const LoopStep& b) {
            return a.stride != b.stride ? a.stride < b.stride : a.dim > b.dim;
        });
        return std::move(access_);
    }

private:
    Error bad(const std::string& what) const {
        return makeError("BND-105", "OpSpec",
                         "argument " + std::to_string(index_) + " of op \"" + op_.op + "\" " + what +
                             ", which the dimension labels of a SuperDSC file cannot express",
                         "copy the tensor into a layout of its own before the operation");
    }

    int64_t extentOf(std::size_t loop) const { return op_.iterationSpace[loop].extent.integer().value_or(1); }

    std::optional<std::size_t> loopNamed(std::string_view symbol) const {
        for (std::size_t v = 0; v < op_.iterationSpace.size(); ++v) {
            if (op_.iterationSpace[v].symbol == symbol) return v;
        }
        return std::nullopt;
    }

    void readTerms() {
        const auto extent = [this](std::string_view symbol) {
            const auto loop = loopNamed(symbol);
            return loop ? extentOf(*loop) : int64_t{1};
        };
        terms_.reserve(arg_.coordinates.size());
        for (const Expr& e : arg_.coordinates)
            terms_.push_back(e.floorTerms(extent));
    }

    /// Device sizes of what one memory holds, and the elements of one step of each dimension.
    Result<void> units() {
        for (const int64_t size : arg_.deviceSize) {
            sizes_.push_back(size);
            pieces_.push_back(1);
        }
        loops_.resize(op_.iterationSpace.size());
        const bool isLx = arg_.allocation && arg_.allocation->space == Space::Lx;
        for (std::size_t v = 0; isLx && v < op_.iterationSpace.size(); ++v) {
            loops_[v].slices = std::max<int64_t>(slicesOf(op_, index_, v), 1);
            cut(v);
        }
        units_.resize(sizes_.size() + 1);
        units_[sizes_.size()] = 1;
        for (std::size_t d = sizes_.size(); d-- > 0;) {
            const auto unit = checkedMul(units_[d + 1], std::max<int64_t>(sizes_[d], 0));
            if (!unit) return bad("has sizes that leave 64 bits");
            units_[d] = *unit;
        }
        return {};
    }

    /// Cuts each dimension into as many pieces as the loop visits other parts of it on other cores.
    void cut(std::size_t loop) {
        for (std::size_t d = 0; loops_[loop].slices > 1 && d + 1 < sizes_.size(); ++d) {
            const int64_t here = piecesOf(d, loop);
            sizes_[d] = ceilDiv(sizes_[d], here);
            pieces_[d] = saturatedMul(pieces_[d], here);
        }
    }

    /// Pieces of dimension d over the cores that share the loop: the places that the whole loop visits by those that
    /// the slice of one core visits. Mod(v, 2), of which every slice of an even length visits both, is one piece.
    int64_t piecesOf(std::size_t d, std::size_t loop) const {
        const auto& terms = terms_[d];
        if (!terms) return 1;
        const std::string& symbol = op_.iterationSpace[loop].symbol;
        int64_t shortest = 0, longest = 0;
        for (const FloorTerm& term : *terms) {
            if (term.symbol != symbol) continue;
            shortest = shortest == 0 ? term.divisor : std::min(shortest, term.divisor);
            longest = std::max(longest, term.divisor);
        }
        if (shortest == 0) return 1;
        // Where the terms cancel over the longest divisor the coordinate begins anew behind it.
        int64_t gain = 0;
        for (const FloorTerm& term : *terms) {
            if (term.symbol != symbol) continue;
            gain = saturatedAdd(gain, saturatedMul(term.factor, longest / term.divisor));
        }
        const auto visited = [&](int64_t range) {
            return std::max<int64_t>(ceilDiv(gain == 0 ? std::min(range, longest) : range, shortest), 1);
        };
        return std::max<int64_t>(ceilDiv(visited(extentOf(loop)), visited(pieceOf(loop))), 1);
    }

    /// Steps of a loop on one core; whole sticks of the stick loop.
    int64_t pieceOf(std::size_t loop) const {
        const bool isStick = static_cast<int>(loop) == stick_;
        return alignUp(extentOf(loop), isStick ? sizes_.back() : 1) / loops_[loop].slices;
    }

    /// How floor(loop / divisor) moves inside the piece of one core: not at all, as in the whole tensor, or (nullopt)
    /// in other places on other cores.
    std::optional<bool> movesInPiece(std::size_t loop, int64_t divisor) const {
        if (loops_[loop].slices == 1 || divisor == 1) return true;
        const int64_t piece = pieceOf(loop);
        if (piece > 0 && divisor % piece == 0) return false;
        return piece > 0 && piece % divisor == 0 ? std::optional<bool>(true) : std::nullopt;
    }

    Result<void> dimension(std::size_t d) {
        const auto& terms = terms_[d];
        if (!terms) return bad("has the coordinate \"" + arg_.coordinates[d].text() + "\"");
        for (const FloorTerm& term : *terms) {
            const auto elements = checkedMul(term.factor, units_[d + 1]);
            if (!elements) return bad("has steps that leave 64 bits");
            if (term.symbol.empty()) {
                if (term.factor != 0 && pieces_[d] > 1)
                    return bad("is a part of a tensor that every core holds a piece of");
                access_.offset = saturatedAdd(access_.offset, *elements);
                continue;
            }
            const auto loop = loopNamed(term.symbol);
            if (!loop) return bad("has the coordinate \"" + arg_.coordinates[d].text() + "\"");
            const auto moving = movesInPiece(*loop, term.divisor);
            if (!moving) return bad("is cut in pieces by loop \"" + std::string(term.symbol) + "\"");
            if (!*moving) continue;
            LoopMoves& own = loops_[*loop];
            add(own.moves, {term.divisor, *elements});
            // The innermost dimension of a loop, that of its stick apart, is where it stands.
            if (static_cast<int>(*loop) != stick_ || d + 1 < sizes_.size()) own.dim = own.dim.value_or(d);
        }
        return {};
    }

    static void add(Moves& moves, const Move& more) {
        const auto same =
            std::find_if(moves.begin(), moves.end(), [&](const Move& m) { return m.divisor == more.divisor; });
        if (same == moves.end()) {
            moves.push_back(more);
        } else {
            same->elements = saturatedAdd(same->elements, more.elements);
        }
    }

    Result<void> step(std::size_t loop) {
        const LoopMoves& own = loops_[loop];
        const auto isStray = [&](auto... known) {
            return std::any_of(own.moves.begin(), own.moves.end(),
                               [&](const Move& m) { return m.elements != 0 && ((m.divisor != known) && ...); });
        };
        const std::string& symbol = op_.iterationSpace[loop].symbol;
        int64_t stride = elementsOf(own.moves, 1);
        if (static_cast<int>(loop) == stick_) {
            const int64_t eps = sizes_.back();
            const bool isLane = stride == 1 && !isStray(int64_t{1}, eps);
            if (!isLane) return bad("moves through its sticks in steps of loop \"" + symbol + "\"");
            stride = saturatedAdd(eps == 1 ? 0 : elementsOf(own.moves, eps), eps);
            if (!own.dim) return {};
        } else {
            if (isStray(int64_t{1})) return bad("is cut in pieces by loop \"" + symbol + "\"");
            if (stride == 0) return {};
        }
        if (stride < 1) return bad("runs backwards with loop \"" + symbol + "\"");
        addStep(loop, *own.dim, stride);
        return {};
    }

    void addStep(std::size_t loop, std::size_t dim, int64_t stride) {
        int64_t pieces = 1;
        for (std::size_t d = dim + 1; d < pieces_.size(); ++d)
            pieces = saturatedMul(pieces, pieces_[d]);
        access_.steps.push_back({loop, dim, stride, units_[dim], pieces});
    }

    static int64_t elementsOf(const Moves& moves, int64_t divisor) {
        const auto it = std::find_if(moves.begin(), moves.end(), [&](const Move& m) { return m.divisor == divisor; });
        return it == moves.end() ? 0 : it->elements;
    }

    /// A tensor one stick wide has no floor() that moves: its column is where a floor() of its stick loop is written,
    /// else the outermost dimension of extent 1.
    void placeStickOfOneTile() {
        const bool isPlaced = std::any_of(access_.steps.begin(), access_.steps.end(),
                                          [&](const LoopStep& s) { return static_cast<int>(s.loop) == stick_; });
        if (stick_ < 0 || isPlaced) return;
        const auto loop = static_cast<std::size_t>(stick_);
        const auto isColumn = [&](std::size_t d, bool written) {
            const Expr& e = arg_.coordinates[d];
            return written ? e.mentions(op_.iterationSpace[loop].symbol) : sizes_[d] == 1 && e.integer() == 0;
        };
        for (const bool written : {true, false}) {
            for (std::size_t d = 0; d + 1 < sizes_.size(); ++d) {
                if (!isColumn(d, written)) continue;
                addStep(loop, d, units_[d + 1]);
                return;
            }
        }
        addStep(loop, sizes_.size() - 1, sizes_.back());
    }

    const OpSpec& op_;
    std::size_t index_;
    const TensorArg& arg_;
    int stick_;
    using Figures = SmallVector<int64_t, 8>;
    Figures sizes_, units_;                         ///< units_[d + 1]: elements of one step of dimension d
    Figures pieces_;                                ///< of each dimension; a core holds one
    std::vector<std::optional<FloorTerms>> terms_;  ///< of each coordinate; nullopt where it is no sum of floors
    std::vector<LoopMoves> loops_;
    AffineAccess access_;
};

}  // namespace

Result<AffineAccess> affineAccess(const OpSpec& op, std::size_t arg, int stickLoop) {
    return Reader(op, arg, stickLoop).run();
}

}  // namespace memplan::bundle

@_spi(Inlay) public import InlayWire

/// The steps from one frame to another, as few as the frames' keys allow.
@_spi(Inlay) public struct SurfacePatch: Codable, Hashable, Sendable {
    /// One step; steps are applied in order.
    public struct Operation: Codable, Hashable, Sendable {
        /// The kinds of step.
        public enum Verb: String, Codable, Hashable, Sendable { case insert, replace, remove, move }

        /// The kind of step.
        public var op: Verb
        /// The region.
        public var key: String
        /// For `insert` and `move`: the slot it goes to.
        public var slot: SurfaceFrame.Slot?
        /// For `insert` and `move`: the region it goes in front of; absent for the slot's end.
        public var before: String?
        /// For `insert` and `replace`: the element.
        public var html: String?
    }

    /// The steps in order.
    public var ops: [Operation]
    /// The new root where it changed.
    public var root: SurfaceFrame.Root?

    /// Whether applying it would change nothing.
    public var isEmpty: Bool { ops.isEmpty && root == nil }

    /// The steps from `old` to `new`; everything is inserted when there was no frame before.
    ///
    /// A region that keeps its place among its neighbours is never moved, because moving an element costs
    /// it focus and scroll position.
    public static func between(_ old: SurfaceFrame?, _ new: SurfaceFrame) -> SurfacePatch {
        let remaining = Dictionary(uniqueKeysWithValues: new.regions.map { ($0.key, $0.slot) })
        var patch = SurfacePatch(ops: [], root: old?.root == new.root ? nil : new.root)
        // A region that changes its slot leaves and comes anew: nothing of its inside is worth keeping.
        for region in old?.regions ?? [] where remaining[region.key] != region.slot {
            patch.ops.append(Operation(op: .remove, key: region.key))
        }
        for slot in SurfaceFrame.Slot.allCases {
            patch.ops += steps(in: slot, from: old?.regions(in: slot) ?? [], to: new.regions(in: slot))
        }
        return patch
    }

    /// The patch as the payload of a message of kind `patch`.
    public var payload: JSONValue {
        var members: [String: JSONValue] = ["ops": .array(ops.map(\.json))]
        if let root { members["root"] = root.json }
        return .object(members)
    }

    private static func steps(
        in slot: SurfaceFrame.Slot, from old: [SurfaceFrame.Region], to new: [SurfaceFrame.Region]
    ) -> [Operation] {
        let before = Dictionary(
            uniqueKeysWithValues: old.enumerated().map { ($1.key, (index: $0, html: $1.html)) })
        let resting = restingKeys(
            new.compactMap { region in before[region.key].map { (region.key, $0.index) } })
        var steps: [Operation] = []
        var next: String?
        // From the end, so that the element to stand in front of is always in place already.
        for region in new.reversed() {
            if let was = before[region.key] {
                if !resting.contains(region.key) {
                    steps.append(Operation(op: .move, key: region.key, slot: slot, before: next))
                }
                if was.html != region.html {
                    steps.append(Operation(op: .replace, key: region.key, html: region.html))
                }
            } else {
                steps.append(
                    Operation(op: .insert, key: region.key, slot: slot, before: next, html: region.html))
            }
            next = region.key
        }
        return steps
    }

    /// The keys of a longest run of regions whose old positions ascend; all others have to move.
    private static func restingKeys(_ positions: [(key: String, old: Int)]) -> Set<String> {
        var tails: [Int] = []  // index into `positions` of the smallest end of a run, by length
        var previous = [Int?](repeating: nil, count: positions.count)
        for index in positions.indices {
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if positions[tails[middle]].old < positions[index].old {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            previous[index] = low > 0 ? tails[low - 1] : nil
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var keys = Set<String>()
        var step = tails.last
        while let index = step {
            keys.insert(positions[index].key)
            step = previous[index]
        }
        return keys
    }
}

extension SurfacePatch.Operation {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = ["op": .string(op.rawValue), "key": .string(key)]
        if let slot { members["slot"] = .string(slot.rawValue) }
        if let before { members["before"] = .string(before) }
        if let html { members["html"] = .string(html) }
        return .object(members)
    }
}

extension SurfaceFrame.Root {
    fileprivate var json: JSONValue {
        .object([
            "title": .string(title), "colorScheme": .string(colorScheme.rawValue),
            "layoutDirection": .string(layoutDirection.rawValue), "locale": .string(locale),
            "style": .object(style.mapValues { .string($0) }),
        ])
    }
}

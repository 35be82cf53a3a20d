@_spi(Inlay) public import InlayWire

/// The operations that change one frame to another, as few as the frames' keys allow.
@_spi(Inlay) public struct SurfacePatch: Codable, Hashable, Sendable {
    /// One operation; operations are applied in order.
    public struct Operation: Codable, Hashable, Sendable {
        /// The kinds of operations.
        public enum Verb: String, Codable, Hashable, Sendable { case insert, replace, remove, move }

        /// The kind of operation.
        public var op: Verb
        /// The key of the region.
        public var key: String
        /// For `insert` and `move`: the region's new slot.
        public var slot: SurfaceFrame.Slot?
        /// For `insert` and `move`: the key of the next region; `nil` at the slot's end.
        public var before: String?
        /// For `insert` and `replace`: the HTML of the region.
        public var html: String?
    }

    /// The operations, in order.
    public var ops: [Operation]
    /// The new root; `nil` without a change.
    public var root: SurfaceFrame.Root?

    /// Whether the patch changes nothing.
    public var isEmpty: Bool { ops.isEmpty && root == nil }

    /// Returns the operations from `old` to `new`; without an old frame, all regions are inserted.
    ///
    /// A region that keeps its position relative to its neighbours is never moved, because a moved element loses focus
    /// and scroll position.
    public static func between(_ old: SurfaceFrame?, _ new: SurfaceFrame) -> SurfacePatch {
        let remaining = Dictionary(uniqueKeysWithValues: new.regions.map { ($0.key, $0.slot) })
        var patch = SurfacePatch(ops: [], root: old?.root == new.root ? nil : new.root)
        // A region that changes its slot is removed and inserted again, without keeping its state.
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
        let oldRegions = Dictionary(
            uniqueKeysWithValues: old.enumerated().map { ($1.key, (index: $0, html: $1.html)) })
        let unmovedKeys = longestAscendingKeys(
            new.compactMap { region in oldRegions[region.key].map { (region.key, $0.index) } })
        var steps: [Operation] = []
        var next: String?
        // From the end, so that the region named by `before` is always in place already.
        for region in new.reversed() {
            if let oldRegion = oldRegions[region.key] {
                if !unmovedKeys.contains(region.key) {
                    steps.append(Operation(op: .move, key: region.key, slot: slot, before: next))
                }
                if oldRegion.html != region.html {
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

    /// Returns the keys of a longest subsequence of regions whose old positions ascend; all others must move.
    private static func longestAscendingKeys(_ positions: [(key: String, old: Int)]) -> Set<String> {
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

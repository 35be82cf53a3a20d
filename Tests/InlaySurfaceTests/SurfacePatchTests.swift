import InlayTesting
import Testing

@_spi(Inlay) @testable import InlaySurface

@Suite struct SurfacePatchTests {
    typealias Region = SurfaceFrame.Region

    /// A model of the page in `surface.js`: slots with their elements in order.
    struct Page: Equatable {
        var slots: [SurfaceFrame.Slot: [Region]] = [:]

        init() {}

        init(_ frame: SurfaceFrame) {
            for slot in SurfaceFrame.Slot.allCases {
                let regions = frame.regions(in: slot)
                if !regions.isEmpty { slots[slot] = regions }
            }
        }

        mutating func apply(_ patch: SurfacePatch) throws {
            for step in patch.ops {
                switch step.op {
                case .insert:
                    let region = Region(
                        key: step.key, slot: try #require(step.slot), html: try #require(step.html))
                    try place(region, before: step.before)
                case .remove: _ = try take(step.key)
                case .move:
                    var region = try take(step.key)
                    region.slot = try #require(step.slot)
                    try place(region, before: step.before)
                case .replace:
                    let slot = try #require(slots.first { $0.value.contains { $0.key == step.key } }?.key)
                    let index = try #require(slots[slot]?.firstIndex { $0.key == step.key })
                    slots[slot]?[index].html = try #require(step.html)
                }
            }
            slots = slots.filter { !$0.value.isEmpty }
        }

        private mutating func take(_ key: String) throws -> Region {
            let slot = try #require(slots.first { $0.value.contains { $0.key == key } }?.key)
            let index = try #require(slots[slot]?.firstIndex { $0.key == key })
            return slots[slot, default: []].remove(at: index)
        }

        private mutating func place(_ region: Region, before: String?) throws {
            let list = slots[region.slot] ?? []
            var index = list.count
            if let before { index = try #require(list.firstIndex { $0.key == before }) }
            slots[region.slot, default: []].insert(region, at: index)
        }
    }

    @Test(arguments: 0..<300)
    func `applying the patch to the old page gives the new page`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var page = Page()
        var last: SurfaceFrame?
        for _ in 0..<6 {
            let next = randomFrame(&random)
            try page.apply(SurfacePatch.between(last, next))
            #expect(page == Page(next))
            last = next
        }
    }

    @Test func `a region that only changes its text is replaced and nothing else happens`() {
        let old = frame(["a", "b", "c"])
        var new = old
        new.regions[1].html = "<p>new</p>"
        let patch = SurfacePatch.between(old, new)
        #expect(patch.ops.map(\.op) == [.replace])
        #expect(patch.ops.first?.key == "b")
        #expect(patch.root == nil)
    }

    @Test func `one region that changes its position gives one move`() {
        let patch = SurfacePatch.between(frame(["a", "b", "c", "d", "e"]), frame(["e", "a", "b", "c", "d"]))
        #expect(patch.ops.map(\.op) == [.move])
        #expect(patch.ops.first?.key == "e")
        #expect(patch.ops.first?.before == "a")
    }

    @Test func `equal frames give an empty patch`() {
        #expect(SurfacePatch.between(frame(["a", "b"]), frame(["a", "b"])).isEmpty)
    }

    @Test func `a frame keeps the first of two regions with one key`() {
        let region = Region(key: "a", slot: .list, html: "<p>1</p>")
        let twin = Region(key: "a", slot: .top, html: "<p>2</p>")
        #expect(SurfaceFrame(root: .init(title: ""), regions: [region, twin]).regions == [region])
    }

    @Test func `the payload names each step as the page expects it`() {
        let payload = SurfacePatch.between(nil, frame(["a"])).payload
        #expect(
            payload["ops"]
                == [["op": "insert", "key": "a", "slot": "list", "html": "<p>a</p>"]])
        #expect(payload["root"]?["layoutDirection"] == "ltr")
    }

    private func frame(_ keys: [String]) -> SurfaceFrame {
        SurfaceFrame(
            root: .init(title: "t"),
            regions: keys.map { Region(key: $0, slot: .list, html: "<p>\($0)</p>") })
    }

    private func randomFrame(_ random: inout SeededRandom) -> SurfaceFrame {
        let keys = (0..<12).map(String.init).shuffled(using: &random).prefix(
            Int.random(in: 0...12, using: &random))
        let regions = keys.map { key in
            Region(
                key: key,
                slot: [.top, .list, .list, .list, .overlay].randomElement(using: &random) ?? .list,
                html: "<p>\(Int.random(in: 0...2, using: &random))</p>")
        }
        return SurfaceFrame(root: .init(title: ""), regions: regions)
    }
}

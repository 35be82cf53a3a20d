import Foundation
import InlaySQL
import InlayTesting
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
import Testing

@testable import InlayCardsServer
@testable import InlayServerTesting

@Suite struct FeedVersionTests {
    @Test(arguments: SQLEngine.allCases, [1, 2, 3] as [UInt64])
    func `whatever happens, versions only grow and a version always means the same cards`(
        _ engine: SQLEngine, _ seed: UInt64
    ) async throws {
        try await CardWorld.with(engine) { world in
            var dice = SeededRandom(seed: seed)
            try await world.publish(.sample(embargo: 7, expiry: 40))
            try await world.publish(.sample(eventName: "now"))
            var seen: [Int64: [String]] = [:]
            var last: Int64 = 0
            for _ in 0..<120 {
                try await step(world, &dice)
                let feed = try await world.feed()
                let cards = feed.cards.elements.map { "\($0.id) \($0.updatedAt.microseconds)" }.sorted()
                #expect(feed.version >= last)
                if let before = seen[feed.version] { #expect(before == cards, "version \(feed.version)") }
                seen[feed.version] = cards
                last = feed.version
                #expect(feed.cards.elements.allSatisfy { $0.expiresAt.map { $0 > world.time.now } ?? true })
            }
            #expect(last > 20)
            let heard = world.heard.all.filter { $0.userID == "ada" }.map(\.version)
            #expect(heard == heard.sorted() && Set(heard).count == heard.count)
        }
    }

    private func step(_ world: CardWorld, _ dice: inout SeededRandom) async throws {
        let cards = try await world.inspector.cards("env", "ada").map(\.id.rawValue)
        let card = cards.randomElement(using: &dice) ?? "none"
        let lifecycle: CardLifecycleID = "l\(Int.random(in: 0...3, using: &dice))"
        switch Int.random(in: 0..<9, using: &dice) {
        case 0, 1:
            try await world.events.send(
                "env", CardEventRequest(name: "ping", target: .users(["ada", "bob"])))
        case 2, 3:
            try await world.events.send(
                "env", CardEventRequest(name: "now", target: .all, lifecycleID: lifecycle))
        case 4: _ = try await world.act(.dismiss, on: card)
        case 5:
            let until = world.time.now + .seconds(Int64.random(in: 1...30, using: &dice))
            _ = try await world.act(.snooze(until: until), on: card)
        case 6: _ = try await world.events.cancel("env", CardCancelRequest(lifecycleID: lifecycle))
        case 7: world.time.advance(.seconds(Int64.random(in: 1...15, using: &dice)))
        default:
            world.time.advance(.seconds(Int64.random(in: 1...5, using: &dice)))
            try await world.clock.settleDue()
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `readers during changes never see a version go back or mean two things`(_ engine: SQLEngine)
        async throws
    {
        try await CardWorld.with(engine) { world in
            try await world.publish()
            let writers = NIOLockedValueBox(4)
            try await withThrowingTaskGroup(of: [(Int64, [String])].self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        defer { writers.withLockedValue { $0 -= 1 } }
                        var dice = SeededRandom(seed: UInt64(writer))
                        for _ in 0..<25 {
                            _ = try await world.card()
                            if let card = try await world.feed().cards.elements.randomElement(using: &dice) {
                                _ = try await world.act(.dismiss, on: card.id)
                            }
                        }
                        return []
                    }
                    group.addTask {
                        var read: [(Int64, [String])] = []
                        repeat {
                            let feed = try await world.feed()
                            read.append((feed.version, feed.cards.elements.map(\.id).sorted()))
                        } while writers.withLockedValue({ $0 }) > 0
                        return read
                    }
                }
                var seen: [Int64: [String]] = [:]
                for try await read in group {
                    #expect(read.map(\.0) == read.map(\.0).sorted())
                    for (version, cards) in read {
                        if let before = seen[version] { #expect(before == cards) }
                        seen[version] = cards
                    }
                }
                #expect(seen.count > 2, "no reader saw the changes")
            }
        }
    }
}

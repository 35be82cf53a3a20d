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
        try await CardsServerFixture.with(engine) { fixture in
            var dice = SeededRandom(seed: seed)
            try await fixture.publish(.sample(embargo: 7, expiry: 40))
            try await fixture.publish(.sample(eventName: "now"))
            var seen: [Int64: [String]] = [:]
            var last: Int64 = 0
            for _ in 0..<120 {
                try await step(fixture, &dice)
                let feed = try await fixture.feed()
                let cards = feed.cards.elements.map { "\($0.id) \($0.updatedAt.microseconds)" }.sorted()
                #expect(feed.version >= last)
                if let before = seen[feed.version] { #expect(before == cards, "version \(feed.version)") }
                seen[feed.version] = cards
                last = feed.version
                #expect(feed.cards.elements.allSatisfy { $0.expiresAt.map { $0 > fixture.time.now } ?? true })
            }
            #expect(last > 20)
            let versions = fixture.changes.all.filter { $0.userID == "ada" }.map(\.version)
            #expect(versions == versions.sorted() && Set(versions).count == versions.count)
        }
    }

    private func step(_ fixture: CardsServerFixture, _ dice: inout SeededRandom) async throws {
        let cards = try await fixture.inspector.cards("env", "ada").map(\.id.rawValue)
        let card = cards.randomElement(using: &dice) ?? "none"
        let lifecycle: CardLifecycleID = "l\(Int.random(in: 0...3, using: &dice))"
        switch Int.random(in: 0..<9, using: &dice) {
        case 0, 1:
            try await fixture.events.send(
                "env", CardEventRequest(name: "ping", target: .users(["ada", "bob"])))
        case 2, 3:
            try await fixture.events.send(
                "env", CardEventRequest(name: "now", target: .all, lifecycleID: lifecycle))
        case 4: _ = try await fixture.act(.dismiss, on: card)
        case 5:
            let until = fixture.time.now + .seconds(Int64.random(in: 1...30, using: &dice))
            _ = try await fixture.act(.snooze(until: until), on: card)
        case 6: _ = try await fixture.events.cancel("env", CardCancelRequest(lifecycleID: lifecycle))
        case 7: fixture.time.advance(by: .seconds(Int64.random(in: 1...15, using: &dice)))
        default:
            fixture.time.advance(by: .seconds(Int64.random(in: 1...5, using: &dice)))
            try await fixture.feedJobs.settleDue()
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `readers during changes never see a version go back or mean two things`(_ engine: SQLEngine)
        async throws
    {
        try await CardsServerFixture.with(engine) { fixture in
            try await fixture.publish()
            let writers = NIOLockedValueBox(4)
            try await withThrowingTaskGroup(of: [(Int64, [String])].self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        defer { writers.withLockedValue { $0 -= 1 } }
                        var dice = SeededRandom(seed: UInt64(writer))
                        for _ in 0..<25 {
                            _ = try await fixture.card()
                            if let card = try await fixture.feed().cards.elements.randomElement(using: &dice)
                            {
                                _ = try await fixture.act(.dismiss, on: card.id)
                            }
                        }
                        return []
                    }
                    group.addTask {
                        var read: [(Int64, [String])] = []
                        repeat {
                            let feed = try await fixture.feed()
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

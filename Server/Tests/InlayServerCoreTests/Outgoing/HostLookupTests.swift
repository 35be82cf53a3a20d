import InlayTesting
import NIOConcurrencyHelpers
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct HostLookupTests {
    /// Names' servers that answer when the test lets them.
    private struct Names: Sendable {
        let latch = Latch()
        let asked = NIOLockedValueBox<[String]>([])

        @Sendable func resolve(_ host: String) async throws -> [String] {
            asked.withLockedValue { $0.append(host) }
            if host.hasPrefix("slow") { await latch.wait() }
            return ["10.0.0.1"]
        }

        /// Waits for so many questions: each is asked on a task of its own, which may begin after its limit.
        func untilAsked(_ count: Int) async throws {
            try await eventually { asked.withLockedValue { $0.count } >= count }
        }
    }

    @Test func `a name that takes too long is given up, and not asked for again while it does`() async throws
    {
        let names = Names()
        defer { names.latch.open() }
        let lookups = HostLookups(limit: .milliseconds(20), resolve: names.resolve)
        for _ in 0..<3 {
            await #expect(throws: LookupFailure.late) { try await lookups.addresses(of: "slow", for: "a") }
        }
        try await names.untilAsked(1)
        #expect(names.asked.withLockedValue { $0 } == ["slow"])
        #expect(try await found("quick", by: lookups) == ["10.0.0.1"], "others are found meanwhile")
        names.latch.open()
        // Once the old question has come back, the next one is asked.
        #expect(try await found("slow", by: lookups) == ["10.0.0.1"])
    }

    /// Asks until there is an answer: with so short a limit a busy machine may be late with any name.
    private func found(_ host: String, by lookups: HostLookups<String>) async throws -> [String]? {
        try await within(.seconds(60)) {
            for await _ in TimerSequence(every: .milliseconds(10)) {
                if let addresses = try? await lookups.addresses(of: host, for: "a") { return addresses }
            }
            return nil
        }
    }

    @Test func `who waits for one name gets one answer`() async throws {
        let names = Names()
        let lookups = HostLookups(limit: .seconds(60), resolve: names.resolve)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<50 { group.addTask { try await lookups.addresses(of: "slow", for: "a") } }
            for await _ in TimerSequence(every: .milliseconds(10)) {
                if await lookups.waiting == 50 { break }
            }
            names.latch.open()
            for try await address in group { #expect(address == ["10.0.0.1"]) }
        }
        #expect(names.asked.withLockedValue { $0 } == ["slow"])
    }

    @Test func `one who names host after host that nobody finds has few questions out, and others theirs`()
        async throws
    {
        let names = Names()
        defer { names.latch.open() }
        let lookups = HostLookups(limit: .milliseconds(1), resolve: names.resolve)
        for number in 0..<HostLookups<String>.maximumPerAsker {
            await #expect(throws: LookupFailure.late) {
                try await lookups.addresses(of: "slow-\(number)", for: "a")
            }
        }
        await #expect(throws: LookupFailure.tooMany) { try await lookups.addresses(of: "slow", for: "a") }
        await #expect(throws: LookupFailure.late) { try await lookups.addresses(of: "slow", for: "b") }
        try await names.untilAsked(HostLookups<String>.maximumPerAsker + 1)
        #expect(names.asked.withLockedValue { $0.count } == HostLookups<String>.maximumPerAsker + 1)
    }
}

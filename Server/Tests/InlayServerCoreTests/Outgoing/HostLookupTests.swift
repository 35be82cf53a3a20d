import InlayTesting
import NIOConcurrencyHelpers
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct HostLookupTests {
    /// A resolver that answers for hosts with the prefix `slow` only once its latch is open.
    private struct TestResolver: Sendable {
        let latch = Latch()
        let asked = NIOLockedValueBox<[String]>([])

        @Sendable func resolve(_ host: String) async throws -> [String] {
            asked.withLockedValue { $0.append(host) }
            if host.hasPrefix("slow") { await latch.wait() }
            return ["10.0.0.1"]
        }

        /// Waits for `count` lookups: each has a task of its own, which may begin after the caller's limit.
        func untilAsked(_ count: Int) async throws {
            try await eventually { asked.withLockedValue { $0.count } >= count }
        }
    }

    @Test func `a slow lookup is given up, and not started again while it runs`() async throws {
        let resolver = TestResolver()
        defer { resolver.latch.open() }
        let lookups = HostLookups(limit: .milliseconds(20), resolve: resolver.resolve)
        for _ in 0..<3 {
            await #expect(throws: LookupFailure.late) { try await lookups.addresses(of: "slow", for: "a") }
        }
        try await resolver.untilAsked(1)
        #expect(resolver.asked.withLockedValue { $0 } == ["slow"])
        #expect(try await found("quick", by: lookups) == ["10.0.0.1"], "others are found meanwhile")
        resolver.latch.open()
        // Once the old lookup has ended, the next call begins another.
        #expect(try await found("slow", by: lookups) == ["10.0.0.1"])
    }

    /// Looks a host up until there is an answer: with so short a limit, any lookup may be late on a busy machine.
    private func found(_ host: String, by lookups: HostLookups<String>) async throws -> [String]? {
        try await within(.seconds(60)) {
            for await _ in TimerSequence(every: .milliseconds(10)) {
                if let addresses = try? await lookups.addresses(of: host, for: "a") { return addresses }
            }
            return nil
        }
    }

    @Test func `concurrent callers share one lookup of a host`() async throws {
        let resolver = TestResolver()
        let lookups = HostLookups(limit: .seconds(60), resolve: resolver.resolve)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<50 { group.addTask { try await lookups.addresses(of: "slow", for: "a") } }
            for await _ in TimerSequence(every: .milliseconds(10)) {
                if await lookups.waiting == 50 { break }
            }
            resolver.latch.open()
            for try await address in group { #expect(address == ["10.0.0.1"]) }
        }
        #expect(resolver.asked.withLockedValue { $0 } == ["slow"])
    }

    @Test func `the pending lookups of one asker are limited, without effect on another's`()
        async throws
    {
        let resolver = TestResolver()
        defer { resolver.latch.open() }
        let lookups = HostLookups(limit: .milliseconds(1), resolve: resolver.resolve)
        for number in 0..<HostLookups<String>.maximumPerAsker {
            await #expect(throws: LookupFailure.late) {
                try await lookups.addresses(of: "slow-\(number)", for: "a")
            }
        }
        await #expect(throws: LookupFailure.tooMany) { try await lookups.addresses(of: "slow", for: "a") }
        await #expect(throws: LookupFailure.late) { try await lookups.addresses(of: "slow", for: "b") }
        try await resolver.untilAsked(HostLookups<String>.maximumPerAsker + 1)
        #expect(resolver.asked.withLockedValue { $0.count } == HostLookups<String>.maximumPerAsker + 1)
    }
}

import NIOCore
import Testing

@testable import InlayServerCore

@Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
    /// Work that ends only when it is cancelled.
    @Sendable private static func wait() async throws {
        for await _ in AsyncStream<Void>.makeStream().stream {}
        try Task.checkCancellation()
    }

    @Test func `work that runs side by side ends at its own limit each, in whatever order it began`()
        async throws
    {
        let start = NIODeadline.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for milliseconds: Int64 in [400, 100, 250, 250] {
                let limit = start + .milliseconds(milliseconds)
                // Ends at its limit.
                group.addTask {
                    await #expect(throws: Deadline.Passed.self) {
                        try await Deadline.run(until: limit, Self.wait)
                    }
                    #expect(NIODeadline.now() >= limit)
                }
            }
            // A call that ends in time does not change the limits of the others. On a busy machine this one may reach
            // its limit, so its error is ignored.
            _ = try? await Deadline.run(until: start + .milliseconds(50)) { 7 }
            #expect(try await Deadline.run(until: start + .hours(1)) { 7 } == 7)
            try await group.waitForAll()
        }
        // After the last limit was removed, a new one is still enforced.
        await #expect(throws: Deadline.Passed.self) {
            try await Deadline.run(until: .now() + .milliseconds(20), Self.wait)
        }
    }

    @Test func `of many pieces of work, begun in any order, each ends at its own limit or before it`()
        async throws
    {
        let start = NIODeadline.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                // 7 and 300 have no common divisor, so each limit occurs once, and out of order.
                let limit = start + .milliseconds(Int64(100 + number * 7 % 300))
                if number.isMultiple(of: 3) {
                    group.addTask { _ = try? await Deadline.run(until: limit) { number } }
                } else {
                    group.addTask {
                        await #expect(throws: Deadline.Passed.self) {
                            try await Deadline.run(until: limit, Self.wait)
                        }
                        #expect(NIODeadline.now() >= limit)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `work without a limit ends by itself`() async throws {
        #expect(try await Deadline.run(until: .distantFuture) { 7 } == 7)
    }
}

#if os(Linux) || os(macOS)
    import Foundation
    import InlayTesting
    import InlayWire
    import Testing

    @testable import InlayCore

    @Suite struct OutboxKillTests {
        static let kills = 50

        @Test(.timeLimit(.minutes(5)))
        func `fifty kills at random moments lose, repeat and reorder nothing that was enqueued`() async throws
        {
            let sink = UnreliableItemServer(seed: 7)
            let server = try LoopbackServer { sink.reply(to: $0) }
            let target = try OutboxCrashTargetProcess(server: server.url)
            var random = SeededRandom(seed: 42)
            for run in 0..<Self.kills {
                try await target.runAndKill(run, KillMoment.any(&random), sink)
            }
            sink.watch(nil)
            try await target.drain()
            try check(enqueued: target.printed(), arrived: sink.arrived)
            // Otherwise no response was lost, and the test proves little.
            #expect(sink.copies > 0)
        }

        @Test(.timeLimit(.minutes(5)))
        func `a kill after the store's folder was moved loses nothing that was enqueued from then on`()
            async throws
        {
            let sink = UnreliableItemServer(seed: 7)
            let server = try LoopbackServer { sink.reply(to: $0) }
            let target = try OutboxCrashTargetProcess(server: server.url)
            let before = try await target.runAndMoveStore(0, ids: 200)
            try await target.drain()
            // The first id of each writer may have been stored before the move and printed after it.
            var writers: Set<Substring> = []
            let enqueued = try target.printed().dropFirst(before)
                .filter { !writers.insert($0.split(separator: "-")[1]).inserted }
            #expect(enqueued.count > 100)
            #expect(Set(enqueued).subtracting(sink.arrived).isEmpty)
        }

        private func check(enqueued: [String], arrived: [String]) throws {
            #expect(enqueued.count > 500)
            let lost = Set(enqueued).subtracting(arrived)
            #expect(lost.isEmpty, "enqueued but never delivered: \(lost.sorted().prefix(10))")
            #expect(Set(arrived).count == arrived.count)
            // Each writer waited for one `enqueue` before the next, so its numbers must arrive in order.
            let parts = arrived.map { $0.split(separator: "-").compactMap { Int($0) } }
            let writers = Dictionary(grouping: parts, by: { [$0[0], $0[1]] })
            let disordered = writers.filter { $0.value.map { $0[2] } != Array(0..<$0.value.count) }
            #expect(disordered.isEmpty, "out of order: \(disordered.keys.prefix(10))")
            // The pending items of a run are sent before the items of the next run.
            let runs = parts.map { $0[0] }
            #expect(runs == runs.sorted())
        }
    }

    /// The moment at which a target is killed.
    enum KillMoment: Sendable {
        /// As soon as the target printed this many ids.
        case afterIDs(Int)
        /// While the server processes the n-th request of the run.
        case duringRequest(Int)

        static func any(_ random: inout SeededRandom) -> Self {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: .afterIDs(0)
            case 1, 2: .afterIDs(Int.random(in: 1...120, using: &random))
            default: .duringRequest(Int.random(in: 1...12, using: &random))
            }
        }
    }
#endif

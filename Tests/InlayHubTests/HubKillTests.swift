#if os(Linux) || os(macOS)
    import Foundation
    import InlayTesting
    import InlayWire
    import Testing

    @testable import InlayCore
    @testable import InlayHub

    @Suite struct HubKillTests {
        static let kills = 60

        @Test(.timeLimit(.minutes(5)))
        func `sixty kills during updates leave the old version or the new one, never a mix`() async throws {
            let target = try HubCrashTarget(versions: Self.kills + 1)
            #expect(try await target.run(version: 1, killAfter: nil) == .finished)
            var random = SeededRandom(seed: 42)
            var (version, killed, old, new): (Int64, Int, Int, Int) = (1, 0, 0, 0)
            // Adapted after each kill so that about half of the updates complete, at any speed of the machine.
            var latest = 40_000.0
            for next in 2...Int64(Self.kills + 1) {
                let moment = Duration.microseconds(Int64.random(in: 0...Int64(latest), using: &random))
                if try await target.run(version: next, killAfter: moment) == .killed { killed += 1 }
                let found = try target.wholeVersion()
                #expect(found == version || found == next)
                if found == next { new += 1 } else { old += 1 }
                latest *= found == next ? 0.8 : 1.25
                version = found
            }
            // With fewer kills, the test would not show that an interrupted update is safe.
            #expect(
                killed > Self.kills / 3 && old > 10 && new > 10, "killed \(killed), old \(old), new \(new)")
            #expect(try await target.run(version: Int64(Self.kills + 1), killAfter: nil) == .finished)
            #expect(try target.wholeVersion() == Int64(Self.kills + 1))
        }

        @Test(.timeLimit(.minutes(5)))
        func `a full disk is an error of its own, and the old version stays`() async throws {
            let target = try HubCrashTarget(versions: 2, pageBytes: 200_000)
            #expect(try await target.run(version: 1, killAfter: nil) == .finished)
            #expect(try await target.run(version: 2, killAfter: nil, maximumFileBytes: 100_000) == .diskFull)
            #expect(try target.wholeVersion() == 1)
            #expect(try await target.run(version: 2, killAfter: nil) == .finished)
            #expect(try target.wholeVersion() == 2)
        }
    }
#endif

#if os(Linux) || os(macOS)
    import Foundation
    import InlayTesting
    import InlayWire
    import Testing

    @Suite struct BehaviorKillTests {
        static let kills = 20

        @Test(.timeLimit(.minutes(5)))
        func `twenty kills at random moments lose nothing that was tracked and count nothing twice`()
            async throws
        {
            let target = try BehaviorCrashTarget()
            var random = SeededRandom(seed: 42)
            for run in 0..<Self.kills {
                // The kills hit everything between the start of the process and the middle of a submission.
                try await target.runAndKill(run, after: Int.random(in: 0...60, using: &random))
            }
            try await target.drain()
            let tracked = try target.printed()
            #expect(tracked.count > 200)
            let arrived = try target.arrived()
            let named = arrived.filter { $0.code == "17" }
            let lost = Set(tracked).subtracting(named.map(\.name))
            #expect(lost.isEmpty, "tracked but never delivered: \(lost.sorted().prefix(10))")
            // The server drops copies by id, so an event counts once only if it always has the same id.
            let ids = Dictionary(grouping: named, by: \.name).mapValues { Set($0.map(\.id)).count }
            let twice = ids.filter { $0.value > 1 }
            #expect(twice.isEmpty, "counted twice: \(twice.keys.prefix(10))")
            // Otherwise no response was lost, or no event went through HOLD, and the test proves little.
            #expect(named.count > ids.count)
            #expect(named.contains { $0.isAugmented })
            // One installation, and no session that ends without having begun.
            #expect(Set(arrived.filter { $0.code == "12" }.map(\.id)).count == 1)
            #expect(Set(arrived.filter { $0.code == "13" }.map(\.id)).count == 1)
        }
    }

    /// A runner that starts and kills the `behaviors-crash-target` beside the test bundle.
    final class BehaviorCrashTarget: Sendable {
        struct Arrival: Sendable {
            var id: String
            var code: String
            var name: String
            var isAugmented: Bool
        }

        private let folder: TemporaryFolder
        private let output: URL
        private let server: URL
        private let token = TestToken.unsigned(expires: nil)

        init() throws {
            folder = try TemporaryFolder()
            output = folder.url.appendingPathComponent("printed.txt")
            server = folder.url.appendingPathComponent("server.txt")
            try Data().write(to: output)
            try Data().write(to: server)
        }

        /// Returns the names of the events whose `track` returned, in all runs so far.
        func printed() throws -> [String] { try lines(output).map(String.init) }

        /// Returns the events that the server received, copies included.
        func arrived() throws -> [Arrival] {
            try lines(server).compactMap { line in
                let parts = line.split(separator: " ").map(String.init)
                // The process was killed while it wrote this line; the next process sends the event again.
                guard parts.count == 4 else { return nil }
                return Arrival(id: parts[0], code: parts[1], name: parts[2], isAugmented: parts[3] == "yes")
            }
        }

        func runAndKill(_ run: Int, after count: Int) async throws {
            let before = try printed().count
            let process = try start("\(run)")
            defer { end(process) }
            try await eventually(within: .seconds(60)) { try self.printed().count - before >= count }
            end(process)
            try await eventually { !process.isRunning }
        }

        /// Runs the process once more, without a kill, until all events are delivered.
        func drain() async throws {
            let process = try start("drain")
            defer { end(process) }
            try await eventually(within: .seconds(120)) { !process.isRunning }
            #expect(process.terminationStatus == 0)
        }

        /// Kills the process, unless it has ended by itself.
        private func end(_ process: Process) {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }

        private func lines(_ file: URL) throws -> [Substring] {
            String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
        }

        private func start(_ run: String) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("behaviors-crash-target")
            process.arguments = [
                folder.url.appendingPathComponent("store").path, server.path, token, run,
            ]
            let handle = try FileHandle(forWritingTo: output)
            try handle.seekToEnd()
            process.standardOutput = handle
            try process.run()
            return process
        }
    }
#endif

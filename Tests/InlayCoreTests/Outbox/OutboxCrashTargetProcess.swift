#if os(Linux) || os(macOS)
    import Foundation
    import InlayTesting
    import InlayWire

    @testable import InlayCore

    /// A runner that starts and kills the `outbox-crash-target` beside the test bundle.
    final class OutboxCrashTargetProcess: Sendable {
        private let server: URL
        private let folder: TemporaryFolder
        private let output: URL
        private let token = TestToken.unsigned(expires: nil)

        init(server: URL) throws {
            self.server = server
            folder = try TemporaryFolder()
            output = folder.url.appendingPathComponent("printed.txt")
            try Data().write(to: output)
        }

        /// Returns the ids whose `enqueue` returned, in all runs so far.
        func printed() throws -> [String] {
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            // The target writes a line in one call, so a kill leaves it whole or not at all.
            return text.split(separator: "\n").map(String.init)
        }

        func runAndKill(_ run: Int, _ moment: KillMoment, _ sink: UnreliableItemServer) async throws {
            let due = ConditionSignal()
            let isDue = Locked(false)
            if case .duringRequest(let number) = moment {
                sink.watch { requests in
                    guard requests >= number else { return }
                    isDue.withLock { $0 = true }
                    due.changed()
                }
            } else {
                sink.watch(nil)
            }
            let before = try printed().count
            let process = try start("\(run)")
            defer { end(process) }
            switch moment {
            case .afterIDs(let count): try await eventually { try self.printed().count - before >= count }
            case .duringRequest: try await due.until("a request of the target") { isDue.withLock { $0 } }
            }
            end(process)
            try await eventually { !process.isRunning }
        }

        /// Starts a run, moves the store's folder after `ids` ids, and kills the run after as many more.
        ///
        /// Returns the number of ids that had been printed when the folder was moved.
        func runAndMoveStore(_ run: Int, ids: Int) async throws -> Int {
            let process = try start("\(run)")
            defer { end(process) }
            try await eventually { try self.printed().count >= ids }
            try FileManager.default.moveItem(
                at: folder.url.appendingPathComponent("store"), to: folder.url.appendingPathComponent("moved")
            )
            let before = try printed().count
            try await eventually { try self.printed().count >= before + ids }
            end(process)
            try await eventually { !process.isRunning }
            return before
        }

        /// Runs the target once more, without a kill, until all items are delivered.
        func drain() async throws {
            let process = try start("drain")
            defer { end(process) }
            try await eventually(within: .seconds(60)) { !process.isRunning }
            guard process.terminationStatus == 0 else {
                throw WaitTimedOut(what: "a clean end of the last run")
            }
        }

        /// Kills the process, unless it has ended by itself.
        private func end(_ process: Process) {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }

        private func start(_ run: String) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("outbox-crash-target")
            process.arguments = [
                server.absoluteString, folder.url.appendingPathComponent("store").path, token, run,
            ]
            let handle = try FileHandle(forWritingTo: output)
            try handle.seekToEnd()
            process.standardOutput = handle
            try process.run()
            return process
        }
    }
#endif

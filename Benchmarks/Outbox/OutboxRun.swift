import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// A measurement with the real session and store and an offline transport, so that nothing is sent.
struct OutboxRun {
    let folder: URL
    let subject: any OutboxSubject
    private static let callers = 64

    /// Returns the ids and bodies of some stored events.
    static func sample(of subject: any OutboxSubject, in folder: URL) async throws -> [(
        id: String, body: Data
    )] {
        let session = try await session(folder)
        try await subject.prepare(session)
        for number in 0..<64 { try await subject.store(number, session) }
        return try await session.outbox.pending(lane: subject.lane).map { ($0.id, $0.body) }
    }

    private static func session(_ folder: URL) async throws -> InlaySession {
        try await InlaySession(
            configuration: SessionConfiguration(
                environmentID: "bench", apiKey: "ak_bench", baseURL: URL(string: "http://127.0.0.1:9")!,
                folder: folder),
            transport: ScriptedTransport(), tokenProvider: { TestToken.unsigned(expires: nil) })
    }

    func measure(count: Int) async throws -> [String: Double] {
        let session = try await Self.session(folder)
        try await subject.prepare(session)
        // The store opens with the first items, which are not measured.
        for number in 0..<100 { try await subject.store(-1 - number, session) }

        let alone = try await latencies(session, count: max(count / 20, 1_000))
        let memory = ResourceUse.residentBytes()
        let start = ResourceUse()
        try await enqueue(session, count)
        let used = start.elapsed()
        return [
            "count": Double(count),
            "rate": Double(count) / used.seconds,
            "cpuMicros": used.cpuSeconds / Double(count) * 1e6,
            "aloneP50Millis": alone[alone.count / 2] * 1e3,
            "aloneP99Millis": alone[alone.count * 99 / 100] * 1e3,
            "memoryBytes": max(0, ResourceUse.residentBytes() - memory),
            "diskBytesEach": try diskBytes() / Double(count + alone.count + 100),
        ]
    }

    /// Stores events from many concurrent callers.
    private func enqueue(_ session: InlaySession, _ count: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<Self.callers {
                group.addTask {
                    for number in stride(from: caller, to: count, by: Self.callers) {
                        try await subject.store(number, session)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Stores events from one caller that waits for each, and returns the sorted latencies in seconds.
    private func latencies(_ session: InlaySession, count: Int) async throws -> [Double] {
        var seconds: [Double] = []
        for number in 0..<count {
            let start = ResourceUse.monotonicSeconds()
            try await subject.store(1_000_000 + number, session)
            seconds.append(ResourceUse.monotonicSeconds() - start)
        }
        return seconds.sorted()
    }

    /// Returns the size of the database files without the write-ahead log.
    private func diskBytes() throws -> Double {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.fileSizeKey])
        var bytes = 0
        while let file = files?.nextObject() as? URL {
            // The log's size is bounded and does not grow with the number of events.
            guard !file.path.hasSuffix("-wal"), !file.path.hasSuffix("-shm") else { continue }
            bytes += try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        return Double(bytes)
    }
}

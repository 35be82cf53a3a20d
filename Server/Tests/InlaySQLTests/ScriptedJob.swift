import Foundation

@testable import InlaySQL

/// A body handed to the group writer in an order that the test decides, with what became of it.
final class ScriptedJob: WriteJob, @unchecked Sendable {
    // Unchecked: the writer's thread alone touches it until `answered` has told the test.
    private let body: (any SQLConnection) throws -> Void
    private let answered: @Sendable (ScriptedJob) -> Void
    private(set) var runs = 0
    private(set) var error: (any Error)?
    let name: String

    init(
        _ name: String, answered: @escaping @Sendable (ScriptedJob) -> Void,
        body: @escaping (any SQLConnection) throws -> Void
    ) {
        self.name = name
        self.answered = answered
        self.body = body
    }

    var kind: SQLError.Kind? { (error as? SQLError)?.kind }

    func run(on connection: any SQLConnection) throws {
        runs += 1
        error = nil
        try BodyConnection.run(body, on: connection)
    }

    func fail(_ error: any Error) { self.error = error }
    func answer() { answered(self) }
}

/// Jobs that are certain to share one group: the writer is held while they are handed in.
struct HeldGroup {
    private let writer: GroupWriter
    private let release = DispatchSemaphore(value: 0)
    private let answers: AsyncStream<ScriptedJob>
    private let answer: AsyncStream<ScriptedJob>.Continuation
    private var count = 0

    init(_ database: any SQLDatabase) throws {
        guard let engine = database as? any GroupCommitting else { throw WaitError.ended }
        self.init(engine.writer)
    }

    init(_ writer: GroupWriter) {
        self.writer = writer
        (answers, answer) = AsyncStream.makeStream()
        // A group takes what waits; a body that is running holds back the next group.
        let (release, started) = (release, DispatchSemaphore(value: 0))
        writer.add(
            ScriptedJob("hold", answered: { _ in }) { _ in
                started.signal()
                _ = release.wait(timeout: .now() + 60)
            })
        _ = started.wait(timeout: .now() + 60)
    }

    mutating func add(_ name: String, body: @escaping (any SQLConnection) throws -> Void) {
        count += 1
        writer.add(ScriptedJob(name, answered: { [answer] in answer.yield($0) }, body: body))
    }

    /// Lets the group run and waits for all its answers, in the order in which they came.
    func run() async throws -> [ScriptedJob] {
        release.signal()
        let (answers, count) = (answers, count)
        return try await within(.seconds(60)) {
            var jobs: [ScriptedJob] = []
            for await job in answers {
                jobs.append(job)
                if jobs.count == count { break }
            }
            return jobs
        }
    }
}

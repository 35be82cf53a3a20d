import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct LogOutTests {
    let fixture: SessionFixture
    let path = InlayPath.analytics

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always(InlayPath.analytics, .receipts)
        fixture.server.always("/v1/test", .status(200))
        fixture.server.alwaysSocket(.accept)
    }

    func session(_ numbers: ClosedRange<Int>) async throws -> InlaySession {
        let session = try await fixture.session()
        await session.outbox.register(OutboxLane(name: "analytics", path: path, flushAfter: .seconds(3600)))
        for number in numbers { try await session.outbox.enqueue(TestItem(number), lane: "analytics") }
        return session
    }

    @Test func `pending items reach the server before log-out returns`() async throws {
        let session = try await session(1...3)
        try await session.logOut()
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2", "item-3"])
    }

    @Test func `pending items are sent even when the device's own store cannot be read`() async throws {
        let session = try await session(1...2)
        try await session.deviceStore.write { try $0.execute(sql: "DROP TABLE device_value") }
        try await session.logOut()
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2"])
        #expect(fixture.userFiles.isEmpty)
    }

    @Test func `what an earlier run left is sent and deleted though the device's own store cannot be read`()
        async throws
    {
        let first = try await session(1...2)
        first.work.end()
        let second = try await fixture.session()
        try await second.deviceStore.write { try $0.execute(sql: "DROP TABLE device_value") }
        await #expect {
            try await second.logOut()
        } throws: { error in
            guard case .data(let cause)? = error as? LogOutError else { return false }
            return cause is StoreError
        }
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2"])
        #expect(fixture.userFiles.isEmpty)
    }

    @Test func `what an earlier run left is sent and deleted though the device's own store was damaged`()
        async throws
    {
        let first = try await session(1...2)
        first.work.end()
        await first.deviceStore.close()
        let names = fixture.folder.names.filter { $0.hasPrefix("device-") }
        // SQLite would restore the file from its log.
        for name in names where !name.hasSuffix(".sqlite") {
            try FileManager.default.removeItem(at: fixture.folder.url.appendingPathComponent(name))
        }
        let name = try #require(names.first { $0.hasSuffix(".sqlite") })
        try Data(repeating: 7, count: 9000).write(to: fixture.folder.url.appendingPathComponent(name))
        let second = try await fixture.session()
        await #expect {
            try await second.logOut()
        } throws: { error in
            guard case .data(let cause)? = error as? LogOutError else { return false }
            return cause as? StoreError == .damaged
        }
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2"])
        #expect(fixture.userFiles.isEmpty)
    }

    @Test func `when the network fails, log-out throws a network error and still deletes the data`()
        async throws
    {
        fixture.server.always(path, .failure(.cut("gone")))
        let session = try await session(1...3)
        #expect(fixture.userFiles.isEmpty == false)
        await #expect {
            try await session.logOut()
        } throws: { error in
            guard case .network(let cause)? = error as? LogOutError else { return false }
            return cause as? APIError == APIError(.network(.cut("gone")))
        }
        #expect(fixture.userFiles.isEmpty)
    }

    @Test(arguments: [
        ScriptedResponse.status(500), .status(403),
        .response(TransportResponse(status: 200, body: Data("not a receipt".utf8))),
    ])
    func `when the server rejects what is pending the error is a data error`(answer: ScriptedResponse)
        async throws
    {
        fixture.server.always(path, answer)
        let session = try await session(1...3)
        await #expect {
            try await session.logOut()
        } throws: { error in
            guard case .data(let cause)? = error as? LogOutError else { return false }
            return cause is APIError
        }
        #expect(fixture.userFiles.isEmpty)
    }

    @Test func `after log-out everything throws and nothing more is sent`() async throws {
        let session = try await session(1...1)
        try await session.logOut()
        let sent = fixture.server.requests.count
        await #expect(throws: APIError(.loggedOut)) { try await session.api.get("/v1/test") }
        await #expect(throws: OutboxError.loggedOut) {
            try await session.outbox.enqueue(TestItem(2), lane: "analytics")
        }
        await #expect(throws: StoreError.loggedOut) { try await session.store.read { _ in } }
        #expect(throws: SessionError.loggedOut) { try session.checkActive() }
        #expect(session.isActive == false)
        #expect(fixture.server.requests.count == sent)
    }

    @Test func `log-out ends every stream, the socket and every timer`() async throws {
        let session = try await session(1...1)
        let events = StreamRecorder(session.events.observe())
        let signals = StreamRecorder(
            await session.live.subscribe(topic: "cards/main", pollEvery: .seconds(15)))
        let outcomes = StreamRecorder(await session.outbox.outcomes(lane: "analytics"))
        let socket = try await fixture.server.untilSocket()
        try await session.logOut()
        try await events.untilFinished()
        try await signals.untilFinished()
        try await outcomes.untilFinished()
        try await socket.untilClosed()
        try await eventually { fixture.clock.sleepers.isEmpty }
        let late = StreamRecorder(await session.live.subscribe(topic: "cards/main", pollEvery: .seconds(15)))
        try await late.untilFinished()
    }

    @Test func `the next user needs a new token and finds no data of the previous user`() async throws {
        let schema = StoreSchema(
            feature: "t", migrations: [StoreMigration("1", sql: "CREATE TABLE t (x TEXT)")])
        fixture.server.always(path, .status(500))
        let first = try await session(1...2)
        first.store.register(schema)
        try await first.store.write { try $0.execute(sql: "INSERT INTO t VALUES ('of user A')") }
        await #expect(throws: LogOutError.self) { try await first.logOut() }

        let calls = fixture.provider.calls
        let requests = fixture.server.requests.count
        fixture.server.always(path, .receipts)
        fixture.provider.next(fixture.provider.token(subject: "user-2"))
        let second = try await session(7...7)
        second.store.register(schema)
        #expect(try await second.store.read { try String.fetchAll($0, sql: "SELECT x FROM t") }.isEmpty)
        await second.outbox.flush(lane: "analytics")
        #expect(fixture.provider.calls == calls + 1)
        let sent = fixture.server.requests.dropFirst(requests)
        #expect(sent.flatMap(ScriptedBatch.ids) == ["item-7"])
    }

    @Test func `a log-out deletes the user's identity: the next session logs out without a token request`()
        async throws
    {
        let first = try await session(1...1)
        try await first.logOut()
        let calls = fixture.provider.calls
        let second = try await fixture.session()
        try await second.logOut()
        #expect(fixture.provider.calls == calls)
    }

    @Test func `the same user finds nothing after log-out either`() async throws {
        fixture.server.always(path, .failure(.timedOut))
        let first = try await session(1...2)
        await #expect(throws: LogOutError.self) { try await first.logOut() }
        let second = try await fixture.session()
        await second.outbox.register(OutboxLane(name: "analytics", path: path))
        #expect(try await second.outbox.isEmpty)
    }

    @Test func `users who did not log out keep their data apart`() async throws {
        let first = try await session(1...2)
        fixture.provider.next(fixture.provider.token(subject: "user-2"))
        let second = try await session(3...3)
        #expect(try await first.outbox.pending(lane: "analytics").map(\.id) == ["item-1", "item-2"])
        #expect(try await second.outbox.pending(lane: "analytics").map(\.id) == ["item-3"])
        #expect(fixture.userFiles.filter { $0.hasSuffix(".sqlite") }.count == 2)
        #expect(!fixture.userFiles.joined().contains("user-2"))
    }

    @Test func `a log-out that never had a token deletes the data of an earlier run`() async throws {
        let first = try await session(1...2)
        first.work.end()
        fixture.provider.next(nil, nil, nil)
        let second = try await fixture.session()
        await #expect(throws: LogOutError.self) {
            await second.outbox.register(OutboxLane(name: "analytics", path: path))
            try await second.logOut()
        }
        #expect(fixture.userFiles.isEmpty)
    }

    @Test func `a log-out sends the items of an earlier run, also of features that this run never used`()
        async throws
    {
        let first = try await session(1...3)
        first.work.end()
        let second = try await fixture.session()
        try await second.logOut()
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2", "item-3"])
        #expect(fixture.userFiles.isEmpty)
    }

    @Test func `items that only an unused feature could send are reported as lost, and the rest is sent`()
        async throws
    {
        let first = try await session(1...2)
        await first.outbox.register(OutboxLane(name: "letters", carrier: Letters(), flushAfter: nil))
        try await first.outbox.enqueue(TestItem(3), lane: "letters")
        first.work.end()
        let second = try await fixture.session()
        await #expect {
            try await second.logOut()
        } throws: { error in
            (error as? LogOutError)?.underlying as? OutboxError == .unknownLane("letters")
        }
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2"])
        #expect(fixture.userFiles.isEmpty)
    }

    /// A wire that is known only while its feature is in use.
    private struct Letters: OutboxCarrier {
        func send(_ items: [OutboxItem], through api: APIClient) async throws -> [OutboxReply] { [] }
        func verdict(on error: APIError, items: Int) -> OutboxVerdict { .wait(retryAfter: nil) }
    }

    @Test func `a feature that was first used just before log-out sends what it has`() async throws {
        let first = try await session(1...2)
        await first.outbox.register(OutboxLane(name: "letters", carrier: Letters(), flushAfter: nil))
        try await first.outbox.enqueue(TestItem(3), lane: "letters")
        first.work.end()
        let second = try await fixture.session()
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let outbox = second.outbox
        second.work.prepare {
            for await _ in opened { break }
            await outbox.register(OutboxLane(name: "letters", path: "/v1/letters"))
        }
        fixture.server.always("/v1/letters", .receipts)
        let leaving = Task { try await second.logOut() }
        try await eventually { !second.isActive }
        open.yield()
        try await leaving.value
        #expect(fixture.server.requests("/v1/letters").flatMap(ScriptedBatch.ids) == ["item-3"])
    }

    @Test func `a log-out that could not read the pending items throws an error`() async throws {
        let first = try await session(1...2)
        first.work.end()
        fixture.provider.next(nil, nil, nil)
        let second = try await fixture.session()
        await #expect {
            try await second.logOut()
        } throws: { error in
            guard case .data? = error as? LogOutError else { return false }
            return true
        }
    }

    @Test func `a session that was never used logs out without requesting a token`() async throws {
        let session = try await fixture.session()
        try await session.logOut()
        #expect(fixture.provider.calls == 0)
        #expect(fixture.server.requests.isEmpty)
    }

    @Test func `a log-out whose caller is cancelled still sends and deletes everything`() async throws {
        for isCancelledBefore in [true, false] {
            let tests = try LogOutTests()
            let (session, server) = (try await tests.session(1...2), tests.fixture.server)
            // The log-out handlers of features are not cancelled either.
            let endings = Locked<[Bool]>([])
            session.context.onLogOut { endings.withLock { $0.append(Task.isCancelled) } }
            server.hold(path)
            let caller = Task {
                if isCancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
                try await session.logOut()
            }
            try await server.untilHeld(path)
            caller.cancel()
            server.release(path)
            try await caller.value
            #expect(server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1", "item-2"])
            #expect(endings.withLock { $0 } == [false])
            #expect(tests.fixture.userFiles.isEmpty)
        }
    }

    @Test func `a second log-out does nothing`() async throws {
        let session = try await session(1...1)
        fixture.server.hold(path)
        let first = Task { try await session.logOut() }
        try await fixture.server.untilHeld(path)
        // The second call returns while the first still sends, and does not affect the first.
        let hasReturned = Locked(false)
        let second = Task {
            try await session.logOut()
            hasReturned.withLock { $0 = true }
        }
        try await eventually { hasReturned.withLock { $0 } }
        #expect(!fixture.userFiles.isEmpty && fixture.server.requests(path).count == 1)
        fixture.server.release(path)
        try await first.value
        try await second.value
        #expect(fixture.userFiles.isEmpty)
        // A later call does not affect the next user.
        fixture.provider.next(fixture.provider.token(subject: "user-2"))
        let next = try await self.session(2...2)
        let files = fixture.userFiles
        try await session.logOut()
        #expect(fixture.userFiles == files)
        #expect(try await next.outbox.pending(lane: "analytics").map(\.id) == ["item-2"])
        #expect(fixture.server.requests(path).flatMap(ScriptedBatch.ids) == ["item-1"])
    }

    @Test func `the log-out handlers of features run before the store is deleted`() async throws {
        let session = try await session(1...1)
        let seen = Locked<Int?>(nil)
        session.context.onLogOut { [outbox = session.outbox] in
            let count = try? await outbox.pending(lane: "analytics").count
            seen.withLock { $0 = count }
        }
        try await session.logOut()
        #expect(seen.withLock { $0 } == 0)
    }
}

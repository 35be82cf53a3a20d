import Foundation
import GRDB
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayCore

@Suite struct SessionTests {
    let fixture: SessionFixture

    init() throws {
        fixture = try SessionFixture()
        fixture.server.always("/v1/test", .status(200))
    }

    @Test(arguments: [
        ("", "key"), ("env", ""), ("en v", "key"), ("env", "key\r\nEvil: 1"), ("env", "schlüssel"),
    ])
    func `an id or key that no header field can carry is refused at the start`(id: String, key: String)
        async throws
    {
        await #expect {
            _ = try await fixture.session { configuration in
                configuration.environmentID = id
                configuration.apiKey = key
            }
        } throws: { error in
            guard case .invalidConfiguration = error as? SessionError else { return false }
            return true
        }
    }

    @Test(arguments: ["file:///tmp", "inlay.example", "ftp://inlay.example", "https://"])
    func `a base URL that is no http address is refused at the start`(url: String) async throws {
        await #expect {
            _ = try await fixture.session { $0.baseURL = address(url) }
        } throws: { error in
            guard case .invalidConfiguration = error as? SessionError else { return false }
            return true
        }
    }

    @Test func `a session starts with an environment, a key, an address and a token provider`() async throws {
        var configuration = SessionConfiguration(
            environmentID: "harbor", apiKey: "ak", baseURL: address("https://a.test"))
        #expect(configuration.folder.lastPathComponent == "inlay" && configuration.folder.isFileURL)
        configuration.folder = fixture.folder.url
        let session = try await InlaySession(configuration: configuration) { nil }
        #expect(session.isActive)
    }

    @Test func `a folder that cannot be created throws folderUnusable`() async throws {
        let file = fixture.folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        await #expect {
            _ = try await fixture.session { $0.folder = file.appendingPathComponent("below") }
        } throws: { error in
            guard case .folderUnusable = error as? SessionError else { return false }
            return true
        }
    }

    @Test func `the start of a session is an event that the first observer gets`() async throws {
        let session = try await fixture.session()
        let first = StreamRecorder(session.events.observe())
        try await first.until(count: 1)
        #expect(first.elements.map(\.name) == [.sdkInitialized])
        let second = StreamRecorder(session.events.observe())
        session.api.reportFailure(path: "/x")
        try await first.until(count: 2)
        try await second.until(count: 1)
        #expect(second.elements.map(\.name) == [.requestFailed])
    }

    @Test func `an observer that stopped receives nothing more, and the others still do`() async throws {
        let session = try await fixture.session()
        let first = StreamRecorder(session.events.observe())
        let second = StreamRecorder(session.events.observe())
        try await first.until(count: 1)
        first.stop()
        try await first.untilFinished()
        session.api.reportFailure(path: "/x")
        try await second.until(count: 1)
        #expect(first.elements.count == 1)
    }

    @Test func `an idle session sends no request, requests no token and has no timer`() async throws {
        let session = try await fixture.session()
        fixture.clock.advance(by: .seconds(86_400))
        #expect(fixture.provider.calls == 0)
        #expect(fixture.clock.sleepers.isEmpty)
        // This request must be the first that arrives.
        fixture.server.always("/v1/later", .status(200))
        _ = try await session.api.get("/v1/later")
        #expect(fixture.server.requests.map(\.url.path) == ["/v1/later"])
        #expect(fixture.server.socketRequests.isEmpty)
        #expect(session.isActive)
    }

    @Test(arguments: [
        (nil, "unknown"), ("", "unknown"), ("Version 14.2 (14C18)", "Version 14.2 (14C18)"),
        (String(repeating: "v", count: 128), String(repeating: "v", count: 128)),
        (String(repeating: "v", count: 200), String(repeating: "v", count: 128)),
        ("1.0\r\nEvil: 1", "1.0Evil: 1"),
    ])
    func `the client version is cut to 128 characters and unknown by default`(
        given: String?, sent: String
    ) async throws {
        let session = try await fixture.session { configuration in
            if let given { configuration.clientVersion = given }
        }
        _ = try await session.api.get("/v1/test")
        session.setClientVersion(given ?? "unknown")
        _ = try await session.api.get("/v1/test")
        #expect(fixture.server.requests.map { $0.headers[InlayHeader.clientVersion] } == [sent, sent])
    }

    @Test func `a feature's object is made once per session`() async throws {
        final class Feature: Sendable {}
        let session = try await fixture.session()
        let first = session.feature(Feature.self) { _ in Feature() }
        #expect(first === session.feature(Feature.self) { _ in Feature() })
        let other = try await fixture.session()
        #expect(first !== other.feature(Feature.self) { _ in Feature() })
    }

    @Test func `features whose initialisers ask for each other are made once and reach each other`()
        async throws
    {
        let session = try await fixture.session()
        let requesting = session.feature(RequestingFeature.self) { RequestingFeature($0) }
        let requested = session.feature(RequestedFeature.self) { RequestedFeature($0) }
        #expect(requesting.other === requested)
        #expect(requested.other.value === requesting)
        let late = try await fixture.session()
        let first = late.feature(RequestedFeature.self) { RequestedFeature($0) }
        #expect(first.other.value?.other === first)
    }

    @Test func `a feature that many ask for at once is made once`() async throws {
        final class Feature: Sendable {}
        let slots = FeatureSlots()
        let made = Locked(0)
        let objects = await withTaskGroup(of: Feature.self) { group in
            for _ in 1...64 {
                group.addTask {
                    slots.object(Feature.self) {
                        made.withLock { $0 += 1 }
                        return Feature()
                    }
                }
            }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert(ObjectIdentifier($1)) }
        }
        #expect(made.withLock { $0 } == 1)
        #expect(objects.count == 1)
    }

    @Test func `two initialisers that wait for each other trap with a message and do not deadlock`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let slots = FeatureSlots()
            func number() -> Int { slots.object(Int.self) { text().count } }
            func text() -> String { slots.object(String.self) { String(number()) } }
            _ = number()
        }
        let errorOutput = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errorOutput.contains("Take a reference in one of them."))
    }

    @Test func `a session that the app releases also releases its features and ends its events`() async throws
    {
        var session: InlaySession? = try await fixture.session()
        weak let feature = session?.feature(RequestingFeature.self) { RequestingFeature($0) }
        let context = try #require(session?.context)
        let (left, leave) = AsyncStream.makeStream(of: String.self)
        context.onRelease { leave.yield("released") }
        context.beforeLogOut { [feature] in _ = feature }
        let events = StreamRecorder(context.events.observe())
        #expect(context.isActive)
        session = nil
        #expect(feature == nil)
        #expect(!context.isActive)
        #expect(context.feature(RequestingFeature.self, make: RequestingFeature.init) == nil)
        try await events.untilFinished()
        #expect(await left.first { _ in true } == "released")
        let late = Locked(false)
        context.onRelease { late.withLock { $0 = true } }
        #expect(late.withLock { $0 })
    }

    @Test func `a session that the app releases ends its work and is deallocated`() async throws {
        fixture.server.alwaysSocket(.accept)
        var session: InlaySession? = try await fixture.session()
        weak let outbox = session?.outbox
        weak let live = session?.live
        await session?.outbox.register(OutboxLane(name: "things", path: "/v1/things"))
        try await session?.outbox.enqueue(TestItem(1), lane: "things")
        let stream = try #require(await session?.live.subscribe(topic: "cards/main", pollEvery: .seconds(5)))
        let signals = StreamRecorder(stream)
        let socket = try await fixture.server.untilSocket()
        session = nil
        try await socket.untilClosed()
        signals.stop()
        try await eventually { fixture.clock.sleepers.isEmpty && outbox == nil && live == nil }
    }

    @Test func `a damaged store of the user is reported as an event`() async throws {
        let first = try await fixture.session()
        // Otherwise the write-ahead log would repair the damage that this test does.
        try await first.store.pool().writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        await first.store.close()
        let name = try #require(fixture.userFiles.first { $0.hasSuffix(".sqlite") })
        try Data(repeating: 7, count: 9000).write(to: fixture.folder.url.appendingPathComponent(name))
        let second = try await fixture.session()
        let events = StreamRecorder(second.events.observe())
        _ = try await second.store.read { _ in }
        try await events.until { $0.name == .storeSetAside }
        #expect(fixture.userFiles.contains { $0.contains(".damaged-") })
    }
}

/// A feature whose initialiser requests another feature.
private final class RequestingFeature: Sendable {
    let other: RequestedFeature?

    init(_ session: SessionContext) {
        other = session.feature(RequestedFeature.self) { RequestedFeature($0) }
    }
}

/// A feature whose initialiser refers to the feature that requests it.
private final class RequestedFeature: Sendable {
    let other: FeatureReference<RequestingFeature>

    init(_ session: SessionContext) {
        other = session.reference(to: RequestingFeature.self) { RequestingFeature($0) }
    }
}

import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayXMLAPI
import Testing

@testable import InlayBehaviors
@_spi(Inlay) @testable import InlayCore

/// A session with a scripted server and the client under test.
struct XMLAPIFixture: Sendable {
    let server: ScriptedTransport
    let clock: ManualClock
    let folder: TemporaryFolder
    let network: SwitchedNetwork
    let session: InlaySession
    let client: XMLAPIClient

    static func start(
        in folder: TemporaryFolder? = nil, server: ScriptedTransport = ScriptedTransport(),
        network: SwitchedNetwork = SwitchedNetwork(), listID: String? = "45654"
    ) async throws -> XMLAPIFixture {
        let folder = try folder ?? TemporaryFolder()
        let clock = ManualClock(at: Timestamp(microseconds: 1_700_000_000_000_000))
        let configuration = SessionConfiguration(
            environmentID: "env", apiKey: "key",
            baseURL: try #require(URL(string: "https://xmlapi.test")), folder: folder.url)
        let session = try await InlaySession(
            configuration: configuration, transport: server, clock: clock, random: { 0.5 }
        ) { TestToken.unsigned(expires: nil) }
        let client = XMLAPIClient(session.context, listID: { listID }, network: network)
        return XMLAPIFixture(
            server: server, clock: clock, folder: folder, network: network, session: session, client: client)
    }

    func restarted(server: ScriptedTransport = ScriptedTransport()) async throws -> XMLAPIFixture {
        session.work.end()
        return try await .start(in: folder, server: server)
    }

    var operations: [XMLTree] {
        get throws { try server.requests(InlayPath.xmlAPI).compactMap { try $0.operation } }
    }
}

/// A network status that a test sets.
final class SwitchedNetwork: NetworkStatus {
    private struct State {
        var isReachable = true
        var watchers: [AsyncStream<Bool>.Continuation] = []
    }

    private let state = Locked(State())

    init(isReachable: Bool = true) { state.withLock { $0.isReachable = isReachable } }

    var isReachable: Bool { state.withLock { $0.isReachable } }

    func changes() -> AsyncStream<Bool> {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        state.withLock { $0.watchers.append(continuation) }
        return stream
    }

    func setReachable(_ isReachable: Bool) {
        let watchers = state.withLock { state in
            state.isReachable = isReachable
            return state.watchers
        }
        watchers.forEach { $0.yield(isReachable) }
    }
}

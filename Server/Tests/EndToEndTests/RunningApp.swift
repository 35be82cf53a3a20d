import Foundation
@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
import InlayNIO
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@testable import InlayServerCore

/// An app of one user with the real SDK.
struct RunningApp {
    let session: InlaySession
    // The folder is removed with its last reference.
    private let folder: TemporaryFolder
    var cards: Cards { session.cards }

    /// Starts a session. A second call with the same folder is the app's next launch.
    static func launch(
        at server: RunningServer, user: String = "maya", folder: TemporaryFolder,
        transport: (any Transport)? = nil, gate: any RequestGate = OpenGate(),
        liveProtocol: SessionConfiguration.LiveProtocol = .webSocket, signer: DevelopmentSigner? = nil
    ) async throws -> RunningApp {
        var configuration = SessionConfiguration(
            environmentID: RunningServer.environmentID.rawValue, apiKey: server.apiKey,
            baseURL: server.address,
            folder: folder.url, clientVersion: "1.2 (test)")
        configuration.gate = gate
        configuration.liveProtocol = liveProtocol
        let signer = signer ?? server.signer
        let session = try await InlaySession(
            configuration: configuration, transport: try transport ?? NIOTransport()
        ) { try? signer.token(user: user) }
        return RunningApp(session: session, folder: folder)
    }

    /// Starts to collect the container's states.
    func observe(pollEvery interval: Duration? = .seconds(15)) -> StreamRecorder<CardFeedState> {
        StreamRecorder(cards.observe(RunningServer.containerID, pollEvery: interval))
    }
}

/// A transport that delivers everything and loses the answer to every other `POST`, beginning with the first.
struct LossyTransport: Transport {
    private let inner: NIOTransport
    private let losses = Alternation()

    init() throws { inner = try NIOTransport() }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let answer = try await inner.send(request)
        if request.method == "POST", await losses.isLost() { throw .cut("the answer was lost on purpose") }
        return answer
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        try await inner.openSocket(request)
    }

    private actor Alternation {
        private var losesNext = true

        func isLost() -> Bool {
            defer { losesNext.toggle() }
            return losesNext
        }
    }
}

/// A transport that delivers everything and loses every answer to a `POST`.
struct ResponseLossTransport: Transport {
    private let inner: NIOTransport

    init() throws { inner = try NIOTransport() }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let answer = try await inner.send(request)
        if request.method == "POST" { throw .cut("the answer was lost on purpose") }
        return answer
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        try await inner.openSocket(request)
    }
}

/// A gate that allows everything except the socket.
struct NoSocketGate: RequestGate {
    func disposition(for url: URL) -> RequestDisposition { url.path == InlayPath.socket ? .deny : .allow }
}

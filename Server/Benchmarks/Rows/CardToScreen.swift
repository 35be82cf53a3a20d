import Foundation
import InlayAdsServer
import InlayBehaviorsServer
@_spi(Inlay) import InlayCards
import InlayCardsServer
@_spi(Inlay) import InlayCore
import InlayHubServer
import InlayNIO
import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire
import NIOPosix

/// A measurement of the time from the backend's request to the patch that shows the card, while many other sockets are
/// connected.
///
/// One user has the real SDK: session, socket, store and surface; the others are raw sockets. Each round replaces a
/// card and waits until the new headline is in a message to the page.
struct CardToScreen {
    let sockets: Int
    let rounds: Int

    func measure() async throws -> [BenchRow] {
        let server = try await RunningServer(.init(users: sockets, cards: 3))
        defer { server.stop() }
        let access = server.access
        let opened = try await open(access)
        let times = try await Screen.with(access) { screen in
            let backend = try Backend(access)
            var times: [Double] = []
            for round in 0..<rounds {
                let title = "Round \(round)."
                let start = ContinuousClock.now
                try await backend.publish(
                    BenchSeed.eventNames[0], to: ServerAccess.user(0), lifecycle: "card-0", title: title)
                try await screen.wait(for: title)
                times.append((ContinuousClock.now - start) / .milliseconds(1))
            }
            return times
        }
        guard opened.openCount == sockets - 1 else {
            throw BenchError("Sockets were lost while cards were published.")
        }
        await opened.close()
        // The first rounds open connections and fill caches and are not measured.
        let percentiles = Percentiles(Array(times.dropFirst(rounds / 10)))
        let name = "card published to on screen, \(sockets) connected"
        return [
            BenchRow(name: name + ", p50", value: percentiles.at(50), unit: "ms", budget: 15, better: .lower),
            BenchRow(name: name + ", p99", value: percentiles.at(99), unit: "ms", budget: 50, better: .lower),
        ]
    }

    private func open(_ access: ServerAccess) async throws -> SocketLoad {
        let signer = try access.signer()
        let subscribe = try IdleSockets.subscribe()
        return try await SocketLoad.open(sockets - 1) { number in
            try await RawSocket.open(
                host: "127.0.0.1", port: access.port, path: InlayPath.socket,
                headers: access.headers(user: ServerAccess.user(number + 1), signer: signer),
                firstMessage: subscribe,
                on: MultiThreadedEventLoopGroup.singleton)
        }
    }
}

/// A simulated page that shows the first user's container and records the messages it gets.
private actor Screen {
    private var shownTexts: Set<String> = []
    private var waiting: (text: String, caller: CheckedContinuation<Void, any Error>)?

    /// Connects a page to the real surface for as long as the body runs.
    static func with<R: Sendable>(
        _ access: ServerAccess, _ body: @escaping @Sendable (Screen) async throws -> R
    ) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let signer = try access.signer()
        guard let url = URL(string: access.baseURL) else {
            throw BenchError("\(access.baseURL) is no address.")
        }
        let session = try await InlaySession(
            configuration: SessionConfiguration(
                environmentID: ServerAccess.environment.rawValue, apiKey: access.apiKey, baseURL: url,
                folder: folder),
            transport: try NIOTransport(),
            tokenProvider: { try? signer.token(user: ServerAccess.user(0).rawValue, life: .seconds(86_400)) })
        let surface = try CardListSurface(session.cards, container: ServerAccess.container)
        let screen = Screen()
        let (events, page) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let link = SurfaceLink(events: events) { await screen.show($0) }
        return try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask {
                await surface.run(link)
                return nil
            }
            group.addTask {
                page.yield(SurfaceMessage(surface: surface.name, kind: SurfaceMessage.Kind.ready, id: "1"))
                try await screen.wait(for: "Sailing 1")
                return try await body(screen)
            }
            defer {
                page.finish()
                group.cancelAll()
            }
            for try await result in group { if let result { return result } }
            throw BenchError("The surface ended before the measurement.")
        }
    }

    /// Returns when a message with this text was sent to the page; throws after ten seconds.
    func wait(for text: String) async throws {
        if shownTexts.contains(where: { $0.contains(text) }) { return }
        // Ends by itself after ten seconds, or with this call.
        let limit = Task {
            try await Task.sleep(for: .seconds(10))
            self.giveUp(text)
        }
        defer { limit.cancel() }
        try await withCheckedThrowingContinuation { waiting = (text, $0) }
    }

    private func show(_ message: SurfaceMessage) {
        shownTexts = Set(message.payload.texts)
        guard let (text, caller) = waiting, shownTexts.contains(where: { $0.contains(text) }) else { return }
        waiting = nil
        caller.resume()
    }

    private func giveUp(_ text: String) {
        guard let (awaited, caller) = waiting, awaited == text else { return }
        waiting = nil
        caller.resume(throwing: BenchError("\(text) did not come on screen within ten seconds."))
    }
}

extension JSONValue {
    /// All strings in the value.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.values.flatMap(\.texts)
        default: []
        }
    }
}

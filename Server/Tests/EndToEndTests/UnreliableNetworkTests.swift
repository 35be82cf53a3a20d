import Foundation
@_spi(Inlay) import InlayCards
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayCardsServer

/// The real server behind a network that fails in every way at once.
@Suite(.timeLimit(.minutes(5))) struct UnreliableNetworkTests {
    private static let changes = 24

    @Test(arguments: [1, 2])
    func `whatever is cut, refused, late or out of order, an app shows the newest cards and never goes back`(
        seed: Int
    ) async throws {
        try await RunningServer.with { server in
            let transport = try UnreliableTransport(seed: UInt64(seed))
            let app = try await RunningApp.launch(
                at: server, folder: try TemporaryFolder(), transport: transport)
            var truth = [try await feed(server).version: [String]()]
            let states = app.observe(pollEvery: .seconds(1))
            for number in 0..<Self.changes {
                let requests = transport.feedRequests
                try await change(server, number)
                let feed = try await feed(server)
                truth[feed.version] = feed.cards.elements.map(\.id).sorted()
                transport.deliverHeld()
                try await transport.untilFeedRequests(requests + 1)
            }
            let newest = try #require(truth.keys.max())
            // No change and no notification follows: the app must fetch again what the transport dropped.
            transport.end()
            try await states.untilNewest { $0.version == newest }
            let seen = states.elements.compactMap(\.version)
            #expect(seen == seen.sorted())
            for state in states.elements {
                guard let version = state.version else { continue }
                #expect(state.cards.map(\.id).sorted() == truth[version])
            }
            #expect(
                transport.kinds == Set(UnreliableTransport.Kind.allCases),
                "some kinds of trouble never occurred")
        }
    }

    /// Sends a card; each third time, cancels one instead.
    private func change(_ server: RunningServer, _ number: Int) async throws {
        guard number % 3 == 2 else {
            try await server.send(lifecycleID: "life-\(number)")
            return
        }
        let request = CardCancelRequest(lifecycleID: "life-\(number - 1)")
        _ = try await server.server.features.cards.events.cancel(RunningServer.environmentID, request)
    }

    private func feed(_ server: RunningServer) async throws -> CardFeed {
        let answer = try await server.server.features.cards.feeds.feed(
            RunningServer.environmentID, "maya", CardContainerID(RunningServer.containerID))
        guard case .feed(let json) = answer else { throw CocoaError(.coderReadCorrupt) }
        return try JSONDecoder().decode(CardFeed.self, from: Data(json.utf8))
    }
}

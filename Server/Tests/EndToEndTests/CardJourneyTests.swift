@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlayCore
import InlaySQLTesting
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore

/// Tests of cards from the server over the socket to the SDK, and of actions from the SDK back to the server.
@Suite(.timeLimit(.minutes(5))) struct CardJourneyTests {
    @Test func `an event becomes a card in a running app, over the socket`() async throws {
        try await RunningServer.with { server in
            let app = try await RunningApp.launch(at: server, folder: try TemporaryFolder())
            // Without polls, only the socket can notify the app.
            let states = app.observe(pollEvery: nil)
            try await states.untilNewest { $0.isCurrent && $0.cards.isEmpty }
            try await server.send(variables: ["name": "Maya"])
            let state = try await states.untilNewest { $0.cards.count == 1 }
            #expect(state.cards.first?.layout.nodes.first == .headline("Hello Maya"))
            #expect(state.unseen == 1)
        }
    }

    @Test func `where the gate denies the socket, polls bring the card`() async throws {
        try await RunningServer.with { server in
            let app = try await RunningApp.launch(
                at: server, folder: try TemporaryFolder(), gate: NoSocketGate())
            let states = app.observe(pollEvery: .seconds(1))
            try await states.untilNewest { $0.isCurrent }
            try await server.send()
            try await states.untilNewest { $0.cards.count == 1 }
        }
    }

    @Test func `a submission arrives once with its values, though the answer is lost`() async throws {
        try await RunningServer.with { server in
            try await server.send()
            let phone = try await RunningApp.launch(
                at: server, folder: try TemporaryFolder(), transport: try LossyTransport())
            let tablet = try await RunningApp.launch(at: server, folder: try TemporaryFolder())
            let onTablet = tablet.observe(pollEvery: nil)
            try await onTablet.untilNewest { $0.cards.count == 1 }
            let card = try #require(try await phone.cards.cards(in: RunningServer.containerID).first)
            _ = try await phone.cards.submit(
                card.id, in: RunningServer.containerID, button: "send", values: ["answer": "yes"])
            try await onTablet.untilNewest { $0.cards.isEmpty }
            // Sends the action again whose answer was lost; the answer to the copy may be lost as well.
            try? await phone.session.logOut()
            let submissions = try await server.server.features.cards.actions.submissions(
                RunningServer.environmentID)
            #expect(submissions.map(\.cardID.rawValue) == [card.id])
            #expect(submissions.first?.buttonName == "send")
            #expect(submissions.first?.values == ["answer": "yes"])
            #expect(submissions.first?.clientVersion == "1.2 (test)")
        }
    }

    @Test func `an action without a server arrives after the app and the server were started again`()
        async throws
    {
        try await TestDatabase.withFolder { path in
            let (database, folder) = ("sqlite:\(path)/inlay.sqlite", try TemporaryFolder())
            let first = try await RunningServer.start(on: database)
            try await first.send()
            var app: RunningApp? = try await RunningApp.launch(at: first, folder: folder)
            let card = try #require(try await app?.cards.cards(in: RunningServer.containerID).first)
            let port = first.address.port ?? 0
            await first.stop()
            _ = try await app?.cards.dismiss(card.id, in: RunningServer.containerID)
            app = nil
            let second = try await RunningServer.start(on: database, port: port, after: first)
            let again = try await RunningApp.launch(at: second, folder: folder)
            let states = again.observe()
            // A device that does not have the action itself shows the server's state.
            let tablet = try await RunningApp.launch(at: second, folder: try TemporaryFolder())
            try await tablet.observe(pollEvery: nil).untilNewest {
                $0.isCurrent && $0.hadCards && $0.cards.isEmpty
            }
            try await states.untilNewest { $0.isCurrent && $0.hadCards }
            #expect(states.elements.allSatisfy { $0.cards.isEmpty })
            await second.stop()
        }
    }

    @Test func `two servers on one PostgreSQL notify each other's apps`() async throws {
        try await TestDatabase.withURL(.postgresql) { database in
            let first = try await RunningServer.start(on: database)
            let second = try await RunningServer.start(on: database, after: first)
            let app = try await RunningApp.launch(at: second, folder: try TemporaryFolder())
            let states = app.observe(pollEvery: nil)
            try await states.untilNewest { $0.isCurrent }
            try await first.send()
            try await states.untilNewest { $0.cards.count == 1 }
            await first.stop()
            await second.stop()
        }
    }

    @Test func `a card that is dismissed on one device disappears from the other`() async throws {
        try await RunningServer.with { server in
            try await server.send()
            let phone = try await RunningApp.launch(at: server, folder: try TemporaryFolder())
            let tablet = try await RunningApp.launch(at: server, folder: try TemporaryFolder())
            let onTablet = tablet.observe(pollEvery: nil)
            try await onTablet.untilNewest { $0.cards.count == 1 }
            let card = try #require(try await phone.cards.cards(in: RunningServer.containerID).first)
            try await phone.cards.dismiss(card.id, in: RunningServer.containerID).confirmed()
            try await onTablet.untilNewest { $0.cards.isEmpty }
        }
    }

    @Test func `embargo, snooze and expiry happen on screen by themselves`() async throws {
        try await RunningServer.with { server in
            let app = try await RunningApp.launch(at: server, folder: try TemporaryFolder())
            let states = app.observe(pollEvery: nil)
            try await states.untilNewest { $0.isCurrent }
            let embargo = Timestamp.now() + .seconds(1)
            try await server.send(embargoUntil: embargo)
            let shown = try await states.untilNewest { $0.cards.count == 1 }
            #expect(Timestamp.now() >= embargo)
            let card = try #require(shown.cards.first)
            try await snooze(card.id, in: app)
            // The card has no end at first: if it ended before a slow app saw it, the test would prove nothing.
            try await server.send(lifecycleID: "short")
            try await states.untilNewest { $0.cards.count == 2 }
            let end = Timestamp.now() + .seconds(2)
            try await server.send(lifecycleID: "short", expiresAt: end)
            try await states.untilNewest { $0.cards.map(\.id) == [card.id] }
            #expect(Timestamp.now() >= end)
        }
    }

    /// Snoozes a card, longer each time, until a state without the card was observed, and waits for its return.
    ///
    /// An observer gets the newest state only, so a machine that pauses for a whole snooze never shows the
    /// state in between; it gets a longer one.
    private func snooze(_ card: String, in app: RunningApp) async throws {
        var wasHidden = false
        for seconds in [1, 4, 16, 60] where !wasHidden {
            let states = app.observe(pollEvery: nil)
            try await states.untilNewest { $0.cards.map(\.id) == [card] }
            let end = Timestamp.now() + .seconds(seconds)
            _ = try await app.cards.snooze(card, in: RunningServer.containerID, for: .seconds(seconds))
            try await eventually { Timestamp.now() >= end }
            try await states.untilNewest { $0.cards.map(\.id) == [card] }
            wasHidden = states.elements.contains { $0.cards.isEmpty }
        }
        #expect(wasHidden)
    }

    @Test func `a token of another key is refused with the reason`() async throws {
        try await RunningServer.with { server in
            try await server.send()
            let app = try await RunningApp.launch(
                at: server, folder: try TemporaryFolder(), signer: DevelopmentSigner())
            let refusal = await #expect(throws: CardConnectionError.self) {
                try await app.cards.cards(in: RunningServer.containerID)
            }
            guard case .refused(let problem) = refusal else {
                Issue.record("not a refusal: \(String(describing: refusal))")
                return
            }
            #expect(problem.code == .tokenWrongKey)
        }
    }

    @Test func `after log-out the next user on the device sees nothing of the one before`() async throws {
        try await RunningServer.with { server in
            try await server.send(to: ["maya"])
            let folder = try TemporaryFolder()
            let maya = try await RunningApp.launch(at: server, user: "maya", folder: folder)
            #expect(try await maya.cards.cards(in: RunningServer.containerID).count == 1)
            try await maya.session.logOut()
            let bo = try await RunningApp.launch(at: server, user: "bo", folder: folder)
            let states = bo.observe()
            try await states.untilNewest { $0.isCurrent }
            #expect(states.elements.allSatisfy { $0.cards.isEmpty })
        }
    }
}

import Foundation
import InlaySQLTesting
import InlayServer
@_spi(Inlay) import InlayWire
import Logging

@testable import InlayCardsServer
@testable import InlayServerCore

/// A real server on a free port, with one environment, one container and one template.
final class RunningServer: Sendable {
    static let environmentID: EnvironmentID = "test"
    static let containerID = "home"

    let server: InlayServer
    let address: URL
    let apiKey: String
    let signer: DevelopmentSigner
    // The task ends with `stop()`, or with this object when a test fails before that.
    private let running: Task<Void, any Error>

    /// Starts a server. On the database of an `earlier` server, it has the `signer` and the `apiKey` of that server.
    static func start(
        on databaseURL: String, port: Int = 0, after earlier: RunningServer? = nil,
        now: @escaping @Sendable () -> Timestamp = Timestamp.now, adding features: [any ServerFeature] = []
    ) async throws -> RunningServer {
        var configuration = InlayServerConfiguration()
        configuration.port = port
        configuration.database = SecretString(databaseURL)
        configuration.rates = .off
        configuration.passwordCost = .minimum
        configuration.stopSeconds = 1
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try await InlayServer.make(configuration, logger: logger, now: now) { _ in features }
        let signer = earlier?.signer ?? DevelopmentSigner()
        let apiKey: String
        if let earlier { apiKey = earlier.apiKey } else { apiKey = try await prepare(server, signer) }
        let running = Task { try await server.run() }
        guard let port = await server.port, let address = URL(string: "http://127.0.0.1:\(port)") else {
            try await running.value
            throw CocoaError(.featureUnsupported)
        }
        return RunningServer(server, address, apiKey, signer, running)
    }

    private init(
        _ server: InlayServer, _ address: URL, _ apiKey: String, _ signer: DevelopmentSigner,
        _ running: Task<Void, any Error>
    ) {
        (self.server, self.address, self.apiKey, self.signer) = (server, address, apiKey, signer)
        self.running = running
    }

    deinit { running.cancel() }

    /// Runs a body with a server on SQLite, and stops the server also when the body throws.
    static func with<R>(
        now: @escaping @Sendable () -> Timestamp = Timestamp.now, _ body: (RunningServer) async throws -> R
    ) async throws -> R {
        try await TestDatabase.withFolder { folder in
            let server = try await start(on: "sqlite:\(folder)/inlay.sqlite", now: now)
            do {
                let result = try await body(server)
                await server.stop()
                return result
            } catch {
                await server.stop()
                throw error
            }
        }
    }

    /// Stops the server and waits for its end.
    func stop() async {
        running.cancel()
        _ = await running.result
    }

    /// Sends a card and returns its event's id.
    @discardableResult
    func send(
        to users: [UserID] = ["maya"], lifecycleID: CardLifecycleID? = nil, expiresAt: Timestamp? = nil,
        embargoUntil: Timestamp? = nil, variables: [String: JSONValue] = [:]
    ) async throws -> CardEventID {
        var event = CardEventRequest(
            name: "hello", target: .users(users), lifecycleID: lifecycleID, variables: variables)
        (event.expiresAt, event.embargoUntil) = (expiresAt, embargoUntil)
        return try await server.features.cards.events.send(Self.environmentID, event).eventID
    }

    private static func prepare(_ server: InlayServer, _ signer: DevelopmentSigner) async throws -> String {
        let environments = server.services.environments
        _ = try await environments.create(id: environmentID.rawValue, name: "Test")
        let cards = server.features.cards
        let container = CardContainerID(containerID)
        try await cards.containers.save(environmentID, id: container, name: "Home")
        try await cards.containers.makeDefault(environmentID, container)
        let template = try await cards.templates.create(environmentID, Self.template)
        try await cards.templates.publish(environmentID, template.id)
        return try await environments.addApiKey(
            environmentID, name: "App", rules: TokenRules(publicKey: signer.publicKeyPEM)
        ).id
    }

    private static let template = CardTemplateDraft(
        name: "Hello", eventName: "hello", containerIDs: [CardContainerID(containerID)],
        definition: CardTemplateDefinition(
            elements: [
                .headline("Hello {{name}}"),
                .form([
                    .textInput(CardTextInput(name: "answer", label: "Answer")),
                    .submitButton(CardSubmitButton(text: "Send", buttonName: "send")),
                ]),
            ],
            variables: [.init(name: "name", defaultValue: .string("you"))]))
}

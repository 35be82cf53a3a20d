import AsyncHTTPClient
import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import NIOCore
import ServiceLifecycle

@testable import InlayCardsServer
@testable import InlayServer
@testable import InlayServerCore
@testable import InlayWorkbench

/// A whole server on a free port with two environments and an operator of each role; stopped when the body
/// ends.
struct WorkbenchSite: Sendable {
    static let password = "four ferries before noon"

    let server: InlayServer
    let port: Int
    let client: HTTPClient

    var services: ServerServices { server.services }
    var cards: CardsFeature { server.features.cards }

    var workbench: WorkbenchFeature { server.features.workbench }
    /// The Workbench's own table of pages and forms.
    var routes: [WorkbenchRoute] { workbench.routes }

    /// Runs the body with the server. `now` is its clock, `zone` the time zone of environments without their own.
    static func run(
        now: @escaping @Sendable () -> Timestamp = Timestamp.now, zone: CalendarZone = .server,
        configure: (inout InlayServerConfiguration) -> Void = { _ in },
        watching: (any SQLDatabase) -> any SQLDatabase = { $0 },
        adding added: (ServerServices) -> [any ServerFeature] = { _ in [] },
        _ body: @Sendable (WorkbenchSite) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "workbench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = InlayServerConfiguration()
        configuration.port = 0
        configuration.database = "sqlite:\(folder.path)/inlay.sqlite"
        configuration.rates = .off
        configuration.timeZone = zone
        // With the default of ten seconds, a busy machine would cut requests off and end the test with an error.
        configuration.stopSeconds = 120
        configuration.passwordCost = .minimum
        configure(&configuration)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = try await InlayServer.make(
            configuration, logger: logger, now: now, watching: watching, adding: added)
        let group = ServiceGroup(configuration: .init(services: [server], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            guard let port = await server.port else {
                // Throws the error that kept the server from listening.
                try await tasks.waitForAll()
                throw TestFailure("The server never listened.")
            }
            var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
            settings.timeout.connect = .seconds(60)
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
            let site = WorkbenchSite(server: server, port: port, client: client)
            let result: Result<Void, any Error>
            do {
                try await site.fill()
                result = .success(try await body(site))
            } catch {
                result = .failure(error)
            }
            try await client.shutdown()
            await group.triggerGracefulShutdown()
            // First, because the test's own error says more than an error of the stop.
            try result.get()
            try await tasks.waitForAll()
        }
    }

    private func fill() async throws {
        for role in OperatorRole.allCases {
            _ = try await services.operators.create(login: role.rawValue, password: Self.password, role: role)
        }
        for id in ["harbor", "other"] {
            _ = try await services.environments.create(id: id, name: "The \(id) environment")
            _ = try await cards.containers.save(EnvironmentID(verified: id), id: "inbox", name: "Inbox")
        }
    }

    /// Returns a browser without a session.
    func browser() -> WorkbenchBrowser { WorkbenchBrowser(site: self) }

    /// Returns a browser that signed in through the form as the operator of this role.
    func signedIn(_ role: OperatorRole) async throws -> WorkbenchBrowser {
        let browser = browser()
        let answer = try await browser.signIn(role.rawValue, Self.password)
        guard answer.status == 303 else { throw TestFailure("No sign-in as \(role): \(answer.status)") }
        return browser
    }
}

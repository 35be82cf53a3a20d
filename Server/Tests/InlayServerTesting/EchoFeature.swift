import Foundation
import Hummingbird
@_spi(Inlay) import InlayWire
import NIOCore

@testable import InlayServerCore

/// Routes that return the request context of a feature, and routes that throw errors.
struct EchoFeature: ServerFeature {
    struct Identity: Codable, Equatable { let environment: String, user: UserID, version: String }
    struct Note: Codable { let text: String, count: Int? }
    struct Broken: Error, CustomStringConvertible { let description = "SELECT secret FROM vault" }

    let services: ServerServices
    /// Called when a request to `test/slow` begins.
    var begun: (@Sendable () -> Void)?
    /// Awaited before a request to `test/slow` is answered.
    var gate: (@Sendable () async -> Void)?

    func addRoutes(to routes: ServerRoutes) {
        routes.client.get("test/whoami") { _, context in
            try Response.json(
                Identity(
                    environment: context.identity.environmentID.rawValue, user: context.identity.userID,
                    version: context.identity.clientVersion))
        }
        routes.client.post("test/notes") { request, _ in try Response.json(try await request.json(Note.self))
        }
        routes.backend.get("test/backend") { _, context in
            try Response.json(["environment": context.environmentID])
        }
        routes.root.get("test/broken") { _, _ -> Response in throw Broken() }
        routes.root.get("test/teapot") { _, _ -> Response in
            throw HTTPError(.init(code: 418), message: "internal words")
        }
        routes.root.get("test/sql") { _, _ -> Response in
            _ = try await services.database.read { try $0.rows("SELECT * FROM no_such_table") }
            return Response(status: .ok)
        }
        routes.root.get("test/slow") { _, _ in
            begun?()
            await gate?()
            return Response(status: .ok)
        }
        services.live.registerVersionLookup(forPrefix: "test/") { environment, user, topic in
            topic == "test/none" ? nil : Int64(environment.rawValue.count * 1000 + user.rawValue.count)
        }
    }
}

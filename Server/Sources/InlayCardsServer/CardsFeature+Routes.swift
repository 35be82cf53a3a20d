import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

extension CardsFeature {
    /// Adds the routes that apps call, for their own user only.
    func addClientRoutes(to routes: RouterGroup<ClientContext>) {
        routes.get("v1/cards/containers/{id}/feed") { request, context in
            let identity = context.identity
            let answer = try await feeds.feed(
                identity.environmentID, identity.userID,
                CardContainerID(try context.parameters.require("id")),
                after: try request.after)
            switch answer {
            case .notModified: return Response(status: .notModified)
            case .feed(let json): return Response.json(text: json)
            }
        }
        routes.get("v1/cards/containers/{id}/appearance") { request, context in
            let id = CardContainerID(try context.parameters.require("id"))
            guard id.isWellFormed else { throw Problem.notFound("container") }
            let appearance = try await containers.appearance(
                context.identity.environmentID, id, after: try request.after)
            guard let appearance else { return Response(status: .notModified) }
            return try Response.json(appearance)
        }
        routes.get("v1/cards/counts") { _, context in
            try Response.json(try await feeds.counts(context.identity.environmentID, context.identity.userID))
        }
        routes.post("v1/cards/actions") { request, context in
            let identity = context.identity
            let batch = try await request.json(LenientBatch<CardAction>.self)
            let receipt = try await batch.receipt {
                try await actions.apply(
                    identity.environmentID, identity.userID, clientVersion: identity.clientVersion, $0)
            }
            return try Response.json(receipt)
        }
    }

    /// Adds the routes that an environment's own server calls.
    func addBackendRoutes(to routes: RouterGroup<BackendContext>) {
        routes.post("v1/events") { request, context in
            let event = try await request.json(CardEventRequest.self)
            let receipt = try await FieldErrors.asProblem {
                try await events.send(context.environmentID, event)
            }
            return try Response.json(receipt, status: receipt.isComplete ? .ok : .accepted)
        }
        routes.post("v1/cards/cancel") { request, context in
            let cancellation = try await request.json(CardCancelRequest.self)
            let receipt = try await FieldErrors.asProblem {
                try await events.cancel(context.environmentID, cancellation)
            }
            return try Response.json(receipt)
        }
    }
}

extension FieldErrors {
    /// Runs the body, and throws field errors as the problem that the API responds with.
    static func asProblem<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let errors as FieldErrors {
            throw errors.problem
        }
    }
}

extension Request {
    /// The version that the caller has, from `?after=`; throws `invalid-value` when it is not a number.
    fileprivate var after: Int64? {
        get throws {
            guard let text = uri.queryParameters["after"] else { return nil }
            guard let version = Int64(text) else {
                throw Problem.invalidValue("after", "The version is a whole number.")
            }
            return version
        }
    }
}

extension Response {
    /// Returns a response whose JSON is already text.
    fileprivate static func json(text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}

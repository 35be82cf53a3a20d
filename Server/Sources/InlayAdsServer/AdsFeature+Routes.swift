import HTTPTypes
import Hummingbird
import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire

extension AdsFeature {
    /// Adds the routes that apps and devices call. A request for an ad names its publisher and unit and needs
    /// no credentials.
    func addPublicRoutes(to routes: RouterGroup<ServerContext>) {
        routes.post("ads/request") { request, context in
            try requestLimiter.spend(requestLimit, from: context.callerAddress)
            return try await respond(
                to: try await adRequest(request), caller(request, context, acceptsExtension: false))
        }
        routes.post("v1/ads/request") { request, context in
            try requestLimiter.spend(requestLimit, from: context.callerAddress)
            let wanted = try await adRequest(request)
            var caller = caller(request, context, acceptsExtension: true)
            caller.user = await user(request)
            return try await respond(to: wanted, caller)
        }
        routes.get("ads/t/{token}") { request, context in
            let token = try context.parameters.require("token")
            let invalid = traffic.reason(
                address: context.callerAddress, agent: request.headers[.userAgent] ?? "")
            let outcome = try await booking.book(
                token, detail: request.uri.queryParameters["code"].map(String.init), invalid: invalid)
            // Devices call again after the time in the response. Only a device that was served the ad has such a token.
            if case .early(let wait) = outcome { throw Refusal.waiting(wait) }
            // Every other token gets this response, so that a caller cannot find out which tokens are valid.
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
        routes.get("ads/reward-keys") { _, _ in
            let keys = try await keys.rewardKeys().map { RewardKeys.Key(id: $0.id, key: $0.publicKey) }
            return try Response.json(
                RewardKeys(keys: keys), headers: [.cacheControl: "public, max-age=3600"])
        }
    }

    private struct RewardKeys: Encodable {
        struct Key: Encodable {
            let id: String
            let algorithm = "Ed25519"
            /// 32 bytes in base64.
            let key: String
        }

        let keys: [Key]
    }

    private func adRequest(_ request: Request) async throws -> AdRequest {
        let body = try await request.jsonBytes(limit: AdLimits.maximumRequestBytes)
        do {
            return try AdRequestReader.read(body)
        } catch {
            throw Problem.malformedBody(error.sentence)
        }
    }

    private func respond(to wanted: AdRequest, _ caller: AdCaller) async throws -> Response {
        guard let ad = try await exchange.response(to: wanted, from: caller) else {
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
        return try Response.json(ad)
    }

    private func caller(_ request: Request, _ context: ServerContext, acceptsExtension: Bool) -> AdCaller {
        AdCaller(
            address: context.callerAddress,
            base: services.configuration.publicURL?.description ?? "http://\(context.listenerAddress)",
            acceptsExtension: acceptsExtension, agent: request.headers[.userAgent] ?? "")
    }

    /// Returns the user of the app's token; `nil` for a missing or invalid token, because an ad needs no user.
    private func user(_ request: Request) async -> ClientIdentity? {
        guard request.headers[.authorization] != nil else { return nil }
        return try? await services.clients.identity(.init(request.headers))
    }
}

extension OpenRTB.Fault {
    /// The place of the fault in the request and its kind, phrased as on other routes.
    fileprivate var sentence: String {
        let field = path.isEmpty ? "(body)" : path
        return switch reason {
        case .malformed, .tooLarge: "It is not valid JSON."
        case .missing: "The field \(field) is missing."
        default: "The field \(field) has another type."
        }
    }
}

import Foundation
import Hummingbird
import HummingbirdTesting
import InlaySQL
@_spi(Inlay) import InlayWire
import Logging
import Metrics
import Testing

@testable import InlayDevicesServer
@testable import InlayCardsServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The routes of cards and analytics, behind a middleware that takes the user's id from `From` without a check.
@Suite struct CardRouteTests {
    private struct UncheckedIdentity: RouterMiddleware {
        typealias Context = ServerContext

        func handle(
            _ request: Request, context: ServerContext,
            next: (Request, ServerContext) async throws -> Response
        ) async throws -> Response {
            var context = context
            let user = request.headers[.from] ?? "ada"
            context.identity = ClientIdentity(
                environmentID: "env", apiKeyID: "key", userID: UserID(user),
                expiresAt: Timestamp(microseconds: .max))
            context.backend = BackendIdentity(environmentID: "env", secretKeyID: "secret")
            return try await next(request, context)
        }
    }

    private func with<R: Sendable>(
        _ body: @Sendable (CardsServerFixture, any TestClientProtocol) async throws -> R
    ) async throws -> R {
        try await CardsServerFixture.with(.sqlite) { fixture in
            let services = ServerServices(
                InlayServerConfiguration(), fixture.database, NOOPMetricsHandler.instance,
                Logger(label: "test"),
                accounts: AccountTokenStore(database: fixture.database, now: { fixture.time.now }),
                { fixture.time.now })
            let router = Router(context: ServerContext.self), unknown = UnknownAddresses()
            router.add(middleware: ProblemResponses(allowed: AllowedMethods(), unknown: unknown))
            router.add(middleware: UncheckedIdentity())
            let own = FeatureRouter(router: router, owner: "test", names: FeatureNames())
            let routes = ServerRoutes(own, client: own.group(), backend: own.group(), unknown: unknown)
            CardsFeature(services).addRoutes(to: routes)
            AnalyticsFeature(services).addRoutes(to: routes)
            return try await Application(router: router).test(.router) { try await body(fixture, $0) }
        }
    }

    private func post(_ client: any TestClientProtocol, _ path: String, _ json: String) async throws
        -> TestResponse
    {
        try await client.execute(
            uri: path, method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(string: json))
    }

    private func decode<Value: Decodable>(_ response: TestResponse, as type: Value.Type = Value.self) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(buffer: response.body))
    }

    @Test func `a backend sends an event, and the app reads its card, acts on it and reports a display`()
        async throws
    {
        try await with { fixture, client in
            try await fixture.publish()
            let event = #"{"id":"e1","name":"ping","target":{"users":["ada"]},"variables":{"name":"Ada"}}"#
            for _ in 0..<2 {
                let sent = try await post(client, "/v1/events", event)
                #expect(sent.status == .ok)
                let receipt: CardEventReceipt = try decode(sent)
                #expect(receipt.eventID == "e1" && receipt.cards == 1 && receipt.isComplete)
            }
            let answer = try await client.execute(uri: InlayPath.cardFeed(container: "main"), method: .get)
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/json")
            let feed: CardFeed = try decode(answer)
            let card = try #require(feed.cards.elements.first)
            let same = try await client.execute(
                uri: InlayPath.cardFeed(container: "main") + "?after=\(feed.version)", method: .get)
            #expect(same.status == .notModified && same.body.readableBytes == 0)

            let counts: CardCounts = try decode(
                try await client.execute(uri: InlayPath.cardCounts, method: .get))
            #expect(counts == CardCounts(containers: ["main": .init(total: 1, unseen: 1)]))
            let look: CardAppearance = try decode(
                try await client.execute(uri: InlayPath.cardAppearance(container: "main"), method: .get))
            #expect(look.version == 1)

            let displayed = AnalyticsEvent(
                id: "a1", name: "card-displayed", time: fixture.time.now, cardID: card.id)
            let counted = try await post(
                client, InlayPath.analytics,
                String(decoding: JSONEncoder().encode(Batch(items: [displayed])), as: UTF8.self))
            #expect(try decode(counted) == BatchReceipt(receipts: [ItemReceipt(id: "a1")]))
            let action = CardAction(
                id: "x1", containerID: "main", cardID: card.id, time: fixture.time.now, kind: .dismiss)
            let acted = try await post(
                client, InlayPath.cardActions,
                String(decoding: JSONEncoder().encode(Batch(items: [action])), as: UTF8.self))
            #expect(try decode(acted) == BatchReceipt(receipts: [ItemReceipt(id: "x1")]))
            let totals = try #require(try await fixture.analytics.totals("env").values.first)
            #expect(totals.displayed == 1 && totals.dismissed == 1 && totals.sent == 1)
        }
    }

    @Test(arguments: [
        ("/v1/events", "{", 400, "malformed-body"), ("/v1/events", #"{"name":"x"}"#, 400, "malformed-body"),
        ("/v1/events", #"{"name":"","target":{"all":true}}"#, 422, "invalid-value"),
        ("/v1/events", #"{"name":"x","target":{"all":false}}"#, 400, "malformed-body"),
        ("/v1/cards/cancel", #"{"lifecycleId":""}"#, 422, "invalid-value"),
        ("/v1/cards/actions", #"{"items":7}"#, 400, "malformed-body"),
        ("/v1/cards/actions", "[]", 400, "malformed-body"),
        ("/v1/analytics", "{}", 400, "malformed-body"), ("/v1/analytics", "\u{0}", 400, "malformed-body"),
    ])
    func `a body that cannot be used is refused with its reason`(
        _ path: String, _ body: String, _ status: Int, _ code: String
    ) async throws {
        try await with { _, client in
            let answer = try await post(client, path, body)
            #expect(answer.status.code == status)
            let problem: Problem = try decode(answer)
            #expect(problem.code.rawValue == code)
        }
    }

    @Test func `unknown fields are ignored, and an unreadable item is refused alone`() async throws {
        try await with { fixture, client in
            let body =
                #"{"more":1,"items":[{"id":"bad"},{"id":"a","name":"n","time":1,"clientVersion":"1","properties":{},"x":{}}]}"#
            let receipt: BatchReceipt = try decode(try await post(client, InlayPath.analytics, body))
            #expect(receipt.receipts.map(\.id) == ["bad", "a"])
            #expect(receipt.receipts.map(\.refusal?.code) == [.malformedBody, nil])
            #expect(try await fixture.analytics.recent("env", "ada").map(\.id) == ["a"])
        }
    }

    @Test func `an unknown container and a version that is no number are refused`() async throws {
        try await with { fixture, client in
            try await fixture.publish()
            for path in [
                InlayPath.cardFeed(container: "no"), InlayPath.cardAppearance(container: "a' OR '1"),
            ] {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(answer.status == .notFound)
            }
            let answer = try await client.execute(
                uri: InlayPath.cardFeed(container: "main") + "?after=x", method: .get)
            #expect(answer.status.code == 422)
        }
    }
}

import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The ad request: its data about device, app and user, and the data that it does not wait for.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
    static let id = "AAAA1111-2222-3333-4444-555566667777"

    private static func untilIdentified(_ fixture: AdsFixture) async throws {
        let context = try #require(fixture.session.ads.requestContext)
        try await eventually { context.identifier.value != nil }
    }

    @Test func `the advertising id is sent as the provider returns it`() async throws {
        let fixture = try await AdsFixture.start { $0.identifiers = TestIdentifier { Self.id } }
        try await Self.untilIdentified(fixture)
        try await fixture.placement().load()
        #expect(try fixture.requests().first?["ifa"] == .string(Self.id))
    }

    @Test(arguments: ["fails", "nothing", "empty", "zeros"])
    func `without an advertising id, ifa is an empty string and the request is sent`(way: String) async throws
    {
        let fixture = try await AdsFixture.start {
            $0.identifiers = TestIdentifier {
                switch way {
                case "fails": throw TestFailure()
                case "empty": ""
                case "zeros": "00000000-0000-0000-0000-000000000000"
                default: nil
                }
            }
        }
        // The invalid id must have arrived, otherwise the test would not show that it is left out.
        if way == "empty" || way == "zeros" { try await Self.untilIdentified(fixture) }
        try await fixture.placement().load()
        try await fixture.placement().load()
        let ids = try fixture.requests().map { $0["ifa"] }
        #expect(ids == [.string(""), .string("")])
    }

    @Test func `a request does not wait for a late id, and a later one carries it`() async throws {
        let clock = ManualClock(at: AdsFixture.noon)
        let fixture = try await AdsFixture.start(clock: clock) {
            $0.identifiers = TestIdentifier {
                try await clock.sleep(for: .seconds(10))
                return Self.id
            }
        }
        try await clock.untilSleeping(for: .seconds(10))
        let placement = fixture.placement()
        try await placement.load()
        #expect(try fixture.requests().map { $0["ifa"] } == [""])
        // Nothing moved the clock meanwhile.
        #expect(clock.now() == AdsFixture.noon)
        clock.advance(by: .seconds(10))
        try await Self.untilIdentified(fixture)
        placement.destroy()
        try await placement.load()
        #expect(try fixture.requests().map { $0["ifa"] } == ["", .string(Self.id)])
    }

    @Test func `a withdrawn advertising id is not sent any more`() async throws {
        let allowed = Locked(true)
        let fixture = try await AdsFixture.start {
            $0.identifiers = TestIdentifier { allowed.withLock { $0 } ? Self.id : nil }
        }
        try await Self.untilIdentified(fixture)
        allowed.withLock { $0 = false }
        // This load asks the provider again, and the next one uses the answer.
        try await fixture.placement().load()
        let context = try #require(fixture.session.ads.requestContext)
        try await eventually { context.identifier.value == nil }
        try await fixture.placement().load()
        #expect(try fixture.requests().last?["ifa"] == "")
    }

    @Test func `a known location is sent as three numbers`() async throws {
        let fixture = try await AdsFixture.start {
            $0.locations = TestLocation { AdGeo(latitude: 55.75, longitude: 37.62, precision: 25) }
        }
        let context = try #require(fixture.session.ads.requestContext)
        try await eventually { context.location.value != nil }
        try await fixture.placement().load()
        #expect(
            try fixture.requests().first?["geo"]
                == .object([
                    "latitude": .number(55.75), "longitude": .number(37.62), "precision": .integer(25),
                ]))
    }

    @Test(arguments: ["refused", "unknown", "senseless"])
    func `geo is sent as null when the location is unknown`(way: String) async throws {
        let asked = Locked(false)
        let fixture = try await AdsFixture.start {
            $0.locations = TestLocation {
                asked.withLock { $0 = true }
                switch way {
                case "refused": throw TestFailure()
                case "senseless": return AdGeo(latitude: 55, longitude: 37, precision: -1)
                default: return nil
                }
            }
        }
        try await eventually { asked.withLock { $0 } }
        let context = try #require(fixture.session.ads.requestContext)
        if way == "senseless" { try await eventually { context.location.value != nil } }
        try await fixture.placement().load()
        let request = try #require(try fixture.requests().first)
        #expect(request.keys.contains("geo") && request["geo"] == .null)
    }

    @Test func `the id and the location are not sent where the consent forbids it`() async throws {
        for consent in [AdConsent(lmt: true), AdConsent(coppa: true)] {
            let fixture = try await AdsFixture.start {
                $0.identifiers = TestIdentifier { Self.id }
                $0.locations = TestLocation { AdGeo(latitude: 55, longitude: 37, precision: 5) }
                $0.consent = TestConsent(consent)
            }
            try await Self.untilIdentified(fixture)
            let context = try #require(fixture.session.ads.requestContext)
            try await eventually { context.location.value != nil }
            try await fixture.placement().load()
            let request = try #require(try fixture.requests().first)
            #expect(request["ifa"] == "")
            #expect((request["geo"] == .null) == (consent.coppa == true))
        }
    }

    @Test func `a documented source receives exactly the seven keys, and nothing of the session`()
        async throws
    {
        let server = try ScriptedTransport.exchange()
        server.always("/ssp/ads", try .json(AdResponse.banner))
        let url = try #require(URL(string: "https://ssp.test/ssp/ads"))
        let fixture = try await AdsFixture.start(server: server) { $0.source = .documented(url) }
        try await fixture.placement(size: AdSize(width: 320, height: 50)).load()
        let request = try #require(try fixture.requests("/ssp/ads").first)
        #expect(
            Set(request.keys) == ["ifa", "pubID", "unitID", "bundle", "userAgent", "appName", "geo"])
        let sent = try #require(server.requests("/ssp/ads").first)
        #expect(sent.url == url && sent.method == "POST")
        #expect(Set(sent.headers.keys) == ["Content-Type", "Accept", "User-Agent"])
    }

    @Test
    func `Inlay's route receives the API key, and the user's token only when the session already has it`()
        async throws
    {
        let fixture = try await AdsFixture.start()
        try await fixture.placement().load()
        let first = try #require(fixture.server.requests(AdsFixture.path).first)
        #expect(first.headers[InlayHeader.apiKey] == "key" && first.headers[InlayHeader.environment] == "env")
        // By now the trackers' store has requested the user's token.
        await fixture.flush()
        try await fixture.placement().load()
        let second = try #require(fixture.server.requests(AdsFixture.path).last)
        #expect(second.headers["Authorization"]?.hasPrefix("Bearer ") == true)
        let nobody = try await AdsFixture.start(user: nil)
        try await nobody.placement().load()
        #expect(nobody.server.requests(AdsFixture.path).first?.headers["Authorization"] == nil)
    }
}

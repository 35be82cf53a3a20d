import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayEngage
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import InlayXMLAPI
import Testing

extension EngageTests {
    @MainActor @Suite struct Start {
        @Test func `an XMLAPI object reaches the server as one request with an Envelope`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            _ = try await fixture.post(XMLAPI.selectRecipientData("someone@adomain.com", list: "45654"))
            let requests = fixture.server.requests(InlayPath.xmlAPI)
            #expect(requests.map(\.method) == ["POST"])
            #expect(try requests.first?.envelope.name == "Envelope")
        }

        @Test func `a UBF reaches the server as JSON in a POST`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            let event = UBF.namedEvent(
                "seen", params: ["a \"quote\" ä": "one\n\\two", "number": 3, "flag": true])
            UBFManager.sharedInstance().trackEvent(event)
            try await fixture.flush()
            let request = try #require(fixture.server.requests(EngageFixture.events).first)
            #expect(request.method == "POST")
            #expect(request.headers["Content-Type"] == "application/json")
            let sent = try #require(try fixture.posted.first { $0["Event Name"] == "seen" })
            #expect(sent.eventTypeCode == String(event.eventTypeCode) && event.params.count == 3)
            for (name, value) in event.params {
                #expect(sent.attributes.filter { $0.name == name }.map(\.value) == [value], "\(name)")
            }
            // The body contains exactly the stored events, with all of their members and no others.
            let own = try await fixture.stored().map {
                try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode($0.event))
            }
            let body = try JSONDecoder().decode([String: JSONValue].self, from: request.body ?? Data())
            #expect(body == ["events": .array(own)])
        }

        @Test func `no request is sent before the access token arrives, and all requests carry it`()
            async throws
        {
            let fixture = try EngageFixture()
            fixture.server.hold(InlayPath.oauthToken)
            await fixture.boot()
            UBFManager.sharedInstance().trackEvent(UBF.namedEvent("seen", params: nil))
            UBFManager.sharedInstance().postEventCache()
            let received = CallbackRecorder()
            XMLAPIManager.sharedInstance().postXMLAPI(
                XMLAPI.resourceNamed("GetLists"), success: received.success, failure: received.failure)
            try await fixture.server.untilHeld(InlayPath.oauthToken)
            #expect(Set(fixture.server.requests.map(\.url.path)) == [InlayPath.oauthToken])
            fixture.server.release(InlayPath.oauthToken)
            try await received.until(1)
            try await fixture.server.untilRequests(EngageFixture.events)
            #expect(fixture.server.requests.first?.url.path == InlayPath.oauthToken)
            for request in fixture.server.requests.dropFirst() where request.url.path != InlayPath.oauthToken
            {
                #expect(request.headers["Authorization"] == "Bearer token-1")
            }
        }

        @Test func `events and XMLAPI share one token`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            UBFManager.sharedInstance().trackEvent(UBF.namedEvent("seen", params: nil))
            _ = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
            try await fixture.flush()
            #expect(fixture.server.requests(InlayPath.oauthToken).count == 1)
            #expect(try fixture.posted.contains { $0["Event Name"] == "seen" })
        }

        @Test func `every request goes to the configured host over https`() async throws {
            for host in ["engage.test", "https://engage.test/", "http://engage.test"] {
                var entries = EngageFixture.entries
                entries["ENGAGE_HOST"] = host
                let fixture = try EngageFixture(entries: entries)
                await fixture.boot()
                UBFManager.sharedInstance().trackEvent(UBF.namedEvent("seen", params: nil))
                _ = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
                try await fixture.flush()
                let urls = fixture.server.requests.map(\.url)
                #expect(Set(urls.map(\.path)).count == 3)
                #expect(urls.allSatisfy { $0.scheme == "https" && $0.host == "engage.test" })
            }
        }

        @Test func `events that always fail do not block XMLAPI requests, nor the reverse`() async throws {
            let fixture = try EngageFixture()
            fixture.server.always(EngageFixture.events, .status(500))
            await fixture.boot()
            UBFManager.sharedInstance().trackEvent(UBF.namedEvent("seen", params: nil))
            try await fixture.flush()
            #expect(try await fixture.post(XMLAPI.resourceNamed("GetLists")).results.count == 1)
            let other = try EngageFixture()
            other.server.always(InlayPath.xmlAPI, .status(500))
            await other.boot()
            #expect(try await other.post(XMLAPI.resourceNamed("GetLists")).errors.count == 1)
            UBFManager.sharedInstance().trackEvent(UBF.namedEvent("seen", params: nil))
            try await other.flush()
            #expect(try other.posted.contains { $0["Event Name"] == "seen" })
        }

        @Test func `the token request contains the credentials of Info.plist`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            _ = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
            let form = try #require(fixture.server.requests(InlayPath.oauthToken).first).form
            #expect(
                form == [
                    "client_id": "abc", "client_secret": "s3/+&=", "refresh_token": "rt",
                    "grant_type": "refresh_token",
                ])
        }

        @Test func `a missing entry is named at the start, and nothing is sent`() async throws {
            for missing in EngageFixture.entries.keys {
                for value in [nil, " "] {
                    var entries = EngageFixture.entries
                    entries[missing] = value
                    let fixture = try EngageFixture(entries: entries)
                    let application = await fixture.boot()
                    #expect(application.startError == .missingEntry(missing))
                    #expect(UBFManager.sharedInstance() == nil)
                    #expect(XMLAPIManager.sharedInstance() == nil)
                    #expect(fixture.server.requests.isEmpty)
                }
            }
        }

        @Test func `each manager exists only after the start and is always the same object`() async throws {
            _ = try EngageFixture()
            #expect(UBFManager.get() == nil)
            #expect(XMLAPIManager.get() == nil)
            EngageApplication().onCreate()
            let first = try #require(UBFManager.get())
            #expect(first === UBFManager.sharedInstance())
            #expect(XMLAPIManager.get() === XMLAPIManager.sharedInstance())
            let others = await withTaskGroup(of: ObjectIdentifier.self) { group in
                for _ in 0..<8 { group.addTask { ObjectIdentifier(UBFManager.get()) } }
                var found: Set<ObjectIdentifier> = []
                for await other in group { found.insert(other) }
                return found
            }
            #expect(others == [ObjectIdentifier(first)])
        }

        @Test(arguments: [false, true])
        func `the application object reports sessions, as it is or subclassed`(_ isSubclassed: Bool)
            async throws
        {
            let fixture = try EngageFixture()
            let application = isSubclassed ? OwnApplication() : EngageApplication()
            application.onCreate()
            application.onForeground()
            application.onBackground()
            await EngageRuntime.shared.settled()
            #expect(UBFManager.get() != nil)
            #expect(XMLAPIManager.get() != nil)
            #expect(try await fixture.stored().contains { $0.event.eventTypeCode == "13" })
            if let own = application as? OwnApplication { #expect(own.calls == ["create", "foreground"]) }
            // `onBackground` sent the event without a call of UBFManager.
            #expect(try fixture.posted(.sessionStarted).count == 1)
        }

        @Test func `after 31 minutes in the background the session ends and another starts`()
            async throws
        {
            let fixture = try EngageFixture()
            let application = await fixture.boot()
            application.onForeground()
            application.onBackground()
            await EngageRuntime.shared.settled()
            fixture.clock.advance(by: .seconds(31 * 60))
            application.onForeground()
            let codes = try await fixture.stored().map(\.event.eventTypeCode)
            #expect(codes.filter { ["13", "14"].contains($0) } == ["13", "14", "13"])
            let started = try await fixture.stored().filter { $0.event.eventTypeCode == "13" }
            #expect(Set(started.map(\.event.eventTimestamp)).count == 2)
        }

        @Test func `twenty events in flushes of their own use one token`() async throws {
            let fixture = try EngageFixture()
            await fixture.boot()
            for number in 0..<20 {
                UBFManager.get().postEvent(UBF.namedEvent("event \(number)", params: nil))
                try await fixture.flush()
            }
            #expect(try fixture.posted(.namedEvent).count == 20)
            #expect(fixture.server.requests(InlayPath.oauthToken).count == 1)
        }

        @Test func `an access token is replaced when it has expired, and after each 401`()
            async throws
        {
            let fixture = try EngageFixture()
            fixture.server.next(
                InlayPath.oauthToken, DatabaseResponses.token("token-1", seconds: 3600),
                DatabaseResponses.token("token-2", seconds: 3600), DatabaseResponses.token("token-3"),
                DatabaseResponses.token("token-4"))
            await fixture.boot()
            _ = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
            fixture.clock.advance(by: .seconds(3600))
            _ = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
            for _ in 0..<2 {
                fixture.server.next(InlayPath.xmlAPI, .status(401))
                let received = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
                #expect(received.results.count == 1)
            }
            let used = fixture.server.requests(InlayPath.xmlAPI).map { $0.headers["Authorization"] ?? "" }
            #expect(
                used == [1, 2, 2, 3, 3, 4].map { "Bearer token-\($0)" })
        }

        @Test func `an event that is refused with 401 is delivered with a new token`() async throws {
            let fixture = try EngageFixture()
            fixture.server.next(
                InlayPath.oauthToken, DatabaseResponses.token("old"), DatabaseResponses.token("new"))
            fixture.server.next(EngageFixture.events, .status(401))
            await fixture.boot()
            UBFManager.get().postEvent(UBF.namedEvent("seen", params: nil))
            try await fixture.flush()
            let used = fixture.server.requests(EngageFixture.events).map { $0.headers["Authorization"] }
            #expect(used == ["Bearer old", "Bearer new"])
            let events = try await fixture.stored([.posted])
            #expect(events.contains { $0.event["Event Name"] == "seen" })
        }

        @Test func `createClient reports whether a token was received, and the session uses this token`()
            async throws
        {
            let fixture = try EngageFixture()
            let connected = Locked(0)
            let signal = ConditionSignal()
            UBFManager.createClient(
                "abc", secret: "s3", token: "rt", host: "engage.test",
                connectSuccess: {
                    connected.withLock { $0 += 1 }
                    signal.changed()
                })
            try await signal.until { connected.withLock { $0 } == 1 }
            _ = try await fixture.post(XMLAPI.resourceNamed("GetLists"))
            #expect(fixture.server.requests(InlayPath.oauthToken).count == 1)
            let refusing = try EngageFixture()
            refusing.server.always(
                InlayPath.oauthToken,
                .response(
                    TransportResponse(status: 400, body: Data(#"{"error":"invalid_client"}"#.utf8))))
            let errors = CallbackRecorder()
            UBFManager.createClient(
                "abc", secret: "s3", token: "rt", host: "engage.test", failure: errors.failure)
            try await errors.until(1)
            #expect(errors.errors.first as? OAuthError == .refused(status: 400, code: "invalid_client"))
        }

        @Test func `descriptions and dumps of the credentials contain no secret`() async throws {
            let credentials = OAuthCredentials(
                clientID: "abc", clientSecret: "very-secret", refreshToken: "refreshing")
            var dumped = ""
            dump(credentials, to: &dumped)
            for text in ["\(credentials)", String(reflecting: credentials), dumped, "\([credentials])"] {
                #expect(!text.contains("secret"))
                #expect(!text.contains("refreshing"))
            }
        }
    }
}

/// An app's subclass that calls `super`, as EngageSDK's guide requires.
private final class OwnApplication: EngageApplication {
    private(set) var calls: [String] = []

    override func onCreate() {
        super.onCreate()
        calls.append("create")
    }

    override func onForeground() {
        super.onForeground()
        calls.append("foreground")
    }
}

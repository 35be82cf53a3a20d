import Foundation
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
@testable import InlayXMLAPI
import Testing

@testable import InlayBehaviors
@_spi(Inlay) @testable import InlayCore

@Suite(.timeLimit(.minutes(5))) struct XMLAPIClientTests {
    @Test func `a request is sent as one form field, and its response is parsed`() async throws {
        let fixture = try await XMLAPIFixture.start()
        fixture.server.always(
            InlayPath.xmlAPI, DatabaseResponses.recipient("702003", columns: ["Customer Id": "1"]))
        let answer = try await fixture.client.send(.selectRecipient(email: "a+b&c@d.example"))
        #expect(answer.isSuccess)
        #expect(answer.recipientID == "702003")
        #expect(answer.columns == ["Customer Id": "1"])
        #expect(answer.fault == nil)
        let request = try #require(fixture.server.requests(InlayPath.xmlAPI).first)
        #expect(request.method == "POST")
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(try request.operation?.value("LIST_ID") == "45654")
        #expect(try request.operation?.value("EMAIL") == "a+b&c@d.example")
    }

    @Test func `a request carries the id of its outbox item, so that the server can recognise a copy`()
        async throws
    {
        let fixture = try await XMLAPIFixture.start()
        fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.recipient("1"))
        let ids = [
            try await fixture.client.post(.addAnonymousRecipient()),
            try await fixture.client.post(.addAnonymousRecipient()),
        ]
        for id in ids { _ = try await fixture.client.answer(to: id) }
        #expect(
            fixture.server.requests(InlayPath.xmlAPI).map { $0.headers[InlayHeader.requestID] } == ids)
    }

    @Test func `a fault is an answer with its id, class and text`() async throws {
        let fixture = try await XMLAPIFixture.start()
        fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.fault("Not on the list & gone"))
        let answer = try await fixture.client.send(.selectRecipient(id: "1"))
        #expect(!answer.isSuccess)
        let fault = try #require(answer.fault)
        #expect(
            fault
                == XMLAPIResponse.Fault("Not on the list & gone", errorID: 128, errorClass: "SP.ListManager"))
        #expect(fault.isNotFound)
    }

    @Test(arguments: [400, 401, 403, 404, 429, 500, 503])
    func `a bad status is reported once and ends the request`(_ status: Int) async throws {
        let fixture = try await XMLAPIFixture.start()
        fixture.server.always(InlayPath.xmlAPI, .status(status, headers: ["Retry-After": "60"]))
        do {
            _ = try await fixture.client.send(.addAnonymousRecipient())
            Issue.record("answered")
        } catch {
            #expect(error.code == .status && error.httpStatus == status)
        }
        #expect(try await fixture.client.pending().isEmpty)
    }

    @Test func `a broken connection and a page in HTML are distinct errors`() async throws {
        let fixture = try await XMLAPIFixture.start()
        fixture.server.next(
            InlayPath.xmlAPI, .failure(.cut("by the test")), DatabaseResponses.xml("<html><body/></html>"),
            DatabaseResponses.xml("not xml"))
        do {
            _ = try await fixture.client.send(.addAnonymousRecipient())
            Issue.record("answered")
        } catch {
            #expect(error.code == .network && error.cause as? TransportError == .cut("by the test"))
        }
        for _ in 0..<2 {
            do {
                _ = try await fixture.client.send(.addAnonymousRecipient())
                Issue.record("answered")
            } catch {
                #expect(error.code == .unreadable)
            }
        }
        #expect(fixture.server.requests(InlayPath.xmlAPI).count == 3)
        #expect(try await fixture.client.pending().isEmpty)
    }

    @Test func `requests wait for the network and then go in order, each once`() async throws {
        let network = SwitchedNetwork(isReachable: false)
        let fixture = try await XMLAPIFixture.start(network: network)
        fixture.server.always(InlayPath.xmlAPI, DatabaseResponses.success())
        var ids: [String] = []
        for number in 1...3 {
            ids.append(try await fixture.client.begin(.selectRecipient(id: String(number))))
        }
        await fixture.client.flush()
        #expect(fixture.server.requests.isEmpty)
        network.setReachable(true)
        for id in ids { #expect(try await fixture.client.finish(id).isSuccess) }
        network.setReachable(false)
        network.setReachable(true)
        await fixture.client.flush()
        #expect(try fixture.operations.map { $0.value("RECIPIENT_ID") } == ["1", "2", "3"])
    }

    @Test func `a posted request survives a restart, is retried, and its response is stored`()
        async throws
    {
        let first = try await XMLAPIFixture.start(network: SwitchedNetwork(isReachable: false))
        let id = try await first.client.post(.selectRecipient(id: "7"))
        let server = ScriptedTransport()
        server.next(InlayPath.xmlAPI, .status(500))
        server.always(InlayPath.xmlAPI, DatabaseResponses.recipient("7"))
        let second = try await first.restarted(server: server)
        try await server.untilRequests(InlayPath.xmlAPI)
        try await second.clock.untilSleeping()
        second.clock.advance(by: .seconds(3600))
        #expect(try await second.client.answer(to: id).recipientID == "7")
        let third = try await second.restarted()
        #expect(try await third.client.answer(to: id).recipientID == "7")
        #expect(third.server.requests(InlayPath.xmlAPI).isEmpty)
        do {
            _ = try await third.client.answer(to: "never posted")
            Issue.record("answered")
        } catch {
            #expect(error.code == .unknownRequest)
        }
    }

    @Test func `a request that always fails does not block the others`() async throws {
        let fixture = try await XMLAPIFixture.start()
        fixture.server.always(
            InlayPath.xmlAPI,
            .handler { request async throws(TransportError) in
                let isBad = (try? request.operation?.value("RECIPIENT_ID")) == "bad"
                return isBad
                    ? TransportResponse(status: 500)
                    : try await DatabaseResponses.success().response(to: request)
            })
        let bad = try await fixture.client.post(.selectRecipient(id: "bad"))
        let good = try await fixture.client.post(.selectRecipient(id: "good"))
        let clock = fixture.clock
        // Ends with the test.
        let advancing = Task {
            while (try? await clock.untilSleeping()) != nil, !Task.isCancelled {
                clock.advance(by: .seconds(3600))
            }
        }
        defer { advancing.cancel() }
        #expect(try await fixture.client.answer(to: good).isSuccess)
        do {
            _ = try await fixture.client.answer(to: bad)
            Issue.record("answered")
        } catch {
            #expect(error.code == .status && error.httpStatus == 500)
        }
    }

    @Test func `a request with text or names that XML does not allow is refused before it is stored`()
        async throws
    {
        let fixture = try await XMLAPIFixture.start()
        for request in [
            XMLAPIRequest.selectRecipient(email: "a\u{1}"),
            XMLAPIRequest(XMLAPIRequest.Operation(rawValue: "Select><Evil")),
        ] {
            do {
                _ = try await fixture.client.send(request)
                Issue.record("sent")
            } catch {
                #expect(error.code == .invalid)
            }
        }
        #expect(try await fixture.client.pending().isEmpty)
    }

    @Test func `a cancelled caller stops waiting, and a log-out ends all waits`() async throws {
        let network = SwitchedNetwork(isReachable: false)
        let fixture = try await XMLAPIFixture.start(network: network)
        let client = fixture.client
        let first = Task { try await client.send(.addAnonymousRecipient()) }
        let second = Task { try await client.send(.addAnonymousRecipient()) }
        try await eventually { try await client.pending().count == 2 }
        first.cancel()
        await #expect(throws: XMLAPIError.self) { try await first.value }
        #expect(try await client.pending().count == 2)
        // Without a network the requests cannot be sent, which the log-out reports.
        await #expect {
            try await fixture.session.logOut()
        } throws: { error in
            guard case .network? = error as? LogOutError else { return false }
            return true
        }
        await #expect(throws: XMLAPIError.self) { try await second.value }
    }
}

import Foundation
import InlayBehaviors
@_spi(Inlay) import InlayCore
import InlayServer
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import InlayXMLAPI
import Testing

@testable import InlayBehaviorsServer
@testable import InlayCardsServer

/// Tests of Behaviors from the app's call to the server's tables, with the real SDK and the real server.
@Suite struct BehaviorJourneyTests {
    private static let environment = RunningServer.environmentID

    @Test func `each event that the app tracks is stored once, although answers are lost`() async throws {
        try await RunningServer.with { server in
            let transport = try LossyTransport()
            let app = try await RunningApp.launch(
                at: server, user: "maya", folder: try TemporaryFolder(), transport: transport)
            let behaviors = app.session.behaviors
            var ids: [String] = []
            for number in 0..<7 {
                ids.append(
                    try await behaviors.track(
                        .named("Timetable viewed", attributes: ["number": .string("\(number)")]))
                )
            }
            let store = server.server.features.behaviors.events
            var filter = BehaviorFilter()
            (filter.code, filter.name) = (17, "Timetable viewed")
            try await eventually {
                await behaviors.postEventCache()
                return try await behaviors.stored([.notPosted, .hold]).isEmpty
            }
            let kept = try await store.events(Self.environment, filter)
            #expect(kept.compactMap(\.eventID).sorted() == ids.sorted())
            #expect(kept.allSatisfy { $0.userID == "maya" && !$0.hasWrongClock })
            let numbers = kept.compactMap { event in event.attributes.first { $0.name == "number" }?.value }
            #expect(numbers.sorted() == (0..<7).map(String.init))
        }
    }

    @Test func `a contact is added, found and not found through the real XMLAPI`() async throws {
        try await RunningServer.with { server in
            let list = try await server.server.features.behaviors.contacts.createDatabase(
                Self.environment, name: "Guests")
            let app = try await RunningApp.launch(at: server, user: "maya", folder: try TemporaryFolder())
            let add = XMLAPIRequest(
                .init(rawValue: "AddRecipient"), values: [.init("LIST_ID", "\(list.id)")],
                columns: [.init("Email", "maya@example.com")])
            let added = try await app.session.xmlapi.send(add)
            #expect(added.isSuccess && added.recipientID != nil)
            let found = try await app.session.xmlapi.send(
                .selectRecipient(email: "maya@example.com", list: "\(list.id)"))
            #expect(found.recipientID == added.recipientID && found["EMAIL"] == "maya@example.com")
            let missing = try await app.session.xmlapi.send(
                .selectRecipient(email: "nobody@example.com", list: "\(list.id)"))
            #expect(missing.fault?.errorID == 128 && !missing.isSuccess)
            let again = try await app.session.xmlapi.send(add)
            #expect(again.fault?.errorID == 122)
        }
    }

    @Test func `an anonymous contact is added once, although the answer is lost and the app starts anew`()
        async throws
    {
        try await RunningServer.with { server in
            let contacts = server.server.features.behaviors.contacts
            let list = try await contacts.createDatabase(
                Self.environment, name: "Guests", columns: [ContactColumn("Device")])
            let add = XMLAPIRequest(
                .init(rawValue: "AddRecipient"), values: [.init("LIST_ID", "\(list.id)")],
                columns: [.init("Device", "phone")])
            let folder = try TemporaryFolder()
            // Every answer is lost, so that the request is still in the outbox when the app ends.
            var app: RunningApp? = try await RunningApp.launch(
                at: server, user: "maya", folder: folder, transport: try ResponseLossTransport())
            let id = try #require(try await app?.session.xmlapi.post(add))
            try await eventually {
                try await contacts.recipients(Self.environment, list.id).recipients.count >= 1
            }
            app = nil
            let again = try await RunningApp.launch(at: server, user: "maya", folder: folder)
            let answer = try await again.session.xmlapi.answer(to: id)
            let kept = try await contacts.recipients(Self.environment, list.id).recipients
            #expect(kept.count == 1 && answer.recipientID == kept.first.map { "\($0.id)" })
        }
    }

    @Test func `a user who completed a goal gets a card that was sent to the goal's segment`() async throws {
        try await RunningServer.with { server in
            let app = try await RunningApp.launch(at: server, user: "maya", folder: try TemporaryFolder())
            let states = app.observe()
            try await app.session.behaviors.track(.goalCompleted("Booked"))
            let features = server.server.features
            try await eventually {
                await app.session.behaviors.postEventCache()
                return try await app.session.behaviors.stored([.notPosted, .hold]).isEmpty
            }
            let rule = SegmentRule([SegmentCondition(.init(code: 16, name: "Booked", days: 7))])
            let segment = try await features.behaviors.segments.save(
                Self.environment, name: "Booked lately", rule)
            let receipt = try await features.cards.events.send(
                Self.environment, CardEventRequest(name: "hello", target: .segment(segment.id)))
            #expect(!receipt.isComplete)
            try await states.untilNewest { $0.cards.count == 1 }
        }
    }
}

import Foundation
import InlayBehaviorsServer
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The events of Harbor's passengers during the week, with a contact database and a funnel.
struct HarborBehaviors {
    let server: InlayServer
    private let environmentID = HarborCompany.environmentID
    private var number = 0

    init(_ server: InlayServer) { self.server = server }

    /// Creates the contacts and the funnel.
    func create() async throws {
        let behaviors = server.features.behaviors
        let list = try await behaviors.contacts.createDatabase(environmentID, name: "Passengers")
        try await behaviors.contacts.addColumn(environmentID, list.id, ContactColumn("City"))
        var file = "Email,Mobile User Id,City\n"
        for (id, profile) in HarborPassengers.everyone {
            file += "\(id)@harbor.example,\(id),\(profile.text("city") ?? "")\n"
        }
        _ = try await behaviors.contacts.importCSV(environmentID, list.id, Array(file.utf8))
        let steps = [
            Funnel.Step(13), Funnel.Step(17, "Timetable viewed"), Funnel.Step(16, "Ticket bought"),
        ]
        try await behaviors.events.saveFunnel(
            environmentID, name: "From the timetable to a ticket",
            Funnel(steps: steps, window: .seconds(86_400)))
    }

    /// Submits the events of one visit, as the app would.
    mutating func visit(of passenger: UserID, at time: Timestamp, roll: Int) async throws {
        var events = [event(13, nil, passenger, time, roll)]
        if roll % 3 != 0 {
            events.append(event(17, "Timetable viewed", passenger, time + .seconds(20), roll))
        }
        switch roll % 7 {
        case 1, 2: events.append(event(16, "Ticket bought", passenger, time + .seconds(95), roll))
        case 3: events.append(event(15, "Ticket bought", passenger, time + .seconds(60), roll))
        default: break
        }
        events.append(event(14, nil, passenger, time + .seconds(120), roll))
        let body = try JSONEncoder().encode(EventSubmission(events: events))
        try await server.features.behaviors.intake.submit(
            body, environmentID: environmentID, userID: passenger)
    }

    private mutating func event(
        _ code: Int, _ name: String?, _ passenger: UserID, _ time: Timestamp, _ roll: Int
    ) -> BehaviorEvent {
        number += 1
        var attributes = [
            BehaviorEvent.Attribute(name: "Primary User Id", value: passenger.rawValue),
            .init(name: "App Version", value: "4.1"),
            .init(name: "Pier", value: ["North", "East", "Old quay"][roll % 3]),
        ]
        if let name { attributes.append(.init(name: code == 17 ? "Event Name" : "Goal Name", value: name)) }
        if roll % 4 == 0 { attributes.append(.init(name: "Campaign Name", value: "Autumn islands")) }
        return BehaviorEvent(
            id: "harbor-\(number)", eventTypeCode: "\(code)",
            eventTimestamp: Date(timeIntervalSince1970: time.seconds).ISO8601Format(),
            attributes: attributes)
    }
}

import Foundation
import InlayServer
import InlayWire

/// What Harbor's passengers did in the app during the week, and what the team asks about it.
struct HarborBehaviors {
    let server: InlayServer
    private let environmentID = HarborCompany.environmentID
    private var number = 0

    init(_ server: InlayServer) { self.server = server }

    /// The passengers as contacts, and a funnel.
    func found() async throws {
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

    /// One visit of a passenger, told as the app would.
    mutating func visit(of passenger: String, at moment: Timestamp, roll: Int) async throws {
        var told = [event(13, nil, passenger, moment, roll)]
        if roll % 3 != 0 {
            told.append(event(17, "Timetable viewed", passenger, moment + .seconds(20), roll))
        }
        switch roll % 7 {
        case 1, 2: told.append(event(16, "Ticket bought", passenger, moment + .seconds(95), roll))
        case 3: told.append(event(15, "Ticket bought", passenger, moment + .seconds(60), roll))
        default: break
        }
        told.append(event(14, nil, passenger, moment + .seconds(120), roll))
        let body = try JSONEncoder().encode(EventSubmission(events: told))
        try await server.features.behaviors.intake.take(body, environmentID: environmentID, userID: passenger)
    }

    private mutating func event(
        _ code: Int, _ name: String?, _ passenger: String, _ moment: Timestamp, _ roll: Int
    ) -> BehaviorEvent {
        number += 1
        var attributes = [
            BehaviorEvent.Attribute(name: "Primary User Id", value: passenger),
            .init(name: "App Version", value: "4.1"),
            .init(name: "Pier", value: ["North", "East", "Old quay"][roll % 3]),
        ]
        if let name { attributes.append(.init(name: code == 17 ? "Event Name" : "Goal Name", value: name)) }
        if roll % 4 == 0 { attributes.append(.init(name: "Campaign Name", value: "Autumn islands")) }
        return BehaviorEvent(
            id: "harbor-\(number)", eventTypeCode: "\(code)",
            eventTimestamp: Date(timeIntervalSince1970: moment.seconds).ISO8601Format(),
            attributes: attributes)
    }
}

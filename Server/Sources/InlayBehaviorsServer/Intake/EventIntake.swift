package import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The intake of events: each is validated and answered on its own, and all valid ones are committed together.
package struct EventIntake: Sendable {
    private let writer: EventWriter
    private let refusals: EventRefusals
    private let now: @Sendable () -> Timestamp

    init(database: any SQLDatabase, refusals: EventRefusals, now: @escaping @Sendable () -> Timestamp) {
        writer = EventWriter(database: database)
        self.refusals = refusals
        self.now = now
    }

    /// Stores the events in a body from an app for its user, as `POST /rest/events/submission` does.
    @discardableResult
    package func submit(_ body: Data, environmentID: EnvironmentID, userID: UserID?) async throws
        -> [ItemReceipt]
    {
        try await submit(body, from: BehaviorCaller(environmentID: environmentID, userID: userID))
    }

    /// Stores the events in a body of `/rest/events/submission` and returns their receipts after the commit.
    ///
    /// An event with the id of a stored one is dropped and answered as accepted. Throws `malformed-body` for a body
    /// that cannot be read, and `body-too-large` for too many events.
    func submit(_ body: Data, from caller: BehaviorCaller) async throws -> [ItemReceipt] {
        let moment = now()
        let check = EventCheck(caller: caller, now: moment.microseconds)
        if let rows = EventScanner.rows(in: body, check: check) {
            try await write(rows, caller)
            return rows.map { ItemReceipt(id: $0.id ?? "") }
        }
        let batch = try Self.decode(body)
        var rows: [EventRow] = []
        var refused: [EventRefusals.Entry] = []
        let receipts = batch.events.map { entry in
            switch Self.result(entry, check) {
            case .success(let row):
                rows.append(row)
                return ItemReceipt(id: row.id ?? "")
            case .failure(let refusal):
                refused.append(refusal.entry)
                return ItemReceipt(id: refusal.entry.eventID, refusal: refusal.entry.problem)
            }
        }
        try await write(rows, caller)
        if !refused.isEmpty { try await refusals.add(caller, refused, at: moment) }
        return receipts
    }

    private struct Refused: Error { let entry: EventRefusals.Entry }

    private static func result(
        _ entry: IncomingBatch.Entry, _ check: EventCheck
    ) -> Result<EventRow, Refused> {
        switch entry {
        case .unreadable(let id, let code):
            let short = id.prefix(scalars: BehaviorLimits.maximumIDBytes)
            return .failure(Refused(entry: .init(eventID: short, eventCode: code, problem: .unreadableEvent)))
        case .event(let event):
            do {
                return .success(try check.row(event))
            } catch {
                let problem = error as? Problem ?? .unreadableEvent
                let id = (event.id ?? "").prefix(scalars: BehaviorLimits.maximumIDBytes)
                return .failure(Refused(entry: .init(eventID: id, eventCode: event.code, problem: problem)))
            }
        }
    }

    private func write(_ rows: [EventRow], _ caller: BehaviorCaller) async throws {
        guard !rows.isEmpty else { return }
        do {
            try await writer.write(caller.environmentID, rows)
        } catch is EventWriter.Overloaded {
            throw Refusal(.unavailable, headers: [.retryAfter: "1"])
        }
    }

    private static func decode(_ body: Data) throws -> IncomingBatch {
        let batch: IncomingBatch
        do {
            batch = try JSONDecoder().decode(IncomingBatch.self, from: body)
        } catch is DecodingError {
            throw Problem.malformedBody("It is a JSON object with the array events.")
        }
        guard batch.events.count <= BehaviorLimits.maximumEvents else {
            throw Problem(
                .bodyTooLarge, status: 413, title: "The body has too many events.",
                detail: "At most \(BehaviorLimits.maximumEvents); send fewer at a time.")
        }
        return batch
    }
}

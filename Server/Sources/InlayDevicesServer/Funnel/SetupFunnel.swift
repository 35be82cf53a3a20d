import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The numbers of set-ups by the step that they reached, and the reasons of failures.
package struct SetupFunnel: Sendable {
    /// The counts of the set-ups that were begun in a span of time.
    package struct Numbers: Hashable, Sendable {
        /// The numbers of accounts that were created and not deleted since, and of those with a proven address.
        package var accounts = 0
        package var proven = 0
        /// The number of set-ups that were begun, which is that of pairing tokens.
        package var begun = 0
        /// The number of set-ups whose device reported that it read the light, or claimed itself.
        package var seen = 0
        /// The number of set-ups whose device claimed itself, also if it waits for the proof of its owner's address.
        package var claimed = 0
        /// The number of set-ups whose device belongs to its owner.
        package var paired = 0
        /// The numbers of set-ups that ended early, by reason.
        package var endings: [Ending: Int] = [:]
        /// The number of set-ups under way.
        package var open = 0
    }

    /// The reason why a set-up ended early.
    package enum Ending: Hashable, Sendable {
        /// The device or the app reported a reason.
        case failed(DeviceSetupFailure)
        /// The token expired and no device was seen.
        case silent
        /// The device read the light and did not claim itself before the token expired.
        case lost
        /// The same session requested another token.
        case superseded
    }

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Returns the numbers since a moment; of one application, or of all.
    package func numbers(
        _ environmentID: EnvironmentID, since: Timestamp, application: ApplicationID? = nil
    ) async throws -> Numbers {
        let own = application.map { (" AND application_id = ?", [SQLValue.id($0)]) } ?? ("", [])
        let values: [SQLValue] = [.id(environmentID), .moment(since)] + own.1
        let moment = now()
        return try await database.forAnalytics.read { connection in
            var numbers = Numbers()
            let accounts = try connection.row(
                """
                SELECT COUNT(*) AS n, COUNT(proven_at) AS proven FROM device_accounts
                WHERE environment_id = ? AND created_at >= ?\(own.0)
                """, values)
            numbers.accounts = try accounts?.int("n") ?? 0
            numbers.proven = try accounts?.int("proven") ?? 0
            let rows = try connection.rows(
                """
                SELECT state, reason, is_held, CASE WHEN seen_at IS NULL THEN 0 ELSE 1 END AS was_seen,
                    CASE WHEN settled_at IS NULL AND expires_at <= ? THEN 1 ELSE 0 END AS is_over, COUNT(*) AS n
                FROM device_pairings WHERE environment_id = ? AND created_at >= ?\(own.0)
                GROUP BY state, reason, is_held, was_seen, is_over
                """, [.moment(moment)] + values)
            for row in rows { try numbers.count(row) }
            return numbers
        }
    }
}

extension SetupFunnel.Numbers {
    fileprivate mutating func count(_ row: SQLRow) throws {
        let count = try row.int("n"), wasSeen = try row.bool("was_seen"), isHeld = try row.bool("is_held")
        begun += count
        if wasSeen { seen += count }
        switch try row.bool("is_over") ? .expired : PairingState(rawValue: try row.text("state")) {
        case .paired:
            paired += count
            claimed += count
        case .expired: endings[wasSeen ? .lost : .silent, default: 0] += count
        case .superseded: endings[.superseded, default: 0] += count
        case .rejected:
            let reason = try row.optionalText("reason").flatMap(DeviceSetupFailure.init(rawValue:))
            endings[.failed(reason ?? .other), default: 0] += count
        default:
            open += count
            if isHeld { claimed += count }
        }
    }
}

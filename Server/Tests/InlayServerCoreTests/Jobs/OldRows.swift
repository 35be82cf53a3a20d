@_spi(Inlay) import InlayWire

@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayServerCore

/// Statements that insert pending work as versions before the job queue stored it, in the environment `e`.
enum OldRows {
    static let environment = [
        "INSERT INTO organisations (id, name, created_at) VALUES ('o', 'Harbor', 0)",
        "INSERT INTO environments (id, organisation_id, name, created_at) VALUES ('e', 'o', 'Harbor', 0)",
    ]

    static let application = [
        """
        INSERT INTO device_applications (environment_id, id, name, opens_at_once, pairs_unproven,
            shortest_password, created_at) VALUES ('e', 'app', 'Harbor', 0, 0, 8, 0)
        """
    ]

    static func mail(_ id: String, isSent: Bool) throws -> String {
        let message = try JSONColumn.text(MailMessage.welcome("Harbor", code: "ABCDEFGH"))
        return """
            INSERT INTO device_mails (environment_id, id, application_id, recipient, kind, subject, body, state, tries,
                next_at, useless_at, created_at)
            VALUES ('e', '\(id)', 'app', 'ada@example.com', 'welcome', 's', \(isSent ? "NULL" : "'\(message)'"),
                '\(isSent ? "sent" : "waiting")', \(isSent ? 1 : 3), 70, 900, 1)
            """
    }

    static func endedUser(_ id: String, rounds: Int, next: Int) -> String {
        """
        INSERT INTO device_ended_users (environment_id, user_id, rounds, next_at)
        VALUES ('e', '\(id)', \(rounds), \(next))
        """
    }

    static func pairing(_ id: String, _ state: String, settled: String) -> String {
        """
        INSERT INTO device_pairings (environment_id, id, token_hash, account_id, application_id, session_id, state,
            is_held, created_at, settled_at, expires_at)
        VALUES ('e', '\(id)', '\(id)', 'a', 'app', 's', '\(state)', 0, 1, \(settled), 70)
        """
    }

    static func notice(_ id: String, _ kind: String, lane: String, next: String) -> String {
        """
        INSERT INTO ad_notices (environment_id, id, kind, impression_id, bidder_id, url, amount_nanos, device_ip,
            user_agent, lane, state, tries, next_at, made_at)
        VALUES ('e', '\(id)', '\(kind)', 'i', 'b', 'http://127.0.0.1:9/', 1, '', '', '\(lane)',
            '\(next == "NULL" ? "acknowledged" : "waiting")', 2, \(next), 10)
        """
    }

    static func source(_ id: String, next: String) -> String {
        """
        INSERT INTO hub_sources (environment_id, id, name, settings, policy, notifications, version,
            content_version, timestamp_version, root_version, next_due_at, created_at, updated_at)
        VALUES ('e', '\(id)', 'Main', '{}', '{}', '{}', 1, 1, 1, 1, \(next), 0, 0)
        """
    }

    static func feed(_ user: String, next: String) -> String {
        """
        INSERT INTO card_feeds (environment_id, user_id, container_id, version, had_cards, next_due_at, claim,
            claimed_until) VALUES ('e', '\(user)', 'main', 1, 0, \(next), 'c', 90)
        """
    }

    /// An event that has ended, one whose audience is known, and one whose audience is being found.
    static var events: [String] {
        get throws {
            let plan = try JSONColumn.text(
                CardPlan(
                    target: .users([]), lifecycleID: "l",
                    parts: [
                        CardPlan.Part(
                            templateID: "t", version: 1, containerIDs: ["main"], embargoUntil: nil,
                            expiresAt: nil, payload: "{}")
                    ]))
            let request = try JSONColumn.text(CardEventRequest(name: "ping", target: .users(["ada"])))
            func event(_ id: String, isDone: Int, isListed: Int, claim: String) -> String {
                """
                INSERT INTO card_events (environment_id, event_id, name, request, plan, position, cards, is_done,
                    is_listed, next_at, claim, failures, failure, created_at, updated_at)
                VALUES ('e', '\(id)', 'ping', '\(request)', '\(plan)', '', 0, \(isDone), \(isListed), 70, \(claim), 2,
                    'Dead', 0, 0)
                """
            }
            return [
                event("ended", isDone: 1, isListed: 1, claim: "NULL"),
                event("listed", isDone: 0, isListed: 1, claim: "NULL"),
                event("searched", isDone: 0, isListed: 0, claim: "'c'"),
                "INSERT INTO card_audiences (environment_id, event_id, piece, user_ids, is_last) "
                    + "VALUES ('e', 'listed', 0, '[\"ada\"]', 1)",
                // A piece of a search that had not ended.
                "INSERT INTO card_audiences (environment_id, event_id, piece, user_ids, is_last) "
                    + "VALUES ('e', 'searched', 0, '[\"bob\"]', 0)",
            ]
        }
    }
}

import Foundation
import InlaySQL
import InlayWire

/// The codes that prove an address: eight letters and digits, ten minutes, five tries, one use.
///
/// There is one for each address and purpose; a newer one replaces it. Codes are made for unknown addresses
/// too, so that nothing tells them from known ones.
struct MailCode {
    /// What a code may be used for, and for nothing else.
    enum Purpose: String, Sendable { case proof, reset, username, offer, deletion }

    static let life: Duration = .seconds(600)
    static let mostTries = 5
    /// Mails with a code to one address in an hour; further requests are answered alike and send none.
    static let mostMails = 10
    /// Thirty-two letters that cannot be misread: 40 bits for eight.
    private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    let environmentID: String
    let address: MailAddress
    let purpose: Purpose
    let moment: Timestamp
    let connection: any SQLConnection

    /// What a right code opens.
    struct Grant {
        /// Whether the request is the one that the code was made for.
        let isOwnRequest: Bool
        /// The password that came with that request.
        let passwordHash: String?
    }

    /// Makes the next code; `nil` after too many mails, and the last one stays.
    func make(request: String = "", passwordHash: String? = nil) throws -> String? {
        let row = try connection.row(
            "SELECT mails, mails_since FROM device_codes WHERE environment_id = ? AND email = ? AND purpose = ?",
            key)
        var mails = try row?.int("mails") ?? 0, since = try row?.moment("mails_since") ?? moment
        if moment - since >= .seconds(3600) { (mails, since) = (0, moment) }
        guard mails < Self.mostMails else { return nil }
        let code = String((0..<8).map { _ in Self.letters.randomElement() ?? "A" })
        try connection.execute(
            """
            INSERT INTO device_codes (environment_id, email, purpose, code_hash, request_hash, password_hash,
                tries, expires_at, mails, mails_since) VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?)
            ON CONFLICT (environment_id, email, purpose) DO UPDATE SET code_hash = excluded.code_hash,
                request_hash = excluded.request_hash, password_hash = excluded.password_hash, tries = 0,
                expires_at = excluded.expires_at, mails = excluded.mails, mails_since = excluded.mails_since
            """,
            key + [
                .text(hash(code)), .text(Secret.hash(request)), SQLValue(passwordHash),
                .moment(moment + Self.life), .int(mails + 1), .moment(since),
            ])
        return code
    }

    /// Takes a try, and the code when it is right; `nil` for a wrong one.
    func spend(_ typed: String, request: String?) throws -> Grant? {
        let row = try connection.row(
            """
            UPDATE device_codes SET tries = tries + 1
            WHERE environment_id = ? AND email = ? AND purpose = ? AND expires_at > ? AND tries < ?
            RETURNING code_hash, request_hash, password_hash
            """, key + [.moment(moment), .int(Self.mostTries)])
        let code = hash(Self.plain(typed))
        guard let row, Secret.equal(try row.text("code_hash"), code) else { return nil }
        try connection.execute(
            """
            UPDATE device_codes SET expires_at = 0, password_hash = NULL
            WHERE environment_id = ? AND email = ? AND purpose = ?
            """, key)
        let isOwn = try request.map { Secret.equal(try row.text("request_hash"), Secret.hash($0)) } ?? false
        return Grant(isOwnRequest: isOwn, passwordHash: try row.optionalText("password_hash"))
    }

    /// As it stands in the mail: two groups of four.
    static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// As people type it, in whatever case and with whatever between.
    static func plain(_ typed: String) -> String {
        String(typed.prefix(64).uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }

    private var key: [SQLValue] { [.text(environmentID), .text(address.text), .text(purpose.rawValue)] }

    private func hash(_ code: String) -> String {
        Secret.hash("\(environmentID)\n\(address.text)\n\(purpose.rawValue)\n\(code)")
    }
}

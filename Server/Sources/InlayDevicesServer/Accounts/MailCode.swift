import Foundation
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The codes that prove an address: eight letters and digits, ten minutes, one use.
///
/// Every code that was mailed to the address within ten minutes is valid, no matter who requested it: it proves that
/// its bearer reads the mails, and a stranger's repeated requests invalidate none. Tries are counted for each request,
/// not for the address, so that a stranger cannot use up those of the address's owner. Codes are made for unknown
/// addresses too, so that nothing distinguishes them from known ones.
struct MailCode {
    /// The only purpose that a code may be used for.
    enum Purpose: String, Sendable {
        case proof, reset, username, offer, deletion

        /// Whether the mail holds the code. For the others it only counts their mails.
        var isMailed: Bool { self != .username && self != .offer }
    }

    static let life: Duration = .seconds(600)
    /// Tries of one request; also of all callers without a request together.
    static let maximumTries = 5
    /// Mails of one purpose to one address in an hour, one right after the other.
    static let mailsAtOnce = 4
    /// Past those, one with a code in so long. It is half a code's life: while no mail goes out, one in the mailbox
    /// still counts for as long again.
    static let mailPace: Duration = .seconds(300)
    /// The time for which the time of a mail is remembered.
    static let remembered: Duration = .seconds(3600)
    /// Unicode scalars that are read of a typed code.
    private static let maximumTypedLength = 64
    /// Thirty-two letters that cannot be misread: 40 bits for eight.
    private static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

    let environmentID: EnvironmentID
    let address: MailAddress
    let purpose: Purpose
    let moment: Timestamp
    let connection: any SQLConnection

    /// The rights that a correct code gives.
    struct Grant {
        /// The password that came with the request that the code was brought with.
        let passwordHash: String?
    }

    /// Makes the next code for a request; `nil` after too many mails, when the last one still counts. The request
    /// may be used with any of them.
    func make(request: String? = nil, passwordHash: String? = nil) throws -> String? {
        try takeTurn()
        if let request { try note(request, passwordHash) }
        guard try isDue() else { return nil }
        let code = String((0..<8).map { _ in Self.letters.randomElement() ?? "A" })
        try connection.execute(
            """
            INSERT INTO device_codes (environment_id, email, purpose, code_hash, tries, mailed_at, expires_at)
            VALUES (?, ?, ?, ?, 0, ?, ?)
            """, key + [.text(hash(code)), .moment(moment), .moment(moment + Self.life)])
        return code
    }

    /// Lets a logged-in user try a code as if the session were a request. New tries are given only after the request's
    /// life, or with a newly requested mail.
    func admit(session id: SessionID) throws -> String {
        let request = Self.request(session: id)
        try connection.execute(
            """
            INSERT INTO device_code_requests (environment_id, email, purpose, request_hash, tries, expires_at)
            VALUES (?, ?, ?, ?, 0, ?)
            ON CONFLICT (environment_id, email, purpose, request_hash) DO UPDATE SET tries = 0,
                expires_at = excluded.expires_at WHERE device_code_requests.expires_at <= ?
            """,
            key + [.text(Secret.hash(request)), .moment(moment + Self.life), .moment(moment)])
        return request
    }

    /// A session in the place of a request.
    static func request(session id: SessionID) -> String { "session \(id)" }

    /// Whether a request has not expired. It then has tries of its own, used up or not.
    func isOpen(_ request: String?) throws -> Bool {
        guard let request else { return false }
        return try connection.row(
            """
            SELECT tries FROM device_code_requests
            WHERE environment_id = ? AND email = ? AND purpose = ? AND request_hash = ? AND expires_at > ?
            """, key + [.text(Secret.hash(request)), .moment(moment)]) != nil
    }

    /// Takes a try, and the code when it is right; `nil` for a wrong one.
    func spend(_ typed: String, request: String?) throws -> Grant? {
        let code = hash(Self.plain(typed))
        var passwordHash: String?
        if let request, try isOpen(request) {
            guard let row = try takeTry(of: request) else { return nil }
            passwordHash = try row.optionalText("password_hash")
        } else {
            guard try takeTryOfEverybody(for: code) else { return nil }
        }
        // In one statement: of two callers with the same code at once, one finds it unused.
        let taken = try connection.execute(
            """
            UPDATE device_codes SET expires_at = 0
            WHERE environment_id = ? AND email = ? AND purpose = ? AND code_hash = ? AND expires_at > ?
            """, key + [.text(code), .moment(moment)])
        guard taken == 1 else { return nil }
        try endOthers()
        return Grant(passwordHash: passwordHash)
    }

    /// Forgets every code and request of an address.
    static func erase(_ environmentID: EnvironmentID, _ email: String, in connection: any SQLConnection)
        throws
    {
        for table in ["device_codes", "device_code_requests"] {
            try connection.execute(
                "DELETE FROM \(table) WHERE environment_id = ? AND email = ?",
                [.id(environmentID), .text(email)])
        }
    }

    /// Forgets what says nothing any more.
    static func removeEnded(at moment: Timestamp, from database: any SQLDatabase) async throws {
        try await database.delete(
            from: "device_codes", key: "environment_id, email, purpose, code_hash", where: "mailed_at <= ?",
            [.moment(moment - remembered)])
        try await database.delete(
            from: "device_code_requests", key: "environment_id, email, purpose, request_hash",
            where: "expires_at <= ?", [.moment(moment)])
    }

    /// As it stands in the mail: two groups of four.
    static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// As people type it, in whatever case, in the digits of any script, as wide letters, and with whatever between.
    static func plain(_ typed: String) -> String {
        let narrow = typed.prefix(scalars: maximumTypedLength).precomposedStringWithCompatibilityMapping
            .uppercased()
        return TypedNumber.withASCIIDigits(narrow).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    // MARK: Below

    private var key: [SQLValue] { [.id(environmentID), .text(address.text), .text(purpose.rawValue)] }

    private func hash(_ code: String) -> String {
        Secret.hash("\(environmentID)\n\(address.text)\n\(purpose.rawValue)\n\(code)")
    }

    /// Holds the address and purpose until the end of the transaction. Nodes that make a code at the same time
    /// would each count only their own mails: there is no row yet that the one could wait for. The hash of a
    /// request is never empty, so nothing can be tried with this one.
    private func takeTurn() throws {
        try connection.execute(
            """
            INSERT INTO device_code_requests (environment_id, email, purpose, request_hash, tries, expires_at)
            VALUES (?, ?, ?, '', 0, ?)
            ON CONFLICT (environment_id, email, purpose, request_hash) DO UPDATE SET expires_at = excluded.expires_at
            """, key + [.moment(moment + Self.life)])
    }

    /// Whether another mail may go out. A mail whose code was used no longer counts, so its user never waits.
    private func isDue() throws -> Bool {
        let mails = try connection.rows(
            """
            SELECT mailed_at, expires_at FROM device_codes
            WHERE environment_id = ? AND email = ? AND purpose = ? AND mailed_at > ?
            """, key + [.moment(moment - Self.remembered)])
        guard mails.count >= Self.mailsAtOnce else { return true }
        // Without a code it would say what the last ones said.
        guard purpose.isMailed else { return false }
        return try !mails.contains { mail in
            let mailedAt = try mail.moment("mailed_at")
            return try mail.moment("expires_at") > moment && moment - mailedAt < Self.mailPace
        }
    }

    private func note(_ request: String, _ passwordHash: String?) throws {
        try connection.execute(
            """
            INSERT INTO device_code_requests (environment_id, email, purpose, request_hash, password_hash, tries,
                expires_at) VALUES (?, ?, ?, ?, ?, 0, ?)
            ON CONFLICT (environment_id, email, purpose, request_hash) DO UPDATE SET tries = 0,
                expires_at = excluded.expires_at
            """,
            key + [.text(Secret.hash(request)), SQLValue(passwordHash), .moment(moment + Self.life)])
    }

    private func takeTry(of request: String) throws -> SQLRow? {
        try connection.row(
            """
            UPDATE device_code_requests SET tries = tries + 1
            WHERE environment_id = ? AND email = ? AND purpose = ? AND request_hash = ? AND tries < ?
            RETURNING password_hash
            """, key + [.text(Secret.hash(request)), .int(Self.maximumTries)])
    }

    /// Whether the code is one that takes tries without a request; every one of them loses one.
    private func takeTryOfEverybody(for code: String) throws -> Bool {
        let open = try connection.rows(
            """
            UPDATE device_codes SET tries = tries + 1
            WHERE environment_id = ? AND email = ? AND purpose = ? AND expires_at > ? AND tries < ?
            RETURNING code_hash
            """, key + [.moment(moment), .int(Self.maximumTries)])
        return try open.contains { Secret.equal(try $0.text("code_hash"), code) }
    }

    /// With the first code that is used all others of the address and purpose end.
    private func endOthers() throws {
        try connection.execute(
            "UPDATE device_codes SET expires_at = 0 WHERE environment_id = ? AND email = ? AND purpose = ?",
            key)
        try connection.execute(
            "DELETE FROM device_code_requests WHERE environment_id = ? AND email = ? AND purpose = ?", key)
    }
}

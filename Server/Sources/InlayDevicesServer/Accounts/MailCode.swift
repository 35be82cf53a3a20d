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
    /// The purpose of a code, which is valid for this purpose only.
    enum Purpose: String, Sendable {
        case proof, reset, username, offer, deletion

        /// Whether the mail contains the code. For the other purposes, codes only count the mails.
        var isMailed: Bool { self != .username && self != .offer }
    }

    static let life: Duration = .seconds(600)
    /// The maximum number of tries of one request, and of all callers without a request together for one code.
    static let maximumTries = 5
    /// The maximum number of mails of one purpose to one address in an hour without a pause between them.
    static let mailsAtOnce = 4
    /// The pause between further mails with a code. It is half a code's life: while no mail is sent, the last code is
    /// still valid for as long again.
    static let mailPace: Duration = .seconds(300)
    /// The time for which a mail counts in ``mailsAtOnce``.
    static let mailWindow: Duration = .seconds(3600)
    /// The maximum number of Unicode scalars that are read of a typed code.
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
        /// The hash of the password in the request that the code was used with; `nil` without a password or request.
        let passwordHash: String?
    }

    /// Creates the next code for a request; returns `nil` when no further mail is allowed now. The request may be used
    /// with any valid code of the address and purpose.
    func make(request: String? = nil, passwordHash: String? = nil) throws -> String? {
        try lockAddress()
        if let request { try insert(request, passwordHash) }
        guard try isMailAllowed() else { return nil }
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

    /// Returns the request that stands for a session.
    static func request(session id: SessionID) -> String { "session \(id)" }

    /// Whether a request exists and has not expired. Its tries are then counted apart, also when they are used up.
    func isOpen(_ request: String?) throws -> Bool {
        guard let request else { return false }
        return try connection.row(
            """
            SELECT tries FROM device_code_requests
            WHERE environment_id = ? AND email = ? AND purpose = ? AND request_hash = ? AND expires_at > ?
            """, key + [.text(Secret.hash(request)), .moment(moment)]) != nil
    }

    /// Counts a try, and uses the code up when it is right; returns `nil` for a wrong code.
    func spend(_ typed: String, request: String?) throws -> Grant? {
        let code = hash(Self.plain(typed))
        var passwordHash: String?
        if let request, try isOpen(request) {
            guard let row = try takeTry(of: request) else { return nil }
            passwordHash = try row.optionalText("password_hash")
        } else {
            guard try takeSharedTry(for: code) else { return nil }
        }
        // One statement checks and uses: of two concurrent callers with the same code, one finds it unused.
        let taken = try connection.execute(
            """
            UPDATE device_codes SET expires_at = 0
            WHERE environment_id = ? AND email = ? AND purpose = ? AND code_hash = ? AND expires_at > ?
            """, key + [.text(code), .moment(moment)])
        guard taken == 1 else { return nil }
        try endOthers()
        return Grant(passwordHash: passwordHash)
    }

    /// Removes every code and request of an address.
    static func erase(_ environmentID: EnvironmentID, _ email: String, in connection: any SQLConnection)
        throws
    {
        for table in ["device_codes", "device_code_requests"] {
            try connection.execute(
                "DELETE FROM \(table) WHERE environment_id = ? AND email = ?",
                [.id(environmentID), .text(email)])
        }
    }

    /// Removes codes whose mails count no longer, and expired requests.
    static func purgeExpired(at moment: Timestamp, from database: any SQLDatabase) async throws {
        try await database.delete(
            from: "device_codes", key: "environment_id, email, purpose, code_hash", where: "mailed_at <= ?",
            [.moment(moment - mailWindow)])
        try await database.delete(
            from: "device_code_requests", key: "environment_id, email, purpose, request_hash",
            where: "expires_at <= ?", [.moment(moment)])
    }

    /// Returns a code as it is written in the mail: two groups of four.
    static func shown(_ code: String) -> String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// Returns the letters and digits of a typed code, which may be in any case, with digits of any script, in wide
    /// letters and with any separators.
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

    /// Locks the address and purpose until the end of the transaction, with a row of its own. Without it, nodes that
    /// create codes at the same time would each count only their own mails. The hash of a request is never empty, so no
    /// code can be tried with this row.
    private func lockAddress() throws {
        try connection.execute(
            """
            INSERT INTO device_code_requests (environment_id, email, purpose, request_hash, tries, expires_at)
            VALUES (?, ?, ?, '', 0, ?)
            ON CONFLICT (environment_id, email, purpose, request_hash) DO UPDATE SET expires_at = excluded.expires_at
            """, key + [.moment(moment + Self.life)])
    }

    /// Whether another mail may go out. A mail whose code was used no longer counts, so its user never waits.
    private func isMailAllowed() throws -> Bool {
        let mails = try connection.rows(
            """
            SELECT mailed_at, expires_at FROM device_codes
            WHERE environment_id = ? AND email = ? AND purpose = ? AND mailed_at > ?
            """, key + [.moment(moment - Self.mailWindow)])
        guard mails.count >= Self.mailsAtOnce else { return true }
        // A mail without a code would only repeat the last one.
        guard purpose.isMailed else { return false }
        return try !mails.contains { mail in
            let mailedAt = try mail.moment("mailed_at")
            return try mail.moment("expires_at") > moment && moment - mailedAt < Self.mailPace
        }
    }

    private func insert(_ request: String, _ passwordHash: String?) throws {
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

    /// Whether the code is among those with tries left for callers without a request. Counts a try of each of them.
    private func takeSharedTry(for code: String) throws -> Bool {
        let open = try connection.rows(
            """
            UPDATE device_codes SET tries = tries + 1
            WHERE environment_id = ? AND email = ? AND purpose = ? AND expires_at > ? AND tries < ?
            RETURNING code_hash
            """, key + [.moment(moment), .int(Self.maximumTries)])
        return try open.contains { Secret.equal(try $0.text("code_hash"), code) }
    }

    /// Ends all other codes and requests of the address and purpose, once a code was used.
    private func endOthers() throws {
        try connection.execute(
            "UPDATE device_codes SET expires_at = 0 WHERE environment_id = ? AND email = ? AND purpose = ?",
            key)
        try connection.execute(
            "DELETE FROM device_code_requests WHERE environment_id = ? AND email = ? AND purpose = ?", key)
    }
}

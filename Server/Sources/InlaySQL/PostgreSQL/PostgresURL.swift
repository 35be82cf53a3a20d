import CLibPQ
import Foundation

/// The address of a PostgreSQL server, `postgres://user:password@host:port,…/database?option=value&…`, split where
/// libpq splits it (`conninfo_uri_parse_options` in its `fe-connect.c`).
///
/// The messages of libpq quote what it cannot read in an address, and libpq takes a part of a password with an
/// unencoded `/` or `@` for a host, a port or a database. So an address is checked here before libpq reads it, with
/// messages that name a part and never quote it.
struct PostgresURL: Sendable {
    private typealias Part = Substring.UnicodeScalarView

    private let text: String
    private var user = Part()
    private var password = Part()
    private let servers: Part
    private let database: Part
    private let options: [Part]

    /// Splits an address; returns `nil` for one with another scheme.
    init?(_ text: String) {
        guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix) else { return nil }
        self.text = text
        var rest = text[...].unicodeScalars.dropFirst(scheme.utf8.count)
        if let sign = rest.prefix(while: { $0 != "/" }).firstIndex(of: "@") {
            let names = rest[..<sign]
            user = names.prefix { $0 != ":" }
            password = names.dropFirst(user.count + 1)
            rest = rest[sign...].dropFirst()
        }
        servers = rest.prefix { $0 != "/" && $0 != "?" }
        rest = rest.dropFirst(servers.count)
        let path = rest.prefix { $0 != "?" }
        database = path.dropFirst()
        let parts = rest.dropFirst(path.count + 1).split(separator: "&", omittingEmptySubsequences: false)
        // The last part may be empty: there are no options, or a & ends the address.
        options = parts.last?.isEmpty == true ? parts.dropLast() : parts
    }

    /// The passwords in the address, as they are written and decoded; also those in an address that cannot be read.
    var passwords: [String] {
        // Up to the last @, because libpq would end a password with an unencoded @ or / too early.
        let credentials = text[...].unicodeScalars.drop { $0 != ":" }.dropFirst().drop { $0 != ":" }
            .dropFirst()
        let whole = credentials.lastIndex(of: "@").map { credentials[..<$0] } ?? Part()
        let values = options.compactMap { option -> Part? in
            let name = option.prefix { $0 != "=" }
            let isSecret = ["password", "secret"].contains { String(name).contains($0) }
            return isSecret ? option.dropFirst(name.count + 1) : nil
        }
        return ([password, whole] + values).map { String($0) }
            .flatMap { [$0, $0.removingPercentEncoding ?? ""] }.filter { !$0.isEmpty }
    }

    /// Checks all parts.
    ///
    /// - Throws: ``SQLError`` of the kind `cannotOpen`. It names the first part that libpq would refuse or would
    ///   misread.
    func check() throws {
        if text.unicodeScalars.contains("\0") { throw fault("it has a character NUL.") }
        if servers.contains("@") || database.contains("@") {
            throw fault(
                """
                an @, a / or a ? in its user name, password or database is not encoded. Write @ as %40, / as %2F, \
                ? as %3F, : as %3A and % as %25.
                """)
        }
        let parts = [("user name", user), ("password", password), ("host", servers), ("database", database)]
        for (name, part) in parts where Self.hasStrayPercent(part) {
            throw fault("its \(name) has a % without two hexadecimal digits after it. Write % as %25.")
        }
        for server in servers.split(separator: ",", omittingEmptySubsequences: false) { try check(server) }
        for (index, option) in options.enumerated() {
            let sides = option.split(separator: "=", omittingEmptySubsequences: false)
            if sides.count != 2 || Self.hasStrayPercent(option) {
                throw fault(
                    "its option \(index + 1), behind the ?, is not name=value with % written as %25 and = as %3D."
                )
            }
        }
        guard let parsed = PQconninfoParse(text, nil) else {
            throw fault("libpq does not know one of its options, behind the ?.")
        }
        PQconninfoFree(parsed)
    }

    /// Checks one host, which may be in brackets, and its port.
    private func check(_ server: Part) throws {
        var rest = server.drop { $0 != ":" }
        if server.first == "[" {
            let name = server.prefix { $0 != "]" }
            rest = server.dropFirst(name.count + 1)
            if name.count == 1 || name.count == server.count {
                throw fault("a host in brackets is empty or has no closing bracket.")
            }
        }
        let port = rest.dropFirst()
        let isNumber = port.allSatisfy { "0" <= $0 && $0 <= "9" } && UInt16(String(port)) ?? 0 > 0
        if rest.first ?? ":" != ":" || !(port.isEmpty || isNumber) {
            throw fault(
                "a port is no number from 1 to 65535, or a / in the password is not written as %2F.")
        }
    }

    private func fault(_ what: String) -> SQLError {
        SQLError(.cannotOpen, "The address of the database cannot be read: \(what)")
    }

    /// Whether a % is not followed by two hexadecimal digits, or encodes NUL.
    private static func hasStrayPercent(_ part: Part) -> Bool {
        part.split(separator: "%", omittingEmptySubsequences: false).dropFirst().contains { piece in
            let digits = piece.prefix(2)
            return digits.count < 2 || digits.allSatisfy { $0 == "0" }
                || !digits.allSatisfy(\.properties.isASCIIHexDigit)
        }
    }
}

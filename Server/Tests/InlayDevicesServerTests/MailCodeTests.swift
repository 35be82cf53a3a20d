import Foundation
import InlaySQL
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerTesting

/// Codes of mails: what a user may type, and the limit on mails across nodes.
@Suite(.timeLimit(.minutes(3))) struct MailCodeTests {
    @Test(arguments: ["ABCD-2345", "abcd 2345", "ＡＢＣＤ－２３４５", "abcd٢٣٤٥", "ABCD۲۳۴۵", "\u{200F}ABCD 2٣4۵"])
    func `a code is typed in any case and in the digits of any script`(_ typed: String) {
        #expect(MailCode.plain(typed) == "ABCD2345")
    }

    @Test func `only the first sixty-four code points of a code are read, even if they are one character`() {
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        #expect(marks.count == 1 && MailCode.plain(marks + "ABCD2345").isEmpty)
        #expect(MailCode.plain("ABCD-2345 " + marks) == "ABCD2345")
        #expect(MailCode.plain(String(repeating: "-", count: 64) + "ABCD2345").isEmpty)
    }

    @Test func `nodes that mail to one address at once count their mails together`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url) { app in
                let other = try await SQLDatabaseURL.open(url)
                defer { other.close() }
                let moment = app.clock.now
                let hasTried = Flag()
                let (held, hold) = AsyncStream.makeStream(of: Void.self)
                // This transaction uses up the address's mails of the hour and does not commit yet.
                async let first = app.services.database.write { connection -> [String?] in
                    let codes = try (0..<MailCode.mailsAtOnce).map { _ in
                        try Self.code(moment, connection).make()
                    }
                    hold.yield()
                    try Self.untilBlocking(connection, or: hasTried)
                    return codes
                }
                for await _ in held { break }
                let more = try await other.write { connection -> String? in
                    let code = try Self.code(moment, connection).make()
                    hasTried.set()
                    return code
                }
                #expect(try await first.allSatisfy { $0 != nil })
                #expect(more == nil)
            }
        }
    }

    private static func code(_ moment: Timestamp, _ connection: any SQLConnection) throws -> MailCode {
        MailCode(
            environmentID: "harbor", address: try #require(MailAddress("ada@example.com")), purpose: .reset,
            moment: moment, connection: connection)
    }

    /// Blocks the engine's thread until another transaction waits for this one, or `flag` shows that none had to wait.
    private static func untilBlocking(_ connection: any SQLConnection, or flag: Flag) throws {
        let end = ContinuousClock.now + .seconds(60)
        while !flag.isSet {
            let waiting = try connection.row(
                "SELECT COUNT(*) AS n FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if try waiting?.int("n") ?? 0 > 0 { return }
            guard ContinuousClock.now < end else { throw TestFailure("No transaction came to wait.") }
        }
    }
}

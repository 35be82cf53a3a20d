import Testing

@testable import InlaySQL

/// The check of an address before libpq reads it, because libpq's errors quote the parts that it cannot read.
@Suite struct PostgresURLTests {
    @Test(arguments: [
        ("postgres://inlay:ab%zzcdSecret@127.0.0.1:5/x", "its password has a %"),
        ("postgres://inlay:Secret%@h/x", "its password has a %"),
        ("postgres://inlay:Secret%00@h/x", "its password has a %"),
        ("postgres://Secret%4@h/x", "its user name has a %"),
        ("postgres://inlay:p@Secret%x/x", "its host has a %"),
        ("postgres://inlay:p@h/Secret%x", "its database has a %"),
        // With an @ or a / that is not encoded, parts of a password are read as host, port or database.
        ("postgres://inlay:p@ssSecret@h:5432/x", "Write @ as %40"),
        ("postgres://inlay:p/ssSecret@h:5432/x", "Write @ as %40"),
        ("postgres://inlay:Secret/p?s@h/x", "a port is no number"),
        ("postgres://inlay:12/a?Secret=s@h/x", "libpq does not know one of its options"),
        ("postgres://h:Secret/x", "a port is no number"),
        ("postgres://h:0/x", "a port is no number"),
        ("postgres://h:65536/x", "a port is no number"),
        ("postgres://h:+5432/x", "a port is no number"),
        ("postgres://one,two:Secret/x", "a port is no number"),
        ("postgres://[::1]Secret/x", "a port is no number"),
        ("postgres://[Secret/x", "a host in brackets"),
        ("postgres://[]:5432/x", "a host in brackets"),
        ("postgres://h/x?password=ab%zzSecret", "its option 1"),
        ("postgres://h/x?sslmode=require&Secret", "its option 2"),
        ("postgres://h/x?options=Secret=on", "its option 1"),
        ("postgres://h/x?passwrd=Secret", "libpq does not know one of its options"),
        ("postgres://inlay:Secret\u{0}@h/x", "a character NUL"),
    ])
    func `an address that cannot be read is refused with the name of its part, and without the part`(
        address: String, message: String
    ) async throws {
        do {
            _ = try await SQLDatabaseURL.open(address)
            Issue.record("\(address) was opened.")
        } catch let error as SQLError {
            #expect(error.kind == .cannotOpen && error.message.contains(message), "\(error)")
            #expect(!error.message.contains("Secret") && !error.message.contains("127.0.0.1"), "\(error)")
        }
    }

    @Test(arguments: [
        "postgres:///x", "postgresql://h", "postgres://inlay@h/x", "postgres://inlay:p@h:5432/x",
        "postgres://inlay:p%40s%2Fs%25@h/x", "postgres://:p@h/x", "postgres://inlay:p?s:s@h/x",
        "postgres://one:5432,two,[::1]:5433/x?target_session_attrs=read-write",
        "postgres://[fe80::1%25eth0]/x",
        "postgres://%2Frun%2Fpostgresql/x", "postgres:///x?host=/run/postgresql", "postgres://h/x?",
        "postgres://h:/x?application_name=a@b&", "postgres://h?sslmode=verify-full", "postgres://ü:p@h/ö",
    ])
    func `an address that libpq reads as it is written is taken`(address: String) throws {
        try #require(PostgresURL(address)).check()
    }

    @Test(arguments: [
        ("postgres://inlay:p%40ss@h/x", ["p%40ss", "p@ss"]), ("postgres://inlay@h:5432/x", []),
        ("postgres://h/x?password=a%20b&sslpassword=c", ["a%20b", "a b", "c"]),
        ("postgres://inlay:ab%zzcd@h/x", ["ab%zzcd"]), ("postgres://inlay:a@b/c@h/x", ["a", "a@b/c"]),
        ("sqlite:data/inlay.sqlite", []),
    ])
    func `the passwords of an address are known as they are written and decoded`(
        address: String, passwords: [String]
    ) {
        #expect(Set(SQLDatabaseURL.passwords(in: address)) == Set(passwords))
    }
}

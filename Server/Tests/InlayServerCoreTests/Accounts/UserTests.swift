import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// Users, their profiles, and the users that a target selects.
@Suite(.timeLimit(.minutes(5))) struct UserTests {
    @Test(arguments: SQLEngine.allCases)
    func `a profile keeps its fixed and custom fields, and a later one takes its place`(_ engine: SQLEngine)
        async throws
    {
        try await TestApp.run(engine) { app in
            let tenant = try await TestTenant.make(app)
            let first =
                #"{"name":"Zoë","email":"z@example.com","tier":"gold","since":{"date":1700000000000000}}"#
            #expect(
                try await app.sendJSON("PUT", "/v1/users/zo%C3%AB%20%2F1", headers: tenant.backend, first)
                    .status == 204)
            let user = try await app.services.users.user("harbor", "zoë /1")
            #expect(user?.profile.text("tier") == "gold")
            #expect(user?.profile.values["since"] == .date(Timestamp(microseconds: 1_700_000_000_000_000)))
            let answer = try await app.send("GET", "/v1/users/zo%C3%AB%20%2F1", headers: tenant.backend)
            #expect(
                try JSONDecoder().decode([String: UserField].self, from: answer.body) == user?.profile.values)
            _ = try await app.sendJSON(
                "PUT", "/v1/users/zo%C3%AB%20%2F1", headers: tenant.backend, #"{"tier":"silver"}"#)
            #expect(
                try await app.services.users.user("harbor", "zoë /1")?.profile.values == [
                    "tier": .text("silver")
                ])
            #expect(try await app.services.users.ids("harbor", .profile(field: "tier", value: "gold")) == [])
        }
    }

    @Test func `a profile outside its limits is refused by name and changes nothing`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            _ = try await app.sendJSON("PUT", "/v1/users/a", headers: tenant.backend, #"{"city":"Kiel"}"#)
            let many = (0...50).map { #""f\#($0)":"x""# }.joined(separator: ",")
            let bad = [
                "{\(many)}", #"{"city":"\#(String(repeating: "x", count: 1025))"}"#, #"{"a b":"x"}"#,
                #"{"city":{"date":1}}"#, #"{"city":"a\u0000b"}"#,
            ]
            for text in bad {
                let answer = try await app.sendJSON("PUT", "/v1/users/a", headers: tenant.backend, text)
                #expect(answer.status == 422, "\(text.prefix(60))")
                #expect(try answer.code == "invalid-value")
            }
            #expect(
                try await app.services.users.user("harbor", "a")?.profile.values == ["city": .text("Kiel")])
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `SQL in an id, a field and a search is only text`(_ engine: SQLEngine) async throws {
        try await TestApp.run(engine) { app in
            _ = try await TestTenant.make(app)
            let users = app.services.users
            let evil = "x'; DROP TABLE users; --%_!"
            try await users.put("harbor", UserID(evil), UserProfile(["city": .text(evil)]))
            #expect(try await users.users("harbor", search: "x'; DROP").map(\.id.rawValue) == [evil])
            #expect(try await users.users("harbor", search: "%").isEmpty)
            #expect(try await users.ids("harbor", .profile(field: "city", value: evil)) == [UserID(evil)])
            #expect(try await users.count("harbor") == 1)
        }
    }

    @Test func `a user is known from the first request on and was last seen then`() async throws {
        try await TestApp.run { app in
            let tenant = try await TestTenant.make(app)
            _ = try await app.send("GET", "/test/whoami", headers: try tenant.headers(app, user: "bob"))
            #expect(try await app.services.users.ids("harbor", .all) == ["bob"])
            try await app.services.users.writeSeen()
            #expect(try await app.services.users.user("harbor", "bob")?.lastSeenAt == app.clock.now)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `the ids of a target come in pages that miss and repeat nobody`(_ engine: SQLEngine) async throws {
        try await TestApp.run(engine) { app in
            _ = try await TestTenant.make(app)
            let all = (100..<125).map { UserID("user-\($0)") }
            let moment = app.clock.now
            _ = try await app.services.database.write {
                try UserStore.ensure("harbor", all + all, at: moment, in: $0)
            }
            for target in [UserTarget.all, .users(all.reversed() + ["user-100"])] {
                var found: [UserID] = []
                while case let page = try await app.services.users.ids(
                    "harbor", target, after: found.last ?? "", limit: 10),
                    !page.isEmpty
                {
                    found += page
                }
                #expect(found == all)
            }
        }
    }

    @Test(arguments: [
        (#"{"users":["a"]}"#, UserTarget.users(["a"])), (#"{"all":true}"#, .all),
        (#"{"profile":{"field":"city","value":"Kiel"}}"#, .profile(field: "city", value: "Kiel")),
    ])
    func `each target has one JSON form`(_ text: String, _ target: UserTarget) throws {
        #expect(try JSONDecoder().decode(UserTarget.self, from: Data(text.utf8)) == target)
        #expect(try JSONDecoder().decode(UserTarget.self, from: JSONEncoder().encode(target)) == target)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UserTarget.self, from: Data(#"{"all":false}"#.utf8))
        }
    }
}

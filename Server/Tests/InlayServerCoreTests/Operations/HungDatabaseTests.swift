import Foundation
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// A PostgreSQL whose processes stand still: it accepts connections and answers nothing.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HungDatabaseTests {
    private static func configure(_ configuration: inout InlayServerConfiguration) {
        configuration.databaseSeconds = 2
        configuration.stopSeconds = 3
    }

    @Test func `while the database hangs requests get 503, and the node recovers by itself`() async throws {
        try await PrivatePostgres.with { postgres in
            try await TestApp.run(url: postgres.url, configure: Self.configure) { app in
                let tenant = try await TestTenant.make(app)
                let read = { try await app.send("GET", "/v1/users/ada", headers: tenant.backend) }
                let write = { @Sendable in
                    try await app.sendJSON(
                        "PUT", "/v1/users/ada", headers: tenant.backend, #"{"name":"Ada"}"#)
                }
                #expect(try await write().status == 204)
                #expect(try await app.send("GET", "/ready").status == 200)
                try postgres.pause()
                defer { postgres.resume() }
                let ready = try await app.send("GET", "/ready")
                #expect(ready.status == 503)
                #expect(try ready.problem.detail == "The database does not answer.")
                for answer in [try await read(), try await write(), try await write()] {
                    #expect(answer.status == 503, "\(answer.text)")
                    #expect(answer.headers["retry-after"] != nil)
                }
                postgres.resume()
                try await eventually(within: .seconds(120)) {
                    try await app.send("GET", "/ready").status == 200
                }
                try await eventually(within: .seconds(120)) { try await write().status == 204 }
                #expect(try await read().status == 200)
            }
        }
    }

    @Test func `a node stops within its limit while the database hangs`() async throws {
        try await PrivatePostgres.with { postgres in
            defer { postgres.resume() }
            let start = ContinuousClock.now
            let hung = Flag()
            // A node that is cut off at its limit throws an error of its services. The test checks only that the
            // database hung, and that the node ends.
            _ = try? await TestApp.run(
                url: postgres.url,
                configure: {
                    Self.configure(&$0)
                    $0.databaseSeconds = 300
                }
            ) { app in
                _ = try await TestTenant.make(app)
                try postgres.pause()
                let begun = Flag()
                // The task ends with the node, which gives its database calls up.
                Task {
                    begun.set()
                    try? await app.services.users.put("harbor", "ada", UserProfile([:]))
                }
                try await eventually(within: .seconds(120)) { begun.isSet }
                #expect(try await app.send("GET", "/ready").status == 503)
                hung.set()
            }
            #expect(hung.isSet)
            // Without the limit the node would wait for the database's 300 seconds.
            #expect(start.duration(to: .now) < .seconds(120))
        }
    }
}

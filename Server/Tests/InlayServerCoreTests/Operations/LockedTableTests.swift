import Foundation
import InlaySQL
import InlaySQLTesting
import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting

/// The effects of one feature's locked tables and slow reads on the other features.
@Suite(.timeLimit(.minutes(5))) struct LockedTableTests {
    @Test func `a card is sent at once while the tables of events are locked`() async throws {
        try await TestDatabase.withURL(.postgresql) { url in
            try await TestApp.run(url: url) { app in
                let tenant = try await TestTenant.make(app)
                let cards = app.server.features.cards
                try await cards.containers.save("harbor", id: "main", name: "main")
                let template = try await cards.templates.create("harbor", .sample())
                _ = try await cards.templates.publish("harbor", template.id)
                let other = try await SQLDatabaseURL.open(url)
                defer { other.close() }
                let (locked, release) = (Flag(), BlockingLatch())
                async let lock: Void = other.write { connection in
                    try connection.execute(
                        "LOCK TABLE behavior_events, analytics_events IN ACCESS EXCLUSIVE MODE")
                    locked.set()
                    try release.wait()
                }
                try await eventually(within: .seconds(120)) { locked.isSet }
                let stored = Flag()
                let begun = Flag()
                // The task ends when the lock is released.
                let waiting = Task {
                    _ = try? await app.services.database.lane("analytics").write { connection in
                        try connection.execute("SET LOCAL lock_timeout = 0")
                        begun.set()
                        try connection.execute("DELETE FROM analytics_events")
                    }
                    stored.set()
                }
                try await eventually(within: .seconds(120)) { begun.isSet }
                let event = #"{"name":"ping","target":{"users":["alice"]}}"#
                let sent = await Task {
                    try await app.sendJSON("POST", "/v1/events", headers: tenant.backend, event)
                }.result
                let hadStored = stored.isSet
                release.open()
                try await lock
                _ = await waiting.value
                let answer = try sent.get()
                #expect(answer.status == 200, "\(answer.text)")
                #expect(!hadStored)
            }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `slow explorer queries delay each other but not card counts`(engine: SQLEngine) async throws {
        try await TestApp.run(engine) { app in
            let tenant = try await TestTenant.make(app)
            let headers = try tenant.headers(app)
            let (begun, release) = (SharedValue(0), BlockingLatch())
            let readers = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
            let behaviors = app.server.features.behaviors.events
            async let slow: Void = withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<readers {
                    group.addTask {
                        try await app.services.database.forAnalytics.read { _ in
                            begun.change { $0 += 1 }
                            try release.wait()
                        }
                    }
                }
                try await group.waitForAll()
            }
            // All connections are in use before the page reads.
            try await eventually { begun.value >= readers }
            let shown = Flag()
            async let page: Void = {
                _ = try await behaviors.stream("harbor", since: nil)
                shown.set()
            }()
            for _ in 0..<50 {
                #expect(try await app.send("GET", "/v1/cards/counts", headers: headers).status == 200)
            }
            #expect(!shown.isSet)
            release.open()
            try await slow
            try await page
        }
    }
}

import Foundation
import GRDB
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
import Testing

@_spi(Inlay) @testable import InlayHub

@Suite struct UserTests {
    @Test func `the start creates and activates no user`() async throws {
        let fixture = try await HubFixture.ready()
        #expect(try fixture.hub.users.active == nil)
        #expect(try fixture.hub.users.all.isEmpty)
    }

    @Test func `a user is active only after setActive, which deactivates the one before`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a")
        #expect(try users.active == nil)
        try users.setActive("a")
        #expect(try users.active == "a")
        try users.create("b")
        try users.setActive("b")
        #expect(try users.active == "b")
        #expect(try users.all == ["a", "b"])
    }

    @Test func `users, their tags and the active user survive a restart`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.activate("a", tags: ["x"])
        try fixture.hub.users.updateTagCounts(["z": 3], of: "a")
        try fixture.activate("b")
        let again = try await fixture.restarted()
        #expect(try again.hub.users.active == "b")
        try again.hub.users.setActive("a")
        #expect(try again.hub.users.tags(of: "a") == ["x", "z"])
        #expect(try again.hub.users.tagCounts(of: "a").counts == ["x": 1, "z": 3])
    }

    @Test func `user ids are stored byte for byte`() async throws {
        let users = try await HubFixture.make().hub.users
        for id in ["customer-42", "Jane Doe+1@x", " ", "ünï", "u\u{308}", "ü", "'; DROP TABLE hub_user; --"] {
            try users.create(id)
            try users.setActive(id)
            #expect(try users.active.map { Array($0.utf8) } == Array(id.utf8))
        }
        #expect(try users.all.count == 7)
    }

    @Test func `an id that is taken is refused, and its tags stay`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a", tags: ["x"])
        #expect(throws: HubError.userExists("a")) { try users.create("a", tags: ["y"]) }
        #expect(try users.tags(of: "a") == ["x"])
    }

    @Test func `an empty or too long id or tag is refused, and no user is created`() async throws {
        let users = try await HubFixture.make().hub.users
        let long = String(repeating: "x", count: 1000)
        for (id, tags) in [("", []), (long, []), ("a", [""]), ("a", ["ok", long])] as [(String, [String])] {
            #expect { try users.create(id, tags: tags) } throws: { error in
                guard (error as? HubError)?.code == .invalidArgument else { return false }
                return true
            }
        }
        #expect(try users.all.isEmpty)
    }

    @Test func `every call with an unknown user throws`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a")
        try users.setActive("a")
        #expect(throws: HubError.unknownUser("b")) { try users.setActive("b") }
        #expect(throws: HubError.unknownUser("b")) { try users.tags(of: "b") }
        #expect(throws: HubError.unknownUser("b")) { try users.tagCounts(of: "b") }
        #expect(throws: HubError.unknownUser("b")) { try users.updateTagCounts(["x": 1], of: "b") }
        #expect(throws: HubError.unknownUser("b")) { try users.remove("b") }
        #expect(try users.active == "a")
    }

    @Test func `generated ids are unique, do not contain the host name, and create no user`() async throws {
        let users = try await HubFixture.make().hub.users
        let ids = Set((0..<1000).map { _ in HubUsers.makeID() })
        #expect(ids.count == 1000)
        let host = ProcessInfo.processInfo.hostName
        #expect(ids.allSatisfy { !$0.isEmpty && !$0.contains(host) })
        let id = try #require(ids.first)
        #expect(throws: HubError.unknownUser(id)) { try users.setActive(id) }
        #expect(try users.active == nil)
    }

    @Test func `given and earned tags are listed once each, in the order of their addition`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a", tags: ["sports fan", "high income", "sports fan"])
        #expect(try users.tags(of: "a") == ["sports fan", "high income"])
        try users.setActive("a")
        try users.incrementTagCounts(["z", "sports fan", "z"])
        #expect(try users.tags(of: "a") == ["sports fan", "high income", "z"])
        #expect(try users.tagCounts(of: "a").counts == ["sports fan": 2, "high income": 1, "z": 1])
    }

    @Test func `a count that falls to zero removes the tag, and a new count below one is ignored`()
        async throws
    {
        let users = try await HubFixture.make().hub.users
        try users.create("a", tags: ["x", "y"])
        try users.updateTagCounts(["x": -1, "n": 0, "m": -3, "y": 4], of: "a")
        #expect(try users.tagCounts(of: "a").counts == ["y": 5])
    }

    @Test func `tags that only look alike are counted apart`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a", tags: ["\u{E9}", "e\u{301}"])
        try users.updateTagCounts(["\u{E9}": 2], of: "a")
        try users.setActive("a")
        try users.incrementTagCounts(["e\u{301}", "e\u{301}"])
        #expect(try users.tagCounts(of: "a").counts == ["\u{E9}": 3, "e\u{301}": 2])
        try users.incrementTagCounts(["\u{E9}", "e\u{301}"])
        #expect(try users.tagCounts(of: "a").counts == ["\u{E9}": 4, "e\u{301}": 3])
    }

    @Test func `a removed user loses its tags and is no longer active`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a", tags: ["x"])
        try users.setActive("a")
        try users.remove("a")
        #expect(try users.active == nil)
        try users.create("a")
        #expect(try users.tags(of: "a").isEmpty)
    }

    @Test func `the tags with the highest counts are kept when there are too many`() async throws {
        let users = try await HubFixture.make().hub.users
        try users.create("a")
        let many = Dictionary(uniqueKeysWithValues: (0..<1100).map { ("t\($0)", $0 < 1000 ? 2 : 1) })
        try users.updateTagCounts(many, of: "a")
        let kept = try users.tagCounts(of: "a").counts
        #expect(kept.count == HubUsers.maximumTags && kept.values.allSatisfy { $0 == 2 })
    }

    @Test func `a store that cannot be written is an error that says so`() async throws {
        let fixture = try await HubFixture.make()
        let place = HubFolders(fixture.session.configuration).database
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        #expect { try fixture.hub.users.create("a") } throws: { error in
            guard let error = error as? HubError, error.code == .storage, let text = error.explanation else {
                return false
            }
            return !text.isEmpty
        }
    }

    @Test func `a facade and its session may open a new store together`() async throws {
        for _ in 0..<40 {
            let folder = try TemporaryFolder()
            let store = folder.url.appendingPathComponent("hub.sqlite")
            try await withThrowingTaskGroup { group in
                for name in ["a", "b", "c", "d"] {
                    group.addTask { try HubUsers(HubDatabase(store)).create(name) }
                }
                try await group.waitForAll()
            }
            #expect(try HubUsers(HubDatabase(store)).all.sorted() == ["a", "b", "c", "d"])
        }
    }

    @Test
    func `users stored after the folder was removed survive a restart, and the loss is reported once`()
        async throws
    {
        let fixture = try await HubFixture.make()
        let events = StreamRecorder(fixture.session.events.observe())
        try fixture.activate("a")
        try FileManager.default.removeItem(at: fixture.folder.url)
        #expect(try fixture.hub.users.all.isEmpty)
        try fixture.activate("b", tags: ["x"])
        try await events.until { $0.name == .storeLost }
        let again = try await fixture.restarted()
        #expect(try again.hub.users.active == "b")
        #expect(try again.hub.users.tags(of: "b") == ["x"])
        #expect(events.elements.filter { $0.name == .storeLost }.count == 1)
    }

    @Test func `a write whose file is removed during the transaction is repeated in a new file`() throws {
        let folder = try TemporaryFolder()
        let incidents = Locked<[StoreIncident]>([])
        let database = HubDatabase(folder.url.appendingPathComponent("hub.sqlite")) { incident in
            incidents.withLock { $0.append(incident) }
        }
        try database.set("before", Data("1".utf8), source: "main")
        var runs = 0
        try database.write { _ in
            runs += 1
            if runs == 1 { try FileManager.default.removeItem(at: folder.url) }
        }
        #expect(runs == 2 && incidents.withLock { $0.count } == 1)
        try database.set("after", Data("2".utf8), source: "main")
        let next = HubDatabase(folder.url.appendingPathComponent("hub.sqlite"))
        #expect(try next.value("after", source: "main") == Data("2".utf8))
        #expect(try next.value("before", source: "main") == nil)
    }

    @Test func `a store with one damaged page is set aside as soon as the page is used`() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("hub.sqlite")
        var (pageSize, page) = (0, 0)
        try HubDatabase(place).write { database in
            pageSize = try #require(try Int.fetchOne(database, sql: "PRAGMA page_size"))
            let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'hub_value'"
            page = try #require(try Int.fetchOne(database, sql: sql))
        }
        // The schema and the list of migrations stay whole, so that opening succeeds.
        var bytes = try Data(contentsOf: place)
        for position in (page - 1) * pageSize..<page * pageSize { bytes[position] = 0xAA }
        try bytes.write(to: place)
        let incidents = Locked<[StoreIncident]>([])
        let database = HubDatabase(place) { incident in incidents.withLock { $0.append(incident) } }
        #expect(try database.value("a", source: "main") == nil)
        try database.set("a", Data("1".utf8), source: "main")
        #expect(try database.value("a", source: "main") == Data("1".utf8))
        let aside = try #require(folder.names.first { $0.hasPrefix("hub.sqlite.damaged-") })
        let reported = incidents.withLock { $0 }
        guard reported.count == 1, case .setAside(let file)? = reported.first else {
            Issue.record("\(reported)")
            return
        }
        #expect(file.lastPathComponent == aside)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent(aside)) == bytes)
    }

    @Test func `a damaged store is set aside and a new one started`() async throws {
        let fixture = try await HubFixture.make()
        let place = HubFolders(fixture.session.configuration).database
        try Data(repeating: 7, count: 8192).write(to: place)
        try fixture.hub.users.create("a")
        #expect(try fixture.hub.users.all == ["a"])
        #expect(fixture.folder.names.contains { $0.contains(".damaged-") })
        try await StreamRecorder(fixture.session.events.observe()).until { $0.name == .storeSetAside }
    }
}

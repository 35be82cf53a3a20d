import Foundation
@_spi(Inlay) import InlayCore
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    @Suite @MainActor struct Users {
        /// The code of the error that `body` throws, which must be a described ZBiM error; `nil` without an error.
        private func errorCode(_ body: () throws -> Void) -> Int? {
            do { try body() } catch {
                let error = error as NSError
                #expect(error.domain == ZBiMErrorDomain && !error.localizedDescription.isEmpty)
                return error.code
            }
            return nil
        }

        @Test
        func `no user is active on the first run, and a created user is inactive until it is activated`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            #expect(ZBiM.activeUser() == nil && ZBiM.getAllUsers().isEmpty)
            try ZBiM.createUser("A", withTags: nil)
            #expect(ZBiM.activeUser() == nil)
            try ZBiM.setActiveUser("A")
            #expect(ZBiM.activeUser() == "A")
            #expect(try ZBiM.tags(forUser: "A").isEmpty)
            #expect(ZBiM.getAllUsers() == ["A"])
        }

        @Test func `refused changes of users are errors with their documented codes`() async throws {
            _ = try ZBiMFixture()
            ZBiM.start()
            try ZBiM.createUser("A", withTags: ["x"])
            #expect(
                errorCode { try ZBiM.createUser("A", withTags: ["y"]) }
                    == ZBiMError.userAlreadyExists.rawValue)
            #expect(try ZBiM.tags(forUser: "A") == ["x"])
            #expect(errorCode { try ZBiM.createUser(nil, withTags: nil) } == ZBiMError.invalidParams.rawValue)
            #expect(errorCode { try ZBiM.createUser("", withTags: nil) } == ZBiMError.invalidParams.rawValue)
            #expect(errorCode { try ZBiM.setActiveUser("B") } == ZBiMError.unknownUser.rawValue)
            #expect(errorCode { _ = try ZBiM.tags(forUser: "B") } == ZBiMError.unknownUser.rawValue)
            #expect(ZBiM.activeUser() == nil)
        }

        @Test func `a store that cannot be written is the documented error`() async throws {
            let fixture = try ZBiMFixture()
            ZBiM.start()
            _ = try #require(await ZBiMRuntime.shared.opened())
            let name = try #require(
                fixture.folder.names.first { $0.hasPrefix("hub-") && $0.hasSuffix(".sqlite") })
            fixture.restart()
            try FileManager.default.removeItem(at: fixture.folder.url.appendingPathComponent(name))
            try FileManager.default.createDirectory(
                at: fixture.folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
            ZBiM.start()
            #expect(errorCode { try ZBiM.createUser("A", withTags: nil) } == ZBiMError.missingDB.rawValue)
        }

        @Test func `a restart restores all users and the active one`() async throws {
            let fixture = try ZBiMFixture()
            ZBiM.start()
            try fixture.activate("A", tags: ["sports fan", "high income"])
            fixture.restart()
            ZBiM.start()
            #expect(ZBiM.activeUser() == "A")
            #expect(try ZBiM.tags(forUser: "A") == ["sports fan", "high income"])
        }

        @Test func `several users are registered, each with its own tags and its exact id`() throws {
            _ = try ZBiMFixture()
            ZBiM.start()
            let ids = ["customer-42", "Jane Doe+1@x", "u\u{308}", "\u{FC}"]
            for id in ids { try ZBiM.createUser(id, withTags: ["tag of \(id)"]) }
            #expect(ZBiM.getAllUsers().map { Array($0.utf8) } == ids.map { Array($0.utf8) })
            for id in ids {
                #expect(try ZBiM.tags(forUser: id) == ["tag of \(id)"])
                try ZBiM.setActiveUser(id)
                #expect(ZBiM.activeUser().map { Array($0.utf8) } == Array(id.utf8))
            }
        }

        @Test func `a user who is activated again after a restart has the earlier tags`() async throws {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try fixture.activate("A", tags: ["sea"])
            let hub = try await fixture.presented()
            try fixture.presentation?.open(HubReference(.article, "long-path"))
            try hub.dismiss()
            let before = try ZBiM.tags(forUser: "A")
            #expect(before == ["sea", "bikes"])
            try fixture.activate("B", tags: ["land"])
            fixture.restart()
            ZBiM.start()
            #expect(ZBiM.activeUser() == "B")
            try ZBiM.setActiveUser("A")
            #expect(try ZBiM.tags(forUser: "A") == before)
        }

        @Test func `views of articles are reported with the exact id of the user who was active`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            for (user, articles) in [("Jane Doe+1@x", ["herring", "long-path"]), ("B", ["short-path"])] {
                try fixture.activate(user)
                let hub = try await fixture.presented()
                for id in articles { try fixture.presentation?.open(HubReference(.article, id)) }
                try hub.dismiss()
            }
            #expect(ZBiM.activeUser() == "B")
            try await eventually { try await fixture.metrics().count { $0.name == "hub-dismissed" } == 2 }
            let read = try await fixture.metrics().filter { $0.properties["kind"] == "article" }
            #expect(read.map { $0.properties["id"] } == ["herring", "long-path", "short-path"])
            #expect(read.map { $0.properties["user"] } == ["Jane Doe+1@x", "Jane Doe+1@x", "B"])
        }

        @Test
        func `generated ids are random, differ between installations, and contain no data of the device`()
            throws
        {
            var ids: [String] = []
            for _ in 0..<2 {
                _ = try ZBiMFixture()
                ZBiM.start()
                ids.append(ZBiM.generateDefaultUserId())
            }
            #expect(ids[0] != ids[1])
            let machine = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
            let names = [ProcessInfo.processInfo.hostName, NSUserName(), machine ?? ""]
                .map { $0.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
                .filter { $0.count > 3 }
            try #require(!names.isEmpty)
            for id in ids {
                // All bits of a UUID of version 4 are random, except the six of its version and variant.
                #expect(try #require(UUID(uuidString: id)).uuid.6 >> 4 == 4)
                let letters = id.lowercased().replacingOccurrences(of: "-", with: "")
                #expect(names.allSatisfy { !id.lowercased().contains($0) && !letters.contains($0) })
            }
        }

        @Test func `generated ids differ, and generating one registers no user`() async throws {
            _ = try ZBiMFixture()
            ZBiM.start()
            #expect(Set((0..<1000).map { _ in ZBiM.generateDefaultUserId() }).count == 1000)
            let id = ZBiM.generateDefaultUserId()
            #expect(errorCode { try ZBiM.setActiveUser(id) } == ZBiMError.unknownUser.rawValue)
            #expect(ZBiM.activeUser() == nil)
        }

        @Test func `articles that the active user reads change its tags, which decide which hub is shown`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try fixture.activate("A", tags: ["sea"])
            let hub = ZBiM.presentHub(
                withUri: "hub:article/long-path", parentView: UIView(), parentViewController: nil,
                completion: nil)
            #expect(try ZBiM.tags(forUser: "A") == ["sea", "bikes"])
            try hub.dismiss()
            try fixture.activate("B", tags: ["land"])
            let end = await fixture.completion { ZBiM.presentHub($0) }
            #expect(end.success && fixture.page == "hub:hub/land")
            #expect(try ZBiM.tags(forUser: "B") == ["land"])
        }
    }
}

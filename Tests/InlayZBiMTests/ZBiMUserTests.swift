import Foundation
import InlayCore
import InlayTesting
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    @Suite @MainActor struct Users {
        private func code(_ body: () throws -> Void) -> Int? {
            do { try body() } catch {
                let error = error as NSError
                #expect(error.domain == ZBiMErrorDomain && !error.localizedDescription.isEmpty)
                return error.code
            }
            return nil
        }

        @Test func `nobody is active on the first run, and a created user only once it is made so`()
            async throws
        {
            _ = try ZBiMStage()
            ZBiM.start()
            #expect(ZBiM.activeUser() == nil)
            try ZBiM.createUser("A", withTags: nil)
            #expect(ZBiM.activeUser() == nil)
            try ZBiM.setActiveUser("A")
            #expect(ZBiM.activeUser() == "A")
            #expect(try ZBiM.tags(forUser: "A").isEmpty)
            #expect(ZBiM.getAllUsers() == ["A"])
        }

        @Test func `what cannot be done to users is an error with its documented code`() async throws {
            _ = try ZBiMStage()
            ZBiM.start()
            try ZBiM.createUser("A", withTags: ["x"])
            #expect(
                code { try ZBiM.createUser("A", withTags: ["y"]) } == ZBiMError.userAlreadyExists.rawValue)
            #expect(try ZBiM.tags(forUser: "A") == ["x"])
            #expect(code { try ZBiM.createUser(nil, withTags: nil) } == ZBiMError.invalidParams.rawValue)
            #expect(code { try ZBiM.createUser("", withTags: nil) } == ZBiMError.invalidParams.rawValue)
            #expect(code { try ZBiM.setActiveUser("B") } == ZBiMError.unknownUser.rawValue)
            #expect(code { _ = try ZBiM.tags(forUser: "B") } == ZBiMError.unknownUser.rawValue)
            #expect(ZBiM.activeUser() == nil)
        }

        @Test func `a store that cannot be written is the documented error`() async throws {
            let stage = try ZBiMStage()
            ZBiM.start()
            let session = try #require(await ZBiMHost.shared.opened())
            _ = session
            let name = try #require(
                (stage.folder.names + ["hub-x.sqlite"]).first {
                    $0.hasPrefix("hub-") && $0.hasSuffix(".sqlite")
                })
            stage.restart()
            try FileManager.default.removeItem(at: stage.folder.url.appendingPathComponent(name))
            try FileManager.default.createDirectory(
                at: stage.folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
            ZBiM.start()
            #expect(code { try ZBiM.createUser("A", withTags: nil) } == ZBiMError.missingDB.rawValue)
        }

        @Test func `users and the active one are there again after a restart`() async throws {
            let stage = try ZBiMStage()
            ZBiM.start()
            try stage.activate("A", tags: ["sports fan", "high income"])
            stage.restart()
            ZBiM.start()
            #expect(ZBiM.activeUser() == "A")
            #expect(try ZBiM.tags(forUser: "A") == ["sports fan", "high income"])
        }

        @Test func `generated ids differ, and register nobody`() async throws {
            _ = try ZBiMStage()
            ZBiM.start()
            #expect(Set((0..<1000).map { _ in ZBiM.generateDefaultUserId() }).count == 1000)
            let id = ZBiM.generateDefaultUserId()
            #expect(code { try ZBiM.setActiveUser(id) } == ZBiMError.unknownUser.rawValue)
            #expect(ZBiM.activeUser() == nil)
        }

        @Test func `what the active user reads shows in its tags and in what it is shown`() async throws {
            let stage = try ZBiMStage()
            try await stage.ready()
            try stage.activate("A", tags: ["sea"])
            let hub = ZBiM.presentHub(
                withUri: "hub:article/long-path", parentView: UIView(), parentViewController: nil,
                completion: nil)
            #expect(try ZBiM.tags(forUser: "A") == ["sea", "bikes"])
            try hub.dismiss()
            try stage.activate("B", tags: ["land"])
            let end = await stage.ended { ZBiM.presentHub($0) }
            #expect(end.success && stage.page == "hub:hub/land")
            #expect(try ZBiM.tags(forUser: "B") == ["land"])
        }
    }
}

import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayDevicesServer
@testable import InlayServerCore
@testable import InlayServerTesting

/// The erasure of an app's user by an admin.
@Suite(.timeLimit(.minutes(3))) struct UserPagesTests {
    private static let page = "/workbench/e/harbor/users/maya%2F17"

    @Test func `an admin erases a user after a question, and the log says who did`() async throws {
        try await WorkbenchSite.run { site in
            try await site.services.users.put(
                "harbor", "maya/17", UserProfile(["name": .text("Maya <Wind>")]))
            let admin = try await site.signedIn(.admin)
            #expect(try await admin.get(Self.page).body.contains("href=\"\(Self.page)/erase\""))
            let question = try await admin.get("\(Self.page)/erase").body
            #expect(question.contains("Erase “Maya &lt;Wind&gt;”?"))
            #expect(question.contains("action=\"\(Self.page)/erase\""))
            #expect(try await site.services.users.user("harbor", "maya/17") != nil)

            let answer = try await admin.post("\(Self.page)/erase")
            #expect(answer.status == 303 && answer.location == "/workbench/e/harbor/users")
            try await site.server.eraseDueUsers()
            #expect(try await site.services.users.user("harbor", "maya/17") == nil)
            #expect(try await admin.get(Self.page).status == 404)
            let line = try #require(try await site.services.audit.entries("harbor").first)
            #expect((line.action, line.subject, line.who) == ("erased user", "maya/17", "admin"))
        }
    }

    @Test func `an operator who is no admin cannot erase a user`() async throws {
        try await WorkbenchSite.run { site in
            try await site.services.users.put("harbor", "maya/17", UserProfile())
            for role in [OperatorRole.analyst, .editor] {
                let browser = try await site.signedIn(role)
                let page = try await browser.get(Self.page)
                #expect(page.status == 200 && !page.body.contains("Erase"), "\(role)")
                #expect(try await browser.get("\(Self.page)/erase").status == 403, "\(role)")
                #expect(try await browser.post("\(Self.page)/erase").status == 403, "\(role)")
            }
            try await site.server.eraseDueUsers()
            #expect(try await site.services.users.user("harbor", "maya/17") != nil)
        }
    }
}

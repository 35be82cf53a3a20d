import Foundation
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerTesting
@testable import InlayWorkbench
@testable import InlayServerCore

/// The rules for an operator's password, and the operators who have to choose another.
@Suite(.timeLimit(.minutes(5))) struct OperatorPasswordTests {
    @Test(arguments: [
        "1234567890", "123456789012345", "fourteen chars", "password12345678", "ada.lovelace2026!",
        "workbench-2026-1",
    ])
    func `an operator's password follows the rules of end users'`(_ password: String) async throws {
        try await TestApp.run { app async throws in
            let operators = app.services.operators
            let ada = try await operators.create(
                login: "ada.lovelace@example.com", password: "four ferries before noon", role: .editor)
            let refusals = [
                await #expect(throws: Problem.self) {
                    _ = try await operators.create(
                        login: "ada.lovelace@example.org", password: password, role: .editor)
                },
                await #expect(throws: Problem.self) { try await operators.setPassword(ada.id, password) },
            ]
            #expect(refusals.allSatisfy { $0?.code == .passwordUnfit })
        }
    }

    @Test func `a generated first password must be changed, and one from a file need not be`() async throws {
        try await TestDatabase.withFolder { folder in
            var configuration = InlayServerConfiguration()
            configuration.firstPasswordFile = folder + "/password"
            let settings = configuration
            try await TestApp.run { app async throws in
                let password = try #require(try await app.services.operators.createFirst())
                let session = try await app.services.sessions.signIn(
                    login: "admin", password: password, address: "a")
                #expect(session.session.operator.mustChangePassword)
            }
            try await TestApp.run { app async throws in
                let operators = app.services.operators
                await #expect(throws: ConfigurationError.self) {
                    try await operators.createFirst { try settings.firstPassword() }
                }
                try Data("1234567890\n".utf8).write(to: URL(fileURLWithPath: folder + "/password"))
                await #expect(throws: ConfigurationError.self) {
                    try await operators.createFirst { try settings.firstPassword() }
                }
                // As an editor on Windows saves it: byte order mark and line end are not part of the password.
                try Data("\u{FEFF}four ferries before noon\r\n".utf8).write(
                    to: URL(fileURLWithPath: folder + "/password"))
                #expect(
                    try await operators.createFirst { try settings.firstPassword() }
                        == "four ferries before noon")
                let session = try await app.services.sessions.signIn(
                    login: "admin", password: "four ferries before noon", address: "a")
                #expect(!session.session.operator.mustChangePassword)
                // Once an operator exists, the file is not read any more.
                try FileManager.default.removeItem(atPath: folder + "/password")
                #expect(try await operators.createFirst { try settings.firstPassword() } == nil)
            }
        }
    }

    @Test func `until a given password is changed no other address of the Workbench answers`() async throws {
        try await WorkbenchSite.run { site async throws in
            let given = "a whole harbour of seals"
            _ = try await site.services.operators.create(
                login: "grace", password: given, role: .admin, isTemporary: true)
            let browser = site.browser()
            #expect(try await browser.signIn("grace", given).status == 303)
            for route in site.routes {
                let path =
                    "/workbench/"
                    + route.path.replacing(":environment", with: "harbor").replacing(":", with: "")
                switch route.method {
                case .get:
                    let answer = try await browser.get(path)
                    #expect(answer.status == 303, "\(path)")
                    #expect(answer.location.hasPrefix("/workbench/new-password?next="), "\(path)")
                case .post: #expect(try await browser.post(path).status == 403, "\(path)")
                case .put:
                    #expect(
                        try await browser.put(path, "x", token: browser.formToken).status == 403, "\(path)")
                }
            }
        }
    }

    @Test func `the page after the first sign-in asks for a password, refuses bad ones, and goes on`()
        async throws
    {
        try await WorkbenchSite.run { site async throws in
            let given = "a whole harbour of seals", own = "seven lighthouses at dusk"
            _ = try await site.services.operators.create(
                login: "grace", password: given, role: .admin, isTemporary: true)
            let browser = site.browser(), other = site.browser()
            for each in [browser, other] {
                #expect(try await each.signIn("grace", given).status == 303)
            }
            let page = try await browser.get("/workbench/new-password?next=/workbench/e/harbor/users")
            #expect(page.status == 200 && page.body.contains("Choose a password"))
            #expect(page.body.contains(#"value="/workbench/e/harbor/users""#))
            func save(_ new: String, _ again: String, csrf: String? = nil) async throws
                -> WorkbenchBrowser.Response
            {
                try await browser.postRaw(
                    "/workbench/new-password",
                    [
                        ("csrf", csrf ?? page.csrf), ("next", "/workbench/e/harbor/users"), ("new", new),
                        ("again", again),
                    ])
            }
            #expect(try await save(own, own, csrf: "guess").status == 403)
            for (new, again) in [("1234567890", "1234567890"), (own, given), (given, given)] {
                #expect(try await save(new, again).status == 422, "\(new)")
            }
            let saved = try await save(own, own)
            #expect(saved.status == 303 && saved.location == "/workbench/e/harbor/users")
            #expect(try await browser.get("/workbench/e/harbor/users").status == 200)
            // The other sign-in with the given password has ended, and the password with it.
            #expect(try await other.get("/workbench/new-password").location == "/workbench/sign-in")
            #expect(try await site.browser().signIn("grace", given).status == 403)
            #expect(try await browser.get("/workbench/new-password").location == "/workbench")
        }
    }
}

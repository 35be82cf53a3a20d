import Foundation
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServer
@testable import InlayBehaviorsServer
@testable import InlayCardsServer
@testable import InlayDevicesServer
@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

/// The checks before each page, tested on all routes of the Workbench, so that new routes are tested too.
@Suite struct WorkbenchGateTests {
    private func path(_ route: WorkbenchRoute, environment: String = "harbor") -> String {
        let parts = route.path.split(separator: "/").map { part in
            part == ":environment" ? environment : part.hasPrefix(":") ? "nothing" : String(part)
        }
        return "/workbench/" + parts.joined(separator: "/")
    }

    @Test func `every form needs a sign-in, its role and its token, in this order`() async throws {
        try await WorkbenchSite.run { site in
            let browsers = [
                OperatorRole.analyst: try await site.signedIn(.analyst),
                .editor: try await site.signedIn(.editor),
            ]
            let admin = try await site.signedIn(.admin)
            let forms = site.routes.filter { $0.method == .post }
            #expect(forms.count > 25)
            for route in forms {
                let path = path(route)
                #expect(try await site.browser().postRaw(path, []).status == 401, "\(path) without a sign-in")
                for (role, browser) in browsers where role < route.role {
                    let answer = try await browser.post(path)
                    #expect(answer.status == 403, "\(path) as \(role)")
                    #expect(answer.body.contains("Your role does not allow this."), "\(path) as \(role)")
                }
                let foreign = try await admin.postRaw(path, [("name", "x")])
                #expect(foreign.status == 403, "\(path) without a token")
                #expect(foreign.body.contains("This form is out of date."), "\(path) without a token")
                #expect(
                    try await admin.postRaw(path, [("csrf", "guess")]).status == 403,
                    "\(path) with a wrong token")
            }
        }
    }

    @Test func `every upload needs a sign-in, its role and its token`() async throws {
        try await WorkbenchSite.run { site in
            let analyst = try await site.signedIn(.analyst), admin = try await site.signedIn(.admin)
            let uploads = site.routes.filter { $0.method == .put }
            #expect(!uploads.isEmpty)
            for route in uploads {
                let path = path(route)
                #expect(try await site.browser().put(path, "x", token: nil).status == 401)
                #expect(try await analyst.put(path, "x", token: analyst.formToken).status == 403)
                #expect(try await admin.put(path, "x", token: nil).status == 403)
                #expect(try await admin.put(path, "x", token: analyst.formToken).status == 403)
            }
        }
    }

    @Test func `a video and a list of contacts may be as large as their pages say`() async throws {
        try await WorkbenchSite.run { site in
            let limit = BodyLimit(larger: site.server.features.all.flatMap(\.largerBodies))
            let root = "/workbench/e/harbor"
            #expect(limit.limit(at: "\(root)/hub/guide/files") == HubLimits.maximumVideoBytes)
            #expect(limit.limit(at: "\(root)/behaviors/lists/7/import") == ContactStore.maximumImportBytes)
            #expect(limit.limit(at: "\(root)/hub/guide/files/delete") == BodyLimit.standard)
            #expect(limit.limit(at: "/workbench/sign-in") == BodyLimit.standard)
            #expect(limit.limit(at: "/v1/hub/harbor/files/video.mp4") == HubLimits.maximumVideoBytes)
            #expect(limit.limit(at: "/v1/hub/harbor/publish") == HubLimits.maximumManifestBytes)
            #expect(limit.limit(at: "/v1/hub/harbor") == BodyLimit.standard)
        }
    }

    @Test func `every page needs a sign-in and its role`() async throws {
        try await WorkbenchSite.run { site in
            let analyst = try await site.signedIn(.analyst)
            for route in site.routes where route.method == .get {
                let path = path(route)
                let stranger = try await site.browser().get(path)
                #expect(
                    stranger.status == 303 && stranger.location.hasPrefix("/workbench/sign-in"), "\(path)")
                guard route.role > .analyst else { continue }
                #expect(try await analyst.get(path).status == 403, "\(path) as analyst")
            }
        }
    }

    @Test
    func `every form and upload that redirects has an audit log line, even one that records none itself`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let gate = WorkbenchGate(
                services: site.services, pages: try PageLibrary.load(site.workbench.folders),
                cookies: WorkbenchCookies(rules: CookieRules(isSecure: false)),
                navigation: site.workbench.navigation)
            let harbor = try #require(
                try await site.services.environments.environments().first { $0.id == "harbor" })
            let admin = try #require(
                try await site.services.operators.operators().first { $0.role == .admin })
            for route in site.routes where route.method != .get {
                let request = WorkbenchRequest(
                    operator: admin, csrfToken: "", environment: harbor, environments: [harbor],
                    path: path(route),
                    query: FormFields(), form: FormFields(), upload: nil, parameters: [:], flash: nil,
                    wantsFragment: false, now: site.services.now(), auditLines: AuditLines(),
                    serverZone: .server)
                let silent = WorkbenchRoute(method: route.method, path: route.path, role: route.role) { _ in
                    .redirect(to: "/workbench", nil)
                }
                _ = try await gate.result(of: silent, to: request)
                let line = try #require(try await site.services.audit.entries("harbor", limit: 1).first)
                #expect(line.subject == path(route) && line.who == admin.login, "\(route.path)")
            }
        }
    }

    @Test func `what a form changed before it failed is in the audit log`() async throws {
        try await WorkbenchSite.run { site in
            let gate = WorkbenchGate(
                services: site.services, pages: try PageLibrary.load(site.workbench.folders),
                cookies: WorkbenchCookies(rules: CookieRules(isSecure: false)),
                navigation: site.workbench.navigation)
            let harbor = try #require(
                try await site.services.environments.environments().first { $0.id == "harbor" })
            let admin = try #require(
                try await site.services.operators.operators().first { $0.role == .admin })
            let request = WorkbenchRequest(
                operator: admin, csrfToken: "", environment: harbor, environments: [harbor],
                path: "/workbench",
                query: FormFields(), form: FormFields(), upload: nil, parameters: [:], flash: nil,
                wantsFragment: false, now: site.services.now(), auditLines: AuditLines(), serverZone: .server)
            let failing = WorkbenchRoute.form("x", for: .editor) { request in
                try site.services.audit.record("deleted funnel", "Check-in", by: request)
                throw Problem.notFound("funnel")
            }
            await #expect(throws: Problem.self) { try await gate.result(of: failing, to: request) }
            let line = try #require(try await site.services.audit.entries("harbor", limit: 1).first)
            #expect(line.action == "deleted funnel" && line.subject == "Check-in")
        }
    }

    @Test func `another operator's form token is refused`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor), admin = try await site.signedIn(.admin)
            let fields = [("csrf", editor.formToken), ("name", "Mine"), ("id", "mine")]
            #expect(try await admin.postRaw("/workbench/start", fields).status == 403)
            #expect(try await site.services.environments.environment("mine") == nil)
        }
    }

    @Test func `no id of one environment opens a page of another`() async throws {
        try await WorkbenchSite.run { site in
            let template = try await site.cards.templates.create(
                "other", .sample(headline: "Secret of the other"))
            let theme = try await site.cards.themes.save("other", name: "Secret theme", light: .init())
            try await site.cards.containers.save("other", id: "hidden", name: "Secret container")
            try await site.services.users.put(
                "other", "stranger", UserProfile(["name": .text("Secret person")]))
            let key = try await site.services.environments.addSecretKey("other", name: "Secret key").key
            let features = site.server.features, behaviors = features.behaviors
            let step = Funnel.Step(EventCode.namedEvent.rawValue, "boarded")
            let goal = try await behaviors.events.saveGoal("other", name: "Secret goal", step)
            let funnel = try await behaviors.events.saveFunnel(
                "other", name: "Secret funnel", Funnel(steps: [step, step], window: .seconds(3_600)))
            let segment = try await behaviors.segments.save(
                "other", name: "Secret segment", SegmentRule([.init(.init(code: 17, days: 7))]))
            let list = try await behaviors.contacts.createDatabase("other", name: "Secret list")
            let application = try await features.devices.applications.create("other", name: "Secret app")
            try await features.hub.content.createSource("other", id: "hidden", name: "Secret source")
            let ids = [
                ":template": template.id.rawValue, ":theme": theme.id.rawValue, ":container": "hidden",
                ":user": "stranger",
                ":key": key.id, ":version": "1", ":operator": "nothing",
                ":goal": goal.id.rawValue, ":funnel": funnel.id.rawValue, ":segment": segment.id.rawValue,
                ":list": "\(list.id)", ":application": application.application.id.rawValue,
                ":source": "hidden", ":kind": "channels",
            ]
            let admin = try await site.signedIn(.admin)
            for route in site.routes where ids.keys.contains(where: { route.path.contains($0) }) {
                let parts = route.path.split(separator: "/").map { ids[String($0)] ?? String($0) }
                let own = parts.joined(separator: "/")
                let path = "/workbench/" + own.replacingOccurrences(of: ":environment", with: "harbor")
                let answer =
                    switch route.method {
                    case .get: try await admin.get(path)
                    case .post: try await admin.post(path)
                    case .put: try await admin.put(path, "x", token: admin.formToken)
                    }
                #expect(answer.status == 404, "\(route.method) \(path)")
                #expect(!answer.body.contains("Secret"), "\(route.method) \(path)")
            }
            #expect(try await site.cards.templates.template("other", template.id)?.isEnabled == true)
        }
    }

    @Test func `a page carries a policy without inline script and is never kept by a cache`() async throws {
        try await WorkbenchSite.run { site in
            let page = try await site.signedIn(.editor).get("/workbench/e/harbor/overview")
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.header("cache-control") == "no-store")
            #expect(
                !page.body.contains(" style=") && !page.body.contains("<script>")
                    && !page.body.contains(" onclick"))
        }
    }

    @Test(arguments: ["text/plain", "application/json", "multipart/form-data; boundary=x"])
    func `a form of another type is refused`(type: String) async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let path = "/workbench/e/harbor/cards/templates/new"
            #expect(
                try await editor.post(path, [("name", "x")], headers: ["Content-Type": type]).status == 415)
        }
    }

    @Test func `a form larger than a mebibyte is refused before it is read`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let answer = try await editor.post(
                "/workbench/e/harbor/cards/templates/new", [("name", String(repeating: "a", count: 1 << 20))])
            #expect(answer.status == 413)
        }
    }

    @Test func `an address that does not exist is answered with a page`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let answer = try await editor.get("/workbench/e/nowhere/overview")
            #expect(answer.status == 404)
            #expect(answer.body.contains("There is no environment &quot;nowhere&quot;."))
        }
    }
}

extension CardTemplateDraft {
    /// Returns a small template.
    static func sample(headline: String, event: String = "ferry-delayed") -> CardTemplateDraft {
        CardTemplateDraft(
            name: headline, eventName: event,
            definition: .init(elements: [
                .headline(headline), .text("Some text"), .dismissButton(text: "Done"),
            ]))
    }
}

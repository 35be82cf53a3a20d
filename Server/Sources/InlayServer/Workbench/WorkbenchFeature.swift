import Hummingbird
import InlayWire

/// The server's web pages for the team: content, users, numbers, settings.
package struct WorkbenchFeature: ServerFeature {
    private let services: ServerServices
    private let stores: WorkbenchStores

    /// The Workbench over the stores of the features.
    init(_ services: ServerServices, _ stores: WorkbenchStores) {
        self.services = services
        self.stores = stores
    }

    /// Every page and form, in the order of the rail.
    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        [
            StartPages.routes(services, stores), OverviewPages.routes(services, stores),
            TemplatePages.routes(services, stores), EditorPages.routes(services, stores),
            VersionPages.routes(services, stores), SendPages.routes(services, stores),
            ContainerPages.routes(services, stores), ThemePages.routes(services, stores),
            AnalyticsPages.routes(services, stores), InspectorPages.routes(services, stores),
            HubSourcePages.routes(services, stores), HubItemPages.routes(services, stores),
            HubFilePages.routes(services, stores), HubVersionPages.routes(services, stores),
            HubPolicyPages.routes(services, stores), StreamPages.routes(services, stores),
            ExplorerPages.routes(services, stores), GoalPages.routes(services, stores),
            FunnelPages.routes(services, stores), CampaignPages.routes(services, stores),
            ContactPages.routes(services, stores), SegmentPages.routes(services, stores),
            HubAnnouncementPages.routes(services, stores),
            DeviceApplicationPages.routes(services, stores),
            EndAccountPages.routes(services, stores), DevicePages.routes(services, stores),
            SetupPages.routes(services, stores), MailPages.routes(services, stores),
            AdPages.routes(services, stores),
            UserPages.routes(services, stores),
            EnvironmentPages.routes(services, stores),
            KeyPages.routes(services), OAuthClientPages.routes(services, stores),
            OperatorPages.routes(services),
        ].flatMap { $0 }
    }

    package func addRoutes(to routes: ServerRoutes) {
        let cookies = WorkbenchCookies(
            rules: CookieRules(isSecure: services.configuration.isReachedByHTTPS))
        let pages: PageLibrary
        do {
            pages = try PageLibrary.load()
        } catch {
            // Apps are served without the Workbench; its operator reads here what to mend.
            services.logger.critical("The Workbench's files are missing", metadata: ["error": "\(error)"])
            return
        }
        let gate = WorkbenchGate(services: services, pages: pages, cookies: cookies)
        for route in Self.routes(services, stores) {
            let method: HTTPRequest.Method =
                switch route.method {
                case .get: .get
                case .post: .post
                case .put: .put
                }
            routes.root.on("workbench/\(route.path)", method: method) { request, context in
                await gate.respond(to: request, context, route)
            }
        }
        addOpenRoutes(to: routes, gate)
        routes.unknown.answer(below: "workbench", with: gate.respond(toUnknown:_:_:))
    }

    /// What needs no sign-in: the sign-in itself, the files of pages, and the way there.
    private func addOpenRoutes(to routes: ServerRoutes, _ gate: WorkbenchGate) {
        let signIn = SignInPages(services: services, pages: gate.pages, cookies: gate.cookies)
        routes.root.get("/") { _, _ in gate.cookies.redirect(to: "/workbench", flash: nil) }
        routes.root.get("workbench/sign-in") { request, _ in try await signIn.show(request) }
        routes.root.post("workbench/sign-in") { request, context in try await signIn.enter(request, context) }
        let newPassword = NewPasswordPages(services: services, pages: gate.pages, cookies: gate.cookies)
        routes.root.get("workbench/new-password") { request, _ in try await newPassword.show(request) }
        routes.root.post("workbench/new-password") { request, _ in try await newPassword.save(request) }
        routes.root.post("workbench/sign-out") { request, _ in try await signIn.leave(request) }
        routes.root.get("workbench/assets/:name") { request, context in
            guard let name = context.parameters.get("name"), let file = AssetFiles.file(name) else {
                throw Problem.notFound
            }
            return WorkbenchResponse.asset(file.data, file.mediaType, for: request)
        }
    }
}

package import Foundation
import Hummingbird
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The server's web pages for the team: the frame, the sign-in, the settings, and the sections of features.
package struct WorkbenchFeature: ServerFeature {
    /// The folder with the templates and assets of the frame, sign-in and settings.
    static let folder = Bundle.module.copiedResources

    private let services: ServerServices
    private let sections: [any WorkbenchSection]
    private let prepare: EnvironmentPreparation

    /// Creates the Workbench with the sections of features, in the order of the navigation.
    ///
    /// `prepare` is called with the id of a new environment in its transaction, and prepares it for all features.
    package init(
        _ services: ServerServices, _ sections: [any WorkbenchSection],
        prepare: @escaping EnvironmentPreparation
    ) {
        self.services = services
        self.sections = sections
        self.prepare = prepare
    }

    /// Every page and form.
    package var routes: [WorkbenchRoute] { ownedRoutes.flatMap(\.routes) }

    /// The pages and forms, with the name of the feature that owns them.
    private var ownedRoutes: [(owner: String, routes: [WorkbenchRoute])] {
        let environments = EnvironmentPages(services: services, prepare: prepare)
        let own =
            StartPages(environments: environments).routes + environments.routes + KeyPages.routes(services)
            + OperatorPages.routes(services)
        return [(Self.name, own)] + sections.map { ("\(type(of: $0))", $0.pages) }
    }

    /// The folders with templates and assets.
    package var folders: [URL] { [Self.folder] + sections.compactMap(\.resources) }

    /// The entries of the navigation that lead to the pages.
    package var navigation: [NavigationEntry] {
        let settings = Self.firstSettings + sections.flatMap(\.settings) + Self.lastSettings
        return sections.flatMap(\.navigation) + [
            .init("Settings", icon: "settings", folder: Self.settings, in: .lower, pages: settings)
        ]
    }

    private static let name = "\(WorkbenchFeature.self)"
    private static let settings = "settings"
    private static let firstSettings: [NavigationEntry.Page] = [
        .init("Environments", "settings/environments"), .init("Keys", "settings/keys"),
    ]
    private static let lastSettings: [NavigationEntry.Page] = [
        .init("Operators", "settings/operators", for: .admin),
        .init("Audit log", "settings/audit", for: .admin),
        .init("Your account", "settings/account"),
    ]

    /// Registers the navigation and the files of every section, and the Workbench's own.
    package func register(in names: FeatureNames) {
        func register(
            _ folders: [String], _ settings: [NavigationEntry.Page], _ resources: URL?, by owner: String
        ) {
            names.register("navigation entry", folders, by: owner)
            names.register("page of settings", settings.map(\.path), by: owner)
            names.register("file", resources.map(Self.files) ?? [], by: owner)
        }
        register([Self.settings], Self.firstSettings + Self.lastSettings, Self.folder, by: Self.name)
        for section in sections {
            register(
                section.navigation.map(\.folder), section.settings, section.resources,
                by: "\(type(of: section))")
        }
    }

    /// The templates and assets of a folder, by their paths within it.
    private static func files(in folder: URL) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.contains(".") }
    }

    package func addRoutes(to routes: ServerRoutes) {
        let cookies = WorkbenchCookies(
            rules: CookieRules(isSecure: services.configuration.isReachedByHTTPS))
        let pages: PageLibrary
        do {
            pages = try PageLibrary.load(folders)
        } catch {
            // The server serves apps without the Workbench; the log says what to repair.
            services.logger.critical("The Workbench's files are missing", metadata: ["error": "\(error)"])
            return
        }
        let gate = WorkbenchGate(services: services, pages: pages, cookies: cookies, navigation: navigation)
        for (owner, pages) in ownedRoutes {
            let root = routes.root(of: owner)
            for page in pages {
                let method: HTTPRequest.Method =
                    switch page.method {
                    case .get: .get
                    case .post: .post
                    case .put: .put
                    }
                root.on("workbench/\(page.path)", method: method) { request, context in
                    await gate.respond(to: request, context, page)
                }
            }
        }
        addOpenRoutes(to: routes, gate)
        routes.unknown.answer(below: "workbench", with: gate.respond(toUnknown:_:_:))
    }

    /// Adds the routes that need no session: the sign-in, the new password, the files of pages, and the redirect from
    /// `/`.
    private func addOpenRoutes(to routes: ServerRoutes, _ gate: WorkbenchGate) {
        routes.root.get("/") { _, _ in gate.cookies.redirect(to: "/workbench", flash: nil) }
        routes.root.get("workbench/sign-in") { request, context in
            await gate.respond(context) { try await gate.signIn.show(request) }
        }
        routes.root.post("workbench/sign-in") { request, context in
            await gate.respond(context) { try await gate.signIn.signIn(request, context) }
        }
        routes.root.get("workbench/new-password") { request, context in
            await gate.respond(context) { try await gate.newPassword.show(request) }
        }
        routes.root.post("workbench/new-password") { request, context in
            await gate.respond(context) { try await gate.newPassword.save(request) }
        }
        routes.root.post("workbench/sign-out") { request, context in
            await gate.respond(context) { try await gate.signIn.signOut(request) }
        }
        let assets = AssetFiles(folders: folders)
        routes.root.get("workbench/assets/:name") { request, context in
            guard let name = context.parameters.get("name"), let file = assets.file(name) else {
                throw Problem.notFound
            }
            return WorkbenchResponse.asset(file.data, file.mediaType, for: request)
        }
    }
}

package import Foundation
import Hummingbird
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The server's web pages for the team: the frame, sign-in and settings, and around them the sections of features.
package struct WorkbenchFeature: ServerFeature {
    /// The folder with the templates and assets of the frame, sign-in and settings.
    static let folder = Bundle.module.copiedResources

    private let services: ServerServices
    private let sections: [any WorkbenchSection]
    private let prepare: @Sendable (EnvironmentID) async throws -> Void

    /// The Workbench with the pages of features, in the order of the navigation.
    ///
    /// `prepare` is called with the id of an environment that was made, and makes what features need in it.
    package init(
        _ services: ServerServices, _ sections: [any WorkbenchSection],
        prepare: @escaping @Sendable (EnvironmentID) async throws -> Void
    ) {
        self.services = services
        self.sections = sections
        self.prepare = prepare
    }

    /// Every page and form.
    package var routes: [WorkbenchRoute] {
        let environments = EnvironmentPages(services: services, prepare: prepare)
        return StartPages(environments: environments).routes + sections.flatMap(\.pages)
            + environments.routes + KeyPages.routes(services) + OperatorPages.routes(services)
    }

    /// The folders with templates and assets.
    package var folders: [URL] { [Self.folder] + sections.compactMap(\.resources) }

    /// The entries of the navigation that lead to the pages.
    package var navigation: [NavigationEntry] {
        let settings: [NavigationEntry.Page] =
            [.init("Environments", "settings/environments"), .init("Keys", "settings/keys")]
            + sections.flatMap(\.settings) + [
                .init("Operators", "settings/operators", for: .admin),
                .init("Audit log", "settings/audit", for: .admin),
                .init("Your account", "settings/account"),
            ]
        return sections.flatMap(\.navigation) + [
            .init("Settings", icon: "settings", folder: "settings", in: .lower, pages: settings)
        ]
    }

    package func addRoutes(to routes: ServerRoutes) {
        let cookies = WorkbenchCookies(
            rules: CookieRules(isSecure: services.configuration.isReachedByHTTPS))
        let pages: PageLibrary
        do {
            pages = try PageLibrary.load(folders)
        } catch {
            // Apps are served without the Workbench; its operator reads here what to repair.
            services.logger.critical("The Workbench's files are missing", metadata: ["error": "\(error)"])
            return
        }
        let gate = WorkbenchGate(services: services, pages: pages, cookies: cookies, navigation: navigation)
        for route in self.routes {
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

    /// Adds the routes that need no sign-in: the sign-in itself, the files of pages, and the redirects to them.
    private func addOpenRoutes(to routes: ServerRoutes, _ gate: WorkbenchGate) {
        routes.root.get("/") { _, _ in gate.cookies.redirect(to: "/workbench", flash: nil) }
        routes.root.get("workbench/sign-in") { request, context in
            await gate.respond(context) { try await gate.signIn.show(request) }
        }
        routes.root.post("workbench/sign-in") { request, context in
            await gate.respond(context) { try await gate.signIn.enter(request, context) }
        }
        routes.root.get("workbench/new-password") { request, context in
            await gate.respond(context) { try await gate.newPassword.show(request) }
        }
        routes.root.post("workbench/new-password") { request, context in
            await gate.respond(context) { try await gate.newPassword.save(request) }
        }
        routes.root.post("workbench/sign-out") { request, context in
            await gate.respond(context) { try await gate.signIn.leave(request) }
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

/// The model of `layout.mustache`, which surrounds every page.
struct FrameModel {
    let pageTitle: String
    let content: String
    let csrf: String
    let scripts: [Script]
    let navigation: Navigation?
    let environmentName: String?
    let switcher: [Switch]
    let hasSwitcher: Bool
    let login: String?
    let role: String?
    let home: String
    let toast: Toast?

    /// A script of the page.
    struct Script {
        let source: String
        /// Whether the script is no module, as Chart.js.
        let isClassic: Bool
    }

    /// A link to an environment.
    struct Switch {
        let name: String
        let id: String
        let path: String
        let isCurrent: Bool
    }

    /// The message about the last action, and the steps that can follow it.
    struct Toast {
        let text: String
        let isFault: Bool
        let undo: Flash.Step?
        let next: Flash.Step?
    }

    init(
        _ page: WorkbenchResult.Page, content: String, _ entries: [NavigationEntry],
        for request: WorkbenchRequest
    ) {
        pageTitle = page.title
        self.content = content
        csrf = request.csrfToken
        scripts = page.scripts.map { Script(source: $0, isClassic: $0 == "chart.js") }
        navigation = request.environment == nil ? nil : Navigation(entries, for: request)
        environmentName = request.environment?.name
        let environments = request.environments
        switcher = environments.map {
            Switch(
                name: $0.name, id: $0.id.rawValue, path: "/workbench/e/\($0.id)/overview",
                isCurrent: $0.id == request.environment?.id)
        }
        hasSwitcher = environments.count > 1 || (request.environment == nil && !environments.isEmpty)
        login = request.operator.login
        role = request.operator.role.rawValue
        home = request.environment.map { "/workbench/e/\($0.id)/overview" } ?? "/workbench"
        toast = request.flash.map { Toast(text: $0.text, isFault: $0.isFault, undo: $0.undo, next: $0.next) }
    }
}

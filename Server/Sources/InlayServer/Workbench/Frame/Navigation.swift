/// The left rail: Overview, the features that exist, then users and settings.
struct Navigation {
    /// A link of the rail, with the pages below it while one of them is open.
    struct Entry {
        let label: String
        let icon: String
        let path: String
        let isCurrent: Bool
        let pages: [Page]
        var hasPages: Bool { !pages.isEmpty }
        /// Mustache reads stored properties only.
        let showsPages: Bool
    }

    /// A page below an entry.
    struct Page {
        let label: String
        let path: String
        let isCurrent: Bool
    }

    let features: [Entry]
    let rest: [Entry]

    init(_ request: WorkbenchRequest) {
        let map = Map(request)
        features = [
            map.entry("Overview", "overview", "overview"),
            map.entry(
                "Cards", "cards", "cards/templates", folder: "cards",
                pages: [
                    ("Templates", "cards/templates"), ("Containers", "cards/containers"),
                    ("Themes", "cards/themes"), ("Analytics", "cards/analytics"),
                    ("Feed inspector", "cards/inspector"),
                ]),
            map.entry("Hub", "hub", "hub", folder: "hub"),
            map.entry(
                "Behaviors", "behaviors", "behaviors/events", folder: "behaviors",
                pages: [
                    ("Live events", "behaviors/events"), ("Explorer", "behaviors/explorer"),
                    ("Goals and funnels", "behaviors/goals"), ("Campaigns", "behaviors/campaigns"),
                    ("Contact lists", "behaviors/lists"), ("Segments", "behaviors/segments"),
                ]),
            map.entry(
                "Ads", "image", "ads/publishers", folder: "ads",
                pages: [
                    ("Publishers", "ads/publishers"), ("Campaigns", "ads/campaigns"),
                    ("Bidders", "ads/bidders"), ("Deals", "ads/deals"), ("Reports", "ads/reports"),
                    ("Invalid traffic", "ads/refused"),
                ]),
            map.entry(
                "Devices", "devices", "devices/applications", folder: "devices",
                pages: [
                    ("Applications", "devices/applications"), ("Accounts", "devices/accounts"),
                    ("Devices", "devices/list"), ("Set-up", "devices/setup"), ("Mails", "devices/mails"),
                ]),
        ]
        var settings = [("Environments", "settings/environments"), ("Keys", "settings/keys")]
        if request.may(.admin) {
            settings.append(("OAuth clients", "settings/oauth"))
            settings += [("Operators", "settings/operators"), ("Audit log", "settings/audit")]
        }
        settings.append(("Your account", "settings/account"))
        rest = [
            map.entry("Users", "users", "users"),
            map.entry(
                "Settings", "settings", request.may(.admin) ? "settings/environments" : "settings/account",
                folder: "settings", pages: settings),
        ]
    }

    private struct Map {
        let root: String
        let path: String

        init(_ request: WorkbenchRequest) {
            root = "/workbench/e/\(request.environment?.id ?? "")/"
            path = request.path
        }

        func entry(
            _ label: String, _ icon: String, _ page: String, folder: String? = nil,
            pages: [(String, String)] = []
        ) -> Entry {
            let isInside = isOpen(folder ?? page)
            return Entry(
                label: label, icon: icon, path: root + page, isCurrent: isInside && pages.isEmpty,
                pages: pages.map { Page(label: $0.0, path: root + $0.1, isCurrent: isOpen($0.1)) },
                showsPages: isInside && !pages.isEmpty)
        }

        /// Folders of things that belong to what another page lists.
        private static let inside = [
            "ads/publishers": ["ads/apps", "ads/units"], "ads/campaigns": ["ads/creatives"],
            "behaviors/goals": ["behaviors/funnels"],
        ]

        private func isOpen(_ page: String) -> Bool {
            ([page] + (Self.inside[page] ?? [])).contains { folder in
                path == root + folder || path.hasPrefix(root + folder + "/")
            }
        }
    }
}

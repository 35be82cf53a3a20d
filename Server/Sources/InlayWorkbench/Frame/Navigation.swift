/// The model of the navigation beside every page.
struct Navigation {
    /// A link, with the links to its pages while one of them is open.
    struct Entry {
        let label: String
        let icon: String
        let path: String
        let isCurrent: Bool
        let pages: [Page]
        var hasPages: Bool { !pages.isEmpty }
        /// Whether the pages are shown. Mustache reads only stored properties.
        let showsPages: Bool
    }

    /// A page below an entry.
    struct Page {
        let label: String
        let path: String
        let isCurrent: Bool
    }

    let upper: [Entry]
    let lower: [Entry]

    /// Creates the entries that the operator may see, within the environment of the request.
    init(_ entries: [NavigationEntry], for request: WorkbenchRequest) {
        let root = "/workbench/e/\(request.environment?.id.rawValue ?? "")/"
        func isOpen(_ folders: [String]) -> Bool {
            folders.contains { request.path == root + $0 || request.path.hasPrefix(root + $0 + "/") }
        }
        func models(in list: NavigationEntry.List) -> [Entry] {
            entries.filter { $0.list == list }.map { entry in
                let isInside = isOpen([entry.folder]), pages = entry.pages.filter { request.may($0.role) }
                return Entry(
                    label: entry.label, icon: entry.icon, path: root + (pages.first?.path ?? entry.folder),
                    isCurrent: isInside && pages.isEmpty,
                    pages: pages.map {
                        Page(
                            label: $0.label, path: root + $0.path,
                            isCurrent: isOpen([$0.path] + $0.alsoInside))
                    },
                    showsPages: isInside && !pages.isEmpty)
            }
        }
        upper = models(in: .upper)
        lower = models(in: .lower)
    }
}

package import Foundation
package import InlayServerCore

/// A feature's part of the Workbench: its pages, where they stand in the navigation, and their files.
package protocol WorkbenchSection: Sendable {
    /// Every page and form.
    var pages: [WorkbenchRoute] { get }

    /// Its entries in the navigation, in their order; none for pages that others link to.
    var navigation: [NavigationEntry] { get }

    /// Its pages below the entry "Settings", after those that every server has.
    var settings: [NavigationEntry.Page] { get }

    /// The folder with its `templates` and `assets`; `nil` when it has none of its own.
    var resources: URL? { get }
}

extension WorkbenchSection {
    package var navigation: [NavigationEntry] { [] }
    package var settings: [NavigationEntry.Page] { [] }
    package var resources: URL? { nil }
}

/// A link of the navigation, with the pages below it.
package struct NavigationEntry: Sendable {
    /// The upper list is about what the environment contains, the lower one about who uses it and how it is set up.
    package enum List: Sendable { case upper, lower }

    /// A page below an entry.
    package struct Page: Sendable {
        let label: String
        let path: String
        let role: OperatorRole
        let alsoInside: [String]

        /// A page at a path within the environment, for example `ads/publishers`.
        ///
        /// It is also shown as open while a page within one of the folders `alsoInside` is: those of things that belong to
        /// what it lists. People below `role` do not see it.
        package init(
            _ label: String, _ path: String, for role: OperatorRole = .analyst, alsoInside: [String] = []
        ) {
            self.label = label
            self.path = path
            self.role = role
            self.alsoInside = alsoInside
        }
    }

    let label: String
    let icon: String
    let folder: String
    let list: List
    let pages: [Page]

    /// An entry for the pages in a folder within the environment; `icon` is a name in `icons.svg`.
    ///
    /// It leads to the first of its pages, or to the folder itself.
    package init(
        _ label: String, icon: String, folder: String, in list: List = .upper, pages: [Page] = []
    ) {
        self.label = label
        self.icon = icon
        self.folder = folder
        self.list = list
        self.pages = pages
    }
}

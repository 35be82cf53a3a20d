package import Foundation
package import InlayServerCore

/// A feature's part of the Workbench: its pages, their entries in the navigation, and their files.
package protocol WorkbenchSection: Sendable {
    /// Every page and form.
    var pages: [WorkbenchRoute] { get }

    /// The section's entries in the navigation, in order; empty when only other pages link to its pages.
    var navigation: [NavigationEntry] { get }

    /// The section's pages below the entry "Settings", after those that every server has.
    var settings: [NavigationEntry.Page] { get }

    /// The folder with the section's `templates` and `assets`; `nil` when it has none.
    var resources: URL? { get }
}

extension WorkbenchSection {
    package var navigation: [NavigationEntry] { [] }
    package var settings: [NavigationEntry.Page] { [] }
    package var resources: URL? { nil }
}

/// A link of the navigation, with the links to its pages.
package struct NavigationEntry: Sendable {
    /// The list that an entry is in: the upper one for the content of the environment, the lower one for users and
    /// settings.
    package enum List: Sendable { case upper, lower }

    /// A page below an entry.
    package struct Page: Sendable {
        let label: String
        let path: String
        let role: OperatorRole
        let alsoInside: [String]

        /// Creates a page at a path within the environment, for example `ads/publishers`.
        ///
        /// The link is also marked as current on pages in the folders `alsoInside`, whose objects belong to those that
        /// the page lists. Operators below `role` do not see the link.
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

    /// Creates an entry for the pages in a folder within the environment; `icon` is a name in `icons.svg`.
    ///
    /// The entry links to the first of its pages, or to the folder itself when it has none.
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

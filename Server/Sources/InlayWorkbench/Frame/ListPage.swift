import InlayServerCore
@_spi(Inlay) import InlayWire

/// One page of a list that is searched by a prefix and paged by a key.
package struct ListPage<Item> {
    package let items: [Item]
    package let pager: Pager
}

/// The query for one page of a list.
package struct ListQuery {
    /// The number of entries on a page.
    static let size = 50

    /// The prefix that entries begin with; empty for all.
    package let search: String
    /// The key of the entry before the first one; empty for the first page.
    package let after: String
    /// The number of entries to look up: one more than is shown, to find out whether there is another page.
    package var limit: Int { Self.size + 1 }
}

/// The model of `pager.mustache`, the links between the pages of a list.
package struct Pager {
    /// The prefix that the list was searched for; empty when it was not searched.
    let search: String
    /// Whether the list was searched.
    let isSearched: Bool
    /// The first page without a search.
    let listPath: String
    /// The next page; `nil` on the last one.
    let nextPath: String?
    let isLaterPage: Bool

    package init(search: String, listPath: String, nextPath: String?, isLaterPage: Bool) {
        (self.search, isSearched) = (search, !search.isEmpty)
        self.listPath = listPath
        self.nextPath = nextPath
        self.isLaterPage = isLaterPage
    }
}

extension WorkbenchRequest {
    /// Returns the page of the list at `path` that the query of the URL names.
    ///
    /// Anyone can type a key or prefix into the URL, so both are cut: to 254 and 128 Unicode scalars.
    package func page<Item>(
        of path: String, key: (Item) -> String, find: (ListQuery) async throws -> [Item]
    ) async throws -> ListPage<Item> {
        let listQuery = ListQuery(
            search: query.trimmed("q").prefix(scalars: 128),
            after: (query["after"] ?? "").prefix(scalars: 254))
        let found = try await find(listQuery)
        let shown = Array(found.prefix(ListQuery.size))
        let next = found.count > shown.count ? shown.last.map(key) : nil
        return ListPage(
            items: shown,
            pager: Pager(
                search: listQuery.search, listPath: path,
                nextPath: next.map { "\(path)?\(query.with("after", $0).encoded)" },
                isLaterPage: !listQuery.after.isEmpty))
    }
}

/// The model of a page with a paged list.
package struct PagedListModel<Row> {
    let rows: [Row]
    let hasRows: Bool
    /// Whether the list is empty, even without a search.
    let isUntouched: Bool
    let countText: String
    let pager: Pager
    /// The path of the first page.
    let startPath: String

    package init(_ rows: [Row], of all: Int, _ countText: String, pager: Pager, startPath: String) {
        self.rows = rows
        hasRows = !rows.isEmpty
        isUntouched = all == 0
        self.countText = countText
        self.pager = pager
        self.startPath = startPath
    }
}

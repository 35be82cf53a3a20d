import InlayServerCore
@_spi(Inlay) import InlayWire

/// One page of a list that is searched by its beginning and goes on behind a key.
package struct ListPage<Item> {
    package let items: [Item]
    package let pager: Pager
}

/// The entries that a page of a list requests.
package struct ListQuestion {
    /// The number of entries on a page.
    static let size = 50

    /// The prefix that entries begin with; empty for all.
    package let search: String
    /// The key of the entry before the first one; empty for the first page.
    package let after: String
    /// The number of entries to look up: one more than is shown, to find out whether there is another page.
    package var limit: Int { Self.size + 1 }
}

/// The ways between the pages of a list, as `pager.mustache` draws them.
package struct Pager {
    /// The text that the list was searched for.
    let search: String
    /// Whether it was searched at all.
    let isSearched: Bool
    /// The first page of everything.
    let listPath: String
    /// The page that follows; `nil` on the last one.
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
    /// The page of the list at a path that this address asks for.
    ///
    /// Keys and beginnings come from the address bar, so both are cut to a length that every store takes.
    package func page<Item>(
        of path: String, key: (Item) -> String, find: (ListQuestion) async throws -> [Item]
    ) async throws -> ListPage<Item> {
        let question = ListQuestion(
            search: String(query.trimmed("q").prefix(128)), after: String((query["after"] ?? "").prefix(254)))
        let found = try await find(question)
        let shown = Array(found.prefix(ListQuestion.size))
        let next = found.count > shown.count ? shown.last.map(key) : nil
        return ListPage(
            items: shown,
            pager: Pager(
                search: question.search, listPath: path,
                nextPath: next.map { "\(path)?\(query.with("after", $0).encoded)" },
                isLaterPage: !question.after.isEmpty))
    }
}

/// The model of a page with a paged list.
package struct PagedListModel<Row> {
    let rows: [Row]
    let hasRows: Bool
    /// Whether there is nothing at all, searched for or not.
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

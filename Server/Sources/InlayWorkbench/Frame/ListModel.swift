/// A page that lists objects, and where a new one is made.
package struct ListModel<Row> {
    let rows: [Row]
    let hasRows: Bool
    let canEdit: Bool
    let newPath: String

    /// The rows of the list at `path`.
    package init(_ rows: [Row], path: String, for request: WorkbenchRequest) {
        self.rows = rows
        hasRows = !rows.isEmpty
        canEdit = request.may(.editor)
        newPath = path + "/new"
    }
}

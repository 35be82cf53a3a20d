/// The model of a page that lists objects, with the path of the form for a new one.
package struct ListModel<Row> {
    let rows: [Row]
    let hasRows: Bool
    let canEdit: Bool
    let newPath: String

    /// Creates the model of the list at `path`.
    package init(_ rows: [Row], path: String, for request: WorkbenchRequest) {
        self.rows = rows
        hasRows = !rows.isEmpty
        canEdit = request.may(.editor)
        newPath = path + "/new"
    }
}

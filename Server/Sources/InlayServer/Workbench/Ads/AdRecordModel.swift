/// A page with a list of records.
struct AdListModel {
    let title: String
    let words: String
    let table: AdTable
}

/// A page with the form of one record, and what belongs to it.
struct AdRecordModel {
    /// What stands below a form.
    struct Below {
        var tables: [AdTable] = []
        var facts: [Fact] = []
        var hasFacts: Bool { !facts.isEmpty }
        /// Where the creative is shown as an app would show it.
        var previewPath: String?
    }

    let form: FormModel
    let parentID: String
    let revision: Int64
    /// What the app or the bidder needs to know.
    var recordID: String?
    var below = Below() {
        didSet {
            hasFacts = !below.facts.isEmpty
            previewPath = below.previewPath
        }
    }
    private(set) var hasFacts = false
    private(set) var previewPath: String?

    init(form: FormModel, parentID: String, revision: Int64) {
        self.form = form
        self.parentID = parentID
        self.revision = revision
    }
}

/// Records in rows, with the way to a new one.
struct AdTable {
    /// A value below its column's heading.
    struct Cell {
        let cellLabel: String
        let cellText: String
    }

    /// One record.
    struct Row {
        let rowPath: String
        let rowName: String
        let isOff: Bool
        let cells: [Cell]
    }

    let tableTitle: String
    let columns: [String]
    let rows: [Row]
    let hasRows: Bool
    let canEdit: Bool
    let newPath: String
    let newWords: String

    init<Form: AdRecordForm>(
        _ form: Form.Type, _ records: [AdStored<Form.Record>], parentID: String?,
        for request: WorkbenchRequest
    ) {
        tableTitle = Self.plural(Form.noun)
        columns = Form.columns
        rows = records.map(\.record).map { record in
            Row(
                rowPath: request.address("ads", Form.folder, record.id), rowName: record.name,
                isOff: !record.isEnabled,
                cells: zip(Form.columns, Form.cells(record)).map { Cell(cellLabel: $0, cellText: $1) })
        }
        hasRows = !rows.isEmpty
        canEdit = request.may(.editor)
        let new = request.address("ads", Form.folder, "new")
        newPath = parentID.map { "\(new)?parent=\(FormFields.escaped($0))" } ?? new
        newWords = "New \(Form.noun)"
    }

    /// `ad unit` as `Ad units`.
    static func plural(_ noun: String) -> String { noun.prefix(1).uppercased() + noun.dropFirst() + "s" }
}

import InlayServerCore
import InlayWorkbench

/// A page with a list of records.
struct AdListModel {
    let title: String
    let words: String
    let table: AdTable
}

/// A page with the form of one record, and the content below it.
struct AdRecordModel {
    /// The content below a form.
    struct Footer {
        var tables: [AdTable] = []
        var facts: [Fact] = []
        /// Ids that an app needs beside the record's own id, with their labels.
        var ids: [(String, String)] = []
        /// A notice for the reader of the record.
        var note: String?
        var preview: AdPreview?
        /// The reasons why bids were refused; bidders only.
        var refusedBids: RefusedBidsModel?
    }

    /// An id that is configured in an app or at a bidder.
    struct RecordID {
        let idName: String
        let idValue: String
        /// The id of the HTML element whose text is copied.
        let idElement: String
    }

    let form: FormModel
    let parentID: String
    let revision: Int64
    private(set) var ids: [RecordID] = []
    private(set) var hasIDs = false
    private(set) var tables: [AdTable] = []
    private(set) var facts: [Fact] = []
    private(set) var hasFacts = false
    private(set) var note: String?
    private(set) var preview: AdPreview?
    private(set) var refusedBids: RefusedBidsModel?

    /// Creates the page of a new record, or of one with faults.
    init(form: FormModel, parentID: String, revision: Int64) {
        self.form = form
        self.parentID = parentID
        self.revision = revision
    }

    /// Returns the page with the content below the form of a stored record.
    func with(_ below: Footer, ids: [(String, String)]) -> Self {
        var model = self
        model.ids = (ids + below.ids).enumerated().map { index, pair in
            RecordID(idName: pair.0, idValue: pair.1, idElement: "id-\(index)")
        }
        model.hasIDs = !model.ids.isEmpty
        (model.tables, model.facts, model.hasFacts) = (below.tables, below.facts, !below.facts.isEmpty)
        (model.note, model.preview) = (below.note, below.preview)
        model.refusedBids = below.refusedBids
        return model
    }
}

/// A table of records, with a link to the form of a new one.
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
    let newText: String

    init<Form: AdRecordForm>(
        _ form: Form.Type, _ records: [AdStored<Form.Record>], parentID: Form.Record.ParentID?,
        for request: WorkbenchRequest
    ) {
        tableTitle = Self.plural(Form.noun)
        columns = Form.columns
        rows = records.map(\.record).map { record in
            Row(
                rowPath: request.address("ads", Form.folder, record.id.rawValue), rowName: record.name,
                isOff: !record.isEnabled,
                cells: zip(Form.columns, Form.cells(record)).map { Cell(cellLabel: $0, cellText: $1) })
        }
        hasRows = !rows.isEmpty
        canEdit = request.may(.editor)
        let new = request.address("ads", Form.folder, "new")
        newPath = parentID.map { "\(new)?parent=\(FormFields.escaped($0.rawValue))" } ?? new
        newText = "New \(Form.noun)"
    }

    /// `ad unit` as `Ad units`.
    static func plural(_ noun: String) -> String { name(noun) + "s" }

    /// `ad unit` as `Ad unit`.
    static func name(_ noun: String) -> String { noun.prefix(1).uppercased() + noun.dropFirst() }
}

import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The form that imports contacts from a file into a list.
struct ContactImportPage: Sendable {
    private let pages: ContactPages

    init(_ pages: ContactPages) { self.pages = pages }

    private struct ImportModel {
        /// Whether the file was only checked.
        let isCheck: Bool
        /// Whether the file has contacts to import.
        let canGo: Bool
        let mapping: [FieldView]
        let hasMapping: Bool
        let words: String
        let faults: [Fault]
        let hasFaults: Bool
        let moreText: String?

        struct Fault { let faultLine: Int, faultReason: String }
    }

    /// Imports a file of comma-separated values and returns a fragment with the result for the page's script. With
    /// `check` in the query it only checks the file.
    func answer(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let list = try await pages.found(request)
        guard let upload = request.upload else { throw Problem.notFound }
        var bytes: [UInt8] = []
        for try await buffer in upload {
            bytes.append(contentsOf: buffer.readableBytesView)
            guard bytes.count <= ContactStore.maximumImportBytes else {
                throw Problem.bodyTooLarge(limit: ContactStore.maximumImportBytes)
            }
        }
        let mapping = Self.mapping(request.query)
        let isCheck = request.query["check"] != nil
        let contacts = pages.behaviors.contacts
        if isCheck {
            let result = try await contacts.checkCSV(
                request.environmentID, list.id, bytes, mapping: mapping)
            return Self.answer(result, isCheck: true, list, mapping)
        }
        let result: ContactImport
        do {
            result = try await contacts.importCSV(request.environmentID, list.id, bytes, mapping: mapping)
        } catch let error where !(error is Problem) {
            // The import commits in batches: those before the failure stay.
            try pages.services.audit.record(
                "imported contacts", list.name, by: request, detail: "not completed")
            throw error
        }
        try pages.services.audit.record(
            "imported contacts", list.name, by: request,
            detail: "\(result.added) added, \(result.updated) changed, \(result.failed) refused")
        return Self.answer(result, isCheck: false, list, mapping)
    }

    /// Returns the columns of the list by their positions in the file's first line, from parameters such as
    /// `map.3=City`; an empty name leaves the column out.
    private static func mapping(_ query: FormFields) -> [Int: String] {
        let pairs = query.pairs.compactMap { name, value in
            name.hasPrefix("map.") ? Int(name.dropFirst(4)).map { ($0, value) } : nil
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func answer(
        _ result: ContactImport, isCheck: Bool, _ list: ContactList, _ mapping: [Int: String]
    ) -> WorkbenchResult {
        let columns = [("", "Leave it out")] + list.columns.map { ($0.name, $0.name) }
        let fields =
            isCheck
            ? result.unknown.map {
                FieldView.choice(
                    "map.\($0.index)", "Column “\($0.name)” of the file", mapping[$0.index] ?? "", of: columns
                )
            } : []
        let more = result.failed - result.faults.count
        let failed = Count.of(result.failed, "line")
        let words =
            isCheck
            ? "\(Count.of(result.added, "new contact")), \(Count.grouped(result.updated)) changed, \(failed) with a fault. Nothing has been imported yet."
            : "\(Count.of(result.added, "contact")) added, \(Count.grouped(result.updated)) changed, \(failed) not imported."
        let model = ImportModel(
            isCheck: isCheck, canGo: result.added + result.updated > 0, mapping: fields,
            hasMapping: !fields.isEmpty, words: words,
            faults: result.faults.map { ImportModel.Fault(faultLine: $0.line, faultReason: $0.reason) },
            hasFaults: !result.faults.isEmpty,
            moreText: more > 0 ? "And \(Count.of(more, "line")) more." : nil)
        return .fragment(template: "behaviors/import", model: model)
    }
}

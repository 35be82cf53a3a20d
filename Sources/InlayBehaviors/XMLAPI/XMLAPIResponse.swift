public import Foundation
public import InlayWire

/// What the marketing database answered.
public struct XMLAPIResponse: Hashable, Sendable {
    /// The whole answer.
    public let document: XMLTree

    // A short path may leave these out.
    private static let containers = ["Envelope", "Body", "RESULT"]

    /// An answer that was read already.
    public init(_ document: XMLTree) { self.document = document }

    /// Reads an answer; its root must be `Envelope`.
    public init(reading data: Data) throws(XMLError) {
        let document = try XMLTree(reading: data, limits: .xmlapi)
        guard document.isNamed("Envelope") else {
            throw XMLError(.malformed("the root is \(document.name.prefix(64)), not Envelope"), line: 1)
        }
        self.init(document)
    }

    /// Whether the operation succeeded: `RESULT/SUCCESS` is `true`, upper and lower case alike.
    public var isSuccess: Bool { self["SUCCESS"]?.trimmed.lowercased() == "true" }

    /// The text at a path of which Envelope, Body and RESULT may be left out, for example `RecipientId`
    /// or `Fault.FaultString`; upper and lower case alike.
    public subscript(path: String) -> String? { element(path)?.text }

    /// The element at such a path.
    public func element(_ path: String) -> XMLTree? { document.first(path, through: Self.containers) }

    /// The contact's id, where the answer has one.
    public var recipientID: String? {
        self["RecipientId"].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The contact's columns, where the answer has them; a name that occurs twice keeps its first value.
    public var columns: [String: String] {
        let pairs = (element("COLUMNS")?.children(named: "COLUMN") ?? []).compactMap { column in
            column.value("NAME").map { ($0, column.value("VALUE") ?? "") }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Why the operation was refused; `nil` when it was not.
    public var fault: XMLAPIFault? {
        guard let fault = element("Fault") else { return nil }
        let error = fault.child("detail")?.child("error")
        return XMLAPIFault(
            fault.value("FaultString")?.trimmed ?? "",
            errorID: (error?.value("errorid")?.trimmed).flatMap { Int($0) },
            errorClass: error?.value("class")?.trimmed ?? "", code: fault.value("FaultCode")?.trimmed ?? "")
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

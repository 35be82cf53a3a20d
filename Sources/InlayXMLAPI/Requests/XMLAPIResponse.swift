public import Foundation
@_spi(Inlay) public import InlayWire

/// A response of the marketing database.
public struct XMLAPIResponse: Hashable, Sendable {
    /// The whole response.
    @_spi(Inlay) public let document: XMLTree

    // A short path may leave out these elements.
    private static let containers = ["Envelope", "Body", "RESULT"]

    /// Creates a response from a parsed document.
    @_spi(Inlay) public init(_ document: XMLTree) { self.document = document }

    /// Reads a response, whose root must be `Envelope`.
    public init(reading data: Data) throws(XMLError) {
        let document = try XMLTree(reading: data, limits: .xmlapi)
        guard document.isNamed("Envelope") else {
            throw XMLError(
                .malformed("the root is \(document.name.prefix(scalars: 64)), not Envelope"), line: 1)
        }
        self.init(document)
    }

    /// Whether the operation succeeded: `RESULT/SUCCESS` is `true` in any case.
    public var isSuccess: Bool { self["SUCCESS"]?.trimmed.lowercased() == "true" }

    /// The text at a path that may leave out Envelope, Body and RESULT, for example `RecipientId` or
    /// `Fault.FaultString`; names are compared without case.
    public subscript(path: String) -> String? { element(path)?.text }

    /// Returns the element at a path that may leave out Envelope, Body and RESULT.
    @_spi(Inlay) public func element(_ path: String) -> XMLTree? {
        document.first(path, through: Self.containers)
    }

    /// The contact's id; `nil` when the response has none.
    public var recipientID: String? {
        self["RecipientId"].map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The contact's columns; empty when the response has none. Of two columns with the same name, the first is kept.
    public var columns: [String: String] {
        let pairs = (element("COLUMNS")?.children(named: "COLUMN") ?? []).compactMap { column in
            column.value("NAME").map { ($0, column.value("VALUE") ?? "") }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The reason why the operation was refused; `nil` when it was not refused.
    public var fault: XMLAPIResponse.Fault? {
        guard let fault = element("Fault") else { return nil }
        let error = fault.child("detail")?.child("error")
        return XMLAPIResponse.Fault(
            fault.value("FaultString")?.trimmed ?? "",
            errorID: (error?.value("errorid")?.trimmed).flatMap { Int($0) },
            errorClass: error?.value("class")?.trimmed ?? "", code: fault.value("FaultCode")?.trimmed ?? "")
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension XMLAPIResponse {
    /// The reason why the marketing database refused an operation. It is part of a response, not a failure of the call.
    public struct Fault: Hashable, Sendable {
        /// The server's text.
        public var text: String
        /// The number of the reason, for example 128; `nil` when the server gave none.
        public var errorID: Int?
        /// The part of the server that failed, for example `SP.ListManager`.
        public var errorClass: String
        /// The fault's code; most servers leave it empty.
        public var code: String

        /// Creates a fault.
        public init(_ text: String, errorID: Int? = nil, errorClass: String = "", code: String = "") {
            self.text = text
            self.errorID = errorID
            self.errorClass = errorClass
            self.code = code
        }

        /// The contact is not on the list.
        public static let notOnList = 128

        /// Whether no contact was found, which an app expects for a new user.
        public var isNotFound: Bool { errorID == Self.notOnList }
    }
}

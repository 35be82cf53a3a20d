/// Why the marketing database refused an operation: an answer, not a failure of the call.
public struct XMLAPIFault: Hashable, Sendable {
    /// What is wrong, in the server's words.
    public var text: String
    /// The number of the reason, for example 128; `nil` when the server gave none.
    public var errorID: Int?
    /// Where the reason lies, for example `SP.ListManager`.
    public var errorClass: String
    /// The fault's code; most servers leave it empty.
    public var code: String

    /// A fault from its parts.
    public init(_ text: String, errorID: Int? = nil, errorClass: String = "", code: String = "") {
        self.text = text
        self.errorID = errorID
        self.errorClass = errorClass
        self.code = code
    }

    /// The contact is not on the list.
    public static let notOnList = 128

    /// Whether nobody was found, which an app expects of a new person.
    public var isNotFound: Bool { errorID == Self.notOnList }
}

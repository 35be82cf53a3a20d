/// The reason why a document was not read, or not written.
public struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Hashable, Sendable {
        /// The text contains no document.
        case empty
        /// The document is neither UTF-8 nor UTF-16 with a byte order mark, or declares another encoding.
        case encoding(String)
        /// The document has a document type, where entities are declared.
        case documentType
        /// The document has a processing instruction.
        case processingInstruction
        /// The document contains an entity that XML does not define.
        case entity(String)
        /// The document exceeds a limit, which the text names.
        case tooMuch(String)
        /// The document contains a character that is not allowed in XML.
        case character(UInt32)
        /// The name of an element or attribute is not valid.
        case name(String)
        /// The document is not well-formed; the text has the reason.
        case malformed(String)
    }

    /// The kind of error.
    public var kind: Kind
    /// The line, from 1; `nil` when the error has no position.
    public var line: Int?

    /// Creates an error.
    public init(_ kind: Kind, line: Int? = nil) {
        self.kind = kind
        self.line = line
    }

    public var description: String {
        let place = line.map { "line \($0): " } ?? ""
        return place + what
    }

    private var what: String {
        switch kind {
        case .empty: "there is no XML document"
        case .encoding(let name): "only UTF-8, and UTF-16 with a byte order mark, are read, not \(name)"
        case .documentType: "a document type is not accepted"
        case .processingInstruction: "a processing instruction is not accepted"
        case .entity(let name):
            "the entity &\(name.prefix(scalars: 32)); is unknown; & itself is written &amp;"
        case .tooMuch(let what): "too much: \(what)"
        case .character(let scalar): "the character U+\(String(scalar, radix: 16)) cannot stand in XML"
        case .name(let name): "“\(name.prefix(scalars: 64))” is not a name of XML"
        case .malformed(let what): "not well-formed: \(what)"
        }
    }
}

/// The reason why a document was not read, or not written.
public struct XMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Kind: Hashable, Sendable {
        /// There is no document.
        case empty
        /// It is neither UTF-8 nor UTF-16 with a byte order mark, or says that it is something else.
        case encoding(String)
        /// It has a document type, where entities are declared.
        case documentType
        /// It has a processing instruction.
        case processingInstruction
        /// It names an entity that XML itself does not know.
        case entity(String)
        /// It has more of something than is read; the text says of what.
        case tooMuch(String)
        /// It holds a character that XML cannot carry.
        case character(UInt32)
        /// An element's or attribute's name is none.
        case name(String)
        /// It is not well-formed; the text says what is missing where that is known.
        case malformed(String)
    }

    /// The kind of error.
    public var kind: Kind
    /// The line, from 1; `nil` when it is not about a place.
    public var line: Int?

    /// An error at a place.
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
        case .entity(let name): "the entity &\(name.prefix(32)); is unknown; & itself is written &amp;"
        case .tooMuch(let what): "too much: \(what)"
        case .character(let scalar): "the character U+\(String(scalar, radix: 16)) cannot stand in XML"
        case .name(let name): "“\(name.prefix(64))” is not a name of XML"
        case .malformed(let what): "not well-formed: \(what)"
        }
    }
}

/// A token of an HTML text, with character references decoded.
enum HTMLToken: Hashable {
    /// Text between tags.
    case text(String)
    /// A start tag; attributes in order, each name once, in lower case.
    case start(String, [HTMLAttribute])
    /// An end tag.
    case end(String)
}

/// An attribute of a start tag.
struct HTMLAttribute: Hashable {
    let name: String
    let value: String
}

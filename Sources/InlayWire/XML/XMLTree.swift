/// An XML element with all its content, as a value.
///
/// Read with limits, see `init(reading:limits:)`, and written with all text escaped, see `xml()`. Comments are not
/// kept. Named a tree because Foundation has an `XMLElement`.
@_spi(Inlay) public struct XMLTree: Hashable, Sendable {
    /// A child of an element.
    public enum Node: Hashable, Sendable {
        /// An element inside this one.
        case element(XMLTree)
        /// Text, without escapes.
        case text(String)
        /// Text in a CDATA section.
        case cdata(String)
    }

    /// The element's name as the document writes it, with its prefix if it has one.
    public var name: String
    /// The attributes by name.
    public var attributes: [String: String]
    /// The children, in order. White space between elements is not kept.
    public var nodes: [Node]

    /// Creates an element from its parts.
    public init(_ name: String, attributes: [String: String] = [:], nodes: [Node] = []) {
        self.name = name
        self.attributes = attributes
        self.nodes = nodes
    }

    /// Creates an element with child elements.
    public init(_ name: String, attributes: [String: String] = [:], _ children: [XMLTree]) {
        self.init(name, attributes: attributes, nodes: children.map { .element($0) })
    }

    /// Creates an element with a text; an empty text is left out.
    public init(_ name: String, attributes: [String: String] = [:], text: String) {
        self.init(name, attributes: attributes, nodes: text.isEmpty ? [] : [.text(text)])
    }

    /// Creates an element with a text in a CDATA section; an empty text is left out.
    public init(_ name: String, attributes: [String: String] = [:], cdata: String) {
        self.init(name, attributes: attributes, nodes: cdata.isEmpty ? [] : [.cdata(cdata)])
    }

    /// The child elements, in order.
    public var children: [XMLTree] {
        nodes.compactMap { node in
            if case .element(let child) = node { child } else { nil }
        }
    }

    /// The element's own text, with its white space and without the text of child elements.
    public var text: String {
        nodes.reduce(into: "") { text, node in
            switch node {
            case .text(let part), .cdata(let part): text += part
            case .element: break
            }
        }
    }

    /// Adds an element at the end.
    public mutating func append(_ child: XMLTree) { nodes.append(.element(child)) }
}

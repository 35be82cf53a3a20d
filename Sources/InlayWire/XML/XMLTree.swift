/// An XML element with everything in it, as a value.
///
/// Read with limits, see `init(reading:limits:)`, and written with everything escaped, see `xml()`.
/// Comments are not kept. Called a tree because Foundation has other things named XMLElement.
@_spi(Inlay) public struct XMLTree: Hashable, Sendable {
    /// A child of an element.
    public enum Node: Hashable, Sendable {
        /// An element inside this one.
        case element(XMLTree)
        /// Text, without escapes.
        case text(String)
        /// Text that stands in a CDATA section.
        case cdata(String)
    }

    /// The element's name as it stands in the document, with its prefix if it has one.
    public var name: String
    /// The attributes by name.
    public var attributes: [String: String]
    /// The children, in order. White space between elements is not kept.
    public var nodes: [Node]

    /// An element from its parts.
    public init(_ name: String, attributes: [String: String] = [:], nodes: [Node] = []) {
        self.name = name
        self.attributes = attributes
        self.nodes = nodes
    }

    /// An element around other elements.
    public init(_ name: String, attributes: [String: String] = [:], _ children: [XMLTree]) {
        self.init(name, attributes: attributes, nodes: children.map { .element($0) })
    }

    /// An element around a text; an empty text is left out.
    public init(_ name: String, attributes: [String: String] = [:], text: String) {
        self.init(name, attributes: attributes, nodes: text.isEmpty ? [] : [.text(text)])
    }

    /// An element around a text in a CDATA section.
    public init(_ name: String, attributes: [String: String] = [:], cdata: String) {
        self.init(name, attributes: attributes, nodes: cdata.isEmpty ? [] : [.cdata(cdata)])
    }

    /// The elements directly inside, in order.
    public var children: [XMLTree] {
        nodes.compactMap { node in
            if case .element(let child) = node { child } else { nil }
        }
    }

    /// The text directly inside, with its white space; that of elements inside does not count.
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

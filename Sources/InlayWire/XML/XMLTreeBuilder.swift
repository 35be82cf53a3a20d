import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Builds the tree from what the parser tells. Used by one parser, on one thread.
final class XMLTreeBuilder: NSObject, XMLParserDelegate {
    private(set) var root: XMLTree?
    private(set) var excess: XMLError?
    private var open: [XMLTree] = []
    private var textBytes: [Int] = []
    private let limits: XMLLimits

    init(limits: XMLLimits) { self.limits = limits }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String]
    ) {
        open.append(XMLTree(elementName, attributes: attributeDict))
        textBytes.append(0)
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        guard var done = open.popLast() else { return }
        textBytes.removeLast()
        done.dropLayout()
        if open.isEmpty {
            root = done
        } else {
            open[open.count - 1].append(done)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        add(string, parser) { last in
            guard case .text(let text) = last else { return nil }
            return text
        } as: {
            .text($0)
        }
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        add(String(decoding: CDATABlock, as: UTF8.self), parser) { last in
            guard case .cdata(let text) = last else { return nil }
            return text
        } as: {
            .cdata($0)
        }
    }

    // The parser tells one text in pieces, and a CDATA section with "]]>" had to be written as two.
    private func add(
        _ text: String, _ parser: XMLParser, joining: (XMLTree.Node) -> String?,
        as node: (String) -> XMLTree.Node
    ) {
        guard let top = open.indices.last else { return }
        textBytes[top] += text.utf8.count
        guard textBytes[top] <= limits.textBytes else {
            excess = XMLError(.tooMuch("text of one element"), line: parser.lineNumber)
            return parser.abortParsing()
        }
        // Taken out and put back, so that a long text in many pieces is not copied for each.
        if let last = open[top].nodes.last, let before = joining(last) {
            open[top].nodes.removeLast()
            open[top].nodes.append(node(before + text))
        } else {
            open[top].nodes.append(node(text))
        }
    }
}

extension XMLTree {
    /// Drops the white space that only lays out elements.
    fileprivate mutating func dropLayout() {
        let hasElements = nodes.contains { if case .element = $0 { true } else { false } }
        guard hasElements else { return }
        nodes.removeAll { node in
            guard case .text(let text) = node else { return false }
            return text.allSatisfy(\.isWhitespace)
        }
    }
}

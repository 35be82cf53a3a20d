import Foundation

/// Writes HTML anew from an allow-list, so that what comes out can do nothing but be read.
///
/// Nothing of the input is copied: tags are written from ``HTMLRules``, texts and values escaped, every
/// element closed. Links and files stay only where ``links`` and ``files`` say so.
struct HTMLSanitizer {
    /// Elements inside each other; deeper ones lose their tags.
    private static let deepest = 60

    /// Decides where a link may lead.
    let links: LinkRule
    /// The address that the page uses for a file; `nil` takes the element away.
    let files: (String) -> String?

    private var html = ""
    private var open: [String] = []
    /// Inside an element that goes with its content: its name, and how often it is open.
    private var dropped: (name: String, depth: Int)?
    /// The removed parts, for the author: element and attribute names, in order.
    private(set) var losses: [String] = []

    init(links: LinkRule, files: @escaping (String) -> String?) {
        self.links = links
        self.files = files
    }

    /// The safe text.
    mutating func clean(_ text: String) -> String {
        var tokenizer = HTMLTokenizer(text)
        while let token = tokenizer.next() {
            if dropped != nil {
                skip(token)
            } else {
                take(token)
            }
        }
        while let name = open.popLast() { html += "</\(name)>" }
        return html
    }

    private mutating func take(_ token: HTMLToken) {
        switch token {
        case .text(let text): html += Self.escaped(text)
        case .start(let name, let attributes): start(name, attributes)
        case .end(let name): end(name)
        }
    }

    private mutating func skip(_ token: HTMLToken) {
        guard let (name, depth) = dropped else { return }
        switch token {
        case .start(name, _): dropped = (name, depth + 1)
        case .end(name): dropped = depth > 1 ? (name, depth - 1) : nil
        default: return
        }
    }

    private mutating func start(_ name: String, _ attributes: [HTMLAttribute]) {
        guard let allowed = HTMLRules.elements[name] else {
            losses.append("<\(name.prefix(20))>")
            if HTMLRules.withContent.contains(name), name != "embed" { dropped = (name, 1) }
            return
        }
        guard let kept = keep(attributes, of: name, allowed) else { return }
        if HTMLRules.endsParagraph.contains(name), open.contains("p") { end("p") }
        if name == "li", open.last == "li" { end("li") }
        guard open.count < Self.deepest || HTMLRules.void.contains(name) else { return }
        html += "<\(name)" + kept.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined() + ">"
        if !HTMLRules.void.contains(name) { open.append(name) }
    }

    /// The attributes that stay; `nil` when the element is nothing without one that went.
    private mutating func keep(
        _ attributes: [HTMLAttribute], of name: String, _ allowed: Set<String>
    ) -> [HTMLAttribute]? {
        var kept: [HTMLAttribute] = []
        for attribute in attributes {
            let value =
                allowed.contains(attribute.name) || HTMLRules.everywhere.contains(attribute.name)
                ? address(attribute, of: name) : nil
            if let value {
                kept.append(HTMLAttribute(name: attribute.name, value: value))
            } else {
                losses.append("\(attribute.name.prefix(20)) of <\(name)>")
            }
        }
        if ["img", "track"].contains(name), !kept.contains(where: { $0.name == "src" }) { return nil }
        if ["video", "audio"].contains(name) {
            guard kept.contains(where: { $0.name == "src" }) else { return nil }
            kept += [
                HTMLAttribute(name: "controls", value: ""), HTMLAttribute(name: "preload", value: "metadata"),
            ]
        }
        if name == "img", !kept.contains(where: { $0.name == "alt" }) {
            kept.append(HTMLAttribute(name: "alt", value: ""))
        }
        return kept
    }

    private func address(_ attribute: HTMLAttribute, of name: String) -> String? {
        switch attribute.name {
        case "href": links.allowed(attribute.value)
        case "src", "poster": files(attribute.value)
        default: HTMLRules.value(attribute.value, of: attribute.name)
        }
    }

    private mutating func end(_ name: String) {
        guard let place = open.lastIndex(of: name) else { return }
        while open.count > place, let inner = open.popLast() { html += "</\(inner)>" }
    }

    /// Text for content and for values in double quotes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "`": escaped += "&#96;"
            // Controls are no HTML; browsers disagree about some of them.
            case _ where scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value): continue
            case "\u{7F}"..."\u{9F}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

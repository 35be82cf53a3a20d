import Foundation
import InlayServerCore

/// A sanitizer that writes HTML anew from an allow-list, so that the result cannot run anything.
///
/// No part of the input is copied unchanged: tags are written from ``HTMLRules``, texts and values are escaped, and
/// every element is closed. Links and files stay only if ``links`` and ``files`` allow them.
struct HTMLSanitizer {
    /// The maximum depth of nested elements. Deeper elements lose their tags.
    private static let maximumDepth = 60

    /// The rule for the targets of links.
    let links: LinkRule
    /// Returns the URL by which the page refers to a file; `nil` removes the attribute, and
    /// without its `src` the element.
    let files: (String) -> String?

    private var html = ""
    /// The names of the open elements, the outermost first.
    private var open: [String] = []
    /// The name of the element that is being removed with its content, and the depth of elements with this name in it.
    private var dropped: (name: String, depth: Int)?
    /// The ids of the text. Of equal ids, only the first stays.
    private(set) var anchors: Set<PageAnchor> = []
    /// The links to ids of the text.
    private var anchorLinks: [PageAnchor] = []
    /// The first id beyond ``HubLimits/maximumPageIDs``.
    private(set) var surplusID: String?
    /// The removed parts, for the author.
    private(set) var losses = HTMLLosses()

    init(links: LinkRule, files: @escaping (String) -> String?) {
        self.links = links
        self.files = files
    }

    /// Returns the sanitized HTML.
    mutating func clean(_ text: String) -> String {
        var tokenizer = HTMLTokenizer(text)
        while let token = tokenizer.next() {
            if dropped != nil {
                skip(token)
            } else {
                write(token)
            }
        }
        while let name = open.popLast() { html += "</\(name)>" }
        for markup in [tokenizer.unfinished, dropped.map { "<\($0.name)" }].compactMap(\.self) {
            losses.add(
                "\(Self.shown(markup)) is never closed; everything after it was left out.", quote: markup)
        }
        for anchor in anchorLinks where !anchors.contains(anchor) {
            losses.add(
                "The link to #\(Self.shown(anchor.name)) leads to no id of this text.",
                quote: "#\(anchor.name)")
        }
        return html
    }

    private mutating func write(_ token: HTMLToken) {
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
        guard let allowed = HTMLRules.elements[name] else { return drop(name) }
        if HTMLRules.endsParagraph.contains(name), open.contains("p") { end("p") }
        if name == "li", open.last == "li" { end("li") }
        guard open.count < Self.maximumDepth || HTMLRules.void.contains(name) else {
            return losses.add(
                "<\(name)> lies in more than \(Self.maximumDepth) elements and was left out; its text stays.",
                quote: "<\(name)")
        }
        // This is the last check, because the ids of an element that is removed do not count as ids of the page.
        guard let kept = keep(attributes, of: name, allowed) else {
            return losses.add("<\(name)> without a file was left out.", quote: "<\(name)")
        }
        html += "<\(name)" + kept.map { " \($0.name)=\"\(Self.escaped($0.value))\"" }.joined() + ">"
        if !HTMLRules.void.contains(name) { open.append(name) }
    }

    private mutating func drop(_ name: String) {
        let goesWithContent = HTMLRules.removedWithContent.contains(name) && name != "embed"
        if goesWithContent { dropped = (name, 1) }
        losses.add(
            goesWithContent
                ? "<\(Self.shown(name))> was left out with everything in it."
                : "<\(Self.shown(name))> was left out; its text stays.", quote: "<\(name)")
    }

    /// Returns the attributes that stay; `nil` when the element must be removed because its file was.
    private mutating func keep(
        _ attributes: [HTMLAttribute], of name: String, _ allowed: Set<String>
    ) -> [HTMLAttribute]? {
        var kept: [HTMLAttribute] = []
        for attribute in attributes {
            // `<a name>` is the older form of an id.
            let own = name == "a" && attribute.name == "name" ? "id" : attribute.name
            if own == "id", kept.contains(where: { $0.name == "id" }) { continue }
            guard allowed.contains(own) || HTMLRules.globalAttributes.contains(own) else {
                if HTMLRules.isRemovalReported(attribute) { report(attribute, of: name) }
                continue
            }
            if let value = value(HTMLAttribute(name: own, value: attribute.value), of: name) {
                kept.append(HTMLAttribute(name: own, value: value))
            }
        }
        return completed(kept, of: name)
    }

    private func completed(_ kept: [HTMLAttribute], of name: String) -> [HTMLAttribute]? {
        let hasSource = kept.contains { $0.name == "src" }
        switch name {
        case "track": return hasSource ? kept : nil
        case "img" where !hasSource: return nil
        case "img" where !kept.contains(where: { $0.name == "alt" }):
            return kept + [HTMLAttribute(name: "alt", value: "")]
        case "video", "audio":
            guard hasSource else { return nil }
            return kept + [
                HTMLAttribute(name: "controls", value: ""), HTMLAttribute(name: "preload", value: "metadata"),
            ]
        default: return kept
        }
    }

    /// Returns the value that stays; `nil` when the attribute is removed. A removal is added to ``losses``, except for
    /// a file, which the closure ``files`` reports.
    private mutating func value(_ attribute: HTMLAttribute, of name: String) -> String? {
        switch attribute.name {
        case "href": return link(attribute.value)
        case "id": return id(attribute.value)
        case "src", "poster": return files(attribute.value)
        default:
            let value = HTMLRules.value(attribute.value, of: attribute.name)
            if value == nil { report(attribute, of: name) }
            if HTMLRules.texts.contains(attribute.name), value != attribute.value {
                losses.add(
                    "The \(attribute.name) of <\(name)> was cut to \(HubLimits.maximumSummaryCharacters) characters.",
                    quote: attribute.value.prefix(scalars: 40))
            }
            return value
        }
    }

    private mutating func link(_ address: String) -> String? {
        guard let target = links.allowed(address) else {
            losses.add(
                """
                The link to "\(Self.shown(address))" was left out: links lead to http, https, mailto, tel, hub: or a \
                scheme of the app, or to #id within the text.
                """, quote: address)
            return nil
        }
        if let anchor = PageAnchor(link: target) { anchorLinks.append(anchor) }
        return target
    }

    private mutating func id(_ text: String) -> String? {
        guard let anchor = PageAnchor(id: text) else {
            losses.add("The id \"\(Self.shown(text))\" cannot be used and was left out.", quote: text)
            return nil
        }
        guard !anchors.contains(anchor) else {
            losses.add(
                "The id \"\(Self.shown(text))\" is there twice; only the first one stays.", quote: text)
            return nil
        }
        guard anchors.count < HubLimits.maximumPageIDs else {
            surplusID = surplusID ?? text
            return nil
        }
        anchors.insert(anchor)
        return anchor.id
    }

    private mutating func report(_ attribute: HTMLAttribute, of name: String) {
        losses.add(
            "The attribute \(Self.shown(attribute.name)) of <\(name)> was left out.",
            quote: "\(attribute.name)=")
    }

    private mutating func end(_ name: String) {
        guard let place = open.lastIndex(of: name) else { return }
        while open.count > place, let inner = open.popLast() { html += "</\(inner)>" }
    }

    /// Returns at most 100 Unicode scalars of an author's text, for a message.
    private static func shown(_ text: String) -> String {
        let beginning = text.prefix(scalars: 100)
        return beginning == text ? text : "\(beginning)…"
    }

    /// Returns the text escaped for content and for attribute values in double quotes.
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
            // Control characters are invalid in HTML, and browsers treat some of them differently.
            case _ where scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value): continue
            case "\u{7F}"..."\u{9F}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

import InlayServerCore

/// The allow-list of sanitised HTML: elements, and the attributes of each. Everything else is removed.
enum HTMLRules {
    /// The allowed elements with their attributes. The attributes of ``globalAttributes`` are allowed in addition.
    static let elements: [String: Set<String>] = [
        "p": [], "br": [], "hr": [], "h1": [], "h2": [], "h3": [], "h4": [], "h5": [], "h6": [],
        "strong": [], "b": [], "em": [], "i": [], "u": [], "s": [], "del": [], "ins": [], "sub": [],
        "sup": [],
        "small": [], "mark": [], "code": [], "pre": [], "kbd": [], "samp": [], "var": [], "abbr": [],
        "cite": [],
        "q": [], "blockquote": [], "span": [], "div": [], "section": [], "aside": [], "details": [],
        "summary": [],
        "ul": [], "ol": ["start", "reversed"], "li": ["value"], "dl": [], "dt": [], "dd": [],
        "table": [], "thead": [], "tbody": [], "tfoot": [], "tr": [], "caption": [],
        "th": ["colspan", "rowspan", "scope", "align"], "td": ["colspan", "rowspan", "align"],
        "figure": [], "figcaption": [], "time": ["datetime"], "a": ["href"],
        "img": ["src", "alt", "width", "height"],
        "video": ["src", "poster", "width", "height"], "audio": ["src"],
        "track": ["src", "kind", "srclang", "label"],
    ]

    /// The attributes that all elements may have.
    static let globalAttributes: Set = ["id", "title", "lang", "dir", "aria-label"]

    /// Void elements, which have no content and no end tag.
    static let void: Set = ["br", "hr", "img", "track"]

    /// Elements that are removed with their content. Of other elements that are not allowed, only the tags are removed.
    static let removedWithContent: Set = HTMLTokenizer.rawText.union([
        "svg", "math", "template", "object", "embed", "applet", "frameset", "head", "select", "datalist",
        "canvas",
        "dialog", "portal", "slot",
    ])

    /// Elements that cannot be in a paragraph. Their start ends an open `p`.
    static let endsParagraph: Set = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre", "div",
        "section",
        "aside", "figure", "hr", "details",
    ]

    /// Returns the allowed value of an attribute; `nil` when the attribute must be removed.
    static func value(_ value: String, of attribute: String) -> String? {
        switch attribute {
        case "width", "height", "start", "value", "colspan", "rowspan":
            Int(value).flatMap { (0...10_000).contains($0) ? String($0) : nil }
        case "reversed": ""
        case "scope": ["row", "col", "rowgroup", "colgroup"].contains(value) ? value : nil
        case "align": ["left", "center", "right"].contains(value) ? value : nil
        case "dir": ["ltr", "rtl", "auto"].contains(value) ? value : nil
        case "kind": ["subtitles", "captions", "descriptions", "chapters"].contains(value) ? value : nil
        case "lang", "srclang":
            value.wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}/) == nil ? nil : value
        case "datetime": value.wholeMatch(of: /[0-9A-Za-z:.+ -]{1,40}/) == nil ? nil : value
        case _ where texts.contains(attribute): value.prefix(scalars: HubLimits.maximumSummaryCharacters)
        default: nil
        }
    }

    /// Attributes with text for readers. Their values are cut to ``HubLimits/maximumSummaryCharacters``.
    static let texts: Set = ["alt", "title", "label", "aria-label"]

    /// Whether the removal of an attribute is reported to the author. It is not for attributes that the Markdown parser
    /// wrote, and for those that every page sets itself.
    static func isRemovalReported(_ attribute: HTMLAttribute) -> Bool {
        let isOfMarkdown = attribute.value.hasPrefix("footnote") || attribute.value.hasPrefix("language-")
        switch attribute.name {
        case "class": return !isOfMarkdown
        case "controls", "preload": return false
        default: return !attribute.name.hasPrefix("data-footnote")
        }
    }
}

/// The allow-list of sanitised HTML: elements, and the attributes of each. Everything else is removed.
enum HTMLRules {
    /// Elements with their own attributes; those of ``everywhere`` come on top.
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

    static let everywhere: Set = ["id", "title", "lang", "dir", "aria-label"]

    /// Elements that end where they begin.
    static let void: Set = ["br", "hr", "img", "track"]

    /// Elements that go with everything in them; of others only the tags go.
    static let withContent: Set = HTMLTokenizer.rawText.union([
        "svg", "math", "template", "object", "embed", "applet", "frameset", "head", "select", "datalist",
        "canvas",
        "dialog", "portal", "slot",
    ])

    /// Elements that a new paragraph's content cannot hold: they end an open `p`.
    static let endsParagraph: Set = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre", "div",
        "section",
        "aside", "figure", "hr", "details",
    ]

    /// The value as it may stay; `nil` drops the attribute.
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
        case _ where texts.contains(attribute): String(value.prefix(HubLimits.summary))
        default: nil
        }
    }

    /// Attributes whose values people read; they are cut at ``HubLimits/summary``.
    static let texts: Set = ["alt", "title", "label", "aria-label"]

    /// Whether an author misses an attribute that is removed. No author misses what the Markdown parser wrote, or what
    /// the page has in any case.
    static func isMissed(_ attribute: HTMLAttribute) -> Bool {
        let isOfMarkdown = attribute.value.hasPrefix("footnote") || attribute.value.hasPrefix("language-")
        switch attribute.name {
        case "class": return !isOfMarkdown
        case "controls", "preload": return false
        default: return !attribute.name.hasPrefix("data-footnote")
        }
    }
}

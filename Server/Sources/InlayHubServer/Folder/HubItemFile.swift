import Foundation

/// The files that items, the source and its notifications were read from, by their places in ``HubFaults``.
struct HubItemFiles {
    private var files: [String: HubItemFile] = [:]

    subscript(place: String) -> HubItemFile? {
        get { files[place] }
        set { files[place] = newValue }
    }

    /// Returns the file of the item or notification with a fault.
    func file(of item: HubFaults.Item) -> HubItemFile? {
        // A notification is a field of the source, and has a file of its own.
        files[String((item.field ?? "").prefix { $0 != "." })] ?? files[item.place]
    }

    /// Returns a warning with its file, and with its line where the text contains the quote of the warning.
    func located(_ warning: HubFaults.Item) -> HubFaults.Item {
        guard let file = file(of: warning) else { return warning }
        var located = warning
        located.place = file.path
        located.line =
            warning.quote.map { file.matter.body.contains($0) } == true ? file.line(of: warning) : nil
        return located
    }
}

/// A file that an item was read from.
struct HubItemFile {
    let path: String
    let matter: FrontMatter

    /// The front-matter keys of the fields that have another name in a draft.
    private static let keys = [
        "imageText": "image-text", "publishAt": "date", "allowsScripts": "scripts",
        "appSchemes": "app-schemes",
        "allowedURLs": "allowed-urls", "allowedDomains": "allowed-domains", "fireAt": "date",
    ]

    /// Returns the line of a fault; 1 when the line cannot be found.
    func line(of fault: HubFaults.Item) -> Int {
        if let quote = fault.quote, let place = matter.body.range(of: quote) {
            return matter.bodyLine + matter.body[..<place.lowerBound].count { $0 == "\n" }
        }
        let name = (fault.field ?? "").split(separator: ".").last.map(String.init) ?? ""
        let field = String(name.prefix { $0 != "[" })
        if field == "body" || field == "message" { return matter.bodyLine }
        if let entry = matter.entries[Self.keys[field] ?? field] { return entry.line }
        if let quote = fault.quote,
            let entry = matter.entries.values.first(where: { $0.value == .text(quote, isQuoted: false) })
        {
            return entry.line
        }
        return 1
    }
}

import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A reader of typed values from front matter. A key that was never read is unknown, and a fault.
struct FrontMatterFields {
    let matter: FrontMatter
    private let path: String
    private var readKeys: Set<String> = []
    private(set) var faults = HubFaults()

    init(_ path: String, _ matter: FrontMatter) {
        self.path = path
        self.matter = matter
        for fault in matter.faults { faults.add(path, fault.message, line: fault.line) }
    }

    /// Adds a fault at a key's line, or at line 1 without a key.
    mutating func fault(_ key: String?, _ message: String) {
        faults.add(path, message, line: key.flatMap { matter.entries[$0]?.line } ?? 1)
    }

    mutating func text(_ key: String) -> String? {
        readKeys.insert(key)
        switch matter.entries[key]?.value {
        case .text(let text, _): return text.isEmpty ? nil : text
        case .list: fault(key, "'\(key)' is one text.")
        case nil: break
        }
        return nil
    }

    mutating func required(_ key: String) -> String? {
        let text = text(key)
        if text == nil, matter.faults.isEmpty { fault(key, "'\(key)' is missing.") }
        return text
    }

    /// Returns a list. A single value is a list of one.
    mutating func list(_ key: String) -> [String]? {
        readKeys.insert(key)
        switch matter.entries[key]?.value {
        case .list(let list): return list
        case .text(let text, _): return text.isEmpty ? [] : [text]
        case nil: return nil
        }
    }

    mutating func flag(_ key: String) -> Bool? {
        readKeys.insert(key)
        switch matter.entries[key]?.value {
        case .text("true", isQuoted: false): return true
        case .text("false", isQuoted: false): return false
        case nil: return nil
        default: fault(key, "'\(key)' is true or false.")
        }
        return nil
    }

    mutating func number(_ key: String) -> Int? {
        readKeys.insert(key)
        guard let entry = matter.entries[key] else { return nil }
        let rule = "'\(key)' is a whole number."
        guard case .text(let text, isQuoted: false) = entry.value else {
            fault(key, rule)
            return nil
        }
        do {
            if let number = try TypedNumber(text).integer, let short = Int(exactly: number) { return short }
            fault(key, rule)
        } catch {
            fault(key, error.sentence ?? rule)
        }
        return nil
    }

    /// Returns a date: `2026-03-01`, `2026-03-01 09:30`, or RFC 3339. A date without an offset is in UTC.
    mutating func date(_ key: String) -> Timestamp? {
        guard let text = text(key) else { return nil }
        if let moment = Self.moment(text) { return moment }
        fault(key, "'\(key)' is a date such as 2026-03-01, 2026-03-01 09:30 or 2026-03-01T09:30:00+01:00.")
        return nil
    }

    static func moment(_ text: String) -> Timestamp? {
        var whole = text.replacing(" ", with: "T", maxReplacements: 1)
        if whole.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil { whole += "T00:00:00Z" }
        if whole.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/) != nil { whole += ":00Z" }
        guard whole.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})/) != nil,
            let date = try? Date(whole, strategy: .iso8601),
            // The parser rolls 31 February over to March; a typing error is no date.
            date.addingTimeInterval(Self.offset(whole)).ISO8601Format().prefix(10) == whole.prefix(10)
        else { return nil }
        return Timestamp(seconds: date.timeIntervalSince1970)
    }

    private static func offset(_ text: String) -> Double {
        guard let match = text.firstMatch(of: /([+-])(\d{2}):(\d{2})$/), let hours = Double(match.output.2),
            let minutes = Double(match.output.3)
        else { return 0 }
        return (match.output.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Adds a fault for every key that was not read.
    mutating func finish() {
        for (key, entry) in matter.entries.sorted(by: { $0.value.line < $1.value.line })
        where !readKeys.contains(key) {
            faults.add(
                path, "'\(key)' is not known here. Known: \(readKeys.sorted().joined(separator: ", ")).",
                line: entry.line)
        }
    }
}

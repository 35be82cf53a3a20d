import InlayWire

/// How the database writes moments: `MM/dd/yyyy HH:mm:ss` in GMT.
enum MergeDate {
    static func text(_ moment: Timestamp) -> String {
        let text = Array(moment.rfc3339)
        func part(_ range: Range<Int>) -> String { String(text[range]) }
        return part(5..<7) + "/" + part(8..<10) + "/" + part(0..<4) + " " + part(11..<19)
    }
}

/// A shell pattern of target paths: `*` for any run of characters, `?` for one, part by part.
struct PathPattern {
    private let parts: [[Unicode.Scalar]]

    init(_ pattern: String) { parts = Self.parts(pattern) }

    func matches(_ path: String) -> Bool {
        let other = Self.parts(path)
        return parts.count == other.count && zip(parts, other).allSatisfy(Self.part)
    }

    private static func parts(_ text: String) -> [[Unicode.Scalar]] {
        text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    }

    /// Matches one part. Goes back only to the last star, so that a hostile pattern costs at most length times length.
    private static func part(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
        var (here, there) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while there < text.count {
            if here < pattern.count, pattern[here] == "*" {
                star = (here, there)
                here += 1
            } else if here < pattern.count, pattern[here] == "?" || pattern[here] == text[there] {
                here += 1
                there += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                here = last.pattern + 1
                there = last.text + 1
            } else {
                return false
            }
        }
        return pattern[here...].allSatisfy { $0 == "*" }
    }
}

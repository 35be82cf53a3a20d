/// A path with places that may hold any segment: `v1/hub/:source/files/**`.
///
/// A segment that begins with `:` or `{`, or is `*`, stands for any one segment; `**` at the end stands for any number
/// of them, also for none.
package struct RoutePattern: Sendable {
    /// The segments.
    package let segments: [Substring]

    /// Creates a pattern from a text, with or without a slash in front.
    package init(_ text: some StringProtocol) { segments = String(text).split(separator: "/") }

    /// Whether the pattern matches a path, given as its segments.
    package func matches(_ path: [Substring]) -> Bool {
        if let rest = segments.firstIndex(where: { $0.hasPrefix("**") }) {
            return path.count >= rest && zip(segments.prefix(rest), path).allSatisfy(Self.covers)
        }
        return segments.count == path.count && zip(segments, path).allSatisfy(Self.covers)
    }

    /// The pattern with `*` for each segment that may be any: two patterns with the same result match the same paths.
    package var withoutNames: String {
        segments.map { $0.replacing(/^:.*|\{[^}]*\}/, with: "*") }.joined(separator: "/")
    }

    private static func covers(_ pattern: Substring, _ segment: Substring) -> Bool {
        pattern == segment || pattern.hasPrefix("{") || pattern.hasPrefix(":") || pattern.hasPrefix("*")
    }
}

import Foundation

extension String {
    /// The text without white space and line breaks at both ends.
    package var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Returns the first Unicode scalars of the text, at most `maximum`.
    ///
    /// `prefix(_:)` counts characters, each of which may have any number of combining marks: it limits neither the size
    /// of untrusted text nor the work of normalizing it, which can grow with the square of the number of marks.
    package func prefix(scalars maximum: Int) -> String { String(unicodeScalars.prefix(maximum)) }
}

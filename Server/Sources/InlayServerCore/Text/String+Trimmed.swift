import Foundation

extension String {
    /// Without white space at both ends.
    package var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Returns the first Unicode scalars of the text, at most this many.
    ///
    /// `prefix(_:)` counts characters, each of which may have any number of combining marks: it does not limit the size
    /// of a text that strangers send, nor the work of normalizing it, which can grow with the square of that number.
    package func prefix(scalars maximum: Int) -> String { String(unicodeScalars.prefix(maximum)) }
}

import Foundation

extension String {
    /// Without white space at both ends.
    package var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// The reason why signed content was refused, named after the attack that the rule prevents.
///
/// Metadata that was trusted before stays trusted: an error never removes verified content.
public struct TrustError: Error, Equatable, Sendable {
    /// The class of threat.
    public enum Threat: String, CaseIterable, Sendable {
        /// Content or metadata that too few of the right keys signed, or whose bytes are not the signed ones.
        case signature
        /// An older version than the one already seen, or a role that vanished.
        case rollback
        /// Metadata past its expiry: a mirror or an attacker may be withholding newer metadata.
        case freeze
        /// Parts of different versions put together.
        case mixAndMatch
        /// A version number so high that hardly any later one could follow.
        case fastForward
        /// More bytes, files, key rotations or delegations than the limits allow.
        case endlessData
        /// Bytes that come too slowly, or not at all.
        case slowRetrieval
        /// Correctly signed, but against a rule of this client, such as an unsafe path.
        case policy
        /// Bytes that are not metadata of TUF 1.
        case format
        /// The repository has no such file, or no role lists such a target.
        case notFound
        /// No repository or mirror could be reached.
        case unreachable
        /// The device's own storage failed.
        case storage
        /// The caller stopped waiting.
        case cancelled
    }

    /// The attack that the refused file would have made possible.
    public let threat: Threat

    /// The metadata file or target that was refused, if there is one.
    public var file: String?

    /// The explanation, for logs and developers.
    public let explanation: String

    /// An error of a class of threat.
    public init(_ threat: Threat, _ explanation: String, file: String? = nil) {
        (self.threat, self.explanation, self.file) = (threat, explanation, file)
    }

    /// Returns the same error with this file, unless it already names one.
    func about(_ name: String) -> TrustError {
        TrustError(threat, explanation, file: file ?? name)
    }
}

extension TrustError: CustomStringConvertible {
    public var description: String {
        [threat.rawValue, file, explanation].compactMap { $0 }.joined(separator: ": ")
    }
}

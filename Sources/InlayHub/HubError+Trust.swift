import InlayTrust

extension HubError {
    /// What a refusal by the rules of trust means to whoever asked for content.
    init(_ error: TrustError) {
        switch error.threat {
        case .unreachable: self = .network(.unreachable(error.explanation))
        case .cancelled: self = .cancelled
        // The rules know no full disk; its words come from here.
        case .storage where error.explanation.contains(Self.diskFullText): self = .diskFull
        case .storage: self = .storage(error.description)
        default: self = .trust(error)
        }
    }

    private static let diskFullText = "No space left on device"

    /// The words that an error of this device's disk is known by.
    var storageText: String {
        switch self {
        case .diskFull: Self.diskFullText
        case .storage(let text), .invalidContent(let text), .tooLarge(let text): text
        default: "\(self)"
        }
    }
}

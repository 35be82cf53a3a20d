extension HubError {
    /// The same in words for a reader, who can neither know nor mend the details.
    public var readerMessage: String {
        switch self {
        case .disabled(let reason?): reason
        case .disabled: "This content is switched off for now."
        case .recalled: "This article was taken back by its publisher."
        case .unknownAddress, .unknownFile: "This page is not here any more."
        case .stale: "This content is out of date, and newer content could not be fetched."
        case .network: "There is no connection. Try again later."
        case .diskFull: "This device has no space left for new content."
        default: "The content cannot be shown right now."
        }
    }
}

/// Why somebody could not be identified. What was done before stays done, and doing it again is safe.
public enum IdentityError: Error, Sendable {
    /// The database refused a step.
    case fault(XMLAPIFault)
    /// A step brought no answer.
    case failed(XMLAPIError)
    /// Nobody is known, and the rules make no contact for the unknown.
    case nobody
    /// There is no anonymous id, or no primary user id, so there is nothing to tie together.
    case nothingToMerge
    /// The store did not take the result; holds the cause.
    case notStored(any Error)
}

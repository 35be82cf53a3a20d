public import Foundation
internal import InlayXMLAPI
internal import InlayBehaviors

/// The error that the failure blocks of `XMLAPIManager` receive.
public struct EngageServiceError: Error, CustomNSError, LocalizedError, Sendable {
    /// The domain of the `NSError` that this becomes.
    public static let errorDomain = "EngageServiceError"

    /// The HTTP status of the response; `nil` when there was no response.
    public let statusCode: Int?
    /// The underlying error.
    public let underlying: any Error

    init(_ error: any Error) {
        underlying = error
        statusCode = (error as? XMLAPIError)?.httpStatus
    }

    /// The HTTP status, or 0.
    public var errorCode: Int { statusCode ?? 0 }

    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: errorDescription ?? "", NSUnderlyingErrorKey: underlying]
    }

    public var errorDescription: String? {
        statusCode.map { "The service answered with status \($0)" } ?? "No answer: \(underlying)"
    }
}

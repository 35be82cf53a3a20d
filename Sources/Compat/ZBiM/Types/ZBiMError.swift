internal import Foundation
internal import InlayHub

/// The domain of the facade's errors.
public let ZBiMErrorDomain = "com.Zumobi.ZBiM.ErrorDomain"

/// The documented error codes.
public enum ZBiMError: Int, Sendable, CaseIterable {
    case none, invalidParams, invalidState, noNetwork, unknownUser, userAlreadyExists, activeUserNotSet
    case operationAlreadyInProgress, missingDB, missingContent, sdkDisabledState
}

extension ZBiMError {
    /// Returns an `NSError` with this code and a description.
    func error(_ text: String) -> NSError {
        NSError(domain: ZBiMErrorDomain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// The documented code for an error of InlayHub.
    init(_ error: HubError) {
        self =
            switch error.code {
            case .notStarted, .notDisplayed, .loggedOut, .cancelled: .invalidState
            case .invalidConfiguration, .invalidArgument, .unknownAddress, .unknownFile: .invalidParams
            case .unknownUser: .unknownUser
            case .userExists: .userAlreadyExists
            case .disabled: .sdkDisabledState
            case .alreadyDisplayed: .operationAlreadyInProgress
            case .network, .refused: .noNetwork
            case .storage, .diskFull: .missingDB
            default: .missingContent
            }
    }
}

extension HubError {
    /// The documented form of the error.
    var documented: NSError { ZBiMError(self).error("\(readerMessage) (\(self))") }
}

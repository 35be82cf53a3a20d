import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The conversion of the system's network errors to `TransportError`.
enum URLSessionFailure {
    static func translated(_ error: any Error) -> TransportError {
        guard let error = error as? URLError else { return .cut(error.localizedDescription) }
        switch error.code {
        case .cancelled: return .cancelled
        case .timedOut: return .timedOut
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
            .dataNotAllowed, .internationalRoamingOff:
            return .unreachable(error.localizedDescription)
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot, .secureConnectionFailed:
            return .untrusted(error.localizedDescription)
        case .unsupportedURL: return .unsupported(error.localizedDescription)
        default: return .cut(error.localizedDescription)
        }
    }
}

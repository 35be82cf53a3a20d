import AsyncHTTPClient
import Foundation
import InlayCore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

extension TransportError {
    /// Creates a transport error from an error of NIO, NIOSSL or AsyncHTTPClient.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as TransportError: error
            case is CancellationError: .cancelled
            case let error as HTTPClientError: Self.meaning(of: error)
            case let error as NIOConnectionError: Self.meaning(of: error)
            case let error as NIOSSLExtraError
            where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
                .untrusted("the certificate does not name this host")
            case let error as NIOSSLError: Self.meaning(of: error)
            case let error as ChannelError: Self.meaning(of: error)
            case let error as IOError: Self.meaning(of: error)
            case NIOWebSocketError.invalidFrameLength,
                NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
                NIOWebSocketFrameAggregator.Error.tooManyFragments:
                .tooLarge
            case let error as NIOHTTPClientUpgradeError: .cut("invalid response to the upgrade: \(error)")
            default: .cut(String(describing: error))
            }
    }

    private static func meaning(of error: HTTPClientError) -> TransportError {
        switch error {
        case .cancelled: .cancelled
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
            .getConnectionFromPoolTimeout:
            .timedOut
        case .invalidURL, .emptyHost, .emptyScheme: .unsupported(error.shortDescription)
        default: .cut(error.shortDescription)
        }
    }

    private static func meaning(of error: NIOConnectionError) -> TransportError {
        if error.connectionErrors.isEmpty {
            return .unreachable("no address for \(error.host)")
        }
        let isSlow = error.connectionErrors.allSatisfy { failure in
            if case ChannelError.connectTimeout = failure.error { true } else { false }
        }
        return isSlow ? .timedOut : .unreachable("\(error.host):\(error.port) refused the connection")
    }

    private static func meaning(of error: NIOSSLError) -> TransportError {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate, .cannotFindPeerIP:
            .untrusted(String(describing: error))
        case .handshakeFailed(let failure):
            // BoringSSL gives the reason only as text.
            String(describing: failure).contains("CERTIFICATE_VERIFY_FAILED")
                ? .untrusted("the certificate leads to no trusted root")
                : .unreachable("TLS failed: \(failure)")
        default: .cut(String(describing: error))
        }
    }

    private static func meaning(of error: ChannelError) -> TransportError {
        if case .connectTimeout = error { return .timedOut }
        return .cut(String(describing: error))
    }

    private static func meaning(of error: IOError) -> TransportError {
        switch error.errnoCode {
        case ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL:
            .unreachable(String(describing: error))
        case ETIMEDOUT: .timedOut
        default: .cut(String(describing: error))
        }
    }
}

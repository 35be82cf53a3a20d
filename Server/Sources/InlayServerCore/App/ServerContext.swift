import Foundation
package import Hummingbird
@_spi(Inlay) import InlayWire
import Logging
import NIOCore

/// The context of every request.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address of the peer's socket; a proxy's when there is one.
    package let peerAddress: String
    /// The caller's address as rate limits and the audit log see it; set by ``CallerAddress``.
    package var callerAddress: String
    private let listener: SocketAddress?
    /// Set once the app's headers and token have been verified.
    var identity: ClientIdentity?
    /// Set once a backend's secret key has been verified.
    var backend: BackendIdentity?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress ?? "local"
        callerAddress = peerAddress
        listener = source.channel.localAddress
    }

    /// `host:port` of the socket that took the request: the address under which this caller reaches the server when no
    /// public address is set. Never what the caller wrote into its Host field.
    package var listenerAddress: String {
        let port = listener?.port.map { ":\($0)" } ?? ""
        switch listener {
        case .v6: return "[\(listener?.ipAddress ?? "::1")]\(port)"
        default: return "\(listener?.ipAddress ?? "127.0.0.1")\(port)"
        }
    }

    package var maxUploadSize: Int { BodyLimit.standard }
}

/// A request of an app, for one user.
package struct ClientContext: ChildRequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The verified identity of the request. Take the environment and user from here, never from path or body.
    package let identity: ClientIdentity
    /// The caller's address.
    package let callerAddress: String

    package init(context: ServerContext) throws {
        guard let identity = context.identity else { throw Problem.tokenMissing }
        coreContext = context.coreContext
        callerAddress = context.callerAddress
        self.identity = identity
        logger[metadataKey: "environment"] = "\(identity.environmentID)"
    }

    package var maxUploadSize: Int { BodyLimit.standard }
}

/// A request of an environment's own backend.
package struct BackendContext: ChildRequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The environment that the secret key belongs to.
    package let environmentID: EnvironmentID
    /// The id of the secret key, for the audit log.
    package let secretKeyID: String

    package init(context: ServerContext) throws {
        guard let backend = context.backend else { throw Problem.unknownSecretKey }
        coreContext = context.coreContext
        environmentID = backend.environmentID
        secretKeyID = backend.secretKeyID
        logger[metadataKey: "environment"] = "\(environmentID)"
    }

    package var maxUploadSize: Int { BodyLimit.standard }
}

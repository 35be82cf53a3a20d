import Foundation
package import Hummingbird
@_spi(Inlay) import InlayWire
import Logging
import NIOCore

/// The context of every request.
package struct ServerContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The caller's address as limits, ads and the audit log see it: that of the socket's other end, or the one that
    /// ``ForwardedCaller`` takes from a proxy.
    package var callerAddress: CallerAddress
    private let listener: SocketAddress?
    /// Set once the app's headers and token have been verified.
    var identity: ClientIdentity?
    /// Set once a backend's secret key has been verified.
    var backend: BackendIdentity?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        callerAddress = CallerAddress(source.channel.remoteAddress)
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
    package let callerAddress: CallerAddress

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

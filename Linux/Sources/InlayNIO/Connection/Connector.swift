import InlayCore
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// A factory of single connections, each of which yields one result: a response or a WebSocket.
struct Connector: Sendable {
    let group: any EventLoopGroup
    let trust: TrustRoots
    let tls: NIOSSLContext

    /// Whether the connection is closed or kept after a successful attempt; a failed attempt always closes it.
    enum Completion { case close, keep }

    /// Opens a connection and returns the result of its promise.
    ///
    /// The attempt ends with that result, the time-out, or the caller's cancellation, whichever comes first; no work of
    /// the attempt continues afterwards.
    ///
    /// - Parameter use: Adds handlers, which complete the promise, to the channel. Called on the channel's event loop,
    ///   before the connection is opened.
    func attempt<Output: Sendable>(
        _ request: TransportRequest, to address: ServerAddress, then completion: Completion,
        use: @escaping @Sendable (any Channel, EventLoopPromise<Output>) throws -> Void
    ) async throws(TransportError) -> Output {
        let loop = group.next()
        let result = loop.makePromise(of: Output.self)
        let trustError = NIOLockedValueBox<TransportError?>(nil)
        let timeoutTask = loop.scheduleTask(in: TimeAmount(request.timeout)) {
            result.fail(TransportError.timedOut)
        }
        defer { timeoutTask.cancel() }
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(request.timeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try secure(channel, for: address, pins: request.pins, trustError: trustError)
                    try use(channel, result)
                }
            }
        connect(bootstrap, to: address, endingWith: result, then: completion)
        do {
            return try await withTaskCancellationHandler {
                try await result.futureResult.get()
            } onCancel: {
                result.fail(TransportError.cancelled)
            }
        } catch {
            // BoringSSL only reports that the callback refused the certificate; the evaluator gave the reason.
            throw trustError.withLockedValue { $0 } ?? TransportError(error)
        }
    }

    /// Opens the connection, and closes it when the attempt has ended, also if the connection opens only afterwards.
    private func connect<Output: Sendable>(
        _ bootstrap: ClientBootstrap, to address: ServerAddress, endingWith result: EventLoopPromise<Output>,
        then completion: Completion
    ) {
        bootstrap.connect(host: address.host, port: address.port).whenComplete { connection in
            switch connection {
            case .failure(let error): result.fail(error)
            case .success(let channel):
                result.futureResult.whenComplete { outcome in
                    if case .success = outcome, completion == .keep { return }
                    channel.close(promise: nil)
                }
            }
        }
    }

    private func secure(
        _ channel: any Channel, for address: ServerAddress, pins: Set<CertificatePin>?,
        trustError: NIOLockedValueBox<TransportError?>
    ) throws {
        guard address.isSecure else { return }
        let name = address.isIPAddress ? nil : address.host
        let operations = channel.pipeline.syncOperations
        guard let pins else {
            return try operations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        }
        let evaluator = CertificateTrustEvaluator(roots: trust.store, address: address, pins: pins)
        let handler = try NIOSSLClientHandler(
            context: tls, serverHostname: name,
            customVerificationCallback: { chain, verdict in
                verdict.completeWithTask {
                    guard let reason = await evaluator.distrustReason(for: chain) else {
                        return .certificateVerified
                    }
                    trustError.withLockedValue { $0 = reason }
                    return .failed
                }
            })
        try operations.addHandler(handler)
    }
}

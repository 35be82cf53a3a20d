import InlayCore
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// Opens single connections and gets one thing out of each: an answer or a socket.
struct Connector: Sendable {
    let group: any EventLoopGroup
    let trust: TrustRoots
    let tls: NIOSSLContext

    /// The fate of the connection after a successful attempt; a failed one always closes it.
    enum Completion { case close, keep }

    /// One try over a fresh connection.
    ///
    /// It ends with what `use` puts into its promise, with the time-out, or with the caller's
    /// cancellation, whichever comes first; nothing of it goes on after that.
    ///
    /// - Parameter use: Adds its handlers to the channel, on the channel's event loop, before the
    ///   connection is made.
    func attempt<Output: Sendable>(
        _ request: TransportRequest, to address: ServerAddress, then completion: Completion,
        use: @escaping @Sendable (any Channel, EventLoopPromise<Output>) throws -> Void
    ) async throws(TransportError) -> Output {
        let loop = group.next()
        let result = loop.makePromise(of: Output.self)
        let objection = NIOLockedValueBox<TransportError?>(nil)
        let timeoutTask = loop.scheduleTask(in: TimeAmount(request.timeout)) {
            result.fail(TransportError.timedOut)
        }
        defer { timeoutTask.cancel() }
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(request.timeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try secure(channel, for: address, pins: request.pins, objection: objection)
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
            // BoringSSL only says that the callback refused; the judge said why.
            throw objection.withLockedValue { $0 } ?? TransportError(error)
        }
    }

    /// Makes the connection, and closes it when the attempt is over: also one that comes only after that.
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
        objection: NIOLockedValueBox<TransportError?>
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
                    guard let reason = await evaluator.objection(to: chain) else {
                        return .certificateVerified
                    }
                    objection.withLockedValue { $0 = reason }
                    return .failed
                }
            })
        try operations.addHandler(handler)
    }
}

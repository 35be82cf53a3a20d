public import Foundation
@_spi(Inlay) public import InlaySurface

/// The messages of one page during one run of its surface.
@_spi(Inlay) public struct PageInbox: Sendable {
    /// A reason to disconnect a page.
    public enum Fault: Error, Hashable, Sendable {
        /// The page sent more messages than allowed, or more than the surface could read.
        case flood
        /// A message is larger than allowed.
        case tooLarge
        /// A message could not be decoded.
        case unreadable
        /// A message is for another surface.
        case wrongSurface
    }

    /// The maximum number of messages that wait for the surface.
    public static let maximumWaiting = 256

    /// The messages in order; ends with ``finish()``.
    public let messages: AsyncStream<SurfaceMessage>
    private let continuation: AsyncStream<SurfaceMessage>.Continuation

    /// Creates an empty inbox.
    public init() {
        (messages, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    /// Decodes a message of a surface's page.
    public static func read(_ data: Data, of surface: String, limits: PageLimits) throws(Fault)
        -> SurfaceMessage
    {
        guard data.count <= limits.maximumMessageBytes else { throw .tooLarge }
        guard let message = try? JSONDecoder().decode(SurfaceMessage.self, from: data) else {
            throw .unreadable
        }
        guard message.surface == surface else { throw .wrongSurface }
        return message
    }

    /// Forwards a message to the surface.
    public func forward(_ message: SurfaceMessage) throws(Fault) {
        if case .dropped = continuation.yield(message) { throw .flood }
    }

    /// Ends ``messages``, because the page was closed.
    public func finish() { continuation.finish() }
}

@_spi(Inlay) extension AsyncStream<SurfaceMessage> {
    /// Waits for the first message of a page and returns its environment; `nil` when the first message has another
    /// kind, or the page was closed before.
    public func environment() async -> SurfaceEnvironment? {
        guard let first = await first(where: { _ in true }), first.kind == SurfaceMessage.Kind.ready else {
            return nil
        }
        return SurfaceEnvironment(payload: first.payload)
    }
}

/// The limits for messages from a page.
@_spi(Inlay) public struct PageLimits: Sendable {
    /// The maximum size of a message, in bytes; 256 KiB by default, enough for the longest texts that a page sends.
    public var maximumMessageBytes = 256 << 10
    /// The average number of messages per second; 30 by default. A burst may be four times as large.
    public var messagesPerSecond = 30

    /// Creates the default limits.
    public init() {}
}

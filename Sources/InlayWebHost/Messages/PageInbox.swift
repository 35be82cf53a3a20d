public import Foundation
@_spi(Inlay) public import InlaySurface

/// The messages of one page for one run of its surface.
@_spi(Inlay) public struct PageInbox: Sendable {
    /// A reason to disconnect a page.
    public enum Fault: Error, Hashable, Sendable {
        /// It sent more messages than it may, or more than the surface could read.
        case flood
        /// A message is larger than it may be.
        case tooLarge
        /// A message is not one of the protocol.
        case unreadable
        /// A message names another surface.
        case wrongSurface
    }

    /// The maximum number of messages that wait for the surface.
    public static let maximumWaiting = 256

    /// The messages in order; ends with ``finish()``.
    public let messages: AsyncStream<SurfaceMessage>
    private let continuation: AsyncStream<SurfaceMessage>.Continuation

    /// An empty inbox.
    public init() {
        (messages, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    /// Reads a message of the page of a surface.
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

    /// Ends the messages: the page is gone.
    public func finish() { continuation.finish() }
}

@_spi(Inlay) extension AsyncStream<SurfaceMessage> {
    /// Waits for the first message of a page, which describes its environment; `nil` when it is another one or the page
    /// is gone.
    public func environment() async -> SurfaceEnvironment? {
        guard let first = await first(where: { _ in true }), first.kind == SurfaceMessage.Kind.ready else {
            return nil
        }
        return SurfaceEnvironment(payload: first.payload)
    }
}

/// The limits of what a page may send.
@_spi(Inlay) public struct PageLimits: Sendable {
    /// The maximum size of a message, in bytes; 256 KiB by default, so that the longest texts that a page sends arrive.
    public var maximumMessageBytes = 256 << 10
    /// The average number of messages in a second; 30 by default. Four times as many may come at once.
    public var messagesPerSecond = 30

    /// The defaults.
    public init() {}
}

import CLibPQ
import Foundation
import Logging

/// A thread with a connection of its own that receives the notifications of all nodes.
///
/// It reconnects until it is closed, with growing pauses. After each `LISTEN` it sends an empty payload to the
/// channel's
/// streams, which means that notifications may be missing.
final class PostgresListener: Sendable {
    private struct State {
        var channels: Set<String> = []
        var isStarted = false
        var isClosed = false
    }

    private let address: PostgresAddress
    private let hub: NotificationHub
    private let logger: Logger
    private let state = Locked(State())
    private let pipe: WakePipe

    init(address: PostgresAddress, hub: NotificationHub, logger: Logger) throws {
        self.address = address
        self.hub = hub
        self.logger = logger
        pipe = try WakePipe()
    }

    /// Subscribes to a channel. Channels are few, so there is no way to unsubscribe.
    func listen(_ channel: String) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.channels.insert(channel)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        // The thread ends with `close`, which the database calls at the latest in its `deinit`.
        if isFirst { Thread { [self] in run() }.start() }
        pipe.wake()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        pipe.wake()
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func run() {
        var pause: Int32 = 100
        while !isClosed {
            do {
                let connection = try address.connect()
                pause = 100
                try receive(connection)
            } catch {
                logger.warning("Notifications are interrupted.", metadata: ["reason": "\(error)"])
                pipe.wait(milliseconds: pause)
                pause = min(pause * 2, 10_000)
            }
        }
    }

    /// Receives notifications until the connection is lost or the listener is closed.
    private func receive(_ connection: LibPQConnection) throws {
        var subscribed: Set<String> = []
        while !isClosed {
            for channel in state.withLock({ $0.channels }).subtracting(subscribed) {
                try connection.runScript("LISTEN \(Self.quoted(channel))")
                subscribed.insert(channel)
                hub.send("", on: channel)
            }
            deliver(connection)
            if !pipe.wait(alsoFor: PQsocket(connection.raw), milliseconds: 30_000) {
                // Nothing arrived for half a minute: a query checks whether the server still responds.
                try connection.runScript("SELECT 1")
            }
            guard PQconsumeInput(connection.raw) == 1 else { throw connection.lostError() }
        }
    }

    private func deliver(_ connection: LibPQConnection) {
        while let notification = PQnotifies(connection.raw) {
            let payload = String(cString: notification.pointee.extra)
            hub.send(payload, on: String(cString: notification.pointee.relname))
            PQfreemem(notification)
        }
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}

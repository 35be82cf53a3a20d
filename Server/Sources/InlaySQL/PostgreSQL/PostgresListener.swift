import CLibPQ
import Foundation
import Logging

/// A thread with a connection of its own that hears what all nodes say.
///
/// When the connection is lost it is made again, for ever, with growing pauses; then every stream is
/// told that something may have been missed. The same is said once when a channel starts to be heard.
final class PostgresListener: Sendable {
    private struct State {
        var channels: Set<String> = []
        var isStarted = false
        var isClosed = false
    }

    private let address: PostgresAddress
    private let hub: NotificationHub
    private let logger: Logger
    private let state = Guarded(State())
    private let wake: WakePipe

    init(address: PostgresAddress, hub: NotificationHub, logger: Logger) throws {
        self.address = address
        self.hub = hub
        self.logger = logger
        wake = try WakePipe()
    }

    /// Hears the channel from soon on. Channels are few and stay: none is ever given up.
    func listen(_ channel: String) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.channels.insert(channel)
            defer { state.isStarted = true }
            return !state.isStarted
        }
        // The thread ends with `close`, which the database calls at the latest when it goes away.
        if isFirst { Thread { [self] in run() }.start() }
        wake.ring()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wake.ring()
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    private func run() {
        var pause: Int32 = 100
        while !isClosed {
            do {
                let link = try address.connect()
                pause = 100
                try hear(link)
            } catch {
                logger.warning("Notifications are interrupted.", metadata: ["reason": "\(error)"])
                wake.wait(milliseconds: pause)
                pause = min(pause * 2, 10_000)
            }
        }
    }

    /// Until the connection is lost or the listener closed.
    private func hear(_ link: PostgresLink) throws {
        var heard: Set<String> = []
        while !isClosed {
            for channel in state.withLock({ $0.channels }).subtracting(heard) {
                try link.runScript("LISTEN \(Self.quoted(channel))")
                heard.insert(channel)
                hub.send("", on: channel)
            }
            deliver(link)
            if !wake.wait(alsoFor: PQsocket(link.raw), milliseconds: 30_000) {
                // Silence for half a minute: a question finds out whether the server is still there.
                try link.runScript("SELECT 1")
            }
            guard PQconsumeInput(link.raw) == 1 else { throw link.lostError() }
        }
    }

    private func deliver(_ link: PostgresLink) {
        while let notification = PQnotifies(link.raw) {
            let payload = String(cString: notification.pointee.extra)
            hub.send(payload, on: String(cString: notification.pointee.relname))
            PQfreemem(notification)
        }
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}

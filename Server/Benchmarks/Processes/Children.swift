import Dispatch
import Foundation
import InlayDevicesServer
import InlayHubServer

/// The processes that the bench has started, so that Ctrl-C leaves none behind.
final class Children: @unchecked Sendable {
    // Unchecked: `ids` and `signals` are used only while `lock` is held.
    private let lock = NSLock()
    private var ids: Set<Int32> = []
    private var signals: [any DispatchSourceSignal] = []

    /// The children of this process.
    static let shared = Children()

    func add(_ id: Int32) { lock.withLock { _ = ids.insert(id) } }
    func remove(_ id: Int32) { lock.withLock { _ = ids.remove(id) } }

    /// Makes SIGINT and SIGTERM end the children and remove the run's folder before this process ends. A child is in a
    /// process group of its own, so the terminal's Ctrl-C does not reach it.
    func endWithSignals(removing folder: URL) {
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { [self] in
                end()
                try? FileManager.default.removeItem(at: folder)
                exit(128 + number)
            }
            source.activate()
            return source
        }
        lock.withLock { signals = sources }
    }

    /// Sends SIGTERM to all children and waits for at most three seconds until they have ended.
    private func end() {
        let ids = lock.withLock { self.ids }
        for id in ids { kill(id, SIGTERM) }
        for _ in 0..<300 where ids.contains(where: { kill($0, 0) == 0 }) { usleep(10_000) }
    }
}

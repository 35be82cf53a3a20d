import Foundation

/// A pipe that ends another thread's `poll`.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SQLError(.other, "No file descriptor is left for a pipe.") }
        (reading, writing) = (ends[0], ends[1])
        // A full pipe must not block whoever rings, an empty one not whoever listens.
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        _ = Foundation.close(reading)
        _ = Foundation.close(writing)
    }

    func ring() {
        // A pipe that is full has rung already.
        _ = Foundation.write(writing, [1], 1)
    }

    /// Waits for the bell or for input on a second descriptor; false when neither came in time.
    @discardableResult
    func wait(alsoFor descriptor: Int32? = nil, milliseconds: Int32) -> Bool {
        var states = [reading, descriptor].compactMap { $0 }.map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&states, nfds_t(states.count), milliseconds)
        var rings = [UInt8](repeating: 0, count: 64)
        while Foundation.read(reading, &rings, rings.count) > 0 {}
        return count > 0
    }
}

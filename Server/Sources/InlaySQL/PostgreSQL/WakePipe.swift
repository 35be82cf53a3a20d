import Foundation

/// A pipe that wakes another thread from `poll`.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw SQLError(.other, "A pipe could not be created: \(String(cString: strerror(errno))).")
        }
        (reading, writing) = (ends[0], ends[1])
        // A full pipe must not block `wake`, an empty one must not block `wait`.
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        _ = Foundation.close(reading)
        _ = Foundation.close(writing)
    }

    func wake() {
        // A full pipe wakes the other thread already.
        _ = Foundation.write(writing, [1], 1)
    }

    /// Waits for ``wake()`` or for input on `descriptor`, and returns whether one of them came in time.
    @discardableResult
    func wait(alsoFor descriptor: Int32? = nil, milliseconds: Int32) -> Bool {
        var states = [reading, descriptor].compactMap { $0 }.map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let count = poll(&states, nfds_t(states.count), milliseconds)
        var bytes = [UInt8](repeating: 0, count: 64)
        while Foundation.read(reading, &bytes, bytes.count) > 0 {}
        return count > 0
    }
}

import InlayCore

/// The memory limit of the media files of a session.
///
/// A download reserves the maximum size of a file and releases the bytes that the file does not need. A download for
/// which too little memory is free waits for running ones. So the limit holds however many ads are loaded at once.
final class MediaFileMemory: Sendable {
    /// The maximum size of a media file, in bytes.
    static let maximumFileBytes = 48 << 20
    /// The maximum size of all media files of a session together, in bytes.
    static let maximumBytes = 2 * maximumFileBytes

    private struct State {
        var reservedBytes = 0
        var runningDownloads = 0
    }

    private let state = Locked(State())
    private let changes = Observers<Void>(.bufferingNewest(1))

    /// Reserves memory for one file; `nil` when the waiting caller is cancelled.
    func reserve() async -> Reservation? {
        // Observes before the first attempt, so that no release in between is missed.
        let changes = changes.stream()
        if let reservation = tryReserve() { return reservation }
        for await _ in changes {
            if let reservation = tryReserve() { return reservation }
        }
        return nil
    }

    /// The number of reserved bytes.
    var reservedBytes: Int { state.withLock { $0.reservedBytes } }

    private func tryReserve() -> Reservation? {
        let bytes = state.withLock { state -> Int? in
            let bytes = min(Self.maximumBytes - state.reservedBytes, Self.maximumFileBytes)
            // A running download will release the bytes that it does not need; without one, waiting frees nothing.
            guard bytes == Self.maximumFileBytes || state.runningDownloads == 0 else { return nil }
            state.reservedBytes += bytes
            state.runningDownloads += 1
            return bytes
        }
        return bytes.map { Reservation(self, bytes: $0) }
    }

    private func release(_ bytes: Int, endsDownload: Bool) {
        state.withLock { state in
            state.reservedBytes -= bytes
            if endsDownload { state.runningDownloads -= 1 }
        }
        changes.yield(())
    }
}

extension MediaFileMemory {
    /// The reserved memory of one file. It is released when the reservation is.
    final class Reservation: Sendable {
        /// The maximum size of the file, in bytes; 0 when other files take all memory.
        let bytes: Int
        private let memory: MediaFileMemory
        private let size = Locked<Int?>(nil)

        init(_ memory: MediaFileMemory, bytes: Int) { (self.memory, self.bytes) = (memory, bytes) }

        deinit {
            let size = size.withLock { $0 }
            memory.release(size ?? bytes, endsDownload: size == nil)
        }

        /// Ends the download and reduces the reservation to the size of the file. Called once at most.
        func shrink(to newSize: Int) {
            size.withLock { $0 = newSize }
            memory.release(bytes - newSize, endsDownload: true)
        }
    }
}

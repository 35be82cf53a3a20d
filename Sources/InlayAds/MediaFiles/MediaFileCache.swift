import InlayCore

/// The memory for the media files of a session.
///
/// A file that is being downloaded reserves as much as it may have, and gives back what it did not need; one that finds
/// too little waits for those before it. So there is never more in memory than allowed, however many ads are loaded
/// at once.
final class MediaFileCache: Sendable {
    /// The maximum size of a media file, in bytes.
    static let maximumFileBytes = 48 << 20
    /// The maximum size of all media files of a session together, in bytes.
    static let maximumBytes = 2 * maximumFileBytes

    private struct State {
        var reservedBytes = 0
        /// The number of files that are being downloaded.
        var coming = 0
    }

    private let state = Locked(State())
    private let changes = Observers<Void>(.bufferingNewest(1))

    /// Reserves memory for one file; `nil` when the waiting caller is cancelled.
    func place() async -> Reservation? {
        // Before the first look: what becomes free in between is then heard of.
        let changes = changes.stream()
        if let place = take() { return place }
        for await _ in changes {
            if let place = take() { return place }
        }
        return nil
    }

    /// The number of reserved bytes.
    var reservedBytes: Int { state.withLock { $0.reservedBytes } }

    private func take() -> Reservation? {
        let bytes = state.withLock { state -> Int? in
            let bytes = min(Self.maximumBytes - state.reservedBytes, Self.maximumFileBytes)
            // A running download will release the bytes that it does not need; without one, waiting frees nothing.
            guard bytes == Self.maximumFileBytes || state.coming == 0 else { return nil }
            state.reservedBytes += bytes
            state.coming += 1
            return bytes
        }
        return bytes.map { Reservation(self, bytes: $0) }
    }

    private func free(_ bytes: Int, hasCome: Bool) {
        state.withLock { state in
            state.reservedBytes -= bytes
            if hasCome { state.coming -= 1 }
        }
        changes.yield(())
    }
}

extension MediaFileCache {
    /// Memory for one file, released with its last holder.
    final class Reservation: Sendable {
        /// The maximum size of the file; none when other files take all memory.
        let bytes: Int
        private let memory: MediaFileCache
        private let size = Locked<Int?>(nil)

        init(_ memory: MediaFileCache, bytes: Int) { (self.memory, self.bytes) = (memory, bytes) }

        deinit {
            let size = size.withLock { $0 }
            memory.free(size ?? bytes, hasCome: size == nil)
        }

        /// Reduces the reservation to the size of the downloaded file.
        func shrink(to newSize: Int) {
            size.withLock { $0 = newSize }
            memory.free(bytes - newSize, hasCome: true)
        }
    }
}

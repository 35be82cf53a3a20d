#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
package import Foundation

/// Atomic and durable writes: a file beside the old one, fsync, rename, fsync of the folder.
package enum DurableFile {
    /// The reason why a write failed.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ what: String, _ path: String) {
            description = "\(what) \(path): \(String(cString: strerror(errno)))"
        }
    }

    /// Writes a file with these permissions, in the place of an existing one.
    package static func write(_ bytes: Data, to url: URL, permissions: mode_t = 0o644) throws {
        let part = try PartialFile(beside: url, permissions: permissions)
        // Closed after the rename: until then the lock keeps another client from removing the file.
        defer { close(part.descriptor) }
        do {
            try write(bytes, to: part.descriptor, part.url.path)
            guard fsync(part.descriptor) == 0 else { throw Failure("cannot sync", part.url.path) }
        } catch {
            unlink(part.url.path)
            throw error
        }
        try promote(part.url, to: url)
    }

    /// Renames a synced file over another, and syncs the folder.
    static func promote(_ file: URL, to url: URL) throws {
        guard rename(file.path, url.path) == 0 else {
            let failure = Failure("cannot rename to", url.path)
            unlink(file.path)
            throw failure
        }
        try syncFolder(url.deletingLastPathComponent())
    }

    /// Syncs the folder, so that its entries survive a power cut.
    package static func syncFolder(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure("cannot open", folder.path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure("cannot sync", folder.path) }
    }

    private static func write(_ bytes: Data, to descriptor: Int32, _ path: String) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = systemWrite(descriptor, rest)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw Failure("cannot write", path) }
                rest = rest.dropFirst(written)
            }
        }
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        let buffer = UnsafeRawBufferPointer(rebasing: bytes)
        #if canImport(Darwin)
            return Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Glibc)
            return Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #else
            return Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }
}

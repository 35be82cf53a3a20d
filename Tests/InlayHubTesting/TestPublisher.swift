package import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) package import InlayTesting
@_spi(Inlay) package import InlayTrust
@_spi(Inlay) package import InlayWire

/// A publisher that signs versions with its own keys, and writes them to a scripted server or a folder.
package final class TestPublisher: Sendable {
    private struct State {
        var repository: TrustRepository
        var keys: TrustKeyring
        /// The metadata by published path. Files of earlier versions are kept, as on a server.
        var metadata: [String: Data]
        var targets: [String: Data] = [:]
    }

    package static let environment = "env"
    package let source: String
    private let state: Locked<State>

    package init(
        _ kind: TrustKeyPair.Kind = .ed25519, source: String = "harbor",
        now: Timestamp = Timestamp(seconds: 2_000_000_000)
    ) throws {
        self.source = source
        let keys = Self.keyring(kind)
        let repository = try TrustRepository(keys: keys, now: now)
        state = Locked(State(repository: repository, keys: keys, metadata: repository.files))
    }

    package static func keyring(_ kind: TrustKeyPair.Kind = .ed25519) -> TrustKeyring {
        func one() -> TrustKeyring.Role { .init([TrustKeyPair.generate(kind)]) }
        return TrustKeyring(root: one(), targets: one(), snapshot: one(), timestamp: one())
    }

    /// The first root metadata, which apps contain.
    package var root: Data { state.withLock { $0.repository.roots[0].bytes } }

    /// The public key of the first root.
    package var rootKey: TrustKey? {
        let root = state.withLock { $0.repository.roots[0].content }
        return root.keys.first { root.keys(of: .root).keyIDs.contains($0.id) }
    }

    package var keys: TrustKeyring { state.withLock { $0.keys } }
    package var metadata: [String: Data] { state.withLock { $0.metadata } }
    package var targets: [String: Data] { state.withLock { $0.targets } }

    /// Signs and publishes a version.
    package func publish(_ content: TestSource, now: Timestamp = Timestamp(seconds: 2_000_000_000)) throws {
        try publish(files: try content.targets(), now: now)
    }

    /// Signs and publishes these targets.
    package func publish(files: [String: Data], now: Timestamp = Timestamp(seconds: 2_000_000_000)) throws {
        try state.withLock { state in
            let list = files.sorted { $0.key < $1.key }.map { TargetFile(path: $0.key, contents: $0.value) }
            try state.repository.publish(list, keys: state.keys, now: now)
            state.metadata.merge(state.repository.files) { $1 }
            for file in list { state.targets[file.publishedPath(consistent: true)] = files[file.path] }
        }
    }

    /// Signs the timestamp again, so that its lifetime begins at `now`.
    package func renew(now: Timestamp) throws {
        try state.withLock { state in
            try state.repository.renew(keys: state.keys, now: now)
            state.metadata.merge(state.repository.files) { $1 }
        }
    }

    /// Replaces all keys.
    package func rotate(now: Timestamp = Timestamp(seconds: 2_000_000_000)) throws {
        try state.withLock { state in
            let next = Self.keyring()
            try state.repository.rotate(from: state.keys, to: next, now: now)
            state.keys = next
            state.metadata.merge(state.repository.files) { $1 }
        }
    }

    /// Returns the URL path of a target of the newest version.
    package func path(of target: String) -> String {
        let file = state.withLock { $0.repository.targets.content.targets.first { $0.path == target } }
        return targetPath(file?.publishedPath(consistent: true) ?? target)
    }

    package func metadataPath(_ name: String) -> String {
        InlayPath.hubMetadata(environment: Self.environment, source: source) + name
    }

    package func targetPath(_ path: String) -> String {
        InlayPath.hubTargets(environment: Self.environment, source: source) + path
    }

    /// Makes the server respond with the files published so far.
    package func serve(on server: ScriptedTransport) {
        for (name, data) in metadata { server.always(metadataPath(name), .file(data)) }
        for (path, data) in targets { server.always(targetPath(path), .file(data)) }
    }

    /// Writes `metadata/` and `targets/` in the layout of an app's preloaded content.
    package func write(to folder: URL) throws {
        for (tree, files) in [("metadata", metadata), ("targets", targets)] {
            for (path, data) in files {
                let place = folder.appendingPathComponent(tree).appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: place)
            }
        }
    }
}

extension ScriptedResponse {
    /// Returns a response with the whole file, or with the requested range.
    package static func file(_ data: Data) -> ScriptedResponse {
        .handler { request in
            guard let range = request.headers["Range"]?.dropFirst("bytes=".count).split(separator: "-"),
                let first = range.first.flatMap({ Int($0) }), let last = range.last.flatMap({ Int($0) })
            else { return TransportResponse(status: 200, body: data) }
            guard first < data.count else { return TransportResponse(status: 416) }
            let part = data[data.startIndex + first..<data.startIndex + min(last + 1, data.count)]
            return TransportResponse(status: 206, body: Data(part))
        }
    }
}

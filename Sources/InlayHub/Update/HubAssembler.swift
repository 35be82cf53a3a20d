import Foundation
import InlayCore
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// The assembler of one version's files, which finds them in the signed metadata and fetches those that are not on the
/// disk yet.
struct HubAssembler: Sendable {
    let trust: TrustClient
    let metadata: TrustedMetadata
    let blobs: HubBlobs
    let limits: HubLimits
    let progress: HubDownloadProgress

    /// Returns the name of the metadata from which a version is made.
    static func name(of metadata: TrustedMetadata) -> String { FileHash.hex(metadata.snapshot.bytes) }

    /// Returns the bytes of the policy; `nil` when the publisher has none.
    func policy() async throws(HubError) -> Data? {
        do throws(TrustError) {
            let target = try await trust.target(HubPolicy.target)
            return try await file(target)
        } catch {
            if error.threat == .notFound { return nil }
            throw HubError(error)
        }
    }

    /// Returns the publisher's number of the version.
    func version() async throws(HubError) -> Int64 {
        do throws(TrustError) {
            var files: [String: TargetFile] = [:]
            let data = try await verified(HubIndex.target, &files)
            return try readable { () throws(HubError) in
                try HubIndexReader(limits: limits).head(data)
            }.version
        } catch {
            throw HubError(error)
        }
    }

    /// Fetches the missing files of the version and returns its manifest when all are on the disk.
    func manifest() async throws(HubError) -> HubManifest {
        do throws(TrustError) {
            var files: [String: TargetFile] = [:]
            let index = try await index(into: &files)
            let wanted = index.targets.union(index.parts)
            guard wanted.count <= limits.files else {
                throw TrustError(.endlessData, "\(wanted.count) files, at most \(limits.files) are taken")
            }
            for path in wanted where files[path] == nil { files[path] = try await trust.target(path) }
            // Kept with the version, so that it need not be fetched again.
            do { files[HubPolicy.target] = try await trust.target(HubPolicy.target) } catch {
                guard error.threat == .notFound else { throw error }
            }
            try check(files)
            try await fetch(files.values.sorted { $0.path < $1.path })
            var signed: [String: HubFile] = [:]
            for (path, target) in files { signed[path] = try Self.file(target) }
            return HubManifest(
                version: index.version, metadata: Self.name(of: metadata),
                expires: metadata.timestamp.content.expires, files: signed)
        } catch {
            throw HubError(error)
        }
    }

    /// Returns the index with its parts, which are fetched if necessary.
    private func index(into files: inout [String: TargetFile]) async throws(TrustError) -> HubIndex {
        let reader = HubIndexReader(limits: limits)
        let head = try await verified(HubIndex.target, &files)
        let index = try readable { () throws(HubError) in try reader.head(head) }
        var parts: [HubIndexPart] = []
        for path in index.parts {
            let data = try await verified(path, &files)
            parts.append(try readable { () throws(HubError) in try reader.part(data, path) })
        }
        var whole = index.joined(parts)
        whole.parts = index.parts
        return whole
    }

    private func verified(_ path: String, _ files: inout [String: TargetFile]) async throws(TrustError)
        -> Data
    {
        let target = try await trust.target(path)
        guard target.length <= limits.indexBytes else {
            throw TrustError(.endlessData, "\(target.length) bytes of index", file: path)
        }
        files[path] = target
        return try await file(target)
    }

    /// Returns a file from the disk, or fetches and stores it.
    private func file(_ target: TargetFile) async throws(TrustError) -> Data {
        let file = try Self.file(target)
        if blobs.has(file), let data = blobs.verified(file) { return data }
        let data = try await trust.data(of: target)
        try keep(data, as: file)
        return data
    }

    private func keep(_ data: Data, as file: HubFile) throws(TrustError) {
        do { try blobs.add(data, as: file) } catch { throw TrustError(.storage, error.storageText) }
    }

    private func check(_ files: [String: TargetFile]) throws(TrustError) {
        var sum = 0
        for file in files.values {
            guard file.length <= limits.fileBytes else {
                throw TrustError(.endlessData, "\(file.length) bytes", file: file.path)
            }
            sum += file.length
            guard sum <= limits.versionBytes else {
                throw TrustError(.endlessData, "a version of more than \(limits.versionBytes) bytes")
            }
        }
    }

    /// Fetches what is missing; each file is written while the next one arrives.
    private func fetch(_ targets: [TargetFile]) async throws(TrustError) {
        var (missing, names): ([TargetFile], Set<String>) = ([], [])
        for target in targets {
            let file = try Self.file(target)
            if !blobs.has(file), names.insert(file.sha256).inserted { missing.append(target) }
        }
        progress.begin(total: missing.reduce(0) { $0 + $1.length })
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for target in missing {
                    let data = try await trust.data(of: target)
                    progress.completed(target.length)
                    // One file at most is still being written while the next arrives.
                    try await group.next()
                    let file = try Self.file(target)
                    group.addTask { try keep(data, as: file) }
                }
                try await group.waitForAll()
            }
            try blobs.sync()
        } catch let error as TrustError {
            throw error
        } catch let error as HubError {
            throw TrustError(.storage, error.storageText)
        } catch {
            throw TrustError(.cancelled, "the caller stopped waiting")
        }
        progress.finish()
    }

    static func file(_ target: TargetFile) throws(TrustError) -> HubFile {
        guard let hash = target.hashes.values["sha256"], FileHash.isHex(hash) else {
            throw TrustError(.policy, "no SHA-256", file: target.path)
        }
        return HubFile(length: target.length, sha256: hash)
    }

    private func readable<Value>(_ body: () throws(HubError) -> Value) throws(TrustError) -> Value {
        do { return try body() } catch { throw TrustError(.format, error.storageText) }
    }
}

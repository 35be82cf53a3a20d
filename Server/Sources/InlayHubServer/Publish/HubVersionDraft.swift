import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The files of the next version while they are collected.
struct HubVersionDraft {
    let state: HubState
    let number: Int64
    let moment: Timestamp
    /// All targets by path.
    private(set) var files: [String: HubBlob] = [:]
    /// The bytes of the targets that were generated for this version, by path.
    private(set) var generated: [String: Data] = [:]
    private(set) var contentVersion: Int64

    init(state: HubState, number: Int64, moment: Timestamp) {
        self.state = state
        self.number = number
        self.moment = moment
        contentVersion = number
    }

    /// Adds the files of new content, or the published files without new content.
    mutating func setContent(_ compiled: HubVersionContent?) throws {
        guard let compiled else {
            files = state.files
            contentVersion = state.source.contentVersion
            return
        }
        for (path, file) in compiled.files {
            files[path] = file.blob
            if case .generated(let data) = file { generated[path] = data }
        }
        for (path, data) in try compiled.indexFiles(version: number, at: moment) {
            files[path] = HubBlob(of: data)
            generated[path] = data
        }
    }

    /// Sets the version in the index of unchanged content, because a device compares it with the version of the content
    /// that is bundled with its app.
    mutating func renumber(_ index: Data) throws {
        var index = try JSONDecoder().decode(HubIndex.self, from: index)
        index.version = number
        let data = try HubJSON.data(index)
        files[HubIndex.target] = HubBlob(of: data)
        generated[HubIndex.target] = data
    }

    mutating func setPolicy() throws {
        let data = try HubJSON.data(state.policy)
        files[HubPolicy.target] = HubBlob(of: data)
        generated[HubPolicy.target] = data
    }

    /// Returns the version for the history.
    func version(by who: String, note: String?, fingerprint: String, compiled: HubVersionContent?)
        -> HubVersion
    {
        let old = Set(state.files.values)
        let new = files.values.filter { !old.contains($0) }
        let released = state.items.filter { $0.released != nil }
        let summary = HubVersion.Summary(
            note: note, hubs: compiled?.index.hubs.elements.count ?? count(.hub, released),
            channels: compiled?.index.channels.elements.count ?? count(.channel, released),
            articles: compiled?.index.articles.elements.count ?? count(.article, released),
            files: files.count, bytes: files.values.reduce(0) { $0 + $1.size }, newFiles: new.count,
            newBytes: new.reduce(0) { $0 + $1.size },
            revisions: Dictionary(released.map { ($0.reference.uri, $0.releasedRevision) }) { first, _ in
                first
            },
            policyVersion: state.policy.version, fingerprint: fingerprint,
            warnings: compiled.map { Array($0.warnings.prefix(HubVersion.Summary.maximumWarnings)) })
        return HubVersion(
            version: number, contentVersion: contentVersion, summary: summary, publishedBy: who,
            publishedAt: moment)
    }

    private func count(_ kind: HubKind, _ items: [HubItem]) -> Int { items.count { $0.kind == kind } }
}

public import Foundation
@_spi(Inlay) public import InlayWire
import InlayCore

/// One verified version of the content, as the device has it.
///
/// A holder can read all its files, also after a newer version took its place: files are deleted only when no holder is
/// left. Every file is hashed when it is read.
public final class HubContent: Sendable {
    /// The hubs, channels and articles of this version; parts are joined.
    @_spi(Inlay) public let index: HubIndex
    let manifest: HubManifest
    private let hubs: [String: HubPage]
    private let channels: [String: HubChannel]
    private let articles: [String: HubArticle]
    private let blobs: HubBlobs
    private let damaged: @Sendable (String) -> Void

    init(
        _ manifest: HubManifest, blobs: HubBlobs, limits: HubLimits,
        damaged: @escaping @Sendable (String) -> Void
    ) throws(HubError) {
        (self.manifest, self.blobs, self.damaged) = (manifest, blobs, damaged)
        index = try HubIndexReader(limits: limits).index { path throws(HubError) in
            guard let file = manifest.files[path] else {
                throw .invalidContent("The version has no \(path).")
            }
            guard let data = blobs.verified(file) else { throw .damagedFile(path) }
            return data
        }
        hubs = Dictionary(index.hubs.elements.map { ($0.id, $0) }) { first, _ in first }
        channels = Dictionary(index.channels.elements.map { ($0.id, $0) }) { first, _ in first }
        articles = Dictionary(index.articles.elements.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The version's number; only ever grows.
    public var version: Int64 { manifest.version }

    /// The paths of all files, sorted.
    public var paths: [String] { manifest.files.keys.sorted() }

    /// Returns the length of a file in bytes; `nil` when the version has no such file.
    public func length(of path: String) -> Int? { manifest.files[path]?.length }

    /// Returns the bytes of a file, which are what the publisher signed.
    ///
    /// - Throws: `damagedFile` when they are not any more. Only that file is refused; it is removed and
    ///   fetched again in the background.
    public func file(_ path: String) throws(HubError) -> Data {
        guard let file = manifest.files[path] else { throw .unknownFile(path) }
        guard let data = blobs.verified(file) else {
            damaged(path)
            throw .damagedFile(path)
        }
        return data
    }

    /// The hub with this id.
    @_spi(Inlay) public func hub(_ id: String) -> HubPage? { hubs[id] }

    /// The channel with this id.
    @_spi(Inlay) public func channel(_ id: String) -> HubChannel? { channels[id] }

    /// The article with this id.
    @_spi(Inlay) public func article(_ id: String) -> HubArticle? { articles[id] }

    /// The channels of a hub in the publisher's order.
    @_spi(Inlay) public func channels(of hub: HubPage) -> [HubChannel] {
        hub.channels.compactMap { channels[$0] }
    }

    /// The articles of a channel in the publisher's order.
    @_spi(Inlay) public func articles(of channel: HubChannel) -> [HubArticle] {
        channel.articles.compactMap { articles[$0] }
    }

    /// Returns the item that a reference names, with its title; `nil` when this version has no such item.
    public func item(_ reference: HubReference) -> HubContent.Item? {
        let title: String? =
            switch reference.kind {
            case .hub: hubs[reference.id]?.title
            case .channel: channels[reference.id]?.title
            case .article: articles[reference.id]?.title
            }
        return title.map { HubContent.Item(reference: reference, title: $0) }
    }

    /// Returns the tags of the item that a reference names.
    public func tags(of reference: HubReference) -> [String] {
        switch reference.kind {
        case .hub: hubs[reference.id]?.tags ?? []
        case .channel: channels[reference.id]?.tags ?? []
        case .article: articles[reference.id]?.tags ?? []
        }
    }
}

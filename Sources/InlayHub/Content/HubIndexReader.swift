import Foundation
@_spi(Inlay) import InlayWire

/// A reader for the index of a version, whose articles may be in parts, which are files of their own.
struct HubIndexReader {
    /// The maximum number of parts of an index.
    static let maximumParts = 1024

    let limits: HubLimits

    /// Returns the whole index; `file` returns the verified bytes of a target.
    func index(_ file: (String) throws(HubError) -> Data) throws(HubError) -> HubIndex {
        let head = try head(try file(HubIndex.target))
        var parts: [HubIndexPart] = []
        for path in head.parts { parts.append(try part(try file(path), path)) }
        return head.joined(parts)
    }

    /// Decodes the index file itself, without its parts.
    func head(_ data: Data) throws(HubError) -> HubIndex {
        let index: HubIndex = try decoded(data, HubIndex.target)
        guard index.format == 1 else {
            throw .invalidContent("The index has format \(index.format); this app reads 1.")
        }
        guard index.parts.count <= Self.maximumParts else {
            throw .tooLarge("The index has \(index.parts.count) parts.")
        }
        return index
    }

    /// Decodes one part of an index.
    func part(_ data: Data, _ path: String) throws(HubError) -> HubIndexPart { try decoded(data, path) }

    private func decoded<Value: Decodable>(_ data: Data, _ path: String) throws(HubError) -> Value {
        guard data.count <= limits.indexBytes else { throw .tooLarge("\(path) has \(data.count) bytes.") }
        do { return try JSONDecoder().decode(Value.self, from: data) } catch {
            throw .invalidContent("\(path) cannot be read: \(error)")
        }
    }
}

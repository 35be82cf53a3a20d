import Foundation
import InlayServerCore

/// A check that the bytes of a picture are of the kind that its extension names.
///
/// It reads only the beginning. A browser shows a picture that is damaged after the beginning as broken; a text or a
/// page with a picture's extension is a mistake of the author that can be reported.
enum PictureBytes {
    /// The number of bytes from the beginning of a file that the check needs.
    static let headLength = 64 << 10

    /// Returns why the bytes are not a picture of this kind; `nil` when they are, and for files that are no pictures.
    static func fault(_ head: Data, _ media: HubMedia) -> String? {
        guard media.isPicture, !isKind([UInt8](head.prefix(headLength)), media) else { return nil }
        let kind = media == .jpeg ? "JPG" : media.rawValue.uppercased()
        return "The bytes are not those of a picture in \(kind) format."
    }

    private static func isKind(_ head: [UInt8], _ media: HubMedia) -> Bool {
        switch media {
        case .png:
            head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
                && head.dropFirst(12).starts(with: "IHDR".utf8)
        case .jpg, .jpeg: head.starts(with: [0xFF, 0xD8, 0xFF])
        case .gif: head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8)
        case .webp: head.starts(with: "RIFF".utf8) && head.dropFirst(8).starts(with: "WEBP".utf8)
        case .avif: isAVIF(head)
        case .svg: isSVG(head)
        default: false
        }
    }

    /// Whether the bytes begin an ISO media file whose first box names AVIF among its brands.
    private static func isAVIF(_ head: [UInt8]) -> Bool {
        guard head.count >= 16, head[4..<8].elementsEqual("ftyp".utf8) else { return false }
        let length = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        let brands =
            [head[8..<12]]
            + stride(from: 16, to: min(length, head.count) - 3, by: 4).map { head[$0..<($0 + 4)] }
        return brands.contains { $0.elementsEqual("avif".utf8) || $0.elementsEqual("avis".utf8) }
    }

    /// Whether the first element is `svg`, after an XML declaration, comments and a document type.
    private static func isSVG(_ head: [UInt8]) -> Bool {
        var rest = Substring(String(decoding: head, as: UTF8.self))
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.hasPrefix("<?"), let end = rest.range(of: "?>") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!--"), let end = rest.range(of: "-->") {
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!DOCTYPE"), let end = documentTypeEnd(rest) {
                rest = rest[end...]
            } else {
                break
            }
        }
        guard rest.first == "<" else { return false }
        let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        return name == "svg" || name.hasSuffix(":svg")
    }

    /// Returns the index after a document type declaration, which may contain an internal subset in brackets.
    private static func documentTypeEnd(_ text: Substring) -> Substring.Index? {
        var isInSubset = false
        for index in text.indices {
            switch text[index] {
            case "[": isInSubset = true
            case "]": isInSubset = false
            case ">" where !isInSubset: return text.index(after: index)
            default: break
            }
        }
        return nil
    }
}

extension HubBlobStore {
    /// Returns the reason why a stored file is not a picture of this kind; `nil` when it is.
    func pictureFault(_ environmentID: EnvironmentID, _ blob: HubBlob, _ media: HubMedia) async throws
        -> String?
    {
        var head = Data()
        let count = min(blob.size, PictureBytes.headLength)
        for try await bytes in read(environmentID, blob, 0..<count) { head += bytes }
        return PictureBytes.fault(head, media)
    }
}

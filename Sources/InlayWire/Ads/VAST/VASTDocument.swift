public import Foundation

/// A VAST document of versions 2, 3 and 4.0 to 4.2, read under limits.
///
/// Parts that cannot be used are left out one by one and listed in ``faults``. An ad that breaks the rules is listed in
/// ``refused`` with its code; a tracker that is no web address is dropped. Addresses are kept as ``WebAddress`` reads
/// them, with their macros, which ``VASTMacros`` fills. Addresses with http are kept with https and listed in
/// ``upgrades``.
@_spi(Inlay) public struct VASTDocument: Hashable, Sendable {
    /// The newest version that is known; a document that states none is read as this version.
    public static let newestVersion = "4.2"

    /// The version as the document states it, for example `4.2`.
    public var version: String
    /// The ads that can be used, in the document's order.
    public var ads: [VASTAd]
    /// The ads that cannot be used, each with the error code for its ad server.
    public var refused: [VASTRefusal]
    /// The addresses for errors of the whole document, such as having no ad.
    public var errors: [String]
    /// The parts that were left out; at most 50 are kept.
    public var faults: [VASTFault]
    /// The addresses that came with http and are fetched with https; at most 50 are kept.
    public var upgrades: [VASTUpgrade] = []
    /// The number of addresses that came with http and are requested with https.
    public var upgradeCount = 0

    /// Creates a document from its parts.
    public init(
        version: String = newestVersion, ads: [VASTAd] = [], refused: [VASTRefusal] = [],
        errors: [String] = [], faults: [VASTFault] = []
    ) {
        self.version = version
        self.ads = ads
        self.refused = refused
        self.errors = errors
        self.faults = faults
    }

    /// Reads a document; throws with code 100, 101 or 102 when it cannot be read.
    ///
    /// A document is refused before it is parsed when it is neither UTF-8 nor UTF-16 with a byte order mark, has a
    /// document type or an entity of its own, or exceeds a limit. A bare `&`, common in addresses, is read as itself.
    ///
    /// - Parameter source: The address of the document after all redirects. Relative addresses in the document are
    ///   resolved against it; without it, they are left out.
    public init(
        reading document: Data, from source: URL? = nil, limits: VASTLimits = VASTLimits()
    ) throws(VASTError) {
        guard document.count <= limits.bytes else {
            throw VASTError(.unreadable, "\(document.count) bytes are too many")
        }
        let root: XMLTree
        do {
            root = try XMLTree(reading: document, limits: limits.xml, repairing: VASTSource.repaired)
        } catch {
            throw VASTError(.unreadable, error.description)
        }
        self = try VASTReader.document(root, limits, from: source.flatMap { WebAddress($0) })
    }

    /// Reads a document from a text.
    public init(reading document: String, limits: VASTLimits = VASTLimits()) throws(VASTError) {
        try self.init(reading: Data(document.utf8), limits: limits)
    }

    /// The ads of the pod, in its sequence; empty when no ad is in a pod.
    public var pod: [VASTAd] {
        // The offset keeps ads with the same number in the document's order.
        ads.enumerated().filter { $0.element.sequence != nil }
            .sorted { ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset) }
            .map(\.element)
    }

    /// Ads and refused ads in the document's order.
    public var entries: [VASTEntry] {
        var entries = ads.map(VASTEntry.ad)
        // From the last to the first, so that an insertion does not change the positions of the others.
        for refusal in refused.reversed() {
            entries.insert(.refused(refusal), at: min(max(refusal.precedingAdCount, 0), entries.count))
        }
        return entries
    }

    /// The ads that stand alone: any one of them may be shown.
    public var standAlone: [VASTAd] { ads.filter { $0.sequence == nil } }
}

/// An ad of a document that cannot be used.
@_spi(Inlay) public struct VASTRefusal: Hashable, Sendable {
    /// The ad's id; `nil` when it states none.
    public var id: String?
    /// The ad's position in a pod, from 1; `nil` when it stands alone.
    public var sequence: Int?
    /// The error code for its ad server.
    public var code: VASTErrorCode
    /// The rule that was broken.
    public var detail: String
    /// The addresses to send the code to, with the macro `[ERRORCODE]`.
    public var errors: [String]
    /// The number of usable ads before this one in the document.
    public var precedingAdCount = 0
}

/// An element `Ad` of a document.
@_spi(Inlay) public enum VASTEntry: Hashable, Sendable {
    /// An ad that can be used.
    case ad(VASTAd)
    /// An ad that cannot be used.
    case refused(VASTRefusal)

    /// The position in a pod, from 1; `nil` when the ad stands alone.
    public var sequence: Int? {
        switch self {
        case .ad(let ad): ad.sequence
        case .refused(let refusal): refusal.sequence
        }
    }
}

/// An address that came with http and is fetched with https.
@_spi(Inlay) public struct VASTUpgrade: Hashable, Sendable {
    /// The path of the element, for example `Impression`.
    public var path: String
    /// The address as it came.
    public var address: String
}

/// A part of a document that was left out.
@_spi(Inlay) public struct VASTFault: Hashable, Sendable {
    /// The path of the element, for example `Linear/MediaFile`.
    public var path: String
    /// The rule that was broken.
    public var detail: String
}

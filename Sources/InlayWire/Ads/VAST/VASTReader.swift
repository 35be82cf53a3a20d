/// A reader that creates a VAST document from its XML elements.
///
/// Names are those of the specification. An attribute that the versions spell differently is found in each spelling.
struct VASTReader {
    let limits: VASTLimits
    /// The document's own address, against which relative addresses are resolved.
    private let source: WebAddress?
    private(set) var faults: [VASTFault] = []
    private var upgrades: [VASTUpgrade] = []
    private var upgradeCount = 0
    /// The number of addresses of each event of the ad that is being read.
    private var counts: [String: Int] = [:]

    private init(_ limits: VASTLimits, _ source: WebAddress?) {
        (self.limits, self.source) = (limits, source)
    }

    static func document(
        _ root: XMLTree, _ limits: VASTLimits, from source: WebAddress?
    ) throws(VASTError) -> VASTDocument {
        guard root.vastName == "VAST" else {
            // VAST 1 has another root element.
            let isFirst = root.vastName == "VideoAdServingTemplate"
            throw VASTError(isFirst ? .unknownVersion : .invalid, "the root is not VAST")
        }
        let version = (root.attribute("version") ?? VASTDocument.newestVersion).filter { !$0.isWhitespace }
        guard let major = version.first, "234".contains(major), version.dropFirst().first ?? "." == "." else {
            throw VASTError(.unknownVersion, "only versions 2, 3 and 4 are read")
        }
        var reader = VASTReader(limits, source)
        var document = VASTDocument(version: version.prefix(scalars: 8))
        for element in root.elements {
            switch element.vastName {
            case "Ad": reader.ad(element, into: &document)
            case "Error": reader.address(element, "VAST/Error") { document.errors.append($0) }
            default: break
            }
        }
        document.errors = Array(document.errors.prefix(limits.trackersPerEvent))
        document.faults = reader.faults
        (document.upgrades, document.upgradeCount) = (reader.upgrades, reader.upgradeCount)
        return document
    }

    private mutating func ad(_ element: XMLTree, into document: inout VASTDocument) {
        guard document.ads.count + document.refused.count < limits.ads else {
            return fault("Ad", "more ads than are read")
        }
        counts = [:]
        var ad = VASTAd(
            id: element.attribute("id"), sequence: element.attribute("sequence").flatMap(Int.init))
        do throws(VASTError) {
            let bodies = element.children.filter { ["InLine", "Wrapper"].contains($0.vastName) }
            guard bodies.count == 1, let body = bodies.first else {
                throw VASTError(.invalid, "an ad is either in line or a wrapper")
            }
            try read(body, into: &ad)
            document.ads.append(ad)
        } catch {
            document.refused.append(
                VASTRefusal(
                    id: ad.id, sequence: ad.sequence, code: error.code, detail: error.detail,
                    errors: ad.errors, precedingAdCount: document.ads.count))
        }
    }

    // The `Error` addresses are read first, so that the ad server of a refused ad can be notified.
    private mutating func read(_ body: XMLTree, into ad: inout VASTAd) throws(VASTError) {
        for element in body.elements where element.vastName == "Error" {
            link(element, "Error") { ad.errors.append($0.address) }
        }
        for element in body.elements { field(element, into: &ad) }
        if body.vastName == "Wrapper" { ad.content = .wrapper(try wrapper(body)) }
        for element in body.elements where element.vastName == "Creatives" {
            for creative in element.elements where creative.vastName == "Creative" {
                try self.creative(creative, isWrapper: ad.wrapper != nil, into: &ad)
            }
        }
        guard ad.wrapper != nil || !ad.creatives.isEmpty else {
            throw VASTError(.invalid, "an ad without creatives")
        }
    }

    private mutating func field(_ element: XMLTree, into ad: inout VASTAd) {
        switch element.vastName {
        case "AdSystem": ad.system = element.trimmedText
        case "AdTitle": ad.title = element.trimmedText
        case "Advertiser": ad.advertiser = element.trimmedText
        case "Category": ad.categories.append(category(element))
        case "Impression": link(element, "Impression") { ad.impressions.append($0) }
        case "ViewableImpression": viewability(element, into: &ad)
        case "AdVerifications": ad.verifications += verifications(element)
        case "Extensions":
            // In versions 2 and 3, verifications are inside an extension.
            for child in element.elements where child.vastName == "Extension" {
                for inner in child.elements where inner.vastName == "AdVerifications" {
                    ad.verifications += verifications(inner)
                }
            }
        default: break
        }
    }

    private mutating func viewability(_ element: XMLTree, into ad: inout VASTAd) {
        for child in element.elements {
            switch child.vastName {
            case "Viewable": link(child, "Viewable") { ad.viewability.viewable.append($0.address) }
            case "NotViewable":
                link(child, "NotViewable") { ad.viewability.notViewable.append($0.address) }
            case "ViewUndetermined":
                link(child, "ViewUndetermined") { ad.viewability.undetermined.append($0.address) }
            default: break
            }
        }
    }

    private mutating func wrapper(_ body: XMLTree) throws(VASTError) -> VASTWrapper {
        guard let tag = body.children.first(where: { $0.vastName == "VASTAdTagURI" }) else {
            throw VASTError(.invalid, "a wrapper without an address")
        }
        let address: String
        do throws(WebAddress.Refusal) {
            address = try read(tag.trimmedText, "Wrapper/VASTAdTagURI")
        } catch {
            throw VASTError(.wrapper, "a wrapper with \(error.description)")
        }
        return VASTWrapper(
            address: address, followsWrappers: body.flag("followAdditionalWrappers") ?? true,
            allowsPods: body.flag("allowMultipleAds") ?? false,
            fallsBack: body.flag("fallbackOnNoAd") ?? false,
            blockedCategories: body.children.filter { $0.vastName == "BlockedAdCategories" }.map(category))
    }

    private func category(_ element: XMLTree) -> VASTCategory {
        VASTCategory(authority: element.attribute("authority") ?? "", code: element.trimmedText)
    }
}

// MARK: What the parts share

extension VASTReader {
    /// Passes the address in an element to `take`, or records a fault.
    mutating func address(_ element: XMLTree, _ path: String, _ take: (String) -> Void) {
        do throws(WebAddress.Refusal) {
            take(try read(element.trimmedText, path))
        } catch .empty {
            // Ad servers send an empty element when there is no address; that is no fault.
        } catch {
            fault(path, error.description)
        }
    }

    /// Returns the secured address in a text of the document; records an address that came with http.
    private mutating func read(_ text: String, _ path: String) throws(WebAddress.Refusal) -> String {
        let address = try WebAddress(
            text, relativeTo: source, cleartextHosts: limits.cleartextHosts, maximumBytes: limits.addressBytes
        )
        let secured = try limits.secured(address)
        if secured != address {
            upgradeCount += 1
            if upgrades.count < 50 { upgrades.append(VASTUpgrade(path: path, address: address.text)) }
        }
        return secured.text
    }

    /// Passes the address and id in an element to `take`, unless the event has the maximum number of addresses.
    mutating func link(
        _ element: XMLTree, _ path: String, event: String? = nil, _ take: (VASTLink) -> Void
    ) {
        let event = event ?? path
        guard counts[event, default: 0] < limits.trackersPerEvent else {
            return fault(path, "more than \(limits.trackersPerEvent) for one event")
        }
        var isAccepted = false
        address(element, path) { address in
            take(VASTLink(address, id: element.attribute("id")))
            isAccepted = true
        }
        if isAccepted { counts[event, default: 0] += 1 }
    }

    mutating func fault(_ path: String, _ detail: String) {
        guard faults.count < 50 else { return }
        faults.append(VASTFault(path: path, detail: detail))
    }
}

extension XMLTree {
    /// The element's name without its namespace prefix, which each document may choose.
    var vastName: Substring {
        guard name.utf8.contains(UInt8(ascii: ":")), let colon = name.lastIndex(of: ":") else {
            return name[...]
        }
        return name[name.index(after: colon)...]
    }

    /// The child elements, as a sequence that allocates no array.
    var elements: some Sequence<XMLTree> {
        nodes.lazy.compactMap { node -> XMLTree? in
            if case .element(let child) = node { child } else { nil }
        }
    }

    /// The text without white space at its ends.
    var trimmedText: String {
        if nodes.count == 1 {
            switch nodes[0] {
            case .text(let text), .cdata(let text): return Self.trimmed(text)
            case .element: return ""
            }
        }
        return Self.trimmed(text)
    }

    /// Returns the first of these attributes that is not empty, trimmed; `nil` when there is none.
    func attribute(_ names: String...) -> String? {
        for name in names {
            guard let value = attributes[name] else { continue }
            let trimmed = Self.trimmed(value)
            if !trimmed.isEmpty { return trimmed }
        }
        return nil
    }

    func flag(_ name: String) -> Bool? {
        switch attribute(name)?.lowercased() {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// Returns the size of a file in bytes; `nil` for a negative number, or one that a `Double` cannot hold exactly.
    func byteCount(_ name: String) -> Int? {
        guard let text = attributes[name], let value = (try? TypedNumber(text))?.double else { return nil }
        return value >= 0 && value <= 0x1p53 ? Int(value) : nil
    }

    func number(_ names: String...) -> Int? {
        for name in names {
            guard let text = attributes[name], let value = (try? TypedNumber(text))?.double else { continue }
            // Some documents have sizes such as "640.0". A negative number, or one beyond every screen, is ignored.
            return value >= 0 && value <= 1_000_000 ? Int(value) : nil
        }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        let utf8 = text.utf8
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = utf8.first, let last = utf8.last else { return "" }
        guard isSpace(first) || isSpace(last) else { return text }
        guard let start = utf8.firstIndex(where: { !isSpace($0) }),
            let end = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(text[start...end])
    }
}

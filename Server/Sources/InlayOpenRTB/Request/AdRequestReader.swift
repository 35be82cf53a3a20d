@_spi(Inlay) package import InlayWire
package import NIOCore

/// A parser of the ad request of the Yabbi SDK and of its `ext`, without Foundation's decoder.
///
/// It accepts and refuses the same requests as that decoder, which a test compares, and names the place of a fault.
package enum AdRequestReader {
    /// Parses a request's body; throws the fault, which the server answers with 400.
    package static func read(_ buffer: ByteBuffer) throws(OpenRTB.Fault) -> AdRequest {
        guard buffer.readableBytes <= AdLimits.maximumRequestBytes else {
            throw OpenRTB.Fault("", .tooLarge, "\(AdLimits.maximumRequestBytes) bytes")
        }
        return try buffer.withUnsafeReadableBytes { read($0.bindMemory(to: UInt8.self)) }.get()
    }

    /// Parses bytes.
    package static func read(_ bytes: [UInt8]) throws(OpenRTB.Fault) -> AdRequest {
        guard bytes.count <= AdLimits.maximumRequestBytes else {
            throw OpenRTB.Fault("", .tooLarge, "\(AdLimits.maximumRequestBytes) bytes")
        }
        return try bytes.withUnsafeBufferPointer { read($0) }.get()
    }

    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<AdRequest, OpenRTB.Fault> {
        var scanner = JSONScanner(bytes)
        var draft = Draft()
        let isObject = scanner.object { scanner, name in draft.take(name, &scanner) }
        scanner.end()
        if let failure = scanner.failure { return .failure(failure) }
        if let fault = draft.fault ?? (isObject ? nil : OpenRTB.Fault("", .wrongType, "an object")) {
            return .failure(fault)
        }
        guard draft.hasPublisher else { return .failure(OpenRTB.Fault("pubID", .missing)) }
        guard draft.hasUnit else { return .failure(OpenRTB.Fault("unitID", .missing)) }
        return .success(draft.request)
    }

    private struct Draft {
        var request = AdRequest(
            pubID: "", unitID: "", bundle: "", userAgent: "", appName: "", geo: nil, ext: nil)
        var hasPublisher = false
        var hasUnit = false
        var fault: OpenRTB.Fault?

        mutating func take(_ name: JSONQuoted, _ scanner: inout JSONScanner) {
            if name.isEqual(to: "ifa") {
                request.ifa = text("ifa", &scanner) ?? ""
            } else if name.isEqual(to: "pubID") {
                let id = text("pubID", &scanner)
                (request.pubID, hasPublisher) = (id ?? "", id != nil)
            } else if name.isEqual(to: "unitID") {
                let id = text("unitID", &scanner)
                (request.unitID, hasUnit) = (id ?? "", id != nil)
            } else if name.isEqual(to: "bundle") {
                request.bundle = text("bundle", &scanner) ?? ""
            } else if name.isEqual(to: "userAgent") {
                request.userAgent = text("userAgent", &scanner) ?? ""
            } else if name.isEqual(to: "appName") {
                request.appName = text("appName", &scanner) ?? ""
            } else if name.isEqual(to: "geo") {
                geo(&scanner)
            } else if name.isEqual(to: "ext") {
                request.ext = scanner.inside("ext") { $0.adRequestExtension() }
            }
        }

        private mutating func text(_ name: StaticString, _ scanner: inout JSONScanner) -> String? {
            let before = scanner.faultCount
            let text = scanner.inside(name) { $0.text() }
            if scanner.faultCount > before, fault == nil {
                fault = OpenRTB.Fault("\(name)", .wrongType, "a text")
            }
            return text
        }

        private mutating func needs(_ path: String) { fault = fault ?? OpenRTB.Fault(path, .missing) }

        private mutating func geo(_ scanner: inout JSONScanner) {
            let before = scanner.faultCount
            var (latitude, longitude, precision): (Double?, Double?, Double?) = (nil, nil, nil)
            let isObject = scanner.inside("geo") { scanner in
                scanner.object { scanner, name in
                    if name.isEqual(to: "latitude") {
                        latitude = scanner.inside("latitude") { $0.double() }
                    } else if name.isEqual(to: "longitude") {
                        longitude = scanner.inside("longitude") { $0.double() }
                    } else if name.isEqual(to: "precision") {
                        precision = scanner.inside("precision") { $0.double() }
                    }
                }
            }
            if scanner.faultCount > before {
                fault = fault ?? scanner.faults.last ?? OpenRTB.Fault("geo", .wrongType)
            } else if isObject {
                guard let latitude else { return needs("geo.latitude") }
                guard let longitude else { return needs("geo.longitude") }
                guard let precision else { return needs("geo.precision") }
                request.geo = AdGeo(latitude: latitude, longitude: longitude, precision: precision)
            }
        }
    }
}

// MARK: Optional fields

extension JSONScanner {
    /// Reads a value; returns `nil` when something in it has an unexpected type.
    fileprivate mutating func readable<Value>(
        _ name: StaticString, _ read: (inout JSONScanner) -> Value?
    ) -> Value? {
        let before = faultCount
        let value = inside(name, read)
        return faultCount == before ? value : nil
    }

    fileprivate mutating func adRequestExtension() -> AdRequestExtension? {
        var ext = AdRequestExtension()
        let isObject = object { scanner, name in
            if name.isEqual(to: "consent") {
                ext.consent = scanner.inside("consent") { $0.adConsent() }
            } else if name.isEqual(to: "format") {
                ext.format = scanner.readable("format") { $0.text() }.flatMap(AdFormat.init)
            } else if name.isEqual(to: "size") {
                ext.size = scanner.readable("size") { $0.adSize() }
            } else if name.isEqual(to: "sdkVersion") {
                ext.sdkVersion = scanner.readable("sdkVersion") { $0.text() }
            } else if name.isEqual(to: "storeID") {
                ext.storeID = scanner.readable("storeID") { $0.text() }
            }
        }
        return isObject ? ext : nil
    }

    private mutating func adSize() -> AdSize? {
        var (width, height): (Double?, Double?) = (nil, nil)
        let isObject = object { scanner, name in
            if name.isEqual(to: "width") { width = scanner.double() }
            if name.isEqual(to: "height") { height = scanner.double() }
        }
        guard isObject, let width, let height else { return nil }
        return AdSize(width: width, height: height)
    }

    private mutating func adConsent() -> AdConsent? {
        let before = faultCount
        var consent = AdConsent()
        let isObject = object { scanner, name in
            if name.isEqual(to: "gdprApplies") {
                consent.gdprApplies = scanner.readable("gdprApplies") { $0.bool() }
            } else if name.isEqual(to: "tcf") {
                consent.tcf = scanner.readable("tcf") { $0.text() }
            } else if name.isEqual(to: "gpp") {
                consent.gpp = scanner.readable("gpp") { $0.text() }
            } else if name.isEqual(to: "gppSids") {
                consent.gppSids = scanner.readable("gppSids") { $0.integers() }
            } else if name.isEqual(to: "coppa") {
                consent.coppa = scanner.readable("coppa") { $0.bool() }
            } else if name.isEqual(to: "lmt") {
                consent.lmt = scanner.readable("lmt") { $0.bool() }
            } else if name.isEqual(to: "att") {
                consent.att = scanner.readable("att") { $0.integer() }
            }
        }
        consent.isUnreadable = faultCount > before
        return isObject || consent.isUnreadable ? consent : nil
    }

    private mutating func integers() -> [Int]? {
        var all: [Int] = []
        let isArray = array { scanner in
            if let number = scanner.integer() { all.append(number) } else { scanner.note(.wrongType) }
        }
        return isArray ? all : nil
    }
}

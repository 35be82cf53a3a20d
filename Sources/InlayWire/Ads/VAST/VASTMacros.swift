/// Values for the macros of an address, such as `[ERRORCODE]`.
///
/// A macro of the specification without a value becomes `-1`, one whose value is withheld `-2`, as in VAST 4.1 and
/// later. Macros that the specification does not name stay as they are.
@_spi(Inlay) public struct VASTMacros: Hashable, Sendable {
    private var values: [String: String]

    /// Creates values: a random number of 8 digits for `[CACHEBUSTING]`, the time for `[TIMESTAMP]`.
    public init(now: Timestamp, random: UInt32) {
        let number = String(random % 100_000_000)
        values = [
            "CACHEBUSTING": String(repeating: "0", count: 8 - number.count) + number,
            "TIMESTAMP": now.rfc3339,
        ]
    }

    /// Returns a copy with the error code of an ad that could not be shown.
    public func failing(_ code: VASTErrorCode) -> Self {
        with("ERRORCODE", String(code.rawValue))
    }

    /// Returns a copy with a position in the video.
    public func at(_ playhead: Duration) -> Self {
        let text = Self.clock(playhead)
        return with("ADPLAYHEAD", text).with("MEDIAPLAYHEAD", text).with("CONTENTPLAYHEAD", text)
    }

    /// Returns a copy with the address and type of the file that is played.
    public func playing(_ file: VASTMediaFile) -> Self {
        with("ASSETURI", file.address).with("MEDIAMIME", file.type)
    }

    /// Returns a copy with a value for a macro of the specification, for example `PLAYERSIZE`.
    public func with(_ name: String, _ value: String) -> Self {
        var copy = self
        copy.values[name] = value
        return copy
    }

    /// Returns the address with its macros filled, each value percent-encoded.
    public func filled(_ address: String) -> String { Self.filled(address) { value($0) } }

    /// Returns the address with each macro filled that has a value, also where its brackets are percent-encoded. Macros
    /// without a value stay.
    public static func filled(_ address: String, _ value: (_ name: Substring) -> String?) -> String {
        guard address.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "%") }) else {
            return address
        }
        var filled = ""
        var rest = address[...]
        while let (range, name) = next(rest) {
            filled += rest[..<range.lowerBound]
            filled += value(name) ?? String(rest[range])
            rest = rest[range.upperBound...]
        }
        return filled + rest
    }

    private func value(_ name: Substring) -> String? {
        if let value = values[String(name)] { return PercentEncoding.encode(value) }
        if Self.withheld.contains(String(name)) { return "-2" }
        return Self.known.contains(String(name)) ? "-1" : nil
    }

    /// Returns the next `[NAME]`, also where the brackets are percent-encoded.
    private static func next(_ text: Substring) -> (Range<Substring.Index>, Substring)? {
        var rest = text
        while let open = opening(rest) {
            let name = rest[open.upperBound...].prefix { $0.isASCII && ($0.isUppercase || $0 == "_") }
            let after = rest[name.endIndex...]
            let isEncoded = rest[open] != "["
            let closing =
                isEncoded ? (after.hasPrefix("%5D") || after.hasPrefix("%5d")) : after.hasPrefix("]")
            if closing, !name.isEmpty {
                let end = after.index(after.startIndex, offsetBy: isEncoded ? 3 : 1)
                return (open.lowerBound..<end, name)
            }
            rest = rest[open.upperBound...]
        }
        return nil
    }

    private static func opening(_ text: Substring) -> Range<Substring.Index>? {
        var rest = text
        while let place = rest.firstIndex(where: { $0 == "[" || $0 == "%" }) {
            let next = rest.index(after: place)
            if rest[place] == "[" { return place..<next }
            let three = rest[place...].prefix(3)
            if three.lowercased() == "%5b" { return place..<three.endIndex }
            rest = rest[next...]
        }
        return nil
    }

    private static func clock(_ time: Duration) -> String {
        let milliseconds = max(time.microseconds / 1000, 0)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = milliseconds % 1000
        let fraction = String(repeating: "0", count: 3 - String(rest).count) + String(rest)
        let seconds = milliseconds / 1000
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)"
    }

    // Macros that identify the user: they are never filled in.
    private static let withheld: Set<String> = [
        "IFA", "IFATYPE", "DEVICEIP", "LATLONG", "CLIENTUA", "GDPRCONSENT",
    ]

    private static let known: Set<String> = [
        "ERRORCODE", "CACHEBUSTING", "TIMESTAMP", "ADPLAYHEAD", "MEDIAPLAYHEAD", "CONTENTPLAYHEAD",
        "ASSETURI",
        "MEDIAMIME", "ADCATEGORIES", "ADCOUNT", "ADSERVINGID", "ADTYPE", "APPBUNDLE", "APIFRAMEWORKS",
        "BLOCKEDADCATEGORIES", "BREAKMAXADLENGTH", "BREAKMAXADS", "BREAKMAXDURATION", "BREAKMINADLENGTH",
        "BREAKMINDURATION", "BREAKPOSITION", "CLICKPOS", "CLICKTYPE", "CONTENTCAT", "CONTENTID", "CONTENTURI",
        "DEVICEUA", "DOMAIN", "EXTENSIONS", "INVENTORYSTATE", "LIMITADTRACKING", "OMIDPARTNER", "PAGEURL",
        "PLACEMENTTYPE", "PLAYERCAPABILITIES", "PLAYERSIZE", "PLAYERSTATE", "PODSEQUENCE", "REASON",
        "REGULATIONS", "SERVERSIDE", "SERVERUA", "TRANSACTIONID", "UNIVERSALADID", "VASTVERSIONS",
        "VERIFICATIONVENDORS",
    ]
}

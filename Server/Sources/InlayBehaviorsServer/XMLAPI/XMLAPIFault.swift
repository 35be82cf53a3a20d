import InlayServerCore
@_spi(Inlay) import InlayWire

/// The error of a request that had no effect, with the documented number on which programs branch.
struct XMLAPIFault: Error, Hashable {
    let id: Int
    /// The class of the error, as documented: `SP.API` or `SP.ListManager`.
    let origin: String
    let message: String

    private init(_ id: Int, _ message: String, origin: String = "SP.ListManager") {
        self.id = id
        self.message = message
        self.origin = origin
    }

    private static let api = "SP.API"

    static let serverError = XMLAPIFault(50, "Server error. It has been logged; try again.", origin: api)
    static func invalidXML(_ why: String) -> Self { Self(51, "Invalid XML request: \(why).", origin: api) }
    static let missingXML = XMLAPIFault(52, "There is no XML in the request.", origin: api)
    static func missing(_ name: String) -> Self { Self(100, "Parameter missing: \(name).", origin: api) }
    static func invalid(_ name: String, _ rule: String) -> Self {
        Self(100, "Parameter invalid: \(name): \(rule)", origin: api)
    }
    static let sessionEnded = XMLAPIFault(145, "Session has expired or is invalid.", origin: api)
    static let noPermission = XMLAPIFault(150, "There is no permission to do this.", origin: api)

    static let badList = XMLAPIFault(106, "List id is not valid.")
    static let noEmail = XMLAPIFault(121, "The EMAIL of the recipient is missing.")
    static let exists = XMLAPIFault(122, "Recipient already exists.")
    static let doesNotExist = XMLAPIFault(123, "Recipient does not exist.")
    static let badRecipient = XMLAPIFault(124, "Recipient id is not valid.")
    static let notMember = XMLAPIFault(128, "Recipient is not a member of the list.")
    static let optedOut = XMLAPIFault(129, "Recipient has opted out of the list.")
    static func keyMissing(_ names: [String]) -> Self {
        Self(211, "Required unique key columns are missing: \(names.joined(separator: ", ")).")
    }
    static func noColumn(_ name: String) -> Self {
        Self(314, "Column not found: \(name.prefix(scalars: 200)).")
    }
    static let columnWithoutName = XMLAPIFault(316, "A COLUMN has no NAME.")
    static let syncFieldWithoutName = XMLAPIFault(329, "A SYNC_FIELD has no NAME.")
    static func badValue(_ why: String) -> Self { Self(1001, "A value does not fit its column: \(why)") }

    /// The documented response, sent with HTTP 200: SUCCESS is false, and a Fault follows.
    var envelope: XMLTree {
        let error = XMLTree(
            "error",
            [
                XMLTree("errorid", text: String(id)), XMLTree("module", text: ""),
                XMLTree("class", text: origin), XMLTree("method", text: ""),
            ])
        return XMLTree(
            "Envelope",
            [
                XMLTree(
                    "Body",
                    [
                        XMLTree("RESULT", [XMLTree("SUCCESS", text: "false")]),
                        XMLTree(
                            "Fault",
                            [
                                XMLTree("Request", text: ""), XMLTree("FaultCode", text: ""),
                                XMLTree("FaultString", cdata: Self.withoutInvalidScalars(message)),
                                XMLTree("detail", [error]),
                            ]),
                    ])
            ])
    }

    /// Removes the scalars that XML does not allow; a message may quote untrusted text.
    private static func withoutInvalidScalars(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF }))
    }
}

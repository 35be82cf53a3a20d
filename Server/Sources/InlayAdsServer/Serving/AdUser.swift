import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The user that an ad is shown to: one mark for the advertising id, one for the signed-in user.
///
/// Caps count by every mark there is. So a cap holds for a person with two devices, and for a device that signs
/// in, signs out, or resets its advertising id.
struct AdUser: Hashable, Sendable {
    /// Hashes, in one order for all requests, so that transactions lock several rows in the same order.
    let marks: [String]

    /// The user of a request's token, and its advertising id, unless that is empty, a child sends it or its consent
    /// cannot be read.
    ///
    /// Hashed with the environment, so that no two environments can put their people together.
    init(_ request: AdRequest, userID: UserID?, in environmentID: EnvironmentID) {
        var names: [String] = []
        let consent = request.ext?.consent
        let isRefused = consent?.coppa == true || consent?.isUnreadable == true
        // Systems give an id of zeros where tracking is off.
        let hasID = request.ifa.contains { $0 != "0" && $0 != "-" }
        if hasID, !isRefused { names.append("ifa \(request.ifa.lowercased())") }
        if let userID { names.append(Self.name(userID)) }
        marks = names.map { Self.mark($0, environmentID) }.sorted()
    }

    /// The mark of a signed-in user.
    static func mark(ofUser userID: UserID, in environmentID: EnvironmentID) -> String {
        mark(name(userID), environmentID)
    }

    private static func name(_ userID: UserID) -> String { "user \(userID)" }

    private static func mark(_ name: String, _ environmentID: EnvironmentID) -> String {
        AdKey.hex(SHA256.hash(data: Data("\(environmentID)\n\(name)".utf8)).prefix(16))
    }

    /// The same person without one of the marks.
    func without(_ mark: String) -> AdUser {
        AdUser(text: marks.filter { $0 != mark }.joined(separator: " "))
    }

    /// The text that an impression stores; empty when the user is unknown.
    var text: String { marks.joined(separator: " ") }

    /// The person of an impression.
    init(text: String) { marks = text.split(separator: " ").map(String.init) }
}

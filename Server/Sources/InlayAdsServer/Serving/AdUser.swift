import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The user that an ad is shown to, as hashes: one of the advertising id, one of the signed-in user.
///
/// A cap counts by each hash. So it holds for a user with two devices, and for a device whose user signs in, signs out,
/// or resets the advertising id.
struct AdUser: Hashable, Sendable {
    /// Sorted, so that all transactions lock their rows in the same order.
    let hashes: [String]

    /// Creates the hashes of the user of a request's token and of its advertising id. The advertising id is left out
    /// when it is empty, the request is a child's, or its consent cannot be read.
    ///
    /// The hashes include the environment, so that two environments cannot match their users.
    init(_ request: AdRequest, userID: UserID?, in environmentID: EnvironmentID) {
        var names: [String] = []
        let consent = request.ext?.consent
        let isRefused = consent?.coppa == true || consent?.isUnreadable == true
        // Operating systems return an id of zeros where tracking is off.
        let hasID = request.ifa.contains { $0 != "0" && $0 != "-" }
        if hasID, !isRefused { names.append("ifa \(request.ifa.lowercased())") }
        if let userID { names.append(Self.name(userID)) }
        hashes = names.map { Self.hash($0, environmentID) }.sorted()
    }

    /// Returns the hash of a signed-in user.
    static func hash(ofUser userID: UserID, in environmentID: EnvironmentID) -> String {
        hash(name(userID), environmentID)
    }

    private static func name(_ userID: UserID) -> String { "user \(userID)" }

    private static func hash(_ name: String, _ environmentID: EnvironmentID) -> String {
        AdKey.hex(SHA256.hash(data: Data("\(environmentID)\n\(name)".utf8)).prefix(16))
    }

    /// Returns the user without one of the hashes.
    func without(_ hash: String) -> AdUser {
        AdUser(text: hashes.filter { $0 != hash }.joined(separator: " "))
    }

    /// The text that an impression stores; empty when the user is unknown.
    var text: String { hashes.joined(separator: " ") }

    /// Creates the user from the text of an impression.
    init(text: String) { hashes = text.split(separator: " ").map(String.init) }
}

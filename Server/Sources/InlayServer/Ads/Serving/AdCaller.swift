import Crypto
import Foundation
import InlayWire

/// Who asks for an ad, as far as the request itself tells.
struct AdCaller: Sendable {
    /// The address of the device.
    let address: String
    /// Where this server is reached: what trackers begin with.
    let base: String
    /// The modern route: the answer has `ext`.
    let isModern: Bool
    /// The user of the app's own token, when one came and was good, and its environment.
    var user: ClientIdentity?

    /// One person's mark in one environment: the advertising id or the user, hashed; empty when nobody knows.
    ///
    /// Hashed with the environment, so that no two environments can put their people together.
    func person(_ request: AdRequest, _ environmentID: String) -> String {
        let isChild = request.ext?.consent?.coppa == true
        let hasID = request.ifa.contains { $0 != "0" && $0 != "-" }
        let name: String
        if hasID, !isChild {
            name = "ifa \(request.ifa.lowercased())"
        } else if let user, user.environmentID == environmentID {
            name = "user \(user.userID)"
        } else {
            return ""
        }
        return AdKey.hex(SHA256.hash(data: Data("\(environmentID)\n\(name)".utf8)).prefix(16))
    }

    /// The user where the token belongs to the unit's environment.
    func userID(in environmentID: String) -> String? {
        user.flatMap { $0.environmentID == environmentID ? $0.userID : nil }
    }
}

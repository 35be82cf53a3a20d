import ArgumentParser
import Foundation

/// The data in a server of the bench before it is measured; as an argument it is JSON.
struct ServerFilling: Codable, Sendable, ExpressibleByArgument {
    var users = 0
    /// The number of cards of each user.
    var cards = 0
    /// Endpoints of bidders, for the row of auctions.
    var bidders: [String] = []
    /// The number of events of the users.
    var events = 0
    /// The sizes of segments by events. The first users are in the first segment, the next in the second.
    var segments: [Int] = []

    var arguments: [String] {
        get throws { ["--filling", String(decoding: try JSONEncoder().encode(self), as: UTF8.self)] }
    }
}

extension ServerFilling {
    init?(argument: String) {
        guard let filling = try? JSONDecoder().decode(Self.self, from: Data(argument.utf8)) else {
            return nil
        }
        self = filling
    }
}

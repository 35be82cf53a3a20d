import ArgumentParser
import Foundation

/// The amounts of data that a server of the bench gets before a measurement. As an argument, it is JSON.
struct SeedOptions: Codable, Sendable, ExpressibleByArgument {
    var users = 0
    /// The number of cards of each user.
    var cards = 0
    /// The endpoints of the bidders, for the row of auctions.
    var bidders: [String] = []
    /// The number of events of all users together.
    var events = 0
    /// The numbers of users in the segments. The first users are in the first segment, the next ones in the second.
    var segments: [Int] = []

    var arguments: [String] {
        get throws { ["--seed-options", String(decoding: try JSONEncoder().encode(self), as: UTF8.self)] }
    }
}

extension SeedOptions {
    init?(argument: String) {
        guard let options = try? JSONDecoder().decode(Self.self, from: Data(argument.utf8)) else {
            return nil
        }
        self = options
    }
}

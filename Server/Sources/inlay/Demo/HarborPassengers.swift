import InlayDevicesServer
import InlayHubServer
import InlayServer
import InlayServerCore

/// Harbor's 240 passengers, the same in every run.
enum HarborPassengers {
    /// User ids with their profiles; Maya first.
    static let everyone: [(id: UserID, profile: UserProfile)] = {
        var dice = SplitMix64(seed: 1_852)
        var passengers = [(HarborCompany.maya, profile("Maya Lindqvist", "Brandö", "captain", "maya"))]
        var taken: Set<String> = [HarborCompany.maya.rawValue]
        while passengers.count < 240 {
            let (first, last) = (dice.pick(firstNames), dice.pick(lastNames))
            let id = "\(first).\(last)".lowercased()
            guard taken.insert(id).inserted else { continue }
            let level = dice.chance(12) ? "captain" : dice.chance(35) ? "mate" : "guest"
            passengers.append((UserID(id), profile("\(first) \(last)", dice.pick(islands), level, id)))
        }
        return passengers
    }()

    private static let islands = ["Brandö", "Kumlinge", "Sottunga", "Mainland"]
    private static let firstNames = [
        "Aino", "Bo", "Carla", "Dag", "Elin", "Farah", "Gustav", "Hanna", "Ivo", "Jasmin", "Kaj", "Linnea",
        "Moses", "Nora", "Oskar", "Petra", "Quentin", "Rosa", "Sami", "Tove", "Uma", "Viktor", "Wilma",
        "Ylva",
    ]
    private static let lastNames = [
        "Ahlgren", "Berg", "Costa", "Dahl", "Eklund", "Forsman", "Grahn", "Holm", "Isaksson", "Jansson",
        "Koivu", "Lund", "Moreau", "Nyman", "Okafor", "Palm", "Ruiz", "Sund", "Tanaka", "Wik",
    ]

    private static func profile(
        _ name: String, _ island: String, _ level: String, _ mailbox: String
    ) -> UserProfile {
        UserProfile([
            "name": .text(name), "city": .text(island), "email": .text("\(mailbox)@harbor.example"),
            "level": .text(level),
        ])
    }
}

/// A random number generator with a seed (SplitMix64), so that every run is the same.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns one of the elements, which must not be empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }

    /// Returns true with a probability in percent.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

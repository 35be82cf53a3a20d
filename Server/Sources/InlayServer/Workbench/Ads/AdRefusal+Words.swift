extension AdRefusal {
    /// What people call a reason, and what it says about the traffic; a reason without words is its own name.
    var words: (name: String, why: String) {
        switch self {
        case .malformed: ("No tracker", "The address was cut, or made up.")
        case .unknownKey: ("Unknown key", "Signed with a key that is not ours, or no longer.")
        case .wrongSignature: ("Forged", "Changed on its way, or made up.")
        case .expired: ("Too late", "It came after the tracker had ended.")
        case .unknownImpression: ("Unknown ad", "Nobody was handed this ad.")
        case .copy: ("Copy", "It is booked already; it counts once.")
        case .beforeView: ("Before the view", "A click or another event of an ad that was not seen.")
        case .tooSoon:
            (
                "Too soon",
                "Sooner after the ad was handed out than it can have happened: a click within 200 ms, or a part of the "
                    + "video before it can have been played. If a creative has many of these, its Duration is too long."
            )
        case .beforeComplete: ("Before the end", "A reward for a video whose end was not reported.")
        case .noReward: ("No reward", "A reward where the unit gives none.")
        case .noUser:
            (
                "No user",
                "A reward without a user's token, at a unit that gives rewards to signed-in users only."
            )
        case .rewardCap: ("Frequency cap", "The user had as many rewards of the unit as one day allows.")
        case .noRoom:
            ("No room left", "A view so late that its reservation was given back, and the campaign is full.")
        case .knownBot:
            ("Known bot", "A crawler, a monitor or a tool, by its user agent. Neither billed nor rewarded.")
        case .blockedNetwork:
            (
                "Blocked network",
                "From a network that the server's settings block. Neither billed nor rewarded."
            )
        default: (rawValue, "")
        }
    }
}

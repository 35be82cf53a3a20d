import InlayServerCore

extension AdRefusal {
    /// The label of a reason, and what it says about the traffic; a reason without a label is its own name.
    var words: (name: String, why: String) {
        switch self {
        case .malformed: ("No tracker", "The address was truncated or forged.")
        case .unknownKey: ("Unknown key", "Signed with an unknown or retired key.")
        case .wrongSignature: ("Forged", "Changed in transit, or forged.")
        case .expired: ("Too late", "It arrived after the tracker had expired.")
        case .unknownImpression: ("Unknown ad", "This ad was not served to anyone.")
        case .duplicate: ("Copy", "Already booked; an event counts once.")
        case .beforeView: ("Before the view", "A click or another event of an ad that was not seen.")
        case .tooSoon:
            (
                "Too soon",
                "Sooner after the ad was served than is possible: a click within 200 ms, or a part of the "
                    + "video before it can have been played. Of a rewarded video also a view while another one of the "
                    + "same user runs, or an end with its view: devices report both again, and they count then. If a "
                    + "creative has many of these, its Duration is too long."
            )
        case .beforeComplete: ("Before the end", "A reward for a video whose end was not reported.")
        case .noReward: ("No reward", "A reward where the unit gives none.")
        case .noUser:
            (
                "No user",
                "A reward without a user's token, at a unit that gives rewards to signed-in users only."
            )
        case .rewardCap: ("Frequency cap", "The user reached the daily cap of the unit.")
        case .noCapacity:
            ("Campaign full", "A late view: its reservation was released, and no capacity was left.")
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

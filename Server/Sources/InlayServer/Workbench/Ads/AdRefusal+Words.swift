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
            ("Too soon", "A click sooner after the ad was handed out than anybody sees it and reacts.")
        case .beforeComplete: ("Before the end", "A reward for a video whose end was not reported.")
        case .noReward: ("No reward", "A reward where the unit gives none.")
        default: (rawValue, "")
        }
    }
}

import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

extension AdUnit {
    package var calledAddresses: [(field: String, url: String)] {
        reward.map { [("callbackURL", $0.callbackURL)] } ?? []
    }

    package func checked() throws -> Self {
        var unit = Self(id: try id.checked(), appID: parentID, copying: self)
        unit.name = try AdText.name(name)
        try AdText.number(width, "width", 0...4_096)
        try AdText.number(height, "height", 0...4_096)
        try AdText.number(floorMicros, "floorMicros", 0...AdMoney.maximumMicros)
        // A user who cannot leave deletes the app, so no unit may lock for more than a minute.
        try AdText.number(closeTimeout, "closeTimeout", 0...60_000)
        try AdText.number(lockLimit, "lockLimit", 0...60_000)
        guard refresh == 0 || (10...3_600).contains(refresh) else {
            throw FieldErrors("refresh", "0, or from 10 to 3600 seconds.")
        }
        unit.blocks = try blocks.checked()
        unit.reward = try reward?.checked()
        guard (format == .rewarded) == (reward != nil) else {
            throw FieldErrors("reward", "Rewarded video has one, no other format has.")
        }
        return unit
    }

    private init(id: AdUnitID, appID: AdAppID, copying unit: AdUnit) {
        self.init(
            id: id, appID: appID, name: unit.name, format: unit.format, width: unit.width,
            height: unit.height, floorMicros: unit.floorMicros, closeTimeout: unit.closeTimeout,
            lockLimit: unit.lockLimit, refresh: unit.refresh, priceRule: unit.priceRule, blocks: unit.blocks,
            allowsMRAID: unit.allowsMRAID, allowsFrames: unit.allowsFrames, reward: unit.reward,
            isEnabled: unit.isEnabled)
    }
}

extension AdUnit.Blocks {
    fileprivate func checked() throws -> Self {
        guard battr.count <= 100, battr.allSatisfy({ (1...1_000).contains($0) }) else {
            throw FieldErrors("battr", "Numbers of creative attributes.")
        }
        return Self(
            bcat: try AdText.list(bcat, "bcat"),
            badv: try AdText.list(badv, "badv").map { $0.lowercased() },
            bapp: try AdText.list(bapp, "bapp"), battr: Array(Set(battr)).sorted())
    }
}

extension AdUnit.Reward {
    fileprivate func checked() throws -> Self {
        try AdText.number(amount, "reward", 1...1_000_000)
        try AdText.number(maximumPerDay, "maximumPerDay", 1...10_000)
        let currency = try AdText.line(currency, "currency", maximum: 64)
        guard !currency.isEmpty else { throw FieldErrors("currency", "What is earned has a name.") }
        let address = try AdText.link(callbackURL, "callbackURL")
        // The query is signed as a whole: an `ad_unit` in the URL itself could name another publisher's unit.
        let components = URLComponents(string: WebAddress.escaped(address))
        let items = components?.queryItems ?? []
        guard components != nil || address.isEmpty,
            items.allSatisfy({ !AdRewardQuery.names.contains($0.name.lowercased()) })
        else {
            throw FieldErrors(
                "callbackURL", "Without names that the signed call has itself, such as user_id.")
        }
        return Self(
            amount: amount, currency: currency, callbackURL: address, maximumPerDay: maximumPerDay,
            needsUser: needsUser)
    }
}

/// The limits of prices and budgets.
///
/// A price is for a thousand impressions, in micros of the currency. The price of one impression is then a whole number
/// of nanos, so sums are exact and never rounded.
enum AdMoney {
    /// The maximum price, in micros: a million for a thousand impressions.
    static let maximumMicros: Int64 = 1_000_000_000_000
    /// The maximum budget, in micros: a thousand million.
    static let maximumBudgetMicros: Int64 = 1_000_000_000_000_000
    /// The number of nanos in one micro.
    static let nanosPerMicro: Int64 = 1_000

    /// The currency of all prices.
    static let currency = "USD"
}

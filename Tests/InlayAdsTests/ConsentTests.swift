import Foundation
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The values that consent tools store in the user defaults, and their place in a request.
@Suite struct ConsentTests {
    /// User defaults for one test, which are removed with this object.
    private final class Defaults {
        let name: String
        let store: UserDefaults

        init() throws {
            let name = "inlay-consent-\(UUID().uuidString)"
            self.name = name
            store = try #require(UserDefaults(suiteName: name))
        }

        deinit { store.removePersistentDomain(forName: name) }
    }

    @Test func `the four keys and the app's own values are read`() throws {
        let defaults = try Defaults()
        defaults.store.set(1, forKey: "IABTCF_gdprApplies")
        defaults.store.set("CPtcf", forKey: "IABTCF_TCString")
        defaults.store.set("DBABMA~CPgpp", forKey: "IABGPP_HDR_GppString")
        defaults.store.set("2_6", forKey: "IABGPP_GppSID")
        let consent = StoredAdConsent(suite: defaults.name, coppa: true, lmt: false).consent()
        #expect(consent.gdprApplies == true && consent.tcf == "CPtcf" && consent.gpp == "DBABMA~CPgpp")
        #expect(consent.gppSids == [2, 6] && consent.coppa == true && consent.lmt == false)
    }

    @Test func `a missing or empty key gives no value`() throws {
        let defaults = try Defaults()
        #expect(StoredAdConsent(suite: defaults.name).consent() == AdConsent())
        for key in ["IABTCF_gdprApplies", "IABTCF_TCString", "IABGPP_HDR_GppString", "IABGPP_GppSID"] {
            defaults.store.set("", forKey: key)
        }
        #expect(StoredAdConsent(suite: defaults.name).consent() == AdConsent())
    }

    @Test func `an invalid value is sent as a value that no server takes for consent`() throws {
        let defaults = try Defaults()
        defaults.store.set(["a"], forKey: "IABTCF_TCString")
        defaults.store.set("maybe", forKey: "IABTCF_gdprApplies")
        defaults.store.set("two", forKey: "IABGPP_GppSID")
        for text in [
            String(repeating: "x", count: AdLimits.maximumConsentBytes + 1), "DBABMA\n", "DBABMA\u{7F}",
        ] {
            defaults.store.set(text, forKey: "IABGPP_HDR_GppString")
            let consent = StoredAdConsent(suite: defaults.name).consent()
            #expect(consent == AdConsent(gdprApplies: true, tcf: "?", gpp: "?", gppSids: [0]))
        }
    }

    @Test(arguments: [
        ("7", [7]), ("2_6", [2, 6]), ("2, 6", [2, 6]), ("-1", [-1]), ("7_x", [7, 0]), ("\u{667}", [0]),
        ("_", [0]),
        (String(repeating: "7_", count: 65), [0]),
        (String(repeating: "7_", count: 64), Array(repeating: 7, count: 64)),
    ])
    func `the GPP section ids are read, and an invalid id is sent as 0`(text: String, ids: [Int]) throws {
        let defaults = try Defaults()
        defaults.store.set(text, forKey: "IABGPP_GppSID")
        #expect(StoredAdConsent(suite: defaults.name).consent().gppSids == ids)
    }

    @Test(arguments: [
        ("0", false), ("false", false), ("1", true), ("true", true), ("-1", true), ("no", true),
    ])
    func `only 0 and false mean that the GDPR does not apply`(text: String, applies: Bool) throws {
        let defaults = try Defaults()
        defaults.store.set(text, forKey: "IABTCF_gdprApplies")
        #expect(StoredAdConsent(suite: defaults.name).consent().gdprApplies == applies)
    }

    @Test func `consent is sent in ext, and read again for every request`() async throws {
        let defaults = try Defaults()
        let name = defaults.name
        let fixture = try await AdsFixture.start { $0.consent = StoredAdConsent(suite: name) }
        try await fixture.placement().load()
        defaults.store.set("CPnew", forKey: "IABTCF_TCString")
        defaults.store.set("1", forKey: "IABTCF_gdprApplies")
        try await fixture.placement().load()
        let requests = try fixture.requests()
        #expect(requests.first?["ext"]?["consent"] == nil)
        #expect(requests.last?["ext"]?["consent"]?["tcf"] == "CPnew")
        #expect(requests.last?["ext"]?["consent"]?["gdprApplies"] == true)
    }
}

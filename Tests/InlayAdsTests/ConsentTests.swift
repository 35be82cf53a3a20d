import Foundation
@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAds

/// The values that consent tools store in the user defaults, and their place in a request.
@Suite struct ConsentTests {
    /// A place of its own for each test.
    private final class Defaults {
        let name = "inlay-consent-\(UUID().uuidString)"
        var store: UserDefaults { UserDefaults(suiteName: name) ?? .standard }
        deinit { store.removePersistentDomain(forName: name) }
    }

    @Test func `the four keys are read, and what the app says itself`() {
        let defaults = Defaults()
        defaults.store.set(1, forKey: "IABTCF_gdprApplies")
        defaults.store.set("CPtcf", forKey: "IABTCF_TCString")
        defaults.store.set("DBABMA~CPgpp", forKey: "IABGPP_HDR_GppString")
        defaults.store.set("2_6", forKey: "IABGPP_GppSID")
        let consent = StoredAdConsent(suite: defaults.name, coppa: true, lmt: false).consent()
        #expect(consent.gdprApplies == true && consent.tcf == "CPtcf" && consent.gpp == "DBABMA~CPgpp")
        #expect(consent.gppSids == [2, 6] && consent.coppa == true && consent.lmt == false)
    }

    @Test func `no key, or one with nonsense in it, says nothing`() {
        let defaults = Defaults()
        #expect(StoredAdConsent(suite: defaults.name).consent().tcf == nil)
        defaults.store.set(["a"], forKey: "IABTCF_TCString")
        defaults.store.set("maybe", forKey: "IABTCF_gdprApplies")
        defaults.store.set(String(repeating: "x", count: 20_000), forKey: "IABGPP_HDR_GppString")
        defaults.store.set("two", forKey: "IABGPP_GppSID")
        let consent = StoredAdConsent(suite: defaults.name).consent()
        #expect(consent.tcf == nil && consent.gdprApplies == nil && consent.gpp == nil)
        #expect(consent.gppSids == nil && consent.coppa == nil)
    }

    @Test func `consent travels in ext, read anew for every request`() async throws {
        let defaults = Defaults()
        let name = defaults.name
        let fixture = try await AdsFixture.start { $0.consent = StoredAdConsent(suite: name) }
        try await fixture.place().load()
        defaults.store.set("CPnew", forKey: "IABTCF_TCString")
        defaults.store.set("1", forKey: "IABTCF_gdprApplies")
        try await fixture.place().load()
        let requests = try fixture.requests()
        #expect(requests.first?["ext"]?["consent"] == nil)
        #expect(requests.last?["ext"]?["consent"]?["tcf"] == "CPnew")
        #expect(requests.last?["ext"]?["consent"]?["gdprApplies"] == true)
    }
}

import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayAdsServer
@testable import InlayServerTesting

/// Caps count a person by the advertising id and by the signed-in user, whichever is known.
@Suite(.timeLimit(.minutes(3))) struct AdCapTests {
    private static let phone = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
    private static let tablet = "0E9B7C52-6F0C-4C4E-9F6B-1A2B3C4D5E6F"

    /// The sender of a request, with or without a signed-in user and an advertising id.
    private struct Client: Hashable, Sendable {
        var user: String?
        var ifa = ""
    }

    private func isFilled(
        _ client: Client, _ site: AdSite, _ unit: AdUnit, _ tenant: TestTenant
    ) async throws -> Bool {
        let headers = try client.user.map { try tenant.headers(site.app, user: $0) } ?? [:]
        return try await site.requestAd(unit, ifa: client.ifa, headers: headers) != nil
    }

    /// Returns how many of `count` concurrent requests are filled.
    private func filled(
        _ count: Int, _ client: Client, _ site: AdSite, _ unit: AdUnit, _ tenant: TestTenant
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { try await isFilled(client, site, unit, tenant) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `a cap holds for a user on all devices, and for a device with any user`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await site.unit()
            try await site.campaign { $0.cap = .init(count: 3, seconds: 3_600) }
            #expect(try await filled(40, Client(user: "alice", ifa: Self.phone), site, unit, tenant) == 3)
            for client in [
                Client(user: "alice"), Client(user: "alice", ifa: Self.tablet), Client(ifa: Self.phone),
                Client(user: "bob", ifa: Self.phone),
            ] {
                #expect(try await filled(3, client, site, unit, tenant) == 0, "\(client)")
            }
            // A request refused by one cap did not count for the other.
            #expect(try await filled(10, Client(user: "bob", ifa: Self.tablet), site, unit, tenant) == 3)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `no user and no device exceeds its cap when all pairs of them send requests at once`(
        _ engine: SQLEngine
    )
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await site.unit()
            try await site.campaign { $0.cap = .init(count: 5, seconds: 3_600) }
            let clients = ["alice", "bob", nil].flatMap { user in
                [Self.phone, Self.tablet, ""].map { Client(user: user, ifa: $0) }
            }
            let shown = try await withThrowingTaskGroup(of: Client?.self) { group in
                for turn in 0..<135 {
                    let client = clients[turn % clients.count]
                    group.addTask { try await isFilled(client, site, unit, tenant) ? client : nil }
                }
                return try await group.reduce(into: [Client]()) { list, client in
                    if let client { list.append(client) }
                }
            }
            for user in ["alice", "bob"] { #expect(shown.count { $0.user == user } <= 5) }
            for ifa in [Self.phone, Self.tablet] { #expect(shown.count { $0.ifa == ifa } <= 5) }
            #expect(!shown.contains(Client()), "nobody can count what a stranger has seen")
            let hashes = shown.reduce(0) { $0 + ($1.user == nil ? 0 : 1) + ($1.ifa.isEmpty ? 0 : 1) }
            let taken = try await site.database.read {
                try $0.row("SELECT CAST(SUM(taken) AS BIGINT) AS n FROM ad_frequency")?.int("n")
            }
            #expect(taken == hashes && shown.count >= 10)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func `an unseen ad is returned to the caps of the user and of the device`(_ engine: SQLEngine)
        async throws
    {
        try await AdSite.run(engine) { site in
            let tenant = try await TestTenant.make(site.app, site.environmentID)
            let unit = try await site.unit()
            try await site.campaign { $0.cap = .init(count: 2, seconds: 31_622_400) }
            let both = Client(user: "alice", ifa: Self.phone)
            #expect(try await filled(2, both, site, unit, tenant) == 2)
            site.app.clock.advance(by: .seconds(300) + AdImpression.reservationGrace + .seconds(1))
            try await AdSweeper(database: site.database, now: { [clock = site.app.clock] in clock.now })
                .sweep()
            #expect(try await site.count("ad_frequency", where: "taken <> 0") == 0)
            #expect(try await filled(5, Client(ifa: Self.phone), site, unit, tenant) == 2)
        }
    }

    @Test func `hashes do not reveal the user, and differ between environments`() {
        var request = AdRequest(
            ifa: Self.phone, pubID: "", unitID: "", bundle: "", userAgent: "", appName: "")
        let here = AdUser(request, userID: "alice", in: "harbor")
        #expect(here.hashes.count == 2 && here.hashes == here.hashes.sorted())
        #expect(AdUser(text: here.text) == here)
        #expect(!here.text.contains("alice") && !here.text.lowercased().contains("6d92078a"))
        let there = AdUser(request, userID: "alice", in: "other")
        #expect(Set(here.hashes).isDisjoint(with: there.hashes))
        request.ext = AdRequestExtension(consent: AdConsent(coppa: true))
        #expect(AdUser(request, userID: nil, in: "harbor").hashes.isEmpty, "a child is not followed")
        request = AdRequest(pubID: "", unitID: "", bundle: "", userAgent: "", appName: "")
        request.ifa = "00000000-0000-0000-0000-000000000000"
        #expect(AdUser(request, userID: nil, in: "harbor") == AdUser(text: ""))
    }
}

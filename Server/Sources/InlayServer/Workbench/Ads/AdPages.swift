import Foundation
import InlayWire

/// The rooms of Ads: what is set up, what it brought, what was refused.
struct AdPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    static func routes(_ services: ServerServices, _ stores: WorkbenchStores) -> [WorkbenchRoute] {
        let pages = AdPages(services: services, stores: stores)
        let preview = WorkbenchRoute.page("e/:environment/ads/creatives/:record/preview") {
            try await pages.preview($0)
        }
        return pages.inventory + pages.buyers + pages.campaigns + [preview]
            + AdReportPages(stores: stores).routes
    }

    private var inventory: [WorkbenchRoute] {
        AdRecordPages<AdPublisherForm>(
            services: services, stores: stores,
            words: "Whose apps show ads. Apps and their places are inside.",
            below: { publisher, request in
                .init(tables: [try await table(AdAppForm.self, publisher.id, request)])
            }
        ).routes
            + AdRecordPages<AdAppForm>(
                services: services, stores: stores, words: "",
                below: { app, request in .init(tables: [try await table(AdUnitForm.self, app.id, request)]) }
            ).routes
            + AdRecordPages<AdUnitForm>(
                services: services, stores: stores, words: "",
                below: { unit, request in
                    let app = try await stores.ads.records.find(
                        request.environmentID, unit.parentID, as: AdApp.self)
                    return .init(ids: app.map { [("Publisher id", $0.record.parentID)] } ?? [])
                }
            ).routes
    }

    private var buyers: [WorkbenchRoute] {
        AdRecordPages<AdBidderForm>(
            services: services, stores: stores,
            words: "Buyers' systems that are asked for bids, side by side.",
            below: { bidder, request in
                let isClosed = stores.ads.gate.isClosed(bidder.id)
                return .init(
                    facts: try await facts(of: bidder, request),
                    note: isClosed
                        ? "This server leaves it alone for now: it failed again and again. It is tried again by itself."
                        : nil,
                    refusedBids: try await refusedBids(of: bidder, request))
            }
        ).routes
            + AdRecordPages<AdDealForm>(
                services: services, stores: stores, words: "Floors and prices agreed with bidders."
            ).routes
    }

    private var campaigns: [WorkbenchRoute] {
        AdRecordPages<AdCampaignForm>(
            services: services, stores: stores,
            words: "Ads of your own: before bidders by priority, house campaigns after them.",
            below: { campaign, request in
                let progress = try await stores.ads.reports.progress(
                    request.environmentID, campaignID: campaign.id)
                return .init(
                    tables: [try await table(AdCreativeForm.self, campaign.id, request)],
                    facts: [
                        Fact(factName: "Seen", factValue: Count.grouped(Int(progress.booked))),
                        Fact(
                            factName: "Out with devices",
                            factValue: Count.grouped(Int(max(0, progress.taken - progress.booked)))),
                    ])
            }
        ).routes
            + AdRecordPages<AdCreativeForm>(
                services: services, stores: stores, words: "",
                below: { creative, request in
                    .init(
                        preview: AdPreview(
                            creative, at: request.address("ads", "creatives", creative.id, "preview"),
                            plainHosts: plainHosts))
                }
            ).routes
    }

    private func table<Form: AdRecordForm>(
        _ form: Form.Type, _ parentID: String, _ request: WorkbenchRequest
    ) async throws -> AdTable {
        let records = try await stores.ads.records.list(
            request.environmentID, of: parentID, as: Form.Record.self)
        return AdTable(form, records, parentID: parentID, for: request)
    }

    /// Why a bidder's bids took no part in auctions in the last week.
    private func refusedBids(
        of bidder: AdBidder, _ request: WorkbenchRequest
    ) async throws -> RefusedBidsModel {
        let today = AdPace.day(of: request.now)
        let found = try await stores.ads.reports.refusedBids(
            request.environmentID, bidderID: bidder.id, days: (today - 6)...today)
        return RefusedBidsModel(found, days: 7, for: request)
    }

    /// How a bidder did in the last week.
    private func facts(of bidder: AdBidder, _ request: WorkbenchRequest) async throws -> [Fact] {
        let today = AdPace.day(of: request.now)
        let lines = try await stores.ads.reports.lines(
            request.environmentID, by: .bidder, days: (today - 6)...today)
        let count = lines.first { $0.key == bidder.id }?.count ?? AdDayCount()
        return [
            Fact(factName: "Asked in 7 days", factValue: Count.grouped(Int(count.requests))),
            Fact(factName: "Won", factValue: Count.grouped(Int(count.fills))),
            Fact(factName: "Seen", factValue: Count.grouped(Int(count.impressions))),
            Fact(factName: "Clicked", factValue: Count.grouped(Int(count.clicks))),
            Fact(factName: "Revenue", factValue: AdAmount.words(nanos: count.revenueNanos)),
        ]
    }

    /// Whoever tries things out on one machine has no certificate; its apps take films of that machine without one.
    private var plainHosts: Set<String> {
        services.configuration.adsPrivateAddresses ? ["127.0.0.1", "localhost"] : []
    }

    private func preview(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let id = try request.parameter("record")
        let stored = try await stores.ads.records.find(request.environmentID, id, as: AdCreative.self)
        guard let creative = stored?.record else { throw Problem.notFound("creative") }
        guard let html = AdPreview.document(of: creative, plainHosts: plainHosts) else {
            throw Problem.notFound("film")
        }
        return .data(
            Data(html.utf8), mediaType: "text/html; charset=utf-8",
            policy: AdPreview.policy(plainHosts: plainHosts))
    }
}

import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The pages of Ads: inventory, buyers, campaigns, reports and invalid traffic.
struct AdPages: Sendable {
    let services: ServerServices
    let ads: AdsFeature

    static func routes(_ services: ServerServices, _ ads: AdsFeature) -> [WorkbenchRoute] {
        let pages = AdPages(services: services, ads: ads)
        let preview = WorkbenchRoute.page("e/:environment/ads/creatives/:record/preview") {
            try await pages.preview($0)
        }
        return pages.inventory + pages.buyers + pages.campaigns + [preview]
            + AdReportPages(ads: ads).routes
    }

    private var inventory: [WorkbenchRoute] {
        AdRecordPages<AdPublisherForm>(
            services: services, ads: ads,
            words: "Owners of apps that show ads, with their apps and ad units.",
            below: { publisher, request in
                .init(tables: [try await table(AdAppForm.self, publisher.id, request)])
            }
        ).routes
            + AdRecordPages<AdAppForm>(
                services: services, ads: ads, words: "",
                below: { app, request in .init(tables: [try await table(AdUnitForm.self, app.id, request)]) }
            ).routes
            + AdRecordPages<AdUnitForm>(
                services: services, ads: ads, words: "",
                below: { unit, request in
                    let app = try await ads.records.find(
                        request.environmentID, unit.parentID, as: AdApp.self)
                    return .init(ids: app.map { [("Publisher id", $0.record.parentID.rawValue)] } ?? [])
                }
            ).routes
    }

    private var buyers: [WorkbenchRoute] {
        AdRecordPages<AdBidderForm>(
            services: services, ads: ads,
            words: "Systems of buyers that receive bid requests, all at the same time.",
            below: { bidder, request in
                let isClosed = ads.gate.isClosed(bidder.id)
                return .init(
                    facts: try await facts(of: bidder, request),
                    note: isClosed
                        ? "Paused on this server after repeated failures. It is retried automatically."
                        : nil,
                    refusedBids: try await refusedBids(of: bidder, request))
            }
        ).routes
            + AdRecordPages<AdDealForm>(
                services: services, ads: ads, words: "Floor prices and price rules agreed with bidders."
            ).routes
    }

    private var campaigns: [WorkbenchRoute] {
        AdRecordPages<AdCampaignForm>(
            services: services, ads: ads,
            words: "Your own ads. They have priority over bidders; house campaigns come after them.",
            below: { campaign, request in
                let progress = try await ads.reports.progress(
                    request.environmentID, campaignID: campaign.id)
                return .init(
                    tables: [try await table(AdCreativeForm.self, campaign.id, request)],
                    facts: [
                        Fact(factName: "Seen", factValue: Count.grouped(Int(progress.booked))),
                        Fact(
                            factName: "Open reservations",
                            factValue: Count.grouped(Int(max(0, progress.taken - progress.booked)))),
                    ])
            }
        ).routes
            + AdRecordPages<AdCreativeForm>(
                services: services, ads: ads, words: "",
                below: { creative, request in
                    .init(
                        preview: AdPreview(
                            creative,
                            at: request.address("ads", "creatives", creative.id.rawValue, "preview"),
                            cleartextHosts: cleartextHosts))
                }
            ).routes
    }

    private func table<Form: AdRecordForm>(
        _ form: Form.Type, _ parentID: Form.Record.ParentID, _ request: WorkbenchRequest
    ) async throws -> AdTable {
        let records = try await ads.records.list(
            request.environmentID, of: parentID, as: Form.Record.self)
        return AdTable(form, records, parentID: parentID, for: request)
    }

    /// Returns the reasons why a bidder's bids took no part in auctions in the last week.
    private func refusedBids(
        of bidder: AdBidder, _ request: WorkbenchRequest
    ) async throws -> RefusedBidsModel {
        let today = AdPace.day(of: request.now)
        let found = try await ads.reports.refusedBids(
            request.environmentID, bidderID: bidder.id, days: (today - 6)...today)
        return RefusedBidsModel(found, days: 7, for: request)
    }

    /// Returns the results of a bidder in the last week.
    private func facts(of bidder: AdBidder, _ request: WorkbenchRequest) async throws -> [Fact] {
        let today = AdPace.day(of: request.now)
        let lines = try await ads.reports.lines(
            request.environmentID, by: .bidder, days: (today - 6)...today)
        let count = lines.first { $0.key == bidder.id.rawValue }?.count ?? AdDayCount()
        return [
            Fact(factName: "Bid requests in 7 days", factValue: Count.grouped(Int(count.requests))),
            Fact(factName: "Won", factValue: Count.grouped(Int(count.fills))),
            Fact(factName: "Seen", factValue: Count.grouped(Int(count.impressions))),
            Fact(factName: "Clicked", factValue: Count.grouped(Int(count.clicks))),
            Fact(factName: "Revenue", factValue: AdAmount.words(nanos: count.revenueNanos)),
        ]
    }

    /// The hosts that apps reach without TLS: those of a developer's machine, whose server has no certificate.
    private var cleartextHosts: Set<String> {
        services.configuration.adsPrivateAddresses ? ["127.0.0.1", "localhost"] : []
    }

    private func preview(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let id = AdCreativeID(try request.parameter("record"))
        let stored = try await ads.records.find(request.environmentID, id, as: AdCreative.self)
        guard let creative = stored?.record else { throw Problem.notFound("creative") }
        guard let html = AdPreview.document(of: creative, cleartextHosts: cleartextHosts) else {
            throw Problem.notFound("video")
        }
        return .data(
            Data(html.utf8), mediaType: "text/html; charset=utf-8",
            policy: AdPreview.policy(cleartextHosts: cleartextHosts))
    }
}

import Foundation
import InlayWire

/// The rooms of Ads: what is set up, what it brought, what was refused.
struct AdPages: Sendable {
    let services: ServerServices
    let stores: WorkbenchStores

    /// A creative may load what it likes over https, runs without an origin, and can neither leave its frame
    /// nor send a form.
    private static let previewPolicy = [
        "sandbox allow-scripts", "default-src 'none'", "img-src https: data:", "media-src https: data:",
        "font-src https: data:", "style-src 'unsafe-inline' https:", "script-src 'unsafe-inline' https:",
        "form-action 'none'", "base-uri 'none'", "frame-ancestors 'self'",
    ].joined(separator: "; ")

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
            + AdRecordPages<AdUnitForm>(services: services, stores: stores, words: "").routes
    }

    private var buyers: [WorkbenchRoute] {
        AdRecordPages<AdBidderForm>(
            services: services, stores: stores,
            words: "Buyers' systems that are asked for bids, side by side.",
            below: { bidder, _ in
                let words =
                    stores.ads.gate.isClosed(bidder.id) ? "left alone: it failed again and again" : "asked"
                return .init(facts: [Fact(factName: "On this server", factValue: words)])
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
                        previewPath: creative.kind == .html
                            ? request.address("ads", "creatives", creative.id, "preview") : nil)
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

    private func preview(_ request: WorkbenchRequest) async throws -> WorkbenchAnswer {
        let id = try request.parameter("record")
        guard
            let creative = try await stores.ads.records.find(
                request.environmentID, id, as: AdCreative.self)?.record
        else { throw Problem.notFound("creative") }
        let html = "<!doctype html><meta charset=\"utf-8\"><body style=\"margin:0\">\(creative.finished)"
        return .data(Data(html.utf8), mediaType: "text/html; charset=utf-8", policy: Self.previewPolicy)
    }
}

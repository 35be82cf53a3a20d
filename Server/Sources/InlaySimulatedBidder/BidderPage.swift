import Foundation
import HTTPTypes
import Hummingbird
import InlayOpenRTB
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The page that shows what a simulated bidder has received.
enum BidderPage {
    static func html(_ configuration: SimulatedBidder.Configuration, _ log: BidderLog) -> String {
        let rows = log.entries.suffix(200).reversed().map { entry in
            "<tr><td>\(entry.kind.rawValue)</td><td>\(HTMLText.escaped(entry.at.rfc3339))</td>"
                + "<td>\(HTMLText.escaped(entry.auction))</td><td>\(HTMLText.escaped(entry.detail))</td></tr>"
        }
        let counts = ([.request] + BidderLog.Kind.notices).map { kind in
            "<dt>\(kind.rawValue)</dt><dd>\(log.count(of: kind))</dd>"
        }
        let price = "\(Micros.text(configuration.priceMicros)) \(configuration.currency)"
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Simulated bidder</title>
            <style>body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}
            td,th{border:1px solid #999;padding:.25rem .5rem;text-align:left;vertical-align:top;word-break:break-all}
            dl{display:flex;gap:1rem}dt{font-weight:600}dd{margin:0}</style>
            <h1>Simulated bidder</h1>
            <p>It is \(configuration.behavior.rawValue) and bids \(HTMLText.escaped(price)) \
            as \(HTMLText.escaped(configuration.seat ?? "nobody")).</p>
            <dl>\(counts.joined())</dl>
            <table><thead><tr><th>What</th><th>When</th><th>Auction</th><th>With</th></tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody></table></html>
            """
    }
}

extension BidderRequestHandler {
    func page() -> Response {
        var response = Self.response(
            .ok, "text/html; charset=utf-8", Array(BidderPage.html(configuration, log).utf8))
        response.headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
        return response
    }

    func logResponse() -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(log.entries)) ?? Data("[]".utf8)
        return Self.response(.ok, "application/json", Array(bytes))
    }
}

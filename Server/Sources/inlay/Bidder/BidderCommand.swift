import ArgumentParser
import Foundation
import InlayOpenRTB
import InlayServer
import InlayServerCore
import InlaySimulatedBidder
@_spi(Inlay) import InlayWire
import Logging
import ServiceLifecycle

/// `inlay bidder`: runs a simulated bidder, for trying out an exchange.
struct BidderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bidder", abstract: "Run a simulated OpenRTB bidder.",
        discussion: """
            It answers OpenRTB 2.6 on 127.0.0.1 at /bid, receives notices at /win, /bill and /loss, and lists at / what \
            it received. Add its address as a bidder in the Workbench. Ctrl-C stops it.
            """)

    @Option(help: "The port on 127.0.0.1; 0 takes a free one.") var port = 9091
    @Option(
        help: "How it answers: \(SimulatedBidder.Behavior.allCases.map(\.rawValue).joined(separator: ", ")).")
    var behavior = SimulatedBidder.Behavior.fast
    @Option(help: "Milliseconds before it answers, when it is slow.") var delay = 200
    @Option(help: "The price per thousand, in millionths of the currency.") var priceMicros: Int64 = 1_000_000
    @Option(help: "The currency of its bids.") var currency = "USD"
    @Option(help: "The buyer's seat.") var seat = "simulated"
    @Option(help: "A deal that it uses where it is offered.") var deal: String?
    @Option(help: "The advertiser's domain.") var domain = "advertiser.test"
    @Option(help: "A file with the banner's HTML.") var banner: String?
    @Option(help: "A file with the VAST document.") var vast: String?
    @Option(help: "The address of the video in its own VAST document.") var video: String?

    func run() async throws {
        var bidderConfiguration = SimulatedBidder.Configuration()
        (bidderConfiguration.behavior, bidderConfiguration.port, bidderConfiguration.delay) = (
            behavior, port, .milliseconds(delay)
        )
        (bidderConfiguration.priceMicros, bidderConfiguration.currency) = (priceMicros, currency)
        (bidderConfiguration.seat, bidderConfiguration.dealID, bidderConfiguration.domain) = (
            seat, deal, domain
        )
        bidderConfiguration.banner = try banner.map(Self.markup)
        bidderConfiguration.vast = try vast.map(Self.markup)
        if let video { bidderConfiguration.video = video }
        var logger = Logger(label: "inlay.bidder") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let bidder = SimulatedBidder(bidderConfiguration, logger: logger)
        var group = ServiceGroupConfiguration(
            services: [.init(service: bidder), .init(service: Announcement(bidder: bidder))],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        // A dead bidder keeps its connections open, so the shutdown does not wait for them.
        group.maximumGracefulShutdownDuration = .seconds(1)
        try await ServiceGroup(configuration: group).run()
    }

    /// A creative with pictures inside is larger than a file of settings.
    private static func markup(path: String) throws -> String {
        try String(textFileAt: path, maximumBytes: 16 << 20)
    }
}

extension SimulatedBidder.Behavior: ExpressibleByArgument {}

/// A service that prints the bidder's address.
private struct Announcement: Service {
    let bidder: SimulatedBidder

    func run() async throws {
        if let address = await bidder.address { Output.line("The bidder  \(address)") }
        try await gracefulShutdown()
    }
}

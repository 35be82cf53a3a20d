import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire
package import Logging
import NIOCore
import ServiceLifecycle

/// A small configurable bidder for tests and the demo.
///
/// The bidder implements OpenRTB 2.6 on 127.0.0.1: `POST /bid`, the notices `/win`, `/bill` and `/loss`, and a page at
/// `/` with what it has received. Its response to an invalid request is 400 with the errors, so that a test of the
/// exchange sees them.
package struct SimulatedBidder: Service {
    /// The configuration.
    package let configuration: Configuration
    /// The received requests and notices.
    package let log = BidderLog()
    private let listening = ListeningAddress()
    private let logger: Logger

    /// Creates a bidder, which listens when it runs as a service.
    package init(
        _ configuration: Configuration = Configuration(), logger: Logger = Logger(label: "inlay.bidder")
    ) {
        self.configuration = configuration
        self.logger = logger
    }

    /// The port on which the bidder listens. Waits until it listens.
    package var port: Int? { get async { await listening.port() } }

    /// The URL for bid requests. Waits until the bidder listens.
    package var address: String? { get async { await port.map { "http://127.0.0.1:\($0)/bid" } } }

    /// Listens until the task is cancelled or the service group stops.
    package func run() async throws {
        defer { listening.finish() }
        let handler = BidderRequestHandler(configuration: configuration, log: log)
        let router = Router()
        router.post("bid") { request, _ in try await handler.bid(request, port: await listening.port() ?? 0) }
        for notice in BidderLog.Kind.notices {
            router.get("\(notice.rawValue)") { request, _ in handler.notice(notice, request) }
        }
        router.get("log.json") { _, _ in handler.logResponse() }
        router.get("/") { _, _ in handler.page() }
        var logger = logger
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: configuration.port)),
            onServerRunning: { channel in listening.didStart(on: channel.localAddress?.port) }, logger: logger
        )
        try await application.run()
    }

    /// Runs the bidder while `work` runs, and returns the result of `work`.
    package func whileRunning<Value: Sendable>(
        _ work: @Sendable (SimulatedBidder) async throws -> Value
    ) async throws -> Value {
        var configuration = ServiceGroupConfiguration(services: [self], logger: logger)
        // A dead bidder's requests never end by themselves.
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let group = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            _ = await port
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work(self)) } catch { outcome = .failure(error) }
            // Cancellation alone would drop a connection that is being accepted, which NIO treats as a programming
            // error.
            await group.triggerGracefulShutdown()
            while await tasks.nextResult() != nil {}
            return try outcome.get()
        }
    }
}

extension SimulatedBidder {
    /// The behaviour of a simulated bidder.
    package enum Behavior: String, CaseIterable, Sendable {
        /// Bids at once.
        case fast
        /// Bids after `delay`.
        case slow
        /// Receives the request and never responds.
        case dead
        /// Sends invalid responses, a different one each time.
        case garbage
        /// Sends a response above the size limit.
        case huge
        /// Sends a small response that decompresses to more than the size limit.
        case packed
        /// Responds with 204, no bid.
        case nobid
        /// Responds with 500.
        case broken
    }

    /// The configuration of a simulated bidder.
    package struct Configuration: Sendable {
        package var behavior = Behavior.fast
        /// The delay of `slow`.
        package var delay = Duration.milliseconds(200)
        /// The price per thousand impressions, in millionths.
        package var priceMicros: Int64 = 1_000_000
        /// The currency of the bids.
        package var currency = "USD"
        /// The buyer's seat.
        package var seat: String? = "simulated"
        /// The id of the deal that the bidder uses when the request offers it.
        package var dealID: String?
        /// The advertiser's domain.
        package var domain = "advertiser.test"
        /// The content categories of the creatives.
        package var categories: [String]?
        /// The banner's HTML; `nil` for a generated one.
        package var banner: String?
        /// The VAST document; `nil` for a generated one with `video`.
        package var vast: String?
        /// The URL of the generated VAST document's video.
        package var video = "https://video.advertiser.test/clip.mp4"
        /// The port; 0 for a free one.
        package var port = 0

        /// Creates a configuration of a bidder that bids 1.00 at once.
        package init() {}
    }
}

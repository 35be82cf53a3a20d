import Hummingbird
import InlayWire
import Logging
import NIOCore
import ServiceLifecycle

/// A small bidder for tests and the demo: it bids as it was told, and shows what it got.
///
/// It speaks OpenRTB 2.6 on 127.0.0.1: `POST /bid`, its notices at `/win`, `/bill` and `/loss`, and a page at `/`. A
/// request that breaks the specification is answered with 400 and its faults, so that a test of the exchange sees them.
package struct SimulatedBidder: Service {
    /// What it was told.
    package let configuration: Configuration
    /// What it got.
    package let log = BidderLog()
    private let listening = ListeningAddress()
    private let logger: Logger

    /// A bidder; it listens once it is run as a service.
    package init(
        _ configuration: Configuration = Configuration(), logger: Logger = Logger(label: "inlay.bidder")
    ) {
        self.configuration = configuration
        self.logger = logger
    }

    /// The port it listens on; waits until it does.
    package var port: Int? { get async { await listening.port() } }

    /// Where requests go; waits until it listens.
    package var address: String? { get async { await port.map { "http://127.0.0.1:\($0)/bid" } } }

    /// Listens until the task is cancelled or the service group stops.
    package func run() async throws {
        defer { listening.finish() }
        let desk = BidderDesk(configuration: configuration, log: log)
        let router = Router()
        router.post("bid") { request, _ in try await desk.bid(request, port: await listening.port() ?? 0) }
        for notice in BidderLog.Kind.notices {
            router.get("\(notice.rawValue)") { request, _ in desk.notice(notice, request) }
        }
        router.get("log.json") { _, _ in desk.logDocument() }
        router.get("/") { _, _ in desk.page() }
        var logger = logger
        logger.logLevel = .error
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: configuration.port)),
            onServerRunning: { channel in listening.listens(on: channel.localAddress?.port) }, logger: logger)
        try await application.run()
    }

    /// Runs it for as long as the work goes on.
    package func whileRunning<Value: Sendable>(
        _ work: @Sendable (SimulatedBidder) async throws -> Value
    ) async throws -> Value {
        var told = ServiceGroupConfiguration(services: [self], logger: logger)
        // A dead bidder's requests never end by themselves.
        told.maximumGracefulShutdownDuration = .seconds(1)
        let group = ServiceGroup(configuration: told)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            _ = await port
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work(self)) } catch { outcome = .failure(error) }
            // Not by cancelling alone: a connection that comes in just then is dropped half made, which NIO takes
            // for a fault of the program.
            await group.triggerGracefulShutdown()
            while await tasks.nextResult() != nil {}
            return try outcome.get()
        }
    }
}

extension SimulatedBidder {
    /// How it answers.
    package enum Behavior: String, CaseIterable, Sendable {
        /// At once.
        case fast
        /// After `delay`.
        case slow
        /// Takes the request and never answers.
        case dead
        /// Something that is no answer; another thing each time.
        case garbage
        /// More bytes than anybody reads.
        case huge
        /// Few bytes that unpack to more than anybody reads.
        case packed
        /// 204.
        case nobid
        /// 500.
        case broken
    }

    /// What it was told.
    package struct Configuration: Sendable {
        package var behavior = Behavior.fast
        /// For `slow`.
        package var delay = Duration.milliseconds(200)
        /// Per thousand impressions, in millionths.
        package var priceMicros: Int64 = 1_000_000
        /// Of its bids.
        package var currency = "USD"
        /// The buyer.
        package var seat: String? = "simulated"
        /// Used where the request has this deal.
        package var dealID: String?
        /// The advertiser.
        package var domain = "advertiser.test"
        /// What is advertised.
        package var categories: [String]?
        /// The banner; `nil` draws one.
        package var banner: String?
        /// The VAST document; `nil` makes one around `video`.
        package var vast: String?
        /// The video of the VAST document.
        package var video = "https://video.advertiser.test/clip.mp4"
        /// The port; 0 takes a free one.
        package var port = 0

        /// A bidder that bids 1.00 at once.
        package init() {}
    }
}

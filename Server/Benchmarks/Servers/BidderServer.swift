import ArgumentParser
import Foundation
import Hummingbird

/// Bidders that respond with a bid of a kilobyte, at once or after the time in the request's path.
///
/// They use as little processor time as possible, because they share the machine with the measured exchange.
struct BidderServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bidders", shouldDisplay: false)

    private static let markup = String(repeating: "<i>sail with us</i>", count: 50)

    func run() async throws {
        let router = Router()
        router.post("bid/{price}/{milliseconds}") { request, context in
            let price = try context.parameters.require("price")
            let pause = Int(try context.parameters.require("milliseconds")) ?? 0
            let body = try await request.body.collect(upTo: 1 << 20)
            if pause > 0 { try await Task.sleep(for: .milliseconds(pause), tolerance: .microseconds(100)) }
            // The first field of a request is its id.
            let start = body.readableBytesView.dropFirst(#"{"id":""#.utf8.count)
            let id = String(decoding: start.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
            let text = """
                {"id":"\(id)","cur":"USD","seatbid":[{"seat":"s","bid":[{"id":"b","impid":"1","price":\(price),\
                "mtype":1,"crid":"c","adomain":["advertiser.example"],"cat":["IAB20"],\
                "burl":"http://127.0.0.1:9/bill?p=${AUCTION_PRICE}","adm":"\(Self.markup)"}]}]}
                """
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
        try await BareServer.run(router, label: "bidders")
    }
}

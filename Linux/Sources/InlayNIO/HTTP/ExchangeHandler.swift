import Foundation
import InlayCore
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A channel handler that sends one request when the channel becomes active, and collects the response.
///
/// With TLS, the channel is active before the handshake. NIOSSL buffers the bytes until the certificate is accepted, so
/// a server without a pinned key never sees the request.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: TransportRequest
    private let address: ServerAddress
    private let answer: EventLoopPromise<TransportResponse>
    private var head: HTTPResponseHead?
    private var body = Data()

    init(request: TransportRequest, address: ServerAddress, answer: EventLoopPromise<TransportResponse>) {
        self.request = request
        self.address = address
        self.answer = answer
    }

    func channelActive(context: ChannelHandlerContext) {
        var headers = request.wireHeaders
        headers.replaceOrAdd(name: "Host", value: address.authority)
        headers.replaceOrAdd(name: "Connection", value: "close")
        if let body = request.body {
            headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: address.target,
            headers: headers)
        context.write(Self.wrapOutboundOut(.head(head))).cascadeFailure(to: answer)
        if let body = request.body {
            context.write(Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer(data: body)))), promise: nil)
        }
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            // A response to HEAD states the length of a body that is not sent.
            guard request.method == "HEAD" || announced <= request.maximumResponseBytes else {
                return fail(.tooLarge, context)
            }
            self.head = head
        case .body(let part):
            guard body.count + part.readableBytes <= request.maximumResponseBytes else {
                return fail(.tooLarge, context)
            }
            body.append(contentsOf: part.readableBytesView)
        case .end:
            guard let head else { return fail(.cut("an answer without head"), context) }
            answer.succeed(
                TransportResponse(status: Int(head.status.code), headers: head.headers.joined, body: body))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(TransportError.cut("the server closed the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(TransportError(error), context)
    }

    private func fail(_ error: TransportError, _ context: ChannelHandlerContext) {
        answer.fail(error)
        context.close(promise: nil)
    }
}

import Foundation
package import HTTPTypes
package import Hummingbird
@_spi(Inlay) package import InlayWire

extension Problem {
    /// Returns the response with this problem. Routes throw problems; ``ProblemResponses`` calls this.
    package func problemResponse(headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = Problem.mediaType
        headers[.cacheControl] = "no-store"
        // Encoding four scalars cannot fail; an empty body would still carry the status.
        let body = (try? JSONEncoder().encode(self)) ?? Data()
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

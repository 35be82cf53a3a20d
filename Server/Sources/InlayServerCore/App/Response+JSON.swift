package import Foundation
package import Hummingbird
import NIOCore

extension Response {
    /// Returns a response with a JSON body that no cache keeps.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        json(bytes: try JSONEncoder().encode(value), status: status, headers: headers)
    }

    /// Returns a response with a body that is JSON already.
    package static func json(
        bytes: Data, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

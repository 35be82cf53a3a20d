import Foundation
package import Hummingbird
@_spi(Inlay) import InlayWire
package import NIOCore
import NIOFoundationCompat

extension Request {
    /// Returns the body, decoded from JSON. Unknown fields are ignored.
    ///
    /// Throws a ``Problem``: `unsupported-media-type` (415) unless the type is `application/json` or ends in
    /// `+json`, `body-too-large` (413) over `limit` bytes, `malformed-body` (400) with the path of the
    /// field that could not be read.
    package func json<Value: Decodable>(
        _ type: Value.Type = Value.self, limit: Int = BodyLimit.standard
    ) async throws -> Value {
        let buffer = try await jsonBytes(limit: limit)
        do {
            return try JSONDecoder().decode(type, from: Data(buffer: buffer, byteTransferStrategy: .noCopy))
        } catch let error as DecodingError {
            throw Problem.malformedBody(error.whereAndWhy)
        }
    }

    /// Returns the body of a JSON request, for callers that decode it themselves; throws as ``json(_:limit:)`` does.
    package func jsonBytes(limit: Int) async throws -> ByteBuffer {
        guard isJSON else { throw Problem.unsupportedMediaType }
        return try await bytes(limit: limit)
    }

    /// Returns the body as it is; throws `body-too-large` over `limit` bytes, and a 400 when the client hung up before
    /// its end.
    package func bytes(limit: Int = BodyLimit.standard) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(limit: limit)
        } catch let error where ClientDisconnection.caused(error) {
            throw Problem.bodyIncomplete
        }
    }

    private var isJSON: Bool {
        guard let value = headers[.contentType] else { return false }
        if value == "application/json" { return true }
        let type = value.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json"))
    }
}

extension DecodingError {
    /// The place and kind of the fault in the body; never the value itself.
    fileprivate var whereAndWhy: String {
        switch self {
        case .keyNotFound(let key, let context): "The field \(path(context, key)) is missing."
        case .typeMismatch(_, let context): "The field \(path(context)) has another type."
        case .valueNotFound(_, let context): "The field \(path(context)) is null."
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "It is not valid JSON."
        case .dataCorrupted(let context): "The field \(path(context)) cannot be read."
        @unknown default: "It has another shape."
        }
    }

    private func path(_ context: Context, _ last: (any CodingKey)? = nil) -> String {
        let keys = context.codingPath + (last.map { [$0] } ?? [])
        return keys.isEmpty
            ? "(body)" : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}

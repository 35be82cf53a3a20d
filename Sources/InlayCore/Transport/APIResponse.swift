package import Foundation

/// An answer of the API with a good status: 2xx or 304.
package struct APIResponse: Sendable {
    package var status: Int
    package var body: Data

    /// Whether what the caller has is still the newest.
    package var isNotModified: Bool { status == 304 }

    /// The body as a value.
    package func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws(APIError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw APIError(.invalidAnswer(String(describing: error)))
        }
    }
}

import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// One ad request to the exchange.
struct AdExchangeCall {
    private let session: SessionContext
    private let configuration: AdsConfiguration

    /// The maximum size of a response, in bytes: the largest creative with JSON escapes, and the other fields.
    private static let maximumResponseBytes = 8 * AdLimits.maximumMarkupBytes

    init(_ session: SessionContext, _ configuration: AdsConfiguration) {
        (self.session, self.configuration) = (session, configuration)
    }

    func ask(_ request: AdRequest) async throws(AdError) -> AdResponse {
        let response: TransportResponse
        do {
            response = try await session.transport.send(try await transportRequest(request))
        } catch let error as TransportError {
            throw .network("\(error)")
        } catch {
            throw .network("no address for ad requests")
        }
        switch response.status {
        case 204: throw .noFill
        case 200: return try Self.answer(response.body)
        default: throw .refused(Self.problem(response))
        }
    }

    private func transportRequest(_ request: AdRequest) async throws -> TransportRequest {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers = ["Content-Type": "application/json", "Accept": "application/json"]
        let address: URL?
        switch configuration.source {
        case .documented(let url):
            address = url
            headers["User-Agent"] = request.userAgent
        case .inlay:
            address = APICall("POST", InlayPath.adRequest).url(below: session.configuration.baseURL)
            // The server matches the user, if known, with segments. A request without a user gets ads too.
            headers.merge(await session.api.knownIdentification()) { $1 }
        }
        guard let address else { throw AdError.network("no address") }
        return TransportRequest(
            method: "POST", url: address, headers: headers, body: try encoder.encode(request),
            timeout: min(max(configuration.timeout, .milliseconds(100)), .seconds(30)),
            maximumResponseBytes: Self.maximumResponseBytes)
    }

    private static func answer(_ body: Data) throws(AdError) -> AdResponse {
        do { return try JSONDecoder().decode(AdResponse.self, from: body) } catch {
            throw .invalidAnswer(String(describing: error))
        }
    }

    private static func problem(_ response: TransportResponse) -> Problem {
        var problem =
            (try? JSONDecoder().decode(Problem.self, from: response.body))
            ?? Problem(.foreignAnswer, status: response.status, title: "Status \(response.status)")
        problem.status = response.status
        return problem
    }
}

package import Hummingbird
@_spi(Inlay) package import InlayWire
import NIOConcurrencyHelpers

/// The features' own answers for addresses that have no route, by the first part of the path.
///
/// Filled while routes are added. Where no feature has an answer, the caller gets a problem document.
package final class UnknownAddresses: Sendable {
    /// A closure that returns the problem as a response in the feature's own form.
    package typealias Responder = @Sendable (Request, ServerContext, Problem) async -> Response

    private let answers = NIOLockedValueBox<[String: Responder]>([:])

    /// Creates a value without answers.
    package init() {}

    /// Lets a feature answer every `GET` of an unknown address whose path begins with `root`.
    package func answer(below root: String, with answer: @escaping Responder) {
        answers.withLockedValue { $0[root] = answer }
    }

    /// Returns the answer of the feature that the path belongs to; `nil` when there is none.
    func response(to request: Request, _ context: ServerContext, _ problem: Problem) async -> Response? {
        guard request.method == .get else { return nil }
        let root = request.uri.path.split(separator: "/").first.map(String.init) ?? ""
        return await answers.withLockedValue { $0[root] }?(request, context, problem)
    }
}

import HTTPTypes
import Hummingbird

/// The router as one feature sees it. A route that exists already is not added: its two owners are in ``FeatureNames``.
struct FeatureRouter: RouterMethods {
    typealias Context = ServerContext

    let router: Router<ServerContext>
    let owner: String
    let names: FeatureNames

    @discardableResult
    func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == ServerContext {
        // The name of a parameter does not distinguish two routes: of `{a}` and `{b}` one would never be found.
        let name = RoutePattern(path.description).withoutNames
        if names.register("route", ["\(method.rawValue) /\(name)"], by: owner) {
            router.on(path, method: method, responder: responder)
        }
        return self
    }

    func add(middleware: any MiddlewareProtocol<Request, Response, ServerContext>) -> Self {
        router.add(middleware: middleware)
        return self
    }
}

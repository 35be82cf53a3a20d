import Foundation
import HTTPTypes
import Hummingbird
import InlaySQL
import InlayServerCore
@_spi(Inlay) import InlayWire
import Logging
import NIOCore

/// The route `POST /XMLAPI`: one operation in an envelope, answered with HTTP 200 also when it failed.
struct XMLAPIRoute: Sendable {
    let authentication: BehaviorAuthentication
    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    func respond(_ request: Request, _ context: ServerContext) async throws -> Response {
        do {
            let caller = try await caller(request)
            let document = try await document(request)
            let key = XMLAPIResponseStore.Key(
                request.headers[.inlayRequestID], from: caller, document: document)
            let result = try await XMLAPIOperations.run(
                try XMLAPIRequest(document: document), key: key, for: caller, at: now(), in: database)
            let tree = XMLTree(
                "Envelope",
                [XMLTree("Body", [XMLTree("RESULT", [XMLTree("SUCCESS", text: "TRUE")] + result)])])
            return try Self.response(tree)
        } catch let fault as XMLAPIFault {
            return try Self.response(fault.envelope, status: status(fault, request))
        } catch let error where !Self.isForHTTP(error) {
            context.logger.error("XMLAPI failed", metadata: ["error": "\(String(reflecting: error))"])
            return try Self.response(XMLAPIFault.serverError.envelope)
        }
    }

    private func caller(_ request: Request) async throws -> BehaviorCaller {
        do {
            return try await authentication.caller(.init(request.headers))
        } catch let problem as Problem where problem.status == 401 {
            // An app, which sends an API key, gets the same problem as on every route, another program a fault.
            let isApp = request.headers[.inlayApiKey] != nil && problem != .accessTokenInvalid
            if isApp { throw problem }
            throw XMLAPIFault.sessionEnded
        }
    }

    /// Returns 401 for an ended session of Inlay's SDK, which then signs in again; else the documented 200.
    private func status(_ fault: XMLAPIFault, _ request: Request) -> HTTPResponse.Status {
        fault == .sessionEnded && request.headers[.inlaySDK] != nil ? .unauthorized : .ok
    }

    /// Returns the XML document: the form's field `xml`, or the body itself.
    private func document(_ request: Request) async throws -> Data {
        let type = request.mediaType
        let body = try await request.bytes()
        if request.isForm {
            guard let fields = try? FormFields(encoded: String(buffer: body)), let xml = fields["xml"],
                !xml.isEmpty
            else { throw XMLAPIFault.missingXML }
            return Data(xml.utf8)
        }
        guard ["text/xml", "application/xml"].contains(type) else { throw Problem.unsupportedMediaType }
        guard body.readableBytes > 0 else { throw XMLAPIFault.missingXML }
        return Data(buffer: body)
    }

    /// Returns whether an error keeps its HTTP status: 401 of an app, 413, 415, 429, and an unavailable database.
    private static func isForHTTP(_ error: any Error) -> Bool {
        if let error = error as? SQLError { return error.retrySeconds != nil }
        return error is Problem || error is Refusal || error is CancellationError
    }

    private static func response(_ tree: XMLTree, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/xml; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: try tree.document())))
    }
}

extension HTTPField.Name {
    // A literal of a valid token, so the failable initializer cannot fail.
    static let inlaySDK = HTTPField.Name(InlayHeader.sdk)!
    static let inlayRequestID = HTTPField.Name(InlayHeader.requestID)!
}

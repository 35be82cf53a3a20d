public import Foundation
internal import InlayXMLAPI
internal import InlayBehaviors
internal import InlayCore

/// EngageSDK's access to the marketing database: one object for the whole process.
///
/// Requests are stored on disk, wait for a network, and are sent one after another. Of the two blocks of a call one
/// runs, once, on the main queue.
public final class XMLAPIManager: NSObject, Sendable {
    /// The block that runs with the response, which may be a fault.
    public typealias Success = @MainActor @Sendable (ResultDictionary) -> Void
    /// The block that runs with an `EngageServiceError` when there was no response or a bad HTTP status.
    public typealias Failure = @MainActor @Sendable (any Error) -> Void

    private let runtime: EngageRuntime

    init(runtime: EngageRuntime) { self.runtime = runtime }

    /// Returns the shared object; `nil` until `EngageApplication` or `createClient` has started the SDK.
    public static func sharedInstance() -> XMLAPIManager! { EngageRuntime.shared.managers?.xmlapi }

    /// Returns ``sharedInstance()``, under its other documented name.
    public static func get() -> XMLAPIManager! { sharedInstance() }

    /// Posts a request.
    ///
    /// A fault with a good HTTP status goes to `success`; a bad status, or no response, to `failure`.
    public func postXMLAPI(_ api: XMLAPI, success: Success? = nil, failure: Failure? = nil) {
        let request = api.request
        begin(success, failure) { engine in
            let id = try await engine.xmlapi.begin(request)
            return { try await engine.xmlapi.finish(id) }
        }
    }

    /// Posts a request, with the parameters of EngageSDK's Android version.
    public func postXMLAPI(_ api: XMLAPI, successTask: Success?, failureTask: Failure?) {
        postXMLAPI(api, success: successTask, failure: failureTask)
    }

    /// Adds an anonymous contact and stores its id as the anonymous id.
    public func createAnonymousUser(toList listId: String, success: Success? = nil, failure: Failure? = nil) {
        begin(success, failure) { engine in { try await engine.identity.createAnonymous(list: listId) } }
    }

    /// Links the anonymous user's record to the primary user's through a column.
    ///
    /// Fails without sending anything when there is no anonymous id or no primary user id.
    public func updateAnonymous(
        toPrimaryUser userId: String?, list listId: String, primaryUserColumn: String, mergeColumn: String,
        success: Success? = nil, failure: Failure? = nil
    ) {
        begin(success, failure) { engine in
            {
                try await engine.identity.linkAnonymous(
                    to: userId ?? "", list: listId, primaryColumn: primaryUserColumn,
                    mergeColumn: mergeColumn)
            }
        }
    }

    /// Calls `start` in the order of the app's calls; the wait for the response does not delay the next one.
    private func begin(
        _ success: Success?, _ failure: Failure?,
        _ start:
            @escaping @Sendable (EngageEngine) async throws ->
            @Sendable () async throws ->
            XMLAPIResponse
    ) {
        runtime.perform { engine in
            do {
                let finish = try await start(engine)
                // Ends with the response, a failure, or the session.
                engine.session.work.start {
                    do {
                        let result = ResultDictionary(try await finish())
                        await MainActor.run { success?(result) }
                    } catch {
                        await Self.report(error, failure)
                    }
                }
            } catch {
                await Self.report(error, failure)
            }
        } failed: { error in
            await Self.report(error, failure)
        }
    }

    private static func report(_ error: any Error, _ failure: Failure?) async {
        let converted = EngageServiceError(error)
        await MainActor.run { failure?(converted) }
    }
}

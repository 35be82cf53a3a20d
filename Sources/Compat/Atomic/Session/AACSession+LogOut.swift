import Foundation
internal import InlayCore

extension AACSession {
    /// Sends pending analytics, ends all work of the session, and deletes the user's data.
    ///
    /// Afterwards the SDK must be initialised again before use. The error means that pending analytics could not be
    /// sent. The data are deleted in any case, unless the SDK's folder cannot be used.
    public static func logout(_ completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
        runtime.requireReady("logout")
        // In one step, before the first `await`: no work may start while the user's data are being deleted.
        let observers = runtime.change { setup in
            let left = setup
            (setup.credentials, setup.opening, setup.userID) = (nil, nil, nil)
            setup.tokens = [:]
            setup.generation += 1
            // Ends when the data are deleted.
            setup.loggingOut = Task {
                let error = await end(left)
                await MainActor.run { completionHandler?(error) }
            }
            return left.tokens
        }
        observers.values.forEach { $0.cancel() }
    }

    private static func end(_ left: AtomicRuntime.Setup) async -> (any Error)? {
        do {
            try await runtime.session(toLogOut: left).logOut()
            return nil
        } catch {
            let failure = error as? LogOutError
            let code: AACSessionLogoutError.Code =
                if case .network? = failure { .networkError } else { .dataError }
            return AtomicError.make(
                AACSessionLogoutErrorDomain, code.rawValue, failure?.underlying ?? error)
        }
    }
}

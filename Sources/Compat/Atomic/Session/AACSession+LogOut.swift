import Foundation
internal import InlayCore

extension AACSession {
    /// Sends pending analytics, ends all work of the session, and deletes the user's data.
    ///
    /// Afterwards the SDK must be initialised again before use. The error means that pending analytics could not be
    /// sent; the data are deleted in any case.
    public static func logout(_ completionHandler: (@MainActor ((any Error)?) -> Void)? = nil) {
        runtime.requireReady("logout")
        let (opening, observers) = (runtime.read(\.opening), runtime.read(\.tokens))
        observers.values.forEach { $0.cancel() }
        // Before the first `await`: no work may start while the user's data are being deleted.
        runtime.change { setup in
            (setup.credentials, setup.opening, setup.userID) = (nil, nil, nil)
            setup.tokens = [:]
            setup.generation += 1
        }
        // Ends when the data are deleted.
        Task {
            let error = await end(opening)
            await MainActor.run { completionHandler?(error) }
        }
    }

    private static func end(_ opening: Task<InlaySession, any Error>?) async -> (any Error)? {
        // A session that was never opened, or failed to open, has nothing to send and nothing to delete.
        guard let session = try? await opening?.value else { return nil }
        do throws(LogOutError) {
            try await session.logOut()
            return nil
        } catch {
            let code: AACSessionLogoutError.Code =
                if case .network = error { .networkError } else { .dataError }
            return AtomicError.make(AACSessionLogoutErrorDomain, code.rawValue, error.underlying)
        }
    }
}

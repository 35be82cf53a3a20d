#if canImport(UIKit)
    package import UIKit

    extension UIViewController {
        /// Asks a question in an alert on top of the controller. Returns `nil` when UIKit refuses to present the alert,
        /// for example on top of another alert, or when the alert is dismissed without a choice.
        package func ask(title: String?, message: String, no: String, yes: String) async -> Bool? {
            await withCheckedContinuation { (caller: CheckedContinuation<Bool?, Never>) in
                let answer = AlertAnswer(caller)
                let alert = UIAlertController(title: title, message: message, preferredStyle: .alert)
                alert.addAction(UIAlertAction(title: no, style: .cancel) { _ in answer.give(false) })
                alert.addAction(UIAlertAction(title: yes, style: .default) { _ in answer.give(true) })
                present(alert, animated: true)
            }
        }
    }
#endif

/// The answer to an alert, for the caller that waits for it.
///
/// Only the actions of the alert hold it. When they are released without a choice, the caller receives `nil`.
@MainActor package final class AlertAnswer {
    private var caller: CheckedContinuation<Bool?, Never>?

    package init(_ caller: CheckedContinuation<Bool?, Never>) { self.caller = caller }

    /// Gives the user's choice; a second call does nothing.
    package func give(_ choice: Bool) {
        caller?.resume(returning: choice)
        caller = nil
    }

    deinit { caller?.resume(returning: nil) }
}

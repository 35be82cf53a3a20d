#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension Behaviors {
        /// Records sessions by the system's notifications until the calling task is cancelled.
        ///
        /// An event that cannot be stored, because the disk is full or no user is known, is recorded with the next
        /// change.
        @MainActor
        public func followApplication() async {
            if UIApplication.shared.applicationState == .active { try? await appBecameActive() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let names = NotificationCenter.default.notifications(
                        named: UIApplication.didBecomeActiveNotification)
                    for await _ in names.map({ _ in true }) { try? await appBecameActive() }
                }
                group.addTask {
                    let names = NotificationCenter.default.notifications(
                        named: UIApplication.didEnterBackgroundNotification)
                    for await _ in names.map({ _ in true }) { try? await appWasLeft() }
                }
            }
        }
    }
#endif

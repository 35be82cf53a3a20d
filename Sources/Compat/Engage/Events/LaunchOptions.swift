#if !canImport(UIKit)
    /// Stands in for UIKit's application where there is no UIKit.
    public enum UIApplication {
        /// Why the app was launched.
        public struct LaunchOptionsKey: Hashable, Sendable {
            private let name: String
            /// By a notification of a push service.
            public static let remoteNotification = Self(
                name: "UIApplicationLaunchOptionsRemoteNotificationKey")
            /// By a notification of the app's own.
            public static let localNotification = Self(name: "UIApplicationLaunchOptionsLocalNotificationKey")
        }
    }
#endif

#if !canImport(UIKit)
    /// A substitute for UIKit's application on systems without UIKit.
    public enum UIApplication {
        /// The reason why the app was launched.
        public struct LaunchOptionsKey: Hashable, Sendable {
            private let name: String
            /// The app was launched by a push notification.
            public static let remoteNotification = Self(
                name: "UIApplicationLaunchOptionsRemoteNotificationKey")
            /// The app was launched by a local notification.
            public static let localNotification = Self(name: "UIApplicationLaunchOptionsLocalNotificationKey")
        }
    }
#endif

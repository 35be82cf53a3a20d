#if canImport(AppTrackingTransparency)
    import AppTrackingTransparency

    /// The user's answer to Apple's tracking prompt. The SDK never shows the prompt.
    enum SystemTracking {
        static var status: Int { Int(ATTrackingManager.trackingAuthorizationStatus.rawValue) }
    }
#endif

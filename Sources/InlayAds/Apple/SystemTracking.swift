#if canImport(AppTrackingTransparency)
    import AppTrackingTransparency

    /// Apple's tracking question, as it was answered; the SDK never asks it.
    enum SystemTracking {
        static var status: Int { Int(ATTrackingManager.trackingAuthorizationStatus.rawValue) }
    }
#endif

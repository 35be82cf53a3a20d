public import InlayWire

/// A fact of a set-up that the app may act on.
public enum DeviceSetupEvent: Hashable, Sendable {
    /// The server let the person in, or did not.
    case authenticated(Bool)
    /// The server let the app in, or did not.
    case authorized(Bool)
    /// A device was added.
    case paired(Device)
    /// A try came to nothing. Another may follow in the same set-up.
    case failed(DeviceSetupProblem)
    /// The patch begins or ends to flash: full brightness, no idle timer and no rotation while it does.
    case light(Bool)
    /// The tips were read to their end.
    case tipsCompleted
    /// Wants a page of the server in the phone's browser.
    case open(address: String)
    /// It is over; the last event.
    case ended(DeviceSetupEnd)
}

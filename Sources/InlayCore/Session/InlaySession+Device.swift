extension InlaySession {
    /// What outlives users: for facts of the installation, such as that it was counted. Log-out keeps it.
    package var deviceStore: Store { device.store }
}

internal import InlayDevices

/// One set-up on screen, from its start to its end.
@MainActor final class HKRun {
    let setup: DeviceSetup
    let surface: DeviceSetupSurface

    init(setup: DeviceSetup, surface: DeviceSetupSurface) {
        self.setup = setup
        self.surface = surface
    }

    /// Hands every event on, in order, on the main thread.
    func follow(_ heard: @escaping @MainActor (DeviceSetupEvent) -> Void) {
        let events = setup.events()
        // Ends with the set-up.
        Task { @MainActor in for await event in events { heard(event) } }
    }
}

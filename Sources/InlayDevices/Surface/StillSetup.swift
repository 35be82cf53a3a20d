internal import InlaySurface

/// One screen that stands still.
struct StillSetup: DeviceSetupReading {
    let still: SetupScreen

    func screen() async -> SetupScreen { still }

    // Nothing ever changes.
    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    func begin() async {}

    func act(on event: SetupViewEvent) async {}

    func page(for event: SetupViewEvent) async -> String? { nil }

    func log(_ line: String) {}
}

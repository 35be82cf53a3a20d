package import InlaySurface

/// What a surface needs of a set-up: the screen now, news of another, and a way to act.
package protocol DeviceSetupReading: Sendable {
    /// The screen now.
    func screen() async -> SetupScreen

    /// Tells, without saying what, when the screen may be another; ends with the set-up.
    func changes() -> AsyncStream<Void>

    /// Starts it, when it has not started.
    func begin() async

    /// Does what a person did.
    func act(on event: SetupViewEvent) async

    /// The server's page that an event leads to; `nil` when it leads to none.
    func page(for event: SetupViewEvent) async -> String?

    /// Writes a line to the debug log.
    func log(_ line: String)
}

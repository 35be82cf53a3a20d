import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

@_spi(Inlay) @testable import InlayDevices

/// Devices with a scripted server, a manual clock and their own folder.
struct DevicesFixture {
    let server = ScriptedDevices()
    let clock = ManualClock()
    let folder: TemporaryFolder
    var applicationID = "app-1"
    var secret = "secret-1"

    init() throws { folder = try TemporaryFolder() }

    /// Returns devices as after another start of the app.
    func devices() async throws -> Devices {
        try await Devices(configuration(folder: folder), transport: server, clock: clock)
    }

    /// Returns the configuration of the application on the device with this folder.
    func configuration(folder: TemporaryFolder) -> DevicesConfiguration {
        let session = SessionConfiguration(
            environmentID: "env", apiKey: "key", baseURL: URL(string: "https://example.com") ?? folder.url,
            folder: folder.url)
        return DevicesConfiguration(
            session: session, applicationID: applicationID, applicationSecret: secret)
    }

    /// Returns devices with a logged-in user.
    func loggedIn(_ email: String = "a@example.com") async throws -> Devices {
        let devices = try await devices()
        _ = try await devices.accounts.createAccount(email: email)
        return devices
    }

    /// The contents of all files in the folder.
    var files: Data {
        get throws {
            var all = Data()
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
                let file = folder.url.appendingPathComponent(name)
                var isFolder: ObjCBool = false
                // A store that closes removes files that were listed a moment ago.
                guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
                    !isFolder.boolValue
                else { continue }
                do {
                    all.append(try Data(contentsOf: file))
                } catch  where !FileManager.default.fileExists(atPath: file.path) {
                    continue
                }
            }
            return all
        }
    }
}

extension DeviceSetup {
    /// Advances to a screen with the inputs of a new user who chooses the light.
    func advance(to screen: DeviceSetupState.Screen, _ fixture: DevicesFixture) async throws {
        let states = StreamRecorder(states())
        await send(.start)
        if screen == .mail { return }
        await send(.mail("new@example.com"))
        try await states.untilNewest { $0.screen == .network && !$0.isBusy }
        if screen == .network { return }
        await send(.network(name: "Home", password: "correct horse"))
        try await states.untilNewest { if case .safety = $0.screen { true } else { false } }
        try await fixture.clock.advance(by: .seconds(1)) {
            states.elements.last?.screen == .safety(secondsLeft: 0)
        }
        if screen == .safety(secondsLeft: 0) { return }
        await send(.startLight)
        if screen == .light { return }
        await send(.lightWasRead)
    }
}

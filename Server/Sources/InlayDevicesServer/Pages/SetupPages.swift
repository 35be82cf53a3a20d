import InlayServerCore
@_spi(Inlay) import InlayWire
import InlayWorkbench

/// The page of the set-up funnel: the number of set-ups that reach each step, and why the others fail.
struct SetupPages: Sendable {
    let services: ServerServices
    let devices: DevicesFeature

    private struct Step {
        let stepName: String
        let stepHint: String
        let count: String
        let share: String
        /// The width of the bar, from 0 to 300 units of its drawing.
        let bar: Int
    }

    private struct Reason {
        let reasonName: String
        let advice: String
        let count: String
        let share: String
        let bar: Int
    }

    private struct Model {
        let ranges: [ChoiceView]
        let applications: [ChoiceView]
        let hasApplications: Bool
        let hasNumbers: Bool
        let chartText: String
        let steps: [Step]
        let reasons: [Reason]
        let hasReasons: Bool
        let openText: String
        let accountText: String
        let applicationsPath: String
    }

    static func routes(_ services: ServerServices, _ devices: DevicesFeature) -> [WorkbenchRoute] {
        let pages = SetupPages(services: services, devices: devices)
        return [.page("e/:environment/devices/setup") { try await pages.show($0) }]
    }

    private func show(_ request: WorkbenchRequest) async throws -> WorkbenchResult {
        let environmentID = try request.environmentID
        let range = DayRange(request)
        let applications = try await devices.applications.applications(environmentID)
        let chosen = applications.first { $0.id.rawValue == request.query["application"] }
        let numbers = try await devices.funnel.numbers(
            environmentID, since: range.buckets.from, application: chosen?.id)
        let steps = Self.steps(numbers)
        let model = Model(
            ranges: range.choices,
            applications: ChoiceView.list(
                [("", "All applications")] + applications.map { ($0.id.rawValue, $0.name) },
                chosen: chosen?.id.rawValue ?? ""),
            hasApplications: applications.count > 1, hasNumbers: numbers.begun > 0,
            chartText: steps.map { "\($0.stepName): \($0.count)" }.joined(separator: ", "), steps: steps,
            reasons: Self.reasons(numbers), hasReasons: !numbers.endings.isEmpty,
            openText: numbers.open == 0 ? "" : "\(Count.grouped(numbers.open)) in progress",
            accountText:
                "\(Count.of(numbers.accounts, "new account")), \(Count.grouped(numbers.proven)) of them proven",
            applicationsPath: request.address("devices", "applications"))
        return .page("Set-up", "devices/setup", model)
    }

    private static func steps(_ numbers: SetupFunnel.Numbers) -> [Step] {
        let all = [
            ("Begun", "A pairing token was requested", numbers.begun),
            ("Light read", "The device reported that it read the light, or claimed itself", numbers.seen),
            ("Claimed", "The device claimed itself at the server", numbers.claimed),
            ("Paired", "The device is its owner's", numbers.paired),
        ]
        return all.map { name, hint, count in
            Step(
                stepName: name, stepHint: hint, count: Count.grouped(count),
                share: Count.share(count, of: numbers.begun), bar: bar(count, of: numbers.begun))
        }
    }

    private static func reasons(_ numbers: SetupFunnel.Numbers) -> [Reason] {
        let whole = numbers.endings.values.reduce(0, +)
        return numbers.endings.map { ending, count in (words(ending), count) }
            .sorted { ($1.1, $0.0.0) < ($0.1, $1.0.0) }
            .map { words, count in
                Reason(
                    reasonName: words.0, advice: words.1, count: Count.grouped(count),
                    share: Count.share(count, of: whole), bar: bar(count, of: whole))
            }
    }

    private static func bar(_ part: Int, of whole: Int) -> Int { whole > 0 ? part * 300 / whole : 0 }

    private static func words(_ ending: SetupFunnel.Ending) -> (String, String) {
        switch ending {
        case .failed(let reason): words(reason)
        case .silent:
            (
                "No device appeared", "The light was not read, or the device could not reach the server."
            )
        case .lost: ("No claim", "The device read the light and did not claim itself.")
        case .superseded: ("Tried again", "The same user requested another token.")
        }
    }

    private static func words(_ reason: DeviceSetupFailure) -> (String, String) {
        switch reason {
        case .wrongPassword: ("Wrong Wi-Fi password", "The network refused the password.")
        case .networkNotFound: ("Network not found", "Often a network of 5 GHz only, or out of reach.")
        case .noInternet: ("No internet", "The device joined and could not reach the server.")
        case .tokenExpired: ("Too late", "The device claimed itself after ten minutes.")
        case .noLight: ("No light", "The device saw none, or none it could read.")
        case .cancelled: ("Cancelled", "The user cancelled the set-up.")
        case .other: ("Something else", "An unknown reason.")
        }
    }
}

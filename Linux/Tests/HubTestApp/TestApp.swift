import Foundation
import InlayBrowser
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
import InlayNIO
import InlayWebHost
@_spi(Inlay) import InlayWire
@_spi(InlayHosts) import InlayZBiM

/// The app: it shows nested hubs in a view of 300 by 400 points, next to buttons, and other hubs over the whole screen.
@MainActor final class TestApp {
    private let container = UIView(frame: CGRect(x: 40, y: 60, width: 300, height: 400))
    private let controller = UIViewController()
    private let transport: NIOTransport
    /// The nested hub, also after it was dismissed.
    private var nested: (any ZBiMContentHubDelegate)?
    /// The number of presses of the app's buttons.
    private var presses = 0
    private var serving: (host: BrowserHost, task: Task<Void, Never>, presses: Task<Void, Never>)?

    init() throws { transport = try NIOTransport() }

    func perform(_ command: TestCommand) async -> [String: JSONValue] {
        var answer: [String: JSONValue] = ["done": .string(command.name)]
        do {
            switch command.name {
            case "contentSource":
                ZBiM.setContentSource(command.flag("external") ? .externalAllowed : .localOnly)
            case "whitelistURL": ZBiM.whitelistURL(try url(command))
            case "whitelistDomainName": ZBiM.whitelistDomainName(command.text("name") ?? "")
            case "start": ZBiM.start()
            case "refresh": ZBiM.refreshContentSource()
            case "state":
                answer["isReady"] = .bool(ZBiM.isReady())
                answer["isDisplaying"] = .bool(ZBiM.isDisplayingContentHub())
                answer["isDisabled"] = .bool(ZBiM.isDisabled())
                answer["canGoBack"] = .bool(nested?.canGoBack() ?? false)
                answer["canGoForward"] = .bool(nested?.canGoForward() ?? false)
                answer["page"] = .string(ZBiM.displayedHub?.page?.uri ?? "")
                answer["presses"] = .integer(Int64(presses))
            case "user":
                try ZBiM.createUser(command.text("id"), withTags: command.texts("tags"))
                try ZBiM.setActiveUser(command.text("id"))
            case "present": answer.merge(try await presented { present(command, $0) }) { $1 }
            case "presentExisting":
                answer.merge(try await presented { ZBiM.presentExistingContentHub(nested, completion: $0) }) {
                    $1
                }
            case "goBack": nested?.goBack()
            case "goForward": nested?.goForward()
            case "dismiss": try await dismiss()
            default: answer["error"] = "unknown"
            }
        } catch { answer["error"] = .string("\(error)") }
        return answer
    }

    func close() async {
        await serving?.host.stop()
        await serving?.task.value
        serving?.presses.cancel()
        serving = nil
    }

    private func url(_ command: TestCommand) throws -> URL {
        guard let url = URL(string: command.text("url") ?? "") else { throw URLError(.badURL) }
        return url
    }

    /// Presents a hub with one call of the documented API and serves it to a browser; returns members of the report.
    private func presented(_ present: (@escaping ZBiM.Completion) -> Void) async throws -> [String: JSONValue]
    {
        let end = await withCheckedContinuation { (done: CheckedContinuation<(Bool, NSError?), Never>) in
            present { success, error in done.resume(returning: (success, error)) }
        }
        guard end.0, let presentation = ZBiM.displayedHub else {
            return ["success": .bool(end.0), "code": .integer(Int64(end.1?.code ?? 0))]
        }
        let address = try await serve(presentation)
        return ["success": true, "address": .string(address), "page": .string(presentation.page?.uri ?? "")]
    }

    /// Calls the method of the documented API that takes the command's arguments.
    private func present(_ command: TestCommand, _ completion: @escaping ZBiM.Completion) {
        let (tags, uri) = (command.texts("tags"), command.text("uri"))
        nested = nil
        switch command.text("by") {
        case "tags" where command.flag("nested"):
            nested = ZBiM.presentHub(
                withTags: tags, parentView: container, parentViewController: controller,
                completion: completion)
        case "tags": ZBiM.presentHub(withTags: tags, completion: completion)
        case "uri" where command.flag("nested"):
            nested = ZBiM.presentHub(
                withUri: uri, parentView: container, parentViewController: controller, completion: completion)
        case "uri": ZBiM.presentHub(withUri: uri, completion: completion)
        case _ where command.flag("nested"):
            nested = ZBiM.presentHub(
                withParentView: container, parentViewController: controller, completion: completion)
        default: ZBiM.presentHub(completion)
        }
    }

    private func dismiss() async throws {
        if let nested { try nested.dismiss() } else { try ZBiM.displayedHub?.dismiss() }
        await close()
    }

    /// Serves the hub to a browser, in the frame that the facade gave the hub's view; returns the app's URL.
    private func serve(_ presentation: HubPresentation) async throws -> String {
        let surface = try HubSurface(presentation)
        let (presses, press) = AsyncStream.makeStream(of: String.self)
        let screen = TestScreen(container: container.frame, hub: container.subviews.first?.frame) {
            press.yield($0)
        }
        var configuration = BrowserHost.Configuration()
        configuration.shell = { screen.file($0) }
        let host = try await BrowserHost.start(
            surfaces: [surface], configuration: configuration, media: transport.media)
        // Both tasks end when the hub is dismissed, or with the app.
        serving = (
            host, Task { await host.run() },
            Task { [weak self] in
                for await button in presses { self?.pressed(button) }
            }
        )
        return host.address.absoluteString
    }

    /// Calls the nested hub's method that belongs to a pressed button.
    private func pressed(_ button: String) {
        defer { presses += 1 }
        switch button {
        case "back": nested?.goBack()
        case "forward": nested?.goForward()
        case "close": try? nested?.dismiss()
        default: break
        }
    }
}

public import Foundation
internal import InlayHub
public import InlayPlatform

extension ZBiM {
    /// The block that runs once: with success when a page is on screen, or with the error that prevented it.
    public typealias Completion = @MainActor (_ success: Bool, _ error: NSError?) -> Void

    /// Shows the hub that matches the active user best, in full screen.
    @MainActor public static func presentHub(_ completion: Completion?) {
        present(.user, ZBiMContentHub(parentView: nil, container: nil), completion)
    }

    /// Shows the hub that matches the active user best, presented by a given view controller.
    @MainActor public static func presentHub(
        withPresentingViewController presentingViewController: UIViewController?, completion: Completion?
    ) { present(.user, ZBiMContentHub(parentView: nil, container: presentingViewController), completion) }

    /// Shows the hub that matches the active user best, nested in a view of the app, which has its own buttons.
    @MainActor public static func presentHub(
        withParentView parentView: UIView, parentViewController: UIViewController?, completion: Completion?
    ) -> any ZBiMContentHubDelegate { nested(.user, parentView, parentViewController, completion) }

    /// Shows the hub that matches these tags best, in full screen; `nil` or no tags mean the active user's tags.
    @MainActor public static func presentHub(withTags tags: [String]?, completion: Completion?) {
        present(request(tags), ZBiMContentHub(parentView: nil, container: nil), completion)
    }

    /// Shows the hub that matches these tags best, presented by a given view controller.
    @MainActor public static func presentHub(
        withTags tags: [String]?, presentingViewController: UIViewController?, completion: Completion?
    ) {
        present(
            request(tags), ZBiMContentHub(parentView: nil, container: presentingViewController), completion)
    }

    /// Shows the hub that matches these tags best, nested in a view of the app.
    @MainActor public static func presentHub(
        withTags tags: [String]?, parentView: UIView, parentViewController: UIViewController?,
        completion: Completion?
    ) -> any ZBiMContentHubDelegate { nested(request(tags), parentView, parentViewController, completion) }

    /// Shows the page that an address names, in full screen.
    @MainActor public static func presentHub(withUri uri: String?, completion: Completion?) {
        present(.uri(uri ?? ""), ZBiMContentHub(parentView: nil, container: nil), completion)
    }

    /// Shows the page that an address names, presented by a given view controller.
    @MainActor public static func presentHub(
        withUri uri: String?, presentingViewController: UIViewController?, completion: Completion?
    ) {
        present(
            .uri(uri ?? ""), ZBiMContentHub(parentView: nil, container: presentingViewController), completion)
    }

    /// Shows the page that an address names, nested in a view of the app.
    @MainActor public static func presentHub(
        withUri uri: String?, parentView: UIView, parentViewController: UIViewController?,
        completion: Completion?
    ) -> any ZBiMContentHubDelegate { nested(.uri(uri ?? ""), parentView, parentViewController, completion) }

    /// Shows a dismissed hub again, on the page that it showed last.
    @MainActor public static func presentExistingContentHub(
        _ existingContentHub: (any ZBiMContentHubDelegate)?, completion: Completion?
    ) {
        guard let stored = existingContentHub as? ZBiMContentHub, let presentation = stored.presentation,
            let hub = runtime.hub
        else {
            completion?(false, ZBiMError.invalidParams.error("There is no hub to present again."))
            return
        }
        do throws(HubError) {
            try hub.present(again: presentation)
            show(presentation, stored, completion)
        } catch {
            completion?(false, error.documented)
        }
    }

    private static func request(_ tags: [String]?) -> HubRequest {
        tags.flatMap { $0.isEmpty ? nil : .tags($0) } ?? .user
    }

    @MainActor private static func nested(
        _ request: HubRequest, _ view: UIView, _ container: UIViewController?, _ completion: Completion?
    ) -> any ZBiMContentHubDelegate {
        let shown = ZBiMContentHub(parentView: view, container: container)
        present(request, shown, completion, form: .nested)
        return shown
    }

    @MainActor private static func present(
        _ request: HubRequest, _ shown: ZBiMContentHub, _ completion: Completion?,
        form: HubPresentation.Form = .modal
    ) {
        if let hub = runtime.hub { return begin(request, form, in: hub, shown, completion) }
        // Ends when the session is open or has failed to open, or at once when the SDK was not started.
        Task { @MainActor in
            guard let hub = await runtime.opened()?.hub else {
                completion?(
                    false, ZBiMError.invalidState.error("The SDK was not started, or not configured."))
                return
            }
            begin(request, form, in: hub, shown, completion)
        }
    }

    @MainActor private static func begin(
        _ request: HubRequest, _ form: HubPresentation.Form, in hub: Hub, _ shown: ZBiMContentHub,
        _ completion: Completion?
    ) {
        do throws(HubError) {
            let presentation: HubPresentation
            switch request {
            case .user: presentation = try hub.present(as: form)
            case .tags(let tags): presentation = try hub.present(tags: tags, as: form)
            case .uri(let uri): presentation = try hub.present(uri: uri, as: form)
            }
            show(presentation, shown, completion)
        } catch {
            completion?(false, error.documented)
        }
    }

    @MainActor private static func show(
        _ presentation: HubPresentation, _ shown: ZBiMContentHub, _ completion: Completion?
    ) {
        runtime.change { $0.flags.isDisplaying = true }
        shown.show(presentation)
        // Ends with the first page, or with the error that prevents it. Retains the hub until then.
        Task { @MainActor in
            do throws(HubError) {
                try await presentation.shown()
                completion?(true, nil)
            } catch {
                completion?(false, error.documented)
            }
            _ = shown
        }
    }
}
